"""Where the flow ends, for every balanced start: the sum of 2 f Proj(V_f) over the growing frequencies f of F.

Starts between two levels see every direction, and all end at F + R, with R the root of F^2 + a b. For balanced starts:
R is the range of Q(0). Of all directions in R that contain no mode faster than f, V_f holds what they contain of the
modes of frequency f. From the fastest frequency to the slowest: look at those modes in what is left of R, keep the
directions they see, and go on with the directions they do not see.
"""

from __future__ import annotations

import numpy as np

from numerics.theory.deep_linear.modes import Array, Modes

TOLERANCE = 1e-12


def limit(modes: Modes, tolerance: float = TOLERANCE) -> Array:
    """QQ' after infinitely long time, for one network: (m, m).

    Whether a start sees a mode is a question of rank, which floats answer up to a tolerance: a direction of the range
    of Q(0) sees the modes of a frequency if their cosine is above it, singular values of Q(0) count if they are above
    it relative to the largest, frequencies that are closer than it (again relative to the largest) are the same, and
    frequencies below it are zero. So the result is the place where the flow rests once it has had time to forget
    components above the tolerance, before those below it take over.
    """
    frequencies = modes.frequencies
    if modes.means > 0.0:
        return _learned(modes)
    left = _range(modes.components, tolerance)
    ends = np.zeros((frequencies.size, frequencies.size))
    for group in groups(frequencies, tolerance):
        seen, cosines, directions = np.linalg.svd(left[group])
        rank = int(np.count_nonzero(cosines > tolerance))
        kept = seen[:, :rank] * np.sqrt(2.0 * frequencies[group].mean())
        ends[np.ix_(group, group)] = kept @ kept.T
        left = left @ directions[rank:].T
    turned = modes.basis @ ends @ modes.basis.T
    return np.asarray(0.5 * (turned + turned.T))


def _learned(modes: Modes) -> Array:
    """F + R, where negative values of F are not subtracted from those of R."""
    larger = np.hypot(modes.frequencies, modes.means) + np.abs(modes.frequencies)
    ends = np.where(modes.frequencies > 0.0, larger, modes.means * (modes.means / larger))
    turned = (modes.basis * ends) @ modes.basis.T
    return np.asarray(0.5 * (turned + turned.T))


def groups(frequencies: Array, tolerance: float) -> list[list[int]]:
    """The growing modes, fastest first, those of one frequency together."""
    top = float(np.abs(frequencies).max())
    members: list[list[int]] = []
    for k in np.argsort(-frequencies, kind="stable"):
        if frequencies[k] <= tolerance * top:
            break
        if members and frequencies[members[-1][-1]] - frequencies[k] <= tolerance * top:
            members[-1].append(int(k))
        else:
            members.append([int(k)])
    return members


def _range(components: Array, tolerance: float) -> Array:
    """Orthonormal columns that span the range of the start."""
    vectors, sizes, _ = np.linalg.svd(components, full_matrices=False)
    return np.asarray(vectors[:, sizes > tolerance * sizes[0]])

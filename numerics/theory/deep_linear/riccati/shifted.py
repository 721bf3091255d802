"""Starts of two levels as balanced ones: QQ' = P - b J, where P has half the rank or less.

With J = diag(I, -I), one for inputs and minus one for outputs, and levels a and b, M = QQ' obeys
M' = F M + M F - M^2 + a b I and M J M = (a - b) M + a b J. So P = M + b J, which is positive semidefinite and of rank
Ni, obeys P' = F~ P + P F~ - P^2 with F~ = F + b J, which is F for the balance -(a + b): P learns the same task from a
start with that balance. In the same way M - a J has rank No and the balance a + b. The atlas of solvable networks
proves it (two_levels_are_a_shifted_balance).
Each level is an entry of QQ' at most, so that the difference loses a bit at most, relative to the largest entry.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from numerics.theory.deep_linear.modes import Array, Modes, into_modes

FLATTEST = 1e-3  # smallest value of P over the largest, from which on its factor is accurate enough


def balanced(modes: Modes) -> tuple[Modes, Array] | None:
    """The modes of P for one network, and the diagonal of QQ' - P; None where P is too flat to be factored."""
    a, b = _levels(modes)
    n, inputs, outputs = modes.pairs, modes.inputs, modes.outputs
    signs = np.repeat([1.0, -1.0], [inputs, outputs])
    of_inputs = (inputs, b) <= (outputs, a)
    rank, shift = (inputs, b * signs) if of_inputs else (outputs, -a * signs)
    rows = _in_singular_vectors(modes)
    gram = rows @ rows.T
    gram[np.diag_indices_from(gram)] += shift
    values, vectors = np.linalg.eigh(gram)
    if not values[-rank] >= FLATTEST * values[-1]:
        return None
    start = vectors[:, -rank:] * np.sqrt(values[-rank:])
    balance = np.asarray(-a - b if of_inputs else a + b)
    of_task = 2.0 * modes.cosines * modes.sines * modes.frequencies[:n]
    frequencies, components, cosines, sines = into_modes(start[:inputs], start[inputs:], of_task, balance)
    shifted_modes = replace(
        modes,
        frequencies=frequencies,
        components=components,
        cosines=cosines,
        sines=sines,
        balance=balance,
        means=np.zeros(()),
    )
    return shifted_modes, -shift


def _levels(modes: Modes) -> tuple[float, float]:
    """a and b, from their difference and their geometric mean."""
    balance, mean = float(modes.balance), float(modes.means)
    larger = 0.5 * (np.hypot(balance, 2.0 * mean) + abs(balance))
    smaller = mean * (mean / larger)
    return (smaller, larger) if balance > 0.0 else (larger, smaller)


def _in_singular_vectors(modes: Modes) -> Array:
    """The start in singular vectors of the task, inputs first."""
    n, inputs = modes.pairs, modes.inputs
    growing, decaying, idle = np.split(modes.components, [n, 2 * n])
    c, s = modes.cosines[:, None], modes.sines[:, None]
    on_right, on_left = c * growing + s * decaying, s * growing - c * decaying
    return np.concatenate([on_right, idle[: inputs - n], on_left, idle[inputs - n :]])

"""How long the rows are that the flows of this folder take."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

HEADER = 7  # K, M, whether v learns, eta, eta_v, sigma^2, B
MOST = 10_000  # units: more have more overlaps than memory has room


def sizes(params: Floats) -> tuple[int, int] | None:
    """The numbers of components and of parameters that go with a row of parameters; None where no K and M begin it.

    >>> sizes(np.array([2.0, 3.0, 0.0]))
    (9, 18)
    """
    if params.size < HEADER - 4:
        return None
    K, M, learns = params[:3].tolist()
    if not (0 < K <= MOST and 0 < M <= MOST and K % 1 == M % 1 == 0):
        return None
    return int(K * (K + 1) / 2 + K * M + K * (learns != 0)), int(HEADER + M * (M + 1) / 2 + M + K)


def sizes_with_rule(params: Floats) -> tuple[int, int] | None:
    """Return the same where a rule follows: its size n, n nodes, n weights, and n^2 entries of polynomials."""
    plain = sizes(params)
    if plain is None or params.size <= plain[1]:
        return plain
    n = float(params[plain[1]])
    return (plain[0], plain[1] + int(1 + 2 * n + n * n)) if 0 < n <= MOST and n % 1 == 0 else None

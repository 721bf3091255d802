"""The semidefinite programme of `semidefinite`, put to Clarabel where it is installed (the extra `sdp`).

It takes larger matrices than the solver that comes along, and decides as little.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any  # numpy arrays of floats
BESIDE = float(np.sqrt(2.0))
"""What entries beside the diagonal are multiplied by in a column, which then has the length of its matrix."""


def least_cost(blocks: list[Array], right: Array) -> list[Array] | None:
    """Positive semidefinite X_j with sum_j <A_ij, X_j> = b_i and the smallest last one, which is a number."""
    import clarabel
    from scipy import sparse

    sizes = [block.shape[1] for block in blocks]
    equations = np.concatenate([_columns(block) for block in blocks], axis=1)
    unknowns = equations.shape[1]
    cost = np.zeros(unknowns)
    cost[-1] = 1.0
    rows = sparse.vstack([sparse.csc_matrix(equations), -sparse.identity(unknowns)], format="csc")
    levels = np.concatenate([right, np.zeros(unknowns)])
    cones = [clarabel.ZeroConeT(len(right)), *(clarabel.PSDTriangleConeT(size) for size in sizes)]
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_threads = False, 1
    nothing = sparse.csc_matrix((unknowns, unknowns))
    found = clarabel.DefaultSolver(nothing, cost, rows, levels, cones, settings).solve()
    if str(found.status) not in ("Solved", "AlmostSolved"):
        return None
    ends = np.cumsum([size * (size + 1) // 2 for size in sizes])[:-1]
    return [_matrix(part, size) for part, size in zip(np.split(np.asarray(found.x), ends), sizes, strict=True)]


def _upper(size: int) -> tuple[Array, Array, Array]:
    """The places on and above the diagonal, column after column, and what they are multiplied by."""
    columns, rows = np.tril_indices(size)
    return rows, columns, np.where(rows == columns, 1.0, BESIDE)


def _columns(block: Array) -> Array:
    rows, columns, scales = _upper(block.shape[1])
    return block[:, rows, columns] * scales


def _matrix(column: Array, size: int) -> Array:
    rows, columns, scales = _upper(size)
    whole = np.zeros((size, size))
    whole[rows, columns] = whole[columns, rows] = column / scales
    return whole

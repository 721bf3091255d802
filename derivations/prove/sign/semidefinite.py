"""A small semidefinite solver: symmetric matrices that meet linear equations and are as positive as they can be.

It proposes and never decides: what it finds is rounded and solved again in exact numbers. A primal-dual interior-point
method with a predictor and a corrector, for matrices of some tens of rows.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from threadpoolctl import ThreadpoolController

from derivations.text.work import spend

Array = Any  # numpy arrays of floats
MOST_STEPS = 60
TIGHT = 1e-10
ENOUGH = 0.2  # of the largest possible smallest eigenvalue
EDGE = 1e-6  # smallest eigenvalues below it count as zero
FAR_OUTSIDE = -100 * EDGE  # of the cone
NEARLY = 0.95  # of the way to the boundary
PER_STEP, PER_MATRIX, NUMBERS = 500, 80, 9000  # units of work; products of two numbers for one more


@dataclass(frozen=True)
class Solution:
    """Matrices that meet the equations; slack is their common lower bound on eigenvalues, at most about 1."""

    matrices: list[Array]
    slack: float


def most_positive(equations: list[Array], right: Array) -> Solution | None:
    """Matrices Q_j with sum_j <A_ij, Q_j> = b_i, all as far inside the cone as can be; None if that is far outside.

    equations: for each matrix its A_ij, as an array of shape (number of equations, n_j, n_j). right: the b_i.
    With Q = X + (1 - t) I, t is made small under X >= 0 and t >= 0.
    """
    at_identity = sum(np.trace(a, axis1=1, axis2=2) for a in equations)
    found = _Path([*equations, -at_identity.reshape(-1, 1, 1)], right - at_identity).walk()
    if found is None:
        return None
    slack = 1.0 - float(found[-1][0, 0])
    if slack <= FAR_OUTSIDE:
        return None
    return Solution([x + slack * np.eye(len(x)) for x in found[:-1]], slack)


def one_thread() -> AbstractContextManager[Any]:
    """Linear algebra on one thread: for matrices of some tens of rows, more threads cost time and bring none."""
    return _threads().limit(limits=1)  # type: ignore[no-any-return]


@lru_cache(maxsize=1)
def _threads() -> ThreadpoolController:
    return ThreadpoolController()


class _Path:
    """The iterates: X and Z positive definite, y free; <C, X> is made small, where C picks the last matrix out."""

    def __init__(self, blocks: list[Array], right: Array) -> None:
        self.blocks, self.right = blocks, right
        self.flat = [a.reshape(len(right), -1) for a in blocks]
        self.sizes = [a.shape[1] for a in blocks]
        self.total = sum(self.sizes)
        rows = len(right)
        self.units = (rows**3 + sum(2 * rows * n**3 + (rows * n) ** 2 for n in self.sizes)) // NUMBERS
        start = 10.0 * max(1.0, float(np.abs(right).max(initial=0.0)))
        self.x = [start * np.eye(n) for n in self.sizes]
        self.z = [10.0 * np.eye(n) for n in self.sizes]
        self.y = np.zeros(len(right))
        self.cost = [np.zeros((n, n)) for n in self.sizes[:-1]] + [np.ones((1, 1))]

    @np.errstate(all="ignore")  # iterates that run to infinity are left
    def walk(self) -> list[Array] | None:
        scale = 1.0 + float(np.abs(self.right).max(initial=0.0))
        for _ in range(MOST_STEPS):
            off_primal = self.right - self._applied(self.x)
            off_dual = [c - z - a for c, z, a in zip(self.cost, self.z, self._combined(self.y), strict=True)]
            primal = float(np.abs(off_primal).max()) / scale
            dual = max(float(np.abs(r).max()) for r in off_dual)
            slack, bound = 1.0 - float(self.x[-1][0, 0]), 1.0 - float(self.right @ self.y)
            gap = sum(float(np.vdot(x, z)) for x, z in zip(self.x, self.z, strict=True)) / self.total
            if primal < 1e-9 and slack > 10 * EDGE and (slack >= ENOUGH * bound or gap < TIGHT):
                return self.x
            if dual < 1e-8 and bound < -10 * EDGE:
                return None
            if gap < TIGHT and primal < 1e-7:
                break
            spend(PER_STEP + PER_MATRIX * len(self.sizes) + self.units)
            try:
                self._step(off_primal, off_dual, gap)
            except np.linalg.LinAlgError:
                break
        return self.x if slack > FAR_OUTSIDE and primal < 1e-5 else None

    def _applied(self, matrices: list[Array]) -> Array:
        return sum(f @ m.ravel() for f, m in zip(self.flat, matrices, strict=True))

    def _combined(self, y: Array) -> list[Array]:
        return [(y @ f).reshape(n, n) for f, n in zip(self.flat, self.sizes, strict=True)]

    def _step(self, off_primal: Array, off_dual: list[Array], gap: float) -> None:
        inverse = [(i + i.T) / 2 for i in _of_each(np.linalg.inv, self.z)]
        schur = np.zeros((len(self.y), len(self.y)))
        for block, flat, x, i in zip(self.blocks, self.flat, self.x, inverse, strict=True):
            schur += flat @ (x @ block @ i).reshape(len(flat), -1).T
        schur = (schur + schur.T) / 2
        schur[np.diag_indices_from(schur)] += 1e-14 * np.trace(schur) / len(schur)
        if not np.isfinite(schur).all():
            raise np.linalg.LinAlgError("the iterates have run to infinity")
        factor = cho_factor(schur)

        def direction(aim: list[Array]) -> tuple[list[Array], Array, list[Array]]:
            """The Newton step for X Z = aim Z, where aim is what X should become if Z stayed."""
            pulled = [x @ r @ i for x, r, i in zip(self.x, off_dual, inverse, strict=True)]
            wanted = [a - x for a, x in zip(aim, self.x, strict=True)]
            dy = cho_solve(factor, off_primal - self._applied(wanted) + self._applied(pulled))
            dz = [r - a for r, a in zip(off_dual, self._combined(dy), strict=True)]
            dx = [w - x @ d @ i for w, x, d, i in zip(wanted, self.x, dz, inverse, strict=True)]
            return [(d + d.T) / 2 for d in dx], dy, dz

        dx, _, dz = direction([np.zeros_like(x) for x in self.x])
        roots = [_of_each(lambda m: np.linalg.inv(np.linalg.cholesky(m)), matrices) for matrices in (self.x, self.z)]
        ahead, behind = _largest_step(roots[0], dx), _largest_step(roots[1], dz)
        after = sum(
            float(np.vdot(x + ahead * d, z + behind * e)) for x, d, z, e in zip(self.x, dx, self.z, dz, strict=True)
        )
        centre = gap * min(1.0, max(after / self.total / gap, 0.0)) ** 3
        aim = [centre * i - d @ e @ i for i, d, e in zip(inverse, dx, dz, strict=True)]
        dx, dy, dz = direction(aim)
        ahead, behind = _largest_step(roots[0], dx), _largest_step(roots[1], dz)
        self.x = [x + ahead * d for x, d in zip(self.x, dx, strict=True)]
        self.z = [z + behind * d for z, d in zip(self.z, dz, strict=True)]
        self.y = self.y + behind * dy


def _largest_step(inverses: list[Array], steps: list[Array]) -> float:
    """How far matrices can go along the steps and stay positive definite, at most 1, by the inverses of their roots."""
    smallest = _of_each(lambda i, step: np.linalg.eigvalsh(i @ step @ i.transpose(0, 2, 1))[:, 0], inverses, steps)
    least = min(map(float, smallest))
    return min(1.0, -NEARLY / least) if least < 0 else 1.0


def _of_each(function: Callable[..., Array], *matrices: list[Array]) -> list[Array]:
    """A function of stacks of matrices for each matrix, taken of all of one size together."""
    by_size: dict[int, list[int]] = {}
    for k, matrix in enumerate(matrices[0]):
        by_size.setdefault(len(matrix), []).append(k)
    found = [
        (k, v)
        for at in by_size.values()
        for k, v in zip(at, function(*(np.stack([m[i] for i in at]) for m in matrices)), strict=True)
    ]
    return [value for _, value in sorted(found, key=lambda each: each[0])]


def independent(rows: Array) -> list[int]:
    """Numbers of linearly independent rows that span all of them."""
    from scipy.linalg import qr

    _, triangle, order = qr(rows.T, mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(triangle))
    rank = int((diagonal > 1e-9 * diagonal.max(initial=0.0)).sum())
    return sorted(int(k) for k in order[:rank])

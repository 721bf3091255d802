"""A student and a teacher: fields, error, loss, and what one update does."""

from __future__ import annotations

from fractions import Fraction

from derivations.language.sums import Array, Index, Range, Sums, delta, derivative, size, total
from derivations.models.sampling import Rule

HALF = Fraction(1, 2)

K, M, N, B = Range("K"), Range("M"), Range("N"), Range("B")
i, j, k, l = (K.index(name) for name in "ijkl")
n, m = M.index("n"), M.index("m")
a, b = N.index("a"), N.index("b")
s, s_other = B.index("s"), B.index("s_other")

W, W_teacher = Array("W", K, N), Array("W_teacher", M, N)
x, noise = Array("x", B, N), Array("noise", B)
g_student, slope, g_teacher = Array("g_student", K, B), Array("slope", K, B), Array("g_teacher", M, B)
"""g(lambda_k), g'(lambda_k) and g(rho_m) of each sample."""

eta, sigma = Array("eta").value, Array("sigma").value
per_sample, per_input, root = (Array(name).value for name in ("per_sample", "per_input", "root_per_input"))
"""1/B, 1/N and 1/sqrt(N)."""
RECIPROCALS: list[Rule] = [
    (per_sample * size(B), 1),
    (per_input * size(N), 1),
    (root * root, per_input),
]


def student_field(of: Index, sample: Index) -> Sums:
    """lambda: the input seen along the weights of a student, over sqrt(N)."""
    return root * total(W[of, a] * x[sample, a], a)


def teacher_field(of: Index, sample: Index) -> Sums:
    return root * total(W_teacher[of, a] * x[sample, a], a)


def error(sample: Index) -> Sums:
    """Delta: the teacher's noisy output minus the student's."""
    return total(g_teacher[m, sample], m) + sigma * noise[sample] - total(g_student[k, sample], k)


loss = HALF * per_sample * total(error(s) ** 2, s)
"""Equation 3 for equation 7."""


def by_weight(of: Sums, unit: Index, place: Index) -> Sums:
    """The derivative by W[unit, place]: only the unit's own field depends on it."""
    moved = Index("moved_input", N)
    return derivative(
        of,
        {g_student: lambda p, q: slope[p, q] * root * total(delta(p, unit) * delta(moved, place) * x[q, moved], moved)},
    )


def step(unit: Index, place: Index) -> Sums:
    """The change of W[unit, place] in one update."""
    return -1 * eta * by_weight(loss, unit, place)


def overlap_after_step(unit: Index, other: Index) -> Sums:
    """Q after one update: both factors have moved."""
    moved = [W[p, a] + step(p, a) for p in (unit, other)]
    return per_input * total(moved[0] * moved[1], a)


def teacher_overlap_after_step(unit: Index, teacher: Index) -> Sums:
    """R after one update."""
    return per_input * total((W[unit, a] + step(unit, a)) * W_teacher[teacher, a], a)

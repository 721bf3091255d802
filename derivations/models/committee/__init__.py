"""A student and a teacher whose outputs are sums over units (soft committee machines), trained online in batches.

**Symbols.** Ranges have no sizes: K students, M teachers, N inputs, a batch of B samples. Indices are `i, j, k, l`
for students, `m, n` for teachers, `a, b` for inputs and `s, s_other` for samples.

    W[K, N], W_teacher[M, N]      the weights
    x[B, N], noise[B]             the inputs of a batch, and a noise for each of its samples
    g_student[K, B], slope[K, B]  the activation g and its slope g' at the fields of the students
    g_teacher[M, B]               the activation at the fields of the teachers
    eta, sigma                    the learning rate, and the strength of the noise
    per_sample, per_input, root   1/B, 1/N and 1/sqrt(N) (RECIPROCALS)

The activation is any function: its values and slopes at fields are entries of arrays, and how they change with the
weights is the chain rule (`by_weight`).

**Definitions.** `student_field` and `teacher_field` are the inputs seen along weights, over sqrt(N). `error` is the
teacher's noisy output minus the student's, `loss` half its mean square over the batch.

**Update**, computed from the loss: `step` is what one update adds to a weight. The overlaps Q_ij = W_i.W_j/N and
R_in = W_i.W_teacher_n/N are `overlap_after_step` and `teacher_overlap_after_step` once the weights have moved; those of
the teachers do not move, and nothing else is kept in general.

**Instances**: `instance(kind, seed)` draws exact numbers for these symbols; `KINDS` says what is true of each kind.
`loss_at`, `rates`, `stepped` and `reduced` compute from the definition alone, without the expressions above.
`numbers` gives the arrays of given weights, inputs and activation. Data that batches are drawn from, and averages over
them, are in `committee.population`.

>>> print(*KINDS)
free linear relu cubic sphere learned symmetric overrealizable unrealizable size_one
>>> at = instance("cubic", seed=0)
>>> at.value(step(i, a), i=0, a=0) == at["eta"][()] * rates(at)[0, 0]
True
"""

from __future__ import annotations

from fractions import Fraction

from derivations.language.sums import Array, Index, Range, Sums, delta, derivative, size, total
from derivations.models.committee.instances import (
    ACTIVATIONS,
    KINDS,
    loss_at,
    numbers,
    rates,
    reduced,
    stepped,
)
from derivations.models.committee.instances import holds as holds
from derivations.models.committee.instances import instance as instance

__all__ = [
    "ACTIVATIONS", "HALF", "KINDS", "RECIPROCALS", "B", "K", "M", "N", "W", "W_teacher", "a", "b", "by_weight",
    "error", "eta", "g_student", "g_teacher", "i", "j", "k", "l", "loss", "loss_at", "m", "n",
    "noise", "numbers", "overlap_after_step", "per_input", "per_sample", "rates", "reduced", "root", "s", "s_other",
    "sigma", "slope", "step", "stepped", "student_field", "teacher_field", "teacher_overlap_after_step", "x",
]  # fmt: skip

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
RECIPROCALS: list[tuple[Sums, Sums | int]] = [
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

"""Averages over the data of a committee, and hypotheses on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from derivations.language.sums import Array, Index, Range, Sums, delta, number, size, total
from derivations.language.sums.algebra import Place, normal, replaced
from derivations.models.committee.definitions import (
    B,
    K,
    N,
    W,
    W_teacher,
    a,
    b,
    by_weight,
    g_student,
    g_teacher,
    i,
    loss,
    n,
    overlap_after_step,
    per_input,
    slope,
    student_field,
    teacher_field,
    teacher_overlap_after_step,
)
from derivations.models.sampling import Rule

Hypothesis = Rule

D, E = Range("D"), Range("E")
p, e = D.index("p"), E.index("e")
chance, noise_chance = Array("chance", D), Array("noise_chance", E)
x, noise = Array("x", D, N), Array("noise", E)

SAMPLE, OTHER = Index("sample", B), Index("other_sample", B)
POINTS = {SAMPLE: (D.index("point"), E.index("at_noise")), OTHER: (D.index("other_point"), E.index("at_other_noise"))}

CHANCES: list[Hypothesis] = [(total(chance[p], p), 1), (total(noise_chance[e], e), 1)]
CENTRED: list[Hypothesis] = [(total(noise_chance[e] * noise[e], e), 0)]
NOISE: list[Hypothesis] = [*CENTRED, (total(noise_chance[e] * noise[e] ** 2, e), 1)]
"""Mean 0 and variance 1."""
WHITE: list[Hypothesis] = [(total(chance[p] * x[p, a] * x[p, b], p), delta(a, b))]
"""The second moments of x ~ N(0, I)."""
c, d = (N.index(name) for name in "cd")


def fourth_moments(covariance: Callable[[Index, Index], Sums]) -> Hypothesis:
    """The fourth moments of Gaussian inputs of mean zero, by their covariance."""
    pairings = ((a, b, c, d), (a, c, b, d), (a, d, b, c))
    pairs = (covariance(*pairing[:2]) * covariance(*pairing[2:]) for pairing in pairings)
    return total(chance[p] * x[p, a] * x[p, b] * x[p, c] * x[p, d], p), sum(pairs, number(0))


FOURTH_MOMENTS = fourth_moments(delta)
"""Those of x ~ N(0, I)."""
ON_A_SPHERE: list[Hypothesis] = [(total(x[p, a] * x[p, a], a), size(N))]
"""|x|^2 = N for every input."""

INDEPENDENT = (size(B), size(B) * size(B) - size(B))
"""How many pairs of samples are one sample twice, and how many are drawn apart."""
COPIES = (size(B) * size(B), number(0))
"""A batch that is one sample, B times."""
ONE_SAMPLE_TWICE = (size(B), number(0))
"""The pairs of different samples are left out."""


def average(of: Sums, sample: Index) -> Sums:
    """<...> of a quantity of one sample."""
    return _over(of, {sample: POINTS[SAMPLE]})


def over_batches(of: Sums, pairs: tuple[Sums, Sums] = INDEPENDENT) -> Sums:
    """The average of sums over the samples of a batch, in products of at most two, which are one or drawn apart."""
    result = number(0)
    for (bound, factors), c in of.terms.items():
        samples = [k for k, name in enumerate(bound) if name == B.name]
        others = [k for k, name in enumerate(bound) if name != B.name]
        places: dict[Place, Place] = {k: new for new, k in enumerate(others)}
        places |= {k: at.name for k, at in zip(samples, POINTS, strict=False)}
        opened = normal([bound[k] for k in others], [replaced(f, places) for f in factors], frozenset())
        free = {**of.free, **{at.name: B for at in POINTS}}
        result = result + _counted(Sums({opened: c}, free, of.arrays), len(samples), pairs)
    return result


def _counted(term: Sums, samples: int, pairs: tuple[Sums, Sums]) -> Sums:
    """One product of quantities of no, one or two samples, averaged over the samples that it is summed over."""
    if samples == 0:
        return term
    if samples == 1:
        return size(B) * _over(term, {SAMPLE: POINTS[SAMPLE]})
    equal, apart = pairs
    return equal * _over(term, dict.fromkeys(POINTS, POINTS[SAMPLE])) + apart * _over(term, POINTS)


def _over(of: Sums, points: Mapping[Index, tuple[Index, Index]]) -> Sums:
    """Each sample becomes an input and a noise, summed with their chances where they occur."""
    kinds = {name: of_data(array) for name, array in of.arrays.items()}
    inputs: dict[Place, Place] = {at.name: pair[0].name for at, pair in points.items()}
    noises: dict[Place, Place] = {at.name: pair[1].name for at, pair in points.items()}
    known = {**of.free, **{at.name: at.range for pair in points.values() for at in pair}}
    result = number(0)
    for (bound, factors), c in of.terms.items():
        placed = [replaced(f, noises if f[0] == noise.name else inputs) for f in factors]
        result = result + _weighed(Sums({normal(bound, placed, frozenset()): c}, known, kinds), points)
    return result


def _weighed(term: Sums, points: Mapping[Index, tuple[Index, Index]]) -> Sums:
    """Summed over the inputs and noises that occur, with their chances."""
    for at, by in dict.fromkeys(points.values()):
        for index, weight in ((at, chance), (by, noise_chance)):
            term = total(weight[index] * term, index) if index.name in term.free else term
    return term


def of_data(array: Array) -> Array:
    """The array with a place for every input, or for every noise, instead of one for every sample."""
    of = E if array.name == noise.name else D
    return Array(array.name, *(of if r == B else r for r in array.ranges))


# --- the averages that fields and their values build ------------------------------------------------------------------


def field(of: Index, sample: Index) -> Sums:
    """lambda for a student's index, rho for a teacher's."""
    return student_field(of, sample) if of.range == K else teacher_field(of, sample)


def value(of: Index, sample: Index) -> Sums:
    return g_student[of, sample] if of.range == K else g_teacher[of, sample]


def I2(first: Index, second: Index) -> Sums:
    return average(value(first, SAMPLE) * value(second, SAMPLE), SAMPLE)


def I3(unit: Index, linear: Index, valued: Index) -> Sums:
    return average(slope[unit, SAMPLE] * field(linear, SAMPLE) * value(valued, SAMPLE), SAMPLE)


def I4(unit: Index, other: Index, first: Index, second: Index) -> Sums:
    slopes = slope[unit, SAMPLE] * slope[other, SAMPLE]
    return average(slopes * value(first, SAMPLE) * value(second, SAMPLE), SAMPLE)


def J2(unit: Index, other: Index) -> Sums:
    return average(slope[unit, SAMPLE] * slope[other, SAMPLE], SAMPLE)


# --- what one update does on average ----------------------------------------------------------------------------------


def overlap(first: Sums, second: Sums) -> Sums:
    return per_input * total(first * second, a)


def mean_gradient(unit: Index = i, place: Index = a) -> Sums:
    """<dL/dW>, for one weight of one student."""
    return over_batches(by_weight(loss, unit, place))


def teacher_rate() -> Sums:
    """The mean update of R over dt = 1/N."""
    return size(N) * (over_batches(teacher_overlap_after_step(i, n)) - overlap(W[i, a], W_teacher[n, a]))


def student_rate(other: Index, pairs: tuple[Sums, Sums] = INDEPENDENT) -> Sums:
    """The mean update of Q over dt, for batches whose pairs of samples are counted so."""
    return size(N) * (over_batches(overlap_after_step(i, other), pairs) - overlap(W[i, a], W[other, a]))

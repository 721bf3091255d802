"""Sums over indices of any range: they compute as loops do, and what is proved, refuted and left open is so."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from case_files import Cases
from drawn import drawn
from hypothesis import given
from hypothesis import strategies as st
from recheck.corrupt import taken

from derivations.audit.ledger import plain
from derivations.audit.lies.formulas import sum_mutants
from derivations.audit.lies.statements import equivalent
from derivations.language.polynomials import Inexact
from derivations.language.sums import (
    Array,
    Index,
    MisfitError,
    Range,
    Sums,
    as_json,
    delta,
    derivative,
    number,
    size,
    total,
)
from derivations.language.sums.instances import Instance
from derivations.prove.certificate import Certificate, Verdict
from derivations.prove.sums import Hypothesis, decide, statement, sums
from derivations.recheck import check

FAMILIES = Cases(__file__, globals())
LIES = drawn(150)  # of each certificate, that are tried

K, M, N = Range("K"), Range("M"), Range("N")
i, j, k = (K.index(name) for name in "ijk")
m, n = M.index("m"), M.index("n")
a, b = N.index("a"), N.index("b")

Q, R = Array("Q", K, K, symmetric=True), Array("R", K, M)
g, slope, teacher = Array("g", K), Array("slope", K), Array("teacher", M)
weights, x, rate = Array("weights", K, N), Array("x", N), Array("rate")

ERROR = total(teacher[m], m) - total(g[k], k)
LOSS = ERROR**2 / 2
GRADIENT = derivative(LOSS, {g: lambda p: slope[p] * total(delta(p, i) * delta(a, b) * x[a], a)})


def judged(left: Sums, right: Sums | int = 0, assuming: list[Hypothesis] | None = None, among: Any = ()) -> Certificate:
    """The certificate, after recheck has accepted its JSON."""
    certificate = sums(left, right, assuming or [], among)
    check(plain(certificate))
    return certificate


# --- arithmetic -------------------------------------------------------------------------------------------------------

ATOMS = st.sampled_from(
    [g[i], g[j], g[k], teacher[m], Q[i, j], Q[j, k], R[i, m], R[k, m], delta(i, k), delta(i, j), size(K), rate[()]]
)
OVER = st.sampled_from([(), (i,), (i, j), (k, m)])


@st.composite
def polynomials(draw: st.DrawFn) -> tuple[Sums, Sums]:
    """Two sums of products, each possibly summed over some indices."""
    made = []
    for _ in range(2):
        terms = [
            Fraction(draw(st.integers(-3, 3)), draw(st.integers(1, 2))) * draw(ATOMS) * draw(ATOMS) for _ in range(2)
        ]
        made.append(total(terms[0] + terms[1], *draw(OVER)))
    return made[0], made[1]


def entry(*at: int) -> Fraction:
    return Fraction(1 + sum((3 * p + 1) ** (q + 1) for q, p in enumerate(at)), 1 + sum(at))


def instance(sizes: dict[str, int]) -> Instance:
    ranges = {r.name: [s.name for s in r.ranges] for r in (Q, R, g, teacher, rate)}
    arrays: dict[str, Any] = {}
    for name, of in ranges.items():
        shape = [sizes[r] for r in of]
        places: list[tuple[int, ...]] = [()]
        for length in shape:
            places = [(*p, q) for p in places for q in range(length)]
        arrays[name] = {p: entry(*(sorted(p) if name == "Q" else p)) for p in places}
    return Instance(sizes, arrays, ranges)


FREE = {"i": 1, "j": 0, "k": 0, "m": 2, "n": 1}


@given(polynomials(), st.sampled_from([{"K": 2, "M": 3}, {"K": 3, "M": 3}, {"K": 4, "M": 5}]))
def test_sums_add_and_multiply_as_their_values_do(pair: tuple[Sums, Sums], sizes: dict[str, int]) -> None:
    at = instance(sizes)
    left, right = (at.value(as_json(p), FREE) for p in pair)
    assert at.value(as_json(pair[0] * pair[1]), FREE) == left * right
    assert at.value(as_json(pair[0] - pair[1]), FREE) == left - right


@given(polynomials())
def test_a_sum_over_an_index_is_the_sum_of_its_values(pair: tuple[Sums, Sums]) -> None:
    at = instance({"K": 3, "M": 4})
    looped = sum((at.value(as_json(pair[0]), FREE | {"i": p}) for p in range(3)), Fraction(0))
    assert at.value(as_json(total(pair[0], i)), FREE) == looped


def test_a_rate_that_is_a_derivative_keeps_its_indices_apart() -> None:
    inner = total(x[a] * rate[()], a)

    def moved(at: Index) -> Sums:
        return derivative(inner, {x: lambda place: x[at] * x[place]})

    assert derivative(total(x[b] ** 2, b), {x: moved}) == 2 * rate.value * total(x[a], a) * total(x[b] ** 2, b)


# --- verdicts ---------------------------------------------------------------------------------------------------------

SAMPLES = Range("S")
s = SAMPLES.index("s")
chance, noise, sigma = Array("chance", SAMPLES), Array("noise", SAMPLES), Array("sigma")
NORMAL = FAMILIES["normal"]
COIN = FAMILIES["coin"]


def averaged(values: Sums) -> Sums:
    return total(chance[s] * values, s)


UNIT = {"sizes": {"K": 2}, "arrays": {"odd": ["1", "-1"], "g": ["2", "3"]}}


def test_every_lie_about_the_gradient_is_refuted() -> None:
    true = statement(GRADIENT, -1 * ERROR * slope[i] * x[b])
    mutants = [mutant for _, mutant in sum_mutants(true)]
    assert len(mutants) > 20
    others = [mutant for mutant in mutants if decide(mutant).verdict is not Verdict.REFUTED]
    assert all(equivalent(true, mutant) for mutant in others)
    assert len(others) <= len(mutants) / 10


# --- what is refused --------------------------------------------------------------------------------------------------


def test_indices_of_the_wrong_range_are_refused() -> None:
    with pytest.raises(MisfitError, match=r"R takes indices of the ranges \(K, M\), got \(M, K\)"):
        _ = R[m, i]
    with pytest.raises(MisfitError, match="never meet"):
        delta(i, m)
    with pytest.raises(MisfitError, match="the index i runs through"):
        _ = g[i] * teacher[Index("i", M)]
    with pytest.raises(Inexact, match="floats never decide"):
        _ = g[i] * 0.5
    for strange in (number(1), g[i] + 1):
        with pytest.raises(MisfitError, match="left side of hypothesis 2 about sums must be one term with an array"):
            sums(g[i], 0, [(g[i], 0), (strange, 2)])


# --- the independent checker ------------------------------------------------------------------------------------------


@pytest.mark.drawn
def test_no_corruption_is_accepted() -> None:
    noisy = averaged((ERROR + sigma.value * noise[s]) ** 2)
    for made in (
        sums(noisy, ERROR**2 + sigma.value**2, NORMAL, [COIN]),
        sums(GRADIENT, -1 * ERROR * slope[i] * x[b]),
        sums(GRADIENT, ERROR * slope[i] * x[b]),
    ):
        assert taken(plain(made), random.Random(0), LIES) == []


test_statements_have_their_verdicts = FAMILIES.verdicts()

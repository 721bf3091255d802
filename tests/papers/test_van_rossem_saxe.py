"""The audit of van Rossem & Saxe: corrections by doubled constants, and starts that are followed in floats."""

from __future__ import annotations

import math
import random

import sympy as sp
from case_files import Cases
from each import each

from derivations import prove
from derivations.latex.formula import Formula
from derivations.models.two_point import X, tau_h, tau_y
from derivations.papers.van_rossem_saxe_2024 import paper
from derivations.papers.van_rossem_saxe_2024.beyond.rotation import (
    across_dh,
    along_dh,
    equation_10,
    length_0,
    true_end,
    wanted,
)
from derivations.papers.van_rossem_saxe_2024.setup import DOUBLED

FAMILIES = Cases(__file__, globals())

REPEATING = sorted(name for name, corrected in paper.corrections.items() if corrected.by.endswith("_doubled"))
RATES = {f"d{k}_dt": sp.Symbol(f"d{k}_dt") for k in "hyw"}
Vector = tuple[float, float]


def test_formulas_repeat_the_mistake_of_equation_17() -> None:
    numbers = {n for name in REPEATING for n in paper.entries[name.partition(":")[2]].numbers}
    assert numbers == {23, 25, 29, 30, 31, 32, 33, 35, 37, 38, 43}


@each("name", REPEATING)
def test_a_corrected_formula_is_the_printed_one_with_doubled_constants_and_not_the_printed_one(name: str) -> None:
    printed, corrected = paper.entries[name.partition(":")[2]].printed, paper.corrections[name].formula
    assert isinstance(printed, Formula)
    assert isinstance(corrected, Formula)
    twice = {str(symbol): value for symbol, value in DOUBLED.items()} | RATES
    for right, mistaken in zip(corrected.put(RATES).relations(), printed.put(twice).relations(), strict=True):
        assert prove.identity(right.right, mistaken.right).verdict.value == "proved"
    assert corrected.latex != printed.latex


def followed(dh: Vector, slope: Vector, target: float) -> float:
    """|dh|^2 in the end, by steps of equation 6 for one output, with |x2 - x1| = tau_h = tau_y = 1."""

    def rates(at: list[float]) -> list[float]:
        error = (at[0] * at[2] + at[1] * at[3] - target) / 4
        return [-error * at[2], -error * at[3], -error * at[0], -error * at[1]]

    state, step = [*dh, *slope], 0.05
    for _ in range(4000):
        first = rates(state)
        second = rates([x + step / 2 * v for x, v in zip(state, first, strict=True)])
        state = [x + step * v for x, v in zip(state, second, strict=True)]
    return state[0] ** 2 + state[1] ** 2


@each("seed", range(8))
def test_a_rotating_start_ends_between_its_distance_and_equation_10(seed: int) -> None:
    rng = random.Random(seed)
    start, u, v, target = rng.uniform(0.2, 1.5), rng.uniform(-1, 1), rng.uniform(0.2, 1), rng.uniform(0.5, 1.5)
    numbers = {length_0: start, along_dh: u, across_dh: v, wanted: target, X: 1, tau_h: 1, tau_y: 1}
    end, printed = (float(e.subs(numbers)) for e in (true_end, equation_10))
    assert math.isclose(followed((start, 0.0), (u, v), target), end, rel_tol=1e-3)
    assert (end - printed) * (start**2 - end) >= 0
    assert not math.isclose(end, printed, rel_tol=1e-6)


def test_what_is_quoted_is_quoted_of_the_source() -> None:
    assert sum(bool(entry.quote) for entry in paper.entries.values()) >= 9
    assert all(len(entry.quote.split()) <= 40 for entry in paper.entries.values())


test_statements_have_their_verdicts = FAMILIES.verdicts()

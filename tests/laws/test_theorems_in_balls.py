"""Every line of the table of theorems on random instances: where its hypotheses hold, its conclusion does."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from laws import (
    theorems_of_integrals,
    theorems_of_letters,
    theorems_of_matrices,
    theorems_of_motion,
    theorems_of_numbers,
)
from laws.theorems_drawn import LETTERS, RULES, SETTING, Drawn

from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.table.by import needs_and_conclusion, parts_of
from derivations.recheck.core.theorems import rules, theorems

INSTANCES, OF_A_THEOREM = 2_000, 800
"""Instances of a line, and of a theorem that is not one of numbers: a lie is found among the first 1,200 and 400."""
SEED = os.environ.get("LAWS_SEED", "")  # other instances with each
FUZZED = {
    "comparison on an interval", "comparison along a flow", "bound from a differential inequality",
    "set that a flow does not leave", "box that a flow does not leave", "motion towards a rest point",
    "linear instability", "instability by the trace", "linear stability on a line", "linear stability in the plane",
}  # fmt: skip
"""Random uses of these are confronted with numerical solutions in tests/laws/test_fuzz.py (makers in tests/fuzz)."""


def drawn(name: str, rng: random.Random) -> Drawn | None:
    """Return what a line makes of random letters, or None where these make no use of it."""
    try:
        with budget():
            if name in LETTERS:
                letters = LETTERS[name](rng)
                needs, concludes = needs_and_conclusion(name, SETTING | letters)
                return Drawn(letters, list(needs.values()), concludes)
            parameters, statement = RULES[name](rng)
            return Drawn(parameters, list(parts_of(name, statement, parameters).values()), statement)
    except Rejected:
        return None


def faults(name: str, count: int, seed: str = "0") -> tuple[int, list[Any]]:
    """How often the hypotheses of a line held, and its faults."""
    held, found = 0, []
    for k in range(count):
        rng = random.Random(f"{name}/{seed}/{k}")
        instance = drawn(name, rng)
        if instance is not None:
            with budget():
                times, point = instance.fails(rng)
            held += times
            found += [(instance.letters, point)] if point is not None else []
    return held, found


def test_every_line_is_drawn_and_cited() -> None:
    assert {*LETTERS, *RULES, *OTHERS, *FUZZED} == {*theorems(), *rules()}
    assert all(line.text("citation") for line in (*theorems().values(), *rules().values()))


@pytest.mark.parametrize("name", [*LETTERS, *RULES])
def test_a_conclusion_holds_where_the_hypotheses_do(name: str) -> None:
    held, found = faults(name, INSTANCES, SEED)
    assert found == []
    assert held >= INSTANCES // 60


def tried(name: str, seed: str) -> bool | None:
    """Check whether the conclusion holds for random letters, or None where the hypotheses do not."""
    with budget():  # of its own, so that work does not add up
        return OTHERS[name](random.Random(f"{name}/{seed}"))


OTHERS = {
    **theorems_of_integrals.MAKERS,
    **theorems_of_letters.MAKERS,
    **theorems_of_numbers.MAKERS,
    **theorems_of_matrices.MAKERS,
    **theorems_of_motion.MAKERS,
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_theorem_holds_for_random_integrals_and_matrices(name: str) -> None:
    held = [tried(name, f"{SEED}/{k}") for k in range(OF_A_THEOREM)]
    assert False not in held
    assert held.count(True) >= OF_A_THEOREM // 100  # the rarest hold five times as often, so that no draw fails


# --- the law sees lies ------------------------------------------------------------------------------------------------

LIES = {
    "angles of a right triangle": "leg",
    "squares of both sides": "larger",
    "logarithms of both sides": "logarithms",
    "a root's value": "sign",
    "half turns": "high",
    "a logarithm's factors": "factor {k}",
    "a number in between": "below",
    "a factor of known sign": "factor {k}",
    "two cases": "below",
    "three cases": "below",
    "other hypotheses": "it follows",
    "the inverse of w exp(w)": "sign",
    "arc of a known tangent": "equal",
    **dict.fromkeys(("equal arguments", "odd and even functions", "addition theorems", "known angles"), "equal"),
    **dict.fromkeys(("logarithm of an exponential", "exponential of a logarithm", "arc of a known sine"), "equal"),
}
"""A line, and the hypothesis that is left out."""


@pytest.mark.parametrize("name", LIES)
def test_a_line_without_one_of_its_hypotheses_is_found_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each lie leaves one hypothesis out."""
    table = theorems() if name in theorems() else rules()
    line, role = table[name], LIES[name]
    needs = {key: need for key, need in line.needs.items() if key != role}
    monkeypatch.setitem(table, name, line._replace(needs=needs))
    assert any(faults(name, 40, f"lie {part}")[1] for part in range(30))


MORE_LIES = [
    ("zero stays zero", "rate of {x}"), ("zero stays zero", "start of {x}"),
    ("solution of a matrix flow", "rate of {x}"), ("solution of a matrix flow", "start of {x}"),
    ("solution of a matrix flow", "{x} at the start"), ("bracket that grows", "growth"),
    ("bracket that grows", "start"), ("bracket that grows", "full rank"), ("bracket that grows", "{x} at the start"),
    ("distance from zero", "rate"), ("distance from zero", "left"), ("distance from zero", "right"),
    ("distance from zero", "rest"), ("determinant of a flow", "rate"), ("determinant of a flow", "inverse"),
    ("determinant of a flow", "relative rate"), ("limit by decaying exponentials", "{x} with time"),
    ("limit by decaying exponentials", "end of {x}"), ("limit by decaying exponentials", "end {k}"),
    ("linear map of a Gaussian vector", "covariance"), ("linear map of a Gaussian vector", "image"),
    ("sum of independent Gaussians", "mean"), ("sum of independent Gaussians", "variance"),
    ("sum of independent Gaussians", "variance {k}"), ("conserved quantity", "follows"),
    ("integrals by what is known of them", "goal"), ("integral of an inequality", "inside"),
    ("integrals by their values", "goal"), ("integral between two others", "bound"),
    ("integral between two others", "from above"),
    ("integral by an antiderivative", "derivative"), ("integral by an antiderivative", "value"),
    ("integral by an antiderivative on the line", "smooth"), ("improper integral by an antiderivative", "value"),
    ("integral in pieces", "value"), ("differentiation under the integral", "goal"),
    ("rank of a product", "left"), ("equal Gram matrices", "gram"), ("determinants multiply", "product {k}"),
    ("zeros of a sum of exponentials", "coefficient {k}"),
]  # fmt: skip
"""A line, and the hypothesis that is left out."""


@pytest.mark.parametrize(("name", "role"), MORE_LIES)
def test_a_theorem_without_one_of_its_hypotheses_is_found_out(
    name: str, role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = theorems()[name]
    needs = {key: need for key, need in line.needs.items() if key != role}
    assert len(needs) < len(line.needs)
    monkeypatch.setitem(theorems(), name, line._replace(needs=needs))
    assert any(tried(name, str(k)) is False for k in range(400))

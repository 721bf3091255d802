"""Every line of the table of theorems on random instances: where its hypotheses hold, its conclusion does."""

from __future__ import annotations

import random
from typing import Any

import pytest
from laws import theorems_of_integrals, theorems_of_matrices
from laws.theorems_drawn import LETTERS, RULES, SETTING, Drawn

from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.theorems import rules, theorems
from derivations.recheck.kinds.rules import parts_of
from derivations.recheck.kinds.schemas import needs_and_conclusion

SAMPLE, ALL = 300, 12_000
FUZZED = {
    "comparison on an interval", "comparison along a flow", "bound from a differential inequality",
    "set that a flow does not leave", "box that a flow does not leave", "motion towards a rest point",
    "linear instability", "instability by the trace", "linear stability on a line", "linear stability in the plane",
}  # fmt: skip
"""Random uses of these are confronted with numerical solutions in tests/laws/test_fuzz.py (makers in tests/fuzz)."""
IN_WORDS = {
    "conserved quantity": "the chain rule: the quantity has the rate 0 along the flow, and so its value at the start",
    "sum of independent Gaussians": "characteristic functions of independent variables multiply, exponents add",
    "linear map of a Gaussian vector": "exp(-k' A S A' k/2) is the characteristic function of A times the vector",
    "determinant of a flow": "Jacobi's formula, and a linear equation with a bounded rate keeps the sign of its start",
    "zero stays zero": "zero solves the linear equation for the matrices along the motion, and solutions are unique",
    "solution of a matrix flow": "rates are polynomials, hence Lipschitz on compact sets: at most one solution",
    "bracket that grows": "a sum of a positive definite and of semidefinite matrices is positive definite",
    "distance from zero": "Gronwall's inequality for |D| with logarithmic norms of A and B",
    "limit by decaying exponentials": "exp(-S t) and t exp(-S t) go to zero, and the formula is continuous there",
    "integrals by what is known of them": "numbers are put in for equal numbers",
    "integrals in balls": "the checker encloses both sides over the box (tests/engine/test_integrals_compared.py)",
    "balls": "the checker encloses the difference over the box (tests/engine/test_transcendental_balls.py)",
    "steps of digamma": "one step of the recurrence for every whole number, none of which is a pole",
}
"""Why instances of these are not drawn: a proof in words, beside the citation that stands in the line."""


def drawn(name: str, rng: random.Random) -> Drawn | None:
    """What a line makes of random letters, or None where these make no use of it."""
    try:
        with budget():
            if name in LETTERS:
                letters = LETTERS[name](rng)
                needs, concludes = needs_and_conclusion(name, SETTING | letters)
                return Drawn(letters, list(needs.values()), concludes)
            parameters, statement = RULES[name](rng)
            return Drawn(parameters, parts_of(name, statement, parameters), statement)
    except Rejected:
        return None


def faults(name: str, count: int, seed: int = 0) -> tuple[int, list[Any]]:
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


def test_every_line_is_drawn_or_has_a_proof_in_words() -> None:
    known = {*theorems(), *rules()}
    tested = {*LETTERS, *RULES, *theorems_of_integrals.MAKERS, *theorems_of_matrices.MAKERS, *FUZZED}
    assert tested | {*IN_WORDS} == known
    assert not tested & {*IN_WORDS}
    assert all(line.text("citation") for line in (*theorems().values(), *rules().values()))


@pytest.mark.parametrize("name", [*LETTERS, *RULES])
def test_a_conclusion_holds_where_the_hypotheses_do(name: str) -> None:
    held, found = faults(name, SAMPLE)
    assert found == []
    assert held >= SAMPLE // 60


@pytest.mark.laws
@pytest.mark.parametrize("name", [*LETTERS, *RULES])
def test_a_conclusion_holds_where_the_hypotheses_do_at_length(name: str) -> None:
    held, found = faults(name, ALL, seed=1)
    assert found == []
    assert held >= ALL // 60


def tried(name: str, seed: str) -> bool | None:
    """Whether the conclusion holds for random letters, or None where the hypotheses do not."""
    with budget():  # of its own, so that work does not add up
        return OTHERS[name](random.Random(f"{name}/{seed}"))


OTHERS = {**theorems_of_integrals.MAKERS, **theorems_of_matrices.MAKERS}


@pytest.mark.parametrize("name", OTHERS)
def test_a_theorem_holds_for_random_integrals_and_matrices(name: str) -> None:
    held = [tried(name, str(k)) for k in range(40)]
    assert False not in held
    assert held.count(True) >= 2


@pytest.mark.laws
@pytest.mark.parametrize("name", OTHERS)
def test_a_theorem_holds_for_random_integrals_and_matrices_at_length(name: str) -> None:
    held = [tried(name, f"long/{k}") for k in range(ALL if name in CHEAP else ALL // 10)]
    assert False not in held
    assert held.count(True) >= len(held) // 20


CHEAP = {*theorems_of_matrices.MAKERS}


# --- the law sees lies ------------------------------------------------------------------------------------------------

LIES = {
    "angles of a right triangle": "leg",
    "half of a complement": "half",
    "squares of both sides": "larger",
    "logarithms of both sides": "logarithms",
    "a root's value": "sign",
    "half turns": "high",
    "an exponent's value": "equal",
    "a logarithm's factors": "factor {k}",
}
"""A line, and the hypothesis that is left out."""


@pytest.mark.parametrize("name", LIES)
def test_a_line_without_one_of_its_hypotheses_is_found_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each lie leaves one hypothesis out."""
    table = theorems() if name in theorems() else rules()
    line, role = table[name], LIES[name]
    needs = {key: need for key, need in line.needs.items() if key != role}
    monkeypatch.setitem(table, name, line._replace(needs=needs))
    assert faults(name, 4 * SAMPLE)[1]

"""Arcs at the ends of their range, where their slope has no value, and the table of limits beside balls."""

from __future__ import annotations

import ast
from typing import Any

import sympy as sp
from case_files import Cases
from each import each
from flint import arb, ctx, fmpq
from soundness.judged import judged

from derivations import prove
from derivations.recheck.core import balls
from derivations.recheck.core.terms import difference
from derivations.recheck.core.theorems import Line, Reading, Theorem, limits

FAMILIES = Cases(__file__)

BITS = 5000
e = sp.Symbol("e", positive=True)
FALSE = FAMILIES["false"]
TRUE = FAMILIES["true"]


@each("name", [*FALSE])
def test_no_false_limit_is_proved(name: str) -> None:
    expression, value = FALSE[name]
    assert judged(prove.limit(expression, {e: 0}, value)) in ("open", "refuted")


@each("name", [*TRUE])
def test_limits_at_the_ends_are_proved(name: str) -> None:
    expression, value = TRUE[name]
    assert judged(prove.limit(expression, {e: 0}, value)) == "proved"


# --- the table --------------------------------------------------------------------------------------------------------

STEPS = [fmpq(10 * 2**k) for k in range(3)]
TOLD = [(name, r) for name, line in limits().items() for r in ((1, 3) if "r" in line.letters else (0,))]


def remainders(line: Theorem, r: int) -> list[Any]:
    """The o of a line, for a d that becomes small, or large: the sides of its equation are linear in o."""
    reading = Reading({}, {}, {})
    reading.known |= {key: ("s", key) for key in line.letters}
    assert line.concludes is not None
    _, left, right = reading.value(line.concludes.says)
    found = []
    for far in STEPS:
        with ctx.workprec(BITS):
            known = {"d": arb(far if line.letters["d"] == "large" else far**-4), "r": arb(r), "w": arb(far)}
            gaps = [balls.enclosure(difference(left, right), known | {"o": arb(o)}, BITS) for o in (0, 1)]
            found.append(gaps[0] / (gaps[0] - gaps[1]))
    return found


def goes_to_zero(line: Theorem, r: int) -> bool:
    sizes = list(map(abs, found := remainders(line, r)))
    positive = line.letters["o"] != "positive" or all(o > 0 for o in found)
    return bool(positive and sizes[0] > sizes[1] > sizes[2] and sizes[0] < fmpq(1, 5))


@each(("name", "r"), TOLD)
def test_the_quantities_of_the_table_go_to_zero(name: str, r: int) -> None:
    assert goes_to_zero(limits()[name], r)


@each(
    ("name", "wrong"),
    [
        ("arcsine at 1", "asin(1 - d) == pi/2 - (3*d)**(1/2) * (1 + o)"),
        ("error function far up", "erf(d) == 1 - exp(-d**2) * (1 + o) / (2 * d * pi**(1/2))"),
        ("arctangent far down", "atan(-d) == pi/2 - (1 + o)/d"),
        ("decay", "o == -exp(-d)"),
        ("inverse of a logarithm", "o == 1 / log(d)"),
    ],
)
def test_a_wrong_line_is_seen(name: str, wrong: str) -> None:
    says = ast.parse(wrong, mode="eval").body
    assert not goes_to_zero(limits()[name]._replace(concludes=Line(None, says, ())), 0)


test_statements_have_their_verdicts = FAMILIES.verdicts()

"""Numbers that no polynomial holds and nobody factors: what is asked with them is decided or open, at once."""

from __future__ import annotations

import sympy as sp
from case_files import Cases
from each import each
from soundness.judged import judged, refusal

from derivations import prove
from derivations.language.terms import NotExact

FAMILIES = Cases(__file__, globals())

LARGE = sp.Integer(10) ** 400
ABOVE = FAMILIES["above"]
"""Two sides of which the first is smaller."""
SOON = {
    "erf(x) >= 1": ["x > 10^9"],
    "exp(10^9) >= 1": [],
    "exp(-10^18) <= 0": [],
    "exp(10^40) <= 0": [],
    "sinh(10^9) >= 1": [],
    "sinh(10^40) >= 1": [],
    "tanh(10^9) >= 1": [],
    "asinh(x) <= 1/10^18": ["x < -10^18"],
    "(1 + 1/10^3)^(10^3) < 3": [],
    "(1 + 1/10^4)^(10^4) < 3": [],
    "2^(10^4) > 1": [],
    "x^(-10^4) > 0": ["x > 0"],
    "x^(10^4) >= x": ["x > 1"],
    "(x + y)^(10^4) >= 0": [],
}
"""Inequalities with hypotheses; some of them ran for hours, and some ended the whole process."""
NESTED = ("sqrt(1+", "log(1+", "1/(1+sqrt(", "exp(", "tanh(", "1/(1+")


@each("which", [*ABOVE])
def test_a_false_order_is_not_proved(which: str) -> None:
    left, right = ABOVE[which]
    certificate = prove.inequality(sp.Ge(left, right, evaluate=False))
    assert certificate.verdict in (prove.Verdict.OPEN, prove.Verdict.REFUTED)


@each(("left", "right"), FAMILIES["what differs very far down is not proved"])
def test_what_differs_very_far_down_is_not_proved(left: sp.Expr, right: sp.Expr) -> None:
    assert prove.identity(left, right).verdict in (prove.Verdict.OPEN, prove.Verdict.REFUTED)


@each("text", [*SOON])
def test_large_numbers_end_soon_with_what_the_checker_accepts(text: str) -> None:
    with prove.allowing(0.3):
        assert judged(prove.inequality(text, SOON[text])) in ("proved", "certified", "refuted", "open")


@each("begin", NESTED, one_of=3)
def test_each_level_of_functions_in_functions_is_looked_at_once(begin: str) -> None:
    text = begin * 20 + "x" + ")" * (20 * begin.count("("))
    with prove.allowing(0.3):
        assert judged(prove.inequality(f"{text} >= 0", ["x > 0"])) in ("proved", "certified", "open")


@each("begin", ["max(1,", "asinh("])
def test_what_is_written_out_at_great_length_is_refused(begin: str) -> None:
    text = begin * 30 + "x" + ")" * 30
    with prove.allowing(0.3):
        assert "written out" in refusal(lambda: prove.inequality(f"{text} >= 0", ["x > 0"]), NotExact)


def test_what_nests_very_deeply_is_refused_in_one_sentence() -> None:
    text = "log(1+" * 200 + "x" + ")" * 200
    assert "nests deeper" in refusal(lambda: prove.inequality(f"{text} >= 0", ["x > 0"]), NotExact)


test_statements_have_their_verdicts = FAMILIES.verdicts()

"""The advice about statements that are open or refuted: a hypothesis with which they hold, and how far methods came."""

from __future__ import annotations

import sympy as sp
from case_files import Cases
from each import each

from derivations import prove
from derivations.prove import Verdict
from derivations.prove.rules.remedies import hypotheses_that_help, in_words
from derivations.questions.certified import certified
from derivations.questions.lines import read

FAMILIES = Cases(__file__, globals())

HELPED = {
    "sqrt(x^2) = x": "x >= 0",
    "exp(x) >= 1 + x + x^2/2": "x >= 0",
    "tanh(x) <= x": "x >= 0",
    "x^2 > 0": "x != 0",
    "a^3 >= b^3": "a >= b",
    "log(s) >= log(a0)": "s >= a0",
    "exp(-a*t) <= 1": "a >= 0 and t >= 0",
    "1/(1 - x) >= 1 + x": "x <= 0",
    "as x -> oo: exp(-a*x) -> 0": "a > 0",
    "s/(1 + (s/a0 - 1)*exp(-2*s*t)) <= s for s > 0, a0 > 0": "s >= a0",
    "(x - 1)^2 >= 0": "",  # nothing is missing
    "x > x + 1": "",  # nothing helps
}


@each("line", [*HELPED])
def test_the_hypothesis_that_is_missing_is_named(line: str) -> None:
    certificate = certified(read(line))
    assert in_words(hypotheses_that_help(certificate, prove.decide)) == HELPED[line]


@each("line", [line for line, missing in HELPED.items() if missing])
def test_what_is_named_makes_the_statement_hold(line: str) -> None:
    given, joint = HELPED[line].replace(" and ", ", "), ", " if " for " in line else " for "
    if "!=" not in given:  # which lists of statements do not say
        assert certified(read(line + joint + given)).verdict is Verdict.PROVED


def test_an_open_statement_says_how_far_each_method_came() -> None:
    x = sp.Symbol("x", real=True)
    with prove.allowing(0.5):
        certificate = prove.inequality(sp.sin(sp.cos(x)) < sp.cos(sp.sin(x)))
    assert certificate.verdict is Verdict.OPEN
    assert "is left to be shown" in certificate.reason


test_statements_have_their_verdicts = FAMILIES.verdicts()

"""Limits in one variable: at infinity, at points from either side, with parameters, and what must stay open."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from each import each

from derivations import prove
from derivations.audit.ledger import plain
from derivations.language.show import formulas
from derivations.prove.certificate import Certificate
from derivations.recheck import check
from derivations.recheck.ledgers.reading import formula

FAMILIES = Cases(__file__, globals())

x = sp.symbols("x", real=True)
a, e = sp.symbols("a e", positive=True)
oo, half = sp.oo, sp.Rational(1, 2)
UP, DOWN, ZERO = {x: oo}, {x: -oo}, {x: 0}

TRUE = FAMILIES["true"]
FALSE = FAMILIES["false"]
UNDECIDED = FAMILIES["undecided"]
BEYOND_THE_TABLE = FAMILIES["beyond the table"]


def decided(case: tuple[Any, ...]) -> Certificate:
    """The certificate of a limit, which the checker accepts unless it is open."""
    certificate = prove.limit(*case)
    if certificate.verdict.value != "open":
        check(plain(certificate))
    return certificate


@each("name", [*TRUE])
def test_a_limit_is_proved(name: str) -> None:
    assert decided(TRUE[name]).verdict.value == "proved"


@each("name", [*FALSE])
def test_another_limit_refutes(name: str) -> None:
    certificate = decided(FALSE[name])
    assert certificate.verdict.value == "refuted"
    assert certificate.witness is None or certificate.witness["left"] != certificate.witness["right"]


@each("name", [*UNDECIDED])
def test_what_has_no_limit_or_no_value_is_open(name: str) -> None:
    certificate = prove.limit(*UNDECIDED[name])
    assert certificate.verdict.value == "open"
    assert certificate.reason


@each("name", [*BEYOND_THE_TABLE])
def test_a_limit_beyond_the_table_is_open(name: str) -> None:
    certificate = prove.limit(*BEYOND_THE_TABLE[name])
    assert certificate.verdict.value == "open"
    assert certificate.reason


@each("name", [*TRUE, *BEYOND_THE_TABLE])
def test_a_limit_that_is_off_is_never_proved(name: str) -> None:
    expression, to, value, *assuming = (TRUE | BEYOND_THE_TABLE)[name]
    off = -value if value in (oo, -oo) else value + half
    assert decided((expression, to, off, *assuming)).verdict.value != "proved"


@each(("f", "g", "scale", "order"), FAMILIES["leading orders and expansions"])
def test_leading_orders_and_expansions(f: Any, g: Any, scale: Any, order: int | None) -> None:
    certificate = prove.leading_order(f, g, scale, order=order)
    assert certificate.verdict.value == "proved"
    check(plain(certificate))


def test_where_a_variable_goes_is_read_and_written() -> None:
    statement = prove.limit(sp.log(-x), {x: (0, "-")}, -oo).statement
    assert statement["towards"] == ["below", ("q", "0")]
    assert formula(statement) == ["log(-x) falls without bound as x goes to 0 from below"]
    assert formulas(statement) == [r"\lim_{x\to 0^-}\operatorname{log}\left(-x\right)=-\infty"]
    assert formula(prove.limit(sp.tanh(x), UP, 1).statement) == ["tanh(x) tends to 1 as x grows without bound"]
    assert "towards" not in prove.limit(a, {a: 0}, 0).statement


@each(("to", "said"), FAMILIES["places that are none are refused"])
def test_places_that_are_none_are_refused(to: Any, said: str) -> None:
    with pytest.raises(prove.NotExact, match=said):
        prove.limit(x**2, to, 0)


test_statements_have_their_verdicts = FAMILIES.verdicts()

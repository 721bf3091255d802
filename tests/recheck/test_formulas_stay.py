"""Statements hold formulas as they were written: nothing is carried out before a statement exists."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from case_files import Cases
from each import each

from derivations.language.sums import Array, Range
from derivations.language.words import Letter
from derivations.prove import words
from derivations.prove.certificate import Verdict
from derivations.recheck import check
from derivations.recheck.core.errors import Rejected

FAMILIES = Cases(__file__, globals())

W, S, V = Letter("W", "m", "n"), Letter("S", "m", "n"), Letter("v", "n", 1)
D, E = Letter("D", "n", "n", diagonal=True), Letter("E", "n", "n", diagonal=True)
K = Range("K")
x, w, R = Array("x", K), Array("w", K), Array("R", K, K, symmetric=True)
i, j = K.index("i"), K.index("j")

TRUE = FAMILIES["true"]


@each("what", [*TRUE])
def test_a_proved_statement_says_more_than_that_something_is_itself(what: str) -> None:
    certificate = TRUE[what]()
    assert certificate.verdict is Verdict.PROVED
    assert certificate.statement["left"] != certificate.statement["right"]
    check(certificate.as_json())


def nodes(formula: Any, path: tuple[Any, ...] = ()) -> Any:
    """The derivatives, gradients and replaced letters inside a formula, with the ways to them."""
    if isinstance(formula, tuple):
        if formula[:1] in (("along",), ("gradient",), ("at",), ("derivative",)):
            yield path, formula
        for k, part in enumerate(formula):
            yield from nodes(part, (*path, k))


def put(formula: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    k = path[0]
    return (*formula[:k], put(formula[k], path[1:], new), *formula[k + 1 :])


def altered(formula: Any) -> Any:
    """Other formulas in the place of a derivative."""
    head, of, *rest = formula
    yield of
    yield (head, ("*", ("q", "2"), of), *rest)
    yield (head, ("+", of, of), *rest)
    if head in ("along", "at", "derivative"):
        (pairs,) = rest
        yield (head, of, ())
        yield (head, of, tuple((*pair[:-1], ("*", ("q", "3"), pair[-1])) for pair in pairs))
        yield (head, of, (*pairs, *pairs))


@each("what", [*TRUE])
def test_an_altered_derivative_is_rejected(what: str) -> None:
    certificate = TRUE[what]().as_json()
    left = certificate["statement"]["left"]
    for path, formula in nodes(left["formula"]):
        for new in altered(formula):
            statement = {**certificate["statement"], "left": {**left, "formula": put(left["formula"], path, new)}}
            with pytest.raises(Rejected):
                check({**certificate, "statement": statement})


def moved(letter: Letter, rate: tuple[Any, ...], declared: dict[str, Any] | None = None) -> dict[str, Any]:
    """A certificate whose statement moves a letter at a rate that the language would refuse."""
    certificate = words(letter - letter, 0 * letter).as_json()
    formula = ("+", ("along", ("L", letter.name), ((letter.name, rate),)), ("*", ("q", "-1"), rate))
    side = {"shape": list(letter.shape), "formula": formula}
    letters = certificate["statement"]["letters"] | (declared or {})
    statement = {**certificate["statement"], "left": side, "letters": letters}
    return {**certificate, "statement": statement, "payload": {"steps": [], "inhabited": None}}


def filled(certificate: dict[str, Any], letter: Letter) -> dict[str, Any]:
    one = [[str(Fraction(int(a == b))) for a in range(2)] for b in range(2)]
    names = set(certificate["statement"]["letters"])
    inhabited = {"dims": {"n": 2}, "matrices": dict.fromkeys(sorted(names), one)}
    return {**certificate, "payload": {"steps": [], "inhabited": inhabited}}


PLAIN = {"B": {"rows": "n", "cols": "n"}}


@each(("letter", "rate"), FAMILIES["rates that leave what is declared are rejected"])
def test_rates_that_leave_what_is_declared_are_rejected(letter: Letter, rate: tuple[Any, ...]) -> None:
    certificate = filled(moved(letter, rate, PLAIN), letter)
    with pytest.raises(Rejected, match=r"symmetric|diagonal|orthonormal|definition"):
        check(certificate)
    free = Letter("A", "n", "n")
    check(filled(moved(free, ("@", ("L", "A"), ("L", "B")), PLAIN), free))


def test_a_rate_of_a_symmetric_array_that_is_not_symmetric_is_rejected() -> None:
    certificate = TRUE["rate of a symmetric array"]().as_json()
    text = repr(certificate["statement"]["left"])
    assert "derivative" in text
    ((path, formula),) = nodes(certificate["statement"]["left"]["formula"])
    (pair,) = formula[2]
    lopsided = (*pair[:-1], ("A", "x", pair[1][0]))
    left = {"formula": put(certificate["statement"]["left"]["formula"], path, (*formula[:2], (lopsided,)))}
    with pytest.raises(Rejected, match="symmetric"):
        check({**certificate, "statement": {**certificate["statement"], "left": left}})

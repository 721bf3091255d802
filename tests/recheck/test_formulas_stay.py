"""Statements hold formulas as they were written: nothing is carried out before a statement exists."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from derivations.language.sums import Array, Range, derivative, total
from derivations.language.words import Letter, along, gradient, identity, norm2, substitute
from derivations.prove import sums, words
from derivations.prove.certificate import Verdict
from derivations.recheck import check
from derivations.recheck.core.errors import Rejected

W, S, V = Letter("W", "m", "n"), Letter("S", "m", "n"), Letter("v", "n", 1)
U = Letter("U", "n", "n", orthonormal_columns=True)
D, E = Letter("D", "n", "n", diagonal=True), Letter("E", "n", "n", diagonal=True)
P = Letter("P", "n", "n", symmetric=True)
K = Range("K")
x, w, R = Array("x", K), Array("w", K), Array("R", K, K, symmetric=True)
i, j = K.index("i"), K.index("j")

TRUE: dict[str, Callable[[], Any]] = {
    "rate of a Gram matrix": lambda: words(along(W.T @ W, {W: S}), S.T @ W + W.T @ S),
    "gradient of a norm": lambda: words(gradient(norm2(W - S) / 2, W), W - S),
    "replaced letters": lambda: words(substitute(W @ V, {V: W.T @ W @ V}), W @ W.T @ W @ V),
    "a product": lambda: words((W + S).T @ (W + S), W.T @ W + W.T @ S + S.T @ W + S.T @ S),
    "moving diagonals": lambda: words(along(D @ D, {D: D @ E}), 2 * D @ D @ E),
    "rate of a sum": lambda: sums(derivative(total(x[i] ** 2, i), {x: lambda k: w[k]}), 2 * total(x[i] * w[i], i)),
    "rate of a symmetric array": lambda: sums(
        derivative(total(R[i, j] * x[i], i), {R: lambda a, b: x[a] * x[b]}), total(x[i] ** 2, i) * x[j]
    ),
}


@pytest.mark.parametrize("what", TRUE)
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


@pytest.mark.parametrize("what", TRUE)
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


@pytest.mark.parametrize(
    ("letter", "rate"),
    [
        (U, ("L", "U")),
        (D, ("@", ("L", "D"), ("L", "B"))),
        (P, ("@", ("L", "P"), ("L", "B"))),
        (Letter("C", "n", "n", inverse_of=identity("n")), ("L", "C")),
        (Letter("Y", "n", "n", equals=2 * identity("n")), ("L", "Y")),
    ],
)
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

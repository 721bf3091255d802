"""A power whose exponent is no number has a positive base: an exponent that is a number is never taken for another."""

from __future__ import annotations

import pytest
import sympy as sp
from soundness.judged import judged, refusal

from derivations import prove
from derivations.language.terms import from_sympy
from derivations.prove import NotExact
from derivations.recheck import Rejected, check

x, y, n, m = sp.symbols("x y n m", real=True)
p, q = sp.symbols("p q", positive=True)


def raw(base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
    return sp.Pow(base, exponent, evaluate=False)


SPELT = {  # a whole number, written so that it does not look like one
    "a sum": lambda k: sp.Add(k - 2, 2, evaluate=False),
    "a product": lambda k: sp.Mul(sp.Rational(k, 3), 3, evaluate=False),
    "a root": lambda k: sp.Mul(k, sp.Pow(9, sp.Rational(1, 2), evaluate=False), sp.Rational(1, 3), evaluate=False),
    "a logarithm": lambda k: sp.log(sp.Pow(sp.E, k, evaluate=False), evaluate=False),
    "pi and its opposite": lambda k: sp.Add(sp.pi, k, sp.Mul(-1, sp.pi, evaluate=False), evaluate=False),
}


@pytest.mark.parametrize("spelt", SPELT)
@pytest.mark.parametrize("k", [-3, -1, 1, 3, 5])
def test_an_odd_power_has_the_sign_of_its_base(spelt: str, k: int) -> None:
    power = raw(x, SPELT[spelt](k))
    assert judged(prove.inequality(sp.Gt(power, 0, evaluate=False))) == "refuted"
    assert judged(prove.identity(sp.Abs(power), power)) == "refuted"
    assert judged(prove.identity(power, x**k)) == "proved"


@pytest.mark.parametrize("k", [-2, 0, 1, 2, 4])
def test_a_letter_for_which_a_number_is_put_in_is_a_letter(k: int) -> None:
    power = sp.Subs(x ** (n + 1), n, k)
    for made in (prove.identity(power, x ** (k + 1)), prove.inequality(sp.Gt(power, 0, evaluate=False))):
        assert judged(made) == "proved"
        assert "positive" in made.statement["symbols"]["x"]


FIXED = [
    (x**n, [sp.Eq(n, 3)]),
    (x**n, [n >= 3, n <= 3]),
    (x ** (n - m), [sp.Eq(n - m, 1)]),
    (x ** (2 * n), [sp.Eq(n, sp.Rational(1, 2))]),
    (x**y, [sp.Eq(y * (y - 1) * (y - 3), 0), y > 2]),
    (x ** (y + 1 - m), [sp.Eq(y, m)]),
    ((x * y) ** n, [sp.Eq(n, 1)]),
    ((x**2 - y) ** (1 / n), [sp.Eq(n, 1)]),
]


@pytest.mark.parametrize(("power", "supposed"), FIXED, ids=str)
def test_a_letter_as_an_exponent_makes_its_base_a_shown_hypothesis(power: sp.Expr, supposed: list[sp.Basic]) -> None:
    """Whatever is proved is proved for positive bases, and the statement says so."""
    made = [
        prove.inequality(sp.Gt(power, 0, evaluate=False), supposed),
        prove.identity(sp.Abs(power), power, supposed),
    ]
    base = from_sympy(power.base)
    for certificate in made:
        judged(certificate)
        symbols, assuming = certificate.statement["symbols"], certificate.statement["assuming"]
        shown = "positive" in symbols[base[1]] if base[0] == "s" else (">", base, ("q", "0")) in assuming
        assert shown


LIMITS = [
    (x**n, {x: 0}, 1),
    (x**x, {x: 0}, 1),
    ((1 + 1 / x) ** x, {x: sp.oo}, sp.E),
    ((1 + x) ** (1 / x), {x: 0}, sp.E),
]


@pytest.mark.parametrize(("power", "to", "value"), LIMITS, ids=str)
def test_limits_of_powers_show_that_the_base_is_positive(
    power: sp.Expr, to: dict[sp.Symbol, object], value: object
) -> None:
    for claimed in (value, 7):
        made = prove.limit(power, to, value if claimed == value else sp.Integer(7))
        assert judged(made) in ("proved", "refuted", "open")
        told = made.statement["symbols"]["x"], made.statement["assuming"]
        assert "positive" in told[0] or (">", from_sympy(power.base), ("q", "0")) in told[1]


def test_nothing_is_supposed_of_bases_that_are_positive() -> None:
    for sides in ((p**n, sp.exp(n * sp.log(p))), ((p * q) ** n, p**n * q**n), (sp.exp(x) ** n, sp.exp(n * x))):
        made = prove.identity(*sides)
        assert (judged(made), made.statement["assuming"]) == ("proved", [])
        assert all("positive" not in made.statement["symbols"].get(name, ()) for name in "xn")


def test_an_exponent_that_is_no_fraction_is_one_of_e() -> None:
    for exponent in (sp.pi, sp.sqrt(2), sp.exp(1), sp.log(2)):
        made = prove.inequality(sp.Gt(raw(x, exponent), 0, evaluate=False))
        assert judged(made) == "proved"
        assert made.statement["left"] == ("exp", ("*", from_sympy(exponent), ("log", ("s", "x"))))
    refusal(lambda: prove.inequality(sp.Gt(raw(x, sp.I), 0, evaluate=False)), NotExact)


@pytest.mark.parametrize("exponent", [["+", ["q", "1"], ["q", "2"]], ["log", ["exp", ["q", "3"]]], ["pi"]], ids=str)
def test_the_checker_takes_no_number_for_a_letter(exponent: list[object]) -> None:
    made = prove.inequality(sp.Gt(p**n, 0, evaluate=False)).as_json()
    forged = {**made, "statement": {**made["statement"], "left": ["^", ["s", "p"], exponent]}}
    with pytest.raises(Rejected, match="written as one"):
        check(forged)

"""A power whose exponent is no number has a positive base: an exponent that is a number is never taken for another."""

from __future__ import annotations

import sympy as sp
from case_files import Cases
from each import each
from soundness.judged import judged, refusal

from derivations import prove
from derivations.language.terms import from_sympy
from derivations.prove import NotExact

FAMILIES = Cases(__file__)

x, n = sp.symbols("x n", real=True)
p, q = sp.symbols("p q", positive=True)


def raw(base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
    return sp.Pow(base, exponent, evaluate=False)


SPELT = FAMILIES["spelt"]  # a whole number, written so that it does not look like one


@each("spelt", [*SPELT])
@each("k", [-3, -1, 1, 3, 5])
def test_an_odd_power_has_the_sign_of_its_base(spelt: str, k: int) -> None:
    power = raw(x, SPELT[spelt](k))
    assert judged(prove.inequality(sp.Gt(power, 0, evaluate=False))) == "refuted"
    assert judged(prove.identity(sp.Abs(power), power)) == "refuted"
    assert judged(prove.identity(power, x**k)) == "proved"


@each("k", [-2, 0, 1, 2, 4])
def test_a_letter_for_which_a_number_is_put_in_is_a_letter(k: int) -> None:
    power = sp.Subs(x ** (n + 1), n, k)
    for made in (prove.identity(power, x ** (k + 1)), prove.inequality(sp.Gt(power, 0, evaluate=False))):
        assert judged(made) == "proved"
        assert "positive" in made.statement["symbols"]["x"]


FIXED = FAMILIES["fixed"]


@each(("power", "supposed"), FIXED)
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


LIMITS = FAMILIES["limits"]


@each(("power", "to", "value"), LIMITS)
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


test_statements_have_their_verdicts = FAMILIES.verdicts()

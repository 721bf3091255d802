"""Every function of the language has the values and the slopes that it has elsewhere."""

from __future__ import annotations

import pytest
import sympy as sp
from case_files import Cases
from each import each
from flint import arb

from derivations.language.evaluate import evaluate
from derivations.language.functions import expm1, relexp, relexp1
from derivations.language.terms import (
    DEFINITIONS,
    FUNCTIONS,
    Term,
    derivative,
    from_sympy,
)

FAMILIES = Cases(__file__, globals())

x = sp.Symbol("x", real=True)
HERE = sp.Rational(2, 5)
BEYOND_ONE = HERE + 1
CASES = {f.__name__: f(x) for f in (*FUNCTIONS, *DEFINITIONS) if f not in (sp.Max, sp.Min, sp.polygamma)} | {
    f"{f.__name__} of {count}": f(x, *(x**k / 2 for k in range(2, count + 1)), evaluate=False)
    for f in (sp.Max, sp.Min)
    for count in (2, 3)
}
CASES["digamma"] = sp.digamma(x)
WITHOUT_SLOPE = {"Abs", "relexp1", "digamma"}


def value(term: Term, at: sp.Rational) -> float:
    found = evaluate(term, {"x": arb(int(at.p)) / int(at.q)})
    assert found.is_finite()
    return float(found.mid())


def there(name: str) -> sp.Rational:
    return BEYOND_ONE if name == "acosh" else HERE


@each("name", sorted(CASES))
def test_a_function_has_the_value_that_it_has_elsewhere(name: str) -> None:
    plain = CASES[name].rewrite(sp.exp) if CASES[name].func in (expm1, relexp, relexp1) else CASES[name]
    expected = float(plain.subs(x, there(name)).doit())
    assert value(from_sympy(CASES[name]), there(name)) == pytest.approx(expected, rel=1e-12)


@each("name", sorted(set(CASES) - WITHOUT_SLOPE - {name for name in CASES if " of " in name}))
def test_a_function_has_the_slope_of_its_values(name: str) -> None:
    term, at, step = from_sympy(CASES[name]), there(name), sp.Rational(1, 10**4)
    expected = (value(term, at + step) - value(term, at - step)) / float(2 * step)
    assert value(derivative(term, "x"), at) == pytest.approx(expected, rel=1e-6)


test_statements_have_their_verdicts = FAMILIES.verdicts()


def deep(levels: int) -> Term:
    return ("s", "x") if levels == 1 else ("exp", deep(levels - 1))

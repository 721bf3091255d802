"""The door from SymPy lets in what it understands; everything else is one sentence, and nothing is dropped silently."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from soundness.judged import judged, refusal

from derivations import prove
from derivations.language.signs import ASSUMPTIONS, assumptions_of
from derivations.language.terms import FUNCTIONS, from_sympy
from derivations.prove import NotExact, Unsatisfiable

x, y = sp.symbols("x y", real=True)
p = sp.Symbol("p", positive=True)


@pytest.mark.parametrize("function", [f for f in FUNCTIONS if f is not sp.log], ids=lambda f: f.__name__)
def test_functions_of_one_argument_refuse_two(function: Any) -> None:
    two = sp.Basic.__new__(function, x, y)
    assert "one argument" in refusal(lambda: from_sympy(two), NotExact)


@pytest.mark.parametrize("base", [2, 10, y, sp.E * 2])
def test_a_logarithm_keeps_its_base(base: Any) -> None:
    logarithm = sp.log(8, base, evaluate=False)
    for other in (sp.log(8), sp.Integer(3)):
        assert "log(x)/log(b)" in refusal(lambda other=other: prove.identity(logarithm, other), NotExact)
    assert judged(prove.identity(sp.log(sp.Integer(8)) / sp.log(2), 3)) == "proved"


NAMESAKES = {
    "beside a bound one": lambda u, v: sp.Subs(u + v, u, 3),
    "in what is put in": lambda u, v: sp.Subs(u * 2, u, v),
    "two bound ones": lambda u, v: sp.Subs(sp.Subs(u * v, u, 2), v, 3),
    "two free ones": lambda u, v: u * v,
    "differentiated": lambda u, v: sp.Derivative(u * v, u),
}


@pytest.mark.parametrize("make", NAMESAKES.values(), ids=NAMESAKES)
@pytest.mark.parametrize("second", [sp.Symbol("x", positive=True), sp.Symbol("x"), sp.Dummy("x", real=True)])
def test_two_symbols_of_one_name_are_refused_bound_ones_too(make: Any, second: sp.Symbol) -> None:
    for u, v in ((x, second), (second, x)):
        assert "both called x" in refusal(lambda u=u, v=v: prove.identity(make(u, v), 6), NotExact)


def test_one_symbol_may_be_bound_and_free() -> None:
    assert judged(prove.identity(x + sp.Subs(x**2, x, 3), x + 9)) == "proved"


STRANGE: list[dict[str, bool]] = [
    *({name: True} for name in ("noninteger", "integer", "rational", "irrational", "algebraic", "transcendental")),
    *({name: True} for name in ("complex", "imaginary", "antihermitian", "hermitian", "polar", "infinite", "finite")),
    *({name: True} for name in ("prime", "composite", "even", "odd", "extended_positive", "extended_real")),
    *({"real": True, name: False} for name in ("integer", "rational", "irrational", "even", "prime")),
    {"real": False},
    {"positive": True, "integer": True},
    {"commutative": False},
]


@pytest.mark.parametrize("told", STRANGE, ids=str)
def test_assumptions_that_are_not_carried_are_refused(told: dict[str, bool]) -> None:
    n = sp.Symbol("n", **told)
    for state in (
        lambda: prove.inequality(sp.Gt((n - 1) ** 2, 0, evaluate=False)),
        lambda: prove.identity(sp.Abs(n) ** 2, n**2),
        lambda: prove.identity(x, x, assuming=[sp.Ne(n, 1, evaluate=False)]),
    ):
        assert "n" in refusal(state, NotExact)


@pytest.mark.parametrize("sign", [None, *ASSUMPTIONS])
def test_signs_are_carried(sign: str | None) -> None:
    n = sp.Symbol("n", real=True, **({sign: True} if sign else {}))
    told = assumptions_of(n)["n"]
    assert (sign in told) if sign else told == []


@pytest.mark.parametrize("relation", [sp.Eq(x, y), x > 1, sp.Ne(x, 3), x <= y], ids=str)
def test_a_relation_is_no_expression(relation: Any) -> None:
    for state in (
        lambda: prove.identity(relation, relation),
        lambda: prove.identity(relation, 0),
        lambda: prove.identity(0, relation),
        lambda: prove.positive(p, squares=[relation]),
        lambda: prove.limit(p, [p], relation),
        lambda: prove.enclosed(relation, {x: (0, 1), y: (0, 1)}, 0, 1),
    ):
        assert "the relation" in refusal(state, NotExact)


@pytest.mark.parametrize("assuming", [x >= 0, True, 3, None, sp.Integer(1)], ids=str)
def test_hypotheses_are_a_list(assuming: Any) -> None:
    assert "list of relations" in refusal(lambda: prove.identity(x, y, assuming=assuming), NotExact)


def test_what_sympy_decided_can_be_stated_unevaluated() -> None:
    assert "evaluate=False" in refusal(lambda: prove.inequality(p > 0), Unsatisfiable)
    assert judged(prove.inequality(sp.Gt(p, 0, evaluate=False))) == "proved"


UNSATISFIABLE = [
    [x > 1, x < 0],
    [sp.Eq(x, 1), sp.Eq(x, 2)],
    [sp.Lt(x**2 + y**2, -1, evaluate=False)],
    [sp.Eq(x**2 + y**2, -1, evaluate=False)],
    [x > y, y > x],
]


@pytest.mark.parametrize("assuming", UNSATISFIABLE, ids=str)
def test_hypotheses_that_exclude_each_other_are_an_error(assuming: list[Any]) -> None:
    for state in (lambda: prove.identity(x, 5, assuming), lambda: prove.inequality(x + y > 7, assuming)):
        assert "common point" in refusal(state, Unsatisfiable)


@pytest.mark.parametrize("power", [7, 9])
def test_hypotheses_for_which_no_point_is_found_leave_a_statement_open(power: int) -> None:
    """x = 2^(1/7) is a point, and no exact one."""
    certificate = prove.identity(y, 5, [sp.Eq(x**power, 2)])
    assert judged(certificate) == "open"
    assert "no exact point" in certificate.reason


def test_a_symbol_that_is_replaced_twice_is_refused() -> None:
    """SymPy joins nested substitutions, and which of the two replaces first is lost."""
    u, v = sp.symbols("u v", real=True)
    nested = sp.Subs(sp.Subs(u * v, u, v), u, 2)
    assert nested.variables == (u, u)
    with pytest.raises(NotExact, match="twice"):
        prove.identity(nested, v**2)


@pytest.mark.parametrize("told", ["positive", "negative", "nonnegative", "nonzero"])
def test_a_scale_of_another_form_leaves_an_inequality_undecided_and_nothing_breaks(told: str) -> None:
    q = sp.Symbol("q", real=True, **{told: True})
    verdict = prove.inequality(sp.Ge(1 / sp.tanh(q), sp.erf(5), evaluate=False)).verdict.value
    assert verdict == ("refuted" if told in ("negative", "nonzero") else "open")


NOWHERE = {
    "a slope where there is none": lambda: prove.by("linear stability on a line", flow={x: -x - abs(x)}, point={x: 0}),
    "a pole at the start": lambda: prove.by(
        "comparison on an interval", state=y, rate=0 * y, lower=p / (x + 1) - x, upper=p / (x + 1), variable=x,
        low=-1, high=sp.oo, order=">",
    ),
    "a logarithm of zero": lambda: prove.inequality(sp.Gt(sp.Subs(sp.log(abs(x)) * x, x, 0), 0, evaluate=False)),
}  # fmt: skip


@pytest.mark.parametrize("state", NOWHERE.values(), ids=NOWHERE)
def test_what_is_defined_nowhere_is_refused_in_a_sentence(state: Any) -> None:
    assert "defined nowhere" in refusal(lambda: judged(state()), Unsatisfiable)


def test_substitutions_that_speak_of_each_other_are_refused() -> None:
    nested = sp.Subs(sp.Subs(x * y, x, y), y, 3)  # SymPy joins the two, and carries out one after the other
    for value in (9, 3 * y):
        assert "puts in" in refusal(lambda value=value: judged(prove.identity(nested, value)), NotExact)
    assert judged(prove.identity(sp.Subs(x * y, (x, y), (x + 1, x)), (x + 1) * x)) == "proved"

"""The door from SymPy lets in what it understands; everything else is one sentence, and nothing is dropped silently."""

from __future__ import annotations

from typing import Any

import sympy as sp
from case_files import Cases
from each import each
from soundness.judged import judged, refusal

from derivations import prove
from derivations.language.signs import ASSUMPTIONS, assumptions_of
from derivations.language.terms import FUNCTIONS, from_sympy
from derivations.prove import NotExact, Unsatisfiable

FAMILIES = Cases(__file__, globals())

x, y = sp.symbols("x y", real=True)
p = sp.Symbol("p", positive=True)


@each("function", [f for f in FUNCTIONS if f is not sp.log])
def test_functions_of_one_argument_refuse_two(function: Any) -> None:
    two = sp.Basic.__new__(function, x, y)
    assert "one argument" in refusal(lambda: from_sympy(two), NotExact)


NAMESAKES = FAMILIES["namesakes"]


@each("make", NAMESAKES)
@each("second", [sp.Symbol("x", positive=True), sp.Symbol("x"), sp.Dummy("x", real=True)])
def test_two_symbols_of_one_name_are_refused_bound_ones_too(make: Any, second: sp.Symbol) -> None:
    for u, v in ((x, second), (second, x)):
        assert "both called x" in refusal(lambda u=u, v=v: prove.identity(make(u, v), 6), NotExact)


STRANGE: list[dict[str, bool]] = [
    *({name: True} for name in ("noninteger", "integer", "rational", "irrational", "algebraic", "transcendental")),
    *({name: True} for name in ("complex", "imaginary", "antihermitian", "hermitian", "polar", "infinite", "finite")),
    *({name: True} for name in ("prime", "composite", "even", "odd", "extended_positive", "extended_real")),
    *({"real": True, name: False} for name in ("integer", "rational", "irrational", "even", "prime")),
    {"real": False},
    {"positive": True, "integer": True},
    {"commutative": False},
]


@each("told", STRANGE)
def test_assumptions_that_are_not_carried_are_refused(told: dict[str, bool]) -> None:
    n = sp.Symbol("n", **told)
    for state in (
        lambda: prove.inequality(sp.Gt((n - 1) ** 2, 0, evaluate=False)),
        lambda: prove.identity(sp.Abs(n) ** 2, n**2),
        lambda: prove.identity(x, x, assuming=[sp.Ne(n, 1, evaluate=False)]),
    ):
        assert "n" in refusal(state, NotExact)


@each("sign", [None, *ASSUMPTIONS])
def test_signs_are_carried(sign: str | None) -> None:
    n = sp.Symbol("n", real=True, **({sign: True} if sign else {}))
    told = assumptions_of(n)["n"]
    assert (sign in told) if sign else told == []


def test_what_sympy_decided_can_be_stated_unevaluated() -> None:
    assert "evaluate=False" in refusal(lambda: prove.inequality(p > 0), Unsatisfiable)
    assert judged(prove.inequality(sp.Gt(p, 0, evaluate=False))) == "proved"


UNSATISFIABLE = FAMILIES["unsatisfiable"]


@each("assuming", UNSATISFIABLE)
def test_hypotheses_that_exclude_each_other_are_an_error(assuming: list[Any]) -> None:
    for state in (lambda: prove.identity(x, 5, assuming), lambda: prove.inequality(x + y > 7, assuming)):
        assert "common point" in refusal(state, Unsatisfiable)


@each("told", ["positive", "negative", "nonnegative", "nonzero"])
def test_a_scale_of_another_form_leaves_an_inequality_undecided_and_nothing_breaks(told: str) -> None:
    q = sp.Symbol("q", real=True, **{told: True})
    verdict = prove.inequality(sp.Ge(1 / sp.tanh(q), sp.erf(5), evaluate=False)).verdict.value
    assert verdict == ("refuted" if told in ("negative", "nonzero") else "open")


NOWHERE = FAMILIES["nowhere"]


@each("state", NOWHERE)
def test_what_is_defined_nowhere_is_refused_in_a_sentence(state: Any) -> None:
    assert "defined nowhere" in refusal(lambda: judged(state()), Unsatisfiable)


test_statements_have_their_verdicts = FAMILIES.verdicts()

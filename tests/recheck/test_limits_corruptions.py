"""Limits by small quantities: true ones are accepted, and with one part changed they are refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from case_files import Cases
from each import each
from recheck.certificates import made
from recheck.corrupt import placed, refusal
from recheck.handmade import Json

from derivations.recheck import Rejected, check
from derivations.recheck.core.limits import Quantities

FAMILIES = Cases(__file__, globals())

MADE = made("limits_corruptions")
MINUS_ONE, ONE, ZERO = ["q", "-1"], ["q", "1"], ["q", "0"]


def of_the_statement(made: Json) -> Iterator[tuple[str, Any]]:
    """Parts of a statement, and other ones in their place, with which it does not hold or says nothing."""
    statement = made["statement"]
    (variable, *_), value, expression = statement["variables"], statement["value"], statement["expression"]
    moving = ["s", variable]
    yield from (("value", other) for other in (["*", MINUS_ONE, ["oo"]], ["oo", "oo"], ["-oo"], moving))
    if value not in (["oo"], ["-oo"]):
        yield from (("expression", ["+", expression, ["q", off]]) for off in ("1/3", "-2", "1/1000000"))
    yield "assuming", [["=", moving, ONE]]
    yield "assuming", [[">", MINUS_ONE, ["^", moving, ["q", "2"]]]]
    yield from (("variables", variables) for variables in (["nobody"], [variable, variable]))
    for towards in (["up"], ["above"], ["above", moving], ["oo", ZERO], "oo", ["below", ["log", MINUS_ONE]]):
        yield "towards", towards
    yield "side", "left"
    for hidden in (["^", moving, ["q", "2"]], ONE):  # it has no value near
        negative = ["log", ["*", MINUS_ONE, hidden]]
        yield "expression", ["+", expression, negative, ["*", MINUS_ONE, negative]]


@each("name", sorted(MADE))
def test_no_other_statement_is_accepted(name: str) -> None:
    made = MADE[name]
    check(made)
    changes: list[tuple[tuple[str, ...], Any]] = [(("statement", key), other) for key, other in of_the_statement(made)]
    if made["verdict"] == "refuted":
        value = made["payload"]["limit"]["statement"]["value"]
        points = ({"a": "-1"}, {}, {"a": "x"}, {"a": "1", "nobody": "1"})
        changes.append((("statement", "value"), value))
        changes += [(("payload", "witness", "point"), point) for point in points]
    accepted = []
    for path, other in changes:
        broken = placed(made, path, other)
        said = refusal(broken)
        if said is None and broken != made:
            accepted.append((path, other))
        assert said is None or "\n" not in said
    assert accepted == []


def quantities() -> Quantities:
    """Those of the limit of x log(a) for x > 0 that goes to zero, where a > 0 is what log(a) asks for."""
    head = {"kind": "limit", "symbols": {"x": ("positive",), "a": ()}, "assuming": (), "variables": ("x",)}
    return Quantities(head | {"expression": ("*", X, ("log", A)), "value": NOTHING}, lambda _: "proved")


X, A, NOTHING, ONE_HALF = ("s", "x"), ("s", "a"), ("q", "0"), ("q", "1/2")


@each(("formula", "continuous", "valued"), FAMILIES["where formulas have values and are continuous"])
def test_where_formulas_have_values_and_are_continuous(formula: Any, continuous: bool, valued: bool) -> None:
    """A derivative has no value where a term is put in, and is refused there."""
    small = quantities()
    assert small.continuous(formula) is continuous
    if valued:
        small.valued(formula)
    else:
        with pytest.raises(Rejected):
            small.valued(formula)
    if formula[0] == "D":
        with pytest.raises(Rejected, match="without derivatives"):
            small.at_zero(formula)


@each("function", [("abs", X), ("^", X, ONE_HALF), ("^", X, ("q", "-1")), ("log", X), ("digamma", X)])
def test_no_series_is_taken_where_a_function_is_not_smooth(function: Any) -> None:
    small = quantities()
    small.spoken.append(function)
    with pytest.raises(Rejected):
        small.take(("taylor", "r", function, X, 1))


NO_LETTERS = {"rule": "decay", "letters": ()}


@each("step", [7, (), ("equal",), ("taylor", "r", X, X, 1), {"rule": "decay", "letters": {"o": "r"}}, NO_LETTERS])
def test_malformed_steps_are_refused_in_one_sentence(step: Any) -> None:
    broken = placed(MADE["limits_corruptions, sine"], ("payload", "steps"), [step])
    assert "\n" not in (refusal(broken) or "\n")

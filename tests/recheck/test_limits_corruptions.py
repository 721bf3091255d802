"""Limits by small quantities: true ones are accepted, and with one part changed they are refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from case_files import Cases
from each import each
from recheck.edits import put, refusal

from derivations.recheck import Rejected, check
from derivations.recheck.core.limits import Quantities

FAMILIES = Cases(__file__, globals())

Json = dict[str, Any]
MADE = FAMILIES["made"]
REFUTED = FAMILIES["refuted"]
TRUE: dict[str, Json] = {name: json.loads(json.dumps(made.as_json())) for name, made in MADE.items()}
FALSE: dict[str, Json] = {name: json.loads(json.dumps(made.as_json())) for name, made in REFUTED.items()}
ONE, ZERO = ["q", "1"], ["q", "0"]
BAD_PARTS = FAMILIES["bad parts"]


@each("name", sorted(TRUE | FALSE))
def test_it_is_accepted(name: str) -> None:
    made = (TRUE | FALSE)[name]
    assert made["verdict"] == ("proved" if name in TRUE else "refuted")
    check(made)


def of_the_statement(made: Json) -> Iterator[tuple[str, Callable[[Json], None]]]:
    statement = made["statement"]
    (variable, *_), value, expression = statement["variables"], statement["value"], statement["expression"]
    moving = ["s", variable]
    for other in (["+", value, ONE], ["*", ["q", "-1"], ["oo"]], ["oo", "oo"], ["-oo"], moving):
        yield f"value {other!r}", put(["statement", "value"], other)
    for off in ("1/3", "-2", "1/1000000"):
        if value not in (["oo"], ["-oo"]):
            yield f"expression plus {off}", put(["statement", "expression"], ["+", expression, ["q", off]])
    yield "a hypothesis that ties", put(["statement", "assuming"], [["=", moving, ONE]])
    yield "a hypothesis that fails", put(["statement", "assuming"], [[">", ["q", "-1"], ["^", moving, ["q", "2"]]]])
    for variables in ([], ["nobody"], [variable, variable]):
        yield f"variables {variables}", put(["statement", "variables"], variables)
    yield "an undeclared variable", lambda d: d["statement"]["symbols"].pop(variable)
    for towards in (["up"], ["above"], ["above", moving], ["oo", ZERO], "oo", ["below", ["log", ["q", "-1"]]]):
        yield f"towards {towards!r}", put(["statement", "towards"], towards)
    yield "a part that nobody reads", put(["statement", "side"], "left")
    for hidden in (["^", moving, ["q", "2"]], ONE):
        negative = ["log", ["*", ["q", "-1"], hidden]]
        nothing = ["+", negative, ["*", ["q", "-1"], negative]]
        yield f"no value near, {hidden}", put(["statement", "expression"], ["+", expression, nothing])


def of_the_payload(made: Json) -> Iterator[tuple[str, Callable[[Json], None]]]:
    payload = made["payload"]
    for key in payload:
        yield f"no {key}", lambda d, k=key: d["payload"].pop(k)
        for bad in (None, "1", 7, [["s", "x"]], {}):
            if bad != payload[key]:
                yield f"{key} is {bad!r}", put(["payload", key], bad)
    for k, step in enumerate(payload["steps"]):
        yield f"without step {k}", lambda d, k=k: d["payload"]["steps"].pop(k)
        places = [[place] for place in (step if isinstance(step, dict) else range(len(step)))]
        for place in places + [["letters", letter] for letter in (step["letters"] if isinstance(step, dict) else ())]:
            was = step[place[0]] if len(place) == 1 else step["letters"][place[1]]
            for bad in BAD_PARTS:
                if bad != was:
                    yield f"step {k}, part {place} is {bad!r}", put(["payload", "steps", k, *place], bad)
    for k, (formula, sign, form, _) in enumerate(payload["near"]["signs"]):
        yield f"the other sign of {k}", put(["payload", "near", "signs", k, 1], -sign)
        yield f"a form that vanishes {k}", put(["payload", "near", "signs", k, 2], [form[0], ZERO])
        yield f"no sign of {formula}", lambda d, k=k: d["payload"]["near"]["signs"].pop(k)
    for name in payload["near"]["point"]:
        yield f"a strange {name}", put(["payload", "near", "point", name], "-1/0")
        yield f"no {name}", lambda d, n=name: d["payload"]["near"]["point"].pop(n)
    yield "a stranger", put(["payload", "near", "point", "stranger"], "1")
    yield "by expansion", put(["method"], "expansion")


def of_the_refutation(made: Json) -> Iterator[tuple[str, Callable[[Json], None]]]:
    limit, witness = ["payload", "limit"], ["payload", "witness"]
    for key in ("left", "right"):
        yield f"{key} is not the value", put([*witness, key], "7")
    for point in ({"a": "-1"}, {}, {"a": "x"}, {"a": "1", "nobody": "1"}):
        yield f"at {point}", put([*witness, "point"], point)
    yield "limit of something else", put([*limit, "statement", "expression"], ONE)
    yield "limit is not proved", put([*limit, "verdict"], "open")
    for ray in ({"a": "1"}, {"e": "1"}, {"x": "0"}, {"d": "2"}, {"w": "-1"}):
        yield f"along {ray}", put(["payload", "ray"], ray)
    yield "no limit", lambda d: d["payload"].pop("limit")
    yield "by divergence", put(["method"], "diverges")
    yield "the value itself", put(["statement", "value"], made["payload"]["limit"]["statement"]["value"])


@each("name", sorted(TRUE | FALSE))
def test_no_corruption_is_accepted(name: str) -> None:
    made = (TRUE | FALSE)[name]
    true = name in TRUE
    edits = [*of_the_statement(made), *of_the_payload(made)] if true else [*of_the_refutation(made)]
    accepted = []
    for told, edit in edits:
        broken = copy.deepcopy(made)
        edit(broken)
        said = refusal(broken)
        if said is None and broken != made:
            accepted.append(told)
        assert said is None or "\n" not in said
    assert accepted == []


def quantities() -> Quantities:
    """Those of the limit of x log(a) for x > 0 that goes to zero, where a > 0 is what log(a) asks for."""
    head = {"kind": "limit", "symbols": {"x": ("positive",), "a": ()}, "assuming": (), "variables": ("x",)}
    return Quantities(head | {"expression": ("*", X, ("log", A)), "value": ZERO}, lambda _: "proved")


X, A, ZERO, ONE_HALF = ("s", "x"), ("s", "a"), ("q", "0"), ("q", "1/2")


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
    broken = copy.deepcopy(TRUE["sine"])
    broken["payload"]["steps"] = [step]
    assert "\n" not in (refusal(broken) or "\n")

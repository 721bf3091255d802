"""Expansions of limits: written by hand and accepted, corrupted and refused, and facts that say less than they seem."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from recheck.handmade import ONE, POSITIVE, ZERO, Json, a, add, certificate, exp, minus, mul, power, q, s, x

from derivations.prove import decide
from derivations.recheck import Rejected, check

UP, RIGHT, LEFT = ["oo"], ["above", ZERO], ["below", ZERO]
SYMBOLS: Json = {"a": POSITIVE["a"], "x": []}
INVERSE = power(x, -1)


def tends(expression: Any, value: Any, towards: Any, **payload: Any) -> Json:
    """The certificate that x takes an expression to a value."""
    statement = {
        "kind": "limit",
        "symbols": SYMBOLS,
        "assuming": [],
        "variables": ["x"],
        "towards": towards,
        "expression": expression,
        "value": value,
    }
    plain = {"order": 4, "logs": 0, "exponentials": [], "facts": [], "near": {"a": "1"}}
    return certificate(statement, "proved", "expansion", plain | payload)


def at_one(limit: Json, value: Any, left: str, right: str) -> Json:
    """The refutation of another value by this limit, which does not speak of its parameter."""
    inner, put = copy.deepcopy(limit), [["a", add(ZERO, ONE)]]
    statement = inner["statement"]
    statement["symbols"] = {"x": []}
    for key in ("expression", "value"):
        statement[key] = ["at", statement[key], put]
    statement["towards"] = [statement["towards"][0], *(["at", place, put] for place in statement["towards"][1:])]
    inner["payload"]["near"] = {}
    claimed = copy.deepcopy(limit["statement"]) | {"value": value}
    witness = {"point": {"a": "1"}, "left": left, "right": right}
    return certificate(claimed, "refuted", "another limit at a point", {"limit": inner, "witness": witness})


TRUE: dict[str, Json] = {
    "sine": tends(mul(["sin", x], INVERSE), ONE, RIGHT),
    "step": tends(["tanh", mul(a, INVERSE)], q(-1), LEFT, exponentials=[[q(-1)]]),
    "logarithm": tends(mul(["^", x, a], ["log", x]), ZERO, RIGHT, logs=1),
    "decay": tends(mul(exp(minus(mul(a, x))), power(x, 3)), ZERO, UP, exponentials=[[q(-1)]]),
    "growth": tends(add(exp(x), minus(["log", x])), UP, UP, logs=1, exponentials=[[q(-1), ZERO]]),
    "slope": tends(mul(add(exp(mul(a, x)), q(-1)), INVERSE), a, LEFT),
    "at a": tends(mul(add(power(x, 2), minus(power(a, 2))), power(add(x, minus(a)), -1)), mul(q(2), a), ["above", a]),
}
REFUTED = {
    "another": at_one(TRUE["slope"], mul(q(2), a), "1", "2"),
    "infinite": at_one(TRUE["slope"], UP, "1", "oo"),
}
ALL = TRUE | REFUTED


@pytest.mark.parametrize("name", sorted(ALL))
def test_it_is_accepted(name: str) -> None:
    check(ALL[name])


def _put(path: list[Any], value: Any) -> Callable[[Json], None]:
    def edit(data: Json) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return edit


def _proved(made: Json) -> Iterator[tuple[str, Callable[[Json], None]]]:
    statement, payload = made["statement"], made["payload"]
    for bad in (0, -1, 10**9, True, "4", None, 2.5):
        yield f"order {bad!r}", _put(["payload", "order"], bad)
        yield f"logs {bad!r}", _put(["payload", "logs"], bad if bad != 0 else -2)
    repeated, slow, constant = [[q(-1)], [ZERO, q(-1)]], [[ZERO, q(-1)]], [[["log", minus(a)]]]
    for bad in ((), [[]], [[ONE]], [[ZERO]], [[s("x")]], repeated, slow, constant, "germs", [["germ"]]):
        for logs in (0, 1):
            if list(bad) != payload["exponentials"]:
                yield (
                    f"germs {bad!r}, {logs} logs",
                    lambda d, b=bad, n=logs: d["payload"].update(exponentials=b, logs=n),
                )
    for key in payload:
        yield f"no {key}", lambda d, k=key: d["payload"].pop(k)
    for fact in ([], "a > 0", {}, {"statement": {}, "verdict": "proved"}):
        yield f"a fact {fact!r}", _put(["payload", "facts"], [fact])
    yield "near nothing", _put(["payload", "near"], {"a": "-1"})
    yield "near a stranger", _put(["payload", "near"], {"a": "1", "b": "1"})
    for value in (add(statement["value"], ONE), minus(UP), ["oo", "oo"], ["+oo"], ["-oo"], x, add(a, q("1/10"))):
        yield f"value {value!r}", _put(["statement", "value"], value)
    yield "hypothesis that keeps away", _put(["statement", "assuming"], [["=", x, a]])
    yield "hypothesis that fails", _put(["statement", "assuming"], [[">", q(-1), power(x, 2)]])
    yield "hypothesis on a that fails", _put(["statement", "assuming"], [[">", a, q(5)]])
    yield "two variables", _put(["statement", "variables"], ["x", "a"])
    yield "no variables", _put(["statement", "variables"], [])
    yield "a variable that nobody declares", _put(["statement", "variables"], ["w"])
    yield "x is not declared", lambda d: d["statement"]["symbols"].pop("x")
    yield "another variable", _put(["statement", "variables"], ["a"])
    for towards in (["up"], ["above"], ["above", x], ["oo", ZERO], "oo", ["-oo", "oo"], ["below", ["log", minus(a)]]):
        yield f"towards {towards!r}", _put(["statement", "towards"], towards)
    yield "by continuity", _put(["method"], "continuity")
    yield "a part that nobody reads", _put(["statement", "side"], "left")
    told = "negative" if statement["towards"] in (UP, RIGHT, ["above", a]) else "positive"
    yield f"x is {told}", _put(["statement", "symbols", "x"], [told])
    yield "no value near", _put(["statement", "expression"], add(statement["expression"], ["log", minus(power(x, 2))]))
    hidden = add(["log", minus(power(a, 2))], minus(["log", minus(power(a, 2))]))
    yield "no value for any a", _put(["statement", "expression"], add(statement["expression"], hidden))


def _refuted(made: Json) -> Iterator[tuple[str, Callable[[Json], None]]]:
    limit = ["payload", "limit"]
    for key in ("left", "right"):
        yield f"{key} is not the value", _put(["payload", "witness", key], "7")
    yield "at another point", _put(["payload", "witness", "point"], {"a": "2"})
    yield "at no point", _put(["payload", "witness", "point"], {})
    yield "at a point that is not allowed", _put(["payload", "witness", "point"], {"a": "-1"})
    yield "the value itself", _put(["statement", "value"], a)
    yield "the same value", _put(["statement", "value"], add(a, ZERO))
    yield "limit elsewhere", _put([*limit, "statement", "towards"], ["above", ["at", ZERO, [["a", ONE]]]])
    yield "limit of something else", _put([*limit, "statement", "expression"], ONE)
    yield "limit is not proved", _put([*limit, "verdict"], "open")
    yield "limit by continuity", _put([*limit, "method"], "continuity")
    yield "no limit", lambda d: d["payload"].pop("limit")
    yield "limit that is wrong", _put([*limit, "statement", "value"], ["at", mul(q(3), a), [["a", ONE]]])
    yield "by divergence", _put(["method"], "diverges")


def refusal(made: Json) -> str | None:
    try:
        check(made)
    except Rejected as reason:
        return str(reason)
    return None


@pytest.mark.parametrize("name", sorted(ALL))
def test_no_corruption_is_accepted(name: str) -> None:
    edits = dict(_proved(ALL[name]) if name in TRUE else _refuted(ALL[name]))
    accepted = []
    for what, edit in edits.items():
        broken = copy.deepcopy(ALL[name])
        edit(broken)
        said = refusal(broken)
        if said is None:
            accepted.append(what)
        else:
            assert "\n" not in said
    assert accepted == []


@pytest.mark.parametrize("name", sorted(TRUE))
def test_no_random_change_of_the_statement_is_accepted_with_another_value(name: str) -> None:
    rng = random.Random(name)
    for _ in range(40):
        broken = copy.deepcopy(TRUE[name])
        off = q(rng.choice(("1/3", "-2", "5/7", "1/1000000")))
        broken["statement"]["expression"] = add(broken["statement"]["expression"], off)
        if TRUE[name]["statement"]["value"] == UP:
            broken["statement"]["value"] = add(a, off)
        assert refusal(broken) is not None


# --- facts ------------------------------------------------------------------------------------------------------------


def with_fact(left: Any, expression: Any, symbols: Json, near: Json, value: Any = UP) -> Json:
    """x goes to infinity, and a proved inequality left > 0 tells the sign of a coefficient."""
    shared = {"symbols": symbols, "assuming": []}
    fact = decide({"kind": "sign", **shared, "relation": ">", "left": _tuples(left), "right": ("q", "0")})
    assert fact.verdict.value == "proved"
    limit = tends(expression, value, UP, facts=[fact.as_json()], near=near)
    limit["statement"]["symbols"] = symbols
    return limit


def _tuples(data: Any) -> Any:
    return tuple(map(_tuples, data)) if isinstance(data, list) else data


B: Json = {"b": [], "c": [], "x": []}
b, c = s("b"), s("c")
SUM_OF_SQUARES = add(power(b, 2), power(c, 2), minus(mul(b, c)), ONE)


def test_a_fact_tells_the_sign_of_a_coefficient() -> None:
    made = with_fact(SUM_OF_SQUARES, mul(SUM_OF_SQUARES, x), B, {"b": "1", "c": "1"})
    check(made)
    made["payload"]["facts"] = []
    assert refusal(made) is not None


@pytest.mark.parametrize(
    ("known", "hidden"),
    [
        (power(b, 2), power(b, -1)),  # no value at b = 0
        (b, ["log", b]),  # a value for positive b alone
        (add(b, ONE), power(b, "1/2")),
    ],
)
def test_a_fact_holds_only_where_all_of_it_has_a_value(known: Any, hidden: Any) -> None:
    """What is known is positive where the fact has a value, and not wherever the limit speaks."""
    made = with_fact(add(known, hidden, minus(hidden)), mul(known, x), B, {"b": "1", "c": "1"})
    assert refusal(made) is not None


def test_a_fact_rests_on_the_hypotheses_of_the_limit() -> None:
    fact = decide(
        {"kind": "sign", "symbols": B, "assuming": [(">", ("s", "b"), ("q", "0"))], "relation": ">",
         "left": ("s", "b"), "right": ("q", "0")}
    )  # fmt: skip
    limit = tends(mul(b, x), UP, UP, facts=[fact.as_json()], near={"b": "1"})
    limit["statement"]["symbols"] = B
    assert refusal(limit) is not None
    limit["statement"]["assuming"] = [[">", b, ZERO]]
    check(limit)


def test_a_fact_about_the_variable_tells_nothing() -> None:
    limit = with_fact(add(power(x, 2), ONE), mul(add(b, x), minus(x)), B, {"b": "1"}, ["-oo"])
    check(limit)  # it is not needed, and not used
    limit["statement"]["value"] = UP
    assert refusal(limit) is not None

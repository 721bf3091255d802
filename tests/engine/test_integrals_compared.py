"""Relations with integrals in them: shown where they hold, refuted where they fail, and no lie is accepted."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import mpmath as mp
import pytest
import sympy as sp
from case_files import Cases
from each import each

from derivations import prove
from derivations.language import show
from derivations.prove import Certificate
from derivations.recheck import Rejected, check

FAMILIES = Cases(__file__, globals())

x, m, s = sp.symbols("x m s", real=True)
a, b = sp.symbols("a b", positive=True)
I, D, exp, oo, pi, R = sp.Integral, sp.Derivative, sp.exp, sp.oo, sp.pi, sp.Rational


def data(certificate: Certificate) -> Any:
    return json.loads(json.dumps(certificate.as_json()))


def verdict(certificate: Certificate) -> str:
    check(data(certificate))
    return str(certificate.verdict.value)


def drawn(seed: int) -> tuple[Any, Any]:
    """An integrand that has no antiderivative here, and the upper end of its interval."""
    rng = random.Random(seed)
    p, q = (R(rng.randint(1, 5), rng.randint(1, 2)) for _ in range(2))
    kinds = [sp.sin(p * x**2), exp(-p * x**3), sp.sqrt(1 + p * x**4), sp.cos(p * sp.sin(x)), sp.tanh(p * x) / (q + x),
             sp.Abs(x - p / 4) * exp(-q * x**2), sp.log(1 + p * x + x**4), sp.atan(p * x) * sp.cos(x),
             x**p * exp(-x)]  # fmt: skip
    low = R(1, 3) if kinds[seed % len(kinds)].has(x**p) else 0
    return I(kinds[seed % len(kinds)], (x, low, q)), q


def number(node: Any) -> Any:
    ((x_, low, high),) = node.limits
    f = sp.lambdify(x_, node.function, "mpmath")
    kinks = [R(k, 4) for k in range(1, 40) if low < R(k, 4) < high]
    return mp.quad(f, [mp.mpf(low.p) / low.q, *(mp.mpf(k.p) / k.q for k in kinks), mp.mpf(high.p) / high.q])


@each("seed", range(9), one_of=3)
def test_bounds_with_room_are_certified_and_bounds_past_the_value_refuted(seed: int) -> None:
    node, _ = drawn(seed)
    value = R(int(number(node) * 1000), 1000)
    assert verdict(prove.inequality(sp.Lt(node, value + R(1, 100), evaluate=False))) == "certified"
    assert verdict(prove.inequality(sp.Gt(node, value - R(1, 100), evaluate=False))) == "certified"
    assert verdict(prove.inequality(sp.Ge(node, value + R(1, 100), evaluate=False))) == "refuted"
    assert verdict(prove.identity(node, value + R(1, 100))) == "refuted"


HOLDS = FAMILIES["holds"]
FAILS = FAMILIES["fails"]


def decided(relation: Any, assuming: list[Any]) -> Certificate:
    if isinstance(relation, sp.Equality):
        return prove.identity(relation.lhs, relation.rhs, assuming)
    return prove.inequality(relation, assuming)


@each("name", [*HOLDS], one_of=3)
def test_what_holds_is_shown(name: str) -> None:
    assert verdict(decided(*HOLDS[name])) in ("proved", "certified")


@each("name", [*FAILS])
def test_what_fails_is_refuted(name: str) -> None:
    assert verdict(decided(*FAILS[name])) == "refuted"


OPEN = FAMILIES["open"]


@each("relation", OPEN, one_of=3)
def test_nothing_is_said_of_integrals_that_need_not_exist(relation: Any) -> None:
    assert verdict(decided(relation, [])) == "open"


def test_letters_are_explained() -> None:
    made = decided(*HOLDS["a rate"])
    assert show.sentences(made.statement) == [
        "0 > R_1, where I_1 is the integral of exp(-s*a)/(1 + s^2) over s from 0 to 1, R_1 is dI_1/da"
    ]


def lies(whole: Any) -> Iterator[Any]:
    """Certificates with one thing changed that they rest on, in the statement or in the evidence."""
    statement = whole["statement"]
    told = statement.get("concludes", statement)
    for path in places(statement.get("slots", statement)):
        keys = ("statement", "slots", *path) if "slots" in statement else ("statement", *path)
        for value in ("17", "-3/7", "x", None):
            yield put(whole, keys, value)
    for other in ("=", ">", ">=", "<"):
        if told.get("relation", other) != other:
            yield put(whole, ("statement", *(["concludes"] if "concludes" in statement else []), "relation"), other)
    for verdict_ in {"proved", "certified", "refuted"} - {whole["verdict"]}:
        yield whole | {"verdict": verdict_}
    for key in whole["payload"]:
        yield whole | {"payload": {k: v for k, v in whole["payload"].items() if k != key}}
    if "witness" in whole["payload"]:
        for value in (0, -1, "4", None, 10**9) if "cells" in whole["payload"] else ():
            yield put(whole, ("payload", "cells"), value)
        for side in ("left", "right"):
            for value in ("7777", "[1e9 +/- 1e10]", "nan", "", None):
                yield put(whole, ("payload", "witness", side), value)
        for name in whole["payload"]["witness"]["point"]:
            for value in ("0", "-1", "x", None):
                yield put(whole, ("payload", "witness", "point", name), value)
    for role, step in whole["payload"].get("steps", {}).items():
        for other in ("open", "argued"):
            yield put(whole, ("payload", "steps", role), step | {"verdict": other, "method": "none"})


def places(slots: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where numbers and symbols stand in the formulas of a statement."""
    if isinstance(slots, dict):
        for key, inner in slots.items():
            if key not in ("symbols", "assuming", "facts"):
                yield from places(inner, (*path, key))
    elif isinstance(slots, list) and slots[:1] in (["q"], ["s"]):
        yield (*path, 1)
    elif isinstance(slots, list):
        for k, inner in enumerate(slots):
            yield from places(inner, (*path, k))


def put(whole: Any, path: tuple[Any, ...], value: Any) -> Any:
    found = copy.deepcopy(whole)
    inner = found
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return found


@each(("table", "name"), [*((HOLDS, n) for n in ("a bound in the end", "order", "a box", "a rate", "a step")),
     *((FAILS, n) for n in ("order", "a box", "a rate", "a rate with a moving end"))], one_of=3)  # fmt: skip
def test_no_lie_is_accepted(table: dict[str, tuple[Any, list[Any]]], name: str) -> None:
    whole = data(decided(*table[name]))
    tried = 0
    for lie in lies(whole):
        if lie == whole or still_true(whole, lie):
            continue
        tried += 1
        with pytest.raises(Rejected):
            check(lie)
    assert tried > 20


def still_true(whole: Any, lie: Any) -> bool:
    """Check whether a refuted statement, changed, is false at the same point all the same: then its evidence shows
    that.
    """
    if whole["verdict"] != "refuted" or lie["statement"] == whole["statement"]:
        return lie["payload"] != whole["payload"] and whole["verdict"] == "refuted" and accepted_elsewhere(lie)
    try:
        check(lie)
    except Rejected:
        return False
    point, said = lie["payload"]["witness"]["point"], lie["statement"]
    free = {name: sp.Rational(value) for name, value in point.items()}
    return bool(fails_by_numbers(said, free))


def accepted_elsewhere(lie: Any) -> bool:
    """Another number of parts, or another point at which the statement fails too, is no lie."""
    if "steps" in lie["payload"]:
        return False
    try:
        check(lie)
    except Rejected:
        return False
    free = {name: sp.Rational(value) for name, value in lie["payload"]["witness"]["point"].items()}
    return fails_by_numbers(lie["statement"], free)


def fails_by_numbers(said: Any, free: dict[str, Any]) -> bool:
    """Return what mpmath makes of the relation at a point."""
    point = {name: mp.mpf(value.p) / value.q for name, value in free.items()}
    for letter, (f, low, high) in said["integrals"].items():
        point[letter] = integral_by_numbers(f, low, high, said["variable"], point)
    for rate, (letter, by) in said.get("rates", {}).items():
        f, low, high = said["integrals"][letter]
        point[rate] = mp.diff(
            lambda v, f=f, low=low, high=high, by=by: integral_by_numbers(
                f, low, high, said["variable"], {**point, by: v}
            ),
            point[by],
        )
    gap = value_of(said["left"], point) - value_of(said["right"], point)
    return bool(abs(gap) > 1e-9 if said["relation"] == "=" else gap < 0)


def integral_by_numbers(f: Any, low: Any, high: Any, variable: str, point: Any) -> Any:
    return mp.quad(lambda v: value_of(f, {**point, variable: v}), [value_of(low, point), value_of(high, point)])


def value_of(term: Any, point: Any) -> Any:
    head, *inner = term
    if head == "s":
        return point[inner[0]]
    if head == "q":
        return mp.mpf(sp.Rational(inner[0]).p) / sp.Rational(inner[0]).q
    if head == "pi":
        return mp.pi
    values = [value_of(child, point) for child in inner]
    if head in ("+", "*"):
        return mp.fsum(values) if head == "+" else mp.fprod(values)
    return values[0] ** values[1] if head == "^" else getattr(mp, head)(values[0])


test_statements_have_their_verdicts = FAMILIES.verdicts()

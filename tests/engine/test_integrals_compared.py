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

from derivations import prove
from derivations.language import show
from derivations.prove import Certificate, NotExact
from derivations.recheck import Rejected, check

x, m, s = sp.symbols("x m s", real=True)
a, b, t = sp.symbols("a b t", positive=True)
I, D, exp, oo, pi, R = sp.Integral, sp.Derivative, sp.exp, sp.oo, sp.pi, sp.Rational


def equal(left: Any, right: Any) -> Any:
    """An equation as it is written: SymPy would integrate to compare the sides."""
    return sp.Eq(left, right, evaluate=False)


standard = exp(-(x**2) / 2) / sp.sqrt(2 * pi)
line = (x, -oo, oo)


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


@pytest.mark.parametrize("seed", range(9))
def test_bounds_with_room_are_certified_and_bounds_past_the_value_refuted(seed: int) -> None:
    node, _ = drawn(seed)
    value = R(int(number(node) * 1000), 1000)
    assert verdict(prove.inequality(sp.Lt(node, value + R(1, 100), evaluate=False))) == "certified"
    assert verdict(prove.inequality(sp.Gt(node, value - R(1, 100), evaluate=False))) == "certified"
    assert verdict(prove.inequality(sp.Ge(node, value + R(1, 100), evaluate=False))) == "refuted"
    assert verdict(prove.identity(node, value + R(1, 100))) == "refuted"


HOLDS: dict[str, tuple[Any, list[Any]]] = {
    "a bound in the end": (sp.Le(I(exp(-(s**2)), (s, 0, t)), t, evaluate=False), []),
    "its series": (sp.Ge(I(sp.cosh(s**2), (s, 0, t)), t + t**5 / 10, evaluate=False), []),
    "from the other end": (sp.Le(I(exp(s**3), (s, -a, 0)), a, evaluate=False), []),
    "order": (sp.Le(I(sp.sin(s) ** 4 * exp(-a * s), (s, 0, b)), I(exp(-a * s), (s, 0, b)), evaluate=False), []),
    "a modulus": (
        sp.Le(sp.Abs(I(sp.sin(s**2) * exp(-a * s), (s, 0, b))), I(sp.Abs(sp.sin(s**2)) * exp(-a * s), (s, 0, b)),
              evaluate=False), [],
    ),
    "squares": (sp.Le(I(exp(a * x), (x, 0, 1)) ** 2, I(exp(2 * a * x), (x, 0, 1)), evaluate=False), []),
    "a box": (sp.Gt(I(sp.cos(m * sp.sin(x)), (x, 0, 3)), 1, evaluate=False), [m >= 0, m <= 1]),
    "an endless interval": (sp.Lt(I(exp(-(x**4)), (x, 0, oo)), 1, evaluate=False), []),
    "a rate": (sp.Lt(D(I(exp(-a * s) / (1 + s**2), (s, 0, 1)), a), 0, evaluate=False), []),
    "a rate with a moving end": (equal(D(I(exp(-(s**2)), (s, t, 2 * t)), t), 2 * exp(-4 * t**2) - exp(-(t**2))), []),
    "rates under the integral": (
        equal(D(I(sp.cos(a * s**2), (s, 0, 1)), a), -I(s**2 * sp.sin(a * s**2), (s, 0, 1))), []
    ),
    "a step": (equal(I(sp.Heaviside(x) * standard, line), R(1, 2)), []),
    "a leaky ramp": (equal(I(sp.Max(x, x / 10) * standard, line), 9 / (10 * sp.sqrt(2 * pi))), []),
    "a wedge": (equal(I(sp.Abs(x - a), (x, 0, 2 * a)), a**2), []),
}  # fmt: skip
FAILS: dict[str, tuple[Any, list[Any]]] = {
    "a bound in the end": (sp.Ge(I(exp(-(s**2)), (s, 0, t)), t - t**3 / 4, evaluate=False), []),
    "order": (sp.Ge(I(sp.sin(s) ** 4 * exp(-a * s), (s, 0, b)), I(exp(-a * s), (s, 0, b)), evaluate=False), []),
    "squares": (sp.Ge(I(exp(a * x), (x, 0, 1)) ** 2, I(exp(2 * a * x), (x, 0, 1)), evaluate=False), []),
    "a box": (sp.Gt(I(sp.cos(m * sp.sin(x)), (x, 0, 3)), R(27, 10), evaluate=False), [m >= 0, m <= 1]),
    "a rate": (sp.Gt(D(I(exp(-a * s) / (1 + s**2), (s, 0, 1)), a), 0, evaluate=False), []),
    "a rate with a moving end": (equal(D(I(exp(-(s**2)), (s, t, 2 * t)), t), exp(-4 * t**2) - exp(-(t**2))), []),
    "a rate is no zero": (equal(D(I(exp(-a * s**2), (s, 0, 1)), a), 0), []),
    "a step": (equal(I(sp.sign(x) * standard, line), 1), []),
    "a wedge": (equal(I(sp.Abs(x - a), (x, 0, 2 * a)), a), []),
}


def decided(relation: Any, assuming: list[Any]) -> Certificate:
    if isinstance(relation, sp.Equality):
        return prove.identity(relation.lhs, relation.rhs, assuming)
    return prove.inequality(relation, assuming)


@pytest.mark.parametrize("name", HOLDS)
def test_what_holds_is_shown(name: str) -> None:
    assert verdict(decided(*HOLDS[name])) in ("proved", "certified")


@pytest.mark.parametrize("name", FAILS)
def test_what_fails_is_refuted(name: str) -> None:
    assert verdict(decided(*FAILS[name])) == "refuted"


OPEN = [
    sp.Lt(I(1 / x, (x, -1, 1)), 5, evaluate=False),
    sp.Gt(I(1 / x, (x, -1, 1)), -5, evaluate=False),
    equal(D(I(sp.Abs(x - 1 / (1 + a)), (x, 0, 1)), a), (a - 1) / (1 + a) ** 3),
    sp.Lt(I(sp.log(x), (x, -1, 1)), 5, evaluate=False),
    sp.Le(I(1 / (x - a), (x, 0, 2 * a)), I(1 / (x - a) + 1, (x, 0, 2 * a)), evaluate=False),
    equal(I(sp.sign(x) / x, (x, -1, 1)), 0),
]


@pytest.mark.parametrize("relation", OPEN)
def test_nothing_is_said_of_integrals_that_need_not_exist(relation: Any) -> None:
    assert verdict(decided(relation, [])) == "open"


def test_a_side_of_a_refuted_relation_is_told_well_enough_to_be_checked() -> None:
    assert verdict(decided(sp.Lt(0, I(1 / (a + x) ** 2, (x, 2, 0)), evaluate=False), [a < 1])) == "refuted"


def test_what_cannot_be_read_is_refused() -> None:
    node = I(exp(a * x), (x, 0, 1))
    for left in (D(node**2, a), D(node, a, 2), sp.Subs(node, a, 1), I(I(x * s, (x, 0, 1)), (s, 0, 1)) + node):
        with pytest.raises(NotExact):
            prove.inequality(sp.Gt(left, 0, evaluate=False))
    with pytest.raises(NotExact):
        prove.inequality(sp.Gt(a, 0, evaluate=False), [node > b])


def test_balls_need_an_interval_for_every_symbol() -> None:
    letter = sp.Symbol("I_1", real=True)
    slots = {"variable": x, "integrals": {letter: (exp(-x), 0, 1)}, "relation": ">", "left": letter + m, "right": 0}
    with pytest.raises(NotExact, match="no interval for m"):
        prove.by("integrals in balls", **slots, box={}, upper="100")


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


@pytest.mark.parametrize(
    ("table", "name"),
    [*((HOLDS, n) for n in ("a bound in the end", "order", "a box", "a rate", "a step")),
     *((FAILS, n) for n in ("order", "a box", "a rate", "a rate with a moving end"))],
)  # fmt: skip
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
    """Whether a refuted statement, changed, is false at the same point all the same: then its evidence shows that."""
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
    """What mpmath makes of the relation at a point."""
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

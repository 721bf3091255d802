"""Values of formulas: balls, power series of the time, or one of these with its derivatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, reduce
from operator import add, mul
from typing import Any

from flint import arb, arb_series, ctx

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Term, rational
from derivations.recheck.core.terms import HALF, MINUS_ONE, TWO, outer_derivative

Ball = Any  # flint.arb
Value = Any  # a ball, a series, or one of them with its slopes
FUNCTIONS = ("exp", "log", "sin", "cos", "erf", "asin", "atan", "lambertw")
HEADS = {"s", "q", "pi", "+", "*", "^", "abs", *FUNCTIONS}
ZERO, ONE = arb(0), arb(1)
OPERATION_WORK, TERM_WORK, PAIR_WORK, FUNCTION_WORK = 600, 25, 2, 8  # see `spend`; the last is a factor


class Sloped:
    """A value with its derivatives by some letters; those that are missing are zero."""

    def __init__(self, value: Value, slopes: Mapping[int, Value]) -> None:
        self.value, self.slopes = value, slopes

    def __add__(self, other: Any) -> Sloped:
        value, slopes = parts_of(other)
        return Sloped(self.value + value, _sum(self.slopes, slopes))

    def __mul__(self, other: Any) -> Sloped:
        value, slopes = parts_of(other)
        return Sloped(self.value * value, _sum(_times(self.slopes, value), _times(slopes, self.value)))

    __radd__, __rmul__ = __add__, __mul__


def parts_of(value: Value) -> tuple[Value, Mapping[int, Value]]:
    """A value and its slopes."""
    return (value.value, value.slopes) if isinstance(value, Sloped) else (value, {})


def sloped(values: Sequence[Value]) -> list[Value]:
    """Values of letters, each with its slope by itself."""
    return [Sloped(value, {i: ONE}) for i, value in enumerate(values)]


def _sum(a: Mapping[int, Value], b: Mapping[int, Value]) -> Mapping[int, Value]:
    return {**a, **b, **{by: a[by] + b[by] for by in a.keys() & b.keys()}} if a and b else a or b


def _times(slopes: Mapping[int, Value], factor: Value) -> Mapping[int, Value]:
    return {by: slope * factor for by, slope in slopes.items()}


def values(terms: Sequence[Term], letters: Mapping[str, Value], length: int = 1) -> list[Value]:
    """The values of some formulas, or `Undefined` where a part has none; length: of series."""
    work = (OPERATION_WORK + TERM_WORK * length + PAIR_WORK * length * length) * ctx.prec // 128
    work *= max(1 + len(parts_of(value)[1]) for value in letters.values())
    known: dict[Term, Value] = {("s", letter): value for letter, value in letters.items()}

    def of(term: Term) -> Value:
        if (value := known.get(term)) is None:
            spend(FUNCTION_WORK * work if term[0] in FUNCTIONS else work)
            value = known[term] = carried_out(*term)
        return value

    def carried_out(head: str, *inner: Any) -> Value:
        if head in ("+", "*"):
            return reduce(add if head == "+" else mul, map(of, inner))
        if head in ("q", "pi"):
            return arb(*map(_number, inner)) if inner else arb.pi()
        if head == "^":
            return power(*inner)
        return size(of(*inner)) if head == "abs" else function(head, of(*inner))

    def power(base: Term, exponent: Term) -> Value:
        if exponent == HALF and base[0] == "^" and base[2] == TWO:
            return size(of(base[1]))
        e = rational(exponent[1]) if exponent[0] == "q" else None
        if e is None or e.q > 2:
            return function("exp", function("log", of(base)) * of(exponent))
        value = of(base) if e.q == 1 else function("root", of(base))
        return _raised(value if e > 0 else function("inverse", value), abs(int(e.p)))

    found = list(map(of, terms))
    if not all(map(_is_finite, found)):
        raise Undefined
    return found


def size(a: Value) -> Value:
    """The absolute value; with derivatives, where the sign of a is certain."""
    if isinstance(a, arb):
        return abs(a)
    value, _ = parts_of(a)
    first = value[0] if isinstance(value, arb_series) else value
    if not (first > 0 or first < 0):
        raise Undefined
    return a if first > 0 else -ONE * a


def function(head: str, a: Value) -> Value:
    """A function of a value; what is not finite would stay hidden in those that are bounded."""
    if isinstance(a, Sloped):
        outer = values([_outer(head)], {"a": a.value}, ctx.cap)[0] if a.slopes else ZERO
        return Sloped(function(head, a.value), _times(a.slopes, outer))
    is_series = isinstance(a, arb_series)
    if not (a[0] if is_series else a).is_finite():
        raise Undefined
    if head not in ("inverse", "root"):
        return getattr(a, head)()
    if is_series:
        return a.inv() if head == "inverse" else _root(a)
    return ONE / a if head == "inverse" else a.sqrt()


def _raised(base: Value, exponent: int) -> Value:
    if exponent == 0:
        raise Rejected("a formula of a trajectory has a power with the exponent zero: write 1")
    half = _raised(base, exponent // 2) if exponent > 1 else None
    return base if half is None else half * half * base if exponent % 2 else half * half


_number = cache(rational)


def _is_finite(value: Value) -> bool:
    if isinstance(value, Sloped):
        return all(map(_is_finite, (value.value, *value.slopes.values())))
    return all(each.is_finite() for each in (value.coeffs() if isinstance(value, arb_series) else (value,)))


@cache
def _outer(head: str) -> Term:
    """The derivative of a function of a."""
    a: Term = ("s", "a")
    if head == "inverse":
        return ("*", MINUS_ONE, ("^", a, ("q", "-2")))
    return ("*", HALF, ("^", a, ("q", "-1/2"))) if head == "root" else outer_derivative(head, a)


def _root(a: Value) -> Value:
    """From b b = a, one coefficient after the other: over wide balls python-flint's own is wider by far."""
    own = [a[0].sqrt()]
    for k in range(1, ctx.cap):
        square = sum((own[i] * own[k - i] for i in range(1, k)), ZERO)
        own.append((a[k] - square) / (own[0] + own[0]))
    return arb_series(own)

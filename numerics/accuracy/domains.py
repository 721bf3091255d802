"""Points of a kernel's stated domain, drawn so that every condition holds by construction.

The index states domains as text, `h0 > 0` or `y0*s >= (y0 - w0)^2`: rational conditions, read here without evaluating
any code. A condition on one argument bounds it. A condition on several is solved for one of them, as a quadratic whose
other arguments are drawn already; exact arithmetic on the drawn floats has the last word.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from numerics import NumericsError

Sampler = Callable[[np.random.Generator], Sequence[float]]

SMALLEST, LARGEST = 1e-3, 1e3  # sizes of arguments that nothing bounds more closely
NEAREST = 1e-12  # how close to an end, as a share of the interval
SHARE_OF_ENDS = 1 / 16  # how often a closed bound is drawn itself
MOST_DRAWS = 100  # for one point; among covariances of four fields, one draw in seven misses
SIGNS: dict[type, str] = {ast.Gt: ">", ast.GtE: ">=", ast.Lt: "<", ast.LtE: "<=", ast.Eq: "=", ast.NotEq: "!="}
HOLDS: dict[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le, "=": operator.eq, "!=": operator.ne,
}  # fmt: skip
OPERATIONS: dict[type, Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip


class DomainError(NumericsError):
    """A condition that cannot be read or met; the message quotes it."""


class _Missed(DomainError):
    """A draw that leaves nothing for a later argument, as rounding does at the boundary: another draw may not."""


# --- reading ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Condition:
    """left - right, and how it compares with zero: one of > >= < <= = !=."""

    text: str
    difference: ast.expr
    sign: str

    @property
    def names(self) -> frozenset[str]:
        return frozenset(node.id for node in ast.walk(self.difference) if isinstance(node, ast.Name))

    def value(self, at: Mapping[str, Fraction]) -> Fraction:
        return _value(self.difference, at)

    def holds(self, at: Mapping[str, Fraction]) -> bool:
        return HOLDS[self.sign](self.value(at), 0)


def read(text: str) -> Condition:
    """Read a condition on arguments: two sums of products and powers with whole exponents, and a sign between them.

    Nothing of it is run as code. Refused with `DomainError`: everything else.

    >>> sorted(read("y0*s >= (y0 - w0)^2").names)
    ['s', 'w0', 'y0']
    """
    plain = re.sub(r"(?<![<>!=])=(?!=)", "==", text.replace("^", "**"))
    try:
        node = ast.parse(plain.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise DomainError(f"the condition {text!r} cannot be read") from None
    match node:
        case ast.Compare(left=left, ops=[sign], comparators=[right]) if type(sign) in SIGNS:
            difference = ast.BinOp(left, ast.Sub(), right)
            if all(map(_is_read, ast.walk(difference))):
                return Condition(text, difference, SIGNS[type(sign)])
    raise DomainError(f"the condition {text!r} cannot be read")


def _is_read(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    return isinstance(node, (ast.BinOp, ast.UnaryOp, ast.USub, ast.Name, ast.Load, ast.Pow, *OPERATIONS))


def _value(node: ast.expr, at: Mapping[str, Fraction]) -> Fraction:
    match node:
        case ast.Constant(value=int(number)):
            return Fraction(number)
        case ast.Name(id=name):
            return at[name]
        case ast.UnaryOp(operand=inner):
            return -_value(inner, at)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            exponent = _value(right, at)
            if exponent.denominator != 1 or not 0 <= exponent <= 8:
                raise DomainError(f"the exponent {exponent} in a condition is not a small whole number")
            return Fraction(_value(left, at) ** int(exponent))
        case ast.BinOp(left=left, op=sign, right=right):
            return OPERATIONS[type(sign)](_value(left, at), _value(right, at))
    raise TypeError(node)


# --- drawing ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bounds:
    """The interval of an argument, and whether its finite ends belong to it."""

    low: float = -math.inf
    high: float = math.inf
    low_belongs: bool = False
    high_belongs: bool = False

    def __and__(self, other: Bounds) -> Bounds:
        low, low_belongs = max((self.low, not self.low_belongs), (other.low, not other.low_belongs))
        high, high_belongs = min((self.high, self.high_belongs), (other.high, other.high_belongs))
        return Bounds(low, high, not low_belongs, high_belongs)


def sampler(arguments: Sequence[str], conditions: Sequence[str]) -> Sampler:
    """Return what draws points of a domain, given a generator of random numbers: a number for each of the arguments.

    Sizes have uniform logarithms; the ends of the domain and their neighbourhoods are drawn too. Refused with
    `DomainError`: conditions that cannot be read, use what is no argument, or cannot be solved for one argument.

    >>> draw = sampler(["x", "y"], ["x > 0", "y >= x"])
    >>> x, y = draw(np.random.default_rng(0))
    >>> 0 < x <= y
    True
    """
    known = [read(text) for text in conditions]
    for condition in known:
        if strange := sorted(condition.names - set(arguments)):
            raise DomainError(f"the condition {condition.text!r} uses {strange[0]}, which is no argument")
    alone = {name: Bounds() for name in arguments}
    for condition in known:
        for name in condition.names if len(condition.names) == 1 else ():
            alone[name] &= _solved(condition, name, {})
    coupled: dict[str, list[Condition]] = {}
    for condition in known:
        if len(condition.names) > 1:
            coupled.setdefault(_last(condition.names, arguments, alone), []).append(condition)
    order = sorted(arguments, key=lambda name: name in coupled)

    def draw(rng: np.random.Generator) -> Sequence[float]:
        point: dict[str, Fraction] = {}
        for name in order:
            bounds = alone[name]
            for condition in coupled.get(name, ()):
                bounds &= _solved(condition, name, point)
            point[name] = Fraction(_draw(rng, bounds))
            _settle(name, bounds, point, coupled.get(name, ()))
        if broken := next((c for c in known if not c.holds(point)), None):
            raise _Missed(f"no point was found at which {broken.text} holds")
        return [float(point[name]) for name in arguments]

    def sample(rng: np.random.Generator) -> Sequence[float]:
        for _ in range(MOST_DRAWS - 1):
            try:
                return draw(rng)
            except _Missed:
                continue
        return draw(rng)

    return sample


def _last(names: frozenset[str], arguments: Sequence[str], alone: Mapping[str, Bounds]) -> str:
    """The argument for which a condition is solved: one without bounds of its own, if there is one."""
    return max(names, key=lambda name: (alone[name] == Bounds(), arguments.index(name)))


def _solved(condition: Condition, name: str, point: Mapping[str, Fraction]) -> Bounds:
    """Where a condition that is at most quadratic in an argument holds, the others given."""
    if condition.sign == "!=":  # almost surely
        return Bounds()

    def value(x: int) -> Fraction:
        v = condition.value({**point, name: Fraction(x)})
        return -v if condition.sign in ("<", "<=") else v

    at0, above, below = value(0), value(1), value(-1)
    a, b = (above + below) / 2 - at0, (above - below) / 2
    belongs = condition.sign in (">=", "<=", "=")
    if value(2) != 4 * a + 2 * b + at0 or condition.sign == "=" or a > 0:
        raise DomainError(f"{condition.text} cannot be solved for {name}")
    if a == b == 0:
        if at0 < 0 or (at0 == 0 and not belongs):
            raise _Missed(f"{condition.text} holds for no {name}")
        return Bounds()
    if a == 0:
        end = float(-at0 / b)
        return Bounds(low=end, low_belongs=belongs) if b > 0 else Bounds(high=end, high_belongs=belongs)
    middle, discriminant = -b / (2 * a), (b / (2 * a)) ** 2 - at0 / a
    if discriminant < 0:
        raise _Missed(f"{condition.text} holds for no {name}")
    reach = math.sqrt(discriminant)
    return Bounds(float(middle) - reach, float(middle) + reach, belongs, belongs)


def _draw(rng: np.random.Generator, bounds: Bounds) -> float:
    low, high = bounds.low, bounds.high
    ends = [
        end
        for end, belongs in ((low, bounds.low_belongs), (high, bounds.high_belongs))
        if belongs and abs(end) < math.inf
    ]
    if low == high or (ends and rng.uniform() < SHARE_OF_ENDS):
        return float(rng.choice(ends or [low]))
    if math.isinf(low) and math.isinf(high):
        return math.copysign(_size(rng, SMALLEST, LARGEST), rng.uniform(-1, 1))
    if math.isinf(high):
        return low + _size(rng, SMALLEST, LARGEST)
    if math.isinf(low):
        return high - _size(rng, SMALLEST, LARGEST)
    return _between(rng, low, high)


def _between(rng: np.random.Generator, low: float, high: float) -> float:
    """An angle on the circle over the interval, or a distance from an end or from zero with a uniform logarithm."""
    match rng.integers(4):
        case 0:
            return low + _size(rng, NEAREST, 1) * (high - low)
        case 1:
            return high - _size(rng, NEAREST, 1) * (high - low)
        case 2 if low < 0 < high:
            end = high if rng.uniform(low, high) > 0 else low
            return end * _size(rng, NEAREST, 1)
    return (low + high - (high - low) * math.cos(rng.uniform(0, math.pi))) / 2


def _size(rng: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(math.log(low), math.log(high))))


def _settle(name: str, bounds: Bounds, point: dict[str, Fraction], conditions: Sequence[Condition]) -> None:
    """Move a drawn float inside, where rounding left it just outside."""
    if math.isinf(bounds.low) or math.isinf(bounds.high):
        return
    middle, ulps = (bounds.low + bounds.high) / 2, 1
    start = float(point[name])
    while not all(condition.holds(point) for condition in conditions) and ulps < 2**20:
        step = math.copysign(ulps * math.ulp(start), middle - start)
        point[name] = Fraction(start + step if abs(step) < abs(middle - start) else middle)
        ulps *= 2

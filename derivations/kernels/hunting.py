"""The hunt for arguments at which a kernel's program fails: overflow, a result that is no number, digits that cancel.

Arguments of all sizes in the domain, from a millionth to a million, zero among them where it is allowed, and pairs of
arguments that are nearly equal: what the program gives in doubles is compared with balls. A hunt proves nothing; what
it finds is wrong.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice, permutations
from typing import Any

import sympy as sp
from flint import arb

from derivations.kernels.compiled import lambdified
from derivations.kernels.points import Values, assumed, candidates, inside
from derivations.kernels.reference import DIGITS, LARGEST, SMALLEST_NORMAL, known_at, reference
from derivations.kernels.specification import Specification

SIZES = (0.0, 1e-6, 1e-4, 0.01, 0.1, 0.5, 1.0, 2.0, 3.0, 10.0, 40.0, 100.0, 1e3, 1e4, 1e6)
RANDOM, TRIES = 240, 4000  # points in the domain, and draws for them
NEARLY = 2.0**-30  # relative distance of arguments whose difference may cancel
PAIRS = 90  # of arguments
SUSPECT = 1e-10  # relative error from which a result is looked at closely
TOLERATED = 100.0  # times what rounding and the condition of the formula allow
LARGEST_DOUBLE = 1.797e308


@dataclass(frozen=True)
class Failure:
    """Arguments at which a result of the program is wrong."""

    point: Values
    result: str
    computed: float
    exact: str
    where: str  # the part of the formula that fails, as far as it is known

    def __str__(self) -> str:
        values = list(self.point.values())
        alike = any(a != b and f"{a:.6g}" == f"{b:.6g}" for a, b in combinations(values, 2))
        at = ", ".join(f"{name} = {value:.{12 if alike else 6}g}" for name, value in self.point.items())
        because = f", as {self.where}" if self.where else ""
        return f"at {at} it gives {self.result} = {self.computed:.10g}{because}; the value is {self.exact}"


def hunt(kernel: Specification, most: int | None = None) -> Failure | None:
    """Arguments at which the program of a kernel of numbers fails, the smallest that were found; None where none were.

    most: how many points are tried, of which the plainest come first; all of them otherwise.

    >>> from derivations.kernels.kernel import Kernel
    >>> t = sp.Symbol("t", positive=True)
    >>> print(hunt(Kernel("k", state=[t], returns={"a": sp.exp(t) / (1 + sp.exp(t))})))
    at t = 1000 it gives a = nan, as exp(t) overflows; the value is 1.000000000
    >>> hunt(Kernel("k", state=[t], returns={"a": 1 / (1 + sp.exp(-t))}))
    """
    import numpy as np

    places = list(islice(points(kernel), most))
    if not places:
        return None
    with np.errstate(all="ignore"):
        computed = lambdified(kernel, "numpy")(*np.array([list(place.values()) for place in places]).T)
    for k, place in enumerate(places):
        results = {
            name: float(np.broadcast_to(v, len(places))[k]) for name, v in zip(kernel.returns, computed, strict=True)
        }
        if (failure := _failure(kernel, place, results)) is not None:
            return failure
    return None


def has_values_of(changed: Specification, kernel: Specification) -> bool:
    """Return whether another form of a kernel has the same value at all points of the hunt where the kernel has one."""
    for point in points(kernel):
        given = [Fraction(value) for value in point.values()]
        try:
            known = known_at(kernel, given, DIGITS)
        except (ZeroDivisionError, OverflowError):
            continue
        try:
            values = known_at(changed, given, DIGITS)
        except (ZeroDivisionError, OverflowError):
            return False
        for name in kernel.returns:
            if known[name].is_finite() and not (values[name].is_finite() and values[name].overlaps(known[name])):
                return False
    return True


def points(kernel: Specification) -> Iterator[Values]:
    """Arguments in the domain, the plain ones first: each argument through all sizes, then all at random."""
    drawn = [*_swept(kernel), *_beside(kernel), *islice(_drawn(kernel), RANDOM)]
    by_arguments = {tuple(point.values()): point for point in [*candidates(kernel), *drawn]}
    yield from sorted(by_arguments.values(), key=_how_plain)


def _how_plain(point: Values) -> tuple[int, float]:
    """Points of listed sizes and whole numbers first, and among them those that are near to one."""
    odd = sum(abs(value) not in SIZES and not value.is_integer() for value in point.values())
    return odd, sum(abs(math.log10(abs(value) or 1e-3)) for value in point.values())


def _swept(kernel: Specification) -> Iterator[Values]:
    """From a few plain points, one argument at a time through all sizes."""
    for start in islice(candidates(kernel), 3):
        for name in kernel.arguments:
            for size in SIZES:
                for sign in (1, -1):
                    point = {**start, name: sign * size}
                    if inside(kernel, point):
                        yield point


def _beside(kernel: Specification) -> Iterator[Values]:
    """Plain points at which one argument is nearly another, so that their difference is small."""
    for start in islice(candidates(kernel), 3):
        for name, other in islice(permutations(kernel.arguments, 2), PAIRS):
            point = {**start, name: start[other] * (1 + NEARLY)}
            if inside(kernel, point):
                yield point


def _drawn(kernel: Specification) -> Iterator[Values]:
    rng, assumptions = random.Random(hashlib.sha256(kernel.sha256.encode()).digest()), assumed(kernel)
    for _ in range(TRIES):
        point = {name: rng.choice(SIZES) * rng.choice((1, -1, rng.uniform(0.5, 2.0))) for name in kernel.arguments}
        point = {name: abs(v) if {"positive", "nonnegative"} & {*assumptions[name]} else v for name, v in point.items()}
        if inside(kernel, point):
            yield point


# --- one point --------------------------------------------------------------------------------------------------------


def _failure(kernel: Specification, point: Values, computed: dict[str, float]) -> Failure | None:
    """The first result that is wrong at a point."""
    try:
        known = known_at(kernel, [Fraction(value) for value in point.values()], DIGITS)
    except (ZeroDivisionError, OverflowError):
        return None
    for name, value in computed.items():
        ball = known[name]
        if not (ball.is_finite() and (ball == 0 or ball.rel_accuracy_bits() > 60)):
            continue
        if _is_wrong(kernel, point, name, value, ball):
            shown = ball.str(10, radius=False)
            return Failure(point, name, value, shown, _part_that_fails(kernel, point, value))
    return None


def _is_wrong(kernel: Specification, point: Values, name: str, value: float, ball: Any) -> bool:
    if abs(ball) > arb(int(LARGEST)):
        return math.isnan(value)
    if not math.isfinite(value):
        return True
    small = arb(1) / arb(SMALLEST_NORMAL.denominator)
    if abs(ball) < small:
        return abs(value) > 1e-290
    if not abs(arb(value) - ball) > SUSPECT * abs(ball):
        return False
    exact = reference(kernel, tuple(point.values()))
    if exact is None:
        return False
    allowed = exact.allowed[list(kernel.returns).index(name)]
    return bool(abs(arb(value) - ball) > TOLERATED * allowed)


def _part_that_fails(kernel: Specification, point: Values, value: float) -> str:
    """The innermost part of the formulas that is larger than any double, or cancels."""
    numbers = {s: sp.Float(point[s.name], 30) for s in kernel.content.symbols}  # type: ignore[union-attr]
    shared = dict(kernel.content.shared)  # type: ignore[union-attr]
    for name, part in shared.items():  # they may use each other
        numbers[name] = _value(part, numbers)
    returns = [sp.sympify(expression).subs(shared) for expression in kernel.content.returns.values()]
    for whole in (*shared.values(), *returns):
        for part in sp.postorder_traversal(whole):
            if isinstance(part, sp.Pow | sp.exp | sp.sinh | sp.cosh) and _size(part, numbers) > LARGEST_DOUBLE:
                return f"{part} overflows"
        if math.isfinite(value):
            for part in sp.postorder_traversal(whole):
                if isinstance(part, sp.Add):
                    largest = max(_size(term, numbers) for term in part.args)
                    if largest > 1e6 * _size(part, numbers):
                        return f"the terms of {part} cancel"
    return ""


def _value(part: Any, numbers: dict[Any, Any]) -> Any:
    """SymPy's value of a part, or zero without one: it only helps to name a part that fails."""
    try:
        return part.evalf(30, subs=numbers)
    except (TypeError, ValueError, OverflowError, KeyError):
        return sp.Integer(0)


def _size(part: Any, numbers: dict[Any, Any]) -> Any:
    size = abs(_value(part, numbers))
    return size if isinstance(size, sp.Number) and size is not sp.nan else sp.Integer(0)

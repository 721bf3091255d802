"""Exact values of a kernel at exact points, as balls and as decimal text, and how far from them a float may be.

A good program on floats stays within

    |computed - exact| <= 8 ulp(exact) + 4 sum_i |df/dx_i| ulp(x_i)/2

of the exact value at the same floats: the first term is what rounding the result may cost, the second what rounding the
arguments would. A kernel that says how many digits it loses is allowed that much more. Every number here comes from
ball arithmetic with as many digits as that takes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from derivations.kernels.kernel import Kernel, KernelError
from derivations.kernels.programs import Line, Operation
from derivations.language.evaluate import Ball, ball

ROUNDING, CONDITIONING = 8, 4  # ulps of the result, and how many times the half ulps of the arguments
DIGITS, MOST_DIGITS = 60, 4000
GUARD = 4  # digits known beyond those shown
STEP = Fraction(1, 2**20)  # of an argument's ulp, in central differences
NOTHING = Fraction(1, 2**1200)  # below every float: a ball of this size around zero counts as zero
LARGEST, SMALLEST_NORMAL = Fraction(2) ** 1023, Fraction(1, 2**1022)

Number = Any  # a Fraction or a ball
Balls = dict[str, Ball]


# --- evaluation -------------------------------------------------------------------------------------------------------


def known_at(kernel: Kernel, point: Mapping[str, Number], digits: int, lines: Sequence[Line] | None = None) -> Balls:
    """Arguments, shared parts and returns by name; with lines of a program of the kernel, their values."""
    with ctx.workdps(digits):
        known = {name: value if isinstance(value, arb) else ball(Fraction(value)) for name, value in point.items()}
        for line in kernel.formulas if lines is None else lines:
            known[line.name] = _line(line, known)
    return known


def taken(line: Line, known: Balls) -> int | None:
    """Which case of a line is computed; None where the balls do not decide it."""
    for k, (condition, _) in enumerate(line.cases):
        holds = True if condition is None else _decided(condition, known)
        if holds is None:
            return None
        if holds:
            return k
    return None


def _line(line: Line, known: Balls) -> Ball:
    *cases, (_, last) = line.cases
    for k, (condition, value) in enumerate(cases):
        assert condition is not None
        holds = _decided(condition, known)
        if holds is None:  # a ball around both
            return _value(value, known).union(_line(Line(line.name, line.cases[k + 1 :]), known))
        if holds:
            return _value(value, known)
    return _value(last, known)


def _decided(relation: Operation, known: Balls) -> bool | None:
    sign, left, right = relation
    difference = _value(left, known) - _value(right, known)
    surely, surely_not = {
        ">": (difference > 0, difference <= 0),
        ">=": (difference >= 0, difference < 0),
        "=": (difference == 0, difference != 0),
        "!=": (difference != 0, difference == 0),
    }[sign]
    return True if surely else False if surely_not else None


def _value(operation: Operation, known: Balls) -> Ball:
    head = operation[0]
    match head:
        case "s":
            return known[operation[1]]
        case "q":
            return ball(Fraction(operation[1]))
        case "pi":
            return arb.pi()
        case "*":
            above = _product(operation[2], known) * ball(Fraction(operation[1]))
            return above / _product(operation[3], known) if operation[3] else above
        case "^":  # by multiplication: FLINT's own power is undefined on balls that contain zero
            return _product([operation[1]] * operation[2], known)
    first, *rest = (_value(part, known) for part in operation[1:])
    match head:
        case "+":
            return sum(rest, start=first)
        case "**":
            return (first.log() * rest[0]).exp()
        case "sqrt":
            return arb.nan() if first < 0 else first.nonnegative_part().sqrt()
        case "cbrt":
            return first.root(3)
        case "abs":
            return abs(first)
        case "relexp":
            return first.hypgeom_1f1(1, 2)
        case "relexp1":
            return first.hypgeom_1f1(2, 3) / 2
    return getattr(first, head)()


def _product(factors: Sequence[Operation], known: Balls) -> Ball:
    product = arb(1)
    for factor in factors:
        product *= _value(factor, known)
    return product


# --- what a user asks for ---------------------------------------------------------------------------------------------


def exactly(name: str, value: Any) -> Fraction:
    """The number as written."""
    try:
        if isinstance(value, str) and "0x" in value:
            return Fraction(float.fromhex(value))
        if isinstance(value, str | int | float | Fraction | Decimal):
            return Fraction(value)
        return Fraction(int(value.p), int(value.q))  # SymPy's rationals
    except (ValueError, OverflowError, AttributeError, ZeroDivisionError):
        raise KernelError(
            f"{name} = {value!r} is no exact number: give an integer, a float, a fraction, or text such as 0.1 or 1/3"
        ) from None


def read(kernel: Kernel, point: Mapping[str, Any] | Sequence[Any]) -> dict[str, Number]:
    """The arguments by name; a ball is taken as it is."""
    names = kernel.arguments
    given = point if isinstance(point, Mapping) else dict(zip(names, point, strict=len(point) == len(names)))
    if set(given) != set(names) or len(point) != len(names):
        raise KernelError(
            f"a point of the kernel {kernel.name} has {len(names)} numbers, for {', '.join(names)}; "
            f"this one has {len(point)}" + (f", for {', '.join(map(str, given))}" if given is point else "")
        )
    return {name: v if isinstance(v := given[name], arb) else exactly(name, v) for name in names}


def balls(kernel: Kernel, point: Sequence[Any], digits: int) -> tuple[Ball, ...]:
    """The returns at a point."""
    known = known_at(kernel, read(kernel, point), digits)
    return tuple(known[name] for name in kernel.returns)


def decimals(kernel: Kernel, point: Mapping[str, Any] | Sequence[Any], digits: int) -> dict[str, str]:
    """The returns at a point as decimal text."""
    if digits < 1:
        raise KernelError(f"{digits} digits were asked for: ask for one at least")
    exact = read(kernel, point)
    working = max(DIGITS, 2 * digits)
    while working <= max(MOST_DIGITS, 4 * digits):
        known = known_at(kernel, exact, working)
        found = [known[name] for name in kernel.returns]
        if all(_is_known(value, digits) for value in found):
            return {name: decimal(value, digits) for name, value in zip(kernel.returns, found, strict=True)}
        working *= 2
    lost = next(name for name in kernel.returns if not _is_known(known[name], digits))
    raise KernelError(
        f"{lost} of the kernel {kernel.name} has no value that {working // 2} digits can tell "
        f"at {', '.join(f'{n} = {v}' for n, v in exact.items())}"
    )


def _is_known(value: Ball, digits: int) -> bool:
    if not value.is_finite():
        return False
    middle, radius = abs(_fraction(value.mid())), _fraction(value.rad())
    return radius <= middle / 10 ** (digits + GUARD) or middle + radius < NOTHING


def decimal(value: Ball, digits: int) -> str:
    """The middle of a ball, rounded to so many digits."""
    middle = _fraction(value.mid())
    if abs(middle) < NOTHING:
        return "0"
    with localcontext() as context:
        context.prec = digits
        return _plainly(Decimal(middle.numerator) / Decimal(middle.denominator))


def _plainly(number: Decimal) -> str:
    """Ordinary sizes without an exponent, and no zeros at the end."""
    number = number.normalize()
    return f"{number:f}" if -6 <= number.adjusted() < 16 else f"{number:e}"


def _fraction(point: Ball) -> Fraction:
    """The exact value of a ball without a radius."""
    mantissa, exponent = point.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


# --- references for tests ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reference:
    """A point of floats with the value of every return to 30 digits, how far off a float may be, and the slopes.

    `slopes` holds one row for every return; it is None where a slope has no value, or branches meet.
    """

    point: tuple[float, ...]
    texts: tuple[str, ...]
    allowed: tuple[float, ...]
    slopes: tuple[tuple[float, ...], ...] | None


SHOWN = 30


def reference(kernel: Kernel, point: Mapping[str, float]) -> Reference | None:
    """What a program should find at a point; None where a result is undefined, overflows or is subnormal."""
    point = {name: point[name] for name in kernel.arguments}
    exact = {name: Fraction(value) for name, value in point.items()}
    digits = DIGITS
    while digits <= MOST_DIGITS:
        known = known_at(kernel, exact, digits)
        values = [known[name] for name in kernel.returns]
        if all(_is_known(value, SHOWN) for value in values):
            break
        digits *= 2
    else:
        return None
    middles = [_fraction(value.mid()) for value in values]
    if any(abs(m) > LARGEST or 0 < abs(m) < SMALLEST_NORMAL for m in middles):
        return None
    columns = [list(_slopes(kernel, point, name, digits)) for name in kernel.arguments]
    slopes = [tuple(column[k] for column in columns) for k in range(len(values))]
    allowed = [
        _allowed(float(m), row, point) * 10.0**kernel.lost_digits for m, row in zip(middles, slopes, strict=True)
    ]
    return Reference(
        tuple(point[name] for name in kernel.arguments),
        tuple(decimal(value, SHOWN) for value in values),
        tuple(float(f"{error:.3g}") for error in allowed),
        tuple(slopes)
        if all(math.isfinite(s) for row in slopes for s in row) and not _at_a_join(kernel, known)
        else None,
    )


def _at_a_join(kernel: Kernel, known: Balls) -> bool:
    """Whether a condition of a branch holds, or fails, with equality: branches meet there."""
    relations = [condition for line in kernel.formulas for condition, _ in line.cases if condition is not None]
    return any(_value(left, known) - _value(right, known) == 0 for _, left, right in relations)


def _allowed(value: float, slopes: Sequence[float], point: Mapping[str, float]) -> float:
    rounding = ROUNDING * math.ulp(value)
    known = ((abs(slope), math.ulp(x)) for slope, x in zip(slopes, point.values(), strict=True) if math.isfinite(slope))
    return rounding + CONDITIONING * sum(slope * ulp / 2 for slope, ulp in known)


def _slopes(kernel: Kernel, point: Mapping[str, float], name: str, digits: int) -> Iterator[float]:
    """The derivatives of all returns by an argument, by differences far below its ulp.

    Not a number where the slopes of both sides differ: at kinks, and at edges where a slope is infinite. At a zero,
    which is no rounded number, the step is taken from the ulp of one.
    """
    exact = {n: Fraction(v) for n, v in point.items()}
    step = Fraction(math.ulp(point[name] or 1.0)) * STEP
    there, above, below = (
        known_at(kernel, exact | {name: exact[name] + side}, 2 * digits) for side in (Fraction(0), step, -step)
    )
    for result in kernel.returns:
        with ctx.workdps(2 * digits):
            right, left = (
                (side[result] - there[result]) / ball(signed) for side, signed in ((above, step), (below, -step))
            )
            smooth = abs(right - left) <= (abs(right) + abs(left)) / 10**4 + ball(Fraction(1, 10**20))
        yield float(right.mid()) if right.is_finite() and smooth else math.nan

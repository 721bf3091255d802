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
from functools import lru_cache
from typing import Any

from flint import arb, arb_mat, ctx

from derivations.kernels.balls import Known, Twin, decided
from derivations.kernels.program import Program
from derivations.kernels.specification import Specification
from derivations.kernels.specification.names import KernelError
from derivations.language.evaluate import Ball
from derivations.text.doors import shown

ROUNDING, CONDITIONING = 8, 4  # ulps of the result, and how many times the half ulps of the arguments
DIGITS, MOST_DIGITS = 60, 4000
MOST_ASKED = 100_000  # digits of a value
GUARD = 4  # digits known beyond those shown
STEP = Fraction(1, 2**20)  # of an argument's ulp, in central differences
NOTHING = Fraction(1, 2**1200)  # below every float: a ball of this size around zero counts as zero
LARGEST, SMALLEST_NORMAL = Fraction(2) ** 1023, Fraction(1, 2**1022)
NORMWISE = (
    32  # how much more than a number an eigenvalue solver or an inverse may lose, as a share of the largest entry
)

Number = Any  # a Fraction or a ball; nested rows of them for arrays
Place = tuple[int, tuple[int, ...]]
"""The place of a number among the arguments: in which of them, and where in it."""


# --- evaluation -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _twin(kernel: Specification, *, quick: bool = False) -> Twin:
    """The author's formulas, or the program made of them."""
    program = kernel.program if quick else kernel.content.formulas
    rows = [value.row for value in program.inputs]
    called = {part.name: _twin(part) for part in kernel.content.called}
    return Twin(rows, program.data, [value.name for value in program.returns], called)


def _require_digits(digits: int) -> None:
    if not 1 <= digits <= MOST_ASKED:
        raise KernelError(f"{shown(digits)} digits were asked for: ask for 1 to {MOST_ASKED}")


def known_at(kernel: Specification, point: Sequence[Number], digits: int, program: Program | None = None) -> Known:
    """Arguments, what lies between, and returns by name; with the program of the kernel, also what it computes once."""
    try:
        return _twin(kernel, quick=program is not None).values(point, digits)
    except ValueError as trouble:  # shapes that do not fit
        raise KernelError(f"the kernel {kernel.name} has no value at this point: {trouble}") from None


def taken(line: Sequence[Any], known: Known, digits: int) -> int | None:
    """Which case of a line is computed; None where the balls do not decide it."""
    with ctx.workdps(digits):
        for k, (condition, _) in enumerate(line[2]):
            holds = True if condition is None else decided(condition, known)
            if holds is None:
                return None
            if holds:
                return k
    return None


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
            f"{name} = {shown(value)} is no exact number: give an integer, a float, a fraction, or text such as 1/3"
        ) from None


def read(kernel: Specification, point: Mapping[str, Any] | Sequence[Any]) -> list[Number]:
    """The arguments in order; a ball is taken as it is."""
    names = kernel.arguments
    given = point if isinstance(point, Mapping) else dict(zip(names, point, strict=len(point) == len(names)))
    if set(given) != set(names) or len(point) != len(names):
        raise KernelError(
            f"a point of the kernel {kernel.name} has {len(names)} numbers, for {', '.join(names)}; "
            f"this one has {len(point)}" + (f", for {', '.join(map(str, given))}" if given is point else "")
        )
    return [_read(value.name, given[value.name], len(value.axes)) for value in kernel.inputs]


def _read(name: str, value: Any, depth: int) -> Number:
    if not depth:
        return value if isinstance(value, arb) else exactly(name, value)
    rows = value.tolist() if hasattr(value, "tolist") else value
    if not isinstance(rows, list | tuple):
        raise KernelError(f"{name} = {shown(value)} is no array: give nested rows of numbers")
    return [_read(name, row, depth - 1) for row in rows]


def balls(kernel: Specification, point: Sequence[Any], digits: int) -> tuple[Ball, ...]:
    """The returns at a point."""
    _require_digits(digits)
    known = known_at(kernel, read(kernel, point), digits)
    return tuple(known[name] for name in kernel.returns)


def decimals(kernel: Specification, point: Mapping[str, Any] | Sequence[Any], digits: int) -> dict[str, Any]:
    """The returns at a point as decimal text."""
    _require_digits(digits)
    exact = read(kernel, point)
    working = max(DIGITS, 2 * digits)
    while working <= max(MOST_DIGITS, 4 * digits):
        known = _found(kernel, exact, working)
        if known and all(_is_known(value, digits) for name in kernel.returns for value in leaves(known[name])):
            return {name: _texts(known[name], digits) for name in kernel.returns}
        working *= 2
    returns = (n for n in kernel.returns if not (known and all(_is_known(v, digits) for v in leaves(known[n]))))
    lost = next(returns)
    shown = zip(kernel.arguments, exact, strict=True)
    raise KernelError(
        f"{lost} of the kernel {kernel.name} has no value that {working // 2} digits can tell "
        f"at {', '.join(f'{n} = {v}' for n, v in shown)}"
    )


def _found(kernel: Specification, exact: Sequence[Number], digits: int) -> Known:
    """All values; none where these digits do not tell a matrix from one without an inverse."""
    try:
        return known_at(kernel, exact, digits)
    except ZeroDivisionError:
        return {}


def leaves(value: Any) -> Iterator[Any]:
    """The numbers of nested lists, or of a matrix, row by row."""
    if isinstance(value, arb_mat):
        yield from value.entries()
    elif isinstance(value, list | tuple):
        for row in value:
            yield from leaves(row)
    else:
        yield value


def _texts(value: Any, digits: int) -> Any:
    if isinstance(value, arb_mat):
        return _texts(value.tolist(), digits)
    return [_texts(row, digits) for row in value] if isinstance(value, list) else decimal(value, digits)


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
    """Arguments of floats with the value of every entry of every return to 30 digits, and how far off a float may be.

    `allowed` holds the largest error of any entry of each return. `slopes` holds, for kernels of numbers, a row of
    derivatives for every return; it is None where a slope has no value, or branches meet.
    """

    point: tuple[Any, ...]
    texts: tuple[tuple[str, ...], ...]
    allowed: tuple[float, ...]
    slopes: tuple[tuple[float, ...], ...] | None


SHOWN = 30


def reference(kernel: Specification, point: Sequence[Any]) -> Reference | None:
    """The values that a program should compute at arguments; None where one is undefined, overflows or is subnormal."""
    digits = DIGITS
    while digits <= MOST_DIGITS:
        try:
            known = known_at(kernel, point, digits)
        except ZeroDivisionError:  # a matrix without an inverse
            return None
        values = [list(leaves(known[name])) for name in kernel.returns]
        if all(_is_known(value, SHOWN) for entries in values for value in entries):
            break
        digits *= 2
    else:
        return None
    middles = [[_fraction(value.mid()) for value in entries] for entries in values]
    if any(abs(m) > LARGEST or 0 < abs(m) < SMALLEST_NORMAL for entries in middles for m in entries):
        return None
    places = [*_places(kernel, point)]
    columns = [list(_slopes(kernel, point, place, digits)) for place in places]
    sizes = [math.ulp(_number(point, place)) for place in places]
    rows = [[[column[r][k] for column in columns] for k in range(len(entries))] for r, entries in enumerate(middles)]
    matrices = any(value.kind == "matrix" for value in kernel.inputs)
    factor = 10.0**kernel.lost_digits * (NORMWISE if matrices else 1)
    allowed = [
        factor * max((_allowed(float(m), row, sizes) for m, row in zip(entries, texts, strict=True)), default=0.0)
        for entries, texts in zip(middles, rows, strict=True)
    ]
    smooth = all(not value.axes for value in (*kernel.inputs, *kernel.results)) and not _at_a_join(kernel, known)
    slopes = tuple(tuple(row[0]) for row in rows) if smooth else ()
    return Reference(
        tuple(point),
        tuple(tuple(decimal(value, SHOWN) for value in entries) for entries in values),
        tuple(float(f"{error:.3g}") for error in allowed),
        slopes if smooth and all(math.isfinite(s) for row in slopes for s in row) else None,
    )


def _at_a_join(kernel: Specification, known: Known) -> bool:
    """Return whether a condition of a branch holds, or fails, with equality: branches meet there."""
    lines = [line for line in kernel.content.formulas.body if line[0] == "="]
    relations = [condition for line in lines for condition, _ in line[2] if condition is not None]
    return any(decided(("=", left, right), known) for _, left, right in relations)


def _allowed(value: float, slopes: Sequence[float], ulps: Sequence[float]) -> float:
    rounding = ROUNDING * math.ulp(value)
    known = ((abs(slope), ulp) for slope, ulp in zip(slopes, ulps, strict=True) if math.isfinite(slope))
    return rounding + CONDITIONING * sum(slope * ulp / 2 for slope, ulp in known)


# --- one number among the arguments -----------------------------------------------------------------------------------


def _places(kernel: Specification, point: Sequence[Any]) -> Iterator[Place]:
    """Every number; of a symmetric array those on one side."""
    for k, (value, given) in enumerate(zip(kernel.inputs, point, strict=True)):
        for at in _inside(given):
            if value.kind != "symmetric" or at[0] <= at[1]:
                yield k, at


def _inside(given: Any) -> Iterator[tuple[int, ...]]:
    if not isinstance(given, list | tuple):
        yield ()
        return
    for k, row in enumerate(given):
        yield from ((k, *at) for at in _inside(row))


def _number(point: Sequence[Any], place: Place) -> float:
    number = point[place[0]]
    for k in place[1]:
        number = number[k]
    return float(number)


def _moved(kernel: Specification, point: Sequence[Any], place: Place, by: Fraction) -> list[Any]:
    k, at = place
    mirrored = {at, at[::-1]} if kernel.inputs[k].kind == "symmetric" else {at}
    return [_changed(value, mirrored if m == k else set(), by) for m, value in enumerate(point)]


def _changed(value: Any, places: set[tuple[int, ...]], by: Fraction) -> Any:
    if not isinstance(value, list | tuple):
        return Fraction(value) + (by if () in places else 0)
    return [_changed(row, {at[1:] for at in places if at and at[0] == k}, by) for k, row in enumerate(value)]


def _slopes(kernel: Specification, point: Sequence[Any], place: Place, digits: int) -> Iterator[list[float]]:
    """The derivatives of all entries of every return by one number, by differences far below its ulp.

    Not a number where the slopes of both sides differ: at kinks, and at edges where a slope is infinite. At a zero,
    which is no rounded number, the step is taken from the ulp of one.
    """
    step = Fraction(math.ulp(_number(point, place) or 1.0)) * STEP
    there, above, below = (
        known_at(kernel, _moved(kernel, point, place, side), 2 * digits) for side in (Fraction(0), step, -step)
    )
    for name in kernel.returns:
        entries = zip(*(leaves(side[name]) for side in (there, above, below)), strict=True)
        yield [_slope(here, up, down, step, digits) for here, up, down in entries]


def _slope(here: Ball, up: Ball, down: Ball, step: Fraction, digits: int) -> float:
    with ctx.workdps(2 * digits):
        size = arb(step.numerator) / step.denominator
        right, left = (up - here) / size, (here - down) / size
        smooth = abs(right - left) <= (abs(right) + abs(left)) / 10**4 + arb(10) ** -20
    return float(right.mid()) if right.is_finite() and smooth else math.nan

"""Values of scalar terms by plain arithmetic: no rule of a prover is used, and derivatives are differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath

DIGITS = 60  # their quarter is the step of a difference: a function may turn within a millionth of its argument
FLOAT_STEP, LEAST_SIZE = 1e-5, 1e-2  # of a difference of floats, of which shorter steps leave rounding errors alone
Number = Any  # mpmath.mpf, or a float
Values = Mapping[str, Number]


class NoValue(ArithmeticError):
    """A term has no value at a point: a division by zero, a root or a logarithm outside its domain."""


def value(term: Any, at: Values, fast: bool = False) -> Number:
    """The value of a term at a point, with many digits or, if fast, in floats; `NoValue` where it has none.

    >>> value(("^", ("q", "4"), ("q", "1/2")), {})
    mpf('2.0')
    """
    context = mpmath.fp if fast else mpmath.mp
    head = term[0]
    match head:
        case "s":
            return at[term[1]]
        case "q":
            return number(term[1], fast)
        case "pi":
            return context.pi + 0
        case "+":
            return context.fsum([value(part, at, fast) for part in term[1:]])
        case "*":
            return context.fprod([value(part, at, fast) for part in term[1:]])
        case "^":
            return _power(value(term[1], at, fast), value(term[2], at, fast), context)
        case "D" if term[2] not in at:  # a symbol that stands nowhere in the statement
            return 0 * value(term[1], at, fast)
        case "D":
            return _slope(lambda moved: value(term[1], {**at, term[2]: moved}, fast), at[term[2]], fast)
        case "at":
            return value(term[1], {**at, **{name: value(part, at, fast) for name, part in term[2]}}, fast)
    return _function(head, value(term[1], at, fast), context)


def number(text: str | int | Fraction, fast: bool = False) -> Number:
    return _number(text, 0 if fast else mpmath.mp.prec)


@lru_cache(maxsize=1 << 14)  # the same few numbers stand in a statement at all of its instances
def _number(text: str | int | Fraction, bits: int) -> Number:
    """A number with so many bits, or as a float if there are none."""
    fraction = Fraction(text)
    return mpmath.mpf(fraction.numerator) / fraction.denominator if bits else float(fraction)


def _power(base: Number, exponent: Number, context: Any) -> Number:
    """A power; a fraction as exponent means the real root that is not negative."""
    if base == 0 and exponent < 0:
        raise NoValue("a division by zero")
    whole = exponent == int(exponent)
    if base < 0 and not whole:
        raise NoValue("a root of a negative number")
    return context.power(base, int(exponent) if whole else exponent)


def _slope(of: Callable[[Number], Number], here: Number, fast: bool) -> Number:
    """A derivative by central differences, extrapolated."""
    size = max(abs(here), LEAST_SIZE) if fast else abs(here) or 1
    step = FLOAT_STEP * size if fast else mpmath.mpf(10) ** (-DIGITS // 4) * size

    def central(h: Number) -> Number:
        return (of(here + h) - of(here - h)) / (2 * h)

    return (4 * central(step / 2) - central(step)) / 3


def _function(name: str, x: Number, context: Any) -> Number:
    if (name == "log" and x <= 0) or (name == "asin" and abs(x) > 1) or (name == "lambertw" and x * context.e < -1):
        raise NoValue(f"{name} outside its domain")
    match name:
        case "abs":
            return abs(x)
        case "relexp":
            return context.expm1(x) / x if x else x + 1
        case "relexp1":
            return (context.exp(x) * (x - 1) + 1) / x**2 if x else (x + 1) / 2
    if name in GROWING and abs(x) > LARGEST:
        raise NoValue(f"{name} of it is too large to write down")
    if name not in PLAIN:
        raise NoValue(f"no function is called {name} here")
    found: Number = getattr(context, name)(x)
    return found


GROWING, LARGEST = ("exp", "expm1", "sinh", "cosh"), 10**300
PLAIN = frozenset(
    ("exp", "log", "sinh", "cosh", "tanh", "sin", "cos", "erf", "asin", "atan", "lambertw", "digamma", "expm1")
)

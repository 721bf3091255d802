"""Values of scalar terms by plain arithmetic: no rule of a prover is used, and derivatives are differences."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath
import numpy as np
from scipy import special

DIGITS = 60  # their quarter is the step of a difference: a function may turn within a millionth of its argument
FLOAT_STEP, LEAST_SIZE = 1e-5, 1e-2  # of a difference of floats, of which shorter steps leave rounding errors alone
GROWING, LARGEST = ("exp", "expm1", "sinh", "cosh"), 10**300
NEAR, TERMS = 0.1, 10  # where a function that cancels is its series, and how many terms that has
Number = Any  # mpmath.mpf, a float, or an array of floats
Values = Mapping[str, Number]
Function = Callable[[Number], Number]


class NoValue(ArithmeticError):
    """A term has no value at a point: a division by zero, a root or a logarithm outside its domain."""


@dataclass(frozen=True)
class Arithmetic:
    """One kind of numbers, and what is computed with them."""

    number: Callable[[str], Number]
    pi: Callable[[], Number]
    total: Callable[[list[Number]], Number]
    product: Callable[[list[Number]], Number]
    power: Callable[[Number, Number], Number]
    step: Function  # of a difference
    functions: Mapping[str, Function]


def value(term: Any, at: Values, fast: bool = False) -> Number:
    """The value of a term at a point with many digits; `NoValue` where it has none.

    If it is fast, it is computed in floats, or at many points at once in arrays of floats; `NoValue` where it has none
    at any of them.

    >>> value(("^", ("q", "4"), ("q", "1/2")), {})
    mpf('2.0')
    >>> value(("exp", ("s", "x")), {"x": np.array([0.0, 1.0])}, fast=True).round(6).tolist()
    [1.0, 2.718282]
    """
    if not fast:
        return _value(term, at, PRECISE)
    try:
        with np.errstate(divide="raise", over="raise", invalid="raise", under="ignore"):
            return _value(term, at, FLOATS)
    except FloatingPointError as trouble:
        raise NoValue(str(trouble)) from None


def _value(term: Any, at: Values, using: Arithmetic) -> Number:
    head = term[0]
    match head:
        case "s":
            return at[term[1]]
        case "q":
            return using.number(term[1])
        case "pi":
            return using.pi()
        case "+":
            return using.total([_value(part, at, using) for part in term[1:]])
        case "*":
            return using.product([_value(part, at, using) for part in term[1:]])
        case "^":
            return using.power(_value(term[1], at, using), _value(term[2], at, using))
        case "D" if term[2] not in at:  # a symbol that stands nowhere in the statement
            return 0 * _value(term[1], at, using)
        case "D":
            return _slope(lambda moved: _value(term[1], {**at, term[2]: moved}, using), at[term[2]], using)
        case "at":
            return _value(term[1], {**at, **{name: _value(part, at, using) for name, part in term[2]}}, using)
    if head not in using.functions:
        raise NoValue(f"no function is called {head} here")
    return using.functions[head](_value(term[1], at, using))


def _slope(of: Function, here: Number, using: Arithmetic) -> Number:
    """A derivative by central differences, extrapolated."""
    step = using.step(here)

    def central(h: Number) -> Number:
        return (of(here + h) - of(here - h)) / (2 * h)

    return (4 * central(step / 2) - central(step)) / 3


# --- many digits ------------------------------------------------------------------------------------------------------


def number(text: str | int | Fraction) -> Number:
    return _number(text, mpmath.mp.prec)


@lru_cache(maxsize=1 << 14)  # the same few numbers stand in a statement at all of its instances
def _number(text: str | int | Fraction, _bits: int) -> Number:
    fraction = Fraction(text)
    return mpmath.mpf(fraction.numerator) / fraction.denominator


def _power(base: Number, exponent: Number) -> Number:
    """A power; a fraction as exponent means the real root that is not negative."""
    if base == 0 and exponent < 0:
        raise NoValue("a division by zero")
    whole = exponent == int(exponent)
    if base < 0 and not whole:
        raise NoValue("a root of a negative number")
    return mpmath.power(base, int(exponent) if whole else exponent)


def _defined(name: str) -> Function:
    """A function of mpmath where it is real, and not too large to write down."""

    def function(x: Number) -> Number:
        if (name == "log" and x <= 0) or (name == "asin" and abs(x) > 1) or (name == "lambertw" and x * mpmath.e < -1):
            raise NoValue(f"{name} outside its domain")
        if name in GROWING and abs(x) > LARGEST:
            raise NoValue(f"{name} of it is too large to write down")
        return getattr(mpmath, name)(x)

    return function


PLAIN = ("exp", "log", "sinh", "cosh", "tanh", "sin", "cos", "erf", "asin", "atan", "lambertw", "digamma", "expm1")
PRECISE = Arithmetic(
    number,
    lambda: mpmath.pi + 0,
    mpmath.fsum,
    mpmath.fprod,
    _power,
    lambda here: mpmath.mpf(10) ** (-DIGITS // 4) * (abs(here) or 1),
    {name: _defined(name) for name in PLAIN}
    | {
        "abs": abs,
        "relexp": lambda x: mpmath.expm1(x) / x if x else x + 1,
        "relexp1": lambda x: (mpmath.exp(x) * (x - 1) + 1) / x**2 if x else (x + 1) / 2,
    },
)


# --- floats -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def _float(text: str) -> float:
    return float(Fraction(text))


def _lambertw(x: Number) -> Number:
    if np.any(x * np.e < -1):
        raise NoValue("lambertw outside its domain")
    return special.lambertw(x).real


def _digamma(x: Number) -> Number:
    if np.any((x <= 0) & (x == np.floor(x))):
        raise NoValue("digamma at a pole")
    return special.psi(x)


def _relexp(x: Number) -> Number:
    away = np.where(x == 0, 1.0, x)
    return np.where(x == 0, 1.0, np.expm1(away) / away)


def _relexp1(x: Number) -> Number:
    """By its series close to zero, where the closed form cancels."""
    away = np.where(np.abs(x) < NEAR, 1.0, x)
    series = sum(x**k * (k + 1) / special.factorial(k + 2) for k in range(TERMS))
    return np.where(np.abs(x) < NEAR, series, (np.exp(away) * (away - 1) + 1) / away**2)


NAMES = ("exp", "log", "sinh", "cosh", "tanh", "sin", "cos", "abs", "expm1")
FLOATS = Arithmetic(
    _float,
    lambda: math.pi,
    sum,
    math.prod,
    np.power,
    lambda here: FLOAT_STEP * np.maximum(np.abs(here), LEAST_SIZE),
    {name: getattr(np, name) for name in NAMES}
    | {
        "asin": np.arcsin,
        "atan": np.arctan,
        "digamma": _digamma,
        "erf": special.erf,
        "lambertw": _lambertw,
        "relexp": _relexp,
        "relexp1": _relexp1,
    },
)

"""Terms as one list of operations on arrays of floats: many points at once, and what stands twice is computed once.

It says what `value(term, point, fast=True)` says, point by point; derivatives are differences here as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import special

from derivations.audit.probe.numbers import FLOAT_STEP, LEAST_SIZE, NoValue

Array = Any  # numpy.ndarray of floats, one for each point
Operation = Callable[..., Array]


class Program:
    """The values of some terms in named symbols at many points; `NoValue` where any has none at any point.

    >>> x = ("s", "x")
    >>> of = Program([("^", x, ("q", "-1")), ("D", ("exp", x), "x")], ["x"])
    >>> [[round(float(number), 6) for number in values] for values in of([np.array([1.0, 2.0])])]
    [[1.0, 0.5], [2.718282, 7.389056]]
    """

    def __init__(self, terms: Sequence[Any], names: Sequence[str]) -> None:
        self._places: dict[Any, int] = {}
        self._constants: list[float | None] = [None] * len(names)  # in their places, and nothing in the others
        self._steps: list[tuple[int, Operation, tuple[int, ...]]] = []
        symbols = {name: place for place, name in enumerate(names)}
        self._results = [self._place(term, symbols) for term in terms]

    def __call__(self, values: Sequence[Array]) -> list[Array]:
        found: list[Any] = [*values, *self._constants[len(values) :]]
        try:
            with np.errstate(divide="raise", over="raise", invalid="raise", under="ignore"):
                for place, operation, parts in self._steps:
                    found[place] = operation(*[found[part] for part in parts])
        except FloatingPointError as trouble:
            raise NoValue(str(trouble)) from None
        return [found[place] for place in self._results]

    # --- from terms to places -----------------------------------------------------------------------------------------

    def _place(self, term: Any, symbols: Mapping[str, int]) -> int:
        """Where the value of a term will stand; symbols have their places already."""
        head, *parts = term
        match head:
            case "s":
                return symbols[parts[0]]
            case "q":
                return self._constant(float(Fraction(parts[0])))
            case "pi":
                return self._constant(np.pi)
            case "+" | "*":
                return self._joined(np.add if head == "+" else np.multiply, [self._place(p, symbols) for p in parts])
            case "^":
                return self._power(self._place(parts[0], symbols), self._place(parts[1], symbols))
            case "D":
                return self._slope(parts[0], parts[1], symbols)
            case "at":
                return self._place(parts[0], {**symbols, **{x: self._place(p, symbols) for x, p in parts[1]}})
        if head not in FUNCTIONS:
            raise NoValue(f"no function is called {head} here")
        return self._step(FUNCTIONS[head], self._place(parts[0], symbols))

    def _constant(self, number: float) -> int:
        if number not in self._places:
            self._places[number] = len(self._constants)
            self._constants.append(number)
        return self._places[number]

    def _step(self, operation: Operation, *parts: int) -> int:
        if (operation, parts) not in self._places:
            place = self._places[operation, parts] = len(self._constants)
            self._constants.append(None)
            self._steps.append((place, operation, parts))
        return self._places[operation, parts]

    def _joined(self, operation: np.ufunc, parts: list[int]) -> int:
        """A sum or a product; its constants are taken together first."""
        numbers = [number for part in parts if (number := self._constants[part]) is not None]
        moving = [part for part in parts if self._constants[part] is None]
        together = float(operation.reduce(np.array(numbers))) if numbers else None
        if together is not None and (together != operation.identity or not moving):
            moving.append(self._constant(together))
        place = moving[0]
        for part in moving[1:]:
            place = self._step(operation, place, part)
        return place

    def _power(self, base: int, exponent: int) -> int:
        short = POWERS.get(self._constants[exponent])
        return self._step(np.power, base, exponent) if short is None else self._step(short, base)

    def _slope(self, of: Any, name: str, symbols: Mapping[str, int]) -> int:
        """A derivative by central differences, extrapolated; zero by a symbol that stands nowhere in the statement."""
        if name not in symbols:
            return self._constant(0.0)
        here = symbols[name]
        step = self._step(_difference, here)

        def central(part: float) -> int:
            moved = [self._step(np.add, here, self._times(sign * part, step)) for sign in (1, -1)]
            higher, lower = (self._place(of, {**symbols, name: place}) for place in moved)
            return self._step(np.divide, self._step(np.subtract, higher, lower), self._times(2 * part, step))

        extrapolated = self._step(np.subtract, self._times(4.0, central(0.5)), central(1.0))
        return self._times(1 / 3, extrapolated)

    def _times(self, number: float, place: int) -> int:
        return self._step(np.multiply, place, self._constant(number))


def _difference(here: Array) -> Array:
    """The step of a difference, as large as for single numbers."""
    return FLOAT_STEP * np.maximum(np.abs(here), LEAST_SIZE)


def _lambertw(x: Array) -> Array:
    if np.any(x * np.e < -1):
        raise NoValue("lambertw outside its domain")
    return special.lambertw(x).real


def _digamma(x: Array) -> Array:
    if np.any((x <= 0) & (x == np.floor(x))):
        raise NoValue("digamma at a pole")
    return special.psi(x)


def _relexp(x: Array) -> Array:
    away = np.where(x == 0, 1.0, x)
    return np.where(x == 0, 1.0, np.expm1(away) / away)


def _relexp1(x: Array) -> Array:
    """By its series close to zero, where the closed form cancels."""
    away = np.where(np.abs(x) < NEAR, 1.0, x)
    series = sum(x**k * (k + 1) / special.factorial(k + 2) for k in range(TERMS))
    return np.where(np.abs(x) < NEAR, series, (np.exp(away) * (away - 1) + 1) / away**2)


NEAR, TERMS = 0.1, 10
POWERS: Mapping[Any, Operation] = {1.0: np.positive, 2.0: np.square, -1.0: np.reciprocal, 0.5: np.sqrt}
FUNCTIONS: Mapping[str, Operation] = {
    "abs": np.abs,
    "asin": np.arcsin,
    "atan": np.arctan,
    "cos": np.cos,
    "cosh": np.cosh,
    "digamma": _digamma,
    "erf": special.erf,
    "exp": np.exp,
    "expm1": np.expm1,
    "lambertw": _lambertw,
    "log": np.log,
    "relexp": _relexp,
    "relexp1": _relexp1,
    "sin": np.sin,
    "sinh": np.sinh,
    "tanh": np.tanh,
}

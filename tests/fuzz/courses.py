"""Solutions of flows with 50 digits in every step, by Taylor series in whole numbers and mpmath; no prover is used.

A number is an integer over 2^SCALE; a series is a list of them. Values at the first order are mpmath's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp
from mpmath import mp, mpf

SCALE = 200
ONE = 1 << SCALE
ORDER = 40
DIGITS = 42  # to which the last term of a step is small before the step is halved: then its error is below 10^-50
LARGEST = ONE << 16
Series = list[int]


class Lost(Exception):
    """The solution grows too large, or comes near a place where a rate has no value."""


def fixed(value: Any) -> int:
    """A number, or what mpmath computed, as an integer over 2^SCALE."""
    if isinstance(value, Fraction):
        return (value.numerator << SCALE) // value.denominator
    with mp.workprec(SCALE + 60):
        if isinstance(value, sp.Rational):
            return (int(value.p) << SCALE) // int(value.q)
        if not mp.isfinite(value) or abs(value) > 2**40:
            raise Lost
        return int(mp.nint(mp.mpf(value) * ONE))


def number(value: int) -> Any:
    with mp.workprec(SCALE + 60):
        return mpf(value) / ONE


def _product(a: Series, b: Series, k: int) -> int:
    return sum(a[i] * b[k - i] for i in range(k + 1)) >> SCALE


FUNCTIONS: dict[Any, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    sp.log: (mp.log, lambda u: 1 / u),
    sp.erf: (mp.erf, lambda u: 2 / sp.sqrt(sp.pi) * sp.exp(-(u**2))),
    sp.asin: (mp.asin, lambda u: 1 / sp.sqrt(1 - u**2)),
    sp.atan: (mp.atan, lambda u: 1 / (1 + u**2)),
}
"""Further functions that stand in rates, with their slopes."""


class _Jet:
    """All parts of the rates as series that grow by one coefficient at a time."""

    def __init__(self, rates: list[Any], symbols: list[Any]) -> None:
        self.known: dict[Any, Series] = {s: [] for s in symbols}
        self.rules: list[tuple[Series, Callable[[int], int]]] = []
        self.rates = [self.of(sp.sympify(rate).rewrite([sp.tanh, sp.sinh, sp.cosh], sp.exp)) for rate in rates]

    def of(self, e: Any) -> Series:
        if e not in self.known:
            self.known[e] = self._made(e)
        return self.known[e]

    def _add(self, rule: Callable[[int], int]) -> Series:
        series: Series = []
        self.rules.append((series, rule))
        return series

    def _made(self, e: Any) -> Series:
        if e.is_number:
            with mp.workprec(SCALE + 60):
                value = fixed(mp.mpmathify(sp.N(e, 80)))
            return self._add(lambda k: value if k == 0 else 0)
        if isinstance(e, sp.Add):
            parts = [self.of(a) for a in e.args]
            return self._add(lambda k: sum(p[k] for p in parts))
        if isinstance(e, sp.Mul):
            series = self.of(e.args[0])
            for factor in e.args[1:]:
                series = self._times(series, self.of(factor))
            return series
        if isinstance(e, sp.Pow) and e.base is not sp.E:
            return self._power(e)
        return self._function(e)

    def _times(self, a: Series, b: Series) -> Series:
        return self._add(lambda k: _product(a, b, k))

    def _power(self, e: Any) -> Series:
        base, exponent = self.of(e.base), e.exp
        if exponent.is_Integer and exponent > 0:
            series = base
            for _ in range(int(exponent) - 1):
                series = self._times(series, base)
            return series
        if not exponent.is_Rational:
            raise Lost
        above, below = int(exponent.p), int(exponent.q)
        found: Series = []

        def rule(k: int) -> int:  # base * found' = exponent * base' * found
            if k == 0:
                start = number(base[0])
                if abs(start) < 1e-3 or (start < 0 and below > 1):
                    raise Lost
                with mp.workprec(SCALE + 60):
                    return fixed(mp.power(start, mpf(above) / below) if below > 1 else start**above)
            total = sum((above * i - below * (k - i)) * base[i] * found[k - i] for i in range(1, k + 1))
            return total // (below * k * base[0])

        self.rules.append((found, rule))
        return found

    def _function(self, e: Any) -> Series:
        """d f(u) = f'(u) du, where f'(u) is a series that was made before, or f itself."""
        is_exp = isinstance(e, sp.Pow | sp.exp)
        inner = self.of(e.exp if isinstance(e, sp.Pow) else e.args[0])
        if isinstance(e, sp.sin | sp.cos):
            return self._wave(e, inner)
        found: Series = []
        of_mpmath, slope = (mp.exp, None) if is_exp else FUNCTIONS[type(e)]
        slopes = found if slope is None else self.of(slope(e.args[0]))

        def rule(k: int) -> int:
            if k == 0:
                with mp.workprec(SCALE + 60):
                    value = of_mpmath(number(inner[0]))
                if not isinstance(value, mpf):
                    raise Lost
                return fixed(value)
            return sum((i + 1) * inner[i + 1] * slopes[k - 1 - i] for i in range(k)) // (k << SCALE)

        self.rules.append((found, rule))
        return found

    def _wave(self, e: Any, inner: Series) -> Series:
        sine: Series = []
        cosine: Series = []

        def step(other: Series, sign: int, first: Callable[[Any], Any]) -> Callable[[int], int]:
            def rule(k: int) -> int:
                if k == 0:
                    with mp.workprec(SCALE + 60):
                        return fixed(first(number(inner[0])))
                total = sum((i + 1) * inner[i + 1] * other[k - 1 - i] for i in range(k))
                return sign * total // (k << SCALE)

            return rule

        self.rules += [(sine, step(cosine, 1, mp.sin)), (cosine, step(sine, -1, mp.cos))]
        return sine if isinstance(e, sp.sin) else cosine

    def coefficients(self, point: list[int], symbols: list[Any], time: int) -> list[Series]:
        """The coefficients of every state, and of the time, which is the last symbol."""
        for series, _ in self.rules:
            series.clear()
        for s, value in zip(symbols, [*point, time], strict=True):
            self.known[s][:] = [value]
        for k in range(ORDER):
            for series, rule in self.rules:
                series.append(rule(k))
            for s, rate in zip(symbols, self.rates, strict=False):
                self.known[s].append(rate[k] // (k + 1))
            self.known[symbols[-1]].append(ONE if k == 0 else 0)
        return [list(self.known[s]) for s in symbols[:-1]]


class Course:
    """One solution from an exact start, followed to any later time.

    >>> x = sp.Symbol("x", real=True)
    >>> course = Course({x: -x}, {x: Fraction(1)}, sp.Symbol("t"))
    >>> mp.nstr(course.at(Fraction(1))[0], 20)
    '0.36787944117144232160'
    """

    def __init__(self, flow: Mapping[Any, Any], start: Mapping[Any, Fraction], time: Any) -> None:
        self.symbols = [*sorted(flow, key=str), time]
        self.jet = _Jet([flow[s] for s in self.symbols[:-1]], self.symbols)
        self.pieces: list[tuple[Fraction, Fraction, list[Series]]] = []
        self.time = Fraction(0)
        self.point = [fixed(start[s]) for s in self.symbols[:-1]]

    def at(self, time: Fraction) -> list[Any]:
        """The states at a time, in the order of their names."""
        while not self.pieces or self.time < time:
            self._step()
        piece = next(p for p in self.pieces if p[0] <= time <= p[0] + p[1])
        return [number(v) for v in _summed(piece[2], time - piece[0])]

    def _step(self) -> None:
        series = self.jet.coefficients(self.point, self.symbols, fixed(self.time))
        with mp.workprec(60):
            sizes = [(k, abs(number(row[k]))) for row in series for k in (ORDER - 1, ORDER)]
            longest = min((mpf(10) ** -DIGITS / size) ** (mpf(1) / k) if size else mpf(1) for k, size in sizes)
            length = Fraction(min(int(longest * 512), 1024), 1024)
        if length == 0 or len(self.pieces) > 2000:
            raise Lost
        self.pieces.append((self.time, length, series))
        self.point = _summed(series, length)
        self.time += length
        if max(map(abs, self.point)) > LARGEST:
            raise Lost


def _summed(series: list[Series], since: Fraction) -> list[int]:
    found = []
    for row in series:
        total = 0
        for c in reversed(row):
            total = total * since.numerator // since.denominator + c
        found.append(total)
    return found

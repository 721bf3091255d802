"""The formulas of the averages and of the flow as they are printed in papers, in balls, for tests of the fast ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

Ball = Any


def ball(x: float | Fraction) -> Ball:
    q = Fraction(x)
    return arb(q.numerator) / q.denominator


def arcsine(y: Ball, square: Ball) -> Ball:
    """The angle with sine y/sqrt(square)."""
    return (y / square.sqrt()).asin() if (square - y * y) > 0 else y.sgn() * arb.pi() / 2


class Erf:
    """g(x) = erf(x/sqrt 2): Saad & Solla (1995), appendix A, for any covariance C of the fields."""

    def __init__(self, C: Any) -> None:
        self.C = C

    def J2(self, a: int, b: int) -> Ball:
        C = self.C
        return 2 / arb.pi() / ((1 + C[a][a]) * (1 + C[b][b]) - C[a][b] ** 2).sqrt()

    def I2(self, a: int, b: int) -> Ball:
        C = self.C
        return 2 / arb.pi() * arcsine(C[a][b], (1 + C[a][a]) * (1 + C[b][b]))

    def I3(self, a: int, b: int, c: int) -> Ball:
        C = self.C
        L3 = (1 + C[a][a]) * (1 + C[c][c]) - C[a][c] ** 2
        return 2 / arb.pi() / L3.sqrt() * (C[b][c] * (1 + C[a][a]) - C[a][b] * C[a][c]) / (1 + C[a][a])

    def I4(self, a: int, b: int, c: int, d: int) -> Ball:
        C = self.C
        L4 = (1 + C[a][a]) * (1 + C[b][b]) - C[a][b] ** 2

        def lam(e: int, f: int) -> Ball:
            straight = C[a][e] * C[a][f] * (1 + C[b][b]) + C[b][e] * C[b][f] * (1 + C[a][a])
            return L4 * C[e][f] - straight + C[a][b] * (C[a][e] * C[b][f] + C[b][e] * C[a][f])

        return 4 / arb.pi() ** 2 / L4.sqrt() * arcsine(lam(c, d), (L4 + lam(c, c)) * (L4 + lam(d, d)))


class Linear:
    """g(x) = x."""

    def __init__(self, C: Any) -> None:
        self.C = C

    def J2(self, a: int, b: int) -> Ball:
        return arb(1)

    def I2(self, a: int, b: int) -> Ball:
        return self.C[a][b]

    def I3(self, a: int, b: int, c: int) -> Ball:
        return self.C[b][c]

    def I4(self, a: int, b: int, c: int, d: int) -> Ball:
        return self.C[c][d]


class Relu:
    """g(x) = max(x, 0), where elementary (Cho & Saul 2009 for I2)."""

    def __init__(self, C: Any) -> None:
        self.C = C

    def J2(self, a: int, b: int) -> Ball:
        C = self.C
        return arb(1) / 4 + arcsine(C[a][b], C[a][a] * C[b][b]) / (2 * arb.pi())

    def I2(self, a: int, b: int) -> Ball:
        C = self.C
        return self.area(a, b) / (2 * arb.pi()) + C[a][b] * self.J2(a, b)

    def I3(self, a: int, b: int, c: int) -> Ball:
        C = self.C
        return C[b][c] * self.J2(a, c) + C[a][b] / C[a][a] * self.area(a, c) / (2 * arb.pi())

    def area(self, a: int, b: int) -> Ball:
        C = self.C
        square = C[a][a] * C[b][b] - C[a][b] ** 2
        return square.sqrt() if square > 0 else arb(0)


@dataclass(frozen=True)
class Rates:
    """What the flow depends on besides the state."""

    eta: float
    eta_v: float
    sigma: float
    batch: int


def flow(averages: Any, K: int, M: int, s: Sequence[Ball], rates: Rates) -> list[Ball]:
    """The rates of Q (rows of the lower triangle), R (rows) and v, term by term; s holds -v and v*."""
    eta, eta_v, noise, batch = ball(rates.eta), ball(rates.eta_v), ball(rates.sigma) ** 2, rates.batch
    fields = range(K + M)
    v = [-s[i] for i in range(K)]

    def linear(i: int, f: int) -> Ball:
        return v[i] * sum((s[h] * averages.I3(i, f, h) for h in fields), arb(0))

    def quadratic(i: int, k: int) -> Ball:
        four = sum((s[f] * s[h] * averages.I4(i, k, f, h) for f in fields for h in fields), arb(0))
        return v[i] * v[k] * (four + noise * averages.J2(i, k))

    dQ = [
        eta * (linear(i, k) + linear(k, i)) + eta**2 / batch * quadratic(i, k) for i in range(K) for k in range(i + 1)
    ]
    dR = [eta * linear(i, K + n) for i in range(K) for n in range(M)]
    dv = [eta_v * sum((s[f] * averages.I2(i, f) for f in fields), arb(0)) for i in range(K)]
    return dQ + dR + dv

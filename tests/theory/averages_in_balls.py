"""The formulas of the averages and of the flow as they are printed in papers, in balls, for tests of the fast ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

from flint import arb, ctx

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
    """g(x) = max(x, 0): Stein's lemma, one field after the other, down to the probability that fields are positive."""

    def __init__(self, C: Any) -> None:
        self.C = C
        self.fours: dict[tuple[int, ...], Ball] = {}

    def J2(self, a: int, b: int) -> Ball:
        return self.mean([a, b], [])

    def I2(self, a: int, b: int) -> Ball:
        return self.mean([a, b], [a, b])

    def I3(self, a: int, b: int, c: int) -> Ball:
        return self.mean([a, c], [b, c])

    def I4(self, a: int, b: int, c: int, d: int) -> Ball:
        return self.mean([a, b, c, d], [c, d])

    def I4_slopes(self) -> dict[tuple[int, int], Ball]:
        """The change by one entry of the covariance of four fields, by Price's theorem; both sides of it move."""
        C, slopes = self.C, {(2, 3): self.mean([0, 1, 2, 3], [])}
        for a, b in ((0, 1), (1, 0)):
            rest = without(C, a)
            for c, d in ((2, 3), (3, 2)):
                slopes[a, c] = stein(rest, [b, 2, 3], [d], self.all_positive) / (2 * arb.pi() * C[a][a]).sqrt()
        rest = without(C, 0)
        both = stein(without(rest, 1), [2, 3], [2, 3], self.all_positive)
        slopes[0, 1] = both / (2 * arb.pi() * (C[0][0] * rest[1][1]).sqrt())
        for i in range(4):  # the value does not depend on the size of fields 0 and 1, and grows with those of 2 and 3
            grown = self.I4(0, 1, 2, 3) if i > 1 else arb(0)
            for k in range(4):
                if k != i:
                    grown -= C[i][k] * slopes[min(i, k), max(i, k)]
            slopes[i, i] = grown / (2 * C[i][i])
        return slopes

    def mean(self, positive: Sequence[int], factors: Sequence[int]) -> Ball:
        """The mean of the product of factors where fields are positive; the first stands for all of one direction."""
        first, scale = list(range(len(self.C))), arb(1)
        for f in range(len(self.C)):
            for e in range(f):
                if first[f] == f and self.C[e][f] ** 2 == self.C[e][e] * self.C[f][f] and self.C[e][f] != 0:
                    if self.C[e][f] < 0 and e in positive and f in positive:
                        return arb(0)
                    first[f] = first[e] if self.C[e][f] > 0 else f
        for f in factors:
            scale *= (self.C[f][f] / self.C[first[f]][first[f]]).sqrt() if first[f] != f else 1
        fields = sorted({first[f] for f in positive})
        return scale * stein(self.C, fields, [first[f] for f in factors], self.all_positive)

    def all_positive(self, C: Any, fields: Sequence[int]) -> Ball:
        """The probability that all fields are positive; four of them only occur with the covariance given at first."""
        if len(fields) == 4:
            key = tuple(fields)
            if key not in self.fours:
                self.fours[key] = four_positive(C, fields)
            return self.fours[key]
        angles = sum((lean(C, a, b) for a in fields for b in fields if a < b), arb(0))
        return arb(1) / 2 ** len(fields) + (angles / (2 ** (len(fields) - 1) * arb.pi()) if angles != 0 else 0)


def stein(C: Any, fields: list[int], factors: list[int], all_positive: Any) -> Ball:
    """<product of the factors where the fields are positive>: <x F> = sum_m C_xm <dF/dm>."""
    if not factors:
        return all_positive(C, fields)
    x, rest = factors[0], factors[1:]
    total = arb(0)
    for k, other in enumerate(rest):
        total += C[x][other] * stein(C, fields, rest[:k] + rest[k + 1 :], all_positive)
    for m in fields:
        if C[m][m] != 0 and C[x][m] != 0:
            others = [f for f in fields if f != m]
            share = C[x][m] / (2 * arb.pi() * C[m][m]).sqrt()
            total += share * stein(without(C, m), others, rest, all_positive)
    return total


def without(C: Any, m: int) -> Any:
    """The covariance where field m vanishes."""
    fields = range(len(C))
    return [[arb(0) if m in (i, k) else C[i][k] - C[i][m] * C[k][m] / C[m][m] for k in fields] for i in fields]


def lean(C: Any, a: int, b: int) -> Ball:
    """The arcsine of a correlation."""
    square = C[a][a] * C[b][b] - C[a][b] ** 2
    if C[a][a] == 0 or C[b][b] == 0:
        return arb(0)
    return arb.atan2(C[a][b], square.sqrt()) if square > 0 else arb.pi() / 2 * C[a][b].sgn()


def four_positive(C: Any, fields: Sequence[int]) -> Ball:
    """The probability that four fields are positive (Plackett 1954), on the way from independent fields.

    All correlations grow like cos u. All singularities lie on the imaginary axis, so that pieces that shrink by 4
    towards 0 suit them.
    """
    r = [[C[a][b] / (C[a][a] * C[b][b]).sqrt() for b in fields] for a in fields]
    total = arb(0)
    for u, weight in pieces(26, 36, ctx.prec):
        t, inner = u.cos(), arb(0)
        S = [[arb(1) if i == k else t * r[i][k] for k in range(4)] for i in range(4)]
        for i in range(4):
            for j in range(i):
                k, l = (f for f in range(4) if f not in (i, j))
                kk, ll, kl = (given_two(S, i, j, *pair) for pair in ((k, k), (l, l), (k, l)))
                angle = arb.atan2((kk * ll - kl * kl).sqrt(), -kl)
                inner += r[i][j] / (1 - S[i][j] ** 2).sqrt() * angle
        total += weight * u.sin() * inner
    return arb(1) / 16 + total / (4 * arb.pi() ** 2)


def given_two(S: Any, i: int, j: int, k: int, l: int) -> Ball:
    """The covariance of fields k and l given i and j, times 1 - S_ij^2."""
    across = S[i][j] * (S[k][i] * S[l][j] + S[k][j] * S[l][i])
    return S[k][l] * (1 - S[i][j] ** 2) - S[k][i] * S[l][i] - S[k][j] * S[l][j] + across


@cache
def pieces(count: int, most: int, precision: int) -> list[tuple[Ball, Ball]]:
    """Nodes and weights on (0, pi/2): Gauss-Legendre rules on pieces that shrink by 4 towards 0."""
    assert precision == ctx.prec
    rule = [arb.legendre_p_root(count, k, weight=True) for k in range(count)]
    ends = [arb.pi() / 2 / 4**k for k in range(most + 1)]
    return [
        ((high + low) / 2 + (high - low) / 2 * x, (high - low) / 2 * weight)
        for high, low in pairwise(ends)
        for x, weight in rule
    ]


@dataclass(frozen=True)
class Rates:
    """The numbers that the flow depends on besides the state."""

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

"""Integrals over closed intervals in balls: Taylor polynomials on equal parts, with Lagrange's remainder.

On a part with the middle m and half of its width h, f(m + s) is the sum of c_k s^k for k below an even number N, and
C s^N, where C is the N-th coefficient somewhere in the part. The integral lies in the sum of c_k 2 h^(k+1)/(k+1) over
even k up to N, with the coefficient N over the whole part as a ball. Where f bends too sharply for that, such as |x| at
0, the part's width times the values of f over it serves instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, arb_series, ctx

from derivations.language.evaluate import ball, evaluate
from derivations.language.terms import Term, carried_out, children, fraction_of, rational, rebuild

ORDER = 12
HALF = rational("1/2")
Ball = Any
Series = Any


def integral(entry: tuple[Term, Term, Term], variable: str, point: Mapping[str, Any], cells: int) -> Ball:
    """A ball around the integral of entry[0] by the variable from entry[1] to entry[2].

    point: every other symbol with a fraction or a ball. A ball that is not finite says that none was found.

    >>> x = ("s", "x")
    >>> third = integral((("^", x, rational(2)), rational(0), rational(1)), "x", {}, 2)
    >>> bool(abs(third - arb(1) / 3) < 1e-12)
    True
    """
    f, low, high = (with_sizes(carried_out(term)) for term in entry)
    known = {name: ball(value) if isinstance(value, Fraction) else value for name, value in point.items()}
    start, width = evaluate(low, known), evaluate(subtracted(high, low), known)
    parts, total, half = _Parts(f, variable, known, start, width), arb(0), arb(1) / (2 * cells)
    for k in range(cells):
        total += parts.integral((2 * k + 1) * half, half)
        if not total.is_finite():
            return arb.nan()
    return total * width


def subtracted(high: Term, low: Term) -> Term:
    return ("+", high, ("*", rational(-1), low))


def with_sizes(term: Term) -> Term:
    """The term with |u| for the root of u^2, which balls around 0 keep from below zero."""
    new = rebuild(term, tuple(map(with_sizes, children(term))))
    if new[0] == "^" and new[2] == HALF and new[1][0] == "^" and new[1][2] == rational(2):
        return ("abs", new[1][1])
    return new


@dataclass(frozen=True)
class _Parts:
    """A formula where its variable runs as start + width * s over parts of 0 <= s <= 1."""

    f: Term
    name: str
    known: Mapping[str, Ball]
    start: Ball
    width: Ball

    def integral(self, middle: Ball, half: Ball) -> Ball:
        """The integral by s over |s - middle| <= half."""
        wide = self.start + self.width * (middle + arb(0, half.abs_upper()))
        try:
            values = evaluate(self.f, {**self.known, self.name: wide})
        except (ZeroDivisionError, ValueError):
            return arb.nan()
        plainly = values * 2 * half
        found = self._by_series(wide, middle, half) if values.is_finite() else None
        return plainly if found is None or not found.is_finite() or found.rad() > plainly.rad() else found

    def _by_series(self, wide: Ball, middle: Ball, half: Ball) -> Ball | None:
        before, ctx.cap = ctx.cap, ORDER + 1
        try:
            inside = _Series(self.name, self.known, self.start + self.width * middle, self.width).of(self.f)
            over = _Series(self.name, self.known, wide, self.width).of(self.f)
            found = arb(0)
            for k in range(0, ORDER + 1, 2):
                found += (over if k == ORDER else inside)[k] * 2 * half ** (k + 1) / (k + 1)
            return found
        except (ZeroDivisionError, ValueError, NotImplementedError):
            return None
        finally:
            ctx.cap = before


class _Series:
    """Taylor coefficients of formulas in s, where the variable is at + width * s."""

    def __init__(self, name: str, known: Mapping[str, Ball], at: Ball, width: Ball) -> None:
        self.name, self.known, self.moving = name, known, arb_series([at, width])
        self.found: dict[Term, Series] = {}

    def of(self, term: Term) -> Series:
        if term not in self.found:
            self.found[term] = self._of(term)
        return self.found[term]

    def _of(self, term: Term) -> Series:
        head = term[0]
        if head == "s":
            return self.moving if term[1] == self.name else arb_series([self.known[term[1]]])
        if head == "q":
            return arb_series([ball(fraction_of(term))])
        if head == "pi":
            return arb_series([arb.pi()])
        if head == "^":
            return self._power(term[1], term[2])
        inner = [self.of(child) for child in term[1:]]
        if head in ("+", "*"):
            total = inner[0]
            for other in inner[1:]:
                total = total + other if head == "+" else total * other
            return total
        return _applied(head, inner[0])

    def _power(self, base: Term, exponent: Term) -> Series:
        u = self.of(base)
        if exponent[0] != "q":
            return (u.log() * self.of(exponent)).exp()
        power = fraction_of(exponent)
        if power.denominator == 1:
            product = arb_series([arb(1)])
            for _ in range(abs(int(power))):
                product = product * u
            return product if power >= 0 else product.inv()
        return u.sqrt() if power == Fraction(1, 2) else (u.log() * ball(power)).exp()


def _applied(head: str, u: Series) -> Series:
    match head:
        case "exp" | "log" | "sin" | "cos" | "erf" | "asin" | "atan":
            return getattr(u, head)()
        case "sinh":
            return (u.exp() - (-u).exp()) / 2
        case "cosh":
            return (u.exp() + (-u).exp()) / 2
        case "tanh":
            return 1 - 2 * ((2 * u).exp() + 1).inv()
        case "abs":
            return _size(u)
    raise NotImplementedError(f"{head} has no series here")


def _size(u: Series) -> Series:
    """|u| where u keeps its sign over the whole part."""
    if u[0] > 0:
        return u
    if u[0] < 0:
        return -u
    raise NotImplementedError("the sign changes")

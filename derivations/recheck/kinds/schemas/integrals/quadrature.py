"""Integrals over closed intervals in balls, by Taylor's formula on equal parts, with code of the checker's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from flint import arb, arb_series, ctx

from derivations.recheck.core.balls import Ball, enclosure, plain_enclosure
from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, rational
from derivations.recheck.core.terms import HALF, TWO, carried_out, difference

SMOOTH_CELLS = 64
DEGREE = 12  # of the remainder; even, so that its integral weighs values of one sign
STEP_WORK = 60_000  # of one operation with series, see `spend`
BY_NAME = ("exp", "log", "sin", "cos", "erf", "asin", "atan")


class _NoSeries(Exception):
    """The formula has no Taylor polynomial on this part that is read here."""


def integral(entry: Data, variable: str, point: Mapping[str, Any], cells: int, bits: int) -> Ball:
    """A ball around the integral of a formula between two ends; `Undefined` where the formula may have no value."""
    f, low, high = (_sizes(carried_out(formula)) for formula in entry)
    start = plain_enclosure(low, point, bits)
    width = plain_enclosure(difference(high, low), point, bits)
    with ctx.workprec(bits):
        where = {symbol: value if isinstance(value, arb) else arb(value) for symbol, value in point.items()}
        radius = arb(1) / (2 * cells)
        course = _Course(f, variable, where, start, width)
        pieces = [course.piece(arb(2 * k + 1) * radius, radius) for k in range(cells)]
        return sum(pieces[1:], pieces[0]) * width


def require_positive(
    conditions: Iterable[Term], entry: Data, variable: str, point: Mapping[str, Any], bits: int
) -> None:
    """Refuses conditions of smoothness that need not hold somewhere on the closed interval of an integral."""
    _, low, high = entry
    start, width = (enclosure(formula, point, bits) for formula in (low, difference(high, low)))
    with ctx.workprec(bits):
        for k in range(SMOOTH_CELLS):
            here = start + width * (arb(2 * k + 1) + arb(0, 1)) / (2 * SMOOTH_CELLS)
            if not all(enclosure(condition, {**point, variable: here}, bits) > 0 for condition in conditions):
                raise Rejected("an integrand is not certainly smooth everywhere on its interval")


def _sizes(formula: Term) -> Term:
    """|u| in place of the root of u^2."""
    if formula[0] in ("s", "q", "pi"):
        return formula
    inner = (formula[0], *[_sizes(child) for child in formula[1:]])
    if inner[0] == "^" and inner[2] == HALF and inner[1][0] == "^" and inner[1][2] == TWO:
        return ("abs", inner[1][1])
    return inner


class _Course(NamedTuple):
    """A formula f along x = start + width s, with balls for its other symbols."""

    f: Term
    x: str
    where: Mapping[str, Ball]
    start: Ball
    width: Ball

    def piece(self, centre: Ball, radius: Ball) -> Ball:
        """The integral over s of f at start + width (centre + s), |s| <= radius."""
        everywhere = self.start + self.width * (centre + arb(0, radius.abs_upper()))
        plainly = plain_enclosure(self.f, {**self.where, self.x: everywhere}, ctx.prec) * 2 * radius
        cap = ctx.cap
        ctx.cap = DEGREE + 1
        try:
            at_centre = _Taylor(self, self.start + self.width * centre).series(self.f)
            remainder = _Taylor(self, everywhere).series(self.f)[DEGREE]
        except (_NoSeries, ZeroDivisionError, ValueError):
            return plainly
        finally:
            ctx.cap = cap
        weights = [2 * radius ** (k + 1) / (k + 1) for k in range(0, DEGREE + 1, 2)]
        coefficients = [*(at_centre[k] for k in range(0, DEGREE, 2)), remainder]
        better = sum((c * w for c, w in zip(coefficients, weights, strict=True)), arb(0))
        return better if better.is_finite() and better.rad() < plainly.rad() else plainly


class _Taylor:
    """Series of formulas in s, around one place of a course; equal parts of a formula are computed once."""

    def __init__(self, course: _Course, place: Ball) -> None:
        self.course, self.moving = course, arb_series([place, course.width])
        self.found: dict[Term, Any] = {}

    def series(self, f: Term) -> Any:
        if f not in self.found:
            spend(STEP_WORK)
            self.found[f] = self._series(f)
        return self.found[f]

    def _series(self, f: Term) -> Any:
        head = f[0]
        if head == "s":
            return self.moving if f[1] == self.course.x else arb_series([self.course.where[f[1]]])
        if head == "q":
            return arb_series([arb(rational(f[1]))])
        if head == "pi":
            return arb_series([arb.pi()])
        if head == "^":
            return self._power(self.series(f[1]), f[2])
        inner = [self.series(child) for child in f[1:]]
        if head == "+":
            return sum(inner[1:], inner[0])
        if head == "*":
            product = inner[0]
            for factor in inner[1:]:
                product = product * factor
            return product
        return _function(head, inner[0])

    def _power(self, base: Any, exponent: Term) -> Any:
        if exponent[0] != "q":
            return (base.log() * self.series(exponent)).exp()
        power = rational(exponent[1])
        if power.q != 1:
            return base.sqrt() if power == rational("1/2") else (base.log() * arb(power)).exp()
        whole, product = abs(int(power.p)), arb_series([arb(1)])
        for bit in bin(whole)[2:] if whole else "":
            product = product * product * base if bit == "1" else product * product
        return product if power >= 0 else product.inv()


def _function(head: str, u: Any) -> Any:
    if head in BY_NAME:
        return getattr(u, head)()
    if head in ("sinh", "cosh"):
        up, down = u.exp(), (-u).exp()
        return (up - down if head == "sinh" else up + down) / 2
    if head == "tanh":
        return 1 - 2 * (1 + (u + u).exp()).inv()
    if head == "abs" and not u[0].contains(0):
        return u if u[0] > 0 else -u
    raise _NoSeries

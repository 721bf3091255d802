"""Neighbourhoods that solutions never leave, and where all of them approach one point.

Let N = {c + P y: |y| <= rho} in the largest-entry norm, and A = P^-1 Df P over N. If the logarithmic norm of A is at
most -mu < 0, two solutions in N approach each other at least as exp(-mu t) in that norm; if also |P^-1 f(c)| < mu rho,
none leaves N. So N holds exactly one rest point, which all of its solutions approach. (For a map the norm of A is at
most mu < 1 and |P^-1 (g(c) - c)| < (1 - mu) rho: Banach's theorem.) Two rest points in a box would make the mean of the
Jacobian along the line between them singular: it is regular over the whole box that the statement names.

Some entries of y may be taken in pairs, by their Euclidean length: |y| is then the largest of the lengths of pairs and
of the other entries. The logarithmic norm of A is at most the largest, over the rows of blocks, of that of A_BB (the
larger eigenvalue of its symmetric part) with the sizes of the blocks A_BC beside it (roots of sums of squares); for the
norm it is the larger singular value of A_BB.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Any

from flint import arb, arb_mat, fmpq

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Rational, integer, rational, shown
from derivations.recheck.kinds.flows.trajectories.claims import FLOW, Claim, Proposition
from derivations.recheck.kinds.flows.trajectories.jets import Ball, values
from derivations.recheck.kinds.flows.trajectories.quantities import Stretch
from derivations.recheck.kinds.flows.trajectories.sets import between

KEYS = {"says", "centre", "frame", "radius"}  # and perhaps "pairs"
FINE_BITS = 64  # after the point, of lengths
Matrix = Any  # flint.arb_mat


class Settled:
    """The evidence for one 'converges': everything but that the tube has arrived is checked when it is made."""

    def __init__(self, claim: Claim, said: Proposition, evidence: Data) -> None:
        if set(evidence) - {"pairs"} != KEYS:
            raise Rejected(f"a neighbourhood has the parts {sorted(KEYS)}, got {sorted(evidence)}")
        self.claim, self.rate, self.moving = claim, said.rate, claim.moving
        self.centre = _numbers(evidence["centre"], len(self.moving), "the centre of a neighbourhood")
        rows = evidence["frame"]
        if not isinstance(rows, tuple) or len(rows) != len(self.moving):
            raise Rejected(f"the frame of a neighbourhood has a row for each moving state, got {shown(rows)}")
        self.frame = [_numbers(row, len(self.moving), "a row of a frame") for row in rows]
        self.radius = rational(evidence["radius"], "the radius of a neighbourhood")
        if self.radius <= 0:
            raise Rejected(f"the radius of a neighbourhood must be positive, got {self.radius}")
        self.groups = _groups(evidence, len(self.moving))
        self.box = [(said.box or {})[claim.names[i]] for i in self.moving]
        self.reach = [
            sum((_length([row[j] for j in group]) for group in self.groups), fmpq(0)) * self.radius
            for row in self.frame
        ]
        for c, reach, (low, high) in zip(self.centre, self.reach, self.box, strict=True):
            if c - reach < low or c + reach > high:
                raise Rejected("the neighbourhood in which the solutions settle is not inside the stated box")
        self._prepare()
        self._require_contraction()
        self._require_one_rest_point()

    def _prepare(self) -> None:
        n = len(self.moving)
        self.by_frame = arb_mat(n, n, [arb(entry) for row in self.frame for entry in row])
        try:
            self.back = self.by_frame.inv()
        except ZeroDivisionError:
            raise Rejected("the frame of a neighbourhood has no certain inverse") from None
        program, rates = self.claim.program, [self.claim.rates[i] for i in self.moving]
        self.places = {(i, j): program.slope(rate, self.moving[j]) for i, rate in enumerate(rates) for j in range(n)}
        self.nodes = sorted(self.claim.asked | program.inside((*rates, *self.places.values())))
        self.rates = rates

    def _values(self, moving: Sequence[Ball]) -> dict[int, Ball]:
        """The program where the moving states are in some balls and the constant ones anywhere in their start."""
        states = [between(*sides) for sides in self.claim.start]
        for i, ball in zip(self.moving, moving, strict=True):
            states[i] = ball
        try:
            return values(self.claim.program, self.nodes, states, arb(0))
        except (Undefined, ZeroDivisionError):
            raise Rejected("the rates have no finite derivatives where the solutions are said to settle") from None

    def _in_frame(self, moving: Sequence[Ball]) -> Matrix:
        found, n = self._values(moving), len(self.moving)
        jacobian = arb_mat(n, n, [found[self.places[i, j]] for i in range(n) for j in range(n)])
        return self.back * jacobian * self.by_frame

    def _require_contraction(self) -> None:
        around = [between(c - reach, c + reach) for c, reach in zip(self.centre, self.reach, strict=True)]
        slope, mu, radius = self._in_frame(around), arb(self.rate), arb(self.radius)
        flows = self.claim.form == FLOW
        if not all(norm.is_finite() and norm <= (-mu if flows else mu) for norm in self._norms(slope)):
            raise Rejected(f"solutions do not certainly approach each other at the rate {self.rate}")
        centre = [arb(c) for c in self.centre]
        found = self._values(centre)
        off = [found[rate] if flows else found[rate] - c for rate, c in zip(self.rates, centre, strict=True)]
        drift = (self.back * arb_mat(len(off), 1, off)).entries()
        room = (mu if flows else 1 - mu) * radius
        if not all(length < room for length in self._lengths(drift)):
            raise Rejected("solutions do not certainly stay in the neighbourhood in which they are said to settle")

    def _require_one_rest_point(self) -> None:
        slope = self._in_frame([between(*sides) for sides in self.box])
        least = 0 if self.claim.form == FLOW else 1
        if all(norm.is_finite() and norm < least for norm in self._norms(slope)):
            return
        n = len(self.moving)
        if self.claim.form != FLOW:
            slope = slope - arb_mat(n, n, [int(i == j) for i in range(n) for j in range(n)])
        try:
            found = slope.inv()
        except ZeroDivisionError:
            found = None
        if found is None or not all(entry.is_finite() for entry in found.entries()):
            raise Rejected("the stated box need not hold only one rest point: state a box closer around it")

    def require_inside(self, tube: Stretch, moment: Rational) -> None:
        """All solutions are in the neighbourhood at a moment."""
        middle, slopes = tube.around_centre(moment)
        ways = arb_mat([slopes[i] for i in self.moving])
        away = [middle[i] - arb(c) for i, c in zip(self.moving, self.centre, strict=True)]
        off = self.back * arb_mat(len(away), 1, away)
        coordinates = tube.coordinates
        spread = (self.back * ways) * arb_mat(len(coordinates), 1, coordinates)
        radius = arb(self.radius)
        if not all(length <= radius for length in self._lengths((off + spread).entries())):
            raise Rejected(f"the solutions have not certainly arrived in their neighbourhood at time {moment}")

    # --- norms --------------------------------------------------------------------------------------------------------

    def _lengths(self, entries: Sequence[Ball]) -> list[Ball]:
        return [_size([entries[j] for j in group]) for group in self.groups]

    def _norms(self, slope: Matrix) -> list[Ball]:
        """For a flow the logarithmic norms of the rows of blocks, for a map their norms."""
        largest = _logarithmic_norm if self.claim.form == FLOW else _norm
        found = []
        for rows in self.groups:
            total = largest([[slope[i, j] for j in rows] for i in rows])
            for columns in self.groups:
                if columns is not rows:
                    total += _size([slope[i, j] for i in rows for j in columns])
            found.append(total)
        return found


def _logarithmic_norm(block: Sequence[Sequence[Ball]]) -> Ball:
    if len(block) == 1:
        return block[0][0]
    (a, b), (c, d) = block
    return (a + d + _size([a - d, b + c])) / 2


def _norm(block: Sequence[Sequence[Ball]]) -> Ball:
    if len(block) == 1:
        return abs(block[0][0])
    (a, b), (c, d) = block
    return (_size([a + d, b - c]) + _size([a - d, b + c])) / 2


def _size(entries: Sequence[Ball]) -> Ball:
    """The root of the sum of squares, or a number above it."""
    if len(entries) == 1:
        return abs(entries[0])
    return sum((entry.abs_upper() ** 2 for entry in entries), arb(0)).sqrt()


def _length(entries: Sequence[Rational]) -> Rational:
    """The root of the sum of squares, or a rational number above it."""
    if len(entries) == 1:
        return abs(entries[0])
    square = sum((entry * entry for entry in entries), fmpq(0))
    p, q = int(square.p), int(square.q)
    return fmpq(isqrt(p * q << 2 * FINE_BITS) + 1, q << FINE_BITS)


def _groups(evidence: Data, n: int) -> list[tuple[int, ...]]:
    """The pairs of entries that are taken together, and each that is left by itself."""
    pairs = evidence.get("pairs")
    if pairs is None:
        return [(i,) for i in range(n)]
    if not isinstance(pairs, tuple) or not pairs or not all(isinstance(p, tuple) and len(p) == 2 for p in pairs):
        raise Rejected(f"the pairs of a neighbourhood are places of two moving states each, got {shown(pairs)}")
    found = [tuple(integer(place, 0, n - 1, "a place in a pair") for place in pair) for pair in pairs]
    taken = [place for pair in found for place in pair]
    if len(set(taken)) < len(taken) or any(i > j for i, j in found):
        raise Rejected(f"each moving state is in one pair at most, and its places rise, got {shown(pairs)}")
    return [*found, *((i,) for i in range(n) if i not in taken)]


def _numbers(data: Data, length: int, what: str) -> list[Rational]:
    if not isinstance(data, tuple) or len(data) != length:
        raise Rejected(f"{what} has {length} numbers, got {shown(data)}")
    return [rational(entry, what) for entry in data]

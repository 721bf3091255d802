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

from flint import arb, arb_mat

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, integer, rational, shown
from derivations.recheck.kinds.flows.trajectories.claims import FLOW, Claim, Proposition, numbers
from derivations.recheck.kinds.flows.trajectories.questions import Judge, Stretch, meets
from derivations.recheck.kinds.flows.trajectories.series import ZERO, Ball
from derivations.recheck.kinds.flows.trajectories.sets import Matrix, between, column, identity, square
from derivations.recheck.kinds.flows.trajectories.step import System

KEYS = {"says", "centre", "frame", "radius"}  # and perhaps "pairs"
Groups = Sequence[Sequence[int]]


def settled(claim: Claim, system: System, said: Proposition, evidence: Data) -> Judge:
    """The judge of one 'converges': everything but that the tube has arrived is checked here."""
    if set(evidence) - {"pairs"} != KEYS:
        raise Rejected(f"a neighbourhood has the parts {sorted(KEYS)}, got {sorted(evidence)}")
    moving = [i for i in range(len(claim.names)) if i not in system.still]
    n, is_flow = len(moving), claim.form == FLOW
    centre = column([arb(each) for each in numbers(evidence["centre"], n, "the centre of a neighbourhood")])
    frame, radius = square(evidence["frame"], n), arb(rational(evidence["radius"], "the radius of a neighbourhood"))
    if not radius > 0:
        raise Rejected(f"the radius of a neighbourhood must be positive, got {radius}")
    groups = _groups(evidence, n)
    reach = [sum((_size([row[j] for j in group]) for group in groups), ZERO) * radius for row in frame.tolist()]
    box = [said.box[claim.names[i]] for i in moving]
    for c, r, (low, high) in zip(centre.entries(), reach, box, strict=True):
        if not (low <= c - r and c + r <= high):
            raise Rejected("the neighbourhood in which the solutions settle is not inside the stated box")
    try:
        back = frame.inv()
    except ZeroDivisionError:
        raise Rejected("the frame of a neighbourhood has no certain inverse") from None

    def rates(near: Sequence[Ball]) -> tuple[Matrix, Matrix]:
        """The rates and their derivatives in the frame, the constant states anywhere in their start."""
        states = [between(*sides) for sides in claim.start]
        for i, ball in zip(moving, near, strict=True):
            states[i] = ball
        try:
            found, slopes = system.values(states, arb(0))
        except (Undefined, ZeroDivisionError):
            raise Rejected("the rates have no finite derivatives where the solutions are said to settle") from None
        inner = arb_mat(n, n, [slopes[i, j] for i in moving for j in moving])
        return column([found[i] for i in moving]), back * inner * frame

    mu = arb(said.rate)
    around = [c + arb(0, r.abs_upper()) for c, r in zip(centre.entries(), reach, strict=True)]
    if not all(norm <= (-mu if is_flow else mu) for norm in _norms(rates(around)[1], groups, is_flow)):
        raise Rejected(f"solutions do not certainly approach each other at the rate {said.rate}")
    at_centre, _ = rates(centre.entries())
    drift = back * (at_centre if is_flow else at_centre - centre)
    if not all(length < (mu if is_flow else 1 - mu) * radius for length in _lengths(drift, groups)):
        raise Rejected("solutions do not certainly stay in the neighbourhood in which they are said to settle")
    _require_one_rest_point(rates([between(*sides) for sides in box])[1], groups, is_flow)

    def see(tube: Stretch) -> None:
        if meets(tube, said.end):
            middle, slopes = tube.around_centre(said.end, said.end)
            away = column([middle[i] for i in moving]) - centre
            spread = (back * arb_mat([slopes[i] for i in moving])) * column(tube.coordinates)
            states = tube.fine(said.end, said.end)
            box = back * (column([states[i] for i in moving]) - centre)
            if not any(all(length <= radius for length in _lengths(x, groups)) for x in (back * away + spread, box)):
                raise Rejected(f"the solutions have not certainly arrived in their neighbourhood at time {said.end}")

    return see


def _require_one_rest_point(slope: Matrix, groups: Groups, is_flow: bool) -> None:
    if all(norm < (0 if is_flow else 1) for norm in _norms(slope, groups, is_flow)):
        return
    try:
        found = (slope if is_flow else slope - identity(slope.nrows())).inv().entries()
    except ZeroDivisionError:
        found = [arb.nan()]
    if not all(entry.is_finite() for entry in found):
        raise Rejected("the stated box need not hold only one rest point: state a box closer around it")


# --- norms ------------------------------------------------------------------------------------------------------------


def _lengths(vector: Matrix, groups: Groups) -> list[Ball]:
    return [_size([vector[j, 0] for j in group]) for group in groups]


def _norms(slope: Matrix, groups: Groups, is_flow: bool) -> list[Ball]:
    """For a flow the logarithmic norms of the rows of blocks, for a map their norms."""
    found = []
    for rows in groups:
        total = (logarithmic_norm if is_flow else norm)([[slope[i, j] for j in rows] for i in rows])
        for columns in groups:
            if columns is not rows:
                total += _size([slope[i, j] for i in rows for j in columns])
        found.append(total)
    return found


def logarithmic_norm(block: Sequence[Sequence[Ball]]) -> Ball:
    if len(block) == 1:
        return block[0][0]
    (a, b), (c, d) = block
    return (a + d + _size([a - d, b + c])) / 2


def norm(block: Sequence[Sequence[Ball]]) -> Ball:
    if len(block) == 1:
        return abs(block[0][0])
    (a, b), (c, d) = block
    return (_size([a + d, b - c]) + _size([a - d, b + c])) / 2


def _size(entries: Sequence[Ball]) -> Ball:
    """The root of the sum of squares, or a number above it."""
    if len(entries) == 1:
        return abs(entries[0])
    return sum((entry.abs_upper() ** 2 for entry in entries), ZERO).sqrt()


def _groups(evidence: Data, n: int) -> list[tuple[int, ...]]:
    """The pairs of entries that are taken together, and each that is by itself."""
    pairs = evidence.get("pairs", ())
    if not isinstance(pairs, tuple) or ("pairs" in evidence and not pairs):
        raise Rejected(f"the pairs of a neighbourhood are places of two moving states each, got {shown(pairs)}")
    found = []
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise Rejected(f"a pair of a neighbourhood has the places of two moving states, got {shown(pair)}")
        found.append(tuple(integer(place, 0, n - 1, "a place in a pair") for place in pair))
    taken = [place for pair in found for place in pair]
    if len(set(taken)) < len(taken) or any(i > j for i, j in found):
        raise Rejected(f"each moving state is in one pair at most, and its places rise, got {shown(pairs)}")
    return [*found, *((i,) for i in range(n) if i not in taken)]

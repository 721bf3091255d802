"""Sentences about time: what every solution of a flow does that starts in a box until a time.

The evidence is a tube: steps, each with a box that no solution leaves, from which a checker can compute the rest anew.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from derivations.language.normal import to_fraction
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.flows.propositions import Found, judged
from derivations.prove.flows.statements import claim_of
from derivations.prove.flows.tubes.flow import Care, Course, Ends, Iterates, Tube
from derivations.recheck.kinds.flows.trajectories.claims import FLOW, Claim, Proposition

METHOD = "enclosed solutions"
DOUBLES, FEWEST, COARSE = 16, 8, 6  # the most digits for starts in a box, and the fewest for points and for boxes
MOST_DIGITS = 250  # to which digits are doubled, and that can be asked for
DOUBLINGS = 2  # of the digits, where a start at a point is lost
BLURS = ((2.5, 2.0**-9), (1.3, 2.0**-11))  # first large steps, and then small ones where a start in a box is lost
SLIM = Fraction(1, 10**300)  # the narrowest interval whose digits are counted: floats know no smaller number
BEYOND = 4  # digits that are computed beyond those asked for


def decide(statement: Json) -> Certificate:
    """CERTIFIED by a tube in which every proposition holds, REFUTED by one in which one fails, or OPEN."""
    claim, reason = claim_of(statement), ""
    for care in cares(statement):
        tube = tube_of(claim, care)
        found = decided_in(tube, statement, claim)
        if found.verdict is not Verdict.OPEN:
            return found
        reason = found.reason  # of the last and most exact attempt
        if tube.is_lost_for_good:
            break
    return Certificate(statement, Verdict.OPEN, "none", reason=reason)


def tube_of(claim: Claim, care: Care) -> Course:
    """The tube of a statement, or the iterates of a map, of which no step is made yet."""
    return Tube(claim, care) if claim.form == FLOW else Iterates(claim, care)


def cares(statement: Json, wanted: int = 0) -> Iterator[Care]:
    """How exactly to compute: as the intervals that are stated ask for, and more exactly if a point is lost."""
    widths = [
        (Fraction(high) - Fraction(low)) / max(abs(Fraction(low)), abs(Fraction(high)), Fraction(1))
        for said in statement["says"]
        if said["that"] == "ends"
        for low, high in said["box"].values()
    ]
    widths += [Fraction(s["to"]) - Fraction(s["from"]) for s in statement["says"] if s["that"] == "reaches"]
    asked = max((BEYOND - math.log10(max(width, SLIM)) for width in widths if width > 0), default=0)
    wide = max(_relative_width(*map(Fraction, ends)) for ends in statement["start"].values())
    if wide == 0:
        digits = max(FEWEST, math.ceil(asked), wanted)
        yield from (Care(min(digits * 2**k, max(digits, MOST_DIGITS))) for k in range(DOUBLINGS + 1))
    else:
        digits = min(max(COARSE, math.ceil(asked), BEYOND - math.floor(math.log10(max(wide, SLIM)))), DOUBLES)
        yield from (Care(digits, boxed=True, blur=blur, unseen=unseen) for blur, unseen in BLURS)


def _relative_width(low: Fraction, high: Fraction) -> Fraction:
    return (high - low) / max(abs(low), abs(high), Fraction(1, 2**30)) if low < high else Fraction(0)


def decided_in(tube: Course, statement: Json, claim: Claim) -> Certificate:
    """Return what a tube says of a statement; the propositions of the earliest times first, as no more steps are
    made.
    """
    opened = ""
    shows: list[Json] = [{}] * len(claim.says)
    for place in sorted(range(len(claim.says)), key=lambda k: float(claim.says[k].end)):
        try:
            found = _judged(tube, claim, claim.says[place])
            if found.fails is not None:
                evidence = tube.payload(found.until) | {"fails": {"says": place, **found.fails}}
                return Certificate(statement, Verdict.REFUTED, METHOD, evidence)
        except Ends as end:
            return Certificate(statement, Verdict.OPEN, "none", reason=str(end))
        opened, shows[place] = opened or found.open, found.shows
    if opened:
        return Certificate(statement, Verdict.OPEN, "none", reason=opened)
    evidence = tube.payload(to_fraction(claim.latest)) | {"shows": shows}
    return Certificate(statement, Verdict.CERTIFIED, METHOD, evidence)


def _judged(tube: Course, claim: Claim, said: Proposition) -> Found:
    try:
        return judged(tube, claim, said)
    except Ends as end:
        return Found(open=str(end))

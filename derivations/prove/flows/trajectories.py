"""Sentences about time: what every solution of a flow that starts in a box does until a time.

The evidence is a tube: steps, each with a box that no solution leaves, from which a checker can compute the rest anew.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from derivations.language.terms import as_tuples
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.flows.propositions import Found, judged, latest
from derivations.prove.flows.statements import require_statement
from derivations.prove.flows.tubes.flow import Care, Ends, Tube
from derivations.prove.flows.tubes.maps import Iterates
from derivations.prove.flows.tubes.sets import fraction, identity
from derivations.prove.flows.tubes.steps import Step
from derivations.prove.flows.tubes.watched import Course

METHOD = "enclosed solutions"
DOUBLES, FEWEST, COARSE = 16, 8, 6  # the most digits for starts in a box, and the fewest for points and for boxes
MOST_DIGITS = 250  # to which digits are doubled, and that can be asked for
DOUBLINGS = 2  # of the digits, where a start at a point is lost
BLURS = (2.5, 1.3)  # first large steps, and then small ones where a start in a box is lost
FIRST = Fraction(1, 2**20)  # where nothing later is spoken of, the time that one step must reach
SLIM = Fraction(1, 10**300)  # the narrowest interval whose digits are counted: floats know no smaller number
BEYOND = 4  # digits that are computed beyond those asked for


def decide(statement: Json) -> Certificate:
    """CERTIFIED by a tube in which every proposition holds, REFUTED by one in which one fails, or OPEN."""
    require_statement(statement)
    reason = ""
    for care in cares(statement):
        tube = tube_of(statement, care)
        found = decided_in(tube, statement)
        if found.verdict is not Verdict.OPEN:
            return found
        reason = found.reason  # of the last and most exact attempt
        if tube.is_lost_for_good:
            break
    return Certificate(statement, Verdict.OPEN, "none", reason=reason)


def tube_of(statement: Json, care: Care) -> Course:
    """The tube of a statement, or the iterates of a map, of which no step is made yet."""
    states = {name: as_tuples(term) for name, term in statement["states"].items()}
    start = [(Fraction(low), Fraction(high)) for low, high in (statement["start"][name] for name in sorted(states))]
    course = Tube if statement["form"] == "flow" else Iterates
    return course(states, statement["time"], start, care)


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
        yield from (Care(digits, boxed=True, blur=blur) for blur in BLURS)


def _relative_width(low: Fraction, high: Fraction) -> Fraction:
    return (high - low) / max(abs(low), abs(high), Fraction(1, 2**30)) if low < high else Fraction(0)


def decided_in(tube: Course, statement: Json) -> Certificate:
    """What a tube says of a statement; the propositions of the earliest times first, as no more steps are made."""
    said = statement["says"]
    opened, settles = "", []
    for place in sorted(range(len(said)), key=lambda k: latest(said[k])):
        found = _judged(tube, said[place])
        if found.fails is not None:
            try:
                evidence = _steps(tube, found.until)
            except Ends as end:
                return Certificate(statement, Verdict.OPEN, "none", reason=str(end))
            evidence |= {"fails": {"says": place, **found.fails}}
            return Certificate(statement, Verdict.REFUTED, METHOD, evidence)
        opened = opened or found.open
        if found.settles is not None:
            settles.append(found.settles.as_json(place))
    if opened:
        return Certificate(statement, Verdict.OPEN, "none", reason=opened)
    evidence = _steps(tube, max(map(latest, said))) | ({"settles": settles} if settles else {})
    return Certificate(statement, Verdict.CERTIFIED, METHOD, evidence)


def _judged(tube: Course, said: Json) -> Found:
    try:
        return judged(tube, said)
    except Ends as end:
        return Found(open=str(end))


def _steps(tube: Course, until: Fraction) -> Json:
    """The evidence: steps that reach a time, with the boxes that no solution leaves, or how many iterations do."""
    if isinstance(tube, Iterates):
        return {"bits": tube.care.bits, "iterations": int(until)}
    next(tube.until(until or FIRST))  # one step at least, even to say something of the start
    steps = [
        [str(step.length), *([str(low), str(high)] for low, high in step.apriori), *_frame(step)]
        for step in tube.steps
        if step.time < (until or FIRST)
    ]
    return {"bits": tube.care.bits, "order": tube.care.order, "steps": steps}


def _frame(step: Step) -> list[list[list[str]]]:
    """The frame of what is lost at the end of a step, if it is turned."""
    frame = step.lands.frame
    rows = [[str(fraction(entry)) for entry in row] for row in frame.tolist()]
    return [] if frame == identity(frame.nrows()) else [rows]

"""Questions about two trajectories: which quantity is larger, and whether two starts end at different points."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated

import sympy as sp

from derivations.language.terms import Expression, NotExact, Variable
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.dispatch import settled
from derivations.prove.flows.asking import Box, Interval, beside, converges, in_run, stays, trajectory
from derivations.prove.flows.statements import above
from derivations.prove.schemas.composite import join
from derivations.prove.schemas.joining import denied
from derivations.text.doors import at_door

Run = Annotated[tuple[Mapping[Variable, Expression], Box, Expression], "its flow, its start and a quantity"]


@at_door(NotExact)
def less(
    lower: Run, higher: Run, between: Interval, *, parameters: Box | None = None, time: Variable | None = None
) -> Certificate:
    """Decide whether a quantity of one run is below a quantity of another at every time of an interval.

    lower, higher: for each run its flow, its start, and an expression in its variables. between: two times.
    parameters, time: as of `trajectory`; both runs share them.

    Returns the certificate for both runs beside each other; in its statement x is x_lower or x_higher. Refuses runs
    that are no flow, start and expression (`NotExact`).

    >>> x = sp.Symbol("x", real=True)
    >>> fast, slow = ({x: -2 * x}, {x: 1}, x), ({x: -x}, {x: 1}, x**2 + x)
    >>> less(fast, slow, between=(0, 5)).verdict.value, less(slow, fast, between=(0, 5)).verdict.value
    ('certified', 'refuted')
    """
    runs = {"lower": lower, "higher": higher}
    flow, start = beside(**{name: (rates, begin) for name, (rates, begin, _) in runs.items()})
    low, high = (in_run(quantity, rates, name) for name, (rates, _, quantity) in runs.items())
    said = stays(sp.StrictLessThan(low, high, evaluate=False), between)
    return trajectory(flow, start, says=said, parameters=parameters, time=time)


@at_door(NotExact)
def separates(
    flow: Mapping[Variable, Expression],
    first: Box,
    second: Box,
    by: Expression,
    *,
    parameters: Box | None = None,
) -> Certificate:
    """Decide whether a flow takes two starts, or two boxes of starts, to different points of rest.

    flow, parameters: as of `trajectory`. first, second: a start each. by: a time at which both have nearly arrived.

    Returns a certificate: CERTIFIED where each converges within a box of its own and the boxes lie apart, REFUTED where
    both converge within one box that holds one point of rest, or OPEN.

    >>> x = sp.Symbol("x", real=True)
    >>> wells = {x: x - x**3}
    >>> found = separates(wells, {x: (sp.Rational(1, 2), sp.Rational(11, 20))}, {x: -1}, by=20)
    >>> found.verdict.value, separates(wells, {x: 1}, {x: 2}, by=20).verdict.value
    ('certified', 'refuted')
    """
    runs = [trajectory(flow, start, says=converges(by), parameters=parameters) for start in (first, second)]
    if any(run.verdict is not Verdict.CERTIFIED for run in runs):
        return join(runs)
    boxes = [run.statement["says"][0]["box"] for run in runs]
    gap = _gap(*boxes)
    if gap is not None:
        return join([*runs, settled(gap)])
    together = [_within(runs[k], boxes[1 - k]) for k in (0, 1)]
    for alone, joined in zip(reversed(runs), together, strict=True):
        if joined.verdict is Verdict.CERTIFIED:
            return denied(join([alone, joined]))
    reason = "the boxes in which the two starts settle are not apart: at a later time they are narrower"
    return Certificate(join(runs).statement, Verdict.OPEN, "none", reason=reason)


def _gap(first: Json, second: Json) -> Json | None:
    """That two boxes lie apart: the end of one side is below the beginning of the other."""
    for name in first:
        for (_, high), (low, _) in ((first[name], second[name]), (second[name], first[name])):
            if Fraction(high) < Fraction(low):
                return above(low, high)
    return None


def _within(run: Certificate, box: Json) -> Certificate:
    """Check whether a trajectory converges within a box that was computed for another."""
    (said,) = run.statement["says"]
    return settled(run.statement | {"says": [said | {"box": box}]})

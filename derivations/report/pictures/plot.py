"""Small pictures beside what is refuted: the claimed and the derived side along one symbol, the others held fixed.

A picture is drawn from floats and decides nothing; the verdict is the certificate's. Where a claim has a flow, this is
stepped along as well, so that the curves stand beside a simulation of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from derivations.audit.probe.numbers import value
from derivations.audit.probe.trajectories.runs import run
from derivations.audit.verify import Outcome
from derivations.audit.witness_text import SIDES, names_of_sides
from derivations.language.terms import Term, carried_out, from_json, from_sympy, symbols_in
from derivations.paper.entries import Claim, Picture
from derivations.prove.certificate import Certificate, Json
from derivations.report.pictures.drawing import Curve, figure

SAMPLES = 81
DOTS = 14  # of a simulation
TELLING = 0.04  # of the height: curves that are closer than this everywhere are one curve to the eye
Flow = Sequence[tuple[str, Term, float]]


@dataclass(frozen=True)
class Plan:
    """A plan of what to draw: named terms along a symbol, the values of the others, and a flow to step along."""

    terms: tuple[tuple[str, Term], ...]
    along: str
    ends: tuple[float, float]
    others: dict[str, float]
    flow: Flow = ()
    says: str = ""
    places: list[float] = field(init=False)

    def __post_init__(self) -> None:
        low, high = self.ends
        places = [low + (high - low) * i / (SAMPLES - 1) for i in range(SAMPLES)]
        object.__setattr__(self, "places", places)


def drawn(outcome: Outcome, correction: Outcome | None, pictures: Sequence[Picture]) -> str:
    """The pictures of a refuted claim: those that its paper asks for, or else one picture of its two sides."""
    if pictures:
        return "".join(_shown(planned(picture)) for picture in pictures)
    plan = _sides(outcome, correction)
    if plan is None:
        return ""
    curves = [curve(name, term, plan) for name, term in plan.terms]
    return _shown(plan) if _differ_visibly(curves) else ""


def planned(picture: Picture) -> Plan:
    """The plan of a picture that a paper asks for."""
    return Plan(
        tuple((name, carried_out(from_sympy(term))) for name, term in picture.curves),
        picture.along.name,
        (float(picture.start), float(picture.until)),
        {symbol.name: float(value) for symbol, value in picture.held},
        [(x.name, carried_out(from_sympy(rate)), float(start)) for x, rate, start in picture.flow],
        picture.says,
    )


def _shown(plan: Plan) -> str:
    curves = [curve(name, term, plan) for name, term in plan.terms]
    dots = simulated(plan) if plan.flow else []
    return figure(curves, dots, plan.along, plan.others, plan.says)


def _sides(outcome: Outcome, correction: Outcome | None) -> Plan | None:
    """A plan for the two sides of a formula, if they differ along a single symbol."""
    certificate = outcome.certificate
    if certificate is None or not isinstance(outcome.entry, Claim) or outcome.entry.printed is None:
        return None
    statement, witness = certificate.statement, certificate.witness
    if not witness or not witness.get("point") or statement.get("assuming"):
        return None
    point = {name: float(Fraction(value)) for name, value in witness["point"].items()}
    flow: Flow = ()
    if statement["kind"] == "identity":
        terms = [carried_out(from_json(statement[side])) for side in ("left", "right")]
        names = names_of_sides(outcome)
        if names[0] == "derived":  # what is claimed comes first
            names, terms = (names[1], names[0]), terms[::-1]
        along = min(symbols_in(terms[0]) & symbols_in(terms[1]), default="", key=lambda s: (s != "t", s))
    else:
        found = _solutions(statement, correction.certificate if correction else None)
        if found is None:
            return None
        terms, along, flow = found[0], found[1], _flow(statement, found[2], point)
        names = ("as printed", "derived")
    used = set().union(*map(symbols_in, terms))
    if not along or not used <= set(point) or names == SIDES:
        return None
    others = {name: value for name, value in point.items() if name != along and name in used}
    at = point[along]
    ends = (0.0, 3 * at) if at > 0 else (at - 2, at + 2) if at else (0.0, 4.0)
    return Plan(tuple(zip(names, terms, strict=True)), along, ends, others, flow)


def _solutions(statement: Json, correction: Certificate | None) -> tuple[list[Term], str, str] | None:
    """One variable over time, as claimed and as proved, with the symbols of the time and of the variable."""
    if statement["kind"] != "solves" or correction is None or correction.statement["kind"] != "solves":
        return None
    other = correction.statement
    shared = sorted(set(statement["solution"]) & set(other["solution"]))
    if not shared or statement["time"] != other["time"]:
        return None
    both = (statement["solution"][shared[0]], other["solution"][shared[0]])
    return [carried_out(from_json(term)) for term in both], statement["time"], shared[0]


def _flow(statement: Json, first: str, point: dict[str, float]) -> Flow:
    """The flow of a claimed solution with numbers for all constants; nothing where a number is missing."""
    names = [first, *sorted(set(statement["flow"]) - {first})]
    rates = {name: _with(carried_out(from_json(statement["flow"][name])), point, names) for name in names}
    starts = {name: carried_out(from_json(statement["start"][name])) for name in names}
    used = set().union(*map(symbols_in, rates.values())) - set(names)
    if used or any(symbols_in(start) - set(point) for start in starts.values()):
        return ()
    return [(name, rates[name], value(starts[name], point)) for name in names]


def _with(term: Term, point: dict[str, float], kept: Sequence[str]) -> Term:
    """The term with exact numbers in place of the symbols of a point."""
    if term[0] == "s" and term[1] in point and term[1] not in kept:
        return ("q", str(Fraction(point[term[1]])))
    return tuple(_with(part, point, kept) if isinstance(part, tuple) else part for part in term)


def _differ_visibly(curves: Sequence[Curve]) -> bool:
    """Check whether a reader would see two curves apart, and no pole inside the range fills the picture."""
    (_, first), (_, second) = curves
    if min(len(first), len(second)) < SAMPLES - 2:
        return False
    right = dict(second)
    values = [y for points in (first, second) for _, y in points]
    gap = max(abs(y - right[x]) for x, y in first if x in right)
    spread = max(values) - min(values)
    return spread > 0 and gap > TELLING * spread


def curve(name: str, term: Term, plan: Plan) -> Curve:
    """The points of a curve at which its value is finite."""
    points = [(x, _value(term, {**plan.others, plan.along: x})) for x in plan.places]
    return name, [(x, y) for x, y in points if math.isfinite(y)]


def simulated(plan: Plan) -> list[tuple[float, float]]:
    """The first variable of a flow over time, integrated from its start."""
    low, high = plan.ends
    starts = {name: [start] for name, _, start in plan.flow}
    held = tuple((name, ("q", str(Fraction(number)))) for name, number in plan.others.items() if name not in starts)
    states = {name: ("at", rate, held) for name, rate, _ in plan.flow}
    statement = {"form": "flow", "time": plan.along, "states": states, "start": states}
    try:
        course = run(statement, np.array([starts[name] for name in sorted(starts)]), high - low)
    except ArithmeticError:  # no value along it, or too long
        return []
    times = [(high - low) * k / DOTS for k in range(DOTS + 1)]
    return [(low + time, course.first(time)[plan.flow[0][0]]) for time in times]


def _value(term: Term, at: Mapping[str, float]) -> float:
    try:
        return float(value(term, at, fast=True))
    except ArithmeticError:
        return math.nan

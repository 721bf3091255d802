"""Small pictures beside what is refuted: the claimed and the derived side along one symbol, the others held fixed.

A picture is drawn from floats and decides nothing; the verdict is the certificate's. Where a claim has a flow, this is
stepped along as well, so that the curves stand beside a simulation of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from derivations.audit.verify import Outcome
from derivations.audit.witness_text import SIDES, names_of_sides
from derivations.language.terms import Term, carried_out, from_json, from_sympy, symbols_in
from derivations.paper.entries import Claim, Picture
from derivations.prove.certificate import Certificate, Json
from derivations.report.pictures.drawing import Curve, figure

SAMPLES = 81
DOTS, STEPS = 14, 20  # of a simulation: what is shown, and how often it steps in between
TELLING = 0.04  # of the height: curves that are closer than this everywhere are one curve to the eye
CALLS: dict[str, Callable[[float], float]] = {
    "exp": math.exp, "log": math.log, "erf": math.erf, "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh,
    "sin": math.sin, "cos": math.cos, "asin": math.asin, "abs": abs,
    "expm1": math.expm1,
}  # fmt: skip

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
    """The first variable of a flow over time, integrated by the classical method of Runge and Kutta."""
    low, high = plan.ends
    step = (high - low) / (DOTS * STEPS)
    state = {name: start for name, _, start in plan.flow}
    dots = [(low, state[plan.flow[0][0]])]
    for _ in range(DOTS):
        for _ in range(STEPS):
            state = _stepped(state, step, plan)
        dots.append((dots[-1][0] + step * STEPS, state[plan.flow[0][0]]))
    return [(x, y) for x, y in dots if math.isfinite(y)]


def _stepped(state: dict[str, float], step: float, plan: Plan) -> dict[str, float]:
    def rates(at: dict[str, float]) -> dict[str, float]:
        return {name: _value(rate, {**plan.others, **at}) for name, rate, _ in plan.flow}

    def moved(by: dict[str, float], far: float) -> dict[str, float]:
        return {name: state[name] + far * by[name] for name in state}

    k1 = rates(state)
    k2 = rates(moved(k1, step / 2))
    k3 = rates(moved(k2, step / 2))
    k4 = rates(moved(k3, step))
    return moved({n: (k1[n] + 2 * k2[n] + 2 * k3[n] + k4[n]) / 6 for n in state}, step)


def _value(term: Term, at: Mapping[str, float]) -> float:
    try:
        return value(term, at)
    except (ArithmeticError, ValueError):
        return math.nan


def value(term: Any, at: Mapping[str, float]) -> float:
    """The value of a term in floats, which is exact enough for a picture."""
    match term[0]:
        case "s":
            return at[term[1]]
        case "q":
            return float(Fraction(term[1]))
        case "pi":
            return math.pi
        case "+":
            return math.fsum(value(part, at) for part in term[1:])
        case "*":
            return math.prod(value(part, at) for part in term[1:])
        case "^":
            return _power(value(term[1], at), value(term[2], at))
    if term[0] not in CALLS:
        raise ValueError(f"{term[0]} is not drawn")
    return CALLS[term[0]](value(term[1], at))


def _power(base: float, exponent: float) -> float:
    if base < 0 and exponent != int(exponent):
        raise ValueError("a root of a negative number")
    return float(base**exponent)

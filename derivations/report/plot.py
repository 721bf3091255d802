"""A small picture of two sides that differ, along one symbol, with the other symbols of the witness held fixed.

The picture is drawn from floats and decides nothing; the verdict is the certificate's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Any

import sympy as sp

from derivations.claims import Claim
from derivations.prove.certificate import Certificate, Json
from derivations.report.letters import GREEK
from derivations.report.mathml import symbol
from derivations.terms import Term, carried_out, from_json, from_sympy, symbols_in
from derivations.verify import Outcome

SAMPLES = 81
WIDTH, HEIGHT, MARGIN = 360, 190, 34
TELLING = 0.04  # of the height: curves that are closer than this everywhere are one curve to the eye
CALLS: dict[str, Callable[[float], float]] = {
    "exp": math.exp, "log": math.log, "erf": math.erf, "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh,
    "sin": math.sin, "cos": math.cos, "asin": math.asin, "abs": abs,
    "expm1": math.expm1,
}  # fmt: skip


@dataclass(frozen=True)
class Sides:
    """Two terms to draw, what to call them, and the symbol along which they are drawn."""

    names: tuple[str, str]
    terms: tuple[Term, Term]
    along: str
    others: dict[str, float]
    at: float


def drawn(outcome: Outcome, correction: Outcome | None) -> str:
    """The picture of a refuted formula as a figure, or nothing where one free number is not enough to tell."""
    sides = _sides(outcome, correction)
    if sides is None:
        return ""
    curves = _curves(sides)
    return _figure(sides, *curves) if curves else ""


def names_of_sides(outcome: Outcome) -> tuple[str, str]:
    """What the sides of an identity are called: the one that is the printed expression itself, and the derived one."""
    certificate, printed = outcome.certificate, outcome.entry.printed
    if certificate and printed and certificate.statement["kind"] == "identity":
        written = [from_sympy(side) for side in printed.sides if isinstance(side, sp.Basic)]
        is_printed = [from_json(certificate.statement[side]) in written for side in ("left", "right")]
        if sum(is_printed) == 1:
            return ("as printed", "derived") if is_printed[0] else ("derived", "as printed")
    return "left side", "right side"


def _sides(outcome: Outcome, correction: Outcome | None) -> Sides | None:
    certificate = outcome.certificate
    if certificate is None or not isinstance(outcome.entry, Claim) or outcome.entry.printed is None:
        return None
    statement, witness = certificate.statement, certificate.witness
    if not witness or not witness.get("point") or statement.get("assuming"):
        return None
    point = {name: float(Fraction(value)) for name, value in witness["point"].items()}
    if statement["kind"] == "identity":
        terms = tuple(carried_out(from_json(statement[side])) for side in ("left", "right"))
        names = names_of_sides(outcome)
        along = min(symbols_in(terms[0]) & symbols_in(terms[1]), default="", key=lambda s: (s != "t", s))
    else:
        found = _solutions(statement, correction.certificate if correction else None)
        if found is None:
            return None
        terms, along = found
        names = ("as printed", "derived")
    used = set().union(*map(symbols_in, terms))
    if not along or not used <= set(point):
        return None
    others = {name: value for name, value in point.items() if name != along and name in used}
    return Sides(names, (terms[0], terms[1]), along, others, point[along])


def _solutions(statement: Json, correction: Certificate | None) -> tuple[tuple[Term, ...], str] | None:
    """The same variable over time, as it was claimed and as it was proved."""
    if statement["kind"] != "solves" or correction is None or correction.statement["kind"] != "solves":
        return None
    other = correction.statement
    shared = sorted(set(statement["solution"]) & set(other["solution"]))
    if not shared or statement["time"] != other["time"]:
        return None
    both = (statement["solution"][shared[0]], other["solution"][shared[0]])
    return tuple(carried_out(from_json(term)) for term in both), statement["time"]


Points = list[tuple[float, float]]


def _curves(sides: Sides) -> tuple[Points, Points] | None:
    low, high = (0.0, 3 * sides.at) if sides.at > 0 else (sides.at - 2, sides.at + 2) if sides.at else (0.0, 4.0)
    places = [low + (high - low) * i / (SAMPLES - 1) for i in range(SAMPLES)]
    first, second = ([(x, _value(term, sides, x)) for x in places] for term in sides.terms)
    kept = [i for i in range(SAMPLES) if math.isfinite(first[i][1]) and math.isfinite(second[i][1])]
    if len(kept) < SAMPLES - 2:  # a pole inside the range would fill the picture
        return None
    left, right = [first[i] for i in kept], [second[i] for i in kept]
    values = [y for _, y in left + right]
    gap = max(abs(a - b) for (_, a), (_, b) in zip(left, right, strict=True))
    spread = max(values) - min(values)
    return (left, right) if spread > 0 and gap > TELLING * spread else None


def _value(term: Term, sides: Sides, x: float) -> float:
    try:
        return value(term, {**sides.others, sides.along: x})
    except (ArithmeticError, ValueError):
        return math.nan


def value(term: Any, at: Mapping[str, float]) -> float:
    """A term in floats, for drawing."""
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


# --- drawing ----------------------------------------------------------------------------------------------------------


def _figure(sides: Sides, first: Points, second: Points) -> str:
    xs = [x for x, _ in first]
    ys = [y for _, y in first + second]
    box = (min(xs), max(xs), min(ys), max(ys))
    fixed = ", ".join(f"{name} = {_short(number)}" for name, number in sorted(sides.others.items()))
    held = ", ".join(f"{symbol(name)} = {_short(number)}" for name, number in sorted(sides.others.items()))
    title = f"{sides.names[0]} and {sides.names[1]} along {sides.along}" + (f", for {fixed}" if fixed else "")
    return (
        f'<figure class="plot"><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
        f"{_axes(box, GREEK.get(sides.along, sides.along))}"
        f'<path class="first" d="{_path(first, box)}"/><path class="second" d="{_path(second, box)}"/></svg>'
        f'<figcaption><span class="key first"></span> {sides.names[0]} '
        f'<span class="key second"></span> {sides.names[1]}'
        f"{f'; {held}' if held else ''}. Drawn from floats; the exact witness decides.</figcaption></figure>"
    )


def _axes(box: tuple[float, float, float, float], along: str) -> str:
    left, right, low, high = box
    start, bottom, end = MARGIN + 14, HEIGHT - MARGIN + 14, WIDTH - 8
    return (
        f'<path class="axis" d="M{start},8V{HEIGHT - MARGIN}H{end}"/>'
        f'<text x="{start}" y="{bottom}">{_short(left)}</text>'
        f'<text x="{end}" y="{bottom}" text-anchor="end">{_short(right)}</text>'
        f'<text class="name" x="{(start + end) / 2:.0f}" y="{bottom + 6}" text-anchor="middle">{escape(along)}</text>'
        f'<text x="{start - 4}" y="{HEIGHT - MARGIN}" text-anchor="end">{_short(low)}</text>'
        f'<text x="{start - 4}" y="16" text-anchor="end">{_short(high)}</text>'
    )


def _path(points: Points, box: tuple[float, float, float, float]) -> str:
    left, right, low, high = box
    start, wide, tall = MARGIN + 14, WIDTH - MARGIN - 22, HEIGHT - MARGIN - 8
    places = (
        (start + wide * (x - left) / (right - left), HEIGHT - MARGIN - tall * (y - low) / (high - low))
        for x, y in points
    )
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in places)


def _short(number: float) -> str:
    return f"{number:.3g}".replace("-", "−")

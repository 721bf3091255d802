"""Random flows and maps with random boxes of starts: solutions that other code computes lie in every enclosure.

PYTHONPATH=tests:. python -m fuzz.trajectories --count 10000 --jobs 2 --seed 1 --out outcome.json
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest.mock import patch

import sympy as sp
from fuzz.courses import Course, Lost
from mpmath import mp

from derivations import prove
from derivations.audit.ledger import plain
from derivations.prove.flows import trajectories
from derivations.prove.flows.asking import Proposition
from derivations.prove.flows.statements import claim_of
from derivations.prove.flows.tubes import flow
from derivations.prove.flows.tubes.sets import rational, working
from derivations.recheck import Rejected, check
from derivations.text import DerivationError

STATES = sp.symbols("x y z", real=True)
TIME = sp.Symbol("t", real=True)
WIDTHS = (0, 0, Fraction(1, 10**6), Fraction(1, 1000), Fraction(1, 100), Fraction(1, 10))
SAMPLES = 2
MOMENTS = 4
STEPS = 300  # of a tube, beyond which it stays open here
EXACT = mp.mpf(10) ** -36  # to which the other solution is known: 50 digits in every step, and what grows from there
BATCH = 25
Expression = Any
Enclosed = tuple[Fraction, dict[str, Any]]  # a moment, and the ends of every state


# --- drawing ----------------------------------------------------------------------------------------------------------


def _number(rng: random.Random) -> Any:
    return sp.Rational(rng.randint(-8, 8), rng.randint(1, 8))


def _polynomial(rng: random.Random, of: list[Any]) -> Expression:
    terms = rng.randint(1, 3)
    return sum(_number(rng) * sp.prod([rng.choice(of) for _ in range(rng.randint(0, 3))]) for _ in range(terms))


def _linear(rng: random.Random, of: list[Any]) -> Expression:
    return _number(rng) + sum(_number(rng) * s for s in of)


def _rational(rng: random.Random, of: list[Any]) -> Expression:
    below = 1 + rng.choice(of) ** 2 if rng.random() < 0.6 else _linear(rng, of)
    return _polynomial(rng, of) / below if below != 0 else _polynomial(rng, of)


def _of_a_function(*functions: Any) -> Callable[[random.Random, list[Any]], Expression]:
    def drawn(rng: random.Random, of: list[Any]) -> Expression:
        inner = _linear(rng, [rng.choice(of)]) / rng.randint(1, 4)
        return _number(rng) * rng.choice(functions)(inner) * rng.choice([1, rng.choice(of)]) - _number(rng) * of[0]

    return drawn


FAMILIES: dict[str, Callable[[random.Random, list[Any]], Expression]] = {
    "polynomial": _polynomial,
    "rational": _rational,
    "exp": _of_a_function(sp.exp, sp.sinh, sp.tanh),
    "erf": _of_a_function(sp.erf),
    "arcsine": _of_a_function(sp.asin, lambda u: sp.asin(u / sp.sqrt(1 + u**2))),
    "root": _of_a_function(sp.sqrt, lambda u: 1 / sp.sqrt(1 + u**2), sp.log, lambda u: (2 + u**2) ** sp.Rational(2, 3)),
    "wave": _of_a_function(sp.sin, sp.cos, sp.atan),
}


@dataclass
class Drawn:
    """A flow or a map, a box of starts, and a time."""

    family: str
    form: str
    rates: dict[Any, Any]
    start: dict[Any, tuple[Fraction, Fraction]]
    until: Fraction


def drawn(rng: random.Random) -> Drawn:
    family, form = rng.choice(list(FAMILIES)), "map" if rng.random() < 0.15 else "flow"
    states = list(STATES[: rng.choice((1, 2, 2, 3))])
    of = states + ([TIME] if rng.random() < 0.15 else [])
    rates = {s: FAMILIES[family](rng, of) if rng.random() < 0.8 else _polynomial(rng, of) for s in states}
    if form == "map":
        rates = {s: s + rate / 10 for s, rate in rates.items()}
    elif len(states) > 1 and rng.random() < 0.2:
        rates[states[-1]] = sp.Integer(0)  # a parameter
    width = rng.choice(WIDTHS)
    middles = {s: Fraction(rng.randint(-12, 12), rng.randint(1, 10)) for s in states}
    start = {s: (m, m + width * rng.choice((0, 1, 1)) * max(abs(m), Fraction(1, 10))) for s, m in middles.items()}
    until = Fraction(rng.randint(1, 12)) if form == "map" else Fraction(rng.randint(1, 24), rng.choice((6, 8, 10)))
    return Drawn(family, form, rates, start, until)


# --- the other solution -----------------------------------------------------------------------------------------------


class Orbit:
    """The iterates of a map from an exact start, by mpmath."""

    def __init__(self, drawn: Drawn, start: dict[Any, Fraction]) -> None:
        self.names = sorted(drawn.rates, key=str)
        self.rates = [sp.lambdify([*self.names, TIME], drawn.rates[s], "mpmath") for s in self.names]
        with mp.workdps(60):
            self.points = [[mp.mpf(start[s].numerator) / start[s].denominator for s in self.names]]

    def at(self, time: Fraction) -> list[Any]:
        with mp.workdps(60):
            while len(self.points) <= time:
                at = [*self.points[-1], mp.mpf(len(self.points) - 1)]
                try:
                    point = [mp.mpmathify(rate(*at)) for rate in self.rates]
                except (ZeroDivisionError, ValueError):
                    raise Lost from None
                if not all(isinstance(p, mp.mpf) and abs(p) < 10**9 for p in point):
                    raise Lost
                self.points.append(point)
        return self.points[int(time)]


def samples(rng: random.Random, drawn: Drawn) -> Iterator[Course | Orbit]:
    """Solutions from a corner of the box, and from points inside."""
    for k in range(SAMPLES):
        share = [Fraction(rng.randint(0, 1)) if k == 0 else Fraction(rng.randint(0, 64), 64) for _ in drawn.start]
        point = {s: low + (high - low) * f for (s, (low, high)), f in zip(drawn.start.items(), share, strict=True)}
        yield Course(drawn.rates, point, TIME) if drawn.form == "flow" else Orbit(drawn, point)


# --- judging ----------------------------------------------------------------------------------------------------------


@dataclass
class Outcome:
    """The outcome of many: verdicts by family, and every contradiction."""

    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    compared: int = 0
    lost: int = 0
    unsound: list[str] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)

    def __add__(self, other: Outcome) -> Outcome:
        return Outcome(
            self.verdicts + other.verdicts,
            self.compared + other.compared,
            self.lost + other.lost,
            self.unsound + other.unsound,
            self.rejected + other.rejected,
        )


def judge(seed: int, count: int) -> Outcome:
    """Many random flows: every enclosure and every sentence against solutions of other code, and the checker's word."""
    outcome = Outcome()
    for k in range(count):
        rng = random.Random(f"trajectories/{seed}/{k}")
        with mp.workdps(50), patch.object(flow, "MOST_STEPS", STEPS):
            _judge_one(outcome, rng, f"{seed}/{k}")
    return outcome


def _judge_one(outcome: Outcome, rng: random.Random, name: str) -> None:
    case = drawn(rng)
    try:
        said = _sentences(rng, case)
        ask = prove.trajectory if case.form == "flow" else prove.iteration
        found = ask(case.rates, case.start, case.until, [prove.ends(case.until), *said], time=TIME)
        if found.verdict is prove.Verdict.OPEN:
            found = ask(case.rates, case.start, case.until, time=TIME)
    except DerivationError as refused:
        outcome.verdicts[case.family, f"refused: {type(refused).__name__}"] += 1
        return
    outcome.verdicts[case.family, found.verdict.value] += 1
    if found.verdict is prove.Verdict.OPEN:
        return
    try:
        check(plain(found))
    except Rejected as refused:
        outcome.rejected.append(f"{name}: {refused}: {found.statement}")
    boxes = list(_boxes(rng, case, found))
    for course in samples(rng, case):
        try:
            trouble = contradiction(case, found, boxes, course)
            outcome.compared += 1
        except Lost:
            outcome.lost += 1
            continue
        if trouble:
            outcome.unsound.append(f"{name}: {trouble}: {found.statement}")


def _sentences(rng: random.Random, case: Drawn) -> list[Proposition]:
    """Something that may stay so, or not, and an event that may come, or not."""
    states = list(case.rates)
    middle = {s: (low + high) / 2 for s, (low, high) in case.start.items()}
    s = rng.choice(states)
    level = sp.Rational(middle[s]) + sp.Rational(rng.randint(-8, 8), 4) + sp.Rational(1, 97)
    relation = rng.choice((sp.Gt, sp.Lt, sp.Ge))(s**2 + s if rng.random() < 0.3 else s, level)
    low, high = sorted(rng.sample(range(9), 2))
    times = [case.until * k / 8 for k in (low, high)]
    if case.form == "map":
        times = [Fraction(int(k)) for k in times]
    roll = rng.random()
    if roll < 0.45:
        return [prove.stays(relation, between=tuple(times))]
    if roll < 0.9 and times[0] < times[1]:
        return [prove.reaches(sp.Eq(relation.lhs, relation.rhs), between=tuple(times) if rng.random() < 0.4 else None)]
    return [prove.converges(case.until)] if not any(rate.has(TIME) for rate in case.rates.values()) else []


def contradiction(case: Drawn, found: prove.Certificate, boxes: list[Enclosed], course: Course | Orbit) -> str | None:
    """Return what a solution does that an enclosure or a sentence excludes."""
    names = sorted(case.rates, key=str)
    for time_, box in boxes:
        for s, value in zip(names, course.at(time_), strict=True):
            low, high = box.get(str(s), (None, None))
            if low is not None and not low - EXACT <= value <= high + EXACT:
                return f"{s} is {mp.nstr(value, 25)} at {time_}"
    failing = found.payload.get("fails")
    verdicts = [_held(said, case, course) for said in found.statement["says"]]
    if found.verdict is prove.Verdict.CERTIFIED and not all(verdicts):
        return f"a solution does not do what is certified ({verdicts})"
    if failing is not None and verdicts[failing["says"]]:
        return f"a solution does what is refuted ({failing})"
    return None


def _boxes(rng: random.Random, case: Drawn, found: prove.Certificate) -> Iterator[Enclosed]:
    """Enclosures at random moments, of a tube that is made anew as the prover makes it."""
    until = min(case.until, sum((Fraction(step[0]) for step in found.payload.get("steps", ())), Fraction(0)))
    if case.form == "map":
        until = Fraction(found.payload["iterations"])
    claim = claim_of(found.statement)
    for care in trajectories.cares(found.statement):
        tube = trajectories.tube_of(claim, care)
        try:
            tube.at(until)
        except DerivationError:
            continue
        for _ in range(MOMENTS):
            moment = until * rng.randint(1, 1000) / 1000
            moment = Fraction(int(moment)) if case.form == "map" else moment
            at = rational(moment)
            with working(care.bits):
                box = tube.at(moment).at(at, at)
                sides = [(_exactly(value.lower()), _exactly(value.upper())) for value in box]
            yield moment, dict(zip(claim.names, sides, strict=True))
        return


def _exactly(value: Any) -> Any:
    mantissa, exponent = value.man_exp()
    return mp.ldexp(mp.mpf(int(mantissa)), int(exponent))


def _held(said: Any, case: Drawn, course: Course | Orbit) -> bool:
    """Check whether a solution seems to do what is said, at moments of a grid."""
    names = sorted(case.rates, key=str)
    match said["that"]:
        case "ends":
            return _inside(said["box"], names, course.at(Fraction(said["at"])))
        case "converges":
            later = [Fraction(said["by"]) + k for k in (0, 1, 4)]
            return all(_inside(said["box"], names, course.at(at)) for at in later)
    first, last = Fraction(said["from"]), Fraction(said["to"])
    _, left, right = said["relation"]
    difference = expression(left) - expression(right)
    of_states = sp.lambdify([*names, TIME], difference, "mpmath")

    def value(at: Fraction) -> Any:
        return of_states(*course.at(at), mp.mpf(at.numerator) / at.denominator)

    if said["that"] == "stays":
        return all(value(at) > -EXACT for at in _grid(first, last, case.form))
    begun = mp.sign(value(Fraction(0)))
    if not all(begun * value(at) > -EXACT for at in _grid(Fraction(0), first, case.form)):
        return False
    if case.form == "map":
        return any(begun * value(at) <= EXACT for at in _grid(first + 1, last, case.form))
    return bool(begun * value(last) < EXACT)


def _inside(box: dict[str, list[str]], names: list[Any], point: list[Any]) -> bool:
    for s, v in zip(names, point, strict=True):
        if str(s) in box:
            low, high = (mp.mpf(f.numerator) / f.denominator for f in map(Fraction, box[str(s)]))
            if not low - EXACT <= v <= high + EXACT:
                return False
    return True


def _grid(first: Fraction, last: Fraction, form: str) -> list[Fraction]:
    if form == "map":
        return [Fraction(k) for k in range(int(first), int(last) + 1)]
    return [first + (last - first) * k / 16 for k in range(17)]


def expression(term: Any) -> Any:
    """A formula of a statement as SymPy has it; all symbols are real."""
    match term[0]:
        case "s":
            return sp.Symbol(term[1], real=True)
        case "q":
            return sp.Rational(term[1])
        case "+":
            return sp.Add(*map(expression, term[1:]))
        case "*":
            return sp.Mul(*map(expression, term[1:]))
        case "^":
            return expression(term[1]) ** expression(term[2])
        case "D":
            return sp.diff(expression(term[1]), sp.Symbol(term[2], real=True))
        case "exp" | "log" | "sin" | "cos" | "erf" | "asin" | "atan" | "sinh" | "cosh" | "tanh":
            return getattr(sp, term[0])(expression(term[1]))
    raise ValueError(term[0])


# --- many -------------------------------------------------------------------------------------------------------------


def batch(seed: int) -> Outcome:
    return judge(seed, BATCH)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    seeds, began, total = range(chosen.seed, chosen.seed + -(-chosen.count // BATCH)), time.monotonic(), Outcome()
    with ProcessPoolExecutor(chosen.jobs) as pool:
        for done, outcome in enumerate(pool.map(batch, seeds), 1):
            total += outcome
            data = {
                "seeds": [chosen.seed, chosen.seed + done - 1],
                "flows": sum(total.verdicts.values()),
                "solutions": total.compared,
                "lost": total.lost,
                "seconds": round(time.monotonic() - began),
                "unsound": total.unsound,
                "rejected": total.rejected,
                "verdicts": {f"{family}, {verdict}": n for (family, verdict), n in sorted(total.verdicts.items())},
            }
            chosen.out.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

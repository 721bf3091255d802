"""Steps and boxes for trajectories, proposed by plain floats with wide margins: evidence that knows no prover."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from recheck.handmade import Json, Term, add, mul, q, s

from derivations.audit.probe.numbers import value

Rate = Callable[[float, Any], Any]
BITS = 40


def dyadic(value: float, side: int) -> str:
    """A dyadic number just below (-1) or above (1) a float, as text."""
    if value == 0:
        return "0"
    scale = Fraction(2) ** (BITS - math.frexp(value)[1])
    whole = math.floor(Fraction(value) * scale) if side < 0 else math.ceil(Fraction(value) * scale)
    return str(Fraction(whole) / scale)


def _moved(rate: Rate, t: float, x: Any, h: float) -> Any:
    """One step of Runge and Kutta."""
    k1 = rate(t, x)
    k2 = rate(t + h / 2, x + h / 2 * k1)
    k3 = rate(t + h / 2, x + h / 2 * k2)
    k4 = rate(t + h, x + h * k3)
    return x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def proposed(rate: Rate, start: Sequence[tuple[Any, Any]], until: Any, length: Any) -> list[list[Any]]:
    """Steps of one length, and boxes around what the corners of the start do; and frames that do not turn."""
    ends_of = [[float(Fraction(end)) for end in dict.fromkeys(ends)] for ends in start]
    runs = [np.array(corner) for corner in product(*ends_of)]
    runs.append(np.mean(runs, axis=0))
    steps, now, h = [], Fraction(0), Fraction(length)
    while now < Fraction(until):
        seen = list(runs)
        for part in range(8):
            runs = [_moved(rate, float(now) + part * float(h) / 8, run, float(h) / 8) for run in runs]
            seen += runs
        below, above = np.min(seen, axis=0), np.max(seen, axis=0)
        off = 0.2 * (above - below) + 1e-9 + 1e-4 * np.maximum(abs(below), abs(above))
        box = [[dyadic(below[i] - off[i], -1), dyadic(above[i] + off[i], 1)] for i in range(len(below))]
        steps.append([str(h), box, unit(len(box))])
        now += h
    return steps


def unit(size: int) -> list[list[str]]:
    """A frame that does not turn."""
    return [[str(int(i == j)) for j in range(size)] for i in range(size)]


def flow(states: dict[str, Term], start: dict[str, Any], says: list[Json], steps: Any, **more: Any) -> Json:
    """A certificate about a flow; starts are one number, or two ends."""
    payload = {"bits": 128, "order": 16, "steps": steps} | more
    return _certificate("flow", states, start, says, payload)


def iteration(states: dict[str, Term], start: dict[str, Any], says: list[Json], iterations: int, **more: Any) -> Json:
    return _certificate("map", states, start, says, {"bits": 128, "iterations": iterations} | more)


def _certificate(form: str, states: dict[str, Term], start: dict[str, Any], says: list[Json], payload: Json) -> Json:
    box = {
        x: [str(Fraction(end)) for end in (ends if isinstance(ends, tuple) else (ends, ends))]
        for x, ends in start.items()
    }
    statement = {"kind": "trajectory", "form": form, "time": "t", "states": states, "start": box, "says": says}
    verdict = "refuted" if "fails" in payload else "certified"
    if verdict == "refuted":
        sign = _sign(statement, says[payload["fails"]["says"]]) if "by" in payload["fails"] else {}
        payload["fails"] = payload["fails"] | sign
    else:
        settles = iter(payload.pop("settles", ()))
        payload = {"shows": [_shown(statement, said, settles) for said in says]} | payload
    return {"statement": statement, "verdict": verdict, "method": "enclosed solutions", "payload": payload}


def _shown(statement: Json, said: Json, settles: Iterator[Json]) -> Json:
    """The evidence of one thing that is said: a neighbourhood, or the sign before an event and when it has come."""
    if said["that"] == "converges":
        return next(settles, {})
    if said["that"] != "reaches":
        return {}
    at = _sign(statement, said)
    first, last = int(Fraction(said["from"])), int(Fraction(said["to"]))
    if statement["form"] == "map":
        counts = range(first + 1, last + 1)
        return at | {"at": str(next((k for k in counts if at["sign"] * _gap(statement, said, k) <= 0), last))}
    return at | {"at": said["to"]}


def _sign(statement: Json, said: Json) -> Json:
    return {"sign": 1 if _gap(statement, said, 0) > 0 else -1}


def _gap(statement: Json, said: Json, count: int) -> float:
    """The difference of the sides from the middle of the start, of a map after some iterations."""
    states = {x: float((Fraction(low) + Fraction(high)) / 2) for x, (low, high) in statement["start"].items()}
    for _ in range(count):
        states = {x: float(value(term, states, fast=True)) for x, term in statement["states"].items()}
    left, right = (float(value(side, states | {"t": 0.0}, fast=True)) for side in said["relation"][1:])
    return left - right


def ends(at: Any, **box: tuple[Any, Any]) -> Json:
    return {"that": "ends", "at": str(Fraction(at)), "box": _box(box)}


def stays(begin: Any, end: Any, relation: str, left: Term, right: Term) -> Json:
    return {
        "that": "stays",
        "from": str(Fraction(begin)),
        "to": str(Fraction(end)),
        "relation": [relation, left, right],
    }


def reaches(begin: Any, end: Any, left: Term, right: Term) -> Json:
    return {"that": "reaches", "from": str(Fraction(begin)), "to": str(Fraction(end)), "relation": ["=", left, right]}


def converges(by: Any, rate: Any, **box: tuple[Any, Any]) -> Json:
    return {"that": "converges", "by": str(Fraction(by)), "box": _box(box), "rate": str(Fraction(rate))}


def _box(box: dict[str, tuple[Any, Any]]) -> Json:
    return {x: [str(Fraction(end)) for end in ends] for x, ends in box.items()}


def around(value: float, by: float) -> tuple[Fraction, Fraction]:
    return Fraction(value) - Fraction(by), Fraction(value) + Fraction(by)


# --- systems with known solutions, or known numbers -------------------------------------------------------------------

x, y, t, c = s("x"), s("y"), s("t"), s("c")
DECAY: dict[str, Term] = {"x": mul(q(-1), x)}
TURN: dict[str, Term] = {"x": mul(q(-1), y), "y": x}
SHRINK: dict[str, Term] = {"x": mul(q("1/2"), add(x, mul(q("1/4"), y))), "y": mul(q("1/3"), y)}
LOGISTIC: dict[str, Term] = {"x": mul(c, x, add(q(1), mul(q(-1), x))), "c": q(0)}


def decay_rate(_: float, at: Any) -> Any:
    return -at


def turn_rate(_: float, at: Any) -> Any:
    return np.array([-at[1], at[0]])


def logistic_rate(_: float, at: Any) -> Any:
    """Sorted by name: c, x."""
    return np.array([0.0, at[0] * at[1] * (1 - at[1])])

"""Solutions of the flow of a model, confronted with its matrices: they are integrated, and their scalars compared."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import mpmath
from scipy.optimize import least_squares

from derivations.audit.probe.numbers import NoValue, value
from derivations.audit.probe.points import declared, drawn, satisfied

Floats = dict[str, float]
TIMES = (0.0, 0.05, 0.2, 0.7, 1.5)
APART, ALIKE, CLOSE, FAR = 1e-5, 1e-6, 1e-9, 1e6
TRIES = 4  # draws of instances for each that is wanted


def follow(statement: Any, models: Sequence[Any], rng: random.Random, count: int) -> Iterator[str | None]:
    """Return what contradicts a solution at instances whose flow is the flow of the statement.

    Letters without a meaning in the model, such as a conserved quantity, are solved from the start and the rates. A
    statement about another flow, such as one that a source prints with other constants, then meets no instance.
    """
    for model in models:
        if not hasattr(model, "course") or not set(statement["flow"]) <= {"h", "y", "w"}:
            continue
        met = 0
        for _ in range(count * TRIES):
            at = model.instance(rng.choice(("straight", "size_one")), rng.randrange(10**6))
            scalars = {name: _float(x) for name, x in model.scalars(at).items()}
            rates = {name: _float(x) for name, x in model.reduced_rates(at).items()}
            point = _point(statement, scalars, rates, rng)
            course = model.course(at, TIMES) if point is not None else []
            if point is not None and all(_flows(statement, point, here) for here in course):
                yield _compared(statement, point, course, at.seed)
                met += 1
            if met == count:
                break


def _point(statement: Any, scalars: Floats, rates: Floats, rng: random.Random) -> Floats | None:
    """Values for the symbols of a statement at the start of an instance; None where its flow is another one."""
    known = {name: x for name, x in scalars.items() if name in statement["symbols"]}
    known |= {term[1]: scalars[name] for name, term in statement["start"].items() if term[0] == "s"}
    known[statement["time"]] = 0.0
    unknown = sorted(set(statement["symbols"]) - set(known))
    pairs = [(statement["start"][name], scalars[name]) for name in statement["start"]]
    pairs += [(rate, rates[name]) for name, rate in statement["flow"].items()]

    def misses(values: Any) -> list[float]:
        at = known | dict(zip(unknown, map(float, values), strict=True))
        try:
            return [(value(term, at, fast=True) - wanted) / (1 + abs(wanted)) for term, wanted in pairs]
        except (NoValue, OverflowError):
            return [FAR] * len(pairs)

    values: Any = []
    if unknown and len(unknown) <= len(pairs):
        signs = [drawn(statement["symbols"][name], rng) for name in unknown]
        values = least_squares(misses, [float(x) for x in signs], xtol=1e-15, ftol=1e-15, gtol=1e-15).x
    elif unknown:
        return None
    point = known | dict(zip(unknown, map(float, values), strict=True))
    met = max(map(abs, misses(values))) < CLOSE and declared(point, statement["symbols"])
    return point if met and satisfied(statement["assuming"], {n: mpmath.mpf(x) for n, x in point.items()}) else None


def _flows(statement: Any, point: Floats, here: Floats) -> bool:
    """Check whether the rates of the statement are those of the matrices at a later state too."""
    at = point | {name: here[name] for name in statement["flow"]}
    try:
        rates = {name: value(rate, at, fast=True) for name, rate in statement["flow"].items()}
    except (NoValue, OverflowError):
        return False
    scale = 1 + max(abs(here[f"d{name}"]) for name in rates)
    return all(abs(rate - here[f"d{name}"]) < ALIKE * scale for name, rate in rates.items())


def _slowly(solution: Any, at: Floats) -> float | None:
    with suppress(NoValue, OverflowError):
        return float(value(solution, at))
    return None


def _compared(statement: Any, point: Floats, course: list[Floats], seed: int) -> str | None:
    for t, scalars in zip(TIMES, course, strict=False):
        for name, solution in statement["solution"].items():
            at = {**point, statement["time"]: t}
            try:
                claimed = value(solution, at, fast=True)
            except (NoValue, OverflowError):  # a double may be too small for what is left, or too large
                claimed = _slowly(solution, at)
            if claimed is None:
                return f"for instance {seed} the solution has no value at time {t}"
            scale = 1 + abs(claimed) + max(abs(scalars[other]) for other in statement["flow"])
            if not abs(claimed - scalars[name]) <= APART * scale:
                found = f"the matrices have {name} = {scalars[name]:.6g}, not {claimed:.6g}"
                return f"for instance {seed} at time {t} {found}"
    return None


def _float(x: Any) -> float:
    return int(x.p) / int(x.q)

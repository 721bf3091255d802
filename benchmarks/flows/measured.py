"""Measurements: enclosing a flow until a time, and following the evidence with the checker."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from time import process_time
from typing import Any

from benchmarks.flows.euler import time_of_width_one
from benchmarks.flows.systems import System
from derivations.language.terms import as_tuples
from derivations.prove import Certificate, Verdict, trajectory
from derivations.prove.certificate import Json
from derivations.recheck import Rejected, check


@dataclass(frozen=True)
class Measured:
    """One flow of the bench: times are those of the flow, and seconds those that the processor worked."""

    name: str
    variables: int
    until: float
    verdict: str
    checked: bool
    width: float | None
    steps: int
    prover_seconds: float
    checker_seconds: float
    euler_until: float | None
    reason: str

    @property
    def seconds_for_one(self) -> float:
        """CPU seconds (prover and checker) for one unit of simulated time."""
        return (self.prover_seconds + self.checker_seconds) / self.until


def measured(system: System, digits: int) -> Measured:
    """Enclose a flow of the bench with so many digits, check the evidence, and go the same way with Euler's method.

    >>> from benchmarks.flows.systems import systems
    >>> found = measured(systems(["oscillator"])[0], 12)
    >>> found.verdict, found.checked, found.width < 1e-11
    ('certified', True, True)
    """
    began = process_time()
    found = trajectory(system.rates, system.start, until=system.until, digits=digits)
    seconds = process_time() - began
    began, refusal = process_time(), _refusal(found)
    return Measured(
        name=system.name,
        variables=len(system.rates),
        until=float(system.until),
        verdict=found.verdict.value,
        checked=found.verdict is Verdict.CERTIFIED and not refusal,
        width=_width(found),
        steps=len(found.payload["steps"]) if found.payload else 0,
        prover_seconds=round(seconds, 3),
        checker_seconds=round(process_time() - began, 3),
        euler_until=_euler(found.statement, system.until),
        reason=found.reason or refusal,
    )


def _refusal(found: Certificate) -> str:
    """Return the objection of the checker to a certificate."""
    if found.verdict is Verdict.OPEN:
        return ""
    try:
        check(json.loads(json.dumps(found.as_json())))
    except Rejected as refused:
        return f"the checker: {refused}"
    return ""


def _width(found: Certificate) -> float | None:
    """The widest side of the box at the end."""
    if found.verdict is not Verdict.CERTIFIED:
        return None
    box = found.statement["says"][0]["box"]
    return max(float(Fraction(high) - Fraction(low)) for low, high in box.values())


def _euler(statement: Json, until: Any) -> float | None:
    states = {name: as_tuples(term) for name, term in statement["states"].items()}
    start = {name: Fraction(low) for name, (low, _) in statement["start"].items()}
    left = time_of_width_one(states, start, Fraction(str(until)), statement["time"])
    return None if left is None else float(left)

"""Rules: what no prover decides at once is reduced to simpler statements, each decided in turn.

A certificate by a rule holds the rule's parameters and the evidence of every part. What a part states is computed from
the statement and the parameters by the checker's reading of the rule, so that nobody's word joins them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from textwrap import shorten

from derivations.language.normal import Undefined
from derivations.language.points import written
from derivations.language.show import plain
from derivations.language.terms import NotExact
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.equality import Unsatisfiable, meeting_point
from derivations.prove.rules import effort
from derivations.prove.rules.analysis.balls import by_balls
from derivations.prove.rules.analysis.bases import by_base
from derivations.prove.rules.analysis.slopes import by_far_slope, by_slope, by_slope_of_roots
from derivations.prove.rules.analysis.squared import by_squares
from derivations.prove.rules.analysis.waves import by_half_turns
from derivations.prove.rules.cases import by_cases
from derivations.prove.rules.contact.pieces import by_pieces_of_a_range
from derivations.prove.rules.distance import by_distance
from derivations.prove.rules.domain import by_domain
from derivations.prove.rules.functions.equations import POWERS, VALUES, by_inverse, by_steps
from derivations.prove.rules.functions.logs import by_logarithms, by_logarithms_of_sums
from derivations.prove.rules.functions.roots import by_exponent, by_factors, by_root
from derivations.prove.rules.functions.trigonometry import by_angles
from derivations.prove.rules.rule import Step, Ways, parts_left
from derivations.prove.schemas.table import as_stated
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.table.by import contrary
from derivations.text.work import Spent

Decide = Callable[[Json], Certificate]
RULES: tuple[Ways, ...] = (
    *(POWERS, VALUES, by_exponent, by_base, by_half_turns, by_balls, by_logarithms, by_slope, by_far_slope),
    *(by_pieces_of_a_range, by_squares, by_slope_of_roots, by_angles, by_inverse, by_steps, by_root, by_factors),
    *(by_domain, by_cases, by_logarithms_of_sums, by_distance),
)
"""In the order in which they are tried."""
SEARCHING = (by_logarithms, by_slope, by_far_slope)
"""Ways that may try long in vain, and leave time for others."""
KINDS = ("identity", "sign")
MOST_LETTERS = 80  # of what is left to be shown, in a reason


def by_rules(statement: Json, decide: Decide, stopped: list[str]) -> Certificate | None:
    """A proof by the first rule whose parts can all be shown, within the time that there is; None without one.

    `stopped` gets a line for each rule that could be used and led to no proof: what could not be shown.
    """
    if statement["kind"] not in KINDS or effort.depth() > effort.DEPTH:
        return None
    point = None if effort.is_part() else meeting_point(statement)
    if point is None and not effort.is_part():
        return None
    with effort.one_more_rule() as meter:
        for ways in RULES:
            with effort.one_way() if ways in SEARCHING else nullcontext():
                proof = _first_proof(ways, statement, decide, stopped)
                if proof is not None:
                    proof.payload.update({} if point is None else {"inhabited": written(point)})
                    return proof
    if meter.is_spent:
        stopped.append("the work that is allowed ended there")
    return None


def by_one_of(steps: Iterable[Step], statement: Json, decide: Decide) -> Certificate | None:
    """A proof by the first of some steps whose parts can all be shown; None without one."""
    point = meeting_point(statement)
    proof = None if point is None else _first_proof(lambda _: iter(steps), statement, decide, [])
    if proof is not None and point is not None:
        proof.payload["inhabited"] = written(point)
    return proof


def _first_proof(ways: Ways, statement: Json, decide: Decide, stopped: list[str]) -> Certificate | None:
    """The first step whose parts can all be shown, as a certificate."""
    for step in ways(statement):
        try:
            return _proof(step, statement, decide)
        except NotExact:
            pass  # no use of the rule
        except _Unshown as trouble:
            stopped.append(f"by {step.rule} {_in_words(trouble.part)} is left to be shown")
        except Spent:
            stopped.append(f"by {step.rule} more is left to be shown")
            raise
    return None


class _Unshown(Exception):
    """A part of a proof that nothing shows."""

    def __init__(self, part: Json) -> None:
        self.part = part


def _proof(step: Step, statement: Json, decide: Decide) -> Certificate:
    """A step with the evidence of all its parts; raises `_Unshown` where one has none."""
    evidence = []
    for role, part in parts_left(step, statement).items():
        planned = step.then(role, part)
        shown = _proof(planned, part, decide).as_json() if planned else _evidence(part, decide)
        if shown is None:
            raise _Unshown(part)
        evidence.append(shown)
    payload = {"parameters": step.parameters, "parts": evidence}
    return Certificate(statement, _verdict(evidence), f"by {step.rule}", payload)


def _in_words(missing: Json) -> str:
    """Return what a part says, on one line."""
    if "left" not in missing:
        return f"the {missing['kind']} of a part"
    relation = missing.get("relation", "=")
    return shorten(f"{plain(missing['left'])} {relation} {plain(missing['right'])}", MOST_LETTERS, placeholder=" ...")


def _evidence(part: Json, decide: Decide) -> Json | None:
    """A certificate of the part, or of the contrary of one of its hypotheses: then it speaks of nothing."""
    try:
        certificate = decide(part)
    except (NotExact, Unsatisfiable, Undefined):
        certificate = None
    if certificate is not None and certificate.verdict in (Verdict.PROVED, Verdict.CERTIFIED):
        return certificate.as_json()
    if certificate is not None and certificate.verdict is Verdict.REFUTED:
        return None
    for k in reversed(range(len(part["assuming"]))):
        try:
            found = decide(as_stated(contrary(part, k)))
        except (NotExact, Unsatisfiable, Undefined, Rejected):
            continue
        if found.verdict in (Verdict.PROVED, Verdict.CERTIFIED):
            return {"absurd": k, "contrary": found.as_json()}
    return None


def _verdict(evidence: list[Json]) -> Verdict:
    """As good as the weakest part."""
    verdicts = {(part.get("contrary") or part)["verdict"] for part in evidence}
    return Verdict.CERTIFIED if "certified" in verdicts else Verdict.PROVED

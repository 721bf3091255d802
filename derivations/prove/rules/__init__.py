"""Rules: what no prover decides at once is reduced to simpler statements, each decided in turn.

A certificate by a rule holds the rule's parameters and the evidence of every part. What a part states is computed from
the statement and the parameters by the checker's reading of the rule, so that nobody's word joins them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from textwrap import shorten

from derivations.language.normal import Undefined
from derivations.language.show import plain
from derivations.language.terms import ZERO, NotExact, rational, subtract
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.equality import Unsatisfiable, meeting_point
from derivations.prove.rules import effort
from derivations.prove.rules.analysis.balls import BALLS
from derivations.prove.rules.analysis.bases import SQUARE
from derivations.prove.rules.analysis.far import FAR
from derivations.prove.rules.analysis.slope import SLOPE, SLOPE_OF_ROOTS
from derivations.prove.rules.analysis.squared import SQUARED
from derivations.prove.rules.analysis.waves import HALF_TURNS
from derivations.prove.rules.cases import CASES
from derivations.prove.rules.contact.taylor import TAYLOR
from derivations.prove.rules.domain import DOMAIN
from derivations.prove.rules.functions.digamma import DIGAMMA
from derivations.prove.rules.functions.inverse import LAMBERT
from derivations.prove.rules.functions.logs import LOGS, LOGS_OF_SUMS
from derivations.prove.rules.functions.powers import POWERS
from derivations.prove.rules.functions.roots import EXPONENTS, LOGARITHMS, ROOTS
from derivations.prove.rules.functions.trigonometry import TRIGONOMETRY
from derivations.prove.rules.functions.values import VALUES
from derivations.prove.rules.rule import Parameters, Rule, bare
from derivations.prove.rules.shift import SHIFT

Decide = Callable[[Json], Certificate]
RULES: tuple[Rule, ...] = (
    *(POWERS, VALUES, EXPONENTS, SQUARE, HALF_TURNS, BALLS, LOGS, SLOPE, FAR, TAYLOR, SQUARED, SLOPE_OF_ROOTS),
    *(TRIGONOMETRY, LAMBERT, DIGAMMA, ROOTS, LOGARITHMS, DOMAIN, CASES, LOGS_OF_SUMS, SHIFT),
)
"""In the order in which they are tried."""
SEARCHING = (LOGS, SLOPE, FAR)
"""What may try long in vain, and leaves time for others."""
KINDS = ("identity", "sign")
MOST_LETTERS = 80  # of what is left to be shown, in a reason
CONTRARY = {">": ">=", ">=": ">"}


def by_rules(statement: Json, decide: Decide, stopped: list[str]) -> Certificate | None:
    """A proof by the first rule whose parts can all be shown, within the time that there is; None without one.

    `stopped` gets a line for each rule that could be used and led to no proof: what could not be shown.
    """
    if statement["kind"] not in KINDS or effort.is_spent():
        return None
    inhabited = None
    if effort.depth() == 0:
        point = meeting_point(statement)
        if point is None:
            return None
        inhabited = {name: str(value) for name, value in point.items()}
    with effort.one_more_rule():
        for rule in RULES:
            with effort.one_way() if rule in SEARCHING else nullcontext():
                used = _use(rule, statement, decide, stopped)
            if used is not None:
                parameters, evidence = used
                payload = {"parameters": parameters, "parts": evidence}
                payload |= {} if inhabited is None else {"inhabited": inhabited}
                return Certificate(statement, _verdict(evidence), f"by {rule.name}", payload)
            if effort.is_spent():
                stopped.append("the time for it ended there")
                return None
    return None


def by_rule(rule: Rule, statement: Json, proposals: Iterable[Parameters], decide: Decide) -> Certificate | None:
    """A proof by one rule in one of the ways that are proposed, whose parts can all be shown; None without one."""
    point = meeting_point(statement)
    used = point and _use(Rule(rule.name, lambda _: iter(proposals)), statement, decide, [])
    if not point or not used:
        return None
    parameters, evidence = used
    inhabited = {name: str(value) for name, value in point.items()}
    payload = {"parameters": parameters, "parts": evidence, "inhabited": inhabited}
    return Certificate(statement, _verdict(evidence), f"by {rule.name}", payload)


def _use(rule: Rule, statement: Json, decide: Decide, stopped: list[str]) -> tuple[Parameters, list[Json]] | None:
    """The first use of a rule whose parts can all be shown, with their evidence."""
    for parameters in rule.proposals(statement):
        parts = _parts(rule, statement, parameters)
        evidence, missing = _shown(parts, decide)
        if evidence is not None:
            return parameters, evidence
        if parts is not None:
            stopped.append(f"by {rule.name} {_in_words(missing)} is left to be shown")
        if effort.is_spent():
            return None
    return None


def _in_words(missing: Json | None) -> str:
    """What a part says, on one line."""
    if missing is None:
        return "nothing"
    if "left" not in missing:
        return f"the {missing['kind']} of a part"
    relation = missing.get("relation", "=")
    return shorten(f"{plain(missing['left'])} {relation} {plain(missing['right'])}", MOST_LETTERS, placeholder=" ...")


def _parts(rule: Rule, statement: Json, parameters: Json) -> list[Json] | None:
    """What is left to be shown, or None where the parameters make no use of the rule."""
    try:
        return rule.parts(statement, parameters)
    except NotExact:
        return None


def _shown(parts: list[Json] | None, decide: Decide) -> tuple[list[Json] | None, Json | None]:
    """The evidence of all parts, or None and the first part that has none."""
    if parts is None:
        return None, None
    evidence = []
    for part in parts:
        found = _evidence(part, decide)
        if found is None:
            return None, part
        evidence.append(found)
    return evidence, None


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
        if effort.is_spent():
            return None
        contrary = without(part, k)
        try:
            found = decide(contrary) if contrary else None
        except (NotExact, Unsatisfiable, Undefined):
            continue
        if found is not None and found.verdict in (Verdict.PROVED, Verdict.CERTIFIED):
            return {"absurd": k, "contrary": found.as_json()}
    return None


def without(statement: Json, k: int) -> Json | None:
    """That a hypothesis, unless it is "!=", never holds beside the others."""
    order, left, right = statement["assuming"][k]
    if order == "!=":
        return None
    rest = [r for i, r in enumerate(statement["assuming"]) if i != k]
    if order == "=":
        sides = {"relation": ">", "left": ("^", subtract(left, right), rational(2)), "right": ZERO}
    else:
        sides = {"relation": CONTRARY[order], "left": right, "right": left}
    return {"kind": "sign", "symbols": bare(statement)["symbols"], "assuming": rest, **sides}


def _verdict(evidence: list[Json]) -> Verdict:
    """As good as the weakest part."""
    verdicts = {(part.get("contrary") or part)["verdict"] for part in evidence}
    return Verdict.CERTIFIED if "certified" in verdicts else Verdict.PROVED

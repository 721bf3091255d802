"""Statements by lines of the table: what a line needs is computed from what fills its letters, and each part is shown.

A theorem concludes a statement of its own. A rule concludes the statement about two sides that it is used on, from
simpler ones. An argument concludes what a person says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from derivations.recheck.core.conditions import conditions, is_implied_by_value
from derivations.recheck.core.errors import well_formed
from derivations.recheck.core.load import Check, Data, Term, integer, rational, require, shown
from derivations.recheck.core.shapes import read
from derivations.recheck.core.slots import read_slots
from derivations.recheck.core.statements import (
    HINTS,
    SIGNS,
    Setting,
    require_inhabited,
    says,
    setting,
    sign_of,
)
from derivations.recheck.core.table.named import NAMED
from derivations.recheck.core.table.structure import what_is_shown
from derivations.recheck.core.terms import TWO, ZERO, carried_out, difference, free_in, subterms
from derivations.recheck.core.theorems import Needs, Reading, Theorem, kinds, ordered, rules, theorems

SHOWN = ("proved", "certified")
CONTRARY = {">": ">=", ">=": ">"}


# --- what lines need --------------------------------------------------------------------------------------------------


def needs_and_conclusion(name: str, slots: Data) -> tuple[Needs, Data]:
    """Return what a theorem needs and concludes, once its slots hold what they should."""
    theorem = theorems()[name]
    with _filled(theorem, slots, f"'{name}'") as reading:
        needs = reading.needed(theorem)
        assert theorem.concludes is not None
        (concludes,) = reading.stated("", theorem.concludes).values()
        return needs, concludes


def parts_of(name: str, statement: Data, parameters: Data) -> Needs:
    """The parts that a use of a rule leaves to be shown, by their roles, without those that are plain."""
    require(name in rules(), f"no rule is called {shown(name)}: choose one of {', '.join(sorted(rules()))}")
    rule, statement = rules()[name], _without_hints(statement)
    with _filled(rule, parameters | {key: statement[key] for key in ("symbols", "assuming")}, f"'{name}'") as reading:
        new = {parameters[key]: () for key, kind in rule.letters.items() if kind == "letter"}
        require(
            not new.keys() & statement["symbols"].keys(), "a letter that should be new stands in the statement already"
        )
        reading.known |= {"statement": statement, "order": statement.get("relation", "=")}
        reading.known |= {side: statement[side] for side in ("left", "right")}
        needed = {role: _declaring(new, need) for role, need in reading.needed(rule).items()}
    asked = _asked(statement)
    return {role: need for role, need in needed.items() if not _is_plain(need, asked)}


def what_defines(statement: Data) -> tuple[Needs, Needs, list[Term]]:
    """Return what a statement needs, what follows from it, and the formulas that have values where it speaks."""
    setting(statement)
    kind, statement = kinds()[statement["kind"]], _without_hints(statement)
    slots = {key: statement[key] for key in ("symbols", "assuming", *kind.letters)}
    with _filled(kind, slots, f"the statement of kind {statement['kind']}") as reading:
        return reading.needed(kind), reading.all_stated(kind.follows), reading.known["values"]


@contextmanager
def _filled(line: Theorem, slots: Data, where: str) -> Iterator[Reading]:
    """A line with what is in the slots in the place of its letters, while its needs are computed."""
    with well_formed(where):
        read_slots(line.letters, slots, where)
        yield Reading(slots, line.letters, NAMED)


def _without_hints(statement: Data) -> Data:
    return {key: value for key, value in statement.items() if key not in HINTS}


def _declaring(new: Data, need: Data) -> Data:
    """A statement with those of some new letters of which it speaks, of any value."""
    sides = [need[key] for key in ("left", "right", "expression") if key in need]
    spoken = free_in([*sides, *(side for relation in need["assuming"] for side in relation[1:])])
    spoken |= {*need.get("variables", ())}
    return need | {"symbols": need["symbols"] | {letter: told for letter, told in new.items() if letter in spoken}}


def _asked(statement: Data) -> list[Term]:
    """The conditions without which its sides and hypotheses have no values."""
    sides = [statement["left"], statement["right"], *(side for r in statement["assuming"] for side in r[1:])]
    sides = [side for side in sides if all(map(is_implied_by_value, subterms(carried_out(side))))]
    asked = [each for side in sides for each in conditions(side, statement["symbols"], smooth=False)]
    return [(order, what, ZERO) for order, what in asked]


def _is_plain(need: Data, asked: Iterable[Term]) -> bool:
    """Check whether a comparison of numbers, or of a formula with itself, is supposed, or holds where a statement
    speaks.
    """
    if need["kind"] not in ("sign", "identity"):
        return False
    order, left, right = need.get("relation", "="), need["left"], need["right"]
    if left[0] == right[0] == "q" and order != "=":
        return sign_of(rational(left[1]) - rational(right[1])) in SIGNS[order]
    known = [*map(ordered, Setting(need["symbols"], need["assuming"]).givens), *asked]
    words = (order, ">") if order == ">=" else (order,)
    return (left == right and order == "=") or any((word, left, right) in known for word in words)


# --- what shows them --------------------------------------------------------------------------------------------------


def check_by(certificate: Data, check: Check) -> None:
    """A theorem: its conclusion and its hypotheses are computed from the slots, and every hypothesis is shown.

    Where a line says which of its hypotheses decides, the conclusion is false where all others hold and this one fails.
    """
    statement, payload = certificate["statement"], certificate["payload"]
    title = statement["schema"]
    require(title in theorems(), f"no theorem is called {shown(title)}: choose one of {', '.join(sorted(theorems()))}")
    needs, concludes = needs_and_conclusion(title, statement["slots"])
    require(concludes == statement["concludes"], f"'{title}' does not conclude what the statement says")
    method = certificate["method"]
    require(method == f"by {title}", f"the method {shown(method)} does not name the theorem")
    steps = payload["steps"]
    verdicts = _verdicts(_paired(steps, needs), check)
    decisive = theorems()[title].written.get("decides")
    if verdicts.get(decisive) == "refuted":
        same = payload.get("witness") == steps[decisive]["payload"].get("witness")
        require(same, "what is shown as the witness is not that of the refuted hypothesis")
        del verdicts[decisive]
        _weakest(verdicts)
        _require_made("refuted", certificate)
    else:
        _require_made(_weakest(verdicts), certificate)


def check_rule(certificate: Data, check: Check, within: bool = False) -> str:
    """The verdict that the parts of a proof by a rule make, each of which is shown.

    The statement speaks of some point; a part `within` such a proof may speak of none.
    """
    statement, payload = certificate["statement"], certificate["payload"]
    left, right = statement["left"], statement["right"]
    setting(statement).free(left, right)
    name = certificate["method"].removeprefix("by ")
    needs, given = parts_of(name, statement, payload["parameters"]), payload["parts"]
    count = f"the rule '{name}' leaves {len(needs)} parts to be shown, and {len(given)} are given"
    require(len(given) == len(needs), count)
    if not within:
        require_inhabited(setting(statement), payload["inhabited"], left, right)

    def check_part(evidence: Data) -> str:
        kind = evidence["statement"]["kind"]
        if kind not in ("identity", "sign") or not evidence["method"].startswith("by "):
            return check(evidence)
        read(kind, evidence["statement"], "the statement of a part")
        read("by a rule", evidence["payload"], "the evidence of a part")
        return check_rule(evidence, check, within=True)

    pairs = {role: _or_contrary(each, needs[role]) for role, each in zip(needs, given, strict=True)}
    return _require_made(_weakest(_verdicts(pairs, check_part)), certificate)


def _or_contrary(evidence: Data, needed: Data) -> tuple[Data, Data]:
    """The evidence of a part and what it shows: of one that speaks of nothing, that a hypothesis never holds.

    Rules alone have such parts: their statement speaks of a point, and a part of some of its points.
    """
    if "absurd" not in evidence:
        return evidence, needed
    k = integer(evidence["absurd"], 0, len(needed["assuming"]) - 1, "the number of a hypothesis")
    return evidence["contrary"], contrary(needed, k)


def check_defined(certificate: Data, check: Check) -> None:
    """A statement of which the line of its kind says what it needs, or what follows from it and fails at a point.

    It speaks of such a point, at which the formulas have values that the line lists.
    """
    statement, payload, refuted = certificate["statement"], certificate["payload"], certificate["verdict"] == "refuted"
    needs, follows, values = what_defines(statement)
    if refuted:
        role = certificate["method"].removeprefix("the ").removesuffix(" at an exact point")
        require(role in follows, f"what fails at an exact point is one of {sorted(follows)}, got {shown(role)}")
        pair = _paired({role: payload["refutation"]}, {role: follows[role]})
        require(_verdicts(pair, check) == {role: "refuted"}, f"the {role} is not refuted")
        witness = payload["refutation"]["payload"]["witness"]
        require(payload["witness"] == witness, "the witness is not the point at which the part is refuted")
        inhabited = witness["point"]
    else:
        _require_made(_weakest(_verdicts(_paired(payload["needs"], needs), check)), certificate)
        inhabited = payload["inhabited"]
    require_inhabited(setting(statement), inhabited, *values)


def check_argued(certificate: Data, check: Check) -> None:
    """Proved steps, and a sentence that nothing computes: never more than argued."""
    statement = certificate["statement"]
    steps = certificate["payload"]["steps"]
    same = {role: step["statement"] for role, step in steps.items()} == statement["needs"]
    require(same, "the steps of an argument show other statements than are needed")
    _weakest({role: check(step) for role, step in steps.items()}, (*SHOWN, "argued"))


def _paired(steps: Data, needs: Needs) -> dict[str, tuple[Data, Data]]:
    require(set(steps) == set(needs), f"needed are the steps {sorted(needs)}, got {sorted(steps)}")
    return {role: (steps[role], needed) for role, needed in needs.items()}


def _verdicts(pairs: dict[str, tuple[Data, Data]], check: Check) -> dict[str, str]:
    """The verdicts on certificates by the roles that they play; each shows what is needed beside it."""
    return {role: _verdict(*pair, f"the step '{role}'", check) for role, pair in pairs.items()}


def _verdict(evidence: Data, needed: Data, what: str, check: Check) -> str:
    """The verdict on a step."""
    require(says(what_is_shown(evidence["statement"]), needed), f"{what} shows another statement than is needed")
    return check(evidence)


def contrary(statement: Data, k: int) -> Data:
    """That a hypothesis never holds beside the others."""
    order, left, right = statement["assuming"][k]
    if order == "=":
        order, left, right = ">=", ZERO, ("^", difference(left, right), TWO)
    known = order in CONTRARY
    require(known, f"only an equation or an order has a contrary here, and hypothesis {k} is {shown(order)}")
    others = tuple(r for i, r in enumerate(statement["assuming"]) if i != k)
    stated = {"kind": "sign", "symbols": statement["symbols"], "assuming": others}
    return stated | {"relation": CONTRARY[order], "left": right, "right": left}


def _weakest(verdicts: dict[str, str], enough: tuple[str, ...] = SHOWN) -> str:
    """The verdict that several make, each of which has to be one that shows something."""
    for role, verdict in verdicts.items():
        require(verdict in enough, f"the step '{role}' is {verdict}, so nothing is concluded")
    return "certified" if "certified" in verdicts.values() else "proved"


def _require_made(made: str, certificate: Data) -> str:
    require(made == certificate["verdict"], f"the steps make it {made}, not {certificate['verdict']}")
    return made

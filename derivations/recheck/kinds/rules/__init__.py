"""Rules: what is left to be shown is computed from the statement and the parameters, and its evidence is checked."""

from __future__ import annotations

from collections.abc import Callable

from derivations.recheck.core.conditions import Condition, conditions, says_no_more
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, integer, part, rational, shown
from derivations.recheck.core.statements import Setting, must_match, require_inhabited, setting, side
from derivations.recheck.core.terms import ZERO, carried_out, difference, subterms
from derivations.recheck.core.theorems import left_by, ordered, rules
from derivations.recheck.kinds.rules.named import NAMED

Check = Callable[[Data], str]  # checks a certificate and returns its verdict
SHOWN = ("proved", "certified")
CONTRARY = {">": ">=", ">=": ">"}


def parts_of(name: str, statement: Data, parameters: Data) -> dict[str, Data]:
    """The parts that a use of a rule leaves to be shown, by their roles, without those that are plain."""
    if name not in rules():
        raise Rejected(f"no rule is called {shown(name)}: choose one of {', '.join(sorted(rules()))}")
    statement = {key: value for key, value in statement.items() if key != "squares"}
    try:
        needed = left_by(name, statement, parameters, NAMED)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, AssertionError) as error:
        raise Rejected(f"the parameters of '{name}' are malformed: {type(error).__name__}: {error}") from error
    return {role: need for role, need in needed.items() if not _is_plain(need, statement)}


def _is_plain(need: Data, statement: Data) -> bool:
    """Whether a comparison of numbers, or of a formula with itself, is supposed, or holds where a statement speaks."""
    if need["kind"] not in ("sign", "identity"):
        return False
    order, left, right = need.get("relation", "="), need["left"], need["right"]
    if left[0] == right[0] == "q" and order == ">":
        return bool(rational(left[1]) > rational(right[1]))
    if left[0] == right[0] == "q" and order == ">=":
        return bool(rational(left[1]) >= rational(right[1]))
    stronger = (order, ">") if order == ">=" else (order,)
    known = [*map(ordered, Setting(need["symbols"], need["assuming"]).givens)]
    if (left == right and order == "=") or any((word, left, right) in known for word in stronger):
        return True
    return right == ZERO and any((word, left) in _asked(statement) for word in stronger)


def _asked(statement: Data) -> list[Condition]:
    """The conditions without which its sides and hypotheses have no values."""
    sides = [statement["left"], statement["right"], *(side for r in statement["assuming"] for side in r[1:])]
    sides = [side for side in sides if all(map(says_no_more, subterms(carried_out(side))))]
    return [condition for side in sides for condition in conditions(side, statement["symbols"], smooth=False)]


def check_rule(certificate: Data, check: Check) -> None:
    """Every part of a proof by a rule is shown, and the statement speaks of some point."""
    statement = certificate["statement"]
    found = _parts_shown(certificate, check)
    if found != certificate["verdict"]:
        raise Rejected(f"the parts make it {found}, not {certificate['verdict']}")
    where, left, right = setting(statement), side(statement, "left"), side(statement, "right")
    require_inhabited(where, part(certificate["payload"], "inhabited", dict, "the payload"), left, right)


def _parts_shown(certificate: Data, check: Check) -> str:
    statement, payload = certificate["statement"], certificate["payload"]
    name = certificate["method"].removeprefix("by ")
    where = setting(statement)
    where.free(side(statement, "left"), side(statement, "right"))
    wanted = parts_of(name, statement, part(payload, "parameters", dict, "the payload"))
    given = part(payload, "parts", tuple, "the payload")
    if len(given) != len(wanted):
        raise Rejected(f"the rule '{name}' leaves {len(wanted)} parts to be shown, and {len(given)} are given")
    verdicts = [part_shown(evidence, needed, check) for evidence, needed in zip(given, wanted.values(), strict=True)]
    return "certified" if "certified" in verdicts else "proved"


def part_shown(evidence: Data, needed: Data, check: Check) -> str:
    """The verdict on a part, which is shown itself or shown to speak of nothing."""
    if not isinstance(evidence, dict):
        raise Rejected(f"the evidence of a part must be an object, got {shown(evidence)}")
    if "absurd" in evidence:
        if set(evidence) != {"absurd", "contrary"}:
            raise Rejected("a part that speaks of nothing has the number of a hypothesis and its contrary, no more")
        k = integer(evidence["absurd"], 0, len(needed["assuming"]) - 1, "the number of a hypothesis")
        evidence, needed = part(evidence, "contrary", dict, "a part"), _contrary(needed, k)
    must_match(part(evidence, "statement", dict, "a part"), needed, "part of a rule")
    if evidence.get("verdict") in SHOWN and str(evidence.get("method")).startswith("by "):
        part(evidence, "payload", dict, "a part")
        found = _parts_shown(evidence, check)
        if found != evidence["verdict"]:
            raise Rejected(f"the parts make it {found}, not {evidence['verdict']}")
    else:
        found = check(evidence)
    if found not in SHOWN:
        raise Rejected(f"a part of a rule is {found}, so nothing is shown")
    return found


def _contrary(statement: Data, k: int) -> Data:
    """That the hypothesis never holds beside the others."""
    order, left, right = statement["assuming"][k]
    if order not in (*CONTRARY, "="):
        raise Rejected(f"only an equation or an order has a contrary here, and hypothesis {k} is {shown(order)}")
    rest = tuple(r for i, r in enumerate(statement["assuming"]) if i != k)
    if order == "=":
        sides = {"relation": ">", "left": ("^", difference(left, right), ("q", "2")), "right": ("q", "0")}
    else:
        sides = {"relation": CONTRARY[order], "left": right, "right": left}
    return {"kind": "sign", "symbols": statement["symbols"], "assuming": rest, **sides}

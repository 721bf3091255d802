"""Statements that theorems decide, that a person argues, or that a contrary refutes."""

from __future__ import annotations

from collections.abc import Callable

from derivations.recheck.core.balls import enclosure, require_inside_defined
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, part, shown
from derivations.recheck.core.statements import ARRAYS, MATRICES, POINT_BITS, check_offered, point
from derivations.recheck.core.terms import free
from derivations.recheck.kinds.limits.towards import INFINITE
from derivations.recheck.kinds.schemas import needs_and_conclusion, theorems

Check = Callable[[Data], str]  # checks a certificate and returns its verdict
SHOWN = ("proved", "certified")
HINTS = ("squares", "among")


def check_by(certificate: Data, check: Check) -> None:
    """A theorem: its conclusion and its hypotheses are computed from the slots, and every hypothesis is shown."""
    statement, verdict, payload = (certificate[key] for key in ("statement", "verdict", "payload"))
    title = part(statement, "schema", str, "the statement")
    if title not in theorems():
        raise Rejected(f"no theorem is called {shown(title)}: choose one of {', '.join(sorted(theorems()))}")
    if set(statement) - {"among"} != {"kind", "schema", "slots", "concludes"}:
        raise Rejected("a statement by a theorem has its name, its slots and its conclusion, and nothing else")
    check_offered(statement, MATRICES, ARRAYS)
    slots = part(statement, "slots", dict, "the statement")
    needs, concludes = needs_and_conclusion(title, slots)
    if concludes != statement["concludes"]:
        raise Rejected(f"'{title}' does not conclude what the statement says")
    if certificate["method"] != f"by {title}":
        raise Rejected(f"the method {shown(certificate['method'])} does not name the theorem")
    steps = part(payload, "steps", dict, "the payload")
    if set(steps) != set(needs):
        raise Rejected(f"'{title}' needs the steps {sorted(needs)}, got {sorted(steps)}")
    found = [_step(steps[role], needed, role, check) for role, needed in needs.items()]
    weak = sorted(v for v in found if v not in SHOWN)
    if weak:
        raise Rejected(f"a hypothesis of '{title}' is {weak[0]}, so nothing is concluded")
    _require_verdict("certified" if "certified" in found else "proved", verdict)


def _step(certificate: Data, needed: Data, role: str, check: Check) -> str:
    if not isinstance(certificate, dict):
        raise Rejected(f"the step '{role}' must be a certificate, got {shown(certificate)}")
    said = what_is_shown(part(certificate, "statement", dict, f"the step '{role}'"))
    if {k: v for k, v in said.items() if k not in HINTS} != {k: v for k, v in needed.items() if k not in HINTS}:
        raise Rejected(f"the step '{role}' shows another statement than the theorem needs")
    return check(certificate)


def what_is_shown(statement: Data) -> Data:
    """What a certificate of this statement shows: for a theorem, its conclusion."""
    return part(statement, "concludes", dict, "the statement") if statement.get("kind") == "by" else statement


def _require_verdict(found: str, said: str) -> None:
    if found != said:
        raise Rejected(f"the steps make it {found}, not {said}")


def check_argued(certificate: Data, check: Check) -> None:
    """Proved steps, and a sentence that nothing computes: never more than argued."""
    statement, verdict, payload = (certificate[key] for key in ("statement", "verdict", "payload"))
    part(statement, "says", str, "the statement")
    needs, steps = part(statement, "needs", dict, "the statement"), part(payload, "steps", dict, "the payload")
    if not needs or set(needs) != set(steps):
        raise Rejected(f"the argument needs the steps {sorted(needs)} and has {sorted(steps)}")
    if verdict != "argued" or certificate["method"] != "a person's last step":
        raise Rejected("what a person concludes is argued, by a person's last step, and nothing else")
    for role, needed in needs.items():
        if not isinstance(steps[role], dict) or steps[role].get("statement") != needed:
            raise Rejected(f"the step '{role}' shows another statement than the argument names")
        if check(steps[role]) not in (*SHOWN, "argued"):
            raise Rejected(f"the step '{role}' is not shown, so nothing is argued")


def check_another_value(certificate: Data, check: Check) -> None:
    """An integral is shown to be something else than is claimed, somewhere under the hypotheses."""
    claimed, payload = certificate["statement"], certificate["payload"]
    proof, apart = part(payload, "proof", dict, "the payload"), part(payload, "apart", dict, "the payload")
    if claimed.get("form") != "integral" or certificate["method"] != "another value":
        raise Rejected("only an integral is refuted by another value")
    if check(proof) not in SHOWN:
        raise Rejected("the other value of the integral is not shown, so nothing is refuted")
    shown_value = dict(what_is_shown(proof["statement"]))
    found = shown_value.pop("value", None)
    told = shown_value.pop("symbols", {})  # the claimed value may speak of further symbols, and of no other hypotheses
    is_narrower = all(name in claimed["symbols"] and claimed["symbols"][name] == told[name] for name in told)
    if (
        found is None
        or not is_narrower
        or shown_value != {k: v for k, v in claimed.items() if k not in ("value", "symbols")}
    ):
        raise Rejected("the other value is that of another integral")
    where = {key: claimed[key] for key in ("symbols", "assuming")}
    needed = {"kind": "identity", **where, "left": found, "right": claimed["value"]}
    if apart.get("statement") != needed or check(apart) != "refuted":
        raise Rejected("the two values of the integral are not shown to differ")
    witness = part(part(apart, "payload", dict, "the certificate"), "witness", dict, "the payload")
    _require_ends(claimed, part(witness, "point", dict, "the witness"))


def _require_ends(claimed: Data, given: Data) -> None:
    """Where the values differ, the interval of the integral has its ends."""
    for end in (claimed["low"], claimed["high"]):
        if end not in INFINITE:
            values = point(given, claimed["symbols"], free(end))
            enclosure(end, values, POINT_BITS)
            require_inside_defined(end, values, POINT_BITS)


# --- contraries -------------------------------------------------------------------------------------------------------

SIGNS = {"=": (0,), ">": (1,), ">=": (0, 1)}  # that the difference of the sides may have


def check_contrary(certificate: Data, check: Check) -> None:
    """A claimed statement is refuted by the proof of one that it cannot stand beside."""
    proof = part(certificate["payload"], "contrary", dict, "the payload")
    if check(proof) not in SHOWN:
        raise Rejected("what should exclude the statement is not shown, so nothing is refuted")
    if not contradicts(certificate["statement"], what_is_shown(proof["statement"])):
        raise Rejected("the proved statement and the refuted one do not visibly exclude each other")


def contradicts(claimed: Data, proved: Data) -> bool:
    """Whether two statements, read as data, cannot both hold."""
    kind = part(claimed, "kind", str, "the statement")
    if kind == "not":
        return bool(part(claimed, "of", dict, "the statement") == proved)
    if kind == "all":
        return any(contradicts(inner, proved) for inner in part(claimed, "parts", tuple, "the statement"))
    if proved.get("kind") == "all":
        return any(contradicts(claimed, inner) for inner in part(proved, "parts", tuple, "the proof"))
    if kind not in ("identity", "sign") or proved.get("kind") not in ("identity", "sign"):
        return False
    if not _speaks_of_less(proved, claimed):
        return False
    allowed = SIGNS[claimed.get("relation", "=")]
    found = SIGNS[proved.get("relation", "=")]
    if (claimed["left"], claimed["right"]) == (proved["left"], proved["right"]):
        return not set(allowed) & set(found)
    turned = (claimed["left"], claimed["right"]) == (proved["right"], proved["left"])
    return turned and not set(allowed) & {-s for s in found}


def _speaks_of_less(proved: Data, claimed: Data) -> bool:
    """Every point that the proof speaks of is one that the claimed statement speaks of."""
    for symbol, told in part(claimed, "symbols", dict, "the statement").items():
        if not set(told) <= set(proved["symbols"].get(symbol, ())):
            return False
    return all(supposed in proved["assuming"] for supposed in part(claimed, "assuming", tuple, "the statement"))

"""Statements that theorems decide, or that a person argues."""

from __future__ import annotations

from collections.abc import Callable

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, part, shown
from derivations.recheck.core.statements import ARRAYS, MATRICES, check_offered
from derivations.recheck.core.structure import what_is_shown
from derivations.recheck.kinds.schemas import needs_and_conclusion, theorems

Check = Callable[[Data], str]  # checks a certificate and returns its verdict
SHOWN = ("proved", "certified")
HINTS = ("squares", "among")


def check_by(certificate: Data, check: Check) -> None:
    """A theorem: its conclusion and its hypotheses are computed from the slots, and every hypothesis is shown.

    Where a line says which of its hypotheses decides, the conclusion is false where all others hold and this one fails.
    """
    statement, verdict, payload = (certificate[key] for key in ("statement", "verdict", "payload"))
    title = part(statement, "schema", str, "the statement")
    if title not in theorems():
        raise Rejected(f"no theorem is called {shown(title)}: choose one of {', '.join(sorted(theorems()))}")
    if set(statement) - {"among"} != {"kind", "schema", "slots", "concludes"}:
        raise Rejected("a statement by a theorem has its name, its slots and its conclusion, and nothing else")
    check_offered(statement, MATRICES, ARRAYS)
    needs, concludes = needs_and_conclusion(title, part(statement, "slots", dict, "the statement"))
    if concludes != statement["concludes"]:
        raise Rejected(f"'{title}' does not conclude what the statement says")
    if certificate["method"] != f"by {title}":
        raise Rejected(f"the method {shown(certificate['method'])} does not name the theorem")
    steps = _steps(payload, needs, HINTS)
    verdicts = {role: check(step) for role, step in steps.items()}
    decisive = theorems()[title].written.get("decides")
    fails = verdicts.get(decisive) == "refuted"
    if fails and payload.get("witness") != steps[decisive]["payload"].get("witness"):
        raise Rejected("what is shown as the witness is not that of the refuted hypothesis")
    _require_shown({role: shows for role, shows in verdicts.items() if not fails or role != decisive}, SHOWN)
    made = "refuted" if fails else "certified" if "certified" in verdicts.values() else "proved"
    if made != verdict:
        raise Rejected(f"the steps make it {made}, not {verdict}")


def says(said: Data, needed: Data, hints: tuple[str, ...] = HINTS) -> bool:
    """Whether two statements are the same, but for hints, and letters of which the needed one supposes more."""
    differs = {key for key in {*said, *needed} - {*hints} if said.get(key) != needed.get(key)}
    if differs == {"letters"} and needed.get("form") == "invertible at all times":
        return bool(said["letters"].items() <= needed["letters"].items())
    return not differs


def _steps(payload: Data, needs: Data, hints: tuple[str, ...]) -> Data:
    """Certificates by the roles that they play; each shows what is needed there, hints for provers aside."""
    steps = part(payload, "steps", dict, "the payload")
    if set(steps) != set(needs):
        raise Rejected(f"needed are the steps {sorted(needs)}, got {sorted(steps)}")
    for role in needs:
        step, needed = part(steps, role, dict, "the steps"), part(needs, role, dict, "what is needed")
        said = part(step, "statement", dict, f"the step '{role}'")
        said = what_is_shown(said) if hints else said
        if not says(said, needed, hints):
            raise Rejected(f"the step '{role}' shows another statement than is needed")
    return steps


def _require_shown(verdicts: dict[str, str], enough: tuple[str, ...]) -> None:
    for role, verdict in verdicts.items():
        if verdict not in enough:
            raise Rejected(f"the step '{role}' is {verdict}, so nothing is concluded")


def check_argued(certificate: Data, check: Check) -> None:
    """Proved steps, and a sentence that nothing computes: never more than argued."""
    statement = certificate["statement"]
    part(statement, "says", str, "the statement")
    needs = part(statement, "needs", dict, "the statement")
    if not needs:
        raise Rejected("an argument without steps concludes nothing")
    if certificate["verdict"] != "argued" or certificate["method"] != "a person's last step":
        raise Rejected("what a person concludes is argued, by a person's last step, and nothing else")
    steps = _steps(certificate["payload"], needs, ())
    _require_shown({role: check(step) for role, step in steps.items()}, (*SHOWN, "argued"))

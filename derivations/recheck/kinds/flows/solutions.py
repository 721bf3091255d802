"""Solutions of flows on an interval of times: what they need, and what refutes them, are lines of the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import fmpq

from derivations.recheck.core.balls import enclosure
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, part, rational, require, shown
from derivations.recheck.core.statements import POINT_BITS, Values, must_match, point, require_givens, setting
from derivations.recheck.core.table.named import NAMED
from derivations.recheck.core.table.named.numbers import derivative, placed, valued
from derivations.recheck.core.terms import ONE, TWO, ZERO, carried_out, free
from derivations.recheck.core.theorems import Needs, Reading, kinds, needed_by

Check = Callable[[Data], str]  # checks a certificate and returns its verdict
FOREVER, UNTIL, WHILE_DEFINED = "forever", "until", "while defined"
AT_THE_START = ("domain", "rate", "acceleration")  # what fails with values that all formulas have at the start
PARTS = ("symbols", "assuming", "time", "flow", "solution", "start")


def check_solves(certificate: Data, check: Check) -> None:
    statement, verdict, payload = (certificate[key] for key in ("statement", "verdict", "payload"))
    needs = needs_of(statement)
    if verdict == "refuted":
        kind, name = part(payload, "part", tuple, "the payload")
        role, failing = f"{kind} {name}", "start" if kind == "start" else "residual"
        method = "no value at an exact time" if kind == "domain" else f"the {failing} of {name} at an exact point"
        require(certificate["method"] == method, f"what is refuted is shown by {method}, not {certificate['method']}")
        contraries = contraries_of(statement)
        require(role in contraries, f"what is refuted is one of {sorted(contraries)}, got {shown(role)}")
        refutation = _stated(payload, "refutation", contraries[role], verdict, check)
        witness = part(refutation["payload"], "witness", dict, "the refutation")
        require(payload.get("witness") == witness, "the witness is not the point at which the part is refuted")
        begun = {x: rational(value) for x, value in part(witness, "point", dict, "the witness").items()}
        if kind in AT_THE_START:
            _require_values(statement, begun | {statement["time"]: fmpq(0)})
        return
    proofs = part(payload, "needs", dict, "the payload")
    require(set(proofs) == set(needs), f"a solution needs {sorted(needs)}, and shown are {sorted(proofs)}")
    for role, needed in needs.items():
        _stated(proofs, role, needed, verdict, check)
    where = setting(statement)
    begun = point(payload.get("inhabited"), where.symbols, where.free(*_formulas(statement)) | {statement["time"]})
    require(begun[statement["time"]] == 0, "the start is at time 0, and the inhabited point is not")
    require_givens(where, begun)
    _require_values(statement, begun)


def needs_of(statement: Data) -> Needs:
    """Return what has to be shown for a statement about a solution, by its role."""
    return _line("solves", statement)


def contraries_of(statement: Data) -> Needs:
    """Return what refutes such a statement once it is refuted itself, by its role."""
    return _line("refutes solves", statement)


def _line(title: str, statement: Data) -> Needs:
    interval = part(statement, "interval", dict, "the statement")
    kind, end = interval.get("kind"), interval.get("end", ("oo",))
    require(
        kind in (FOREVER, UNTIL, WHILE_DEFINED) and set(interval) == {"kind"} | ({"end"} if kind == UNTIL else set()),
        f"an interval is forever, until an end, or while defined, got {shown(interval)}",
    )
    require(set(statement) == {"kind", "interval", *PARTS}, f"a solution has the parts {PARTS} and an interval")
    slots = {key: statement[key] for key in PARTS} | {"end": end}
    try:
        return needed_by(kinds(), f"{title} {kind}" if kind == WHILE_DEFINED else title, slots, NAMED | OWN)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, AssertionError) as error:
        raise Rejected(f"the statement about a solution is malformed: {type(error).__name__}: {error}") from error


def _stated(table: Data, key: str, needed: Data, verdict: str, check: Check) -> Data:
    """The certificate of a statement that is needed, with the verdict that is needed."""
    certificate = part(table, key, dict, "the payload")
    must_match(part(certificate, "statement", dict, f"the {key}"), needed, key)
    found = check(certificate)
    require(found == verdict, f"the {key} is {found}, not {verdict}")
    return certificate


def _formulas(statement: Data) -> list[Term]:
    everything = tuple(sorted(statement["solution"].items()))
    return [*statement["solution"].values(), *(("at", rate, everything) for rate in statement["flow"].values())]


def _require_values(statement: Data, start: Values) -> None:
    """The solution and the rates along it have values at the start, or the point is refused (`Undefined`)."""
    for formula in _formulas(statement):
        enclosure(formula, start, POINT_BITS)


# --- named functions of the lines -------------------------------------------------------------------------------------


def undifferentiated(_: Reading, *tables: Data) -> None:
    """Require a value of what is differentiated, of which conditions on its derivative do not speak."""
    for formula in (formula for table in tables for formula in table.values()):
        require(carried_out(formula) == formula, "a solution and its rates must be written without derivatives")


def before(_: Reading, time: Term, end: Data) -> list[Term]:
    return [] if end == ("oo",) else [(">", end, time)]


def kept(reading: Reading, time: Term, flow: Data, solution: Data) -> list[Any]:
    """Each moving part that must keep a relation to zero: the relation, the part, and what is known of it at the start.

    The fourth is what ends the formulas if it changes its sign; 1 where only derivatives ask for the part.
    """
    values = valued(reading, solution, [placed(reading, rate, solution) for rate in flow.values()])
    asked = [*values, *valued(reading, [derivative(reading, formula, time) for formula in solution.values()])]
    positive = [base for order, base, _ in asked if order == ">"]
    found = []
    for base in dict.fromkeys(base for _, base, _ in asked if time[1] in free(base)):
        if base[0] == "^" and base[1] in positive:
            continue
        begins = min((order for order, other, _ in values if other == base), default="")  # ">" comes before ">="
        given = [(begins, placed(reading, base, time, ZERO), ZERO)] if begins else []
        inner = base[1] if begins == ">" and base[0] == "^" and base[2] == TWO else base
        found.append([">" if base in positive else ">=", base, given, inner if begins else ONE])
    return found


OWN = {"undifferentiated": undifferentiated, "before": before, "kept": kept}

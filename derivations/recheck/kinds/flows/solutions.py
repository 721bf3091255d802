"""Solutions of flows on an interval of times: residuals, starts, and formulas that keep their values there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flint import arb, ctx, fmpq

from derivations.recheck.core.balls import Undefined, enclosure, plain_enclosure, sign_at
from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Rational, Term, integer, name, part, rational, shown, term
from derivations.recheck.core.point import require_printed
from derivations.recheck.core.statements import POINT_BITS, Values, bits_of, must_match, point, require, setting
from derivations.recheck.core.terms import (
    MINUS_ONE,
    ONE,
    TWO,
    ZERO,
    carried_out,
    difference,
    free,
    free_in,
    parts,
    prepared,
    subterms,
)

Check = Callable[[Data], str]  # checks a certificate and returns its verdict
Demand = tuple[str, Term]
# What a part must be at the start for the formula to have a value there, by the kind of the demand.
AT_START = {"nonzero": "!=", "positive": ">", "smooth": ">=", "nonnegative": ">="}

FOREVER, UNTIL, WHILE_DEFINED = "forever", "until", "while defined"
KEYS = {"kind", "symbols", "assuming", "time", "flow", "solution", "start", "interval"}
PIECES = 64


def check_solves(certificate: Data, check: Check) -> None:
    statement, verdict, payload = (certificate[key] for key in ("statement", "verdict", "payload"))
    claim = _Claim(statement)
    if verdict == "proved":
        _check_solution(claim, payload, check)
    elif verdict == "refuted":
        key = part(payload, "part", tuple, "the payload")
        if len(key) == 2 and key[0] == "domain":
            _check_end(claim, integer(key[1], 0, len(claim.demands) - 1, "the number of a demand"), payload)
        else:
            _check_broken(claim, key, payload, check)
    else:
        raise Rejected(f"a solution can be proved or refuted, not {verdict}")


class _Claim:
    """A statement whose solution is made of time and constants, and whose hypotheses are on constants alone."""

    def __init__(self, statement: Data) -> None:
        self.statement, self.where = statement, setting(statement)
        if set(statement) != KEYS:
            raise Rejected(f"a statement about a flow has the parts {sorted(KEYS)}, got {sorted(statement)}")
        self.time: str = name(part(statement, "time", str, "the statement"), "the name of time")
        self.flow, self.solution, self.start = (self._terms(key) for key in ("flow", "solution", "start"))
        self.interval = self._interval()
        self._require_variables()
        self._require_constants()
        everything = tuple(sorted(self.solution.items()))
        self.along = {x: ("at", rate, everything) for x, rate in self.flow.items()}
        self.demands = self._demands()

    def _terms(self, key: str) -> dict[str, Term]:
        return {name(x): term(data) for x, data in part(self.statement, key, dict, "the statement").items()}

    def _interval(self) -> str:
        table = part(self.statement, "interval", dict, "the statement")
        kind = part(table, "kind", str, "the interval")
        self.end = term(part(table, "end", tuple, "the interval")) if kind == UNTIL else ZERO
        if kind not in (FOREVER, UNTIL, WHILE_DEFINED) or set(table) != (
            {"kind", "end"} if kind == UNTIL else {"kind"}
        ):
            raise Rejected(f"an interval is forever, until an end, or while defined, got {shown(table)}")
        return str(kind)

    def _require_variables(self) -> None:
        flow, solution, start = set(self.flow), set(self.solution), set(self.start)
        if not flow or flow != solution or not start <= flow:
            raise Rejected(
                "flow, solution and start must speak of the same variables,"
                f" got {sorted(flow)}, {sorted(solution)} and {sorted(start)}"
            )
        if self.time in flow or not {*flow, self.time} <= set(self.where.symbols):
            raise Rejected("time and the variables of the flow must be different symbols of the statement")
        told = {x: self.where.symbols[x] for x in (*sorted(flow), self.time)}
        if told.pop(self.time) != ("nonnegative",) or any(told.values()):
            raise Rejected("the time must be declared nonnegative and nothing else, the variables of the flow nothing")

    def _require_constants(self) -> None:
        moving = {*self.flow, self.time}
        hypotheses = free_in([s for r in self.where.assuming for s in r[1:]])
        if hypotheses & moving or free(self.end) & moving:
            raise Rejected("hypotheses and the end of the interval must speak of constants alone")
        if free_in(self.start.values()) & moving or free_in(self.solution.values()) & set(self.flow):
            raise Rejected("solutions are made of time and constants, and starts of constants alone")
        if any(map(_differentiates, (*self.solution.values(), *self.flow.values()))):
            raise Rejected("a solution and its rates must be written without derivatives")
        if any(_keeps_no_slope(carried_out(formula), self.time) for formula in self.solution.values()):
            raise Rejected("a solution holds a power with the exponent zero, which has gaps in its derivative")

    def shared(self, kind: str, bounded: bool = True) -> Data:
        """The head of a part: on the interval the time lies before its end."""
        assuming = self.statement["assuming"]
        if bounded and self.interval == UNTIL:
            assuming = (*assuming, (">", self.end, ("s", self.time)))
        return {"kind": kind, "symbols": self.statement["symbols"], "assuming": assuming}

    def identities(self) -> dict[tuple[str, str], Data]:
        """What must be an identity for the solution to solve the flow."""
        found: dict[tuple[str, str], Data] = {}
        for x in sorted(self.flow):
            left: Term = ("D", self.solution[x], self.time)
            found["residual", x] = self.shared("identity") | {"left": left, "right": self.along[x]}
        for x in sorted(self.start):
            left = ("at", self.solution[x], ((self.time, ZERO),))
            found["start", x] = self.shared("identity", bounded=False) | {"left": left, "right": self.start[x]}
        return found

    def _demands(self) -> list[Demand]:
        """What is asked of each part, once: of a part that must neither vanish nor be negative, to be positive."""
        table: dict[Term, list[str]] = {}
        for smooth, formulas in ((True, self.solution), (False, self.along)):
            for x in sorted(self.flow):
                for kind, base in _asked(carried_out(formulas[x]), self.time, smooth):
                    for part_of_it in _moving(base, self.time) if kind == "nonzero" else (_upright(base),):
                        table.setdefault(part_of_it, []).append(kind)
        return [(_together(set(kinds)), base) for base, kinds in table.items()]


def _differentiates(formula: Term) -> bool:
    return formula[0] == "D" or any(map(_differentiates, parts(formula)))


def _keeps_no_slope(formula: Term, time: str) -> bool:
    """Whether a part that moves has the exponent zero: where it vanishes the power is one, and its slope is missing."""
    if formula[0] == "^" and formula[2][0] == "q" and rational(formula[2][1]) == 0 and time in free(formula[1]):
        return True
    return any(_keeps_no_slope(inner, time) for inner in parts(formula))


def _together(kinds: set[str]) -> str:
    if "positive" in kinds or (len(kinds) > 1 and "nonzero" in kinds):
        return "positive"
    return "smooth" if "smooth" in kinds else min(kinds)


def _moving(formula: Term, time: str) -> Iterator[Term]:
    """The factors that move; those that do not are not zero, as the whole is not zero at the start."""
    if time not in free(formula):
        return
    if formula[0] == "*":
        for factor in formula[1:]:
            yield from _moving(factor, time)
    elif formula[0] == "^" and formula[2][0] == "q":
        yield from _moving(formula[1], time)
    else:
        yield formula


def _upright(formula: Term) -> Term:
    """What divides a product multiplies it instead: the sign is the same wherever there is one."""
    if formula[0] == "*":
        return ("*", *map(_upright, formula[1:]))
    exponent = rational(formula[2][1]) if formula[0] == "^" and formula[2][0] == "q" else 0
    if exponent >= 0:
        return formula
    return _upright(formula[1]) if exponent == -1 else ("^", formula[1], ("q", str(-exponent)))


def _asked(formula: Term, time: str, smooth: bool) -> Iterator[Demand]:
    """What operations on what moves ask for to have a value, and a derivative by the time where it is to be smooth."""
    spend(2000)
    if time not in free(formula):
        return
    for child in parts(formula):
        yield from _asked(child, time, smooth)
    head = formula[0]
    if head == "log":
        yield "positive", formula[1]
    elif head == "asin":
        yield ("smooth" if smooth else "nonnegative"), difference(ONE, ("^", formula[1], TWO))
    elif head in ("lambertw", "digamma"):
        yield "positive", formula[1]
    elif head == "abs" and smooth:
        yield "smooth", ("^", formula[1], TWO)
    elif head == "^" and formula[2][0] != "q":
        yield "positive", formula[1]
    elif head == "^":
        exponent = rational(formula[2][1])
        if exponent.q == 1 and exponent < 0:
            yield "nonzero", formula[1]
        elif exponent.q != 1:
            yield ("positive" if exponent < 0 else "smooth" if smooth and exponent < 1 else "nonnegative"), formula[1]


# --- proofs -----------------------------------------------------------------------------------------------------------


def _check_solution(claim: _Claim, payload: Data, check: Check) -> None:
    for group in ("residual", "start"):
        table = part(payload, f"{group}s", dict, "the payload")
        wanted = set(claim.flow if group == "residual" else claim.start)
        if set(table) != wanted:
            raise Rejected(f"the {group}s are given for {sorted(table)} and needed for {sorted(wanted)}")
    for (group, x), needed in claim.identities().items():
        _require_proved(payload[f"{group}s"][x], needed, f"{group} of {x}", check)
    _require_some_start(claim, part(payload, "inhabited", dict, "the payload"))
    domain = part(payload, "domain", tuple, "the payload")
    if len(domain) != len(claim.demands):
        raise Rejected(f"{len(claim.demands)} parts must keep their signs on the interval, and {len(domain)} are shown")
    for demand, certificate in zip(claim.demands, domain, strict=True):
        _check_demand(claim, demand, certificate, check)
    if claim.interval == UNTIL:
        needed = claim.shared("sign", bounded=False) | {"relation": ">", "left": claim.end, "right": ZERO}
        _require_proved(payload.get("begins"), needed, "length of the interval", check)


def _require_some_start(claim: _Claim, given: Data) -> None:
    """With some constants the solution and the rates along it have values at time 0, so that something is said."""
    formulas = [*claim.solution.values(), *claim.along.values()]
    values = point(given, claim.where.symbols, claim.where.free(*formulas) | {claim.time})
    if values[claim.time] != 0:
        raise Rejected("the start is at time 0, and the inhabited point is not")
    require(claim.where, values)
    try:
        for formula in formulas:
            enclosure(formula, values, POINT_BITS)
    except Undefined:
        raise Rejected("the solution or its rates have no value at the start of the inhabited point") from None


def _require_proved(certificate: Data, needed: Data, what: str, check: Check) -> None:
    if not isinstance(certificate, dict):
        raise Rejected(f"the {what} needs a certificate, got {shown(certificate)}")
    must_match(part(certificate, "statement", dict, f"the {what}"), needed, what)
    found = check(certificate)
    if found != "proved":
        raise Rejected(f"the {what} is {found}, not proved")


def _check_demand(claim: _Claim, demand: Demand, evidence: Data, check: Check) -> None:
    """A sign on the whole interval, or at its start where the interval ends by itself with the formulas."""
    kind, base = demand
    if not isinstance(evidence, dict):
        raise Rejected(f"the evidence for a sign must be an object, got {shown(evidence)}")
    begin: Term = ("at", base, ((claim.time, ZERO),))
    given = (AT_START[kind], begin, ZERO)
    starts = _sign(claim, ">", begin, given, bounded=False)
    what = f"sign of {shown(base)}"
    if claim.interval == WHILE_DEFINED:
        if AT_START[kind] == ">=":
            _require_proved(evidence.get("begins"), starts, what, check)
    elif "rises" in evidence:
        factor = _exponent(claim, base, evidence)
        _require_proved(evidence.get("begins"), starts, what, check)
        rising: Term = ("D", ("*", base, ("exp", factor)), claim.time)
        _require_proved(evidence["rises"], _sign(claim, ">=", rising, given), what, check)
    else:
        certificate = evidence.get("sign")
        inner = certificate.get("statement") if isinstance(certificate, dict) else None
        left = inner.get("left") if isinstance(inner, dict) else None
        turned: list[Term] = [("*", MINUS_ONE, base), ("*", base, begin)] if kind == "nonzero" else []
        chosen = next((candidate for candidate in turned if candidate == left), base)
        relation = ">=" if kind == "nonnegative" else ">"
        _require_proved(certificate, _sign(claim, relation, chosen, given), what, check)


def _sign(claim: _Claim, relation: str, left: Term, given: Term, bounded: bool = True) -> Data:
    shared = claim.shared("sign", bounded)
    return shared | {"assuming": (*shared["assuming"], given), "relation": relation, "left": left, "right": ZERO}


def _exponent(claim: _Claim, base: Term, evidence: Data) -> Term:
    """The exponent that multiplies what never falls; both have values and derivatives at all times."""
    factor = term(part(evidence, "factor", tuple, "the evidence for a sign"))
    if _differentiates(factor) or free(factor) & set(claim.flow):
        raise Rejected("the exponent must be made of time and constants")
    claim.where.free(factor)
    if any(True for formula in (base, carried_out(factor)) for _ in _asked(formula, claim.time, True)):
        raise Rejected(f"{shown(base)} need not have a derivative at all times, so that it never falls shows nothing")
    with_values = set(subterms(prepared(base)))
    for inner in subterms(carried_out(factor)):
        if _may_lack_a_value(inner) and inner not in with_values:
            raise Rejected(
                f"the exponent has values only where {shown(inner)} has, of which the solution does not speak"
            )
    return factor


def _may_lack_a_value(formula: Term) -> bool:
    if formula[0] != "^":
        return formula[0] in ("log", "asin", "lambertw", "digamma")
    if formula[2][0] != "q":
        return True
    exponent = rational(formula[2][1])
    return bool(exponent < 0 or exponent.q != 1)


# --- refutations ------------------------------------------------------------------------------------------------------


def _check_broken(claim: _Claim, key: Data, payload: Data, check: Check) -> None:
    identities = claim.identities()
    if not all(isinstance(label, str) for label in key) or key not in identities:
        raise Rejected(f"the refuted part {shown(key)} is no residual and no start of the statement")
    refutation = part(payload, "refutation", dict, "the payload")
    must_match(part(refutation, "statement", dict, "the refutation"), identities[key], f"{key[0]} of {key[1]}")
    found = check(refutation)
    if found != "refuted":
        raise Rejected(f"the {key[0]} of {key[1]} is {found}, not refuted")
    witness = refutation["payload"].get("witness")
    if payload.get("witness") != witness:
        raise Rejected("the witness is not the point at which the part is refuted")
    if claim.interval == WHILE_DEFINED and key[0] == "residual":
        _require_reached(claim, {x: rational(value) for x, value in witness["point"].items()})


def _require_reached(claim: _Claim, values: Values) -> None:
    """Every demand is met in balls at all times from the start to that of the point."""
    half = values[claim.time] / (2 * PIECES)
    for kind, base in claim.demands:
        for piece in range(PIECES):
            middle = values[claim.time] * (2 * piece + 1) / (2 * PIECES)
            with ctx.workprec(POINT_BITS):
                moment = arb(middle) + arb(0, arb(half).abs_upper())
            try:
                value = plain_enclosure(base, {**values, claim.time: moment}, POINT_BITS)
                is_met = bool(value != 0) if kind == "nonzero" else bool(value > 0)
            except Undefined:
                is_met = False
            if not is_met:
                raise Rejected("the point need not lie on the part of the domain that contains the start")


def _check_end(claim: _Claim, position: int, payload: Data) -> None:
    """A part is defined at the start and has lost, by a time of the interval, the sign without which it ends.

    What is continuous changes its sign only through zero, or by losing its value on the way.
    """
    if claim.interval == WHILE_DEFINED:
        raise Rejected("a formula that ends refutes nothing that is said while it is defined")
    witness = part(payload, "witness", dict, "the payload")
    (kind, base), bits = claim.demands[position], bits_of(witness)
    values = point(part(witness, "point", dict, "the witness"), claim.where.symbols, _needed(claim, base))
    require(setting(claim.statement | {"assuming": claim.shared("sign")["assuming"]}), values)
    start: dict[str, Rational] = {**values, claim.time: fmpq(0)}
    try:
        for formula in claim.solution.values():
            enclosure(formula, start, POINT_BITS)
        require_printed(part(witness, "left", str, "the witness"), "left", base, start, bits)
        require_printed(part(witness, "right", str, "the witness"), "right", base, values, bits)
        before, after = sign_at(base, start, POINT_BITS), sign_at(base, values, POINT_BITS)
    except Undefined:
        raise Rejected("the solution has no value at the start from which it is said to end") from None
    if not before or not after or (before == after if kind == "nonzero" else after > 0):
        raise Rejected(f"{shown(base)} does not certainly change its sign between the start and the point")


def _needed(claim: _Claim, base: Term) -> frozenset[str]:
    return claim.where.free(base, *claim.solution.values()) | {claim.time}

"""Solutions of flows, on an interval of times that begins with the start.

The residual and the start are identities. Beside them it is shown that the solution, and the rates along it, stay away
from what ends a formula on that interval: zeros of denominators, negative numbers under roots and logarithms, and
zeros under roots, where there is no derivative. A statement speaks of the constants for which the formulas have values
at the start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

from derivations.language.evaluate import evaluate, has_value, precision
from derivations.language.normal import prepared
from derivations.language.points import Values, points
from derivations.language.show import interval, plain
from derivations.language.terms import (
    LEAVES,
    MINUS_ONE,
    ONE,
    ZERO,
    NotExact,
    Term,
    carried_out,
    children,
    fraction_of,
    rational,
    subtract,
    symbols_in,
)
from derivations.prove import equality
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.equality import Unsatisfiable
from derivations.prove.equality.facts import signed_parts

Decide = Callable[[Json], Certificate]
Demand = tuple[str, Term]  # a kind, and the part of a formula that must be so
# What a kind says at the start, for the formula to have a value there, and what must be shown on the interval.
KINDS = {"nonzero": ("!=", "!="), "positive": (">", ">"), "smooth": (">=", ">"), "nonnegative": (">=", ">=")}

FOREVER, UNTIL, WHILE_DEFINED = "forever", "until", "while defined"
METHOD = "residual and start"
TRIES, BITS = 60, 256
FEW = 2  # exponents of a part, beyond which a search for its sign takes seconds, and for that of its rise less
PIECES = 64  # of the time from the start to a point, where it is shown that nothing ends before


def decide_solves(statement: Json, decide: Decide) -> Certificate:
    """A solution of a flow: every residual vanishes, every start is met, and nothing ends on the interval."""
    require_statement(statement)
    identities = {key: decide(needed) for key, needed in _identities(statement).items()}
    for (part, name), found in identities.items():
        if found.verdict is Verdict.REFUTED and (part == "start" or _is_reached(statement, found.witness)):
            evidence = {"part": [part, name], "refutation": found.as_json(), "witness": found.witness}
            return Certificate(statement, Verdict.REFUTED, f"the {part} of {name} at an exact point", evidence)
    undecided = [c.reason for c in identities.values() if c.verdict is Verdict.OPEN]
    broken = [f"the {p} of {n} differs" for (p, n), c in identities.items() if c.verdict is Verdict.REFUTED]
    if undecided or broken:
        return Certificate(statement, Verdict.OPEN, "none", reason=[*undecided, *broken][0])
    return _on_the_interval(statement, identities, decide)


def _on_the_interval(statement: Json, identities: dict[tuple[str, str], Certificate], decide: Decide) -> Certificate:
    domain = []
    for position, demand in enumerate(demands(statement)):
        try:
            shown = _shown(statement, demand, decide)
        except Unsatisfiable:
            reason = f"{plain(demand[1])} has no value at the start that the formulas need"
            return Certificate(statement, Verdict.OPEN, "none", reason=reason)
        if shown is None:
            ended = _ends(statement, position, demand)
            return ended or Certificate(statement, Verdict.OPEN, "none", reason=_not_shown(statement, demand))
        domain.append(shown)
    begun = _some_start(statement)
    if begun is None:
        reason = "no exact constants were found with which the solution and its rates have a value at the start"
        return Certificate(statement, Verdict.OPEN, "none", reason=reason)
    payload: Json = {"residuals": {}, "starts": {}, "domain": domain, "inhabited": begun}
    for (part, name), certificate in identities.items():
        payload[f"{part}s"][name] = certificate.as_json()
    if statement["interval"]["kind"] == UNTIL:
        begins = decide(_sign(statement, ">", statement["interval"]["end"], bounded=False))
        if begins.verdict is not Verdict.PROVED:
            return Certificate(statement, Verdict.OPEN, "none", reason="the interval does not provably end after 0")
        payload["begins"] = begins.as_json()
    return Certificate(statement, Verdict.PROVED, METHOD, payload)


def require_statement(statement: Json) -> None:
    """Refuses statements whose solution is none: functions of time and constants alone, hypotheses on constants."""
    time, flow, solution, start = (statement[k] for k in ("time", "flow", "solution", "start"))
    if not flow or set(flow) != set(solution) or not set(start) <= set(flow):
        raise NotExact(
            "flow, solution and start must speak of the same variables, "
            f"got {sorted(flow)}, {sorted(solution)}, {sorted(start)}"
        )
    if time in flow:
        raise NotExact(f"{time} is the time, so it cannot be a variable of the flow as well")
    for name, term in [*solution.items(), *start.items()]:
        if symbols_in(term) & set(flow):
            variable = min(symbols_in(term) & set(flow))
            raise NotExact(
                f"the solution and the start of {name} must be made of time and constants, and {variable} is a variable"
                " of the flow: give its start a name of its own"
            )
    for name, term in start.items():
        if time in symbols_in(term):
            raise NotExact(f"the start of {name} is its value at {time} = 0, and must not speak of {time}")
    for relation in statement["assuming"]:
        if symbols_in(("+", *relation[1:])) & {time, *flow}:
            raise NotExact(
                f"the hypothesis {plain(relation)} speaks of what moves: name the times with until=, and state"
                " hypotheses on constants alone"
            )
    for name, term in [*solution.items(), *flow.items()]:
        if _differentiates(term):
            raise NotExact(f"the formula of {name} holds a derivative that is not carried out: use .doit()")
    for name, term in solution.items():
        if _has_power_of_zero(carried_out(term), time):
            raise NotExact(
                f"the solution of {name} holds a power with the exponent 0, whose slope divides: write it as 1"
            )
    end = statement["interval"].get("end", ZERO)
    if symbols_in(end) & {time, *flow}:
        raise NotExact(f"the interval must end at a constant, and {plain(end)} moves")


def _differentiates(term: Term) -> bool:
    return term[0] == "D" or any(map(_differentiates, children(term)))


def _has_power_of_zero(term: Term, time: str) -> bool:
    """Whether something that moves stands under the exponent 0: its derivative has gaps where the power has none."""
    if term[0] == "^" and term[2][0] == "q" and fraction_of(term[2]) == 0 and time in symbols_in(term[1]):
        return True
    return any(_has_power_of_zero(child, time) for child in children(term))


def _identities(statement: Json) -> dict[tuple[str, str], Json]:
    """The statements of the residuals, on the interval, and of the starts."""
    time, flow, solution = statement["time"], statement["flow"], statement["solution"]
    everything = tuple(sorted(solution.items()))
    inside, outside = _shared(statement, bounded=True), _shared(statement, bounded=False)
    found: dict[tuple[str, str], Json] = {}
    for name in sorted(flow):
        left: Term = ("D", solution[name], time)
        found["residual", name] = {"kind": "identity", **inside, "left": left, "right": ("at", flow[name], everything)}
    for name in sorted(statement["start"]):
        left = ("at", solution[name], ((time, ZERO),))
        found["start", name] = {"kind": "identity", **outside, "left": left, "right": statement["start"][name]}
    return found


def _shared(statement: Json, bounded: bool) -> Json:
    """Symbols and hypotheses of a part, the end of the interval included where the time moves in it."""
    assuming = list(statement["assuming"])
    if bounded and statement["interval"]["kind"] == UNTIL:
        assuming.append((">", statement["interval"]["end"], ("s", statement["time"])))
    return {"symbols": statement["symbols"], "assuming": assuming}


def _sign(statement: Json, relation: str, left: Term, given: Demand | None = None, bounded: bool = True) -> Json:
    """A sign that is to be shown, for constants with which the formula that demands it has a value at the start."""
    shared = _shared(statement, bounded)
    if given is not None:
        at_start: Term = ("at", given[1], ((statement["time"], ZERO),))
        shared["assuming"].append((KINDS[given[0]][0], at_start, ZERO))
    return {"kind": "sign", **shared, "relation": relation, "left": left, "right": ZERO}


# --- what the formulas ask for ----------------------------------------------------------------------------------------


def demands(statement: Json) -> list[Demand]:
    """What the solution and the rates along it ask of their parts that hold the time, each part once."""
    time, solution = statement["time"], statement["solution"]
    everything = tuple(sorted(solution.items()))
    along = [carried_out(("at", statement["flow"][name], everything)) for name in sorted(statement["flow"])]
    asked: dict[Term, set[str]] = {}
    for formulas, smooth in (([carried_out(solution[name]) for name in sorted(solution)], True), (along, False)):
        for formula in formulas:
            for kind, base in _asked(formula, time, smooth):
                parts = _factors(base, time) if kind == "nonzero" else [_upright(base)]
                for part in parts:
                    asked.setdefault(part, set()).add(kind)
    return [(_strongest(kinds), base) for base, kinds in asked.items()]


def _strongest(kinds: set[str]) -> str:
    """One kind that stands for all that are asked of a part."""
    if "positive" in kinds or len(kinds - {"smooth", "nonnegative"}) < len(kinds) > len(kinds - {"nonzero"}):
        return "positive"
    return next(kind for kind in KINDS if kind in kinds)


def _asked(term: Term, time: str, smooth: bool) -> Iterator[Demand]:
    """What the operations of a term ask for to have a value and, if it is to be smooth, a derivative by the time."""
    if term[0] in LEAVES or time not in symbols_in(term):
        return
    for child in children(term):
        yield from _asked(child, time, smooth)
    head, base = term[0], term[1]
    if head == "log":
        yield "positive", base
    elif head == "asin":
        yield ("smooth" if smooth else "nonnegative"), subtract(ONE, ("^", base, rational(2)))
    elif head in ("lambertw", "digamma"):
        yield "positive", base  # their domain is larger, but no statement about time has needed the rest of it
    elif head == "abs" and smooth:
        yield "smooth", ("^", base, rational(2))
    elif head == "^" and term[2][0] != "q":
        yield "positive", base
    elif head == "^" and time in symbols_in(base):
        exponent = fraction_of(term[2])
        if exponent.denominator != 1:
            yield ("positive" if exponent < 0 else "smooth" if smooth and exponent < 1 else "nonnegative"), base
        elif exponent < 0:
            yield "nonzero", base


def _upright(term: Term) -> Term:
    """A term of the same sign wherever the given one has a value: what divides a product stands as a factor."""
    if term[0] == "*":
        return ("*", *map(_upright, term[1:]))
    if term[0] != "^" or term[2][0] != "q" or fraction_of(term[2]) >= 0:
        return term
    exponent = -fraction_of(term[2])
    return _upright(term[1]) if exponent == 1 else ("^", term[1], rational(exponent))


def _some_start(statement: Json) -> Json | None:
    """Constants with which the solution and the rates along it have values at time 0, so that something is said."""
    everything = tuple(sorted(statement["solution"].items()))
    formulas = [*statement["solution"].values(), *(("at", rate, everything) for rate in statement["flow"].values())]
    for point in islice(points(_shared(statement, bounded=False)), TRIES):
        start = {**point, statement["time"]: Fraction(0)}
        if all(has_value(formula, start) for formula in formulas):
            return {name: str(value) for name, value in start.items()}
    return None


def _factors(term: Term, time: str) -> list[Term]:
    """The factors that move: a product does not vanish where none of its factors does."""
    if time not in symbols_in(term):
        return []
    if term[0] == "*":
        return [part for factor in term[1:] for part in _factors(factor, time)]
    if term[0] == "^" and term[2][0] == "q":
        return _factors(term[1], time)
    return [term]


def _shown(statement: Json, demand: Demand, decide: Decide) -> Json | None:
    """The evidence that a demand is met on the interval, from every start at which the formula has a value."""
    kind, base = demand
    at_start: Term = ("at", base, ((statement["time"], ZERO),))
    if statement["interval"]["kind"] == WHILE_DEFINED:
        if KINDS[kind][0] in ("!=", ">"):
            return {}
        begins = decide(_sign(statement, ">", at_start, demand, bounded=False))
        return {"begins": begins.as_json()} if begins.verdict is Verdict.PROVED else None
    if len(_exponents(statement, base)) > FEW and (grows := _grows(statement, demand, decide)):
        return grows
    relation = ">=" if kind == "nonnegative" else ">"
    for candidate in [base, ("*", MINUS_ONE, base), ("*", base, at_start)] if kind == "nonzero" else [base]:
        certificate = decide(_sign(statement, relation, candidate, demand))
        if certificate.verdict is Verdict.PROVED:
            return {"sign": certificate.as_json()}
    return _grows(statement, demand, decide) if len(_exponents(statement, base)) <= FEW else None


def _grows(statement: Json, demand: Demand, decide: Decide) -> Json | None:
    """A part that is positive at the start and never falls, once an exponential of the time multiplies it."""
    (_, base), time = demand, statement["time"]
    if any(_asked(base, time, smooth=True)):
        return None
    begins = decide(_sign(statement, ">", ("at", base, ((time, ZERO),)), demand, bounded=False))
    if begins.verdict is not Verdict.PROVED:
        return None
    for factor in _exponents(statement, base):
        rising: Term = ("D", ("*", base, ("exp", factor)), time)
        rises = decide(_sign(statement, ">=", rising, demand))
        if rises.verdict is Verdict.PROVED:
            return {"factor": factor, "begins": begins.as_json(), "rises": rises.as_json()}
    return None


def _exponents(statement: Json, base: Term) -> list[Term]:
    """Exponents to try: those that take an exponential of the part away, first exponents of unknown sign."""
    known, time = statement["symbols"], statement["time"]
    found: dict[Term, None] = {}
    todo = [prepared(base)]
    while todo:
        term = todo.pop()
        if term[0] == "exp" and time in symbols_in(term):
            found[("*", MINUS_ONE, term[1])] = None
        todo += children(term)
    plain_ones = [m for m in found if signed_parts(m, known)[0] in (ONE, MINUS_ONE)]
    return [*(m for m in found if m not in plain_ones), ZERO, *plain_ones]


def _not_shown(statement: Json, demand: Demand) -> str:
    kind, base = demand
    says = {"nonzero": "is not zero", "nonnegative": "is not negative"}.get(kind, "is positive")
    return (
        f"it was not shown that {plain(base)} {says} {interval(statement)}: name the interval with until=,"
        " or say while_defined=True"
    )


# --- refutations ------------------------------------------------------------------------------------------------------


def _ends(statement: Json, position: int, demand: Demand) -> Certificate | None:
    """The refutation by a time of the interval before which a formula has lost its value, from a start that has one."""
    if statement["interval"]["kind"] == WHILE_DEFINED:
        return None
    (kind, base), time = demand, statement["time"]
    free = set().union(*(symbols_in(term) for term in [base, *statement["solution"].values()]))
    for point in islice(points(_shared(statement, bounded=True)), TRIES):
        start = {**point, time: Fraction(0)}
        if not all(has_value(term, start) for term in [base, *statement["solution"].values()]):
            continue
        signs = [_certain_sign(base, at) for at in (start, point)]
        if signs[0] and (signs[0] * (signs[1] or 0) < 0 if kind == "nonzero" else signs[1] == -1):
            witness = {
                "point": {
                    name: str(value) for name, value in point.items() if name in free | set(statement["symbols"])
                },
                "left": equality.shown(base, start, equality.PRECISIONS[0]),
                "right": equality.shown(base, point, equality.PRECISIONS[0]),
                "bits": equality.PRECISIONS[0],
            }
            evidence = {"part": ["domain", position], "witness": witness}
            return Certificate(statement, Verdict.REFUTED, "no value at an exact time", evidence)
    return None


def _certain_sign(term: Term, point: Values) -> int | None:
    if not has_value(term, point):
        return None
    with precision(BITS):
        value = evaluate(term, point)
        return 1 if value > 0 else -1 if value < 0 else None


def _is_reached(statement: Json, witness: Json | None) -> bool:
    """Whether a point lies on the part of the domain that contains the start; elsewhere the interval says so."""
    if statement["interval"]["kind"] != WHILE_DEFINED or witness is None:
        return witness is not None
    point = {name: Fraction(value) for name, value in witness["point"].items()}
    return all(_is_met(demand, statement["time"], point) for demand in demands(statement))


def _is_met(demand: Demand, time: str, point: dict[str, Any]) -> bool:
    """Whether a demand is certainly met at all times from the start to that of a point."""
    from flint import arb

    kind, base = demand
    with precision(BITS):
        half = evaluate(("q", str(point[time] / (2 * PIECES))), {})
        for piece in range(PIECES):
            middle = evaluate(("q", str(point[time] * (2 * piece + 1) / (2 * PIECES))), {})
            try:
                value = evaluate(base, {**point, time: middle + arb(0, half.abs_upper())})
            except (ZeroDivisionError, ValueError):
                return False
            if not value.is_finite() or not (value != 0 if kind == "nonzero" else value > 0):
                return False
    return True

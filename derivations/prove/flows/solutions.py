"""Solutions of flows, on an interval of times that begins with the start.

What has to be shown is computed by the checker's reading of the statement: residuals and starts, and that what the
formulas ask for to have values, and derivatives, stays so on the interval. It is shown here, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import islice

from derivations.language.evaluate import has_value
from derivations.language.normal import prepared
from derivations.language.points import Values, points, written
from derivations.language.show import plain
from derivations.language.terms import MINUS_ONE, ONE, ZERO, NotExact, Term, children, rational, symbols_in
from derivations.prove.certificate import Certificate, Json, Verdict, undecided
from derivations.prove.equality import Unsatisfiable
from derivations.prove.equality.facts import signed_part
from derivations.prove.rules import by_one_of, by_rules
from derivations.prove.rules.analysis.bases import signed_bases
from derivations.prove.rules.analysis.factors import Factor
from derivations.prove.rules.analysis.interval import beyond
from derivations.prove.rules.analysis.slopes import going, of_function
from derivations.prove.rules.rule import Step, bare
from derivations.prove.schemas.table import as_stated
from derivations.prove.sign.hunt import first_failure
from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import normal
from derivations.recheck.core.table.by import what_defines
from derivations.recheck.ledgers.writers import times

Decide = Callable[[Json], Certificate]
METHOD, VALUE = "residual and start", "value "
RATES = ("first rate", "second rate", "third rate")  # of a residual: at the start it alone may vanish by chance
TRIES = 60
FEW = 2  # exponents of a part, beyond which a search for its sign takes seconds, and for that of its rise less


def decide_solves(statement: Json, decide: Decide) -> Certificate:
    """A solution of a flow: every residual vanishes, every start is met, and nothing ends on the interval."""
    require_statement(statement)
    try:
        with budget():
            needs, follows, values = what_defines(normal(bare(statement)))
    except Rejected as refusal:
        raise NotExact(str(refusal)) from None
    begins = partial(_all_have_values, values)
    proofs: Json = {}
    opened = ""
    for role, needed in needs.items():
        shown = _decided(statement, role, as_stated(needed), decide)
        if shown.verdict is Verdict.PROVED:
            proofs[role] = shown.as_json()
            continue
        for other in [role] if role in follows else [role.replace("residual", rate) for rate in RATES]:
            if other in follows:
                failing = as_stated(follows[other])
                fails = shown if follows[other] == needed else _refuted(failing, other, begins, decide)
                if fails and fails.witness and begins(_exact(fails.witness["point"])):
                    evidence = {"refutation": fails.as_json(), "witness": fails.witness}
                    return Certificate(statement, Verdict.REFUTED, f"the {other} at an exact point", evidence)
        opened = opened or shown.reason or f"the {role} differs"
        if role.startswith(VALUE):
            break
    begun = None if opened else next(filter(begins, islice(points(statement), TRIES)), None)
    if begun is None:
        reason = "no exact constants were found with which the solution and its rates have a value at the start"
        return undecided(statement, opened or reason)
    inhabited = written(begun)
    return Certificate(statement, Verdict.PROVED, METHOD, {"needs": proofs, "inhabited": inhabited})


def _all_have_values(formulas: Iterable[Term], point: Values) -> bool:
    return all(has_value(formula, point) for formula in formulas)


def _exact(point: Json) -> Values:
    return {name: Fraction(value) for name, value in point.items()}


def require_statement(statement: Json) -> None:
    """Refuses, in words for those who ask, a solution that is none: what moves stands where constants belong."""
    time, flow, solution, start = (statement[k] for k in ("time", "flow", "solution", "start"))
    if not flow or set(flow) != set(solution) or not set(start) <= set(flow):
        raise NotExact(
            "flow, solution and start must speak of the same variables, "
            f"got {sorted(flow)}, {sorted(solution)}, {sorted(start)}"
        )
    moving = {time, *flow}
    allowed = [(f"the solution of {name}", {*flow}, term) for name, term in solution.items()]
    allowed += [(f"the start of {name}", moving, term) for name, term in start.items()]
    allowed += [(f"the hypothesis {plain(r)}", moving, ("+", *r[1:])) for r in statement["assuming"]]
    allowed += [("the end of the interval", moving, statement["interval"].get("end", ZERO))]
    for what, excluded, term in allowed:
        if strange := sorted(symbols_in(term) & excluded):
            raise NotExact(
                f"{what} speaks of {strange[0]}, which is what moves: it must be made of"
                f" {'constants' if time in excluded else 'time and constants'}, so give a start a name of its own, and"
                " name times with until="
            )


def _decided(statement: Json, role: str, needed: Json, decide: Decide) -> Certificate:
    """Return what is made of something that is needed; for a sign on the interval, by more ways than are tried
    elsewhere.
    """
    if not role.startswith(VALUE):
        return decide(needed)
    try:
        found = _on_the_interval(statement, needed, decide)
    except Unsatisfiable:
        reason = f"{plain(needed['left'])} has no value at the start that the formulas need"
        return undecided(needed, reason)
    when = times(statement["interval"], statement["time"])
    reason = (
        f"it was not shown that {plain(needed['left'])} {needed['relation']} 0 {when}: name the interval"
        " with until=, or say while_defined=True"
    )
    return found if found.verdict is Verdict.PROVED else replace(found, verdict=Verdict.OPEN, reason=reason)


def _refuted(failing: Json, role: str, begins: Callable[[Values], bool], decide: Decide) -> Certificate | None:
    """A refutation of what follows from a statement; what ends must have begun."""
    if role.startswith(VALUE):
        return first_failure(failing, islice(filter(begins, points(failing)), TRIES))
    try:
        return decide(failing)
    except Unsatisfiable:  # a rate that is written with a division by the time
        return None


def _on_the_interval(statement: Json, needed: Json, decide: Decide) -> Certificate:
    """A sign by what decides signs, or of what never falls once an exponential of the time multiplies it."""
    base = needed["left"]
    if base[0] == "^" and base[2] == rational(2) and needed["relation"] == ">":
        ways = list(signed_bases(base[1], 2).values())
        of_a_base = partial(by_one_of, ways, needed, partial(_of_a_base, statement, decide))
        return by_rules(needed, decide, []) or of_a_base() or decide(needed)  # rules seek no sums of squares: cheap
    return _of_a_base(statement, decide, needed)


def _of_a_base(statement: Json, decide: Decide, needed: Json) -> Certificate:
    if needed["kind"] != "sign":
        return decide(needed)
    exponents = _exponents(needed, statement["time"])
    grows = partial(by_one_of, rising(needed, statement["time"], exponents), needed, decide)
    many = len(exponents) > FEW
    found = (grows() if many else None) or decide(needed)
    return found if many or found.verdict is Verdict.PROVED else grows() or found


def rising(needed: Json, time: str, exponents: Iterable[Term]) -> Iterator[Step]:
    """Slopes, from the start on, of a part times an exponential."""
    used = {"symbol": time, "end": ZERO, "start": needed["relation"], "rate": ">="}
    setting = beyond(needed, time, ZERO, [1], 1)
    for exponent in exponents:
        function = ("*", needed["left"], ("exp", exponent))
        slope = partial(going, "slope", used=used, side=1, setting=setting)
        yield of_function(needed, Factor().times(("exp", ("*", MINUS_ONE, exponent))), function, slope)


def _exponents(needed: Json, time: str) -> list[Term]:
    """Exponents to try: those that take an exponential of the part away, first exponents of unknown sign."""
    found: dict[Term, None] = {}
    todo = [prepared(needed["left"])]
    while todo:
        term = todo.pop()
        if term[0] == "exp" and time in symbols_in(term):
            found[("*", MINUS_ONE, term[1])] = None
        todo += children(term)
    plain_ones = [m for m in found if signed_part(m, needed["symbols"])[0] in (ONE, MINUS_ONE)]
    return [*(m for m in found if m not in plain_ones), ZERO, *plain_ones]

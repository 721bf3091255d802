"""Equations and inequalities between integrals and numbers: ways to show them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, pairwise, permutations
from typing import Any

import sympy as sp

from derivations.language.terms import ZERO, NotExact, symbols_in
from derivations.prove.certificate import Certificate, Json, Verdict, undecided
from derivations.prove.equality import Unsatisfiable
from derivations.prove.rules.analysis.interval import bounds
from derivations.prove.schemas.integrals import endless
from derivations.prove.schemas.integrals.antiderivatives import evaluated
from derivations.prove.schemas.integrals.at_points import number, refutation
from derivations.prove.schemas.integrals.names import BALLS, INFINITE, KNOWN, PARTS, PIECES, RATES, VALUES, letters
from derivations.prove.schemas.integrals.pieces import cut, without_steps
from derivations.prove.schemas.integrals.single import Single, uses
from derivations.prove.schemas.integrals.stated import Compared, end_term, entry
from derivations.prove.schemas.table import SlotError
from derivations.prove.schemas.use import decided as by_theorem
from derivations.prove.schemas.use import shown
from derivations.prove.stating import from_sympy

Decide = Callable[[Json], Certificate]
Way = Iterator[tuple[str, Json, dict[str, Certificate]]]
MOST_FACTS = 4


def decided(of: Compared, decide: Decide, antiderivative: Any = None) -> Certificate:
    """A proof by one of the theorems, a refutation at an exact point, or an open verdict."""
    statement = of.statement
    if of.rates:
        found = _by_rates(of, decide)
        reason = "the integral of the rate of its integrand did not decide it"
        return found or undecided(statement, reason)
    by_values = _by_values(of, decide, antiderivative)
    others = chain(_in_balls(of, decide), _with_a_tail(of, decide), _by_comparison(of, decide))
    if of.relation == "=":  # an antiderivative tells most
        found = _first(by_values, decide) or refutation(statement) or _first(others, decide)
    else:
        found = refutation(statement) or _first(chain(others, by_values), decide)
    reason = "neither balls, nor values of the integrals, nor a comparison of integrands decided it"
    return found or undecided(statement, f"{reason}: an antiderivative may be given with prove.integral")


def _first(ways: Way, decide: Decide) -> Certificate | None:
    return next((found for way in ways if (found := _proof(*way, decide)) is not None), None)


def _by_rates(of: Compared, decide: Decide) -> Certificate | None:
    """Return what is said of a rate, as it is of the integral of the integrand's rate."""
    if len(of.rates) != 1:
        return None
    ((rate, (letter, by)),) = of.rates.items()
    node = of.nodes[letter]
    if node.low.is_finite is False or node.high.is_finite is False:
        return None
    taken = {str(s) for s in (of.variable, *of.nodes, rate)} | of.slots["symbols"].keys()
    inner = sp.Symbol(letters(taken, 1)[0], real=True)
    nodes = of.nodes | {inner: replace(node, integrand=without_steps(sp.diff(evaluated(node.integrand), by)))}
    at_ends = [node.integrand.subs(of.variable, end) * sp.diff(end, by) for end in (node.high, node.low)]
    if any(each.has(sp.oo, sp.zoo, sp.nan) for each in at_ends):
        return None
    left, right = (side.xreplace({rate: inner + at_ends[0] - at_ends[1]}) for side in (of.left, of.right))
    also = (*(e for node in nodes.values() for e in (node.integrand, node.low, node.high)), *of.also)
    known = tuple(e for e in also if e != rate and e not in (sp.oo, -sp.oo))
    used = {letter: node for letter, node in nodes.items() if (left - right).has(letter) or left.has(letter)}
    goal = decided(Compared(of.relation, left, right, used, of.variable, of.assuming, known), decide)
    if goal.verdict is Verdict.OPEN:
        return None
    whole = Compared(of.relation, left, right, nodes, of.variable, of.assuming, also)
    slots: Json = {f"stated_{key}": from_sympy(side) for key, side in (("left", of.left), ("right", of.right))}
    slots |= {"rate": str(rate), "of": str(letter), "parameter": str(by), "slope": str(inner)}
    return _proof(RATES, {**whole.slots, **whole.sides, **slots}, {"goal": goal}, decide)


def _proof(schema: str, slots: Json, steps: dict[str, Certificate], decide: Decide) -> Certificate | None:
    try:
        found = by_theorem({"kind": "by", "schema": schema, "slots": slots}, steps, decide)
    except (NotExact, Unsatisfiable, SlotError):
        return None
    return None if found.verdict is Verdict.OPEN else found


def _in_balls(of: Compared, decide: Decide) -> Way:
    """Over the box of numbers that the hypotheses name."""
    slots = of.slots
    if of.relation == "=" or any(end in INFINITE for entry in slots["integrals"].values() for end in entry[1:]):
        return
    spoken = set().union(*(symbols_in(t) for entry in [*slots["integrals"].values(), of.sides.values()] for t in entry))
    box = {}
    for name in sorted(spoken - {*slots["integrals"], slots["variable"]}):
        sides = [[v for t in side if (v := number(t)) is not None] for side in bounds(slots, name)]
        if not all(sides) or max(sides[0]) > min(sides[1]):
            return
        box[name] = [str(max(sides[0])), str(min(sides[1]))]
    yield BALLS, {**slots, **of.sides, "box": box, "upper": "1000000"}, {}


def _with_a_tail(of: Compared, decide: Decide) -> Way:
    """One integral over an endless interval, between numbers."""
    linear = _weights(of) if len(of.nodes) == 1 and of.relation != "=" else None
    if linear is None or not linear[0]:
        return
    (weight,) = linear[0].values()
    about = endless.estimate(next(iter(of.nodes.values()))) if weight.is_Rational and linear[1].is_number else None
    if about is not None and float(weight) * about + float(linear[1]) > 0:
        ways = endless.Ways(
            lambda schema, slots, steps: _proof(schema, slots, steps, decide),
            lambda other, which: value_of(other, which, decide),
        )
        for wider, known in endless.facts(of, bool(weight.is_negative), ways):
            yield _from(replace(wider, relation=of.relation), {}, known)


def _by_values(of: Compared, decide: Decide, antiderivative: Any) -> Way:
    """Every integral by an antiderivative."""
    found = {letter: value_of(of, letter, decide, antiderivative) for letter in of.nodes}
    values = {letter: value for letter, value in found.items() if value is not None}
    if len(values) == len(found):
        _, slots, steps = _from(of, values, [])
        yield VALUES, {name: slot for name, slot in slots.items() if name != "facts"}, steps


def value_of(of: Compared, letter: Any, decide: Decide, antiderivative: Any = None) -> Certificate | None:
    """The value of one of the integrals, by an antiderivative."""
    try:
        ways = list(uses(of.nodes[letter], antiderivative))
    except NotExact:
        return None
    for schema, given, found in ways:
        try:
            slots = of.head(()) | {name: _filled(name, e) for name, e in given.items()}
            value = from_sympy(found)
        except NotExact:
            continue
        proof = _proof(schema, slots | {"value": value}, {}, decide)
        if proof is not None:
            return proof
    return _value_in_pieces(of, letter, decide)


def _value_in_pieces(of: Compared, letter: Any, decide: Decide) -> Certificate | None:
    """The value of an integral whose integrand is another function between each two cuts."""
    node = of.nodes[letter]
    found = cut(evaluated(node.integrand), of.variable, node.low, node.high)
    if found is None:
        return None
    cuts, functions = found
    facts = []
    for f, (low, high) in zip(functions, pairwise([node.low, *cuts, node.high]), strict=True):
        facts.append(
            value_of(replace(of, nodes={letter: replace(node, integrand=f, low=low, high=high)}), letter, decide)
        )
    if any(fact is None or shown(fact)["symbols"] != of.head(())["symbols"] for fact in facts):
        return None
    f, low, high = entry(node)
    slots = {**of.head(()), "variable": str(of.variable), "integrand": f, "low": low, "high": high}
    slots |= {"cuts": [*map(from_sympy, cuts)], "pieces": [*map(from_sympy, functions)]}
    values = [shown(fact)["value"] for fact in facts if fact]
    slots |= {"values": values, "value": ("+", ZERO, *values)}
    return _proof(PIECES, slots, {f"integral {k}": fact for k, fact in enumerate(facts, 1) if fact}, decide)


def _filled(name: str, value: Any) -> Any:
    return str(value) if name == "variable" else end_term(value)


def _from(
    of: Compared, values: dict[Any, Certificate], facts: list[Certificate]
) -> tuple[str, Json, dict[str, Certificate]]:
    known, steps = endless.slots_and_steps(values, facts)
    return KNOWN, {**of.slots, **of.sides, **known}, steps


def _by_comparison(of: Compared, decide: Decide) -> Way:
    """Integrands are compared where all of the integrals have the same ends."""
    ends_of = {(node.low, node.high) for node in of.nodes.values()}
    if len(ends_of) != 1 or not all(e.is_finite is not False for e in next(iter(ends_of))):
        return
    linear = _weights(of)
    if linear is not None and linear[0]:
        yield from _linear(of, *linear, decide)
    facts: list[Certificate] = []
    for larger, smaller in permutations(of.nodes, 2):
        for sign in (1, -1):
            if len(facts) < MOST_FACTS:
                fact = _fact(of, {larger: sp.S.One, smaller: sp.Integer(-sign)}, sp.S.Zero, ">=", decide)
                facts += [fact] if fact is not None else []
    if facts:
        yield _from(of, {}, facts)


def _weights(of: Compared) -> tuple[dict[Any, Any], Any] | None:
    """The difference of the sides as a weighted sum of the integrals and a rest, if it is one."""
    gap = sp.expand(evaluated(of.left - of.right))
    weights = {letter: gap.coeff(letter, 1) for letter in of.nodes}
    rest = sp.expand(gap - sum(w * letter for letter, w in weights.items()))
    if rest.has(*of.nodes) or any(w.has(*of.nodes) for w in weights.values()):
        return None
    return {letter: w for letter, w in weights.items() if w != 0}, rest


def _linear(of: Compared, weights: dict[Any, Any], rest: Any, decide: Decide) -> Way:
    """The rest is spread evenly over the interval, or is the integral of its slope up to an end."""
    (low, high) = next((node.low, node.high) for node in of.nodes.values())
    constant = sp.cancel(rest / (high - low)) if high != low else sp.S.Zero
    if rest == 0 or constant.is_number:
        fact = _fact(of, weights, constant, of.relation, decide)
        if fact is not None:
            yield _from(of, {}, [fact])
        return
    for end in (high, low):
        if isinstance(end, sp.Symbol) and not any(w.has(end) for w in weights.values()):
            yield from _with_slope(of, weights, rest, end, decide)


def _with_slope(of: Compared, weights: dict[Any, Any], rest: Any, end: Any, decide: Decide) -> Way:
    """The rest is its value at the other end, and the integral of its slope, which joins the table."""
    (low, high) = next((node.low, node.high) for node in of.nodes.values())
    if any(node.integrand.has(end) for node in of.nodes.values()):
        return
    x = of.variable
    primitive = rest.subs(end, x)
    sign = 1 if end == high else -1
    taken = {str(s) for e in (of.left, of.right, x) for s in e.free_symbols} | of.slots["symbols"].keys()
    letter = sp.Symbol(letters(taken, 1)[0], real=True)
    node = Single(sign * sp.diff(primitive, x), x, low, high)
    wider = Compared(of.relation, of.left, of.right, {**of.nodes, letter: node}, x, of.assuming)
    value = value_of(wider, letter, decide, sign * primitive)
    if value is None:
        return
    for order in dict.fromkeys((">=", of.relation)):
        fact = _fact(wider, {**weights, letter: sp.S.One}, sp.S.Zero, order, decide)
        if fact is not None:
            yield _from(wider, {letter: value}, [fact])


def _fact(of: Compared, weights: dict[Any, Any], constant: Any, order: str, decide: Decide) -> Certificate | None:
    """That a weighted sum of some integrals, and a constant times the width, has a sign."""
    names = {str(letter) for letter in weights}
    slots = {**of.slots, **of.head(weights), "relation": order, "constant": from_sympy(constant)}
    slots["integrals"] = {name: entry for name, entry in slots["integrals"].items() if name in names}
    slots["weights"] = {str(letter): from_sympy(w) for letter, w in weights.items()}
    slots["low"], slots["high"] = next(iter(slots["integrals"].values()))[1:]
    return _proof(PARTS, slots, {}, decide)

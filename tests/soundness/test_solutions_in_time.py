"""A solution solves its flow on an interval that contains the start, and hypotheses say nothing of time."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from drawn import drawn
from each import each
from recheck.corrupt import taken
from soundness.judged import judged, refusal

from derivations import prove
from derivations.audit.ledger import plain
from derivations.prove import Certificate, NotExact
from derivations.prove.dispatch import settled
from derivations.prove.flows import solutions
from derivations.prove.rules import by_one_of
from derivations.prove.schemas.table import as_stated
from derivations.prove.sign.hunt import first_failure
from derivations.recheck import Rejected, check
from derivations.recheck.core.load import normal
from derivations.recheck.core.table.by import what_defines
from derivations.recheck.powers import require_positive_bases

FAMILIES = Cases(__file__, globals())
LIES = drawn(150)  # of each certificate, that are tried

x, y, t, r = sp.symbols("x y t r", real=True)
a, b = sp.symbols("a b", positive=True)
s = sp.Symbol("s", nonnegative=True)


@each("power", [2, 3, 5])
@each("tie", FAMILIES["hypotheses that speak of what moves are refused"])
def test_hypotheses_that_speak_of_what_moves_are_refused(power: int, tie: Any) -> None:
    for rate in (2 * t ** (2 * power - 1), power * t ** (power - 1)):
        claim = {x: rate}, {x: t**power}, {x: 0}, t
        assert "what moves" in refusal(lambda claim=claim: prove.solves(*claim, assuming=[tie]), NotExact)


def step(at: Any) -> Any:
    """-1 before a time and 1 after it."""
    return sp.sqrt((t - at) ** 2) / (t - at)


BREAKS = [1, sp.Rational(1, 3), 5, sp.Rational(99, 7), a]


@each("at", BREAKS)
def test_a_solution_does_not_jump(at: Any) -> None:
    for flow, solution, start in (
        ({x: 0}, step(at), -1),
        ({x: 1}, t + 1 + step(at), 0),
        ({x: y - y}, r * step(at), -r),
    ):
        claim = {x: sp.sympify(flow[x])}, {x: solution}, {x: start}, t
        assert judged(prove.solves(*claim)) in ("refuted", "open")
        assert judged(prove.solves(*claim, until=2 * at)) in ("refuted", "open")
        assert judged(prove.solves(*claim, until=at)) == "proved"
        assert judged(prove.solves(*claim, while_defined=True)) == "proved"


@each("at", BREAKS)
def test_a_solution_that_blows_up_names_its_interval(at: Any) -> None:
    for power in (1, 2, 3):
        solution = (at - t) ** -sp.Rational(1, power)
        claim = {x: x ** (power + 1) / power}, {x: solution}, {x: solution.subs(t, 0)}, t
        assert judged(prove.solves(*claim)) in ("refuted", "open")
        assert judged(prove.solves(*claim, until=at)) == "proved"
        assert judged(prove.solves(*claim, while_defined=True)) == "proved"


SPEAKING = FAMILIES["speaking"]


@each(("flow", "solution", "start"), SPEAKING)
def test_solutions_and_starts_are_made_of_time_and_constants(flow: Any, solution: Any, start: Any) -> None:
    tables = [{k: sp.sympify(e) for k, e in table.items()} for table in (flow, solution, start)]
    assert "must" in refusal(lambda: prove.solves(*tables, t), NotExact)


FOREVER = FAMILIES["forever"]


@pytest.mark.drawn
@each("name", [*FOREVER])
def test_denominators_roots_and_logarithms_keep_their_signs_for_all_times(name: str) -> None:
    flow, solution, start = FOREVER[name]
    constants = {"logistic": [r > 0, r < b], "logistic, any rate": [a < b]}.get(name, [])
    proof = prove.solves(flow, solution, start, t, assuming=constants)
    assert judged(proof) == "proved"
    assert taken(plain(proof), random.Random(name), LIES) == []


def test_a_solution_refuted_beyond_its_domain_is_not_refuted_on_it() -> None:
    """sqrt((t - 1)^2) + t - 1 is 0 up to time 1 only, where its root has no derivative: nothing behind counts."""
    bent = sp.sqrt((t - 1) ** 2) + t - 1
    claim = {x: sp.Integer(0)}, {x: bent}, {x: 0}, t
    assert judged(prove.solves(*claim)) == "refuted"
    assert judged(prove.solves(*claim, until=1)) == "proved"
    assert judged(prove.solves(*claim, until=2)) == "refuted"
    assert judged(prove.solves(*claim, while_defined=True)) == "open"
    late = plain(prove.solves(*claim))
    late["statement"]["interval"] = {"kind": "while defined"}
    with pytest.raises(Rejected, match="is one of"):
        check(late)


def growing_for(rate: Any) -> Certificate:
    """x' = rate x with the wrong exponent, refuted wherever its interval reaches."""
    return prove.solves({x: rate * x}, {x: sp.exp(rate * t) / (5 - t)}, {x: sp.Rational(1, 5)}, t, while_defined=True)


def test_what_never_falls_does_so_for_all_constants_of_the_statement() -> None:
    """1 + r^2 t never falls; multiplied by an exponential of sqrt(r) t, that would be known for r >= 0 alone."""
    base = ("+", ("q", "1"), ("*", ("^", ("s", "r"), ("q", "2")), ("s", "t")))
    needed = {"kind": "sign", "symbols": {"r": [], "t": ["nonnegative"]}, "assuming": [], "relation": ">"}
    needed |= {"left": base, "right": ("q", "0")}
    strange = [("^", ("s", "r"), ("q", "1/2")), ("log", ("s", "r")), ("^", ("s", "r"), ("q", "-1"))]
    shown = by_one_of(solutions.rising(needed, "t", [("q", "0")]), needed, settled)
    assert shown is not None
    check(plain(shown))
    for exponent in strange:
        ways = solutions.rising(needed, "t", [("*", exponent, ("s", "t"))])
        assert by_one_of(ways, needed, settled) is None


@each("interval", ["forever", "while defined"])
def test_a_power_of_zero_does_not_hide_the_slope_beside_it(interval: str) -> None:
    """For c = 0 the solution would be 1 + 5 t of x' = 0, where the derivative of (c t)^0 has no value."""
    c, moment, five = ("s", "c"), ("s", "t"), ("q", "5")
    hidden = ("^", ("*", c, moment), ("q", "0"))
    claim = {
        "kind": "solves", "symbols": {"c": [], "t": ["nonnegative"], "x": []}, "time": "t",
        "assuming": [("=", ("*", c, ("+", c, ("q", "-1"))), ("q", "0"))], "flow": {"x": ("*", five, c)},
        "solution": {"x": ("+", hidden, ("*", five, moment))}, "start": {"x": ("q", "1")},
        "interval": {"kind": interval},
    }  # fmt: skip
    assert judged(prove.decide(claim)) == "open"
    for named in (hidden, ("at", ("^", ("s", "y"), ("q", "0")), (("y", ("*", c, moment)),))):
        forged = {**claim, "solution": {"x": ("+", named, ("*", five, moment))}}
        evidence = {"needs": {}, "inhabited": {}}
        with pytest.raises(Rejected, match=r"needed are the steps|holds a derivative"):
            check({"statement": forged, "verdict": "proved", "method": "residual and start", "payload": evidence})


@each("c", ["-1", "0", "2"])
def test_what_ends_must_have_begun(c: str) -> None:
    """log(1 - t) + log(c) ends at time 1, which refutes a solution for a c for which it has a value at the start."""
    lost, start = sp.log(1 - t) + sp.log(r), {x: sp.log(r)}
    proof = prove.solves({x: -1 / (1 - t)}, {x: lost}, start, t)
    assert judged(proof) == "refuted"
    contrary = as_stated(what_defines(normal(proof.statement))[1]["value 1"])
    found = first_failure(contrary, [{"r": Fraction(c), "t": Fraction(2)}])
    assert found is not None
    evidence = {"refutation": found.as_json(), "witness": found.witness}
    forged = json.loads(json.dumps(proof.as_json() | {"payload": evidence}))
    if c == "2":
        check(forged)
    else:
        with pytest.raises(Rejected, match="no value"):
            check(forged)


def test_a_residual_that_vanishes_at_the_start_alone_is_refuted_by_its_rates() -> None:
    u, t = sp.symbols("u t", real=True)
    for wrong in (1 + sp.sinh(t), sp.cosh(t) + sp.sinh(2 * t) / 2):
        found = prove.solves({u: u}, {u: wrong}, {u: 1}, t, while_defined=True)
        assert found.verdict is prove.Verdict.REFUTED
        assert check(plain(found))
    true = prove.solves({u: u}, {u: sp.exp(t)}, {u: 1}, t, while_defined=True)
    assert true.verdict is prove.Verdict.PROVED
    data = plain(found)
    for role in ("first rate", "second rate", "third rate", "residual", "start"):
        method = f"the {role} of u at an exact point"
        if method != data["method"]:
            with pytest.raises(Rejected):
                check({**data, "method": method})


def test_a_base_of_constants_is_declared_positive_in_a_solution_too() -> None:
    made = normal(plain(prove.solves({x: -x}, {x: a**y * sp.exp(-s)}, {}, s))["statement"])
    require_positive_bases(made)
    with pytest.raises(Rejected, match="is not positive"):
        require_positive_bases(made | {"symbols": made["symbols"] | {"a": ()}})


def test_the_method_names_the_part_that_is_refuted() -> None:
    u, v = sp.symbols("u v", real=True)
    t = sp.Symbol("t", nonnegative=True)
    data = plain(prove.solves({u: -u, v: -v}, {u: sp.exp(-t), v: sp.exp(-2 * t)}, {u: 1, v: 1}, t))
    assert (data["verdict"], data["method"]) == ("refuted", "the residual of v at an exact point")
    check(data)
    for role in ("residual of u", "start of v", "first rate of v", "value 1"):
        with pytest.raises(Rejected, match=r"shows another statement|what fails at an exact point"):
            check(data | {"method": f"the {role} at an exact point"})


def test_an_interval_that_ends_before_it_begins_refutes_nothing() -> None:
    """sqrt(r^2) starts as r does wherever there is a time before r."""
    claim = {x: sp.Integer(0)}, {x: sp.sqrt(r**2)}, {x: r}, t
    assert judged(prove.solves(*claim, until=r)) == "open"
    assert judged(prove.solves(*claim, until=r, assuming=[r > 0])) == "proved"
    refuted = prove.solves(*claim)
    assert judged(refuted) == "refuted"
    forged = plain(refuted)
    forged["statement"]["interval"] = {"kind": "until", "end": ["s", "r"]}
    with pytest.raises(Rejected, match="shows another statement"):
        check(forged)


test_statements_have_their_verdicts = FAMILIES.verdicts()

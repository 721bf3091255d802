"""Theorems as schemas: what they conclude, and that nothing follows where one hypothesis is broken."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
import sympy as sp
from engine import motion_uses
from engine.reference import accepted

from derivations import prove
from derivations.language import show
from derivations.prove import Certificate, Verdict
from derivations.prove.schemas.table import SlotError
from derivations.prove.schemas.use import setting_of, slots_of
from derivations.prove.stating import from_sympy, hypotheses
from derivations.recheck import Rejected, check
from derivations.recheck.core.load import normal
from derivations.recheck.core.slots import about_matrices
from derivations.recheck.core.table.by import needs_and_conclusion
from derivations.recheck.core.theorems import theorems

x, y = sp.symbols("x y", real=True)
a, b, t = sp.symbols("a b t", positive=True)
clock = sp.Symbol("t", nonnegative=True)

I1, I2, I3, R1 = sp.symbols("I_1 I_2 I_3 R_1", real=True)


def half_of_a_wedge(sign: int, low: Any, high: Any) -> Certificate:
    slots = {"integrand": sign * x, "antiderivative": sign * x**2 / 2, "low": low, "high": high, "value": a**2 / 2}
    return prove.by("integral by an antiderivative", variable=x, **slots)


BELOW_ITS_WIDTH: dict[str, Any] = {
    "variable": x, "integrals": {I1: (sp.exp(-x**2), 0, a)}, "relation": ">=", "weights": {I1: -1}, "constant": 1,
    "low": 0, "high": a,
}  # fmt: skip


def decaying(sign: int) -> Certificate:
    f = sign * sp.exp(-a * x)
    slots = {"integrand": f, "antiderivative": -f / a, "low_limit": -sign / a, "high_limit": 0, "value": sign / a}
    return prove.by("improper integral by an antiderivative", variable=x, low=0, high=sp.oo, **slots)


def below_its_width(letter: Any, low: Any, high: Any) -> Certificate:
    table = {letter: (sp.exp(-(x**2)), low, high)}
    slots = {"integrals": table, "relation": ">=", "weights": {letter: -1}, "constant": 1, "low": low, "high": high}
    return prove.by("integral of an inequality", variable=x, **slots)


HALVES = [below_its_width(I2, 0, a), below_its_width(I3, a, 2 * a)]
FACT = prove.by("integral of an inequality", **BELOW_ITS_WIDTH)
SOLVED = prove.solves({x: -b * x}, {x: y * sp.exp(-b * clock)}, {x: y}, clock)
USES: dict[str, dict[str, Any]] = {
    "integral by an antiderivative": {
        "integrand": 2 * a * x, "antiderivative": a * x**2, "variable": x, "low": 0, "high": b,
        "value": a * b**2,
    },
    "integral by an antiderivative on the line": {
        "integrand": 2 * a * x, "antiderivative": a * x**2, "variable": x, "low": y, "high": b,
        "value": a * (b**2 - y**2),
    },
    "improper integral by an antiderivative": {
        "integrand": sp.exp(-a * x), "antiderivative": -sp.exp(-a * x) / a, "variable": x, "low": 0,
        "high": sp.oo, "low_limit": -1 / a, "high_limit": 0, "value": 1 / a,
    },
    "integral in pieces": {
        "integrand": sp.Abs(x), "variable": x, "low": -a, "high": a, "cuts": [0], "pieces": [-x, x],
        "values": [a**2 / 2, a**2 / 2], "value": a**2,
        "steps": {"integral 1": half_of_a_wedge(-1, -a, 0), "integral 2": half_of_a_wedge(1, 0, a)},
    },
    "integral of an inequality": BELOW_ITS_WIDTH,
    "integrals by what is known of them": {
        "variable": x, "integrals": {I1: (sp.exp(-x**2), 0, a)}, "relation": ">", "left": 2 * a, "right": I1,
        "values": {}, "facts": [FACT], "steps": {"fact 1": FACT},
    },
    "integral between two others": {
        "variable": x, "integrals": {I1: (sp.exp(-a * x) / (1 + x), 0, sp.oo)}, "relation": ">=", "side": "above",
        "below": -sp.exp(-a * x), "above": sp.exp(-a * x), "low_integral": -1 / a, "high_integral": 1 / a,
        "bound": 2 / a,
        "steps": {
            "integral above": decaying(1),
            "integral below": decaying(-1),
        },
    },
    "integral cut in two": {
        "variable": x,
        "integrals": {I1: (sp.exp(-x**2), 0, 2 * a), I2: (sp.exp(-x**2), 0, a), I3: (sp.exp(-x**2), a, 2 * a)},
        "relation": "=", "whole": "I_1", "first": "I_2", "second": "I_3", "values": {},
        "facts": HALVES, "steps": {"fact 1": HALVES[0], "fact 2": HALVES[1]},
    },
    "integrals in balls": {
        "variable": x, "integrals": {I1: (sp.exp(-a * x**2), 0, 1)}, "relation": ">", "left": I1,
        "right": sp.Rational(37, 50), "box": {a: (sp.Rational(1, 2), 1)}, "upper": "5",
    },
    "differentiation under the integral": {
        "variable": x, "integrals": {I1: (-x * sp.exp(-a * x), 0, 1), I2: (sp.exp(-a * x), 0, 1)}, "relation": ">",
        "rate": R1, "of": I2, "parameter": a, "slope": I1, "stated_left": sp.Integer(0), "stated_right": R1,
        "left": sp.Integer(0), "right": I1,
        "steps": {"goal": prove.inequality(sp.Lt(sp.Integral(-x * sp.exp(-a * x), (x, 0, 1)), 0, evaluate=False))},
    },
    "conserved quantity": {
        "flow": {x: y, y: -x}, "quantity": x**2 + y**2, "start": {x: a, y: 0}, "left": y**2, "right": a**2 - x**2
    },
    "angles of a right triangle": {"leg": a, "other": 1, "longest": sp.sqrt(1 + a**2)},
    "zeros of a sum of exponentials": {
        "coefficients": [a, x, -b], "exponents": [2, 1, 0], "signs": "+?-", "begins": "+", "variable": t
    },
    "sum of independent Gaussians": {
        "weights": [2, -1], "means": [x, y], "variances": [a, b], "mean": 2 * x - y, "variance": 4 * a + b
    },
    **motion_uses.USES,
}  # fmt: skip
IN_THE_BOX = [a >= sp.Rational(1, 2), a <= 1]
SUPPOSING: dict[str, list[Any]] = {
    "zeros of a sum of exponentials": [a + x > b],
    "integrals in balls": IN_THE_BOX,
}
CONCLUSIONS = {
    **motion_uses.CONCLUSIONS,
}

# Slots in which one hypothesis is broken, each a false or an unfounded conclusion.
BROKEN: list[tuple[str, dict[str, Any]]] = [
    ("integral by an antiderivative", {"value": a * b}),
    ("integral by an antiderivative", {"integrand": a * x}),
    (
        "integral by an antiderivative",
        {"integrand": 1 / x**2, "antiderivative": -1 / x, "low": -1, "value": -1 - 1 / b},
    ),
    (
        "integral by an antiderivative on the line",
        {"integrand": 1 / x**2, "antiderivative": -1 / x, "low": 1, "value": 1 - 1 / b},
    ),
    ("improper integral by an antiderivative", {"high_limit": 1}),
    ("improper integral by an antiderivative", {"high": b}),
    ("improper integral by an antiderivative", {"low_limit": 1 / a}),
    ("improper integral by an antiderivative", {"antiderivative": sp.exp(-a * x) / a}),
    ("improper integral by an antiderivative", {"value": 2 / a}),
    ("improper integral by an antiderivative", {"low": -sp.oo}),
    ("conserved quantity", {"flow": {x: y, y: x}}),
    ("conserved quantity", {"left": y**2, "right": a**2}),
    ("integral in pieces", {"integrand": 2 * sp.Abs(x)}),
    ("integral in pieces", {"value": 2 * a**2}),
    ("integral of an inequality", {"constant": 0}),
    ("integral of an inequality", {"constant": sp.Rational(9, 10), "relation": ">"}),
    ("integral of an inequality", {"integrals": {I1: (1 / (x - 1), 0, a)}}),
    ("integral of an inequality", {"relation": "="}),
    ("integral between two others", {"bound": 1 / (2 * a)}),
    ("integral between two others", {"integrals": {I1: (2 * sp.exp(-a * x), 0, sp.oo)}}),
    ("integral between two others", {"integrals": {I1: (-2 * sp.exp(-a * x), 0, sp.oo)}}),
    ("integral between two others", {"integrals": {I1: (sp.exp(-a * x) / (x - 1) ** 2, 0, sp.oo)}}),
    ("integral between two others", {"side": "below", "bound": a}),
    ("integrals by what is known of them", {"left": a / 2}),
    ("integrals by what is known of them", {"left": a}),
    ("integrals by what is known of them", {"relation": "="}),
    ("integrals in balls", {"right": sp.Rational(3, 4)}),
    ("integrals in balls", {"box": {a: (sp.Rational(3, 4), 1)}}),
    ("integrals in balls", {"integrals": {I1: (1 / (x - a), 0, 1)}}),
    ("differentiation under the integral", {"stated_right": 1 + R1}),
    (
        "differentiation under the integral",
        {"integrals": {I1: (-x * sp.exp(-a * x), 0, 1), I2: (sp.exp(-2 * a * x), 0, 1)}},
    ),
    ("conserved quantity", {"quantity": sp.sqrt(x**2) / x, "left": sp.sqrt(x**2) / x, "right": sp.Integer(1)}),
    ("angles of a right triangle", {"longest": 1 + a}),
    ("angles of a right triangle", {"leg": x, "longest": sp.sqrt(1 + x**2)}),
    ("angles of a right triangle", {"longest": -sp.sqrt(1 + a**2)}),
    ("zeros of a sum of exponentials", {"exponents": [1, 2, 0]}),
    ("zeros of a sum of exponentials", {"exponents": [2, 2, 0]}),
    ("zeros of a sum of exponentials", {"signs": "-?-", "begins": "+"}),
    ("zeros of a sum of exponentials", {"begins": "-"}),
    ("sum of independent Gaussians", {"mean": 2 * x + y}),
    ("sum of independent Gaussians", {"variance": 2 * a + b}),
    ("sum of independent Gaussians", {"variances": [a, -b], "variance": 4 * a - b}),
    *motion_uses.BROKEN,
]

TWO_OF_THEM = prove.solves({x: sp.sqrt(x)}, {x: clock**2 / 4}, {x: 0}, clock)
"""x = 0 solves it too."""
REFUSED: list[tuple[str, dict[str, Any], list[Any]]] = [
    ("integral by an antiderivative", {"high": x}, []),
    ("integral by an antiderivative on the line", {"high": x}, []),
    ("integral by an antiderivative", {"high": -b}, []),
    ("integral by an antiderivative", {}, [x > 1]),
    ("improper integral by an antiderivative", {"low": sp.oo}, []),
    ("improper integral by an antiderivative", {"high": -sp.oo}, []),
    ("improper integral by an antiderivative", {"low_limit": x}, []),
    ("integral in pieces", {"cuts": [0, 1]}, []),
    ("integral in pieces", {"value": x}, []),
    ("integral of an inequality", {"relation": "<"}, []),
    ("integral of an inequality", {"integrals": {I1: (sp.exp(-(x**2)), 0, -a)}}, []),
    ("integral of an inequality", {"constant": x}, []),
    ("integral of an inequality", {"weights": {I1: I1}}, []),
    ("integral of an inequality", {}, [x > 0]),
    ("integrals by what is known of them", {"facts": [y > 0]}, []),
    ("integrals by what is known of them", {"values": {x: 1}}, []),
    ("integrals by what is known of them", {"left": x}, []),
    ("integrals by what is known of them", {}, [a > 1]),
    ("integrals by what is known of them", {"integrals": {I1: (sp.exp(-(x**2)), 0, 2 * a)}}, []),
    ("integrals by what is known of them", {"integrals": {I1: (sp.exp(-(x**2)), 0, a), I2: (x, 0, 1)}, "left": I2}, []),
    ("integral between two others", {"relation": ">"}, []),
    ("integral between two others", {"side": "left"}, []),
    ("integral between two others", {"bound": x}, []),
    ("integral cut in two", {"second": "I_2"}, []),
    ("integral cut in two", {"facts": HALVES[:1]}, []),
    ("integral cut in two", {"whole": "I_2"}, []),
    ("integral cut in two", {"first": "I_3", "second": "I_2"}, []),
    ("integral cut in two", {"relation": ">="}, []),
    ("integrals in balls", {"relation": "="}, []),
    ("integrals in balls", {"left": x}, []),
    ("differentiation under the integral", {"slope": R1}, []),
    ("differentiation under the integral", {"parameter": x}, []),
    ("differentiation under the integral", {"rate": a}, []),
    ("differentiation under the integral", {"rate": I2}, []),
    (
        "differentiation under the integral",
        {"integrals": {I1: (-x * sp.exp(-a * x), 0, 2), I2: (sp.exp(-a * x), 0, 1)}},
        [],
    ),
    ("differentiation under the integral", {"integrals": dict.fromkeys((I1, I2), (sp.exp(-a * x), 0, sp.oo))}, []),
    ("differentiation under the integral", {"left": R1}, []),
    ("conserved quantity", {"start": {x: y, y: 0}}, []),
    ("conserved quantity", {"left": sp.Derivative(x, a), "right": 0}, []),
    ("conserved quantity", {}, [sp.Derivative(x, b) >= 0]),
    ("integrals by what is known of them", {"left": sp.Derivative(I1, a)}, []),
    ("integrals in balls", {"left": I1 + sp.Derivative(I1, a)}, []),
    ("zeros of a sum of exponentials", {"variable": x}, []),
    ("zeros of a sum of exponentials", {"signs": "??-"}, []),
    ("zeros of a sum of exponentials", {"signs": "+++", "begins": "-"}, []),
    ("sum of independent Gaussians", {"weights": [1]}, []),
    *motion_uses.REFUSED,
    *((name, changed, []) for name, changed in motion_uses.POINTLESS),
]


def used(name: str, changed: dict[str, Any] | None = None, assuming: list[Any] | None = None) -> Certificate:
    return prove.by(name, **USES[name] | (changed or {}), assuming=[*SUPPOSING.get(name, []), *(assuming or [])])


def test_every_theorem_says_what_it_is_and_where_its_proof_stands() -> None:
    assert set(USES) == {name for name, theorem in theorems().items() if not about_matrices(theorem.letters)}
    for theorem in theorems().values():
        assert theorem.text("says").endswith(".")
        assert theorem.text("conditions").endswith(".")
        assert theorem.text("citation")


@pytest.mark.parametrize("name", sorted(USES))
def test_a_theorem_concludes_what_its_slots_say(name: str) -> None:
    made = accepted(used(name))
    verdict = Verdict.CERTIFIED if name == "integrals in balls" else Verdict.PROVED
    assert (made.verdict, made.method, made.reason) == (verdict, f"by {name}", "")
    said = show.sentences(made.statement)
    assert said == [CONCLUSIONS.get(name, said[0])]
    assert all(step["verdict"] in ("proved", verdict.value) for step in made.payload["steps"].values())


@pytest.mark.parametrize(("name", "changed", "assuming"), motion_uses.HOLDING)
def test_a_theorem_about_motion_holds_for_other_slots(name: str, changed: dict[str, Any], assuming: list[Any]) -> None:
    assert accepted(used(name, changed, assuming)).verdict is Verdict.PROVED


@pytest.mark.parametrize(("name", "changed"), BROKEN)
def test_nothing_follows_where_one_hypothesis_is_broken(name: str, changed: dict[str, Any]) -> None:
    made = accepted(used(name, changed))
    decisive = theorems()[name].written.get("decides")
    if made.verdict is Verdict.REFUTED:
        assert decisive in changed
    else:
        assert made.verdict is Verdict.OPEN
        assert "its step '" in made.reason
    with pytest.raises(Rejected):
        check({**as_data(made), "verdict": "proved", "method": f"by {name}"})


@pytest.mark.parametrize(("name", "changed", "assuming"), REFUSED)
def test_slots_that_do_not_fit_are_refused(name: str, changed: dict[str, Any], assuming: list[Any]) -> None:
    with pytest.raises((SlotError, prove.Unsatisfiable)):
        used(name, changed, assuming)


@pytest.mark.parametrize(("name", "changed", "assuming"), motion_uses.REFUSED)
def test_the_checker_refuses_the_same_slots_by_itself(name: str, changed: dict[str, Any], assuming: list[Any]) -> None:
    given = USES[name] | changed
    setting = setting_of(name, theorems()[name], given, assuming, hypotheses)
    slots = normal(as_data_of(slots_of(theorems()[name], given, setting, from_sympy)))
    with pytest.raises(Rejected):
        by_the_checker(name, slots)


def by_the_checker(name: str, slots: Any) -> None:
    needs_and_conclusion(name, slots)


def test_a_step_that_shows_something_else_is_refused() -> None:
    with pytest.raises(SlotError, match="another statement"):
        prove.by("linear stability on a line", **USES["linear stability on a line"], steps={"slope": prove.positive(a)})
    with pytest.raises(SlotError, match="has no step 'hope'"):
        prove.by("linear stability on a line", **USES["linear stability on a line"], steps={"hope": prove.positive(a)})
    with pytest.raises(SlotError, match="no theorem is called"):
        prove.by("wishful thinking", function=x)
    with pytest.raises(SlotError, match="has the slots"):
        prove.by("linear stability on a line", flow={x: -x})


def as_data_of(data: Any) -> Any:
    return json.loads(json.dumps(data))


def as_data(certificate: Certificate) -> Any:
    return as_data_of(certificate.as_json())


@pytest.mark.parametrize("name", sorted(USES))
def test_a_changed_certificate_of_a_theorem_is_rejected(name: str) -> None:
    data = as_data(used(name))
    tried = 0
    for broken in changes(data, name):
        tried += 1
        with pytest.raises(Rejected):
            check(broken)
    assert tried >= 6


def changes(data: Any, name: str) -> Any:
    """Certificates in which a slot, the conclusion, a step or the name is another one."""
    others = [other for other in USES if other != name]
    for other in (others[0], "wishful thinking"):
        broken = copy.deepcopy(data)
        broken["statement"]["schema"], broken["method"] = other, f"by {other}"
        yield broken
    for slot in theorems()[name].letters:
        for value in altered(data["statement"]["slots"][slot]):
            broken = copy.deepcopy(data)
            broken["statement"]["slots"][slot] = value
            yield broken
    for key in data["statement"]["concludes"]:
        broken = copy.deepcopy(data)
        broken["statement"]["concludes"][key] = "other"
        yield broken
    for role, step in data["payload"]["steps"].items():
        broken = copy.deepcopy(data)
        del broken["payload"]["steps"][role]
        yield broken
        broken = copy.deepcopy(data)
        broken["payload"]["steps"][role] = as_data(prove.identity(x, x))
        yield broken
        broken = copy.deepcopy(data)
        broken["payload"]["steps"][role] = {**step, "verdict": "open", "method": "none"}
        yield broken
    yield {**data, "method": "using faith"}
    yield {**data, "verdict": "certified" if data["verdict"] == "proved" else "proved"}
    yield {**data, "verdict": "refuted"}


def altered(value: Any) -> list[Any]:
    """Other things in the place of a slot's value."""
    if isinstance(value, dict):
        return [*([{}] if value else []), {**value, "stranger": ["q", "1"]}]
    if isinstance(value, str):
        return ["", "stranger"]
    return [[], ["q", "17"], None]


# --- what only looks like a theorem -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "forged",
    [
        {"kind": "chain", "says": "P = NP", "theorem": None, "needs": {"step": {"kind": "identity"}}},
        {"kind": "chain", "says": "it attracts", "theorem": "linear approximation", "needs": {}},
        {"kind": "contrary", "says": "2 + 2 = 4", "claim": {"kind": "identity"}},
    ],
)
def test_a_sentence_is_no_conclusion(forged: dict[str, Any]) -> None:
    step = as_data(prove.identity(x, x))
    for verdict in ("proved", "refuted"):
        payload = {"steps": {"step": step}, "contrary": step}
        with pytest.raises(Rejected, match="no statement is of the kind"):
            check({"statement": forged, "verdict": verdict, "method": "contrary", "payload": payload})
    assert not hasattr(prove, "chain")
    assert not hasattr(prove, "contrary")


def test_what_a_person_concludes_is_argued_and_never_proved() -> None:
    made = accepted(prove.argued("P = NP", step=prove.identity(x, x)))
    assert made.verdict is Verdict.ARGUED
    assert show.sentences(made.statement)[0] == "P = NP"
    for verdict in ("proved", "certified", "refuted"):
        with pytest.raises(Rejected):
            check({**as_data(made), "verdict": verdict})
    assert accepted(prove.argued("so", step=prove.identity(x, y))).verdict is Verdict.OPEN
    assert accepted(prove.every(made, prove.identity(x, x))).verdict is Verdict.ARGUED
    with pytest.raises(prove.Unsatisfiable):
        prove.argued("nothing")


def test_an_argued_step_proves_nothing() -> None:
    argued = prove.argued("the order of the ends", step=prove.positive(a))
    with pytest.raises(SlotError):
        prove.by("linear stability on a line", **USES["linear stability on a line"], steps={"slope": argued})

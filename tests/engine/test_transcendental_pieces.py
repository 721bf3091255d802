"""Inequalities on a range by pieces of it: touching families are certified, near misses and corruptions are not."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

from derivations import prove
from derivations.recheck import Rejected, check

x = sp.Symbol("x", real=True)
n = sp.Symbol("n", nonnegative=True)
sin, cos, tan, exp, log, tanh, cosh, pi = sp.sin, sp.cos, sp.tan, sp.exp, sp.log, sp.tanh, sp.cosh, sp.pi
QUARTER = [x >= 0, x <= pi / 2]

HOLD: dict[str, tuple[Any, list[Any]]] = {
    "chord of a cosine": (sp.Ge(cos(x), 1 - 2 * x / pi), QUARTER),
    "parabola above a cosine": (sp.Ge(1 - x**2 / pi, cos(x)), QUARTER),
    "two kinds of waves": (sp.Ge(sin(x), tanh(x)), QUARTER),
    "contact inside": (sp.Ge(1, cosh(x) * cos(x)), [x >= -pi / 2, x <= pi / 2]),
    "logarithm of a sine": (sp.Ge(sin(x), log(1 + sin(x))), [x >= 0, x <= pi]),
    "strictly": (sp.Gt(sin(x), x - x**3 / 6), [x > 0, x < 1]),
    "up to a pole": (sp.Ge(2 * sin(x) + tan(x), 3 * x), [x >= 0, x < pi / 2]),
    "contact of order five": (sp.Ge(tan(x), 3 * x / (3 - x**2)), [x >= 0, x < pi / 2]),
    "error function": (sp.Ge(sp.erf(n), n), [n <= sp.Rational(1, 2)]),
    "two waves": (sp.Gt(sin(x) + sin(2 * x) / 2, 0), [x > 0, x < pi]),
    "tangent below a fraction": (sp.Ge(pi**2 * x / (pi**2 - 4 * x**2), tan(x)), [x >= 0, x < pi / 2]),
    "no equality": (sp.Gt(3 - x**2, 0), QUARTER),
}
FAIL: dict[str, tuple[Any, list[Any]]] = {
    "chord too flat": (sp.Ge(cos(x), 1 - 3 * x / 5), QUARTER),
    "range too long": (sp.Ge(cos(x), 1 - 2 * x / pi), [x >= 0, x <= 2]),
    "strictly where they touch": (sp.Gt(sin(x), x - x**3 / 6), [x >= 0, x < 1]),
    "order too low": (sp.Ge(tan(x), 3 * x / (3 - sp.Rational(11, 10) * x**2)), [x >= 0, x < pi / 2]),
    "past a pole": (sp.Ge(tan(x), x), [x >= 0, x <= 3]),
    "no slope at an end": (sp.Ge(sp.sqrt(x), sp.Rational(11, 10) * x), [x >= 0, x <= 1]),
    "touched from the wrong side": (sp.Ge(sin(x), x), [x >= -1, x <= 1]),
}


@pytest.mark.parametrize("name", HOLD)
def test_what_holds_is_shown_and_its_certificate_accepted(name: str) -> None:
    found = prove.inequality(*HOLD[name])
    assert found.verdict.value in ("proved", "certified"), found.reason
    check(found.as_json())


@pytest.mark.parametrize("name", FAIL)
def test_a_near_miss_is_not_shown(name: str) -> None:
    found = prove.inequality(*FAIL[name])
    assert found.verdict.value in ("refuted", "open")
    check(found.as_json())


PIECES = ("chord of a cosine", "logarithm of a sine", "two waves", "tangent below a fraction")


def changes(pieces: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Lists of pieces that do not show what the pieces show."""
    found: list[list[dict[str, Any]]] = [pieces[1:], pieces[:-1], pieces[::-1], []] if len(pieces) > 1 else [[]]
    for k, piece in enumerate(pieces):
        false: list[dict[str, Any]] = [{"from": None}, {"to": None}, {"by": "rest"}, {"more": 1}, {"from": piece["to"]}]
        match piece["by"]:
            case "touching":
                order = piece["order"]
                false += [{"order": order - 1}, {"order": order + 1}, {"order": 0}, {"at": ("q", "1/3")}]
                false += [{"at": ("s", "x")}, {"sides": []}, {"sides": [-side for side in piece["sides"]][:1]}]
            case "rising":
                false += [{"side": -piece["side"]}, {"side": 0}, {"side": True}, {"uppers": piece["uppers"][1:]}]
                false += [{"uppers": [*piece["uppers"], "9"]}]
            case "balls":
                false += [{"upper": "1/1000"}]
        found += [[*pieces[:k], piece | change, *pieces[k + 1 :]] for change in false]
    return found


@pytest.mark.parametrize("name", PIECES)
def test_no_corruption_of_pieces_is_accepted(name: str) -> None:
    found = prove.inequality(*HOLD[name])
    assert found.method == "by Taylor on pieces"
    data, parts, parameters = found.as_json(), found.payload["parts"], found.payload["parameters"]
    others: list[dict[str, Any]] = [{"pieces": pieces} for pieces in changes(parameters["pieces"])]
    others += [{"low": None}, {"high": None}, {"low": ("q", "1/9")}, {"symbol": "y"}, {"more": 1}]
    others += [{"factor": ("q", "-1")}, {"function": ("exp", ("s", "x"))}, {"high": ("s", "x")}]
    broken = [data | {"payload": data["payload"] | {"parameters": parameters | change}} for change in others]
    broken += [data | {"payload": data["payload"] | {"parts": parts[:k] + parts[k + 1 :]}} for k in range(len(parts))]
    broken += [data | {"statement": found.statement | {"assuming": []}}, data | {"verdict": "proved"}]
    for each in broken:
        with pytest.raises(Rejected):
            check(each)


def test_a_piece_may_be_left_to_other_rules_but_not_forgotten() -> None:
    found = prove.inequality(*HOLD["chord of a cosine"])
    parameters = found.payload["parameters"]
    pieces = parameters["pieces"]
    rest = {"from": pieces[0]["from"], "to": pieces[0]["to"], "by": "rest"}
    data = found.as_json()
    with pytest.raises(Rejected):
        check(data | {"payload": data["payload"] | {"parameters": parameters | {"pieces": [rest, *pieces[1:]]}}})

"""Sines and cosines by half turns, alone and below slopes: true families, near misses, and corrupted proofs."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

from derivations import prove
from derivations.recheck import Rejected, check

x = sp.symbols("x", real=True)
n = sp.symbols("n", nonnegative=True)
sin, cos, tan, pi = sp.sin, sp.cos, sp.tan, sp.pi


def ge(left: Any, right: Any) -> Any:
    return sp.Ge(left, right, evaluate=False)


def gt(left: Any, right: Any) -> Any:
    return sp.Gt(left, right, evaluate=False)


HOLD: dict[str, tuple[Any, list[Any]]] = {
    "sine": (ge(sin(x), 0), [x >= 0, x <= pi]),
    "sine, strictly": (gt(sin(x), 0), [x > 0, x < pi]),
    "cosine": (gt(cos(x), 0), [x > -pi / 2, x < pi / 2]),
    "negative cosine": (ge(0, cos(x)), [x >= pi / 2, x <= pi]),
    "sine below its tangent": (ge(n, sin(n)), []),
    "sine, two terms": (ge(sin(n), n - n**3 / 6), []),
    "cosine, two terms": (ge(cos(x), 1 - x**2 / 2), []),
    "tangent": (ge(tan(x), x), [x >= 0, x < pi / 2]),
    "x cos x": (ge(sin(x), x * cos(x)), [x >= 0, x <= pi / 2]),
}
FAIL: dict[str, tuple[Any, list[Any]]] = {
    "sine past a half turn": (ge(sin(x), 0), [x >= 0, x <= pi + 1]),
    "sine, strictly up to its zero": (gt(sin(x), 0), [x >= 0, x < pi]),
    "cosine, too far": (ge(cos(x), 0), [x >= 0, x <= 2]),
    "sine, too much": (ge(sin(n), n - n**3 / 7), []),
    "tangent past its pole": (ge(tan(x), x), [x >= 0, x <= 3]),
}


@pytest.mark.parametrize("name", HOLD)
def test_what_holds_is_decided_and_its_certificate_accepted(name: str) -> None:
    found = prove.inequality(*HOLD[name])
    assert found.verdict.value == "proved", found.reason
    check(found.as_json())


@pytest.mark.parametrize("name", FAIL)
def test_a_near_miss_is_not_proved(name: str) -> None:
    found = prove.inequality(*FAIL[name])
    assert found.verdict.value in ("refuted", "open")
    check(found.as_json())


@pytest.mark.parametrize("name", ["sine", "sine, strictly", "cosine", "negative cosine"])
def test_no_corruption_of_half_turns_is_accepted(name: str) -> None:
    found = prove.inequality(*HOLD[name])
    assert found.method == "by half turns"
    data, parts, parameters = found.as_json(), found.payload["parts"], found.payload["parameters"]
    turn, angle = int(parameters["turn"][1]), parameters["wave"][1]
    changes: list[dict[str, Any]] = [
        *({"turn": ("q", str(turn + k))} for k in (1, 2, -1)),
        {"turn": ("q", "1/2")},
        {"turn": str(turn)},
        {"wave": ("cos" if parameters["wave"][0] == "sin" else "sin", angle)},
        {"wave": ("exp", angle)},
        {"factor": ("q", "-1")},
        {"more": 1},
    ]
    broken = [data | {"payload": data["payload"] | {"parameters": parameters | change}} for change in changes]
    broken += [data | {"payload": data["payload"] | {"parts": parts[:k] + parts[k + 1 :]}} for k in range(len(parts))]
    broken.append(data | {"statement": found.statement | {"assuming": []}})
    for each in broken:
        with pytest.raises(Rejected):
            check(each)

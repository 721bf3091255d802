"""Numbers and boxes by balls: what stays away from equality is certified, and no smaller box passes for the whole."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

from derivations import prove
from derivations.recheck import Rejected, check

x, y = sp.symbols("x y", real=True)


def greater(left: Any, right: Any) -> Any:
    return sp.Gt(left, right, evaluate=False)


HOLD: dict[str, tuple[Any, list[Any]]] = {
    "pi": (greater(sp.pi, 3), []),
    "e": (greater(3, sp.E), []),
    "logarithm of two": (greater(sp.Rational(7, 10), sp.log(2)), []),
    "e to the pi": (greater(sp.exp(sp.pi), sp.pi**sp.E), []),
    "one symbol": (greater(sp.exp(x), x**2 + sp.Rational(1, 2)), [x >= 1, x <= 2]),
    "two symbols": (greater(sp.exp(x + y), sp.sin(x * y)), [x >= 0, x <= 1, y >= 0, y <= 1]),
}
FAIL: dict[str, tuple[Any, list[Any]]] = {
    "pi": (greater(3, sp.pi), []),
    "one symbol": (greater(sp.exp(x), x**2 + sp.Rational(1, 2)), [x >= -2, x <= 2]),
    "a pole inside": (greater(3 * sp.exp(x), 1 / x), [x >= -1, x <= 1]),
}


@pytest.mark.parametrize("name", HOLD)
def test_what_stays_away_from_equality_is_decided(name: str) -> None:
    found = prove.inequality(*HOLD[name])
    assert found.verdict.value in ("certified", "proved"), found.reason
    check(found.as_json())


@pytest.mark.parametrize("name", FAIL)
def test_what_does_not_hold_is_not_certified(name: str) -> None:
    found = prove.inequality(*FAIL[name])
    assert found.verdict.value in ("refuted", "open")
    check(found.as_json())


def test_no_corruption_of_balls_is_accepted() -> None:
    found = prove.inequality(*HOLD["one symbol"])
    assert (found.method, found.verdict.value) == ("by balls", "certified")
    data, parts = found.as_json(), found.payload["parts"]
    parameters = found.payload["parameters"]

    def changed(**new: Any) -> dict[str, Any]:
        return data | {"payload": data["payload"] | {"parameters": parameters | new}}

    for broken in (
        changed(box={"x": ["1", "3/2"]}),
        changed(box={"x": ["2", "1"]}),
        changed(box={}),
        changed(box={"x": ["1", "2"], "y": ["0", "1"]}),
        changed(box={"x": ["one", "2"]}),
        changed(upper="1"),
        changed(lower="-1"),
        data | {"verdict": "proved"},
        data | {"payload": data["payload"] | {"parts": parts[1:]}},
        data | {"payload": data["payload"] | {"parts": parts[::-1]}},
        data | {"statement": found.statement | {"assuming": []}},
    ):
        with pytest.raises(Rejected):
            check(broken)

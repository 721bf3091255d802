"""False limits of every kind that a series, a side, a sign or an oscillation invites: none is proved."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from soundness.judged import judged

from derivations import prove
from derivations.text import DerivationError

x, b, c = sp.symbols("x b c", real=True)
e, d, a = sp.symbols("e d a", positive=True)
oo, pi, R = sp.oo, sp.pi, sp.Rational
sin, cos, exp, log, sqrt, asin, atan, erf, tanh = (
    sp.sin,
    sp.cos,
    sp.exp,
    sp.log,
    sp.sqrt,
    sp.asin,
    sp.atan,
    sp.erf,
    sp.tanh,
)


def nothing(term: Any) -> Any:
    """Zero, wherever the term has a value."""
    return sp.Add(term, -term, evaluate=False)


LIES: dict[str, tuple[Any, Any, Any, list[Any]]] = {
    # branch points
    "log at 0": (log(x), {x: 0}, oo, []),
    "log at 0 from the wrong side": (log(x), {x: (0, "-")}, -oo, []),
    "root at 0 from the wrong side": (sqrt(x), {x: (0, "-")}, 0, []),
    "root of a difference": (sqrt(e - d), [e, d], 1, []),
    "asin beyond 1": (asin(x), {x: 1}, pi / 2, []),
    "asin below -1": (asin(x), {x: (-1, "-")}, -pi / 2, []),
    "asin at 1, whole power": ((pi / 2 - asin(x)) / (1 - x), {x: (1, "-")}, 1, []),
    "asin at 1, coefficient": ((pi / 2 - asin(1 - e)) / sqrt(e), [e], 1, []),
    "asin at 1, second term": ((pi / 2 - asin(1 - e) - sqrt(2 * e)) / e ** R(3, 2), [e], sqrt(2) / 6, []),
    "asin at -1, sign": ((asin(e - 1) + pi / 2) / sqrt(e), [e], -sqrt(2), []),
    "acos at 1": (sp.acos(1 - e) / sqrt(e), [e], 1, []),
    "atan at infinity": (x * (pi / 2 - atan(x)), {x: oo}, -1, []),
    "atan at minus infinity": (atan(x), {x: -oo}, pi / 2, []),
    "atan, third order": (x**3 * (pi / 2 - atan(x) - 1 / x), {x: oo}, R(1, 3), []),
    "erf at minus infinity": (erf(x), {x: -oo}, 1, []),
    "erf tail": (x * exp(x**2) * (1 - erf(x)), {x: oo}, 1, []),
    "erf tail, second term": (x**2 * (sqrt(pi) * x * exp(x**2) * (1 - erf(x)) - 1), {x: oo}, R(1, 2), []),
    "tanh at minus infinity": (tanh(x), {x: -oo}, 1, []),
    "tanh tail": (exp(2 * x) * (1 - tanh(x)), {x: oo}, 1, []),
    "tan at pi/2": (sp.tan(x), {x: pi / 2}, oo, []),
    "a root's other branch": (sqrt(x**2) / x, {x: (0, "-")}, 1, []),
    "a cube root": ((1 + e) ** R(1, 3) / e - 1 / e, [e], R(1, 2), []),
    "lambert": (sp.LambertW(x), {x: 0}, 1, []),
    # sides
    "a step from below": (tanh(1 / x), {x: (0, "-")}, 1, []),
    "a step from above": (tanh(1 / x), {x: 0}, -1, []),
    "exp(1/x) from above": (exp(1 / x), {x: 0}, 0, []),
    "exp(1/x) from below": (exp(1 / x), {x: (0, "-")}, oo, []),
    "1/x from below": (1 / x, {x: (0, "-")}, oo, []),
    "|x|/x from below": (sp.Abs(x) / x, {x: (0, "-")}, 1, []),
    "a pole that changes sides": (1 / (x - 2), {x: (2, "-")}, oo, []),
    "sign at 0": (sp.sign(x), {x: 0}, 0, []),
    # oscillation
    "sin at infinity": (sin(x), {x: oo}, 0, []),
    "sin(1/x)": (sin(1 / x), {x: 0}, 0, []),
    "x sin x": (x * sin(x), {x: oo}, oo, []),
    "a wave and a shift": (x + x * sin(x), {x: oo}, oo, []),
    "a wave in a denominator": (1 / (2 + sin(x)), {x: oo}, R(1, 2), []),
    "a wave in an exponent": (exp(-x * (1 + sin(x))), {x: oo}, 0, []),
    "cos^2": (cos(x) ** 2, {x: oo}, R(1, 2), []),
    "a fast wave": (exp(x) * sin(exp(x)), {x: oo}, 0, []),
    "a wave that is damped too little": (sqrt(x) * sin(x) / log(x), {x: oo}, 0, []),
    # exceptional exponents
    "x^b at 0": (e**b, [e], 0, []),
    "x^b at infinity": (x**b, {x: oo}, oo, []),
    "log against x^b": (log(x) / x**b, {x: oo}, 0, []),
    "x^x": (e**e, [e], 0, []),
    "0^0 by x^(b x)": (e ** (b / log(e)), [e], 1, []),
    "compound interest": ((1 + b / x) ** x, {x: oo}, exp(b) + b**2, []),
    "a power's slope": (((1 + e) ** b - 1) / e, [e], 1, []),
    "two powers": (e**a / (e**a + e**d), [e], 1, []),
    # parameters without sign
    "exp(b x)": (exp(b * x), {x: oo}, 0, []),
    "exp(b x) for b >= 0": (exp(b * x), {x: oo}, oo, [b >= 0]),
    "softmax without order": (1 / (1 + exp(x * (b - c))), {x: oo}, 1, []),
    "b/(b + e)": (b / (b + e), [e], 1, []),
    "e/(b + e)": (e / (b + e), [e], 0, []),
    "root of a square": (sqrt(b**2 + e), [e], b, []),
    "root of b": (sqrt(b + e), [e], b, []),
    "pole of a sign": (b / e, [e], oo, []),
    "log of a quotient": (log((b + e) / (c + e)), [e], log(sp.Abs(b)) + log(sp.Abs(c)), []),
    "|b e|/e": (sp.Abs(b * e) / e, [e], b, []),
    "a zero that may be one": ((b * e + e**2) / e, [e], b + 1, []),
    # several variables
    "a ratio of two": (e / d, [e, d], 0, []),
    "a path": (e / (e + d), [e, d], R(1, 2), []),
    "a path with powers": (e * d / (e**2 + d**2), [e, d], 0, []),
    "no room": (e, [e], 1, [e > 1]),
    "a sum of reciprocals": (1 / e - 1 / d, [e, d], 0, []),
    # nothing near
    "no value near": (sp.Add(x, nothing(log(-(x**2))), evaluate=False), {x: 0}, 0, []),
    "no value for any b": (sp.Add(e, nothing(log(-(b**2))), evaluate=False), [e], 0, []),
    "a value from elsewhere": (sp.Add(sp.Abs(x - 1), nothing(asin(1 / x)), evaluate=False), {x: 0}, -1, []),
}  # fmt: skip
WITHOUT_REFUTATION = {"no value near", "no value for any b"}


def test_there_are_many() -> None:
    assert len(LIES) >= 60


@pytest.mark.parametrize("name", LIES)
def test_no_false_limit_is_proved(name: str) -> None:
    expression, to, claimed, assuming = LIES[name]
    try:
        found = judged(prove.limit(expression, to, claimed, assuming))
    except DerivationError:
        return
    assert found in ("open", "refuted")
    assert found == "open" or name not in WITHOUT_REFUTATION

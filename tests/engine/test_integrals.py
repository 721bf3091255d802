"""Integrals: known values are proved and rechecked, other values refuted, and divergent ones never proved."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

from derivations import prove
from derivations.recheck import Rejected, check

x, m = sp.symbols("x m", real=True)
t, a, s, k, T = sp.symbols("t a s k T", positive=True)
I, exp, oo, pi, R = sp.Integral, sp.exp, sp.oo, sp.pi, sp.Rational
bell = exp(-((x - m) ** 2) / (2 * s**2)) / (s * sp.sqrt(2 * pi))
standard = exp(-(x**2) / 2) / sp.sqrt(2 * pi)
line = (x, -oo, oo)

VALUES: dict[str, tuple[Any, Any]] = {
    "a power": (I(x**2, (x, 0, 1)), R(1, 3)),
    "a wave": (I(sp.sin(x) ** 2, (x, 0, pi)), pi / 2),
    "a decay": (I(t * exp(-a * t), (t, 0, oo)), 1 / a**2),
    "a damped wave": (I(exp(-t) * sp.cos(t), (t, 0, oo)), R(1, 2)),
    "a growth": (I(exp(k * t), (t, 0, T)), (exp(k * T) - 1) / k),
    "a Lorentzian": (I(1 / (1 + x**2), line), pi),
    "an open end": (I(sp.log(x), (x, 0, 1)), -1),
    "a root at the end": (I(1 / sp.sqrt(x), (x, 0, 1)), 2),
    "partial fractions": (I(1 / (x * (s - x)), (x, s / 4, s / 2)), sp.log(3) / s),
    "a Gaussian": (I(bell, line), 1),
    "its mean": (I(x * bell, line), m),
    "the fourth moment": (I(x**4 * standard, line), 3),
    "the eighth moment": (I(x**8 * standard, line), 105),
    "ends in any order": (I(x**3, (x, 0, m)), m**4 / 4),
    "an error function": (I(sp.erf(x), (x, 0, a)), a * sp.erf(a) + (exp(-(a**2)) - 1) / sp.sqrt(pi)),
    "Laplace's of a wave": (I(exp(-a * t) * sp.cos(m * t), (t, 0, oo)), a / (a**2 + m**2)),
    "times a number": (2 * I(x, (x, 0, 1)), 1),
}
DIVERGENT = [
    (I(1 / x**2, (x, -1, 1)), -2),
    (I(1 / x, (x, -1, 1)), 0),
    (I(x, line), 0),
    (I(1 / (x - 2) ** 2, (x, 0, oo)), R(-1, 2)),
]


@pytest.mark.parametrize("name", VALUES)
def test_a_value_is_proved_and_another_one_refuted(name: str) -> None:
    left, right = VALUES[name]
    proof = prove.identity(left, right)
    assert proof.verdict.value == "proved", proof.reason
    check(proof.as_json())
    for other in (right + R(1, 7), 2 * right):
        refutation = prove.identity(left, other)
        assert refutation.verdict.value == "refuted"
        check(refutation.as_json())


@pytest.mark.parametrize(("left", "right"), DIVERGENT)
def test_what_diverges_has_no_proved_value(left: Any, right: Any) -> None:
    assert prove.identity(left, right).verdict.value == "open"


def test_a_wrong_antiderivative_proves_nothing() -> None:
    assert prove.integral(I(x**2, (x, 0, 1)), R(1, 3), antiderivative=x**3 / 3 + x).verdict.value == "open"
    jump = sp.atan(sp.tan(x))
    assert prove.integral(I(sp.Integer(1), (x, 0, pi)), 0, antiderivative=jump).verdict.value == "open"


def corrupted(data: Any) -> Any:
    """Corruptions of a proof or of a refutation, each of which says something false or shows too little."""
    statement, payload = data["statement"], data["payload"]
    for verdict in {"proved", "certified", "refuted"} - {data["verdict"]}:
        yield data | {"verdict": verdict}
    if data["verdict"] == "refuted":
        for witness in (None, payload["witness"] | {"left": "7"}):
            yield data | {"payload": payload | {"witness": witness}}
    yield data | {"statement": statement | {"concludes": statement["concludes"] | {"value": ("q", "77")}}}
    slots = statement["slots"]
    for key, value in (("integrand", ("s", "x")), ("value", ("q", "77")), ("variable", "y")):
        yield data | {"statement": statement | {"slots": slots | {key: value}}}
    for role in payload["steps"]:
        rest = {name: step for name, step in payload["steps"].items() if name != role}
        yield data | {"payload": payload | {"steps": rest}}
        for other in rest.values():
            if other["statement"] != payload["steps"][role]["statement"]:
                yield data | {"payload": payload | {"steps": rest | {role: other}}}


@pytest.mark.parametrize("name", ["a power", "a decay", "a Gaussian", "an open end"])
def test_no_corruption_is_accepted(name: str) -> None:
    left, right = VALUES[name]
    for certificate in (prove.identity(left, right), prove.identity(left, right + 1)):
        for broken in corrupted(certificate.as_json()):
            with pytest.raises(Rejected):
                check(broken)


@pytest.mark.parametrize("role", ["derivative", "order", "value"])
def test_only_the_hypothesis_that_decides_refutes(role: str) -> None:
    """A proof in which one step is exchanged for a refutation of what it shows, or of its contrary."""
    data = prove.identity(*VALUES["a power"]).as_json()
    step = data["payload"]["steps"][role]
    refuted = prove.identity(x, x + 1).as_json()
    for lie in (step | {"verdict": "refuted"}, refuted, refuted | {"statement": step["statement"]}):
        steps = data["payload"]["steps"] | {role: lie}
        for witness in (None, lie["payload"].get("witness")):
            with pytest.raises(Rejected):
                check(data | {"verdict": "refuted", "payload": {"steps": steps, "witness": witness}})


def test_a_line_that_names_no_hypothesis_that_decides_refutes_nothing() -> None:
    u = sp.Symbol("u", real=True)
    data = prove.by("linear stability on a line", flow={u: u - u**3}, point={u: 1}).as_json()
    with pytest.raises(Rejected, match="not refuted"):
        check(data | {"verdict": "refuted"})
    false = prove.by("linear stability on a line", flow={u: u - u**3}, point={u: 0})
    assert false.verdict.value == "open"
    with pytest.raises(Rejected):
        check(false.as_json() | {"verdict": "refuted", "method": "by linear stability on a line"})

"""Rules: what is true is proved and accepted by the checker, and near misses are not."""

from __future__ import annotations

import pytest
import sympy as sp
from engine.changed_steps import changes

from derivations import prove
from derivations.recheck import Rejected, check

x, y, z = sp.symbols("x y z", real=True)
p, q, s, a0, t, N, w = sp.symbols("p q s a0 t N w", positive=True)
a, b = sp.symbols("a b", real=True)


def unevaluated(relation: type, left: object, right: object) -> sp.Basic:
    return relation(left, right, evaluate=False)


HOLD = {
    "|x| >= x": lambda: prove.inequality(unevaluated(sp.Ge, sp.Abs(x), x)),
    "triangle": lambda: prove.inequality(unevaluated(sp.Le, sp.Abs(x + y), sp.Abs(x) + sp.Abs(y))),
    "reversed triangle": lambda: prove.inequality(sp.Abs(x - y) >= sp.Abs(sp.Abs(x) - sp.Abs(y))),
    "|x| |y|": lambda: prove.identity(sp.Abs(x) * sp.Abs(y + z), sp.Abs(x * y + x * z)),
    "|x| of a negative x": lambda: prove.identity(sp.Abs(x), -x, [x < 0]),
    "max and min": lambda: prove.identity(sp.Max(x, y) * sp.Min(x, y), x * y),
    "larger than both": lambda: prove.inequality(unevaluated(sp.Ge, sp.Max(x, y), y)),
    "product of powers": lambda: prove.identity(p**a * p**b, p ** (a + b)),
    "x^x": lambda: prove.identity(p**p, sp.exp(p * sp.log(p))),
    "power of a power": lambda: prove.identity((w**N) ** (2 - 2 / N), w ** (2 * N - 2)),
    "root of a distance": lambda: prove.identity(sp.root((s - p) ** 3 * q, 3), (s - p) * sp.root(q, 3), [s > p]),
    "root of a distance that is not zero": lambda: prove.identity(
        sp.root((x - y) ** 3 * q, 3), (x - y) * sp.root(q, 3), [sp.Ne(x - y, 0), x >= y]
    ),
    "tangent": lambda: prove.identity(sp.tan(x) * sp.cos(x), sp.sin(x)),
    "slope of the arc tangent": lambda: prove.identity(sp.Derivative(sp.atan(x), x), 1 / (1 + x**2)),
}
FAIL = {
    "|x| > x": lambda: prove.inequality(sp.Abs(x) > x),
    "triangle turned": lambda: prove.inequality(unevaluated(sp.Ge, sp.Abs(x + y), sp.Abs(x) + sp.Abs(y))),
    "|x + y| of a sum": lambda: prove.identity(sp.Abs(x + y), sp.Abs(x) + sp.Abs(y)),
    "max is the first": lambda: prove.identity(sp.Max(x, y), x),
    "power of a sum": lambda: prove.identity(p ** (a + b), p**a + p**b),
    "power of a power": lambda: prove.identity((w**N) ** (2 - 2 / N), w ** (2 * N - 1)),
}


@pytest.mark.parametrize("name", HOLD)
def test_what_holds_is_proved_and_its_certificate_accepted(name: str) -> None:
    certificate = HOLD[name]()
    assert certificate.verdict.value == "proved", certificate.reason
    check(certificate.as_json())


@pytest.mark.parametrize("name", FAIL)
def test_a_near_miss_is_refuted(name: str) -> None:
    certificate = FAIL[name]()
    assert certificate.verdict.value == "refuted"
    check(certificate.as_json())


def test_a_function_without_a_derivative_here_is_left_open() -> None:
    certificate = prove.inequality(sp.digamma(p) >= sp.log(p) - 1 / p)
    assert certificate.verdict.value == "open"


@pytest.mark.parametrize("name", ["triangle", "root of a distance", "power of a power"])
def test_no_changed_proof_is_accepted(name: str) -> None:
    proof = HOLD[name]().as_json()
    for change in changes(proof):
        with change(), pytest.raises(Rejected):
            check(proof)


def test_what_speaks_of_nothing_is_not_proved_by_a_rule() -> None:
    with pytest.raises(prove.Unsatisfiable):
        prove.inequality(sp.Abs(x) > 7, [-(x**2) > 1])
    apart = prove.inequality(sp.Abs(sp.log(x)) > 7, [x < y, y < z, z < 0])
    assert apart.verdict.value == "open"


def test_a_forged_proof_of_what_speaks_of_nothing_is_rejected() -> None:
    proof = HOLD["triangle"]()
    nothing = proof.as_json()
    nothing["statement"] = proof.statement | {
        "assuming": [(">", ("*", ("q", "-1"), ("s", "x"), ("s", "x")), ("q", "1"))]
    }
    with pytest.raises(Rejected):
        check(nothing)


def test_functions_by_pieces_are_judged_piece_by_piece() -> None:
    relu = sp.Piecewise((x, x > 0), (0, True))
    hold = [
        prove.identity(sp.sign(x) * sp.Abs(x), x),
        prove.identity(relu, sp.Max(x, 0)),
        prove.inequality(unevaluated(sp.Ge, relu, x)),
        prove.identity(sp.Piecewise((p, p < 1), (1 / p, True)), sp.Min(p, 1 / p)),
        prove.identity(sp.Piecewise((1, sp.And(x > 0, x < 1)), (0, True)), 1, [x > 0, 2 * x < 1]),
        prove.identity(sp.sign(x), 1, [x > y, y > 0]),
    ]
    for certificate in hold:
        assert certificate.verdict.value == "proved", certificate.reason
        check(certificate.as_json())
    fail = [
        prove.identity(sp.sign(x) ** 2, 1),
        prove.identity(relu, x),
        prove.identity(sp.Heaviside(x), 1, [x >= 0]),
        prove.inequality(unevaluated(sp.Gt, relu, x)),
    ]
    for certificate in fail:
        assert certificate.verdict.value == "refuted", certificate.reason
        check(certificate.as_json())
    with pytest.raises(prove.Unsatisfiable):
        prove.identity((relu, sp.Pow(x - x, -1, evaluate=False)), (sp.Max(x, 0), 1))
    with pytest.raises(prove.NotExact):
        prove.identity(sp.Derivative(relu, x), sp.Piecewise((1, x > 0), (0, True)))

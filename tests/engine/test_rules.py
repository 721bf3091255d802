"""Rules: what is true is proved and accepted by the checker, and near misses are not."""

from __future__ import annotations

import pytest
import sympy as sp
from case_files import Cases
from each import each
from engine.changed_steps import changes

from derivations import prove
from derivations.recheck import Rejected, check

FAMILIES = Cases(__file__, globals())

x, y, z = sp.symbols("x y z", real=True)
p = sp.symbols("p", positive=True)


def unevaluated(relation: type, left: object, right: object) -> sp.Basic:
    return relation(left, right, evaluate=False)


HOLD = FAMILIES["hold"]
FAIL = FAMILIES["fail"]


@each("name", [*HOLD], one_of=2)
def test_what_holds_is_proved_and_its_certificate_accepted(name: str) -> None:
    certificate = HOLD[name]()
    assert certificate.verdict.value == "proved", certificate.reason
    check(certificate.as_json())


@each("name", [*FAIL])
def test_a_near_miss_is_refuted(name: str) -> None:
    certificate = FAIL[name]()
    assert certificate.verdict.value == "refuted"
    check(certificate.as_json())


@each("name", ["triangle", "root of a distance", "power of a power"], one_of=3)
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


test_statements_have_their_verdicts = FAMILIES.verdicts()

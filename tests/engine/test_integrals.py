"""Integrals: known values are proved and rechecked, other values refuted, and divergent ones never proved."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from each import each

from derivations import prove
from derivations.recheck import Rejected, check

FAMILIES = Cases(__file__, globals())

x = sp.symbols("x", real=True)
I, exp, oo, pi, R = sp.Integral, sp.exp, sp.oo, sp.pi, sp.Rational

VALUES = FAMILIES["values"]
DIVERGENT = FAMILIES["divergent"]


@each("name", [*VALUES], one_of=3)
def test_a_value_is_proved_and_another_one_refuted(name: str) -> None:
    left, right = VALUES[name]
    proof = prove.identity(left, right)
    assert proof.verdict.value == "proved", proof.reason
    check(proof.as_json())
    for other in (right + R(1, 7), 2 * right):
        refutation = prove.identity(left, other)
        assert refutation.verdict.value == "refuted"
        check(refutation.as_json())


@each(("left", "right"), DIVERGENT)
def test_what_diverges_has_no_proved_value(left: Any, right: Any) -> None:
    assert prove.identity(left, right).verdict.value == "open"


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


@each("name", ["a power", "a decay", "a Gaussian", "an open end"])
def test_no_corruption_is_accepted(name: str) -> None:
    left, right = VALUES[name]
    for certificate in (prove.identity(left, right), prove.identity(left, right + 1)):
        for broken in corrupted(certificate.as_json()):
            with pytest.raises(Rejected):
                check(broken)


test_statements_have_their_verdicts = FAMILIES.verdicts()

"""Corrupted derivations of averages are refused: every line is applied again, with its conditions."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
import sympy as sp
from averages_drawn import ALL_POSITIVE, C, all_steps, cases
from case_files import Cases
from drawn import drawn
from each import each
from recheck.corrupt import ONE, refusal, worse

from derivations import prove
from derivations.language.averages import field, mean
from derivations.language.averages.integrands import bell
from derivations.prove.certificate import Verdict
from derivations.recheck import Rejected, check
from derivations.recheck.core.table.averages.lines import NAMED as OPERATIONS

FAMILIES = Cases(__file__, globals())

CERTIFICATES = {
    name: prove.average(left, right, given=given).as_json() for name, (left, right, given) in cases().items()
}
STEPS = FAMILIES["steps"]
ANGLES = [sp.asin(C[i, j] / sp.sqrt(C[i, i]) / sp.sqrt(C[j, j])) for i, j in ((0, 1), (0, 2), (1, 2))]
VALUES = [sp.Rational(1, 8) + sum(ANGLES) / (4 * sp.pi), *FAMILIES["values"]]
CERTIFICATES |= {
    f"{3 - k} steps": prove.average(mean(each, C, range(3)), value).as_json()
    for k, (each, value) in enumerate(zip(STEPS, VALUES, strict=True))
}
CERTIFICATES["two bells"] = prove.average(mean(bell(0, 1) * bell(0, 1), C), 1 / sp.sqrt(1 + 2 * C[0, 0])).as_json()
NAMED = prove.average(mean(all_steps(), C, range(4)), ALL_POSITIVE / 2, given={ALL_POSITIVE: all_steps()})
LIES = drawn(150)  # of each certificate, that are tried


def copied(certificate: Any) -> Any:
    return json.loads(json.dumps(certificate))


@each("name", sorted(CERTIFICATES), one_of=2)
def test_what_is_made_is_accepted_and_no_corruption_is(name: str) -> None:
    check(copied(CERTIFICATES[name]))
    assert worse(copied(CERTIFICATES[name]), random.Random(name), LIES, spare=1) == []


def test_a_product_is_odd_if_it_has_an_odd_number_of_odd_factors() -> None:
    for powers in range(5):
        for errors in range(4):
            of = [*[("power", 0)] * powers, *[("erf", 0, tuple(ONE))] * errors, ("bell", 0, tuple(ONE))]
            assert OPERATIONS["odd"](None, of) is ((powers + errors) % 2 == 1)
            assert not OPERATIONS["odd"](None, [*of, ("step", 0)])


def test_widths_must_be_positive() -> None:
    """<exp(3 a^2/2) exp(3 b^2/2)> diverges for independent fields of variance 1, whatever a formula gives for it."""
    broken = copied(CERTIFICATES["any bell: J2"])
    broken["statement"]["symbols"]["width2"] = ["negative"]
    assert refusal(broken)


@each("name", ["any bell: J2", "line: I3"])
def test_the_covariance_of_a_witness_is_whole_and_admissible(name: str) -> None:
    left, right, _ = cases()[name]
    certificate = copied(prove.average(left, 2 * right).as_json())
    check(certificate)
    for change in ({"C_ab": "100"}, {"C_bb": None}):
        broken = copied(certificate)
        for place in (broken["payload"]["witness"], broken["payload"]["equality"]["payload"]["witness"]):
            point = place["point"] | change
            place["point"] = {key: value for key, value in point.items() if value is not None}
        assert refusal(broken), change


def test_a_covariance_that_cannot_be_definite_shows_nothing() -> None:
    """Two fields that are one have a singular covariance: no point is admissible."""
    broken = copied(CERTIFICATES["2 steps"])
    point = broken["payload"]["equality"]["payload"]["inhabited"]
    for values in ({"C_ab": point["C_aa"], "C_bb": point["C_aa"]}, {"C_aa": "0", "C_ab": "0"}, {"C_ab": "-100"}):
        broken["payload"]["equality"]["payload"]["inhabited"] = point | values
        assert refusal(broken), values


def test_a_rate_asks_for_a_definite_covariance_and_is_no_average() -> None:
    time = sp.Symbol("time", positive=True)
    path = sp.Matrix([[1, time], [time, 1]])
    certificate = copied(prove.average(mean(field(0) * field(1), path, (0, 1)), 1, rate=time).as_json())
    check(certificate)
    for change in ("definite", "rate"):
        broken = copied(certificate)
        broken["statement"][change] = [0]
        assert refusal(broken)
    del (broken := copied(certificate))["statement"]["rate"]
    assert refusal(broken)


def test_the_equality_is_of_the_derived_value_and_has_the_same_verdict() -> None:
    left, right, _ = cases()["line: I3"]
    true, false = (copied(prove.average(left, scale * right).as_json()) for scale in (1, 2))
    for certificate, other in ((true, "refuted"), (false, "proved")):
        check(certificate)
        assert refusal(certificate | {"verdict": other})
        for side in ("left", "right"):
            broken = copied(certificate)
            broken["payload"]["equality"]["statement"][side] = ONE
            assert refusal(broken)
    assert refusal(true | {"payload": true["payload"] | {"equality": false["payload"]["equality"]}})
    assert refusal(false | {"payload": false["payload"] | {"witness": {}}})


def test_names_of_averages_have_proved_values_or_cancel() -> None:
    """At a point a name has any value, and only one is the average."""
    left, right, given = cases()["ramp: I4"]
    assert NAMED.verdict is Verdict.REFUTED
    cancels = prove.average(left, right + 1, given=given)
    for certificate, kind in ((copied(NAMED.as_json()), "average"), (copied(cancels.as_json()), "identity")):
        check(certificate)
        (name,) = certificate["payload"]["names"]
        assert certificate["payload"]["names"][name]["statement"]["kind"] == kind
        told = certificate["payload"]["names"][name]
        elsewhere = told | {"statement": told["statement"] | {"right": ["q", "1/7"]}}
        for names in ({}, {name: elsewhere}, {name: told | {"verdict": "refuted"}}, {name: told | {"payload": {}}}):
            assert refusal(certificate | {"payload": certificate["payload"] | {"names": names}})
    other = copied(NAMED.as_json())
    other["payload"]["names"] = copied(cancels.as_json())["payload"]["names"]
    assert refusal(other)


def test_an_average_with_a_name_is_not_refuted_by_any_value_of_it() -> None:
    broken = copied(CERTIFICATES["ramp: I4"])
    other = copied(prove.identity(*(sp.Symbol(name, real=True) for name in "ab")).as_json())
    equality = broken["payload"]["equality"]
    equality["statement"]["right"] = broken["statement"]["right"] = ["q", "0"]
    witness = {"point": equality["payload"]["inhabited"] | {"all_positive": "7"}, "left": "0", "right": "0", "bits": 64}
    equality |= {key: other[key] for key in ("verdict", "method")} | {"payload": {"witness": witness}}
    broken |= {"verdict": "refuted", "method": "exact point"}
    broken["payload"]["witness"] = witness
    assert refusal(broken)


@each("moved", ["hypothesis", "covariance", "sign"])
def test_nothing_is_supposed_of_a_name(moved: str) -> None:
    broken = copied(CERTIFICATES["ramp: I4"])
    statement, name = broken["statement"], ["s", "all_positive"]
    if moved == "hypothesis":
        statement["assuming"] = [[">", name, ["q", "0"]]]
    elif moved == "sign":
        statement["symbols"]["all_positive"] = ["positive"]
    else:
        statement["covariance"][0][0] = name
    with pytest.raises(Rejected, match="nothing may be supposed of it"):
        check(broken)


test_statements_have_their_verdicts = FAMILIES.verdicts()

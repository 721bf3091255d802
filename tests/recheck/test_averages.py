"""Corrupted derivations of averages are refused: every rule is applied again, with its conditions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import sympy as sp
from averages_drawn import cases

from derivations import prove
from derivations.language.averages import mean
from derivations.language.averages.integrands import bell
from derivations.prove.averages.lemmas import steps, two_values
from derivations.recheck import Rejected, check

CERTIFICATES = {
    name: prove.average(left, right, given=given).as_json() for name, (left, right, given) in cases().items()
}
CERTIFICATES |= {"two values": two_values().as_json(), "three steps": steps(3).as_json()}
RULES = ("one", "odd", "half", "independent", "point", "tilt", "stein", "given", "lemma", "price")
OTHER: dict[str, Any] = {"field": 7, "group": [], "fields": [0, 0, 0, 0], "time": "C_ab"}
OTHER |= {key: [] for key in ("value", "start", "rate", "base", "derivative", "defined")}


def copied(certificate: Any) -> Any:
    return json.loads(json.dumps(certificate))


def refused(certificate: Any) -> bool:
    try:
        check(certificate)
    except Rejected:
        return True
    return False


def nodes(data: Any) -> Iterator[Any]:
    """The nodes of a derivation."""
    if isinstance(data, dict):
        if "rule" in data:
            yield data
        for value in data.values():
            yield from nodes(value)
    elif isinstance(data, list):
        for value in data:
            yield from nodes(value)


@pytest.mark.parametrize("name", sorted(CERTIFICATES))
def test_other_rules_are_refused(name: str) -> None:
    count = len(list(nodes(copied(CERTIFICATES[name])["payload"]["derivation"])))
    for k in range(min(count, 6)):
        for rule in RULES:
            broken = copied(CERTIFICATES[name])
            node = list(nodes(broken["payload"]["derivation"]))[k]
            if node["rule"] != rule:
                node["rule"] = rule
                assert refused(broken), (k, rule)


@pytest.mark.parametrize("name", sorted(CERTIFICATES))
def test_other_places_are_refused(name: str) -> None:
    count = len(list(nodes(copied(CERTIFICATES[name])["payload"]["derivation"])))
    for k in range(min(count, 6)):
        for key, value in OTHER.items():
            broken = copied(CERTIFICATES[name])
            node = list(nodes(broken["payload"]["derivation"]))[k]
            if key in node:
                node[key] = value
                assert refused(broken), (k, key)
            if "symbols" in node:
                broken = copied(CERTIFICATES[name])
                symbols = list(nodes(broken["payload"]["derivation"]))[k]["symbols"]
                symbols[min(symbols)] = ["q", "2"]
                assert refused(broken), (k, "symbols")


@pytest.mark.parametrize("name", sorted(CERTIFICATES))
def test_other_statements_are_refused(name: str) -> None:
    for key, value in (("right", ["q", "1/7"]), ("integrand", [[["q", "3"], []]]), ("fields", ["a", "a"])):
        broken = copied(CERTIFICATES[name])
        broken["statement"][key] = value
        assert refused(broken), key
    broken = copied(CERTIFICATES[name])
    if broken["statement"]["definite"]:
        broken["statement"]["definite"] = []
        assert refused(broken), "definite"
    broken = copied(CERTIFICATES[name])
    broken["statement"]["integrand"][0][0] = ["*", ["q", "2"], broken["statement"]["integrand"][0][0]]
    assert refused(broken), "coefficient"
    broken = copied(CERTIFICATES[name])
    for row in broken["statement"]["covariance"]:
        row[0] = ["q", "5"]
    assert refused(broken) or not broken["statement"]["fields"], "covariance"


def test_a_lemma_must_have_a_value_everywhere() -> None:
    broken = copied(CERTIFICATES["erf(x/sqrt 2): I2"])
    (node,) = (n for n in nodes(broken["payload"]["derivation"]) if n["rule"] == "lemma")
    del node["certificate"]["payload"]["defined"]
    assert refused(broken)


def test_widths_must_be_positive() -> None:
    """<exp(3 a^2/2) exp(3 b^2/2)> diverges for independent fields of variance 1, whatever a formula gives for it."""
    broken = copied(CERTIFICATES["any bell: J2"])
    broken["statement"]["symbols"]["width2"] = ["negative"]
    assert refused(broken)


def test_the_covariance_of_a_witness_is_admissible() -> None:
    left, right, _ = cases()["any bell: J2"]
    certificate = copied(prove.average(left, 2 * right).as_json())
    check(certificate)
    for place in (certificate["payload"]["witness"], certificate["payload"]["refutation"]["payload"]["witness"]):
        place["point"]["C_ab"] = "100"
    assert refused(certificate)


def test_a_rate_is_no_lemma_for_the_average_itself() -> None:
    """d<F>/dt may be 0 where <F> is not."""
    broken = copied(CERTIFICATES["erf(x/sqrt 2): I2"])
    (node,) = (n for n in nodes(broken["payload"]["derivation"]) if n["rule"] == "lemma")
    node["certificate"]["statement"]["rate"] = "C_ab"
    assert refused(broken)


def test_what_moves_with_a_rate_is_a_covariance() -> None:
    time = sp.Symbol("time", positive=True)
    square = sp.Matrix([[1, 0], [0, 1]])
    wide = mean(bell(0, time) * bell(1, 1), square, (0, 1))
    found = prove.average(wide, 0, rate=time)
    assert found.verdict is prove.Verdict.OPEN
    statement = copied(found.statement)
    identity = copied(prove.identity(sp.Integer(0), 0).as_json())
    identity["statement"]["symbols"] = statement["symbols"]
    payload = {"derivation": [], "arcsines": [], "identity": {"facts": [], "certificate": identity}}
    forged = {"statement": statement, "verdict": "proved", "method": "rules of averages", "payload": payload}
    assert refused(forged)


def test_a_witness_gives_the_whole_covariance() -> None:
    left, right, _ = cases()["line: I3"]
    certificate = copied(prove.average(left, 2 * right).as_json())
    check(certificate)
    for place in (certificate["payload"]["witness"], certificate["payload"]["refutation"]["payload"]["witness"]):
        place["point"].pop("C_bb", None)
    assert refused(certificate)

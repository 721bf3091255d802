"""The checker of sums takes no name for another, and none of the corruptions of a sound certificate."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from case_files import Cases
from each import each

from derivations.recheck import check
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import normal

FAMILIES = Cases(__file__, globals())

PAIR: dict[str, Any] = {"sizes": {"K": 2}, "arrays": {"a": ["1", "2"], "b": ["1", "3"]}}
MATRIX: dict[str, Any] = {"sizes": {"K": 2}, "arrays": {"a": [["1", "2"], ["3", "4"]]}}


def proved(arrays: Any, free: Any, sides: tuple[Any, Any], inhabited: Any) -> dict[str, Any]:
    left, right = ({"formula": ["terms", *side]} for side in sides)
    statement = {"kind": "sums", "arrays": arrays, "free": free, "rules": [], "left": left, "right": right}
    payload = {"steps": [], "inhabited": inhabited}
    return {"statement": statement, "verdict": "proved", "method": "normal form", "payload": payload}


VECTORS = {"a": {"ranges": ["K"]}, "b": {"ranges": ["K"]}}
FALSE = FAMILIES["false"]


@each("what", [*FALSE])
def test_a_name_stands_for_one_index(what: str) -> None:
    with pytest.raises(Rejected):
        check(FALSE[what])


@each("name", ["#0", "0", "", "p q", "p'", 0])
def test_free_indices_of_hypotheses_have_names_too(name: Any) -> None:
    data = proved(VECTORS, {}, ([], []), PAIR)
    entry = {"formula": ["A", "a", "p"]}
    rule = {"free": {"p": "K"}, "left": entry, "right": entry}
    data["statement"]["rules"] = [rule]
    check(data)
    other = copy.deepcopy(rule)
    other["free"] = {name: "K"}
    other["left"] = other["right"] = {"formula": ["A", "a", name]}
    data["statement"]["rules"] = [other]
    with pytest.raises(Rejected):
        check(data)


@each("junk", FAMILIES["what is offered to a prover is an instance"])  # fmt: skip
def test_what_is_offered_to_a_prover_is_an_instance(junk: Any) -> None:
    data = proved(VECTORS, {}, ([], []), PAIR)
    for offered in ([], [PAIR]):
        data["statement"]["among"] = offered
        check(normal(data))
    data["statement"]["among"] = junk
    with pytest.raises(Rejected):
        check(normal(data))

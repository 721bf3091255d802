"""Time stands in conclusions as `t`, from 0 on: no constant has its name, and no hypothesis leaves out its start."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from each import each
from soundness.judged import judged, refusal

from derivations import prove
from derivations.language.words import Letter, identity, number, zero
from derivations.prove.schemas.table import SlotError
from derivations.prove.schemas.use import setting_of, slots_of
from derivations.prove.stating import from_sympy, hypotheses
from derivations.recheck import Rejected, ledgers
from derivations.recheck.core.load import normal
from derivations.recheck.core.table.by import needs_and_conclusion
from derivations.recheck.core.theorems import theorems

FAMILIES = Cases(__file__, globals())
PHRASES = tomllib.loads(Path(ledgers.__file__).with_name("phrases.toml").read_text(encoding="utf-8"))

t, s, y = sp.symbols("t s y", real=True)
cos, sin = sp.cos(6 * t), sp.sin(6 * t)
n, W = Letter("n_t", 1, 1), Letter("W", "n", "n")
constant, W0 = Letter("t", 1, 1, positive=True), Letter("W0", "n", "n")
MOVING = {"motion": {W: -1 * constant * W}, "begin": {W: W0}}
R, scaled = Letter("R", "n", "n"), Letter("K", "n", "n", equals=(1 - constant) * W)
NAMED_T = {
    **FAMILIES["named t"],
    "distance": (
        "distance from zero",
        {
            "matrix": W,
            "first": -1 * constant * identity("n"),
            "second": zero("n", "n"),
            "rest": zero("n", "n"),
            "left_bound": -1 * constant,
            "left_squares": [zero("n", "n")],
            "right_bound": number(0),
            "right_squares": [zero("n", "n")],
            "size": number(0),
            "size_squares": [number(0)],
            **MOVING,
        },
    ),
}
LATE = FAMILIES["late"]


def by_the_checker(name: str, given: dict[str, Any], assuming: list[Any]) -> None:
    setting = setting_of(name, theorems()[name], given, assuming, hypotheses)
    slots = normal(json.loads(json.dumps(slots_of(theorems()[name], given, setting, from_sympy))))
    needs_and_conclusion(name, slots)


@each("case", [*NAMED_T])
def test_no_constant_has_the_name_of_the_time(case: str) -> None:
    name, slots = NAMED_T[case]
    assert "no place for t " in refusal(lambda: judged(prove.by(name, **slots)), SlotError)
    with pytest.raises(Rejected, match="no place for t "):
        by_the_checker(name, slots, [])


@each("case", [*LATE])
def test_a_hypothesis_on_the_time_says_when_it_ends(case: str) -> None:
    name, slots, assuming = LATE[case]
    assert "the time" in refusal(lambda: judged(prove.by(name, assuming=assuming, **slots)), SlotError)
    with pytest.raises(Rejected, match="the time"):
        by_the_checker(name, slots, assuming)


MOVING_SLOTS = ("flow", "motion")  # of theorems about what moves
FREE_OF_HYPOTHESES = re.compile(r"supposed\(\) & \(?(driven|changing)|ranges\(x, |apart\(flow, .*assuming\)")


@each("name", sorted(name for name, theorem in theorems().items() if {*MOVING_SLOTS} & {*theorem.letters}))
def test_a_conclusion_lasts_for_as_long_as_what_is_supposed_of_what_moves(name: str) -> None:
    theorem = theorems()[name]
    assert theorem.concludes is not None
    forms = [node.value for node in ast.walk(theorem.concludes.says) if isinstance(node, ast.Constant)]
    says = [phrase for form in forms for phrase in PHRASES["conclusions"].get(form, "").split(", ")]
    lasts = [phrase for phrase in says if re.search("for as long as .*what is supposed", phrase)]
    assert lasts or any(map(FREE_OF_HYPOTHESES.search, map(ast.unparse, theorem.where)))


test_statements_have_their_verdicts = FAMILIES.verdicts()

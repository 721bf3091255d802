"""Signs and pieces: which one holds near a point is computed, and what is no real number is no raw error."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import sympy as sp
from case_files import Cases
from each import each
from soundness.judged import judged, refusal

from derivations import prove
from derivations.prove import NotExact

FAMILIES = Cases(__file__)

x = sp.symbols("x", real=True)
STEPS = FAMILIES["steps"]  # a function with a jump, its place, and its limits from below and from above


@each(("function", "place", "below", "above"), STEPS)
@each("side", ["-", "+"])
def test_limits_at_jumps(function: sp.Expr, place: int, below: int, above: int, side: str) -> None:
    value, other = (below, above) if side == "-" else (above, below)
    assert judged(prove.limit(function, {x: (place, side)}, value)) == "proved"
    if other != value:
        assert judged(prove.limit(function, {x: (place, side)}, other)) == "refuted"


UNKNOWN = FAMILIES["unknown"]


@each("state", UNKNOWN)
def test_a_piece_that_is_not_known_is_refused(state: Callable[[], Any]) -> None:
    assert "near" in refusal(state, NotExact)


@each("inner", FAMILIES["a sign of what is no real number is no raw error"])
def test_a_sign_of_what_is_no_real_number_is_no_raw_error(inner: sp.Expr) -> None:
    with suppress(NotExact, prove.Unsatisfiable):
        assert prove.identity(sp.sign(inner), 1).verdict.value == "open"  # it has no value anywhere


test_statements_have_their_verdicts = FAMILIES.verdicts()

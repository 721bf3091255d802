"""SymPy simplifies with declared signs: a letter that is bound or moves must have them wherever it goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from case_files import Cases
from each import each
from soundness.judged import judged, refusal

from derivations import prove
from derivations.prove import NotExact

FAMILIES = Cases(__file__)


REFUSED = FAMILIES["refused"]


@each("state", REFUSED)
def test_a_sign_that_need_not_hold_is_refused(state: Callable[[], Any]) -> None:
    sentence = refusal(state, NotExact, prove.Unsatisfiable)
    assert "real=True alone" in sentence or "declare it real" in sentence or "both called u" in sentence


KEPT = FAMILIES["kept"]


@each("state", KEPT)
def test_a_sign_that_holds_is_no_obstacle(state: Callable[[], prove.Certificate]) -> None:
    assert judged(state()) in ("proved", "certified")

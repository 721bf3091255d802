"""Theorems of the table, with the named functions in which their lines say what formulas cannot."""

from __future__ import annotations

from typing import Any

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data
from derivations.recheck.core.theorems import Block, Needs, Reading, theorems, used
from derivations.recheck.kinds.schemas import matrices, numbers
from derivations.recheck.kinds.schemas.integrals import compared

__all__ = ["NAMED", "needs_and_conclusion", "theorems"]


def _along(reading: Reading, what: Any, *rates: Any) -> Any:
    return (matrices.along if isinstance(what, Block) else numbers.along)(reading, what, *rates)


def _placed(reading: Reading, what: Any, *values: Any) -> Any:
    return (matrices.placed if isinstance(what, Block) else numbers.placed)(reading, what, *values)


NAMED = numbers.NAMED | compared.NAMED | matrices.NAMED | {"along": _along, "at": _placed}


def needs_and_conclusion(name: str, slots: Data) -> tuple[Needs, Data]:
    """What a theorem needs and concludes, once its slots hold what they should."""
    try:
        return used(name, slots, NAMED)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, AssertionError) as error:
        raise Rejected(f"the slots of '{name}' are malformed: {type(error).__name__}: {error}") from error

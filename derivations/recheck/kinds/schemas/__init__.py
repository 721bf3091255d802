"""The checker's own theorems: from what stands in the slots, what must be shown, and what then holds."""

from __future__ import annotations

from derivations.recheck.kinds.schemas import analysis, chance, linear_flows, logic, zeros
from derivations.recheck.kinds.schemas.slots import Theorem

__all__ = ["THEOREMS", "Theorem"]

THEOREMS: dict[str, Theorem] = (
    analysis.THEOREMS | zeros.THEOREMS | linear_flows.THEOREMS | chance.THEOREMS | logic.THEOREMS
)

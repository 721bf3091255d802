"""The checker's own theorems: from what stands in the slots, what must be shown, and what then holds."""

from __future__ import annotations

from derivations.recheck.kinds.schemas import (
    analysis,
    chance,
    flows,
    integrals,
    logic,
    matrices,
    zeros,
)
from derivations.recheck.kinds.schemas.flows import of_matrices
from derivations.recheck.kinds.schemas.slots import Theorem

__all__ = ["THEOREMS", "Theorem"]

THEOREMS: dict[str, Theorem] = {
    name: theorem
    for module in (analysis, integrals, zeros, flows, chance, logic, matrices, of_matrices)
    for name, theorem in module.THEOREMS.items()
}

"""What the checker knows of integrals: antiderivatives, pieces, comparisons, rates, and balls around values."""

from __future__ import annotations

from derivations.recheck.kinds.schemas.integrals import antiderivatives, compared, tails

__all__ = ["THEOREMS"]

THEOREMS = antiderivatives.THEOREMS | compared.THEOREMS | tails.THEOREMS

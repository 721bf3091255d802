"""Theorems about what moves: comparison, sets that are not left, and points where a flow rests."""

from __future__ import annotations

from derivations.recheck.kinds.schemas.flows import comparison, distance, invariance, rest_points
from derivations.recheck.kinds.schemas.slots import Theorem

THEOREMS: dict[str, Theorem] = comparison.THEOREMS | distance.THEOREMS | invariance.THEOREMS | rest_points.THEOREMS

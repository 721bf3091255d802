"""Theorems as schemas: what they need and what they conclude is computed from what stands in their slots.

A schema has slots (formulas, symbols, lists of them), and from these it makes the exact statements that its hypotheses
are, and its conclusion, which is data as well. The checker has theorems of its own, in `recheck/kinds/schemas`;
a test compares the two lists.
"""

from __future__ import annotations

from derivations.prove.schemas import analysis, chance, flows, integrals, logic, matrices, zeros
from derivations.prove.schemas.flows import of_matrices
from derivations.prove.schemas.schema import Schema, Use

__all__ = ["SCHEMAS", "Schema", "Use"]

MODULES = (analysis, integrals, zeros, flows, chance, logic, matrices, of_matrices)
SCHEMAS: dict[str, Schema] = {schema.name: schema for module in MODULES for schema in module.SCHEMAS}

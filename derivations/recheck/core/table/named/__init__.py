"""Named functions of the table: what lines say of things that formulas cannot; each is handed the reading first."""

from __future__ import annotations

from typing import Any

from derivations.recheck.core.table.named import integrals, matrices, numbers, statements

NAMED: dict[str, Any] = numbers.NAMED | statements.NAMED | integrals.NAMED | matrices.NAMED
"""By the names under which lines call them."""

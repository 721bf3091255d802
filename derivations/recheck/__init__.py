"""The independent checker: it multiplies out and evaluates what certificates say, and believes nothing else.

It imports nothing of the provers, and no SymPy; exact polynomials and balls come from python-flint.
"""

from __future__ import annotations

from derivations.recheck.check import check
from derivations.recheck.core.errors import Rejected
from derivations.recheck.ledgers.entries import check_entry
from derivations.recheck.ledgers.kernels import kernel_faults
from derivations.recheck.ledgers.ledger import Summary, recheck_ledger

__all__ = ["Rejected", "Summary", "check", "check_entry", "kernel_faults", "recheck_ledger"]

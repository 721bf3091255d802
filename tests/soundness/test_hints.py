"""Hints for a prover are formulas of the statement's symbols, and nothing else stands beside what is stated."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from each import each

from derivations.audit.ledger import plain
from derivations.recheck import Rejected, check

FAMILIES = Cases(__file__, globals())

x, y = sp.symbols("x y", real=True)
e = sp.Symbol("e", positive=True)
PROOFS = FAMILIES["proofs"]
STRANGE = FAMILIES["strange"]


@each("kind", [*PROOFS])
@each("what", [*STRANGE])
def test_what_stands_in_a_statement_is_checked(kind: str, what: str) -> None:
    data: Any = plain(PROOFS[kind])
    check(data)
    with pytest.raises(Rejected):
        check(data | {"statement": data["statement"] | STRANGE[what]})

"""Hints for a prover are formulas of the statement's symbols, and nothing else stands beside what is stated."""

from __future__ import annotations

import json
from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from each import each

from derivations import prove
from derivations.recheck import Rejected, check

FAMILIES = Cases(__file__)

x, y = sp.symbols("x y", real=True)
e = sp.Symbol("e", positive=True)
PROOFS = {
    "identity": prove.identity((x + y) ** 2, x**2 + 2 * x * y + y**2),
    "sign": prove.inequality(x**2 + y**2 >= 2 * x * y, squares=[x - y]),
    "limit": prove.limit(x + e, [e], x),
    "enclosure": prove.enclosed(sp.exp(x), {x: (0, 1)}, 0, 3),
}
STRANGE = FAMILIES["strange"]


@each("kind", [*PROOFS])
@each("what", [*STRANGE])
def test_what_stands_in_a_statement_is_checked(kind: str, what: str) -> None:
    data: Any = json.loads(json.dumps(PROOFS[kind].as_json()))
    check(data)
    with pytest.raises(Rejected):
        check(data | {"statement": data["statement"] | STRANGE[what]})

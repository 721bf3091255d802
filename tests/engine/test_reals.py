"""Real numbers are declared together with their signs, and what declares none is refused."""

from __future__ import annotations

import pytest
import sympy as sp
from each import each

from derivations.language.reals import reals
from derivations.text import DerivationError


def test_every_sign_is_that_of_sympy() -> None:
    assert reals("x") == sp.Symbol("x", real=True)
    assert reals("x y > 0, z >= 0, u, v != 0, n < 0, m <= 0") == (
        *sp.symbols("x y", positive=True),
        sp.Symbol("z", nonnegative=True),
        sp.Symbol("u", real=True),
        sp.Symbol("v", real=True, nonzero=True),
        sp.Symbol("n", negative=True),
        sp.Symbol("m", nonpositive=True),
    )
    assert reals("x>0") == sp.Symbol("x", positive=True)
    assert reals("x") != reals("x > 0")


@each("declared", ["", "x,, y", "> 0", "x > 1", "x > 0 y", "x => 0", "x == 0", "x > 0 > y"])
def test_what_declares_no_number_is_refused(declared: str) -> None:
    with pytest.raises(DerivationError, match="declares no real numbers"):
        reals(declared)

"""What formulas are lowered to has their values: powers of numbers, and matrices written as loops."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from kernels.synthetic_matrices import A, D, W, t, x

from derivations.kernels.balls import Twin
from derivations.kernels.kernel import Kernel
from derivations.kernels.lowering.loops import without_matrices
from derivations.kernels.lowering.operations import lowered, refuse_huge
from derivations.kernels.reference import leaves
from derivations.kernels.specification.matrices import exponential
from derivations.language.terms import NotExact
from derivations.language.words import Letter, identity, zero
from derivations.language.words.blocks import Blocks

u = sp.Symbol("u", positive=True)
EXPONENTS = [sp.Rational(p, q) for q in (1, 2, 3, 4) for p in range(-7, 8) if p and sp.Rational(p, q).q == q]


@pytest.mark.parametrize("exponent", EXPONENTS, ids=str)
def test_a_power_has_its_value(exponent: sp.Rational) -> None:
    kernel = Kernel("a_power", says="A power.", state=[u], returns={"y": u**exponent})
    (found,) = kernel.balls("7/3", digits=30)
    assert float(found.mid()) == pytest.approx(float(sp.Rational(7, 3) ** exponent), rel=1e-14)


def test_zero_has_roots_and_no_reciprocal() -> None:
    assert lowered(("^", ("q", "0"), ("q", "1/2")), {}) == ("sqrt", ("q", "0"))
    with pytest.raises(NotExact):
        lowered(("^", ("q", "0"), ("q", "-1")), {})


def test_numbers_that_no_float_can_hold_are_refused() -> None:
    largest = 2**1024 - 2**970
    refuse_huge(("q", str(largest)))
    with pytest.raises(NotExact):
        refuse_huge(("q", str(largest + 1)))


def test_matrices_written_as_loops_have_the_values_of_the_matrices() -> None:
    fade = Letter("fade", "n", "n", diagonal=True)
    kernel = Kernel(
        "products",
        says="Products, blocks, transposed matrices, and the exponential of a diagonal one.",
        inputs=[A, D, W, x, t],
        steps=[(fade, exponential(-D * t))],
        returns={
            "y": W.T @ W @ x - Fraction(2, 7) * t * x + A @ x,
            "whole": Blocks([[A * t, W.T], [W, zero("m", "m")]]),
            "beside": Blocks([[zero("m", 1), W @ x]]),
            "fading": fade @ A @ W.T + identity("n") @ W.T,
        },
    )
    loops = without_matrices(kernel.program)
    assert not any(statement[0] == "matrix" for statement in loops.body)
    given = [[[2, 1], [1, -3]], [[1, 0], [0, 4]], [[1, 2], [3, 5], ["1/7", -1]], [[1], ["2/3"]], "3/4"]
    found = Twin([row.row for row in loops.inputs], loops.data, list(kernel.returns))(*given, digits=30)
    for value, expected in zip(found, kernel.balls(*given, digits=30), strict=True):
        assert all(abs(a - b) < 1e-20 for a, b in zip(leaves(value), leaves(expected), strict=True))

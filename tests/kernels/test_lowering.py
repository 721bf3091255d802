"""Lowered formulas have the values of the formulas: powers of numbers, and matrices written as loops."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
import sympy as sp
from case_files import Cases
from each import each
from kernels.synthetic_matrices import A, D, W, t, x

from derivations.kernels.balls import Twin
from derivations.kernels.kernel import Kernel
from derivations.kernels.lowering.loops import without_matrices
from derivations.kernels.lowering.operations import added, minor_of, multiple, refuse_huge
from derivations.kernels.lowering.repeated import with_repeated_parts_named, with_shared_reciprocals
from derivations.kernels.lowering.sums import Lowering
from derivations.kernels.lowering.words import words_of
from derivations.kernels.program import Line, Operation
from derivations.kernels.reference import leaves
from derivations.kernels.specification.matrices import exponential
from derivations.language.sums import Array, Range
from derivations.language.terms import NotExact
from derivations.language.words import Letter, identity, zero
from derivations.language.words.blocks import Blocks

FAMILIES = Cases(__file__, globals())

u = sp.Symbol("u", positive=True)
EXPONENTS = [sp.Rational(p, q) for q in (1, 2, 3, 4) for p in range(-7, 8) if p and sp.Rational(p, q).q == q]

a, b, c = ("s", "a"), ("s", "b"), ("s", "c")
COSTS = FAMILIES["costs"]


@each("exponent", EXPONENTS)
def test_a_power_has_its_value(exponent: sp.Rational) -> None:
    kernel = Kernel("a_power", says="A power.", state=[u], returns={"y": u**exponent})
    (found,) = kernel.balls("7/3", digits=30)
    assert float(found.mid()) == pytest.approx(float(sp.Rational(7, 3) ** exponent), rel=1e-14)


def test_numbers_that_no_float_can_hold_are_refused() -> None:
    largest = 2**1024 - 2**970
    refuse_huge(("q", str(largest)))
    with pytest.raises(NotExact):
        refuse_huge(("q", str(largest + 1)))


@each(("part", "cost"), COSTS)
def test_a_part_is_named_where_several_lines_need_it_and_it_takes_two_operations(part: Operation, cost: int) -> None:
    named, once = [Line("t0", ((None, part),))], Line("z", ((None, ("sin", c)),))
    lines = [Line(name, ((None, (name, part)),)) for name in ("sin", "cos")]
    with_name = [Line(name, ((None, (name, ("s", "t0"))),)) for name in ("sin", "cos")]
    expected = [*named, *with_name] if cost >= 2 else lines
    assert with_repeated_parts_named([*lines, once], ()) == [*expected, once]


def quotients(*parts: tuple[str, tuple[Operation, ...], tuple[Operation, ...]]) -> list[Line]:
    """Lines of one quotient each: the name, what is above and what is below."""
    return [Line(name, ((None, ("*", "1", above, below)),)) for name, above, below in parts]


@each(
    "other",
    FAMILIES["a product of divisors is left alone where it would not be enough"],
)
def test_a_product_of_divisors_is_left_alone_where_it_would_not_be_enough(other: Line) -> None:
    lines = [other, *quotients(("u", (("s", "x"),), (a, b)))]
    found = with_shared_reciprocals(lines, ())
    assert ("*", "1", (), (a, b)) not in [value for line in found for _, value in line.cases]


def test_minors_are_read_off_products_and_squares() -> None:
    products = {("a", "b"): ((a, b), ()), ("a", "a"): ((("^", a, 2),), ())}
    for first, above in products.items():
        for second, below in products.items():
            assert minor_of(("+", ("*", "1", *above), ("*", "-1", *below))) == (*first, *second)
            assert minor_of(("+", ("*", "1", *above), ("*", "-2", *below))) == ()
    assert minor_of(("+", ("^", a, 2), ("*", "-1", (b, c), ()))) == ("a", "a", "b", "c")
    assert minor_of(("+", ("^", a, 3), ("*", "-1", (b, c), ()))) == ()


@each(("first", "second"), [*product([Fraction(1, 3), Fraction(2), Fraction(-1, 2)], repeat=2)])
def test_positive_terms_come_first_and_a_number_is_taken_out_where_all_have_it(
    first: Fraction, second: Fraction
) -> None:
    letters = sorted([("A", first), ("D", second)], key=lambda term: term[1] < 0)
    assert words_of(first * A + second * D)[2] == tuple((str(number), (), (name,)) for name, number in letters)
    K = Range("K")
    i, arrays = K.index("i"), {name: Array(name, K) for name in "uvw"}
    u, v, w = (array[i] for array in arrays.values())
    entries = {name: ("at", name, (("i",),)) for name in arrays}
    common = first if first == second else Fraction(1)
    terms = sorted([("v", first), ("w", second)], key=lambda term: term[1] < 0)
    inside = added([multiple(number / common, [entries[name]]) for name, number in terms])
    lowering = Lowering(arrays, {"K": K}, ["i"])
    assert lowering.readable(u * (first * v + second * w)) == multiple(common, [entries["u"], inside])


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


test_statements_have_their_verdicts = FAMILIES.verdicts()

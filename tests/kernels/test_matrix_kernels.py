"""Kernels of matrices: what is refused, the text, and balls and floats against references that share no code."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from case_files import Cases
from each import each
from flint import arb, arb_mat, ctx
from kernels import synthetic_matrices
from kernels.elsewhere import packaged

from derivations.kernels.kernel import Kernel
from derivations.kernels.specification.matrices import exponential, exponential_integral, inverse
from derivations.language.words import Letter
from derivations.language.words.blocks import Blocks

FAMILIES = Cases(__file__, globals())

A, B, x, t = Letter("A", "n", "n"), Letter("B", "n", "m"), Letter("x", "n", 1), Letter("t", 1, 1)
G, H = Letter("G", "n", "n", symmetric=True), Letter("H", "n", "n")
corners = Blocks([[Letter("a", "n", "n"), Letter("b", "n", "m")], [Letter("c", "m", "n"), Letter("d", "m", "m")]])


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with packaged(synthetic_matrices.ALL, tmp_path_factory.mktemp("site") / "matrices_for_tests") as package:
        yield package


# --- bad input --------------------------------------------------------------------------------------------------------

HOSTILE = 'a""" + exec'


def kernel(**options: Any) -> Kernel:
    given = {"says": "k", "inputs": [A, B, t, G], "returns": {"y": A @ B}, "rests_on": ["growth"]}
    return Kernel("k", **(given | options))


test_statements_have_their_verdicts = FAMILIES.verdicts()


# --- text -------------------------------------------------------------------------------------------------------------


def test_the_hash_tells_formulas_apart_and_forgets_the_order_of_sums() -> None:
    hashes = [kernel(returns={"y": e}).sha256 for e in (A @ A + G, G + A @ A, A @ A - G, A.T @ A + G)]
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 3
    steps = [kernel(steps=[(H, step)]).sha256 for step in (G, inverse(G), exponential(G), exponential_integral(G, t))]
    assert len(set(steps)) == 4


# --- values -----------------------------------------------------------------------------------------------------------

SYMMETRIC = [["1/2", "-1/3", "2"], ["-1/3", "-3/4", "1/5"], ["2", "1/5", "0"]]
SINGULAR = [["1", "2", "0"], ["2", "4", "0"], ["0", "0", "0"]]
DIAGONAL = [["3/2", 0, 0], [0, 0, 0], [0, 0, "-1/7"]]
WIDE = [["1/2", "1/3", "-1/4"], ["2/5", "-1", "1/6"]]
TIMES = ("0", "1/3", "7/2")


def numbers(rows: list[list[Any]]) -> list[list[float]]:
    return [[float(Fraction(entry)) for entry in row] for row in rows]


def precise(rows: list[list[Any]]) -> Any:
    return mpmath.matrix([[mpmath.mpf(Fraction(e).numerator) / Fraction(e).denominator for e in row] for row in rows])


def holds(balls: Any, values: Any, radius: float = 1e-45) -> bool:
    """Check that narrow balls lie at the reference, which has 60 digits."""
    with ctx.workdps(60):
        pairs = [
            (balls[i, j], arb(mpmath.nstr(values[i, j], 55)))
            for i in range(balls.nrows())
            for j in range(balls.ncols())
        ]
        return all(ball.rad() < radius and abs(ball - value) < 1e-40 * (1 + abs(value)) for ball, value in pairs)


@each("time", TIMES)
@each("matrix", [SYMMETRIC, SINGULAR])
def test_exponentials_and_their_integrals_agree_with_another_library(package: Any, matrix: Any, time: str) -> None:
    e, i, f = package.ball("verhulst:exponentials")(matrix, DIAGONAL, time, digits=60)
    with mpmath.workdps(70):
        span = precise([[time]])[0, 0]
        generator, n = precise(matrix) * span, 3
        series = mpmath.matrix(n, n)
        for k in reversed(range(1, 150)):  # t (I + A t/2 (I + A t/3 (...)))
            series = mpmath.eye(n) + generator * series / (k + 1)
        assert holds(e, mpmath.expm(generator, method="taylor"))
        assert holds(i, series * span)
        assert holds(f, mpmath.expm(-precise(DIAGONAL) * span, method="taylor"))
    floats = package.kernel("verhulst:exponentials")(numbers(matrix), numbers(DIAGONAL), float(Fraction(time)))
    for plain, ball in zip(floats, (e, i, f), strict=True):
        exact = np.array([[float(entry.mid()) for entry in row] for row in ball.tolist()])
        assert np.max(np.abs(plain - exact)) < 1e-14 * (1 + np.max(np.abs(exact)))


def test_blocks_are_cut_and_joined_where_the_words_say(package: Any) -> None:
    column = [["1"], ["-2"], ["1/3"]]
    y, whole, beside = package.ball("verhulst:blocks")(SYMMETRIC, WIDE, column, "3/4", digits=60)
    with mpmath.workdps(70):
        a, w, v, span = precise(SYMMETRIC), precise(WIDE), precise(column), mpmath.mpf(3) / 4
        generator = mpmath.zeros(5)
        generator[:3, :3], generator[:3, 3:], generator[3:, :3] = a * span, w.T, w
        assert holds(whole, mpmath.expm(generator, method="taylor"))
        assert holds(y, mpmath.lu_solve(mpmath.eye(3) + w.T * w / 3, v) - v * 2 * span / 7)
        both = mpmath.zeros(2)
        both[:, 1] = w * v
        assert holds(beside, both)
    floats = package.kernel("verhulst:blocks")(numbers(SYMMETRIC), numbers(WIDE), numbers(column), 0.75)
    for plain, ball in zip(floats, (y, whole, beside), strict=True):
        exact = np.array([[float(entry.mid()) for entry in row] for row in ball.tolist()])
        assert np.max(np.abs(plain - exact)) < 1e-14 * (1 + np.max(np.abs(exact)))


def test_matrices_without_rows_or_columns_are_matrices_too(package: Any) -> None:
    found = package.ball("verhulst:blocks")(SYMMETRIC, arb_mat(0, 3), [[1], [2], [3]], 1)
    assert [(m.nrows(), m.ncols()) for m in found] == [(3, 1), (3, 3), (0, 2)]
    plain = package.kernel("verhulst:blocks")(numbers(SYMMETRIC), np.zeros((0, 3)), [[1], [2], [3]], 1)
    assert [m.shape for m in plain] == [(3, 1), (3, 3), (0, 2)]


def test_inputs_that_do_not_fit_together_are_refused(package: Any) -> None:
    for function in (package.kernel("verhulst:exponentials"), package.ball("verhulst:exponentials")):
        with pytest.raises(ValueError, match="D is not an array of n x n"):
            function(numbers(SYMMETRIC), [[1.0, 0.0], [0.0, 1.0]], 1.0)
        with pytest.raises(ValueError, match="A is not an array of n x n"):
            function([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]], numbers(DIAGONAL), 1.0)
    with pytest.raises(ValueError, match="an array of 2 axes is needed, and this one has 1"):
        package.kernel("verhulst:exponentials")([1.0, 2.0], numbers(DIAGONAL), 1.0)


def test_an_unknown_kernel_of_matrices_is_answered_with_a_suggestion(package: Any) -> None:
    with pytest.raises(package.UnknownKernel, match="did you mean verhulst:exponentials"):
        package.kernel("verhulst:exponential")
    assert package.index()["verhulst:blocks"].arguments == ("A", "W", "x", "t")
    assert package.numbers() == {}

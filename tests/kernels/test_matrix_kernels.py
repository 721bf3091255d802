"""Kernels of matrices: what is refused, the text, and balls and floats against references that share no code."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
from each import each
from flint import arb, arb_mat, ctx
from kernels import synthetic, synthetic_matrices

import numerics.kernels
from derivations.kernels.committed import sources, write_all
from derivations.kernels.kernel import Kernel, KernelError
from derivations.kernels.specification.matrices import exponential, exponential_integral, inverse
from derivations.language.words import Letter, ShapeError, identity, trace, zero
from derivations.language.words.blocks import Blocks

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

A, B, x, t = Letter("A", "n", "n"), Letter("B", "n", "m"), Letter("x", "n", 1), Letter("t", 1, 1)
G, H = Letter("G", "n", "n", symmetric=True), Letter("H", "n", "n")
corners = Blocks([[Letter("a", "n", "n"), Letter("b", "n", "m")], [Letter("c", "m", "n"), Letter("d", "m", "m")]])


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A package like numerics.kernels that holds the synthetic kernels."""
    folder = tmp_path_factory.mktemp("site") / "matrices_for_tests"
    write_all(synthetic_matrices.ALL, folder)
    (folder / "__init__.py").write_text(Path(numerics.kernels.__file__).read_text(encoding="utf-8"), encoding="utf-8")
    sys.path.insert(0, str(folder.parent))
    invalidate_caches()
    yield import_module(folder.name)
    sys.path.remove(str(folder.parent))


# --- bad input --------------------------------------------------------------------------------------------------------

MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "no sentence": ({"says": " "}, "the kernel k says nothing"),
    "hostile text": ({"domain": 'a""" + exec'}, "triple quotes"),
    "nothing": ({"returns": {}}, "needs at least one input and one matrix that it returns"),
    "unknown letter": (
        {"returns": {"y": A @ H}},
        r"uses H, which is no input and not yet defined \(known: A, B, t, G\)",
    ),
    "too early": ({"steps": [(H, inverse(H))]}, "the formula of H in the kernel k uses H, which is no input"),
    "another letter": (
        {"returns": {"y": Letter("A", "n", "n", symmetric=True)}},
        "another letter A than the one declared",
    ),
    "unknown dimension": ({"returns": {"y": identity("k")}}, "has the dimension k, which no input has"),
    "wrong shape": ({"steps": [(H, A @ B)]}, "H in the kernel k has the shape n x n, but what defines it has n x m"),
    "wrong blocks": (
        {"steps": [(corners, exponential(G))]},
        r"a, b, c, d in the kernel k has the shape n\+m x n\+m, but",
    ),
    "words defined": ({"steps": [(2 * H, inverse(A))]}, "is no letter and no block matrix of letters"),
    "not square": ({"steps": [(Letter("R", "n", "m"), inverse(B))]}, "is of a matrix that is not square"),
    "not symmetric": ({"steps": [(H, exponential(A * t))]}, "does not equal its transpose, as it stands"),
    "of a number": ({"steps": [(Letter("u", 1, 1), exponential(t))]}, "is of a number or has a block of one row"),
    "no time": ({"steps": [(H, exponential_integral(G, A))]}, "ends at A, which is n x n and no number"),
    "trace": ({"returns": {"y": trace(A) * A}}, "holds an inner product or a trace"),
    "name twice": ({"steps": [(A, inverse(G))]}, "uses the name A twice"),
    "name of a dimension": ({"returns": {"n": A}}, "uses the name n twice"),
    "name of a program": ({"returns": {"joined": A}}, "joined in the kernel k means something else"),
    "keyword": ({"returns": {"lambda": A}}, "keyword of Python or C"),
    "not seen symmetric": (
        {"steps": [(Letter("S", "n", "n", symmetric=True), A @ G)]},
        "S in the kernel k is declared symmetric, which its step does not show",
    ),
    "not seen diagonal": ({"steps": [(Letter("S", "n", "n", diagonal=True), exponential(G))]}, "is declared diagonal"),
    "not its definition": ({"steps": [(Letter("S", "n", "n", equals=A @ A), A)]}, "is declared equals"),
    "not its inverse": ({"steps": [(Letter("S", "n", "n", inverse_of=A), inverse(A.T))]}, "is declared inverse_of"),
    "not seen orthonormal": (
        {"steps": [(Letter("S", "n", "m", orthonormal_columns=True), B)]},
        "is declared orthonormal_columns",
    ),
}


def kernel(**options: Any) -> Kernel:
    given = {"says": "k", "inputs": [A, B, t, G], "returns": {"y": A @ B}, "rests_on": ["growth"]}
    return Kernel("k", **(given | options))


@each("mistake", [*MISTAKES])
def test_a_mistake_is_answered_with_one_sentence(mistake: str) -> None:
    options, sentence = MISTAKES[mistake]
    with pytest.raises(KernelError, match=sentence) as caught:
        kernel(**options)
    assert "\n" not in str(caught.value)


def test_matrices_that_do_not_fit_are_refused_where_they_meet() -> None:
    with pytest.raises(ShapeError, match="have no product"):
        kernel(returns={"y": B @ A})


def test_numbers_and_matrices_of_one_paper_cannot_share_a_name() -> None:
    twin = Kernel("logistic_flow", says="k", inputs=[A], returns={"y": A}, rests_on=["growth"])
    with pytest.raises(KernelError, match="two kernels of verhulst are called logistic_flow"):
        sources({"verhulst": [synthetic.flow, twin]})


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


def test_a_zero_block_stays_zero() -> None:
    text = sources({"p": [kernel(returns={"y": Blocks([[zero("n", "m"), B]])})]})["p.py"]
    assert "np.block([[np.zeros((n, m)), B]])" in text

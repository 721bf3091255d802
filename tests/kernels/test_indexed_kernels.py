"""Kernels with sums: what is refused, the text, and loops on floats and balls against sums written out."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from case_files import Cases
from each import each
from flint import arb, ctx
from kernels import synthetic_indexed
from kernels.elsewhere import packaged
from kernels.synthetic_indexed import naive

from derivations.kernels.kernel import Kernel
from derivations.kernels.specification.sums import Definition, Joined, Step, entry, fields
from derivations.language.sums import Array, MisfitError, Range, delta, number, size, total

FAMILIES = Cases(__file__, globals())

K, M = Range("K"), Range("M")
F = Joined("F", (K, M))
i, j, k, m, f = K.index("i"), K.index("j"), K.index("k"), M.index("m"), F.index("f")
R, Q, w, c = Array("R", K, M), Array("Q", K, K, symmetric=True), Array("w", K), Array("c")
y, wide, both = Array("y", K), Array("wide", F), Array("both", F, F, symmetric=True)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with packaged(synthetic_indexed.ALL, tmp_path_factory.mktemp("site") / "loops_for_tests") as package:
        yield package


# --- bad input --------------------------------------------------------------------------------------------------------


def kernel(*steps: Step, **options: Any) -> Kernel:
    given: dict[str, Any] = {"says": "k", "inputs": [R, Q, w, c], "returns": [y], "rests_on": ["growth"]}
    return Kernel("k", **(given | {"steps": steps or [Definition(y, {(i,): w[i]})]} | options))


SUMMED = total(R[i, m], m)
HOSTILE = 'a""" + exec'


test_a_mistake_is_answered_with_one_sentence = FAMILIES.verdicts()


def test_a_transposed_entry_is_refused_where_the_ranges_differ() -> None:
    with pytest.raises(MisfitError, match=r"R takes indices of the ranges \(K, M\)"):
        _ = R[m, i]
    with pytest.raises(MisfitError, match=r"R takes indices of the ranges \(K, M\) or of their parts, got \(M, K\)"):
        entry(R, m, i)
    with pytest.raises(MisfitError, match=r"or of their parts, got \(F, M\)"):
        entry(R, f, m)


def test_an_average_takes_the_covariances_that_its_arguments_name() -> None:
    C = Array("C", F, F, symmetric=True)
    average = Kernel(
        "mean",
        says="k",
        state=synthetic_indexed.sp.symbols("C_aa C_cc C_ab C_bc C_ac"),
        returns={"one": synthetic_indexed.sp.Integer(1)},
    )
    taken = list(fields(average, C, i, m, f))
    assert taken == [entry(C, *at) for at in ((i, i), (f, f), (i, m), (m, f), (i, f))]


# --- text -------------------------------------------------------------------------------------------------------------


@each("factor", [2, -1, Fraction(-3, 4)])
def test_terms_that_have_nothing_but_a_coefficient_in_common_keep_it(factor: Fraction) -> None:
    made = kernel(Definition(y, {(i,): factor * w[i] + factor * Q[i, i]}))
    (found,) = made.balls([[0], [0]], [[3, 0], [0, 5]], [1, 2], 0)
    assert [float(x.mid()) for x in found] == [float(4 * factor), float(7 * factor)]
    (floats,) = made.lambdify()([[0], [0]], [[3, 0], [0, 5]], [1, 2], 0)
    assert floats.tolist() == [float(4 * factor), float(7 * factor)]


def test_the_hash_tells_formulas_apart_and_forgets_names_of_summed_indices() -> None:
    square = Array("y", K, K)
    forms = [
        total(R[i, m] * R[j, m], m),
        total(R[j, M.index("other")] * R[i, M.index("other")], M.index("other")),
        total(R[i, m] * R[i, m], m),
        total(R[i, m], m) * total(R[j, m], m),
        delta(i, j),
        size(K) * number(1),
    ]
    hashes = [kernel(Definition(square, {(i, j): form}), returns=[square]).sha256 for form in forms]
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == len(hashes) - 1


# --- values -----------------------------------------------------------------------------------------------------------


def arguments(sizes: tuple[int, int, int], seed: int) -> tuple[Any, Any, Any, Fraction]:
    """Fractions that floats hold exactly, without any symmetry but that of B."""
    rng = np.random.default_rng(seed)
    K, M, L = sizes

    def drawn(*shape: int) -> Any:
        return rng.integers(-12, 12, size=shape) / 8

    B = drawn(K, K)
    A, B, w = drawn(K, M), np.tril(B) + np.tril(B, -1).T, drawn(L)
    exact = [[[Fraction(x) for x in row] for row in rows.tolist()] for rows in (A, B, w[None])]
    return exact[0], exact[1], exact[2][0], Fraction(3, 4)


def same(found: Any, exact: Any) -> bool:
    if isinstance(exact, list):
        return len(found) == len(exact) and all(map(same, found, exact))
    with ctx.workdps(80):
        return bool(found.rad() < 1e-45 and found.overlaps(arb(exact.numerator) / exact.denominator))


SIZES = FAMILIES["sizes"]


@each("sizes", SIZES)
def test_loops_on_balls_are_the_sums_written_out(package: Any, sizes: tuple[int, int, int]) -> None:
    given = arguments(sizes, seed=sum(sizes))
    found = package.ball("verhulst:mixture")(*given, digits=60)
    assert all(map(same, found, naive(*given)))


@each("sizes", SIZES)
def test_loops_on_floats_are_the_sums_written_out(package: Any, sizes: tuple[int, int, int]) -> None:
    given = arguments(sizes, seed=sum(sizes))
    plain = [np.array(part, dtype=float) for part in given[:3]]
    found = package.kernel("verhulst:mixture")(*plain, float(given[3]))
    for computed, exact in zip(found, naive(*given), strict=True):
        values = np.array(exact, dtype=float)
        assert np.shape(computed) == values.shape
        assert np.abs(computed - values).max(initial=0.0) <= 1e-14 * (1 + np.abs(values).max(initial=0.0))


def test_arrays_that_do_not_fit_together_are_refused(package: Any) -> None:
    A, B, w, c = arguments((2, 3, 1), seed=1)
    turned = [list(row) for row in zip(*A, strict=True)]
    crooked = [[B[0][0], B[0][1]], [B[0][1] + 1, B[1][1]]]
    for change, sentence in (
        ({0: turned}, "B is not an array of K x K"),
        ({1: [row[:1] for row in B]}, "B is not an array of K x K"),
        ({1: crooked}, "B is not symmetric"),
    ):
        given = [change.get(at, part) for at, part in enumerate((A, B, w))]
        with pytest.raises(ValueError, match=sentence):
            package.ball("verhulst:mixture")(*given, c)
        with pytest.raises(ValueError, match=sentence):
            package.kernel("verhulst:mixture")(*(np.array(part, dtype=float) for part in given), float(c))
    with pytest.raises(ValueError, match="the rows of an array have different lengths"):
        package.ball("verhulst:mixture")([A[0], A[1][:2]], B, w, c)


def test_an_unknown_kernel_with_sums_is_answered_with_a_suggestion(package: Any) -> None:
    with pytest.raises(package.UnknownKernel, match="did you mean verhulst:mixture"):
        package.kernel("verhulst:mixtures")
    assert package.index()["verhulst:mixture"].arguments == ("A", "B", "w", "c")
    assert sorted(package.numbers()) == ["verhulst:crossed", "verhulst:lone"]

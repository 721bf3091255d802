"""Kernels with sums as files that stand alone: their reference values, other sizes, wrong formulas and bad input."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from case_files import Cases
from each import each
from flint import arb, ctx
from kernels.of_papers import ARRAYS, made
from kernels.synthetic_indexed import l, lone, m, mixture, naive, w

from derivations.kernels.kernel import Kernel, KernelError
from derivations.kernels.points import references
from derivations.kernels.reference import leaves
from derivations.kernels.specification.sums import Call, Definition
from derivations.kernels.targets import TARGETS, files_of
from derivations.language.sums import Array, number
from numerics.kernels import ball

FAMILIES = Cases(__file__, globals())

SIZES = [(3, 2, 4), (1, 3, 2), (2, 2, 0)]
needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


def arguments(sizes: tuple[int, int, int]) -> tuple[Any, Any, Any, float]:
    """Floats with few bits, without any symmetry but that of B."""
    rng = np.random.default_rng(sum(sizes))
    K, M, L = sizes
    A, B, w = (rng.integers(-12, 12, size=shape) / 8 for shape in ((K, M), (K, K), (L,)))
    return A, np.tril(B) + np.tril(B, -1).T, w, 0.75


def exact_values(given: tuple[Any, Any, Any, float]) -> list[Any]:
    A, B, w = ([[Fraction(x) for x in row] for row in np.atleast_2d(part).tolist()] for part in given[:3])
    return [np.array(value, dtype=float) for value in naive(A, B, w[0], Fraction(given[3]))]


def module(target: str, folder: Path, replacing: tuple[str, str] = ("", "")) -> Any:
    text = files_of(mixture, target)["mixture.py"]
    (folder / "mixture.py").write_text(text.replace(*replacing, 1) if replacing[0] else text)
    spec = spec_from_file_location("mixture_of_test", folder / "mixture.py")
    assert spec is not None
    assert spec.loader is not None
    found = module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


# --- reference values -------------------------------------------------------------------------------------------------


@each("name", ARRAYS)
def test_reference_values_are_those_of_the_ball_twin(name: str) -> None:
    for row in references(made()[name]):
        balls = ball(name)(*row.point, digits=60)
        for texts, value in zip(row.texts, balls, strict=True):
            with ctx.workdps(60):
                for text, entry in zip(texts, leaves(value), strict=True):
                    assert abs(arb(text) - entry) <= abs(entry) * arb("1e-29") + arb("1e-45")


def test_reference_values_are_the_sums_written_out() -> None:
    for row in references(mixture):
        A, B, w, c = (np.vectorize(Fraction, otypes=[object])(np.array(part)).tolist() for part in row.point)
        for texts, value in zip(row.texts, naive(A, B, w, c), strict=True):
            for text, exact in zip(texts, np.ravel(np.array(value, dtype=object)), strict=True):
                assert abs(Fraction(text) - exact) <= abs(exact) / 10**29


# --- other sizes than those of the tests inside -----------------------------------------------------------------------


def test_whole_arrays_are_the_sums_written_out_at_any_size(tmp_path: Path) -> None:
    numpy_file = module("numpy", tmp_path)
    for sizes in SIZES:
        given = arguments(sizes)
        for found, exact in zip(numpy_file.mixture(*given), exact_values(given), strict=True):
            assert np.shape(found) == exact.shape
            np.testing.assert_allclose(found, exact, rtol=1e-13, atol=1e-12)


@needs_cc
def test_a_library_of_c_is_called_at_any_size_and_says_what_is_wrong(tmp_path: Path) -> None:
    for name, text in files_of(mixture, "c").items():
        (tmp_path / name).write_text(text)
    strict = ["cc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-shared", "-fPIC"]
    subprocess.run([*strict, "-o", tmp_path / "mixture.so", tmp_path / "mixture.c", "-lm"], check=True)
    function = ctypes.CDLL(str(tmp_path / "mixture.so")).mixture
    function.restype = ctypes.c_char_p

    def run(sizes: tuple[int, int, int], given: Any) -> tuple[bytes | None, list[Any]]:
        results = [np.empty(exact.shape) for exact in exact_values(given)]
        pointers = [part.ctypes.data_as(ctypes.c_void_p) for part in (*given[:3], *results)]
        counts = map(ctypes.c_size_t, sizes)
        return function(*counts, *pointers[:3], ctypes.c_double(given[3]), *pointers[3:]), results

    for sizes in SIZES:
        given = arguments(sizes)
        answer, results = run(sizes, given)
        assert answer is None
        for found, exact in zip(results, exact_values(given), strict=True):
            np.testing.assert_allclose(found, exact, rtol=1e-13, atol=1e-12)
    given = arguments((3, 2, 4))
    given[1][0, 2] += 1
    assert run((3, 2, 4), given)[0] == b"B is not symmetric"
    assert run((1, 2**40, 2**40), arguments((1, 1, 1)))[0] == b"there is not enough memory"


# --- a wrong one does not pass ----------------------------------------------------------------------------------------


def test_a_wrong_formula_fails_its_own_test(tmp_path: Path) -> None:
    assert module("numpy", tmp_path).self_test() == []
    (sentence, *_) = module("numpy", tmp_path, ("rate*part", "1.0000000001*rate*part")).self_test()
    assert sentence.startswith("mixture at point 0: z ")


@needs_cc
def test_a_wrong_formula_in_c_fails_its_own_test(tmp_path: Path) -> None:
    for name, text in files_of(mixture, "c").items():
        (tmp_path / name).write_text(text.replace("= 1.0/c", "= 1.0000000001/c"))
    subprocess.run(["cc", "-DSELF_TEST", tmp_path / "mixture.c", "-lm", "-o", tmp_path / "a.out"], check=True)
    done = subprocess.run([tmp_path / "a.out"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "mixture, point 0: entry 0 of z = " in done.stdout


# --- text -------------------------------------------------------------------------------------------------------------


def test_every_file_says_shapes_domain_and_formulas_also_of_what_it_calls() -> None:
    for target in TARGETS:
        text = next(iter(files_of(mixture, target).values())).replace("// ", "")
        assert mixture.sha256 in text
        assert "    A     K x M  any real numbers\n    B     K x K  symmetric\n" in text
        assert "where\n    c != 0\n" in text
        assert "    one[f, g], other[f, g] = crossed(G[f, g], 2*u[f] - u[g])\n" in text
        assert "crossed(p, q): Two numbers that tell their arguments apart.\n    one = p + 2*q\n" in text


# --- bad input --------------------------------------------------------------------------------------------------------


def test_arrays_that_do_not_fit_together_are_refused(tmp_path: Path) -> None:
    function = module("numpy", tmp_path).mixture
    A, B, w, c = arguments((2, 3, 1))
    for given, sentence in (
        ((A.T, B, w, c), "B is not an array of K x K"),
        ((A, B + np.triu(B, 1) + [[0, 1], [0, 0]], w, c), "B is not symmetric"),
        ((A[0], B, w, c), "an array of 2 axes is needed, and this one has 1"),
    ):
        with pytest.raises(ValueError, match=sentence):
            function(*given)


def renamed(name: str, kernel: Kernel) -> Kernel:
    y = Array(name, l.range)
    step = Call([y], (l,), kernel, [w[l]])
    return Kernel("k", says="k", inputs=[w], steps=[step], returns=[y], rests_on=["growth"])


@each(("name", "target"), [("array", "numpy"), ("calloc", "c"), ("template", "c"), ("POINTS", "numba"), ("Math", "js")])
def test_names_that_mean_something_else_are_refused(name: str, target: str) -> None:
    with pytest.raises(KernelError, match=f"{name} in the kernel k means something else in programs of"):
        files_of(renamed(name, lone), target)


def test_arguments_and_sizes_that_no_formula_uses_are_no_warning(tmp_path: Path) -> None:
    y = Array("y", m.range)
    constant = Kernel(
        "k",
        says="k",
        inputs=[Array("A", l.range, m.range), Array("c")],
        steps=[Definition(y, {(m,): number(2)})],
        returns=[y],
        rests_on=["growth"],
    )
    source = files_of(constant, "c")["k.c"]
    assert "    (void)L;\n    (void)A;\n    (void)c;\n" in source


test_statements_have_their_verdicts = FAMILIES.verdicts()

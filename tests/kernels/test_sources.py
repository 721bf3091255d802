"""Files that stand alone: every kernel of every paper passes its own test in every language, a wrong one does not."""

from __future__ import annotations

import json
import re
import shutil
import sys
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from each import each
from kernels import synthetic, synthetic_indexed, synthetic_matrices
from kernels.elsewhere import output, ran
from kernels.of_papers import ARRAYS, NUMBERS, made

from derivations.kernels.committed import sources
from derivations.kernels.kernel import Kernel, KernelError
from derivations.kernels.points import branches_at, references
from derivations.kernels.reference import balls
from derivations.kernels.targets import TARGETS, Facts, files_of

SYNTHETIC = {kernel.name: kernel for kernel in synthetic.ALL["verhulst"]}
DIVIDES = {"decoupling"}
"""The kernels that divide by zero on purpose, which only compiled code does in silence."""
COMPILED = {*DIVIDES, "averaged_slope", "powers", "larger_root", "mixture", "blocks"}
"""The kernels that Numba compiles in the laws; by default they run as plain Python, too, which is the same text."""
RUN = """
import sys
from importlib import import_module
from pathlib import Path
sys.path.insert(0, sys.argv[1])
for path in sorted(Path(sys.argv[1]).glob("*.py")):
    print("\\n".join(import_module(path.stem).self_test()), end="")
"""
needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node to run JavaScript with")
needs_jax = pytest.mark.skipif(find_spec("jax") is None, reason="JAX is not installed")

x, y = sp.symbols("x y", positive=True)
z = sp.Symbol("z", real=True)


def of_numbers() -> list[Kernel]:
    """The kernels of papers that take numbers."""
    return [made()[name] for name in NUMBERS]


def of_arrays() -> list[Kernel]:
    return [*(made()[name] for name in ARRAYS), synthetic_indexed.mixture, *synthetic_matrices.ALL["verhulst"]]


def every() -> list[Kernel]:
    return [*of_numbers(), *SYNTHETIC.values(), *of_arrays()]


def written(kernels: list[Any], target: str, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    for kernel in kernels:
        for name, text in files_of(kernel, target).items():
            (folder / name).write_text(text, encoding="utf-8")
    return folder


# --- every kernel passes its own test ---------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["numpy", pytest.param("jax", marks=needs_jax)])
def test_every_python_file_passes_its_own_test_without_warnings(target: str, tmp_path: Path) -> None:
    folder = written(every(), target, tmp_path / "files")
    done = ran(sys.executable, "-W", "error", "-c", RUN, folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_jax_files_are_python(tmp_path: Path) -> None:
    for path in written(every(), "jax", tmp_path / "files").glob("*.py"):
        compile(path.read_text(encoding="utf-8"), path.name, "exec")


@pytest.mark.parametrize("way", ["plain", "compiled", pytest.param("more compiled", marks=pytest.mark.laws)])
def test_every_numba_file_passes_its_own_test(way: str, tmp_path: Path) -> None:
    of_way = {
        "plain": [kernel for kernel in every() if kernel.name not in DIVIDES],
        "compiled": [kernel for kernel in every() if kernel.name in DIVIDES],
        "more compiled": [kernel for kernel in every() if kernel.name in COMPILED - DIVIDES],
    }
    folder = written(of_way[way], "numba", tmp_path / "files")
    done = ran(sys.executable, "-W", "error", "-c", RUN, folder, NUMBA_DISABLE_JIT=str(int(way == "plain")))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@needs_cc
@pytest.mark.parametrize("effort", ["-O1", pytest.param("-O2", marks=pytest.mark.laws)])
def test_every_c_file_compiles_without_warnings_and_passes_its_own_test(effort: str, tmp_path: Path) -> None:
    folder = written(every(), "c", tmp_path / "files")
    strict = ["cc", "-std=c11", effort, "-Wall", "-Wextra", "-Wshadow", "-Wpedantic", "-Werror", "-DSELF_TEST"]
    for source in sorted(folder.glob("*.c")):
        done = ran(*strict, source, "-lm", "-o", tmp_path / "a.out")
        assert done.returncode == 0, done.stderr
        done = ran(tmp_path / "a.out")
        assert done.returncode == 0, done.stdout
        assert re.fullmatch(rf"{source.stem}: \d+ points agree\n", done.stdout)


@needs_cc
@pytest.mark.parametrize(
    "options", [["-std=c11", "-O3", "-march=native"], ["-O3", "-march=native", "-ffp-contract=fast"]]
)
def test_contraction_and_optimisation_leave_error_free_products_alone(options: list[str], tmp_path: Path) -> None:
    cancelling = Kernel("cancelling", state=[x, y, z], returns={"a": x * y - z**2})
    for name, text in cancelling.sources("c").items():
        (tmp_path / name).write_text(text)
    driver = '#include <stdio.h>\n#include "cancelling.h"\nint main(void) { double r[1]; '
    a, b, c = 1 + 2.0**-30, 1 - 2.0**-30, 1.0
    driver += f'cancelling({a!r}, {b!r}, {c!r}, r); printf("%.17g", r[0]); return 0; }}'
    (tmp_path / "driver.c").write_text(driver)
    built = ran("cc", *options, tmp_path / "driver.c", tmp_path / "cancelling.c", "-lm", "-o", tmp_path / "a.out")
    assert built.returncode == 0, built.stderr
    assert float(ran(tmp_path / "a.out").stdout) == float(Fraction(a) * Fraction(b) - 1) == -(2.0**-60)


@needs_node
def test_every_module_of_javascript_passes_its_own_test(tmp_path: Path) -> None:
    folder = written(every(), "js", tmp_path / "files")
    modules = sorted(path.name for path in folder.glob("*.mjs"))
    code = f"for (const m of {modules}) console.log(...(await import(`{folder}/${{m}}`)).selfTest());"
    done = ran("node", "--input-type=module", "-e", code)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")
    assert ran("node", folder / "blocks.mjs").stdout == "blocks: 3 points agree\n"


# --- a wrong one does not ---------------------------------------------------------------------------------------------

SPOILT = {"numba": ("1.0 +", "1.0000001 +"), "numpy": ("1.0 +", "1.0000001 +")}
area = Kernel("area", state=[x, y], returns={"a": sp.sqrt(x * y) + 1})


@pytest.mark.parametrize("target", SPOILT)
def test_a_wrong_formula_fails_its_own_test(target: str, tmp_path: Path) -> None:
    text = area.source(target)
    right, wrong = SPOILT[target]
    (tmp_path / "area.py").write_text(text)
    assert ran(sys.executable, tmp_path / "area.py", NUMBA_DISABLE_JIT="1").stdout.endswith("points agree\n")
    body = text.index("def area(")
    (tmp_path / "area.py").write_text(text[:body] + text[body:].replace(right, wrong, 1))
    done = ran(sys.executable, tmp_path / "area.py", NUMBA_DISABLE_JIT="1")
    assert done.returncode == 1
    assert "should be" in done.stdout


@needs_node
def test_a_wrong_formula_in_javascript_fails_its_own_test(tmp_path: Path) -> None:
    path = tmp_path / "area.mjs"
    path.write_text(area.source("js").replace("= 1.0 +", "= 1.0000001 +"))
    done = ran("node", path)
    assert (done.returncode, "should be" in done.stdout) == (1, True)


@needs_node
def test_arrays_of_other_sizes_are_refused_in_javascript(tmp_path: Path) -> None:
    folder = written([synthetic_indexed.mixture], "js", tmp_path / "files")
    given = ", ".join(["[[1, 2], [3]]"] * len(synthetic_indexed.mixture.arguments))
    code = f"import {{ mixture }} from '{folder}/mixture.mjs'; mixture({given});"
    assert "RangeError: " in ran("node", "--input-type=module", "-e", code).stderr


@needs_cc
def test_a_wrong_formula_in_c_fails_its_own_test(tmp_path: Path) -> None:
    for name, text in area.sources("c").items():
        (tmp_path / name).write_text(text.replace("= 1.0 +", "= 1.0000001 +"))
    assert ran("cc", "-DSELF_TEST", tmp_path / "area.c", "-lm", "-o", tmp_path / "a.out").returncode == 0
    done = ran(tmp_path / "a.out")
    assert done.returncode == 1
    assert "a = " in done.stdout


# --- reference values -------------------------------------------------------------------------------------------------


@each("name", [*NUMBERS, *SYNTHETIC])
def test_reference_points_lie_in_the_domain_and_hold_thirty_digits(name: str) -> None:
    kernel = SYNTHETIC.get(name) or made()[name]
    rows = references(kernel)
    assert len(rows) >= 8
    for row in rows:
        assert all(
            sp.sympify(r).subs(dict(zip((*kernel.state, *kernel.params), map(sp.Rational, row.point), strict=True)))
            for r in kernel.domain
        )
        for (text,), value in zip(row.texts, balls(kernel, row.point, 60), strict=True):
            assert abs(Fraction(text) - Fraction(value.str(50, radius=False))) <= abs(Fraction(text)) / 10**29


def test_reference_points_take_both_sides_of_every_branch_of_a_simple_kernel() -> None:
    taken = {branches_at(synthetic.root, tuple(map(Fraction, row.point))) for row in references(synthetic.root)}
    assert taken == {(0,), (1,)}


def test_edges_that_belong_to_the_domain_are_among_the_points() -> None:
    closed = Kernel("closed", state=[x], returns={"a": x + 1}, domain=[x >= 1])
    assert any(row.point == (1.0,) for row in references(closed))


# --- text -------------------------------------------------------------------------------------------------------------


def test_every_file_says_where_it_comes_from() -> None:
    facts = Facts("logistic_flow", "verhulst", "Verhulst (1838). Notice.", (("verhulst:growth", "proved"),))
    for target in TARGETS:
        (text, *_) = files_of(synthetic.flow, target, facts).values()
        plain = text.replace(r"\_", "_")
        assert all(word in plain for word in ("The rate of change of a population", "Verhulst (1838), Eq. 4", "Notice"))
        assert re.search(r"verhulst:growth\S*\s+(& )?proved", plain)
        assert synthetic.flow.sha256 in text


def test_shapes_and_domains_stand_in_the_table_of_arguments() -> None:
    kernel = Kernel("fall", state=[x], params=[y], returns={"v": x * y})
    assert re.search(r"^    x     1      x > 0$", kernel.source("numpy"), re.MULTILINE)
    assert re.search(r"^//     v     1$", kernel.source("c"), re.MULTILINE)


def texts() -> list[dict[str, str]]:
    """Everything that is written of some kernels."""
    every_file = [sources(part.ALL) for part in (synthetic, synthetic_indexed, synthetic_matrices)]
    some = (synthetic.root, synthetic.slopes, synthetic_indexed.mixture, *synthetic_matrices.ALL["verhulst"])
    return [*every_file, *(files_of(kernel, target) for target in TARGETS for kernel in some)]


@pytest.mark.parametrize("seed", ["77", pytest.param("0", marks=pytest.mark.laws)])
def test_the_text_is_the_same_under_any_hash_seed(seed: str) -> None:
    code = "import json; from kernels.test_sources import texts; print(json.dumps(texts()))"
    assert json.loads(output("-c", code, PYTHONHASHSEED=seed)) == texts()


def test_lines_are_short_and_hold_plain_spaces() -> None:
    for kernel in every():
        for target in TARGETS:
            for text in files_of(kernel, target).values():
                assert not set(text) & {"\u00a0", "\u202f"}
                longest = max(map(len, text.splitlines()))
                assert longest <= 130, kernel.name


# --- bad input --------------------------------------------------------------------------------------------------------


@each("target", ["rust", "C", "nump"])
def test_an_unknown_target_is_answered_with_those_that_there_are(target: str) -> None:
    with pytest.raises(KernelError, match=f"no target is called {target}.*there are numba, c, jax, numpy, js"):
        synthetic.flow.source(target)


@each(("name", "target"), [("y0", "c"), ("gamma", "c"), ("stdio", "c"), ("statistics", "numpy"), ("jax", "jax")])
def test_a_kernel_with_the_name_of_a_library_function_or_file_is_refused(name: str, target: str) -> None:
    with pytest.raises(KernelError, match=f"{name} already means something else in programs of the target {target}"):
        Kernel(name, state=[x], returns={"a": x}).source(target)


@each(("name", "target"), [("result", "c"), ("NAN", "c"), ("template", "c"), ("jnp", "jax"), ("new", "js")])
def test_names_that_a_language_has_taken_are_refused_there_alone(name: str, target: str) -> None:
    kernel = Kernel("sums", state=[x], returns={name: x + 1})
    with pytest.raises(KernelError, match=f"{name} in the kernel sums means something else in programs of the target"):
        kernel.source(target)
    assert name in kernel.source("numba" if target in ("c", "js") else "c")


def test_an_argument_that_no_formula_uses_is_no_warning_and_constants_have_the_shape_of_arrays() -> None:
    import numpy as np

    kernel = Kernel("constant", state=[x, y], returns={"a": sp.Integer(2), "b": x})
    assert "(void)y;" in kernel.source("c")
    two, same = kernel.lambdify()(np.ones((2, 1)), np.ones(3))
    assert two.shape == same.shape == (2, 3)

"""Emitted kernels: the text, what is refused, and whether floats and balls agree."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import sympy as sp
from case_files import Cases
from each import each
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st
from kernels import synthetic
from kernels.elsewhere import output, packaged

from derivations.kernels.committed import sources, write_all
from derivations.kernels.kernel import Kernel, KernelError
from derivations.language.functions import expm1, relexp, relexp1
from numerics.accuracy.criterion import log_uniform, measure

FAMILIES = Cases(__file__, globals())

x, y = sp.symbols("x y", positive=True)
z = sp.Symbol("z", real=True)
rationals = st.fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=1000)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with packaged(synthetic.ALL, tmp_path_factory.mktemp("site") / "emitted_for_tests") as package:
        yield package


# --- text -------------------------------------------------------------------------------------------------------------


def test_the_program_reads_like_the_formula() -> None:
    files = sources({"verhulst": [synthetic.flow]})
    assert "    dp = p*r*(1.0 - p/K)\n    return (dp,)\n" in files["verhulst.py"]
    text = files["verhulst.py"]
    assert "Domain: p > 0, K > 0, r > 0, 10*K >= p" in text
    assert "Rests on: verhulst:growth" in text
    assert "Source: Verhulst (1838), Eq. 4" in text
    assert synthetic.flow.sha256 in text
    (row,) = json.loads(files["index.json"])["kernels"]
    assert row["inputs"] == [["p", "number"], ["K", "number"], ["r", "number"]]
    ratio = ["+", ["q", "1"], ["*", "-1", [["s", "p"]], [["s", "K"]]]]
    assert row["program"]["body"] == [["=", "dp", [[None, ["*", "1", [["s", "p"], ["s", "r"], ratio], []]]]]]


def test_lines_in_a_row_that_branch_alike_share_one_branch() -> None:
    cases = {name: sp.Piecewise((e, x - y > 1), (y, True)) for name, e in (("a", x + 1), ("b", x / y))}
    text = sources({"p": [Kernel("k", says="k", state=[x, y], returns=cases)]})["p.py"]
    assert (
        "    if x - y > 1.0:\n        a = x + 1.0\n        b = x/y\n    else:\n        a = y\n        b = y\n" in text
    )


@each(
    ("formula", "called"),
    FAMILIES["a difference of two products is computed without their rounding"],
)
def test_a_difference_of_two_products_is_computed_without_their_rounding(formula: Any, called: str) -> None:
    files = sources({"p": [Kernel("k", says="k", state=[x, y, z], returns={"a": formula})]})
    assert called in files["p.py"]
    assert ("import minor\n" in files["p.py"]) == bool(called)


def test_emitted_text_holds_plain_spaces_and_breaks_lines_outside_parentheses() -> None:
    longer = sp.Add(*((x + i) * (y - i) / (x + i + y) for i in range(1, 9)))
    kernel = Kernel("k", says="k", state=[x, y], returns={"a": longer}, domain=[(x - y) ** 2 <= x + 1])
    for text in sources({"p": [kernel]}).values():
        assert not set(text) & {"\u00a0", "\u202f"}
        assert all(line.count("(") == line.count(")") for line in text.splitlines() if line.lstrip().startswith("+ "))


def test_no_line_is_long() -> None:
    wide = Kernel(
        "wide", says="word " * 60, state=[x, y], returns={"a": sp.Add(*(x**i / (y + i) for i in range(1, 30)))}
    )
    assert max(map(len, sources({"p": [wide]})["p.py"].splitlines())) <= 110


@given(st.permutations([sp.Symbol("x", positive=True), sp.Symbol("y", positive=True), sp.Integer(2)]))
def test_the_normal_form_forgets_the_order_of_sums_and_products(parts: list[Any]) -> None:
    written = sp.Add(*parts, sp.Mul(*parts, evaluate=False), evaluate=False)
    straight = sp.Add(x, y, 2, sp.Mul(x, y, 2, evaluate=False), evaluate=False)
    kernels = [Kernel("k", says="k", state=[x, y], returns={"a": e}) for e in (written, straight, straight + 1)]
    assert kernels[0].sha256 == kernels[1].sha256 != kernels[2].sha256
    assert sources({"p": kernels[:1]}) == sources({"p": kernels[1:2]})


# --- bad input --------------------------------------------------------------------------------------------------------

HOSTILE = 'a""" + exec'


test_statements_have_their_verdicts = FAMILIES.verdicts()


def test_a_kernel_on_an_unproved_claim_is_refused() -> None:
    for verdict in ("refuted", "open"):
        with pytest.raises(
            KernelError, match=f"verhulst:logistic_flow rests on verhulst:growth, whose verdict is {verdict}"
        ):
            sources({"verhulst": [synthetic.flow]}, verdicts={"verhulst:growth": verdict})
    assert sources({"verhulst": [synthetic.flow]}, verdicts={"verhulst:growth": "proved"})


# --- files ------------------------------------------------------------------------------------------------------------


def test_writing_twice_changes_nothing_and_what_was_edited_is_mended(tmp_path: Path) -> None:
    assert write_all(synthetic.ALL, tmp_path) == ["balls.py", "elementary.py", "index.json", "verhulst.py"]
    assert write_all(synthetic.ALL, tmp_path) == []
    edited = tmp_path / "verhulst.py"
    edited.write_text(edited.read_text().replace("dp = p*r", "dp = p*p"))
    assert write_all(synthetic.ALL, tmp_path) == ["verhulst.py"]


def test_files_of_papers_without_kernels_go_and_others_stay(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text('"""Written by hand."""\n')
    write_all(synthetic.ALL, tmp_path)
    assert write_all({}, tmp_path) == ["balls.py", "elementary.py", "index.json", "verhulst.py"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["__init__.py", "index.json"]


def test_a_mistake_or_a_full_disk_leaves_no_file_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KernelError, match="two kernels of b are called logistic_flow"):
        write_all({"a": [synthetic.flow], "b": [synthetic.flow, synthetic.flow]}, tmp_path)

    def full(*_: Any) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="no space"):
        write_all(synthetic.ALL, tmp_path)
    assert list(tmp_path.iterdir()) == []


# --- values -----------------------------------------------------------------------------------------------------------

positive, signed = (1e-3, 1e3), (-30.0, 30.0)
SAMPLERS = FAMILIES["samplers"]


@each("name", [*SAMPLERS])
def test_floats_stay_within_the_criterion_of_accuracy(package: Any, name: str) -> None:
    report = measure(package.kernel(f"verhulst:{name}"), package.ball(f"verhulst:{name}"), SAMPLERS[name], 150, seed=1)
    assert report.passed, report
    assert report.undefined == 0, report


def test_the_criterion_notices_cancellation(package: Any) -> None:
    def careless(a: float) -> tuple[float]:
        return ((1 - (1 - a) ** 2) / a,)

    def exact(a: Any, digits: int) -> tuple[Any]:
        with ctx.workdps(digits):
            return (2 - arb(Fraction(a).numerator) / Fraction(a).denominator,)

    assert not measure(careless, exact, log_uniform((1e-9, 1e-6)), 20).passed


@given(rationals, rationals, rationals)
def test_a_ball_holds_the_exact_value(package: Any, p: Fraction, K: Fraction, r: Fraction) -> None:
    value = r * p * (1 - p / K)
    with ctx.workdps(70):
        exact = arb(value.numerator) / value.denominator
        for point in ((p, K, r), (str(p), str(K), str(r))):
            (found,) = package.ball("verhulst:logistic_flow")(*point)
            assert found.contains(exact)
            assert found.rad() < 1e-40


def test_balls_take_numbers_exactly_as_written(package: Any) -> None:
    exact = import_module(f"{package.__name__}.balls").exact
    with ctx.workdps(30):
        assert exact(0.1) != exact("0.1")
        assert exact(0.1) == exact((0.1).hex()) == exact(Fraction(0.1))
        assert exact("0.1").overlaps(exact("1/10"))
    with pytest.raises(ValueError, match="nonsense"):
        exact("nonsense")


def test_balls_take_numbers_of_numpy_and_refuse_what_is_none_by_its_name(package: Any) -> None:
    flow = package.ball("verhulst:logistic_flow")
    assert flow(np.float32(0.5), np.int64(2), np.array(1.0)) == flow("1/2", 2, 1)
    for nothing in ("much", "1/0", float("inf"), float("nan"), None, [1.0]):
        with pytest.raises(ValueError, match="K is not a finite number"):
            flow(1, nothing, 1)


def test_balls_around_a_singularity_or_a_branch_hold_both_sides(package: Any) -> None:
    around = arb(0, 1e-3)
    (slope,) = package.ball("verhulst:averaged_slope")(around)
    assert slope.contains(arb(1) / 2)
    assert slope.rad() < 1e-2
    (h,) = package.ball("verhulst:larger_root")(around, 1)
    assert h.contains(1)
    assert h.rad() < 1e-2
    (empty,) = package.ball("verhulst:averaged_slope")(0)
    assert empty == arb(1) / 2


def test_removable_singularities_have_their_values_in_floats(package: Any) -> None:
    assert package.kernel("verhulst:averaged_slope")(0.0) == (0.5,)
    assert package.kernel("verhulst:logistic_curve")(1.0, 2.0, 3.0, 0.0) == (1.0, 0.0)


@given(rationals, rationals, rationals, rationals)
def test_a_jacobian_holds_the_derivatives(package: Any, p: Fraction, K: Fraction, r: Fraction, t: Fraction) -> None:
    step = Fraction(1, 10**30)
    twin = package.ball("verhulst:logistic_curve")
    by_r, by_t = (
        [
            (high - low) / (2 * arb(1) / 10**30)
            for high, low in zip(twin(*above, digits=120), twin(*below, digits=120), strict=True)
        ]
        for above, below in (((p, K, r + step, t), (p, K, r - step, t)), ((p, K, r, t + step), (p, K, r, t - step)))
    )
    found = package.ball("verhulst:logistic_slopes")(p, K, r, t)
    for expected, slope in zip([s for pair in zip(by_r, by_t, strict=True) for s in pair], found, strict=True):
        assert abs(expected - slope) < 1e-15 * (1 + abs(expected))


@each("function", [expm1, relexp, relexp1])
def test_special_functions_are_what_they_say(function: Any) -> None:
    u = sp.Symbol("u", real=True)
    plain = function(u).rewrite(sp.exp)
    assert not plain.has(function)
    assert sp.limit(plain, u, 0) == function(0)
    if function is not relexp1:
        assert sp.simplify(function(u).diff(u).rewrite(sp.exp) - plain.diff(u)) == 0


# --- using them -------------------------------------------------------------------------------------------------------


def test_the_index_describes_every_kernel(package: Any) -> None:
    assert list(package.index()) == [f"verhulst:{kernel.name}" for kernel in synthetic.ALL["verhulst"]]
    entry = package.index()["verhulst:logistic_flow"]
    assert (entry.arguments, entry.returns, entry.rests_on) == (("p", "K", "r"), ("dp",), ("verhulst:growth",))
    assert entry.domain == ("p > 0", "K > 0", "r > 0", "10*K >= p")
    assert entry.sha256 == synthetic.flow.sha256
    assert isinstance(package.load("verhulst"), ModuleType)


def test_an_unknown_kernel_is_answered_with_a_suggestion(package: Any) -> None:
    with pytest.raises(package.UnknownKernel, match="did you mean verhulst:logistic_flow"):
        package.kernel("verhulst:logistic_flaw")
    with pytest.raises(package.UnknownKernel, match="no kernels are emitted for verhults: did you mean verhulst"):
        package.load("verhults")


def test_a_name_that_one_paper_uses_stands_for_itself(tmp_path: Path, package: Any) -> None:
    assert package.kernel("logistic_flow") is package.kernel("verhulst:logistic_flow")
    assert package.ball("logistic_flow") is package.ball("verhulst:logistic_flow")
    with pytest.raises(TypeError, match=r"3 arguments are needed \(p, K, r\), and 2 were given"):
        package.ball("logistic_flow")(1, 2)
    kernels = {"one": [synthetic.flow], "other": [synthetic.flow]}
    with (
        packaged(kernels, tmp_path / "two_papers") as both,
        pytest.raises(both.UnknownKernel, match="several papers: give one:logistic_flow or other:logistic_flow"),
    ):
        both.kernel("logistic_flow")


def test_numerics_never_imports_the_exact_side(package: Any) -> None:
    folder = Path(package.__file__).parent
    code = f"""
import sys, {package.__name__} as k, numerics.kernels, numerics.accuracy.criterion
k.kernel("verhulst:logistic_flow"), k.ball("verhulst:logistic_flow"), numerics.kernels.index()
print([m for m in sys.modules if m.split(".")[0] in ("sympy", "derivations", "mpmath")])
"""
    assert output("-c", code, PYTHONPATH=str(folder.parent)) == "[]\n"


@pytest.mark.laws  # by default the kernels of papers are asked
def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    write_all({"verhulst": [synthetic.flow]}, tmp_path / "here")
    code = """
import sys; sys.path.insert(0, sys.argv[1])
from verhulst import logistic_flow as f
f(1.0, 2.0, 3.0); print(sum(f.stats.cache_hits.values()), sum(f.stats.cache_misses.values()))
"""
    cache = str(tmp_path / "cache")
    assert output("-c", code, tmp_path / "here", NUMBA_CACHE_DIR=cache) == "0 1\n"
    before = sorted(Path(cache).rglob("*.nb?"))
    assert output("-c", code, tmp_path / "here", NUMBA_CACHE_DIR=cache) == "1 0\n"
    assert sorted(Path(cache).rglob("*.nb?")) == before != []

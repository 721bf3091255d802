"""A kernel of one's own: source, compiled and lambdified functions, exact values; what happens on bad input."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from case_files import Cases
from flint import arb
from kernels.elsewhere import output

from derivations import Kernel
from derivations.kernels.specification.matrices import inverse
from derivations.language.words import Letter
from numerics.accuracy.criterion import log_uniform, measure

FAMILIES = Cases(__file__, globals())

p, K, r = sp.symbols("p K r", positive=True)
z = sp.Symbol("z", real=True)
GROWTH = Kernel("growth", state=[p], params=[K, r], returns={"dp": r * p * (1 - p / K)}, domain=[p <= 10 * K])
SCRIPT = """
import sympy as sp
from derivations import Kernel
p, K, r = sp.symbols("p K r", positive=True)
growth = Kernel("growth", state=[p], params=[K, r], returns={"dp": r * p * (1 - p / K)}, domain=[p <= 10 * K])
fast = growth.compile()
print(fast(0.5, 2.0, 1.0), sum(fast.stats.cache_hits.values()), sum(fast.stats.cache_misses.values()))
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEARNING_DYNAMICS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    return tmp_path / "cache"


def test_a_kernel_needs_a_name_arguments_and_returns_only() -> None:
    assert GROWTH.says == "The kernel growth."
    assert "Rests on no claim" in GROWTH.source("numba")


def test_a_second_process_finds_what_the_first_compiled_and_writes_nothing(cache: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SCRIPT)
    assert output(tmp_path / "mine.py") == "(0.375,) 0 1\n"
    before = {path: path.stat().st_mtime_ns for path in cache.rglob("*") if path.is_file()}
    assert any(path.suffix == ".nbc" for path in before)
    assert output("-c", SCRIPT) == "(0.375,) 1 0\n"  # as in a notebook, without a file of its own
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("*") if path.is_file()} == before


def test_the_cache_folder_is_that_of_xdg_where_none_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("LEARNING_DYNAMICS_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    Kernel("elsewhere", state=[p], returns={"a": p + 3}).lambdify()
    assert list((tmp_path / "xdg" / "learning-dynamics-derivations").glob("elsewhere_*.py"))


def test_a_folder_that_cannot_be_written_to_costs_a_warning_and_no_result(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LEARNING_DYNAMICS_CACHE", str(tmp_path / "file"))
    with pytest.warns(RuntimeWarning, match="not kept for the next run.*set LEARNING_DYNAMICS_CACHE"):
        assert Kernel("homeless", state=[p], returns={"a": p + 2}).lambdify()(1.0) == (3.0,)


def test_kernels_of_one_name_do_not_share_a_program() -> None:
    one, other = (Kernel("same", state=[p], returns={"a": p + k}).lambdify() for k in (1, 2))
    assert (one(1.0), other(1.0)) == ((2.0,), (3.0,))


def test_lambdified_functions_broadcast() -> None:
    (rates,) = GROWTH.lambdify()(np.linspace(0.1, 1, 4)[:, None], 2.0, np.ones(3))
    assert rates.shape == (4, 3)
    assert rates[0, 0] == pytest.approx(0.095)


def test_branches_in_numpy_take_each_entry_on_its_own_and_never_warn() -> None:
    pieces = Kernel(
        "pieces", state=[z], returns={"a": sp.Piecewise((sp.log(z), z > 1), (1 / (z - 1), z < 1), (0, True))}
    )
    (values,) = pieces.lambdify()(np.array([-1.0, 0.0, 1.0, np.e]))
    assert values.tolist() == pytest.approx([-0.5, -1.0, 0.0, 1.0])


def test_references_are_exact_whatever_the_digits_and_take_numbers_as_written() -> None:
    root = Kernel("root", state=[p], returns={"a": sp.sqrt(p), "b": sp.Integer(0)})
    assert root.reference([2], digits=50)["a"] == str(sp.sqrt(2).evalf(50))
    assert root.reference({"p": "2"})["b"] == "0"
    assert (
        GROWTH.reference({"p": 0.1, "K": 2, "r": 1}, 17)["dp"]
        != GROWTH.reference({"p": "0.1", "K": 2, "r": 1}, 17)["dp"]
    )
    assert GROWTH.reference([Fraction(1, 10), 2, sp.Rational(1, 3)]) == GROWTH.reference(["1/10", "2", "1/3"])
    assert GROWTH.reference(["0.1", 2, 1]) == {"dp": "0.095"}


def test_balls_hold_the_value_and_take_balls() -> None:
    (ball,) = GROWTH.balls("0.1", 2, 1, digits=40)
    assert isinstance(ball, arb)
    assert ball.overlaps(arb("0.095"))
    assert ball.rad() < 1e-35
    (wide,) = GROWTH.balls(arb("0.1", "0.01"), 2, 1)
    assert wide.contains(ball)


def test_the_accuracy_of_a_users_kernel_is_measured_against_its_own_balls() -> None:
    report = measure(GROWTH.lambdify(), GROWTH.balls, log_uniform((1e-3, 1.0), (1.0, 1e3), (1e-3, 1e3)), 50)
    assert report.passed


A = Letter("A", "n", "n")
INVERTED = Kernel(
    "inverted",
    inputs=[A],
    steps=[(Letter("B", "n", "n", inverse_of=A), inverse(A))],
    returns={"i": Letter("B", "n", "n", inverse_of=A)},
    rests_on=["mine"],
)


def test_a_kernel_of_matrices_has_all_that_one_of_numbers_has() -> None:
    assert INVERTED.reference([np.array([[2, 0], [0, 4]])]) == {"i": [["0.5", "0"], ["0", "0.25"]]}
    for function in (INVERTED.compile(), INVERTED.lambdify()):
        (found,) = function(np.array([[2.0, 1.0], [0.0, 4.0]]))
        assert np.array(found.tolist(), dtype=float).tolist() == [[0.5, -0.125], [0.0, 0.25]]
    with pytest.raises(ZeroDivisionError, match="a matrix has no inverse, or none that these digits can tell"):
        INVERTED.balls([[1, 2], [2, 4]])
    with pytest.raises(ValueError, match="a matrix has no inverse"):
        INVERTED.compile()(np.ones((2, 2)))


HOSTILE = 'a""" + exec'


test_a_mistake_is_answered_with_one_sentence = FAMILIES.verdicts()

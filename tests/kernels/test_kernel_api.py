"""A kernel of one's own: source, compiled and lambdified functions, exact values; what happens on bad input."""

from __future__ import annotations

from pathlib import Path

import pytest
import sympy as sp
from case_files import Cases
from kernels.elsewhere import output

from derivations import Kernel
from derivations.kernels.specification.matrices import inverse
from derivations.language.words import Letter

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


@pytest.mark.laws  # by default the kernels of papers are asked
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


A = Letter("A", "n", "n")
INVERTED = Kernel(
    "inverted",
    inputs=[A],
    steps=[(Letter("B", "n", "n", inverse_of=A), inverse(A))],
    returns={"i": Letter("B", "n", "n", inverse_of=A)},
    rests_on=["mine"],
)


HOSTILE = 'a""" + exec'


test_statements_have_their_verdicts = FAMILIES.verdicts()

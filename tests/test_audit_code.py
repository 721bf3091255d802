"""`derivations audit-code`: departures are found and none is made up, and every bad function is told in a sentence."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import pytest
import sympy as sp
from case_files import Cases
from command_line import Told
from each import each
from test_emit_command import own

from derivations.commands.own.code.compared import Compared, compared
from derivations.commands.own.code.process import CodeError, Function
from derivations.kernels.kernel import Kernel

FAMILIES = Cases(__file__)

x, y = sp.symbols("x y", positive=True)
t = sp.Symbol("t", real=True)
SUM = Kernel("both", state=[x, y], returns={"total": x + y, "product": x * y}, domain=[y <= 10 * x])
SIGMOID = Kernel("sigmoid", state=[t], returns={"a": 1 / (1 + sp.exp(-t))})
CODE = """
import math, os, time
import numpy as np

def right(x, y): return x + y, x*y
def named(y, x): return {"product": x*y, "total": x + y, "more": 0}
def as_array(*both): print("not an answer"); return np.array([sum(both), math.prod(both)])
def late(x, y): return x + y, x*y*(1 + 1e-9 if x > 50 else 1)
def nearly(x, y): return x + y, x*y*(1 + 1e-9)
def swapped(x, y): return x*y, x + y
def edge(x, y): return x + y, (x*y if y < 10*x else 0)
def nothing(x, y): return float("nan"), x*y
def raising(x, y): return 1/0
def stopping(x, y): os._exit(3)
def leaving(x, y): raise SystemExit
def hanging(x, y): time.sleep(60)
def one(x, y): return x + y
def three(x, y): return 1, 2, 3
def text(x, y): return "a", "b"
def less(x): return x, x
unlike = 3
def sigmoid(t): return math.exp(t)/(1 + math.exp(t))
def steady(t): return 0.5*(1 + math.tanh(t/2)) if t > 0 else math.exp(t)/(1 + math.exp(t))
"""


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("code") / "their.py"
    path.write_text(CODE)
    return path


def beside(path: Path, name: str, kernel: Kernel = SUM, *, tolerance: float | None = None, seed: int = 0) -> Compared:
    with Function(f"{path}:{name}", kernel.arguments, 10) as function:
        return compared(function, kernel, tolerance=tolerance, count=80, seed=seed)


@each("name", ["right", "named", "as_array"])
def test_what_equals_the_kernel_does_not_depart(code: Path, name: str) -> None:
    found = beside(code, name)
    assert (found.departures, found.points > 50) == ((), True)


@each(("name", "told"), FAMILIES["a departure is told at a small point"])
def test_a_departure_is_told_at_a_small_point(code: Path, name: str, told: str) -> None:
    assert told in str(beside(code, name).smallest)


def test_a_function_that_hangs_is_ended(code: Path) -> None:
    with Function(f"{code}:hanging", SUM.arguments, 1) as function:
        assert function.at([1.0, 2.0]) == {"stopped": "does not answer within 1 s"}
        first = function._process.pid
    assert function._process.returncode is not None
    assert first == function._process.pid


def test_the_edge_of_a_domain_and_large_arguments_are_among_the_points(code: Path) -> None:
    at_edge, late = beside(code, "edge").smallest, beside(code, "late").smallest
    assert at_edge is not None
    assert late is not None
    first, second = at_edge.reference.point
    assert second == 10 * first
    assert late.reference.point[0] > 50


def test_a_tolerance_allows_so_much_and_no_more(code: Path) -> None:
    assert beside(code, "nearly", tolerance=1e-8).departures == ()
    assert beside(code, "nearly", tolerance=1e-10).departures


def test_an_overflow_is_a_departure_and_a_steady_form_departs_by_digits_alone(code: Path) -> None:
    """At a million the exponential overflows; the other form has the value wherever a double can hold it."""
    assert "OverflowError" in str(beside(code, "sigmoid", SIGMOID).farthest)
    assert beside(code, "steady", SIGMOID, tolerance=1e-12).departures == ()


def test_another_seed_takes_other_points(code: Path) -> None:
    with Function(f"{code}:nothing", SUM.arguments, 10) as function:
        found = [compared(function, SUM, tolerance=None, count=80, seed=seed) for seed in (0, 0, 1)]
    points = [{departure.reference.point for departure in each.departures} for each in found]
    assert points[0] == points[1] != points[2]


BAD = {
    "nowhere": "has no nowhere: name a function that it defines",
    "unlike": "unlike in .* is a int, and no function",
    "less": r"takes \(x\), and the kernel 2 arguments: x, y",
    "one": "returns 1 result of 1 numbers .*: let it return total of 1, product of 1",
    "three": "returns 3 results of 1, 1, 1 numbers",
    "text": "returns a str at x = 1.0, y = 1.0: let it return numbers for total, product",
}


@each("name", [*BAD])
def test_what_cannot_be_compared_is_told_in_a_sentence(code: Path, name: str) -> None:
    with pytest.raises(CodeError, match=BAD[name]):
        beside(code, name)


@each(
    ("word", "told"),
    [
        ("right", "names no function: give module:function"),
        ("no_such_module:f", "there is no module no_such_module"),
        ("/no/such.py:f", "there is no file"),
    ],
)
def test_what_is_not_there_is_told_in_a_sentence(word: str, told: str) -> None:
    with pytest.raises(CodeError, match=told), Function(word, SUM.arguments, 10):
        pass


@pytest.mark.parametrize("text", ["raise SystemExit", "1/0", "import os; os._exit(2)", "import no_such_thing", "def"])
def test_a_file_that_cannot_be_imported_is_told_in_a_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "broken.py").write_text(text)
    with pytest.raises(CodeError, match=r"broken\.py"), Function(f"{tmp_path / 'broken.py'}:f", ["x"], 10):
        pass


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def told(told: Told) -> Told:
    return partial(told, "audit-code")


def test_a_claim_of_a_file_is_what_a_function_is_held_against(told: Told, tmp_path: Path) -> None:
    paper, path = own(tmp_path), tmp_path / "their_square.py"
    path.write_text("def good(x): return (x + 1)**2\ndef bad(x): return x**2 + 1\n")
    for what in ("square", "squared"):
        status, out, _ = told(f"{path}:good", "--against", f"{paper}:{what}", "--points", "40")
        assert (status, "no departure in" in out, "this is no proof" in out) == (0, True, True)
    status, out, _ = told(f"{path}:bad", "--against", f"{paper}:square", "--points", "40")
    assert (status, "departs at x = 1.0 it gives a = 2.0, and the value is 4" in out) == (1, True)


def test_a_refuted_claim_and_one_without_a_kernel_are_refused(told: Told, tmp_path: Path) -> None:
    status, _, err = told("math:sqrt", "--against", f"{own(tmp_path, side='x**2 + 2')}:square")
    assert (status, "whose verdict is refuted" in err) == (2, True)
    path = tmp_path / "none.py"
    path.write_text(own(tmp_path).read_text().split("paper.emits")[0])
    status, _, err = told("math:sqrt", "--against", f"{path}:square")
    assert (status, "no kernel rests on the claim mine:square: add one" in err) == (2, True)


def test_what_the_user_does_not_name_is_not_run(told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module of this folder is found by its name, and runs in another process than this one."""
    (tmp_path / "beside_me.py").write_text("def f(x): return (x + 1)**2\n")
    monkeypatch.chdir(tmp_path)
    assert told("beside_me:f", "--against", f"{own(tmp_path)}:square", "--points", "20")[0] == 0
    assert "beside_me" not in sys.modules

"""The lists of known statements: readable, true where they should be, and the engine is not wrong on a sample."""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from pathlib import Path

import pytest
from case_files import Cases
from each import each

from benchmarks.provers import engine, numeric_guess, race, table
from benchmarks.provers.answer import Answer
from benchmarks.provers.bench import main
from benchmarks.provers.lists import HALVES, Entry, entries
from benchmarks.provers.peers import by_sympy, by_z3
from derivations.questions.lines import Statement, read
from derivations.text.plain import Unreadable

FAMILIES = Cases(__file__)

ALL = entries()
ONCE = list({entry.id: entry for entry in ALL}.values())
EYE = random.Random("eye").sample(ALL, 30)
ENGINE = random.Random("engine").sample(ALL, 10)
LEAST = {"univariate": 150, "multivariate": 50, "dynamics": 100, "false": 40, "theorists": 70}


def test_no_statement_has_the_name_of_another_and_the_lists_are_long() -> None:
    assert len(ONCE) == len(ALL)
    counts = Counter(entry.list for entry in ALL)
    assert all(counts[name] >= least for name, least in LEAST.items())


def test_half_of_every_family_is_held_out() -> None:
    counts = Counter((e.list, e.family, e.half) for e in ALL if e.list != "theorists")
    for name, family, _ in counts:
        opened, held_out = (counts[name, family, half] for half in HALVES)
        assert abs(opened - held_out) <= 1


@each("entry", EYE)
def test_numbers_say_what_the_lists_say(entry: Entry) -> None:
    assert numeric_guess.suggests(entry.statement, random.Random(entry.id), 100 if entry.holds else 2000) is entry.holds


@each("entry", ENGINE)
def test_the_engine_is_not_wrong(entry: Entry) -> None:
    answer = engine.decided(entry.statement)
    assert answer.holds in (None, entry.holds)
    assert not answer.is_fault


@each(
    "line",
    [
        "x",
        "x != 1",
        "f(x) = 1",
        "x.real = 1",
        "0.5 < x",
        "x[0] = 1",
        "__import__('os') = 1",
        "lambda: x = 1",
        "d(x^2, 2*x) = 1",
        "where(x, 1, 2) = 1",
        "as x -> 0: x = 1",
        "flow t: x; x = 1; x = 1",
        "x = 1 or x = 2",
        "True = 1",
        "x = = 1",
    ],
)
def test_what_is_no_statement_is_refused_in_one_sentence(line: str) -> None:
    with pytest.raises(Unreadable):
        read(line)


def test_a_statement_has_so_much_time_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(_: Statement) -> Answer:
        while True:
            pass

    monkeypatch.setitem(race.PROVERS, "engine", endless)
    entry = ALL[0]
    runs = list(race.race([(entry, "engine"), (entry, "numeric_guess")], 1, 1))
    assert [run.is_decided for run in runs] == [False, True]
    assert runs[0].answer.how == race.TOO_LONG


def test_a_wrong_answer_and_a_rejected_certificate_are_counted() -> None:
    entry = ALL[0]
    answers = [Answer(entry.holds), Answer(not entry.holds), Answer(None), Answer(None, is_fault=True)]
    (row, _) = table.rows([race.Run(entry, "engine", answer, 0.1) for answer in answers])
    assert (row.decided, row.wrong, row.undecided) == (1, 2, 1)


def test_the_command_prints_a_table_and_writes_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    asked = ["--prover", "numeric_guess", "--list", "theorists", "--only", "pythagoras", "--jobs", "1"]
    assert main([*asked, "--json", str(tmp_path / "table.json")]) == 0
    assert "theorists" in capsys.readouterr().out
    written = json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))
    assert [run["fate"] for run in written["runs"]] == ["decided", "decided"]


def test_a_list_that_is_not_there_is_told_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list", "theorist"]) == 2
    assert "theorists" in capsys.readouterr().err


def test_a_prover_that_is_not_installed_is_told_with_its_remedy(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "z3", None)
    assert main(["--prover", "z3"]) == 2
    assert "pip install" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "holds"),
    FAMILIES["z3 decides what is polynomial"],
)
def test_z3_decides_what_is_polynomial(line: str, holds: bool | None) -> None:
    pytest.importorskip("z3")
    assert by_z3.decided(read(line)).holds is holds


@each(
    ("line", "holds"),
    [
        ("tanh(x) < 1", True),
        ("tanh(x) <= 8/10 for 0 <= x <= 1", True),
        ("x^2 >= 1", False),
        ("as x -> 0: sin(x)/x -> 2", False),
        ("flow t: x' = -y, y' = x; x = 1, y = 0; x = cos(t), y = sin(t)", True),
        ("flow t: x' = -x; x = 1; x = exp(t)", False),
    ],
)
def test_sympy_is_asked_as_its_users_ask_it(line: str, holds: bool) -> None:
    assert by_sympy.decided(read(line)).holds is holds

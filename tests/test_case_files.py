"""Files of cases: what a line means, and that a wrong expectation is told with its line."""

from __future__ import annotations

from pathlib import Path

import pytest
import sympy as sp
from case_files import Cases
from each import each

X = sp.Symbol("x", real=True)
TEXT = """
letters x: real
letters p, q: positive
take derivations.prove: NotExact
let square = x^2
let twice(letter) = 2*letter

= values
x^2 + 1/3
[x > 1, {x: (1, 2)},
  "a^b"]

= names?
asks too much :: identity(x, 0.5)
asks :: prove.identity(twice(square), x + x)

= verdicts ->
let y = x + 1
identity(y^2 - 1, x*(x + 2)) -> proved
identity(y, x) -> refuted
"""


def written(folder: Path, text: str) -> Cases:
    (folder / "cases").mkdir(exist_ok=True)
    (folder / "cases" / "these.txt").write_text(text, encoding="utf-8")
    return Cases(str(folder / "test_these.py"), {"given": X})


def test_values_are_those_of_python_with_exact_quotients_and_powers(tmp_path: Path) -> None:
    cases = written(tmp_path, TEXT)
    assert cases["values"] == [X**2 + sp.Rational(1, 3), [X > 1, {X: (1, 2)}, "a^b"]]
    assert cases.words["given"] is X


def test_relations_are_kept_as_they_are_written(tmp_path: Path) -> None:
    (kept,) = written(tmp_path, "letters p: positive\n\n= one\np > 0\n")["one"]
    assert kept == sp.Gt(sp.Symbol("p", positive=True), 0, evaluate=False)


def test_questions_are_asked_when_they_are_called(tmp_path: Path) -> None:
    questions = written(tmp_path, TEXT)["names"]
    assert questions["asks"]().verdict.value == "refuted"
    with pytest.raises(Exception, match="a float"):
        questions["asks too much"]()


RIGHT = """
identity(x + x, 2*x) -> proved
identity(x, 1) -> refuted or open
identity(x, 1) -> not proved
identity(x, 0.5) -> NotExact "0.5"
let first, second = (x, [x, 2])
[first, second[1:]] -> is [x, [2]]
first -> is not second
second -> has x
second -> has no 3
len(second) -> at most 2
len(second) -> below 3
first == x -> so
first == 2 -> not so
"""


def test_right_expectations_pass(tmp_path: Path) -> None:
    written(tmp_path, "letters x: real\ntake derivations.prove: NotExact\n\n= these ->" + RIGHT).verdicts()()


@each(
    "line",
    [
        "identity(x + x, 2*x) -> refuted",
        "identity(x + x, 2*x) -> not proved",
        'identity(x, 1) -> refuted "of a reason that is not there"',
        "identity(x, 1) -> NotExact",
        'identity(x, 0.5) -> NotExact "another sentence"',
        "identity(x, 0.5) -> open",
        "identity(x, unknown) -> proved",
        "x + x -> is x",
        "x + x -> is not 2*x",
        "[x, 2] -> has 3",
        "[x, 2] -> has no x",
        "len([x]) -> below 1",
        "len([x]) -> at least 2",
        "[] -> so",
        "[x] -> not so",
        "identity(x, 1).__class__ -> refuted",
        "[identity(x, k) for k in (1, 2)] -> refuted",
    ],
)
def test_a_wrong_expectation_fails_with_its_line(line: str, tmp_path: Path) -> None:
    text = f"letters x: real\ntake derivations.prove: NotExact\n\n= these ->\nidentity(x, x) -> proved\n{line}\n"
    with pytest.raises(ExceptionGroup, match="1 lines fail") as failed:
        written(tmp_path, text).verdicts()()
    assert failed.value.exceptions[0].__notes__ == [f"in these -> {line}"]


def test_a_file_without_verdicts_is_no_test_of_verdicts(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        written(tmp_path, "= values\n1\n").verdicts()()

"""Families of cases: all of them run, and those that fail are told."""

from __future__ import annotations

import inspect
from types import SimpleNamespace

import each as each_module
import pytest
from each import each


def test_every_case_runs_and_all_that_fail_are_told() -> None:
    seen: list[int] = []

    @each("number", [1, 2, 3])
    def odd(number: int) -> None:
        seen.append(number)
        assert number == 2

    with pytest.raises(ExceptionGroup, match="2 of 3 cases fail") as told:
        odd()
    assert seen == [1, 2, 3]
    assert [failure.__notes__ for failure in told.value.exceptions] == [["with {'number': 1}"], ["with {'number': 3}"]]


def test_cases_of_a_table_are_told_by_name_also_where_nothing_is_raised() -> None:
    @each("number", {"one": 1, "none": 0, "two": 2})
    def divides(number: int) -> None:
        with pytest.raises(ZeroDivisionError):
            _ = 1 / number

    with pytest.raises(ExceptionGroup, match="2 of 3 cases fail") as told:
        divides()
    assert [failure.__notes__ for failure in told.value.exceptions] == [["with one"], ["with two"]]


def test_fixtures_and_families_of_families_reach_the_test() -> None:
    seen: list[tuple[int, str, int]] = []

    @each(("a", "b"), [(1, "x"), (2, "y")])
    @each("c", range(2))
    def whole(a: int, b: str, c: int, shared: list[tuple[int, str, int]]) -> None:
        shared.append((a, b, c))

    assert list(inspect.signature(whole).parameters) == ["shared"]
    whole(shared=seen)
    assert seen == [(1, "x", 0), (1, "x", 1), (2, "y", 0), (2, "y", 1)]


def test_a_family_without_cases_and_rows_of_another_length_are_refused() -> None:
    for cases in ([], [1, pytest.param(2, marks=pytest.mark.laws)]):
        with pytest.raises(ValueError, match="needs cases"):
            each("number", cases)
    with pytest.raises(ValueError, match="zip"):
        each(("a", "b"), [(1, 2, 3)])


def test_a_share_is_drawn_by_a_name_in_the_order_of_its_cases() -> None:
    rows = [(k, {"k": k}) for k in range(10)]
    chosen = each_module.share(rows, 3, "a test")
    assert chosen == each_module.share(rows, 3, "a test")
    assert len(chosen) == 4
    assert chosen == sorted(chosen, key=lambda row: row[0])


@pytest.mark.parametrize(("examples", "seen"), [(30, 2), (100, 6)])
def test_the_laws_run_all_cases_of_a_family_and_others_a_share(
    examples: int, seen: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[int] = []
    monkeypatch.setattr(each_module, "settings", lambda: SimpleNamespace(max_examples=examples))

    @each("k", range(6), one_of=3)
    def family(k: int) -> None:
        ran.append(k)

    family()
    assert len(ran) == seen
    assert [mark.name for mark in family.pytestmark] == ["drawn"]  # type: ignore[attr-defined]

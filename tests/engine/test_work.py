"""How far provers go is counted in work: the same on any machine, however fast, and whatever was asked before."""

from __future__ import annotations

import time
from itertools import count

import pytest
import sympy as sp
from each import each

from derivations import prove
from derivations.prove import Certificate, Verdict
from derivations.text.work import measured, remembered, spend, spend_once, within

STATEMENTS = ["abs(x) + abs(y) >= abs(x - y)", "exp(x) >= 1 + x", "cosh(x) >= 1 + x^2/2", "sin(cos(x)) < cos(sin(x))"]
x = sp.Symbol("x", real=True)


def judged(text: str, seconds: float = 3.0) -> tuple[Certificate, float]:
    """The certificate of a statement, and the work that was done for it."""
    with measured() as meter, prove.allowing(seconds):
        return prove.inequality(text), meter.done


@each("text", STATEMENTS[:3])
def test_no_clock_is_asked(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hours = count(step=3600)
    for clock in ("time", "process_time", "perf_counter", "monotonic"):
        monkeypatch.setattr(time, clock, lambda: float(next(hours)))
    assert prove.inequality(text).verdict is Verdict.PROVED


@each("text", STATEMENTS)
def test_the_work_is_the_same_when_the_same_is_asked_again(text: str) -> None:
    first, again = judged(text, 0.2), judged(text, 0.2)
    assert first[0].as_json() == again[0].as_json()
    assert first[1] == again[1]


def test_what_too_little_work_leaves_open_is_decided_with_more() -> None:
    text = "cosh(x) >= 1 + x^2/2"
    (short, little), (whole, much) = judged(text, 0.001), judged(text)
    assert short.verdict is Verdict.OPEN
    assert "the work that is allowed ended there" in short.reason
    assert whole.verdict is Verdict.PROVED
    assert little < much


def test_the_inner_of_two_allowances_ends_alone_unless_the_outer_ends_with_it() -> None:
    with within(100) as outer:
        with within(30) as inner:
            spend(40)
        assert [inner.is_spent, outer.is_spent, outer.done] == [True, False, 30]
        with within(500):
            spend(80)
        outer.done = 0  # which is not reached
    assert [outer.is_spent, outer.done] == [True, 100]


def test_what_is_remembered_counts_once_as_if_it_were_found_then() -> None:
    @remembered(4)
    def found(name: str) -> str:
        spend(7)
        spend_once(name, 5)
        return name

    for _ in range(2):  # found, then looked up
        with measured() as meter:
            assert [found("a"), found("a")] == ["a", "a"]
        assert meter.done == 12
    with within(11) as meter:
        found("a")
    assert meter.is_spent

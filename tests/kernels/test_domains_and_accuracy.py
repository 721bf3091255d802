"""Points of stated domains, the measuring of kernels, and the command line over both."""

from __future__ import annotations

import math
import os
import random
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from case_files import Cases
from drawn import drawn
from each import each
from flint import arb, ctx

from numerics.__main__ import main
from numerics.accuracy.criterion import ratio, reference
from numerics.accuracy.domains import DomainError, read, sampler
from numerics.kernels import Entry, index, numbers
from numerics.machine.progress import Screen, table

FAMILIES = Cases(__file__, globals())


@pytest.mark.drawn
def test_drawn_points_are_in_the_domain_and_everywhere_in_it() -> None:
    names = sorted(numbers())
    for name in random.Random(os.environ.get("LAWS_SEED", "")).sample(names, drawn(len(names))):
        check_points_of(index()[name])


def check_points_of(entry: Entry) -> None:
    draw, rng = sampler(entry.arguments, entry.domain), np.random.default_rng(1)
    points = [dict(zip(entry.arguments, map(Fraction, draw(rng)), strict=True)) for _ in range(400)]
    conditions = [read(text) for text in entry.domain]
    assert all(condition.holds(point) for condition in conditions for point in points)
    for argument in entry.arguments:
        least = max(
            (-c.value({argument: Fraction(0)}) for c in conditions if c.names == {argument}), default=Fraction(0)
        )
        start = max(least, Fraction(0))
        bounds = sum(argument in c.names for c in conditions if len(c.names) > 1)  # by others: rarely small or large
        few = (40, 8, 1)[min(bounds, 2)]
        sizes = sorted(abs(float(point[argument] - start)) for point in points)
        assert sizes[few] < 0.1
        assert sizes[-few] > 10
    strict = {c.names for c in conditions if c.sign == ">"}
    for condition in (c for c in conditions if len(c.names) == 1 and c.sign == ">=" and c.names not in strict):
        assert any(condition.value(point) == 0 for point in points)  # the end itself


COVARIANCE_OF_FOUR = [
    *(f"C_{a}{a} >= 0" for a in "abcd"),
    *(f"C_{a}{a}*C_{b}{b} >= C_{a}{b}^2" for a, b in ("ab", "ac", "ad", "bc", "bd", "cd")),
    *(
        f"C_{a}{a}*C_{b}{b}*C_{c}{c} + 2*C_{a}{b}*C_{a}{c}*C_{b}{c} >="
        f" C_{a}{a}*C_{b}{c}^2 + C_{b}{b}*C_{a}{c}^2 + C_{c}{c}*C_{a}{b}^2"
        for a, b, c in ("abc", "abd", "acd", "bcd")
    ),
]


def test_covariances_are_found_at_every_seed_though_rounding_spoils_some_draws() -> None:
    arguments = ["C_aa", "C_bb", "C_cc", "C_dd", "C_ab", "C_ac", "C_bc", "C_ad", "C_bd", "C_cd"]
    draw = sampler(arguments, COVARIANCE_OF_FOUR)
    known = [read(text) for text in COVARIANCE_OF_FOUR]
    for seed in range(150):
        point = dict(zip(arguments, map(Fraction, draw(np.random.default_rng(seed))), strict=True))
        assert all(condition.holds(point) for condition in known)
    assert draw(np.random.default_rng(7)) == draw(np.random.default_rng(7))


def test_a_coupled_condition_is_met_up_to_its_boundary() -> None:
    draw, rng = sampler(["y", "w", "s"], ["y >= 0", "s > 0", "y*s >= (y - w)^2"]), np.random.default_rng(2)
    points = [[Fraction(v) for v in draw(rng)] for _ in range(2000)]
    slack = [1 - float((y - w) ** 2 / (y * s)) for y, w, s in points if y]
    assert 0 <= min(slack) < 1e-15
    assert max(slack) > 0.999
    assert any(w == 0 for y, w, s in points if y == 0)


@each(
    ("text", "point", "holds"),
    FAMILIES["a condition means what it says"],
)
def test_a_condition_means_what_it_says(text: str, point: dict[str, int], holds: bool) -> None:
    condition = read(text)
    assert condition.names == frozenset(point)
    assert condition.holds({name: Fraction(value) for name, value in point.items()}) is holds


@each(
    ("conditions", "sentence"),
    FAMILIES["a condition that cannot be met is answered with one sentence"],
)
def test_a_condition_that_cannot_be_met_is_answered_with_one_sentence(conditions: list[str], sentence: str) -> None:
    with pytest.raises(DomainError, match=sentence):
        sampler(["x", "y"], conditions)(np.random.default_rng(0))


def test_a_reference_asks_for_more_digits_until_its_allowance_is_known_too() -> None:
    """exp(-x) as a difference of two numbers near one: fewer digits are left in the slope than in the value."""

    def twin(x: Any, digits: int) -> tuple[Any]:
        with ctx.workdps(digits):
            x = arb(Fraction(x).numerator) / Fraction(x).denominator
            return ((1 + (-x).exp()) - 1,)

    for x in (100.0, 101.5, 130.0):
        found = reference(twin, (x,))
        with ctx.workdps(60):
            exact = 8 * arb(math.ulp(math.exp(-x))) + 2 * (-arb(x)).exp() * arb(math.ulp(x))
        assert abs(float((found.allowances[0] / exact).mid()) - 1) < 1e-3
        assert ratio(math.exp(-x), found.values[0], found.allowances[0]) < 1


# --- the command line -------------------------------------------------------------------------------------------------

Captured = pytest.CaptureFixture[str]


def test_the_list_of_kernels_says_what_each_takes_and_rests_on(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["kernels"]) == 0
    text = capsys.readouterr().out
    for entry in index().values():
        for part in (entry.paper, entry.name, *entry.arguments, *entry.returns, *entry.rests_on):
            assert part.removeprefix(f"{entry.paper}:") in text
    assert main(["kernels", "training_loss"]) == 0
    assert "signed_flow" not in capsys.readouterr().out


def test_accuracy_says_with_its_status_and_where_that_a_kernel_misses_the_criterion(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    from numerics.accuracy import sheet as accuracy_sheet

    subject = accuracy_sheet.subjects()["van_rossem_saxe_2024:training_loss"]
    rough = replace(subject, fast=lambda *point: (subject.fast(*point)[0] * (1 + 1e-9),))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(accuracy_sheet, "subjects", lambda: {rough.id: rough})
    assert main(["accuracy", "--kernel", "training_loss", "--budget", "5", "--workers", "1"]) == 1
    assert "y=0x1." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    FAMILIES["a mistake is answered with one sentence"],
)
def test_a_mistake_is_answered_with_one_sentence(words: list[str], sentence: str, capsys: Captured) -> None:
    assert main(words) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("numerics: ")
    assert sentence in told.err
    assert told.err.count("\n") == 1


def test_the_list_of_kernels_has_a_line_for_each_where_it_is_read_by_a_program(capsys: Captured) -> None:
    assert main(["kernels", "van_rossem_saxe_2024"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == sum(entry.paper == "van_rossem_saxe_2024" for entry in index().values())
    assert all(line.count("\t") == 2 and line.startswith("van_rossem_saxe_2024:") for line in lines)


def test_a_sheet_that_cannot_be_written_is_refused_before_the_work(capsys: Captured, tmp_path: Path) -> None:
    for target in (str(tmp_path), "/proc/sheet.md", "/", "a\0b"):
        assert main(["accuracy", "--kernel", "training_loss", "-o", target]) == 2
        assert "cannot be written: name a file in a folder of yours" in capsys.readouterr().err


@pytest.mark.parametrize("width", [50, 80, 200])
def test_a_terminal_of_any_width_shows_kernels_with_whole_names_and_conditions(
    width: int, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(["kernels", "carrasco_davis_grant_2025"]) == 0
    lines = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out).splitlines()
    assert max(map(len, lines)) <= min(width, 100)
    for entry in index().values():
        if entry.paper == "carrasco_davis_grant_2025":
            for part in (*entry.rests_on, *(one for one in entry.domain if len(one) < 30)):
                assert any(part.removeprefix(f"{entry.paper}:") in line for line in lines)


def test_a_table_in_a_pipe_has_whole_names(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    shown = table("panels", ["panel", "why"])
    shown.add_row("a_panel_with_a_long_name_" * 3, "because " * 6)
    Screen().print(shown)
    assert "a_panel_with_a_long_name_" * 3 in capsys.readouterr().out

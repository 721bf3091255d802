"""Numbers to quote: an integration with more digits lies in them, and their files are checked again."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest
from case_files import Cases
from each import each

from derivations.audit.ledger import plain
from derivations.commands.main import main
from derivations.language.terms import NotExact
from derivations.papers.carrasco_davis_grant_2025.certified import certified as of_units
from derivations.papers.van_rossem_saxe_2024.certified import certified as of_two_points
from derivations.prove.flows.quoted import Quoted
from derivations.recheck import check, recheck_ledger

FAMILIES = Cases(__file__, globals())

START = {"h": "0.3", "y": "0.2", "w": "0.1"}
PARAMETERS = {"X": "0.25", "s": 1, "tau_h": 40, "tau_y": 30}
UNITS = {"R": "0.1", "S": "0.09", "Q": "0.1", "C": "0.02"}
LEARNING = {"K": 2, "eta": "0.5", "batch": 5, "sigma": "0.1"}


@pytest.fixture(scope="module")
def found() -> Quoted:
    return of_two_points(START, PARAMETERS, ["0.5", 10], digits=25)


def rates(_: Any, state: Any) -> list[Any]:
    """The system of |dh|^2, |dy|^2 and w, written by hand, with twice the time constants."""
    h, y, w = state
    slow_h, slow_y, gap = mpmath.mpf(80), mpmath.mpf(60), 1 / mpmath.mpf(4)
    return [
        -gap * w / slow_h,
        -w * (h / slow_y + gap * y / (h * slow_h)),
        -(3 * w - y + 1) * h / (2 * slow_y) - gap * (y + w) * w / (2 * h * slow_h),
    ]


def test_an_integration_to_forty_digits_lies_in_the_intervals(found: Quoted) -> None:
    with mpmath.workdps(45):
        exact = mpmath.odefun(rates, 0, [mpmath.mpf(START[x]) for x in "hyw"], tol=mpmath.mpf(10) ** -40)
        for time in ("0.5", 10):
            for name, value in zip("hyw", exact(mpmath.mpf(time)), strict=True):
                low, high = map(mpmath.mpf, found.at(time)[name])
                assert low < value < high
                assert high - low <= abs(value) * mpmath.mpf(10) ** -25


def test_more_digits_lie_in_fewer_and_all_are_checked_again(found: Quoted) -> None:
    for digits in (50, 100):
        more = of_two_points(START, PARAMETERS, ["0.5", 10], digits=digits)
        check(plain(more.certificate))
        for name in "hyw":
            (low, high), (least, most) = (map(Fraction, each.at(10)[name]) for each in (more, found))
            assert least <= low < high <= most
            assert high - low <= max(abs(low), abs(high)) / 10**digits


def test_a_saved_file_is_checked_again_and_a_changed_digit_is_rejected(found: Quoted, tmp_path: Path) -> None:
    file = tmp_path / "numbers.json"
    found.save(file)
    assert main(["recheck", str(file)]) == 0
    assert dict(recheck_ledger(file).accepted) == {"certified": 1}
    whole = json.loads(file.read_text())
    for path, moved in (
        (("says", 1, "box", "h", 0), 1),
        (("says", 1, "box", "h", 1), -1),
        (("says", 0, "box", "w", 0), 1),
        (("says", 0, "at"), 1),
        (("start", "y", 0), -1),
        (("start", "y", 1), 1),
    ):
        lie = copy.deepcopy(whole)
        place: Any = lie["certificate"]["statement"]
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = str(Fraction(place[path[-1]]) + moved * Fraction(1, 10**20))
        file.write_text(json.dumps(lie))
        ((name, _),) = recheck_ledger(file).rejected
        assert name == "numbers"
        assert main(["recheck", str(file)]) == 1


def test_a_certificate_alone_that_is_open_or_none_is_not_accepted(found: Quoted, tmp_path: Path) -> None:
    file = tmp_path / "numbers.json"
    undecided = {"statement": found.certificate.statement, "verdict": "open", "method": "none", "payload": {}}
    file.write_text(json.dumps({"certificate": undecided}))
    assert dict(recheck_ledger(file).undecided) == {"open": 1}
    file.write_text(json.dumps({"certificate": [1]}))
    assert not recheck_ledger(file).clean


def test_a_certificate_alone_has_no_pages_and_may_be_too_deep(
    found: Quoted, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "numbers.json"
    found.save(file)
    assert main(["recheck", str(file), "--pages"]) != 0
    assert "leave out --pages" in capsys.readouterr().err
    file.write_text('{"certificate": ' + "[" * 900 + "]" * 900 + "}")
    assert not recheck_ledger(file).clean


def test_order_parameters_are_enclosed_and_checked_again(tmp_path: Path) -> None:
    numbers = of_units(UNITS, LEARNING, [1, "2.5"], digits=12)
    low, high = map(float, numbers.at("5/2")["R"])
    assert low == pytest.approx(0.30941159, abs=1e-8)
    assert high - low < 1e-12
    numbers.save(tmp_path / "units.json")
    assert recheck_ledger(tmp_path / "units.json").accepted["certified"] == 1


@each(
    ("start", "parameters", "time", "sentence"),
    [*FAMILIES["what cannot be asked is refused"], ({}, {}, float("inf"), "a time is an exact number")],
)
def test_what_cannot_be_asked_is_refused(start: Any, parameters: Any, time: Any, sentence: str) -> None:
    with pytest.raises(NotExact) as refusal:
        of_two_points(START | start, PARAMETERS | parameters, time)
    assert sentence in str(refusal.value)


def test_a_letter_that_is_missing_and_files_and_times_of_another_kind_are_refused(
    found: Quoted, tmp_path: Path
) -> None:
    with pytest.raises(NotExact, match="w is missing"):
        of_two_points({"h": 1, "y": 1}, PARAMETERS, 1)
    with pytest.raises(NotExact, match="the letters of the start are given by their names"):
        of_two_points([1, 1, 1], PARAMETERS, 1)  # type: ignore[arg-type]
    with pytest.raises(NotExact, match="nothing was asked of the time 3"):
        found.at(3)
    with pytest.raises(NotExact, match=r"ends in \.json"):
        found.save(tmp_path / "numbers.txt")
    with pytest.raises(NotExact, match="digits is a whole number from 1 to 100"):
        of_two_points(START, PARAMETERS, 1, digits=0)


test_statements_have_their_verdicts = FAMILIES.verdicts()

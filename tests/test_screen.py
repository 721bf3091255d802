"""The output of commands: one line a row in a pipe, whole names on any terminal, the same from any number of
processes.
"""

from __future__ import annotations

import io
import os
import signal
from collections.abc import Callable

import pytest
import sympy as sp
from each import each

from derivations import Paper, Verdict, prove
from derivations.audit.verify import verify, verify_together
from derivations.commands import screen, summary
from derivations.commands import terminal as tty
from derivations.commands.main import main
from derivations.paper.library import library
from derivations.paper.naming import PaperError

x = sp.Symbol("x", real=True)
NAMES = {
    "squares_add_up_wherever_they_stand": "A square of a sum is the sum of the squares and twice the product.",
    "squares_add_up_without_the_product": "A square of a sum is the sum of the squares.",
    "squares_are_positive_even_at_zero": "Every square is positive, that of zero among them.",
    "squares_are_not_negative": "No square is negative.",
}


def a_paper() -> Paper:
    """A sentence that does not hold, a reading that does not, what holds instead, and a definition."""
    paper = Paper("mine", title="Mine", authors="Me", year=2026, source="my desk", numbered=2)
    right, wrong, reading, mild = NAMES
    holds = {"corrected_by": right, "expect": Verdict.REFUTED}
    paper.claim("Eq. 1", name=right, says=NAMES[right])(lambda: prove.identity((x + 1) ** 2, x**2 + 2 * x + 1))
    paper.claim("Section 1, a long place", name=wrong, says=NAMES[wrong], **holds)(
        lambda: prove.identity((x + 1) ** 2, x**2 + 1)
    )
    paper.claim("Eq. 2", name=mild, says=NAMES[mild])(lambda: prove.inequality(x**2 + 1 >= 2 * x))
    paper.claim("Eq. 2, at zero", name=reading, says=NAMES[reading], expect=Verdict.REFUTED, corrected_by=mild)(
        lambda: prove.inequality(x**2 + 1 > 2 * x)
    )
    paper.definition("Section 2", "letters", "What the letters mean.")
    paper.asserts(wrong)
    return paper


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], io.StringIO]:
    """A terminal of the given width, and what is written on it."""

    def of_width(width: int) -> io.StringIO:
        file = io.StringIO()
        wide = tty.Screen(highlight=False, force_terminal=True, color_system=None, width=width, file=file)
        monkeypatch.setattr(tty, "console", wide)
        return file

    return of_width


@each("width", [40, 80, 200])
@each("every_row", [False, True])
def test_a_terminal_of_any_width_shows_whole_names(
    terminal: Callable[[int], io.StringIO], width: int, every_row: bool
) -> None:
    file = terminal(width)
    summary.summary([verify(a_paper())], every_row=every_row)
    text = file.getvalue()
    shown = NAMES if every_row else ["squares_add_up_without_the_product"]
    assert all(name in text for name in shown)
    assert "squares_are_positive_even_at_zero" in text or not every_row
    assert max(map(len, text.splitlines())) <= max(width, 70)
    assert "fault" not in text


def test_a_summary_lists_causes_and_counts_readings(terminal: Callable[[int], io.StringIO]) -> None:
    file = terminal(100)
    report = verify(a_paper())
    summary.summary([report], every_row=False)
    summary.next_steps([report], 1.5, 2)
    text = file.getvalue()
    assert "1 sentence that does not hold" in text
    assert "squares_are_positive_even_at_zero" not in text
    assert "1 fail only in one reading" in text
    assert "2 of 2 equations covered" in text
    assert "5 entries judged in 1.5 s by 2 processes." in text


def test_a_pipe_gets_one_line_a_row_with_whole_ids(capsys: pytest.CaptureFixture[str]) -> None:
    reports = [verify(a_paper())]
    summary.summary(reports, every_row=True)
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert rows[0][:3] == ["mine:squares_add_up_wherever_they_stand", "proved", "Eq. 1"]
    assert ["mine:squares_add_up_without_the_product", "refuted", "Section 1, a long place"] in [r[:3] for r in rows]
    assert ["mine", "sentences", "2 proved, 1 refuted"] in rows or ["mine", "corrections", "1 proved"] in rows
    summary.next_steps(reports, 1.5, 2)
    assert not capsys.readouterr().out


def test_a_pipe_says_of_each_mistake_whether_its_sentence_holds(capsys: pytest.CaptureFixture[str]) -> None:
    summary.summary([verify(a_paper())], every_row=False)
    told = next(line for line in capsys.readouterr().out.splitlines() if "without_the_product" in line)
    assert told.split("\t")[2].startswith("does not hold: ")


def test_a_claim_that_should_hold_and_does_not_shows_its_witness(capsys: pytest.CaptureFixture[str]) -> None:
    paper = Paper("mine", title="Mine", authors="Me", year=2026, source="my desk", numbered=1)
    paper.claim("Eq. 1", name="root", says="The square is the number.")(lambda: prove.identity(x**2, x))
    summary.summary([verify(paper)], every_row=False)
    printed = capsys.readouterr().out.splitlines()
    assert "fault mine:root: expected proved, found refuted" in printed
    assert printed[-1].startswith("witness mine:root: At x = ")


def test_papers_verified_together_are_what_each_is_alone() -> None:
    done: list[str] = []
    first, second = a_paper(), a_paper()
    together = verify_together(
        [(first, None), (second, list(second.entries.values())[:2])], 3, lambda e: done.append(e.id)
    )
    assert [len(report.outcomes) for report in together] == [5, 2]
    assert [report.whole for report in together] == [True, False]
    alone = verify(a_paper())
    assert [o.certificate for o in together[0].outcomes] == [o.certificate for o in alone.outcomes]
    assert len(done) == 7


def test_a_process_that_is_ended_from_outside_is_told_in_one_sentence() -> None:
    paper = a_paper()
    paper.claim("Eq. 1", name="ended", says="It ends.")(lambda: os.kill(os.getpid(), signal.SIGKILL))  # type: ignore[arg-type, return-value]
    with pytest.raises(PaperError, match="--jobs 1"):
        verify(paper, jobs=2)


def test_every_command_prints_the_same_for_any_number_of_processes(capsys: pytest.CaptureFixture[str]) -> None:
    few = [claim.id for claim in next(iter(library().values())).claims[::60]]
    texts = set()
    for jobs in ("1", "2", "3"):
        assert main(["verify", *few, "--all", "--jobs", jobs]) == 0
        texts.add(capsys.readouterr().out)
    assert len(texts) == 1
    assert [line.partition("\t")[0] for line in texts.pop().splitlines()] == few


def test_a_name_alone_shows_what_its_id_shows(capsys: pytest.CaptureFixture[str]) -> None:
    claim = next(iter(library().values())).claims[0]
    assert main(["show", claim.name]) == 0
    by_name = capsys.readouterr().out
    assert main(["show", claim.id]) == 0
    assert capsys.readouterr().out == by_name


def test_lists_are_cut_on_terminals_and_whole_in_pipes(
    terminal: Callable[[int], io.StringIO], capsys: pytest.CaptureFixture[str]
) -> None:
    paper = a_paper()
    screen.entries(paper)
    assert len(capsys.readouterr().out.splitlines()) == len(paper.entries)
    for width in (30, 60, 120):
        file = terminal(width)
        screen.entries(paper)
        assert all(name in file.getvalue().split() for name in paper.entries)

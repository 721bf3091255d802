"""The output of `numerics` into a pipe: whole lines for rows, and progress where there is no bar."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from numerics.__main__ import main
from numerics.machine import progress as shown
from numerics.machine.progress import Screen, lines, table

LONG = "a_name_that_is_longer_than_any_terminal_" * 10


def test_a_pipe_gets_a_whole_line_for_each_row(capsys: pytest.CaptureFixture[str]) -> None:
    made = table("title", ["name", "told"], ["count"])
    made.add_row(f"[bold]{LONG}[/]", f"{LONG} {LONG}", "1")
    made.add_row("", "of the same", "[red]2[/]")
    Screen().show(made)
    wanted = [["# title"], ["name", "told", "count"], [LONG, f"{LONG} {LONG}", "1"], [LONG, "of the same", "2"]]
    assert [line.split("\t") for line in capsys.readouterr().out.splitlines()] == wanted
    assert [line.split("\t") for line in lines(made)] == wanted


def test_a_terminal_gets_the_table() -> None:
    file = io.StringIO()
    screen = Screen(highlight=False)
    screen._force_terminal, screen.file = True, file
    made = table("title", ["name"])
    made.add_row("[bold]one[/]")
    screen.show(made)
    assert "title" in file.getvalue()
    assert "\t" not in file.getvalue()


def test_long_work_is_told_on_standard_error_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with shown.progress(2) as (bar, task):
        bar.update(task, description="quick", completed=1)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(shown, "FIRST_LINE", 0.0)
    with shown.progress(2) as (bar, task):
        bar.update(task, description="[bold]first[/]", completed=0.25)
        bar.update(task, description="second", advance=1)
    assert capsys.readouterr() == ("", "first: 0.25 of 2 in 0 s\n")
    monkeypatch.setattr(shown, "NEXT_LINE", 0.0)
    with shown.progress(2) as (bar, task):
        bar.update(task, advance=1)
        bar.update(task, advance=1)
    assert capsys.readouterr().err == "1 of 2 in 0 s\n2 of 2 in 0 s\n"


def test_a_terminal_has_a_bar_and_no_lines(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown, "FIRST_LINE", 0.0)
    monkeypatch.setattr(Console, "is_terminal", True)
    with shown.progress(2) as (bar, task):
        assert not isinstance(bar, shown.Lines)
        bar.update(task, description="first", completed=1)
    assert "1 of 2" not in capsys.readouterr().err


@pytest.mark.parametrize("command", [["validate", "two_point"], ["reproduce", "--quick", "braun_2022:fig_1b"]])
def test_commands_print_rows_of_one_width_in_a_pipe(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(shown, "FIRST_LINE", 0.0)
    assert main(command) == 0
    out, err = capsys.readouterr()
    rows = [line.split("\t") for line in out.splitlines() if not line.startswith(("# ", "wrote "))]
    assert len(rows) > 1
    assert {len(row) for row in rows} == {4}
    assert " of 1 in " in err

"""Pages from a ledger, with results, and by the command: what is written, and what is refused in one sentence."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from derivations.__main__ import main
from derivations.audit.verify import Outcome, Report, verify
from derivations.commands import selection
from derivations.paper.files import load_file
from derivations.paper.library import library
from derivations.paper.model import Paper
from derivations.report import Panel, ReportError, pages, read, which_ledger, write

OWN = Path(__file__).parent / "data" / "own_paper.txt"


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("own") / "mine.py"
    path.write_bytes(OWN.read_bytes())
    return path


# --- pages from a ledger ----------------------------------------------------------------------------------------------


def test_pages_from_a_ledger_are_those_of_the_verdicts(own: Path, tmp_path: Path) -> None:
    report = verify(load_file(own))
    keeping = which_ledger.keep(tmp_path, [report])
    kept = which_ledger.at(tmp_path / which_ledger.FILE)
    assert pages(which_ledger.named(kept, [report.paper])) == pages(keeping)
    assert which_ledger.fresh(tmp_path, [report.paper]) is None  # it is no paper of this package


def changed(data: Any, how: str) -> Any:
    """A ledger with something in it that is not what was written."""
    entry = next(e for e in data["papers"][0]["entries"] if e["certificate"])
    if how == "verdict":
        entry["certificate"]["verdict"] = "proved" if entry["verdict"] == "refuted" else "refuted"
    elif how == "sentence":
        entry["says"] = "Something else."
    elif how == "entry":
        data["papers"][0]["entries"].remove(entry)
    elif how == "key":
        data["papers"][0]["key"] = "other"
    else:
        data["schema"] = 1
    return data


@pytest.mark.parametrize("how", ["verdict", "sentence", "entry", "key", "schema"])
def test_a_ledger_that_was_changed_writes_no_page(
    own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    which_ledger.keep(tmp_path, [verify(load_file(own))])
    path = tmp_path / which_ledger.FILE
    path.write_text(json.dumps(changed(json.loads(path.read_text("utf-8")), how)), encoding="utf-8")
    assert main(["report", str(own), "--from", str(path), "--html", str(tmp_path / "site")]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert not (tmp_path / "site").exists()


def test_a_ledger_of_other_code_is_not_fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paper = library()["solvable_networks"]
    report = Report(paper, [Outcome(entry, None, 0.0) for entry in paper.entries.values()])
    which_ledger.keep(tmp_path, [report])
    assert [r.paper.key for r in which_ledger.fresh(tmp_path, [paper]) or ()] == ["solvable_networks"]
    monkeypatch.setattr(which_ledger, "code", lambda: "another")
    assert which_ledger.fresh(tmp_path, [paper]) is None


# --- results of a reproduction ----------------------------------------------------------------------------------------


def results(folder: Path, text: str) -> Path:
    (folder / "results.json").write_text(text, encoding="utf-8")
    return folder


def test_outcomes_stand_beside_the_experiments_they_repeat(own: Path, tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", encoding="utf-8")
    panels = [
        {"id": "mine:fig_2a", "outcome": "reproduced", "sentence": "Within <1%.", "figure": "a.svg"},
        {"id": "mine:other", "outcome": "not reproduced", "sentence": "Off by two."},
        {"id": "elsewhere:fig", "outcome": "reproduced", "sentence": "Not here."},
    ]
    text = pages([verify(load_file(own))], read(results(tmp_path, json.dumps({"panels": panels}))))["mine.html"]
    article = re.search(r'<article id="fig_2a".*?</article>', text, re.S)
    assert article
    assert "Within &lt;1%." in article[0]
    assert 'src="data:image/svg+xml;base64,' in article[0]
    assert "Off by two." in text
    assert "Not here." not in text


@pytest.mark.parametrize(
    "text",
    [
        None,
        "{",
        "[]",
        '{"panels": 3}',
        '{"panels": [7]}',
        '{"panels": [{"id": "mine:a", "outcome": 1, "sentence": ""}]}',
        '{"panels": [{"id": "a", "outcome": "", "sentence": ""}]}',
        '{"panels": [{"id": "mine:a", "outcome": "", "sentence": "", "figure": "gone.svg"}]}',
        '{"panels": [{"id": "mine:a", "outcome": "", "sentence": "", "figure": "../out.svg"}]}',
        '{"panels": [{"id": "mine:a", "outcome": "", "sentence": "", "figure": 3}]}',
    ],
)
def test_results_that_cannot_be_read_are_told_in_one_sentence(
    text: str | None, own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    if text is not None:
        results(folder, text)
    status = main(["report", str(own), "--html", str(tmp_path / "site"), "--results", str(folder)])
    told = capsys.readouterr().err
    assert status == 2
    assert told.startswith("derivations: ")
    assert len(told.strip().splitlines()) == 1
    assert not (tmp_path / "site").exists()


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_writes_the_pages_of_a_paper_of_ones_own(
    own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["report", str(own), "--html", str(tmp_path / "site")]
    assert main(arguments) == 0
    names = ["evidence", "index.html", "ledger.json", "mine.html", "search.js"]
    assert sorted(path.name for path in (tmp_path / "site").iterdir()) == names
    assert "mine.html" in capsys.readouterr().out
    assert main(arguments) == 0
    assert "up to date" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["braun_2022:theorem_31", "--html", "site"], ["--html", "setup.cfg"]])
def test_a_mistake_ends_with_two_and_one_sentence(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "setup.cfg").touch()
    assert main(["report", *arguments]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--html", "/proc/x"], "/proc cannot be written to: give --html a folder that can"),
        (["--html", "/nonexistent/q/r"], "there is no folder /nonexistent/q to write r into: create it first"),
        (["--html", "site", "--from", "data.json"], "this is no ledger of schema"),
        (
            ["--html", "site", "--from", "empty.json"],
            "empty.json cannot be read: give what `derivations",
        ),
    ],
)
def test_pages_that_cannot_be_written_are_refused_before_papers_are_imported(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(selection, "chosen", lambda _: pytest.fail("papers were imported"))
    (tmp_path / "data.json").write_text('{"papers": []}')
    (tmp_path / "empty.json").touch()
    assert main(["report", *arguments]) == 2
    assert said in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"data.json", "empty.json"}


@pytest.mark.parametrize("key", ["index", "../up", "a b", ""])
def test_a_key_that_is_no_file_name_writes_no_page(key: str, tmp_path: Path) -> None:
    paper = Paper(key, title="t", authors="a", year=1, source="s", numbered=0)
    with pytest.raises(ReportError, match="cannot name a page"):
        write([Report(paper)], tmp_path, [Panel("a:b", "", "")])
    assert list(tmp_path.iterdir()) == []

"""The committed page of results: of the panels that are registered, as they are configured, each with its picture."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from numerics.__main__ import main
from numerics.reproduce import reproduce
from numerics.reproduce.experiments import experiments, papers
from numerics.reproduce.page import page, read
from numerics.reproduce.publish import COMMITTED, OVERVIEW, PAGE, PICTURES, publish
from numerics.reproduce.results import ResultError

ROOT = Path(__file__).resolve().parent.parent
MARK = re.compile(r"^<!-- (\S+) (quick|full) ([0-9a-f]{64}) -->$", re.MULTILINE)


def marks(page: Path) -> list[tuple[str, str, str]]:
    return MARK.findall(page.read_text(encoding="utf-8"))


def test_the_committed_page_has_every_panel_as_the_registry_configures_it_and_says_which_runs_were_quick() -> None:
    found = marks(ROOT / PAGE)
    runs = {name: run for name, run, _ in found}
    wanted = [(entry.id, runs[entry.id], entry.digest(quick=runs[entry.id] == "quick")) for entry in experiments()]
    assert found == wanted


def test_one_picture_per_paper_and_the_overview_are_committed() -> None:
    folder = ROOT / PICTURES
    shown = [entry for entry in experiments() if entry.id in COMMITTED]
    assert sorted(entry.paper for entry in shown) == list(papers())
    wanted = {f"{entry.paper}/{entry.name}.png" for entry in shown}
    assert {path.relative_to(folder).as_posix() for path in folder.glob("*/*.png")} == wanted
    assert (folder / OVERVIEW).is_file()


def test_results_of_a_folder_are_published_and_other_pictures_removed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    chosen = experiments("braun_2022:3B")
    reproduce(chosen, tmp_path / "results", quick=True)
    monkeypatch.setattr("numerics.reproduce.publish.COMMITTED", ("braun_2022:fig_3b",))
    stale = tmp_path / PICTURES / "braun_2022" / "fig_0.png"
    stale.parent.mkdir(parents=True)
    stale.write_bytes(b"")
    (outcome,) = publish(tmp_path / "results", tmp_path)
    assert marks(tmp_path / PAGE) == [(outcome.experiment.id, outcome.run, outcome.result.digest)]
    assert "parameter not stated in the source, chosen here" in (tmp_path / PAGE).read_text(encoding="utf-8").lower()
    assert (stale.parent / "fig_3b.png").read_bytes() == (tmp_path / "results/braun_2022/fig_3b.png").read_bytes()
    assert not stale.exists()
    (tmp_path / "results/braun_2022/fig_3b.png").unlink()
    with pytest.raises(ResultError, match=r"fig_3b\.png cannot be read"):
        publish(tmp_path / "results", tmp_path)


def test_panels_that_a_folder_has_not_stay_on_the_page_as_they_are(tmp_path: Path) -> None:
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    assert page([], f"{PICTURES}/", COMMITTED, read(text)) == text
    (picture,) = (f"{paper}/{name}.png" for paper, name in [COMMITTED[0].split(":")])
    (tmp_path / PICTURES / picture).parent.mkdir(parents=True)
    (tmp_path / PICTURES / picture).write_bytes(b"drawn before")
    (tmp_path / PAGE).write_text(text.replace(experiments("braun_2022:fig_3b")[0].digest(quick=False), "0" * 64))
    reproduce(experiments("braun_2022:fig_3c"), tmp_path / "results", quick=True)
    (outcome,) = publish(tmp_path / "results", tmp_path)
    before, after = ({name: rest for name, *rest in marks(path)} for path in (ROOT / PAGE, tmp_path / PAGE))
    assert before.pop("braun_2022:fig_3b")  # configured otherwise when it was published
    assert after == {**before, outcome.experiment.id: [outcome.run, outcome.result.digest]}
    assert list(after) == [name for name in before if name in after]
    assert (tmp_path / PICTURES / picture).read_bytes() == b"drawn before"


def test_a_folder_without_results_is_answered_in_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["publish", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1

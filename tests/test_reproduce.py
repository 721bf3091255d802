"""Repeating figures: the registries, the panels that are computed once, and results that reload as what they were."""

from __future__ import annotations

import ast
import fcntl
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from case_files import Cases
from command_line import Told, teller
from each import each

from derivations.paper.library import library
from derivations.report.results import read as read_for_report
from numerics.__main__ import main
from numerics.reproduce import _clear, kept, reproduce
from numerics.reproduce.experiments import Experiment, ExperimentError, experiments, papers, read
from numerics.reproduce.figures import panels
from numerics.reproduce.figures.panel import Setting
from numerics.reproduce.figures.style import drawn
from numerics.reproduce.results import Result, ResultError, load, save

FAMILIES = Cases(__file__, globals())

PANEL = "braun_2022:fig_1b"
ENTRY = {
    "name": "fig_1",
    "where": "Figure 1",
    "expected": "It works.",
    "seed": 0,
    "full": {"size": 3},
    "checks": [{"measure": "gap", "says": "gap", "at_most": 1.0}],
}


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    return teller(main, capsys, "reproduce")


def a_result(**changes: object) -> Result:
    data = {"times": np.linspace(0.0, 1.0, 5), "count": np.array([[1, 2]]), "flag": np.array(True)}
    about = {"configuration": {"sizes": [1, 2]}, "seed": 3, "measured": {"gap": 0.1, "none": float("inf")}}
    plain = {"id": "paper:fig", "digest": "0", "seconds": 1.5, "versions": {"numpy": "2"}}
    return Result(**{**plain, **about, "data": data, **changes})  # type: ignore[arg-type]


# --- registries -------------------------------------------------------------------------------------------------------


SELECTING, SAID = {"learnable_start", "arrives"}, "drawn again until it is one"
"""Phrases that select starts or tasks, and what a panel that calls it says under `chosen_here`."""


def test_every_panel_for_which_starts_or_tasks_are_selected_says_so() -> None:
    told = {entry.name: " ".join(entry.chosen_here) for entry in experiments("braun_2022")}
    silent: list[str] = []
    for path in (Path(panels.__code__.co_filename).parent / "braun_2022").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        bodies = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        used = {name: {x.id for x in ast.walk(node) if isinstance(x, ast.Name)} for name, node in bodies.items()}
        table = next((node.value for node in tree.body if isinstance(node, ast.Assign) and _assigns_panels(node)), None)
        for key, call in zip(table.keys, table.values, strict=True) if isinstance(table, ast.Dict) else ():
            reached = {x.id for x in ast.walk(call) if isinstance(x, ast.Name)}
            while more := set().union(*(used[name] for name in reached & used.keys())) - reached:
                reached |= more
            name = ast.literal_eval(key) if key is not None else ""
            silent += [name] if reached & SELECTING and SAID not in told[name] else []
    assert silent == []
    assert sum(SAID in says for says in told.values()) == 16


def _assigns_panels(node: ast.Assign) -> bool:
    return any(isinstance(target, ast.Name) and target.id == "PANELS" for target in node.targets)


@each("paper", papers())
def test_a_registry_has_the_panels_that_the_paper_has_as_experiments(paper: str) -> None:
    listed = {entry.name for entry in library()[paper].entries.values() if entry.kind == "experiment"}
    assert {entry.name for entry in experiments(paper)} == listed


@each("paper", papers())
def test_every_entry_of_a_registry_is_computed_and_nothing_else_is(paper: str) -> None:
    assert set(panels(paper)) == {entry.name for entry in experiments(paper)}


@each("entry", experiments())
def test_every_parameter_that_is_chosen_here_is_a_parameter_or_a_phrase(entry: Experiment) -> None:
    words = [text for text in entry.chosen_here if text.isidentifier()]
    assert set(words) <= entry.full.keys()
    assert entry.expected.endswith(".")
    assert "sympy" not in entry.differs


@each(
    ("change", "told"),
    [
        *FAMILIES["a registry that is wrong is refused"],
        ({"checks": [{"measure": "gap", "says": "gap", "at_most": float("nan")}]}, "bounds are numbers"),
    ],
)
def test_a_registry_that_is_wrong_is_refused(change: dict[str, object], told: str) -> None:
    panel = {key: value for key, value in {**ENTRY, **change}.items() if value is not None}
    with pytest.raises(ExperimentError, match=told):
        read("paper", {"panels": [panel]})


def test_the_digest_tells_configurations_and_seeds_apart() -> None:
    changes = [{}, {"seed": 1}, {"full": {"size": 4}}, {"name": "fig_2"}]
    entries = [read("paper", {"panels": [{**ENTRY, **change}]})[0] for change in changes]
    assert len({entry.digest(quick=False) for entry in entries}) == len(entries)
    (entry,) = read("paper", {"panels": [{**ENTRY, "quick": {"size": 2}}]})
    assert entry.digest(quick=True) != entry.digest(quick=False)


# --- the command ------------------------------------------------------------------------------------------------------


def test_a_panel_is_repeated_drawn_and_told_and_not_computed_again(told: Told, tmp_path: Path) -> None:
    status, out, err = told("braun_2022:1B", "--quick", "--out", tmp_path)
    assert (status, err.strip()) == (0, "")
    assert "reproduced" in out
    (panel,) = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))["panels"]
    assert (panel["id"], panel["outcome"]) == (PANEL, "reproduced")
    assert read_for_report(tmp_path)[0].picture.startswith("data:image/svg+xml;base64,")
    assert "### Figure 1B: reproduced" in (tmp_path / "RESULTS.md").read_text(encoding="utf-8")
    before = (tmp_path / "braun_2022" / "fig_1b.svg").read_bytes()
    assert "kept" in told("braun_2022:1B", "--quick", "--out", tmp_path)[1]
    assert (tmp_path / "braun_2022" / "fig_1b.svg").read_bytes() == before


def test_results_of_several_runs_gather_in_one_list(told: Told, tmp_path: Path) -> None:
    for words in ("braun_2022:4C", "braun_2022:3B"):
        told(words, "--quick", "--out", tmp_path)
    listed = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))["panels"]
    assert [panel["id"] for panel in listed] == ["braun_2022:fig_3b", "braun_2022:fig_4c"]


def test_a_printed_formula_that_fails_differs_as_the_registry_says(tmp_path: Path) -> None:
    (outcome,) = reproduce(experiments("braun_2022:4F"), tmp_path, quick=True)
    assert outcome.verdict == "differs"
    assert not outcome.unexpected
    assert outcome.result.measured["corrected_intermediate"] < 0.1 * outcome.result.measured["printed_intermediate"]


def test_a_result_of_another_configuration_is_computed_anew(tmp_path: Path) -> None:
    chosen = experiments("braun_2022:3B")
    (first,) = reproduce(chosen, tmp_path, quick=True)
    stem = tmp_path / "braun_2022" / "fig_3b"
    save(a_result(id=chosen[0].id, measured=first.result.measured), stem)
    assert kept(chosen[0], tmp_path) is None
    assert reproduce(chosen, tmp_path, quick=True)[0].anew


def test_a_result_without_a_number_that_is_judged_now_is_computed_anew(tmp_path: Path) -> None:
    (entry,) = experiments("braun_2022:4C")
    (first,) = reproduce([entry], tmp_path, quick=True)
    save(replace(first.result, measured={}), tmp_path / "braun_2022" / "fig_4c")
    assert kept(entry, tmp_path) is None
    assert reproduce([entry], tmp_path, quick=True)[0].anew


@pytest.mark.parametrize("words", ["nobody_2020", "braun_2022:fig_9", "braun_2022:", "braun_2022:fig_"])
def test_a_name_of_nothing_is_answered_in_one_sentence(told: Told, tmp_path: Path, words: str) -> None:
    status, out, err = told(words, "--out", tmp_path)
    assert (status, out) == (2, "")
    assert err.startswith("numerics: ")
    assert len(err.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_a_damaged_result_and_a_folder_that_is_a_file_are_answered_in_one_sentence(told: Told, tmp_path: Path) -> None:
    told("braun_2022:4C", "--quick", "--out", tmp_path)
    (tmp_path / "braun_2022" / "fig_4c.json").write_text("{", encoding="utf-8")
    (tmp_path / "braun_2022" / "fig_4c.npz").unlink()
    (tmp_path / "file").write_text("")
    for folder in (tmp_path, tmp_path / "file"):
        status, _, err = told("braun_2022:4C", "--quick", "--out", folder)
        assert status == 2
        assert len(err.strip().splitlines()) == 1


def test_a_folder_that_cannot_be_written_is_told_before_anything_is_computed(told: Told) -> None:
    status, _, err = told("braun_2022:4C", "--quick", "--out", "/proc/results")
    assert status == 2
    assert "/proc/results cannot be written into" in err
    assert len(err.strip().splitlines()) == 1


def test_runs_are_kept_while_at_work_and_those_of_other_panels_beyond(tmp_path: Path) -> None:
    """A panel that was interrupted goes on from its own runs, whatever other panels do meanwhile."""
    other = tmp_path / "runs" / "mlp-of-an-interrupted-panel"
    other.mkdir(parents=True)
    shelves = [tmp_path / "runs" / name for name in ("mlp-done", "mlp-at-work", "mlp-never-begun")]
    for shelf in shelves[:2]:
        shelf.mkdir()
        (shelf / "000000.npz").write_bytes(b"")
    with (shelves[1] / ".lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _clear(tmp_path, shelves)
        assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == ["mlp-at-work", other.name]
    other.rmdir()
    _clear(tmp_path, shelves)
    assert not (tmp_path / "runs").exists()


# --- what is computed and drawn ---------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_bits_and_the_same_picture() -> None:
    entry = experiments("braun_2022:1C")[0]
    panel, setting = panels("braun_2022")["fig_1c"], Setting(entry.configuration(quick=True), entry.seed)
    first, second = panel.compute(setting), panel.compute(setting)
    assert all(np.array_equal(array, second.data[name]) for name, array in first.data.items())
    pictures = [drawn(lambda figure: panel.draw(figure, first.data), panel.size) for _ in range(2)]
    assert pictures[0] == pictures[1]


# --- results ----------------------------------------------------------------------------------------------------------


def test_a_saved_result_reloads_as_what_it_was(tmp_path: Path) -> None:
    result = a_result()
    save(result, tmp_path / "fig")
    assert load(tmp_path / "fig") == result
    assert load(tmp_path / "fig") != a_result(seed=4)
    save(a_result(seed=4), tmp_path / "fig")
    assert load(tmp_path / "fig").seed == 4


def test_a_result_of_arrays_that_are_not_numbers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResultError, match="'odd'"):
        save(a_result(data={"odd": np.array([None])}), tmp_path / "fig")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("damage", ["{", "[]", '{"arrays": "0"}', "null"])
def test_a_damaged_result_is_refused_in_one_sentence(tmp_path: Path, damage: str) -> None:
    save(a_result(), tmp_path / "fig")
    (tmp_path / "fig.json").write_text(damage, encoding="utf-8")
    with pytest.raises(ResultError, match="is damaged or no result"):
        load(tmp_path / "fig")


def test_arrays_that_were_changed_and_results_that_are_missing_are_refused(tmp_path: Path) -> None:
    save(a_result(), tmp_path / "fig")
    arrays = tmp_path / "fig.npz"
    arrays.write_bytes(arrays.read_bytes()[:-1] + b"x")
    with pytest.raises(ResultError, match="is damaged"):
        load(tmp_path / "fig")
    with pytest.raises(ResultError, match="there is no result"):
        load(tmp_path / "none")


def test_no_damage_of_a_file_is_read_as_another_result(tmp_path: Path) -> None:
    rng, result = np.random.default_rng(0), a_result()
    save(result, tmp_path / "fig")
    whole, told = {path: path.read_bytes() for path in tmp_path.iterdir()}, 0
    for k in range(200):
        path, data = list(whole.items())[k % len(whole)]
        at = int(rng.integers(len(data)))
        path.write_bytes(data[:at] if k % 3 == 0 else data[:at] + bytes([data[at] ^ 1 << k % 8]) + data[at + 1 :])
        try:
            assert load(tmp_path / "fig") == result
        except ResultError:
            told += 1
        path.write_bytes(data)
    assert told > 20


@pytest.mark.parametrize("measured", [[], None, 3, {"k": "x"}])
def test_a_result_whose_measures_are_no_numbers_is_refused_in_one_sentence(measured: object, tmp_path: Path) -> None:
    path = save(a_result(), tmp_path / "saved")
    path.write_text(json.dumps({**json.loads(path.read_text()), "measured": measured}))
    with pytest.raises(ResultError, match="is damaged or no result"):
        load(tmp_path / "saved")


def test_a_result_that_was_changed_after_it_was_written_is_refused_and_one_without_a_seal_is_read(
    tmp_path: Path,
) -> None:
    path = save(a_result(), tmp_path / "fig")
    told = json.loads(path.read_text())
    path.write_text(json.dumps({**told, "seed": 99}))
    with pytest.raises(ResultError, match="is damaged or no result"):
        load(tmp_path / "fig")
    path.write_text(json.dumps({name: value for name, value in told.items() if name != "sealed"}))
    assert load(tmp_path / "fig") == a_result()


test_statements_have_their_verdicts = FAMILIES.verdicts()

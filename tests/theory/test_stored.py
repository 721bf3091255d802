"""Results that are written to a folder block by block: the bits of those in memory, and nothing half written."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numerics.machine.arguments import TeacherStudentError
from numerics.machine.checkpoints import RunError
from numerics.ode import stored
from numerics.ode.integrate import integrate
from numerics.ode.trajectories import IntegrateError
from numerics.theory import teacher_student
from numerics.theory.teacher_student import many, trajectories, trajectory
from numerics.theory.two_point import flow

DECAY = "numerics.ode.methods.decay"
TIMES = [0.0, 0.5, 2.0]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "BLOCK", 1)
    monkeypatch.setattr(stored, "FEWEST", 7)


def committees(count: int, K: int = 2, M: int = 3) -> dict[str, Any]:
    """Overlaps of random students with one teacher, as arguments."""
    rng = np.random.default_rng([count, K, M])
    W, goal = 0.5 * rng.standard_normal((count, K, 20)), rng.standard_normal((M, 20))
    Q, R, T = W @ W.swapaxes(1, 2) / 20, W @ goal.T / 20, goal @ goal.T / 20
    Q, T = (Q + Q.swapaxes(1, 2)) / 2, (T + T.T) / 2
    return {"Q": Q, "R": R, "T": T, "eta": 0.5, "eta_v": 0.3, "sigma": 0.1, "times": TIMES}


@pytest.mark.parametrize("rows", [1, 20])
def test_stored_trajectories_have_the_bits_of_those_in_memory(rows: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(rows)
    starts, params = rng.standard_normal((20, 2)), rng.random((rows, 1))
    starts[11] = np.nan
    here = integrate(DECAY, starts, params, TIMES)
    np.save(tmp_path / "starts.npy", starts)
    there = integrate(DECAY, np.load(tmp_path / "starts.npy", mmap_mode="r"), params, TIMES, out=tmp_path / "out")
    assert isinstance(there.states, np.memmap)
    np.testing.assert_array_equal(there.states, here.states)
    np.testing.assert_array_equal(there.calls, here.calls)
    assert tuple(there.messages) == here.messages
    assert there.messages[11] == "left the domain"
    assert list(there.messages[10:12]) == ["", "left the domain"]
    assert not there.succeeded
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "calls.npy",
        "codes.npy",
        "messages.json",
        "states.npy",
    ]


@pytest.mark.parametrize("name", ["trajectories", "signed_trajectories"])
def test_stored_flows_of_two_points_have_the_bits_of_those_in_memory(name: str, tmp_path: Path) -> None:
    starts = np.random.default_rng(0).uniform([0.01, 0.02, 0.0], [0.1, 0.03, 0.01], (30, 3))
    here = getattr(flow, name)(starts, [0.25, 1.0, 1.5, 0.8], TIMES)
    there = getattr(flow, name)(starts, [0.25, 1.0, 1.5, 0.8], TIMES, out=tmp_path)
    np.testing.assert_array_equal(there.states, here.states)


def test_a_start_that_is_refused_is_named_before_anything_is_written(tmp_path: Path) -> None:
    starts = np.full((30, 3), 0.1)
    starts[23, 0] = -1.0
    with pytest.raises(IntegrateError, match="start 23 has h = -1"):
        flow.trajectories(starts, [0.25, 1.0, 1.5, 0.8], TIMES, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("changes", [{}, {"eta_v": 0.0}, {"v": np.linspace(0.5, 1.5, 30).reshape(15, 2), "eta_v": 0.0}])
def test_many_order_parameters_are_those_of_each_start_alone(changes: dict[str, Any], tmp_path: Path) -> None:
    asked = {**committees(15), **changes}
    there = trajectories(**asked, out=tmp_path)
    here = trajectories(**asked)
    for k in (0, 8, 14):
        own = {"v": asked["v"][k]} if "v" in asked else {}
        alone = trajectory(**{**asked, "Q": asked["Q"][k], "R": asked["R"][k], **own})
        for name in ("Q", "R", "v", "error"):
            np.testing.assert_array_equal(getattr(there, name)[k], getattr(alone, name))
            np.testing.assert_array_equal(getattr(here, name)[k], getattr(alone, name))
    assert tuple(there.messages) == here.messages == ("",) * 15


def test_an_activation_without_formulas_has_its_rules_for_each_start() -> None:
    asked = {**committees(2, 1, 1), "activation": "tanh", "eta_v": 0.0, "quadrature": 1e-3, "rtol": 1e-6, "atol": 1e-8}
    many = trajectories(**asked)
    alone = trajectory(**{**asked, "Q": asked["Q"][1], "R": asked["R"][1]})
    np.testing.assert_array_equal(many.Q[1], alone.Q)


def test_an_interruption_leaves_no_result_and_results_are_never_replaced(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        stored.in_blocks(stopping_at(7), *ASKED, tmp_path, {})
    assert not list(tmp_path.glob("*.npy"))
    stored.in_blocks(stopping_at(99), *ASKED, tmp_path, {})
    with pytest.raises(IntegrateError, match=r"has .*\.npy already: remove it, or name another folder"):
        stored.in_blocks(stopping_at(99), *ASKED, tmp_path, {})


ASKED = (np.arange(1.0, 21.0)[:, None], [0.5], TIMES)


def stopping_at(start: int) -> Callable[[Any, Any, int], Any]:
    """What follows starts up to some number, and is then interrupted; start 11 has no value."""

    def follow(rows: Any, given: Any, first: int) -> Any:
        if first >= start:
            raise KeyboardInterrupt
        return integrate(DECAY, np.where(rows == 12.0, np.nan, rows), given, TIMES)

    return follow


@pytest.mark.parametrize("start", [0, 7, 14])
@pytest.mark.parametrize("block", [7, 3])
def test_a_run_goes_on_with_the_blocks_that_are_whole(
    start: int, block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = stored.in_blocks(stopping_at(99), *ASKED, tmp_path / "whole", {})
    with pytest.raises(KeyboardInterrupt):
        stored.in_blocks(stopping_at(start), *ASKED, tmp_path / "out", {})
    if start:  # a block of which a part was written
        with (tmp_path / "out" / ".states.npy.draft").open("ab") as file:
            file.write(b"abc")
    begun: list[int] = []

    def counted(rows: Any, given: Any, first: int) -> Any:
        begun.append(first)
        return stopping_at(99)(rows, given, first)

    monkeypatch.setattr(stored, "FEWEST", block)
    found = stored.in_blocks(counted, *ASKED, tmp_path / "out", {})
    assert begun == list(range(start, 20, block))
    assert tuple(found.messages) == tuple(whole.messages)
    assert found.messages[11] == "left the domain"
    for name in ("states.npy", "calls.npy", "codes.npy", "messages.json"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert len(list((tmp_path / "out").iterdir())) == 4


def test_an_end_that_is_interrupted_is_ended_by_the_next_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed between two of the names that files get in the end."""
    rename, left = Path.replace, [2]

    def once(path: Path, target: Path) -> Path:
        if str(target).endswith(".npy"):
            left[0] -= 1
            if left[0] == 0:
                raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(Path, "replace", once)
    with pytest.raises(KeyboardInterrupt):
        stored.in_blocks(stopping_at(99), *ASKED, tmp_path, {})
    assert len(list(tmp_path.glob("*.npy"))) == 1
    found = stored.in_blocks(stopping_at(0), *ASKED, tmp_path, {})
    assert np.array_equal(found.states, stopping_at(99)(ASKED[0], [0.5], 0).states, equal_nan=True)


CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"starts": np.ones((20, 1))}, "starts"),
    ({"starts": np.arange(1.0, 20.0)[:, None]}, "starts"),
    ({"params": [0.25]}, "params"),
    ({"times": [0.0, 0.5, 3.0]}, "times"),
    ({"rtol": 1e-8}, "rtol"),
    ({"atol": [1e-9]}, "atol"),
    ({"method": "implicit"}, "method"),
]


def test_a_folder_of_other_arguments_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {"starts": ASKED[0], "params": [0.5], "times": TIMES}
    follow = integrate

    def stopping(kernel: str, rows: Any, *given: Any, **options: Any) -> Any:
        if "out" not in options and rows[0, 0] > 7.0:
            raise KeyboardInterrupt
        return follow(kernel, rows, *given, **options)

    with monkeypatch.context() as patch:
        patch.setattr("numerics.ode.integrate.integrate", stopping)
        with pytest.raises(KeyboardInterrupt):
            integrate(DECAY, **asked, out=tmp_path)
    for change, name in CHANGES:
        with pytest.raises(IntegrateError, match=f"has begun results with other {name}: give what they") as told:
            integrate(DECAY, **{**asked, **change}, out=tmp_path)
        assert "\n" not in str(told.value)
    assert np.array_equal(integrate(DECAY, **asked, out=tmp_path).states, integrate(DECAY, **asked).states)


@pytest.mark.parametrize("lie", ["{", "[]", '{"rows": 7}', '{"about": {}, "rows": [], "sentences": [], "arrays": {}}'])
def test_what_is_damaged_of_a_run_is_refused_in_one_sentence(lie: str, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        stored.in_blocks(stopping_at(14), *ASKED, tmp_path, {})
    (tmp_path / ".states.npy.draft").write_bytes(b"")
    with pytest.raises(IntegrateError, match=r"is not whole: remove begun\.json beside it"):
        stored.in_blocks(stopping_at(99), *ASKED, tmp_path, {})
    (tmp_path / "begun.json").write_text(lie, encoding="utf-8")
    with pytest.raises(IntegrateError, match=r"begun\.json is damaged: remove it, and these results begin again"):
        stored.in_blocks(stopping_at(99), *ASKED, tmp_path, {})
    (tmp_path / "begun.json").unlink()
    stored.in_blocks(stopping_at(99), *ASKED, tmp_path, {})
    assert len(list(tmp_path.iterdir())) == 4


def test_order_parameters_go_on_and_tell_which_argument_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, step = committees(15), many.followed
    calls = []

    def stopping(*given: Any, **options: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return step(*given, **options)

    monkeypatch.setattr(many, "followed", stopping)
    with pytest.raises(KeyboardInterrupt):
        trajectories(**asked, out=tmp_path)
    with pytest.raises(IntegrateError, match="with other sigma"):
        trajectories(**{**asked, "sigma": 0.2}, out=tmp_path)
    found = trajectories(**asked, out=tmp_path)
    assert len(calls) == 2 + 2  # three blocks, of which one was there
    assert np.array_equal(found.Q, trajectories(**asked).Q)


def test_two_processes_do_not_write_into_one_folder(tmp_path: Path) -> None:
    told = []

    def beside(rows: Any, given: Any, first: int) -> Any:
        with pytest.raises(RunError, match="another process is running in") as refused:
            integrate(DECAY, 2.0 * np.ones((20, 1)), [0.5], TIMES, out=tmp_path)
        told.append(str(refused.value))
        return integrate(DECAY, rows, given, TIMES)

    run = stored.in_blocks(beside, np.ones((20, 1)), [0.5], TIMES, tmp_path, {})
    assert told
    assert np.array_equal(run.states, integrate(DECAY, np.ones((20, 1)), [0.5], TIMES).states)


def test_a_full_disk_is_told_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(IntegrateError, match="cannot be written: No space left on device"):
        integrate(DECAY, np.ones((20, 1)), [0.5], TIMES, out=tmp_path)
    assert not list(tmp_path.glob("*.npy"))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"out": "file/below"}, "cannot be written into"),
        ({"out": 3}, "cannot be written into"),
        ({"out": "a\0b"}, "cannot be written into"),
        ({"starts": np.ones((2, 2, 2))}, "starts must be one row or a table"),
        ({"starts": [[1.0], [1.0, 2.0]]}, "starts must be one row or a table"),
        ({"params": np.ones((2, 1))}, "params has 2 rows for 3 starts"),
        ({"times": [1.0, 0.0]}, "times must increase"),
    ],
)
def test_a_mistake_is_told_in_one_sentence(
    changes: dict[str, Any], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.chdir(tmp_path)
    asked: dict[str, Any] = {"starts": np.ones((3, 1)), "params": [0.5], "times": TIMES, "out": "folder", **changes}
    with pytest.raises(IntegrateError, match=said):
        integrate(DECAY, **asked)


def test_order_parameters_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    asked = committees(15)
    with pytest.raises(TeacherStudentError, match="Q and R must be arrays"):
        trajectories(**{**asked, "Q": asked["Q"].tolist()}, out=tmp_path)
    with pytest.raises(TeacherStudentError, match="square matrix for each start"):
        trajectories(**{**asked, "Q": asked["Q"][0]})
    with pytest.raises(TeacherStudentError, match="v must have 2 entries, or as many for each start"):
        trajectories(**asked, v=np.ones((14, 2)))
    asked["Q"][13] = -np.eye(2)
    with pytest.raises(teacher_student.averages.CovarianceError, match="positive semidefinite"):
        trajectories(**asked, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()

"""Gradient descent of linear networks: against plain NumPy, against exact fractions, and its own laws."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from case_files import Cases
from each import each

from numerics.machine.lanes.registers import MIDDLE, OTHERS, WIDE, Registers, registers
from numerics.machine.specialise import specialise
from numerics.simulate import linear_network
from numerics.simulate.linear_network import Data, learn, stable_rate
from numerics.simulate.linear_network.double_double import fractions, pair, pairs

FAMILIES = Cases(__file__, globals())

DEPTHS = FAMILIES["depths"]


def network(sizes: list[int], seed: int = 0, scale: float = 1.0) -> list[np.ndarray]:
    rng = np.random.default_rng([seed, *sizes])
    return [scale * rng.standard_normal((above, below)) / np.sqrt(below) for below, above in pairwise(sizes)]


def white(sizes: list[int], seed: int = 0) -> np.ndarray:
    return np.random.default_rng([1, seed, *sizes]).standard_normal((sizes[-1], sizes[0])) / np.sqrt(sizes[0])


def examples(sizes: list[int], count: int, seed: int = 0) -> Data:
    rng = np.random.default_rng([2, seed, *sizes])
    return Data(rng.standard_normal((sizes[0], count)), rng.standard_normal((sizes[-1], count)))


def exactly(matrix: Any) -> np.ndarray:
    return np.vectorize(Fraction, otypes=[object])(matrix)


def mapped(weights: list[Any]) -> Any:
    """W_L ... W_1."""
    return reduce(lambda below, above: above @ below, weights)


def loss(weights: list[Any], task: Any) -> Any:
    """Without absolute values, so that it may be differentiated along the imaginary axis."""
    if isinstance(task, Data):
        return ((task.Y - mapped(weights) @ task.X) ** 2).sum() / (2 * np.shape(task.X)[1])
    return ((task - mapped(weights)) ** 2).sum() / 2


def moved(weights: list[Any], task: Any, rate: Any) -> list[Any]:
    """One step, as it is written in textbooks; entries may be fractions."""
    if isinstance(task, Data):
        slope = (task.Y - mapped(weights) @ task.X) @ task.X.T / np.shape(task.X)[1]
    else:
        slope = task - mapped(weights)
    new = []
    for k, W in enumerate(weights):
        part = mapped(weights[k + 1 :]).T @ slope if weights[k + 1 :] else slope
        new.append(W + rate * (part @ mapped(weights[:k]).T if k else part))
    return new


def as_arrays(run: linear_network.Run) -> list[np.ndarray]:
    return [run.losses, *run.weights]


def after(run: Any, which: int = 0) -> list[np.ndarray]:
    return [W[which] for W in run.weights]


# --- against others ---------------------------------------------------------------------------------------------------


def test_losses_and_weights_are_those_of_plain_numpy_to_rounding() -> None:
    nets, tasks = [], []
    for sizes in DEPTHS:
        for task in (white(sizes), examples(sizes, 3), examples(sizes, 60)):
            nets.append(network(sizes))
            tasks.append(task)
    runs = learn(nets, tasks, rates=0.02, losses_at=range(16), weights_at=[0, 7, 15])
    for start, task, run in zip(nets, tasks, runs, strict=True):
        weights, losses, seen = start, [], []
        for step in range(16):
            losses.append(loss(weights, task))
            seen += [weights] if step in {0, 7, 15} else []
            weights = moved(weights, task, 0.02)
        np.testing.assert_allclose(run.losses, losses, rtol=1e-12, atol=1e-15)
        for which, expected in enumerate(seen):
            for W, wanted in zip(after(run, which), expected, strict=True):
                np.testing.assert_allclose(W, wanted, rtol=0, atol=2e-14)


def test_every_combination_of_small_sizes_is_right() -> None:
    rng = np.random.default_rng(3)
    shapes = [[int(size) for size in rng.integers(1, 41, 3)] for _ in range(120)]
    nets, tasks = [network(sizes) for sizes in shapes], [white(sizes) for sizes in shapes]
    for start, task, run in zip(nets, tasks, learn(nets, tasks, rates=0.1, weights_at=[2]), strict=True):
        expected = moved(moved(start, task, 0.1), task, 0.1)
        assert max(np.abs(W - wanted).max() for W, wanted in zip(after(run), expected, strict=True)) < 1e-13


@each("sizes", [[3, 2], [2, 3, 2], [2, 2, 3, 2]])
@each("count", [0, 5])
def test_thirty_digits_are_those_of_exact_fractions(sizes: list[int], count: int) -> None:
    rng = np.random.default_rng([count, *sizes])

    def exact(rows: int, columns: int) -> np.ndarray:
        whole = rng.integers(-9, 10, (rows, columns)).tolist()
        return np.array([[Fraction(entry, 7) for entry in row] for row in whole], dtype=object)

    weights = [exact(above, below) for below, above in pairwise(sizes)]
    task = Data(exact(sizes[0], count), exact(sizes[-1], count)) if count else exact(sizes[-1], sizes[0])
    split = Data(pairs(task.X), pairs(task.Y)) if isinstance(task, Data) else pairs(task)
    rate, steps = Fraction(1, 30), 3
    start = [pairs(W) for W in weights]
    run = learn([start], [split], rates=rate, losses_at=[0, steps], weights_at=[steps], double_double=True)[0]
    before = loss(weights, task)
    for _ in range(steps):
        weights = moved(weights, task, rate)
    found = fractions(run.losses)
    assert max(abs(found[0] / before - 1), abs(found[1] / loss(weights, task) - 1)) < 1e-30
    for W, expected in zip(run.weights, weights, strict=True):
        assert np.abs(fractions(W[:, 0]) - expected).max() < 1e-30 * np.abs(expected).max()


def test_with_doubles_and_with_pairs_the_same_is_learned() -> None:
    nets = [network(sizes) for sizes in DEPTHS]
    for tasks in ([white(sizes) for sizes in DEPTHS], [examples(sizes, 40) for sizes in DEPTHS]):
        asked: dict[str, Any] = {"rates": 0.05, "losses_at": [0, 30], "weights_at": [30]}
        for single, split in zip(
            learn(nets, tasks, **asked), learn(nets, tasks, **asked, double_double=True), strict=True
        ):
            np.testing.assert_allclose(single.losses, split.losses.sum(axis=0), rtol=1e-12)
            for W, high_low in zip(single.weights, split.weights, strict=True):
                assert np.abs(W - high_low.sum(axis=0)).max() < 1e-13
                assert (np.abs(high_low[1]) <= np.spacing(np.abs(high_low[0])) / 2).all()


def test_a_step_is_the_rate_times_the_gradient_of_the_loss() -> None:
    for sizes in ([4, 3], [4, 5, 3], [3, 4, 2, 5]):
        for task in (white(sizes), examples(sizes, 7)):
            start = network(sizes)
            run = learn([start], [task], rates=1.0, weights_at=[1])[0]
            for k, W in enumerate(start):
                for at in np.ndindex(W.shape):
                    bent = [V.astype(complex) for V in start]
                    bent[k][at] += 1e-30j
                    gradient = loss(bent, task).imag / 1e-30
                    assert abs(W[at] - run.weights[k][0][at] - gradient) < 1e-13


# --- laws -------------------------------------------------------------------------------------------------------------


def test_what_gradient_flow_conserves_drifts_in_proportion_to_the_rate() -> None:
    start, task = network([5, 7, 4, 3]), white([5, 7, 4, 3])

    def drift(halvings: int) -> float:
        steps = 500 << halvings
        weights = after(learn([start], [task], rates=2.0 / steps, weights_at=[steps])[0])
        return max(
            np.abs(below @ below.T - above.T @ above - (W @ W.T - V.T @ V)).max()
            for (below, above), (W, V) in zip(pairwise(weights), pairwise(start), strict=True)
        )

    drifts = [drift(halvings) for halvings in range(4)]
    ratios = [coarse / fine for coarse, fine in pairwise(drifts)]
    assert all(abs(ratio - 2.0) < 0.02 for ratio in ratios)
    assert abs(ratios[-1] - 2.0) < abs(ratios[0] - 2.0) / 2


def test_networks_have_the_same_bits_on_any_number_of_threads_and_in_any_company() -> None:
    nets, tasks = [network(sizes) for sizes in DEPTHS], [examples(sizes, 9) for sizes in DEPTHS]
    for double_double in (False, True):
        asked: dict[str, Any] = {"rates": 0.03, "losses_at": [5], "weights_at": [5], "double_double": double_double}
        together = learn(nets, tasks, **asked, threads=3)
        one_thread = learn(nets, tasks, **asked, threads=1)
        alone = [learn([net], [task], **asked)[0] for net, task in zip(nets, tasks, strict=True)]
        for runs in zip(together, one_thread, alone, strict=True):
            assert len({run.losses.tobytes() for run in runs}) == 1
            assert len({tuple(W.tobytes() for W in run.weights) for run in runs}) == 1


@pytest.mark.laws  # compiles everything twice more
def test_the_tiles_of_other_processors_give_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    nets, tasks = [network(sizes) for sizes in DEPTHS], [examples(sizes, 9) for sizes in DEPTHS]
    asked: dict[str, Any] = {"rates": 0.03, "losses_at": [5], "weights_at": [5]}
    here, mine = learn(nets, tasks, **asked), linear_network._shape(registers())
    others = [shape for shape in map(linear_network._shape, (WIDE, MIDDLE, OTHERS)) if shape != mine]
    assert len(others) >= 2
    for shape in others:
        narrow = specialise("descend", linear_network.PARTS, shape)
        monkeypatch.setattr(linear_network, "_descend", lambda narrow=narrow: narrow)
        for run, other in zip(here, learn(nets, tasks, **asked), strict=True):
            assert run.losses.tobytes() == other.losses.tobytes()
            assert [W.tobytes() for W in run.weights] == [W.tobytes() for W in other.weights]


@each(("found", "heights"), FAMILIES["the sums of a tile leave a quarter of the registers to its factors"])
def test_the_sums_of_a_tile_leave_a_quarter_of_the_registers_to_its_factors(
    found: Registers, heights: tuple[int, ...]
) -> None:
    shape = linear_network._shape(found)
    assert specialise("Doubles", linear_network.PARTS, shape).heights == heights
    doubles = max(width * rows for width, rows in enumerate(heights, 1)) * shape["VECTOR"]
    assert 4 * doubles <= 3 * found.number * found.doubles


# --- interruptions ----------------------------------------------------------------------------------------------------


def test_calls_that_continue_a_run_give_the_bits_of_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    nets, tasks = [network(sizes) for sizes in DEPTHS], [examples(sizes, 9) for sizes in DEPTHS]
    asked: dict[str, Any] = {"rates": 0.03, "losses_at": [0, 3, 7, 8], "weights_at": [6, 11]}
    for double_double in (False, True):
        whole = learn(nets, tasks, **asked, double_double=double_double)
        with monkeypatch.context() as short:
            short.setattr(linear_network, "SLICE", (1, 1))
            pieces = learn(nets, tasks, **asked, double_double=double_double)
        for one, other in zip(whole, pieces, strict=True):
            assert one.losses.tobytes() == other.losses.tobytes()
            assert [W.tobytes() for W in one.weights] == [W.tobytes() for W in other.weights]


def test_networks_in_a_folder_go_on_from_where_they_were_and_have_the_same_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nets, tasks = [network([4, 3]), network([6, 5, 4])], [white([4, 3]), examples([6, 5, 4], 3)]
    asked: dict[str, Any] = {"rates": [0.02, 0.1], "losses_at": range(0, 21, 3), "weights_at": [20]}
    expected = [as_arrays(run) for run in learn(nets, tasks, **asked)]
    descend, slices, last = linear_network._descend(), [], 9

    def counted(*arguments: Any) -> int:
        if len(slices) == last:
            raise KeyboardInterrupt
        slices.append(arguments[-2])
        return descend(*arguments)

    monkeypatch.setattr(linear_network, "SLICE", (1, 1))
    monkeypatch.setattr("numerics.machine.checkpoints.KEEP_EVERY", 0.0)
    monkeypatch.setattr(linear_network, "_descend", lambda: counted)
    with pytest.raises(KeyboardInterrupt):
        learn(nets, tasks, **asked, folder=tmp_path, threads=1)
    last = -1
    for _ in range(2):  # the second time, nothing is left to do
        runs = learn(nets, tasks, **asked, folder=tmp_path, threads=1)
        assert slices == [*range(21), *range(21)]
        for run, wanted in zip(runs, expected, strict=True):
            for ours, one in zip(as_arrays(run), wanted, strict=True):
                np.testing.assert_array_equal(ours, one)


# --- steps that are too long ------------------------------------------------------------------------------------------


def test_a_diverging_run_says_when_and_what_would_be_stable_and_spares_the_others() -> None:
    start, task = network([5, 6, 4]), white([5, 6, 4])
    bound = stable_rate(start, task)
    for double_double in (False, True):
        calm, wild = learn(
            [start, start], [task, task], rates=[0.5 * bound, 5.0], losses_at=range(1000), double_double=double_double
        )
        assert calm.message == ""
        assert np.isfinite(calm.losses).all()
        finite = np.isfinite(np.atleast_2d(wild.losses)[0])
        stopped = int(finite.sum())
        assert 0 < stopped < 50
        assert finite[:stopped].all()
        assert f"diverged at step {stopped}:" in wild.message
        assert f"{bound:.3g}" in wild.message


def test_below_half_the_bound_every_loss_decreases() -> None:
    for seed in range(12):
        nets = [network(sizes, seed, scale=(0.3, 1.0, 2.0)[seed % 3]) for sizes in DEPTHS]
        for tasks in ([white(sizes, seed) for sizes in DEPTHS], [examples(sizes, 6, seed) for sizes in DEPTHS]):
            rates = [0.5 * stable_rate(net, task) for net, task in zip(nets, tasks, strict=True)]
            for run in learn(nets, tasks, rates=rates, losses_at=range(300)):
                assert run.message == ""
                assert (np.diff(run.losses) <= 1e-12 * run.losses[:-1] + 1e-28 * run.losses[0]).all()


# --- mistakes ---------------------------------------------------------------------------------------------------------

W1, W2, TASK = np.ones((3, 2)), np.ones((4, 3)), np.ones((4, 2))
HOLE = np.array([[1.0, np.nan]] * 4)


test_statements_have_their_verdicts = FAMILIES.verdicts()


def test_a_number_is_split_into_the_nearest_double_and_what_is_left() -> None:
    third = Fraction(1, 3)
    high, low = pair(third)
    assert high == 1 / 3
    assert abs(Fraction(high) + Fraction(low) - third) <= third / 2**106
    assert fractions(pairs([[third, 2.5]]))[0, 1] == Fraction(5, 2)


# --- the benchmark ----------------------------------------------------------------------------------------------------


@each("task", [np.eye(2), Data(np.full((2, 5), 1e300), np.full((2, 5), 1e300))])
def test_networks_for_which_no_rate_is_stable_are_told_so_and_leave_others_alone(task: Any) -> None:
    size = 0.1 if isinstance(task, Data) else 1e160
    runs = learn([[np.eye(2) * size] * 2, [np.eye(2) * 0.1] * 2], [task, np.eye(2)], rates=0.01, losses_at=[0, 9])
    assert runs[0].message.endswith("weights or examples are so large that no rate is stable")
    assert runs[1].message == ""
    assert np.isfinite(runs[1].losses).all()

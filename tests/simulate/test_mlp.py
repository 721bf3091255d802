"""Training of networks with many layers: slopes, both ways to train, records, and mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from case_files import Cases
from each import each

from numerics.simulate import datasets, mlp
from numerics.simulate.datasets import Dataset
from numerics.simulate.mlp import Architecture, Layer, plain, streamed, training
from numerics.simulate.mlp.convolution.learner import Convolved
from numerics.simulate.mlp.job import Job, Learner, Outcome

FAMILIES = Cases(__file__, globals())

SMALL = Architecture(hidden=3, units=7)
KINDS = {**FAMILIES["kinds"], **{name: replace(SMALL, activation=name) for name in mlp.ACTIVATIONS}}


def points(count: int, inputs: int = 3, outputs: int = 2) -> Dataset:
    rng = np.random.default_rng([count, inputs, outputs])
    return Dataset(rng.standard_normal((count, inputs)), rng.standard_normal((count, outputs)))


def somewhere(architecture: Architecture, data: Dataset) -> list[Layer]:
    """Weights at the start, with biases that are not zero where there are biases."""
    rng = np.random.default_rng(5)
    layers = architecture.start(data.inputs.shape[1], data.targets.shape[1], 0)
    return [Layer(W, 0.1 * architecture.biases * rng.standard_normal(b.shape)) for W, b in layers]


def nudged(layers: list[Layer], k: int, part: int, at: tuple[int, ...], by: complex) -> list[Layer]:
    parts = [np.array(values, dtype=type(by)) for values in layers[k]]
    parts[part][at] += by
    return [*layers[:k], Layer(*parts), *layers[k + 1 :]]


def some_entries(layers: list[Layer], biases: bool) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    rng = np.random.default_rng(9)
    for k, layer in enumerate(layers):
        for part in range(1 + biases):
            for _ in range(4):
                yield k, part, tuple(int(rng.integers(size)) for size in layer[part].shape)


def job(architecture: Architecture, data: Dataset, **changes: Any) -> Job:
    asked: dict[str, Any] = {"eta": 0.02, "epochs": 6, "seed": 1, "record": [0, 2, 6], "layers": [1, 2]}
    asked |= {"optimiser": "sgd", "batch": None, "precision": "float64", "start": None, "until": None}
    return training._job(architecture, data, **{**asked, **changes})


def ended(learner: Learner) -> Outcome:
    """Return the outcome of training to the end."""
    state = learner.begin()
    while not learner.advance(state):
        pass
    return learner.outcome(state)


def numbers(found: Outcome) -> list[np.ndarray]:
    return [found.losses, *found.hidden, found.outputs, *(part for layer in found.end for part in layer)]


# --- slopes -----------------------------------------------------------------------------------------------------------


@each("name", [*KINDS])
def test_slopes_are_those_of_complex_steps_and_of_differences(name: str) -> None:
    net, data = KINDS[name], points(5)
    layers = somewhere(net, data)
    value, slopes = mlp.gradients(net, layers, *data)
    assert value == mlp.loss(net, layers, *data)
    for k, part, at in some_entries(layers, net.biases):
        found = slopes[k][part][at]
        imaginary = mlp.loss(net, nudged(layers, k, part, at, 1e-30j), *data).imag / 1e-30
        assert found == pytest.approx(imaginary, rel=1e-11, abs=1e-14)
        sides = [mlp.loss(net, nudged(layers, k, part, at, step), *data) for step in (1e-5, -1e-5)]
        assert found == pytest.approx((sides[0] - sides[1]) / 2e-5, rel=1e-5, abs=1e-9)


def test_slopes_under_masks_are_those_of_complex_steps() -> None:
    net, data = replace(SMALL, activation="tanh", dropout=0.4), points(5)
    layers, rng = somewhere(net, data), np.random.default_rng(0)
    masks = [(rng.random((5, width)) < 0.6) / 0.6 for width in (3, *net.widths)]
    slopes = mlp.gradients(net, layers, *data, masks)[1]
    for k, part, at in some_entries(layers, biases=True):
        moved = nudged(layers, k, part, at, 1e-30j)
        imaginary = mlp.gradients(net, moved, *data, masks)[0].imag / 1e-30
        assert slopes[k][part][at] == pytest.approx(imaginary, rel=1e-11, abs=1e-14)


def test_a_convolution_is_the_sum_that_defines_it() -> None:
    net, data = KINDS["convolution"], points(2)
    layers = somewhere(net, data)
    hidden = mlp.outputs(net, layers, data.inputs)[0]
    before, after = hidden[1].reshape(2, 3, -1), hidden[2].reshape(2, 3, -1)
    W, b = layers[2]
    z = b[1] + sum(W[1, c, k] * before[1, c, 6 + k] for c in range(3) for k in range(4))
    assert after[1, 1, 6] == pytest.approx(z / (1 + np.exp(-z)), rel=1e-13)
    assert [units.shape[1] for units in hidden] == net.widths


# --- two ways ---------------------------------------------------------------------------------------------------------

CASES = [
    *FAMILIES["cases"],
    *(
        (replace(SMALL, activation=name, hidden=2 + k % 3, units=9 + 5 * k), 2)
        for k, name in enumerate(mlp.ACTIVATIONS)
    ),
]


@each("case", range(len(CASES)))
def test_both_ways_to_train_agree_to_rounding(case: int) -> None:
    net, count = CASES[case]
    asked = job(net, points(count, 1 + case, 1 + case % 2), layers=[1, net.hidden])
    found, expected = ended(streamed.Streamed(asked, 1)), ended(plain.Plain(asked))
    assert found.stopped == expected.stopped == -1
    for ours, wanted in zip(numbers(found), numbers(expected), strict=True):
        np.testing.assert_allclose(ours, wanted, rtol=0, atol=1e-13)


@each("activation", mlp.ACTIVATIONS)
def test_convolutions_by_tiles_and_by_products_of_matrices_agree_to_rounding(activation: str) -> None:
    """With rows for whole tiles, halves of them and what is left over, and windows that do not fill whole vectors."""
    rng = np.random.default_rng(mlp.ACTIVATIONS.index(activation))
    for channels, kernel, hidden, count in (
        (1, 1, 1, 1),
        (rng.integers(2, 9), 3, 3, 2),
        (rng.integers(9, 19), 6, 2, 3),
    ):
        net = Architecture(hidden, 70, activation, channels=int(channels), kernel=kernel, biases=bool(count % 2))
        asked = job(net, points(count, 3, 2), layers=[1, 2, hidden + 2])
        found, expected = ended(Convolved(asked)), ended(plain.Plain(asked))
        for ours, wanted in zip(numbers(found), numbers(expected), strict=True):
            np.testing.assert_allclose(ours, wanted, rtol=0, atol=1e-13)


def test_convolutions_and_dropout_until_a_loss_make_the_records_of_all_later_epochs() -> None:
    for net in (KINDS["convolution"], replace(SMALL, dropout=0.2)):
        whole = mlp.train(net, points(2), eta=0.02, epochs=40, record=[40])
        until = float(np.median(whole.losses))
        asked = job(net, points(2), epochs=40, record=[0, 20, 40], until=until)
        assert ended(plain.Plain(asked)).losses[-1] == ended(plain.Plain(asked)).losses[-2]
        way = Convolved(asked) if net.channels else streamed.Streamed(asked, 1)
        for ours, wanted in zip(numbers(ended(way)), numbers(ended(plain.Plain(asked))), strict=True):
            np.testing.assert_allclose(ours, wanted, rtol=0, atol=1e-13)


def test_both_ways_to_train_agree_with_adam() -> None:
    asked = job(Architecture(hidden=3, units=20, activation="swish"), points(2), optimiser="adam")
    for ours, wanted in zip(
        numbers(ended(streamed.Streamed(asked, 2))), numbers(ended(plain.Plain(asked))), strict=True
    ):
        np.testing.assert_allclose(ours, wanted, rtol=0, atol=1e-11)


def test_both_ways_to_train_agree_in_single_precision() -> None:
    asked = job(Architecture(hidden=3, units=40), points(2), precision="float32")
    for ours, wanted in zip(
        numbers(ended(streamed.Streamed(asked, 2))), numbers(ended(plain.Plain(asked))), strict=True
    ):
        assert ours.dtype == wanted.dtype
        np.testing.assert_allclose(ours, wanted, rtol=0, atol=3e-6)


@each(("units", "until"), [(3, None), (20, None), (20, 1e-3), (150, None), (21, 0.3)])
def test_any_number_of_threads_makes_the_same_bits(units: int, until: float | None) -> None:
    net, data = Architecture(hidden=4, units=units, **({"dropout": 0.2} if units == 21 else {"skip": 2})), points(2)
    asked = job(net, data, epochs=40, record=[0, 40], until=until)
    alone = numbers(ended(streamed.Streamed(asked, 1)))
    for team in (2, 3, 8, 50):
        for one, other in zip(alone, numbers(ended(streamed.Streamed(asked, team))), strict=True):
            assert np.array_equal(one, other)


@pytest.mark.parametrize("until", [None, 0.3])
def test_slices_of_any_length_make_the_same_bits(until: float | None, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = job(SMALL, points(2), epochs=30, record=[0, 3, 4, 5, 17, 30], until=until)
    whole = numbers(ended(streamed.Streamed(asked, 1)))
    monkeypatch.setattr(streamed, "SLICE", 0.0)
    for one, other in zip(whole, numbers(ended(streamed.Streamed(asked, 1))), strict=True):
        assert np.array_equal(one, other)


# --- runs -------------------------------------------------------------------------------------------------------------


def test_a_run_goes_on_from_weights_as_if_it_had_never_stopped() -> None:
    data, options = points(2), {"eta": 0.02, "record": [3], "layers": [2]}
    whole = mlp.train(SMALL, data, epochs=6, **options)
    half = mlp.train(SMALL, data, epochs=3, **options)
    rest = mlp.train(SMALL, data, epochs=3, start=half.weights, **options)
    assert np.array_equal(whole.losses[3:], rest.losses)
    for one, other in zip(whole.weights, rest.weights, strict=True):
        assert np.array_equal(one.weights, other.weights)
        assert np.array_equal(one.biases, other.biases)


@each("count", [2, 20])
def test_records_and_losses_are_those_of_the_weights_at_that_epoch(count: int) -> None:
    data = points(count)
    run = mlp.train(SMALL, data, eta=0.02, epochs=5, record=[0, 5], layers=[1, 3])
    hidden, answers = mlp.outputs(SMALL, run.weights, data.inputs)
    for layer in (1, 3):
        np.testing.assert_allclose(run.hidden[layer][1], hidden[layer - 1], rtol=0, atol=1e-14)
    np.testing.assert_allclose(run.outputs[1], answers, rtol=0, atol=1e-14)
    assert run.losses[5] == pytest.approx(mlp.loss(SMALL, run.weights, *data), rel=1e-13)
    assert run.message == ""


@each("net", [SMALL, replace(SMALL, dropout=0.2, skip=1), KINDS["convolution"]])
def test_many_runs_are_those_that_each_seed_makes_alone(net: Architecture) -> None:
    data, options, handed = points(2), {"eta": 0.02, "epochs": 4, "record": [4]}, []
    runs = mlp.train_many(net, data, seeds=[3, 1, 4], threads=2, finished=handed.append, **options)
    assert [run.seed for run in runs] == [3, 1, 4]
    assert sorted(run.seed for run in handed) == [1, 3, 4]
    for run in runs:
        alone = mlp.train(net, data, seed=run.seed, **options)
        assert np.array_equal(run.losses, alone.losses)
        assert np.array_equal(run.outputs, alone.outputs)


@each("count", [2, 20])
def test_training_until_a_loss_ends_after_the_step_from_the_first_one_below_it(count: int) -> None:
    data, options = points(count), {"eta": 0.02, "layers": [1, 3]}
    whole = mlp.train(SMALL, data, epochs=40, **options)
    first, until = 17, float(whole.losses[16:18].mean())
    short = mlp.train(SMALL, data, epochs=18, record=[5, 18], **options)
    run = mlp.train(SMALL, data, epochs=40, record=[5, 18, 19, 40], until=until, **options)
    assert np.all(np.diff(whole.losses) < 0)
    assert (run.ended, short.ended, whole.ended) == (first + 1, 18, 40)
    assert np.array_equal(run.losses, [*short.losses, *[short.losses[18]] * 22])
    for ours, wanted in zip(as_arrays(run)[1:], as_arrays(short)[1:], strict=True):
        repeated = wanted if ours.shape == wanted.shape else wanted[[0, 1, 1, 1]]
        assert np.array_equal(ours, repeated)


def as_arrays(run: mlp.Run) -> list[np.ndarray]:
    return [run.losses, *run.hidden.values(), run.outputs, *(part for layer in run.weights for part in layer)]


@pytest.mark.parametrize(
    ("net", "changes"),
    FAMILIES["runs in a folder are not trained again and have the same bits"],
    ids=["streamed", "plain", "diverged", "until a loss and without weights"],
)
def test_runs_in_a_folder_are_not_trained_again_and_have_the_same_bits(
    net: Architecture, changes: dict[str, Any], tmp_path: Path
) -> None:
    options: dict[str, Any] = {"eta": 0.02, "epochs": 4, "threads": 2, **changes}
    trained: list[int] = []

    def asked(*seeds: int, **more: Any) -> list[mlp.Run]:
        finished = {"finished": lambda run: trained.append(run.seed)}
        return mlp.train_many(net, points(2), seeds=seeds, **options, **finished, **more)

    without = asked(5, 3, 1)
    trained.clear()
    first = asked(5, 3, folder=tmp_path)
    assert sorted(trained) == [3, 5]
    again = asked(5, 3, 1, folder=tmp_path)
    assert sorted(trained) == [1, 3, 5]
    for one, other in [*zip(first, without, strict=False), *zip(again, without, strict=True)]:
        assert (one.seed, one.ended, one.message, [*one.hidden]) == (
            other.seed,
            other.ended,
            other.message,
            [*other.hidden],
        )
        for ours, wanted in zip(as_arrays(one), as_arrays(other), strict=True):
            assert ours.dtype == wanted.dtype
            np.testing.assert_array_equal(ours, wanted)


def test_a_bar_is_shown_on_request_alone(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    mlp.train(SMALL, points(2), eta=0.02, epochs=3)
    assert capsys.readouterr().err == ""
    mlp.train(SMALL, points(2), eta=0.02, epochs=3, show=True)
    assert "100%" in capsys.readouterr().err


def test_finished_runs_are_handed_over_before_an_interruption() -> None:
    handed: list[mlp.Run] = []

    def interrupted(run: mlp.Run) -> None:
        handed.append(run)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mlp.train_many(SMALL, points(2), eta=0.02, epochs=3, seeds=range(5), threads=2, finished=interrupted)
    assert handed


def test_dropout_and_batches_depend_on_the_seed_and_learn() -> None:
    net, data = Architecture(hidden=2, units=40, dropout=0.1), points(30)
    options: dict[str, Any] = {"eta": 0.05, "epochs": 60, "batch": 7}
    first, again, other = (mlp.train(net, data, seed=seed, **options) for seed in (1, 1, 2))
    assert np.array_equal(first.losses, again.losses)
    assert not np.array_equal(first.losses, other.losses)
    assert first.losses[-1] < 0.8 * first.losses[0]


@pytest.mark.laws  # two more numbers of points take two seconds each to compile
def test_the_settings_of_the_paper_can_all_be_trained_on_their_data() -> None:
    two, four = datasets.two_points(), datasets.xor()
    for name, setting in mlp.PAPER.items():
        data = four if name.startswith("xor") else points(6) if name.startswith(("blobs", "mnist")) else two
        net = replace(setting.architecture, units=130 if setting.architecture.channels else 12)
        run = mlp.train(net, data, eta=setting.eta, epochs=2, record=[2])
        assert run.message == "", name
        assert np.isfinite(run.losses).all(), name
    assert len(mlp.PAPER) == 23


def test_networks_of_the_default_kind_learn_two_points() -> None:
    data = datasets.two_points()
    run = mlp.train(Architecture(hidden=4, units=60), data, eta=0.02, epochs=3000, record=[0, 3000])
    assert run.losses[-1] < 1e-5
    dh2, dy2, w = mlp.two_points(run, data, layer=2)
    assert dy2[1] == pytest.approx(1.0, abs=0.02)
    assert w[1] == pytest.approx(0.0, abs=0.02)
    dy = run.outputs[:, 1, 0] - run.outputs[:, 0, 0]
    np.testing.assert_allclose(w, dy**2 - dy, rtol=0, atol=1e-13)
    np.testing.assert_allclose(dh2, [np.sum((h[1] - h[0]) ** 2) for h in run.hidden[2]], rtol=1e-13)


def test_weights_at_the_start_have_xaviers_variance_and_no_biases() -> None:
    for net in (Architecture(hidden=3, units=300, gain=0.7), Architecture(hidden=3, units=200, channels=40, gain=0.7)):
        for k, layer in enumerate(net.start(100, 60, 3)):
            ins, outs = layer.weights[0].size, layer.weights.size // layer.weights.shape[1]
            expected = 0.7 * np.sqrt(2 / (ins + outs))
            assert np.std(layer.weights) == pytest.approx(expected, rel=4 / np.sqrt(layer.weights.size)), k
            assert not layer.biases.any()


# --- what goes wrong --------------------------------------------------------------------------------------------------


@each("count", [2, 20])
def test_a_rate_that_is_too_large_is_told_with_its_epoch_and_what_came_before_is_kept(count: int) -> None:
    options: dict[str, Any] = {"epochs": 300, "record": [0, 1, 300], "layers": [1]}
    run = mlp.train(SMALL, points(count), eta=20.0, **options)
    stopped = int(np.flatnonzero(np.isnan(run.losses))[0])
    assert f"diverged at epoch {stopped} with the rate 20: choose a smaller one" in run.message
    assert np.isfinite(run.losses[:stopped]).all()
    assert np.isnan(run.losses[stopped:]).all()
    assert np.isfinite(run.outputs[0]).all()
    assert np.isnan(run.outputs[2]).all()
    assert np.isnan(run.hidden[1][2]).all()


def _hessian(net: Architecture, data: Dataset, layers: list[Layer]) -> np.ndarray:
    """Second derivatives with respect to all weights, by complex steps of the slopes."""
    columns = []
    for k, layer in enumerate(layers):
        for at in np.ndindex(layer.weights.shape):
            slopes = mlp.gradients(net, nudged(layers, k, 0, at, 1e-30j), *data)[1]
            columns.append(np.concatenate([one.weights.imag.ravel() / 1e-30 for one in slopes]))
    return np.array(columns)


test_statements_have_their_verdicts = FAMILIES.verdicts()


# --- the benchmark ----------------------------------------------------------------------------------------------------


def test_no_rate_is_stable_where_the_curvature_is_no_number() -> None:
    net = Architecture(hidden=1, units=2)
    data = Dataset(np.full((2, 1), 1e200), np.ones((2, 1)))
    with np.errstate(all="ignore"):
        assert mlp.stable_rate(net, data, net.start(1, 1, 0)) == 0.0

"""Panels of whole data sets: which images they are of, what is left out without them, and what is measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from case_files import Cases
from each import each

from numerics.__main__ import main
from numerics.machine.blas import _libraries, one_thread
from numerics.reproduce.experiments import MNIST, experiments
from numerics.reproduce.figures.panel import Setting
from numerics.reproduce.figures.van_rossem_saxe_2024 import images, xor
from numerics.reproduce.figures.van_rossem_saxe_2024.pairs import squares
from numerics.simulate.datasets import Dataset, DatasetError

FAMILIES = Cases(__file__, globals())

PAPER = "van_rossem_saxe_2024"


def test_a_panel_whose_images_are_not_installed_is_left_out_and_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing() -> Dataset:
        raise DatasetError("install it")

    monkeypatch.setattr(images, "digits", missing)
    status = main(["reproduce", f"{PAPER}:exponential_weighing", "--quick", "--out", str(tmp_path)])
    told = capsys.readouterr()
    assert (status, told.err.strip()) == (0, f"numerics: {PAPER}:exponential_weighing is left out: install it")
    assert "left out" in told.out
    assert not list(tmp_path.iterdir())


def test_a_full_run_is_of_mnist_if_its_files_are_given_and_its_digest_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    (entry,) = experiments(f"{PAPER}:fig_9")
    monkeypatch.delenv(MNIST, raising=False)
    before = entry.digest(quick=False), entry.digest(quick=True)
    monkeypatch.setenv(MNIST, "nowhere")
    assert entry.configuration(quick=False)["images"] == "mnist"
    assert entry.digest(quick=False) != before[0]
    assert entry.digest(quick=True) == before[1]


def test_a_folder_without_mnist_is_answered_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(MNIST, str(tmp_path / "nowhere"))
    assert main(["reproduce", f"{PAPER}:exponential_weighing", "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err.strip().startswith("numerics: ")


def test_equation_50_by_blocks_is_the_product_of_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images, "BLOCK", 3)
    rng = np.random.default_rng(0)
    data = Dataset(rng.standard_normal((8, 2)), np.eye(2)[rng.integers(0, 2, 8)])
    plain, weighed = images.predictions(Setting({"shown": 4, "weighed": 7, "ratio": 0.5}, 0), data)
    table = np.sqrt(0.5 * squares(data.inputs) * squares(data.targets))[:7, :7]
    assert plain == pytest.approx(table[:4, :4])
    assert weighed == pytest.approx((np.exp(-table) @ table @ np.exp(-table))[:4, :4])


@each(("apart", "merged"), [((0.01, 2.0), True), ((0.01, 0.01), False), ((1.0, 1.0), False)])
def test_one_pair_of_the_exclusive_or_has_merged(apart: tuple[float, float], merged: bool) -> None:
    table = np.ones((4, 4)) - np.eye(4)
    table[0, 3], table[1, 2] = apart
    assert xor.one_merged(table) is merged


def test_one_thread_leaves_the_number_of_threads_as_it_was() -> None:
    before = [get() for get, _ in _libraries()]
    with one_thread():
        assert all(get() == 1 for get, _ in _libraries())
    assert [get() for get, _ in _libraries()] == before


test_statements_have_their_verdicts = FAMILIES.verdicts()

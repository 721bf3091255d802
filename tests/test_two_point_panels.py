"""Measures of the panels of two points, on curves of which they are known."""

from __future__ import annotations

import numpy as np
import pytest

from numerics.reproduce.figures.panel import Setting
from numerics.reproduce.figures.van_rossem_saxe_2024 import dynamics
from numerics.reproduce.figures.van_rossem_saxe_2024.two_points import (
    arrived,
    fitted,
    fitted_loss,
    network,
    points,
    trials,
)
from numerics.simulate import mlp

SMALL = {"dx2": 1.0, "dy2": 0.5, "most_units": 50, "faster": 2.0, "epochs": 600, "records": 61}


def test_an_exponential_waits_a_fifth_of_the_time_and_a_step_all_of_it() -> None:
    times = np.linspace(0.0, 20.0, 20_001)
    assert dynamics.waiting((1.0 - np.exp(-times)) ** 2) == pytest.approx(0.2, abs=0.01)
    assert dynamics.waiting((times > 5.0).astype(float)) == 1.0


def test_a_loss_stays_where_it_is_flat_and_not_where_it_falls_exponentially() -> None:
    times = np.linspace(0.0, 20.0, 20_001)
    assert dynamics.staying(np.exp(-times), 0.1) == pytest.approx(np.log(1.1 / 0.9) / np.log(100.0), abs=1e-3)
    assert dynamics.staying(np.where(times < 5.0, 0.1, 0.0), 0.1) == 1.0


def test_rates_rise_as_widths_fall() -> None:
    narrow = network(Setting(SMALL, 0), "default")
    usual = mlp.PAPER["default"]
    assert narrow.architecture.units == 50
    assert narrow.eta == pytest.approx(20.0 * usual.eta)
    assert network(Setting({**SMALL, "most_units": 500, "faster": 1.0}, 0), "default").eta == usual.eta


def test_a_shallow_network_arrives_and_three_constants_describe_it() -> None:
    setting = Setting(SMALL, 0)
    (trial,) = trials(setting, "shallow", [0], data=points(setting))
    found = fitted(trial)
    assert (trial.X, trial.s) == pytest.approx((1.0, 0.5))
    assert arrived(trial)
    assert found.r_squared > 0.9
    assert fitted_loss(trial, found).r_squared > 0.9

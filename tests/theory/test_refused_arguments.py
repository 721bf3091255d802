"""No public function takes what is no number of doubles for one: each argument in turn, spoilt in several ways."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from each import each

from numerics import NumericsError
from numerics.ode.integrate import integrate
from numerics.simulate import linear_network
from numerics.simulate import teacher_student as simulated
from numerics.theory import deep_linear, teacher_student, two_point
from numerics.theory.teacher_student import averages
from numerics.theory.teacher_student.chain import chain
from numerics.theory.two_point import fit as fitting
from numerics.theory.two_point import flow

HALF, TIMES = np.eye(2) * 0.5, np.linspace(0, 20, 30)
START, PARAMS = [0.05, 0.02, -0.05], [0.25, 1.0, 1.5, 0.8]
Call = tuple[Callable[..., object], dict[str, Any]]


def learned(W1: object, W2: object, sigma: object, rates: Any) -> object:
    return linear_network.learn([[W1, W2]], [sigma], rates=rates, losses_at=[0, 1])  # type: ignore[list-item]


def learned_from(X: object, Y: object) -> object:
    data = linear_network.Data(X, Y)  # type: ignore[arg-type]
    return linear_network.learn([[HALF, HALF]], [data], rates=0.1, losses_at=[0, 1])


def calls() -> dict[str, Call]:
    """A sound call of every function that takes arrays."""
    h, y, w = two_point.closed_form(START, PARAMS, TIMES)[0].T
    curves = {"times": TIMES, "y": y, "w": w}
    linear = {"W1": HALF, "W2": HALF, "sigma_yx": HALF}
    units = {"Q": [[1.0]], "R": [[0.0]], "T": [[1.0]], "v": [1.0], "v_teacher": [1.0]}
    first_layers = {"students": np.ones((1, 4)), "teachers": np.ones((1, 4)), "v": [1.0], "v_teacher": [1.0]}
    online = {"eta": 0.1, "eta_v": 0.1, "sigma": 0.1, "batch": 1, "updates": [0, 5], "seed": 0}
    limits = {"eta": 0.1, "eta_v": 0.1, "sigma": 0.1, "batch": 1, "times": [0, 1], "rtol": 1e-8, "atol": 1e-10}
    moving = {"params": PARAMS, "times": [0.0, 2.0], "rtol": 1e-12, "atol": 1e-12}
    return {
        "closed_form": (two_point.closed_form, {"starts": START, "params": PARAMS, "times": [0.0, 2.0]}),
        "sensitivities": (two_point.sensitivities, {"start": START, "params": PARAMS, "times": [2.0]}),
        "trajectories": (flow.trajectories, {"starts": START, **moving}),
        "signed": (flow.signed, {"starts": START, "params": PARAMS}),
        "fit": (fitting.fit, {**curves, "h": h, "X": 0.25, "s": 1.0}),
        "profile": (lambda h, **more: fitting.profile(layers=[h], **more), {**curves, "h": h, "X": 0.25, "s": 1.0}),
        "fit_mean": (fitting.fit_mean, {**curves, "loss": np.exp(-TIMES) + (w + (1 - y) / 2) / 4, "s": 1.0}),
        "integrate": (lambda **given: integrate(DECAY, **given), {**moving, "starts": [1.0], "params": [0.5]}),
        "qqt": (deep_linear.qqt, {**linear, "times": [0.0, 1.0], "tau": 1.0}),
        "loss": (deep_linear.loss, {**linear, "times": [0.0, 1.0], "tau": 1.0}),
        "limit": (deep_linear.limit, {**linear, "tolerance": 1e-12}),
        "balance": (deep_linear.balance, {"W1": HALF, "W2": HALF}),
        "ntk": (deep_linear.ntk, {**linear, "times": [1.0], "X": HALF}),
        "theorem_31": (deep_linear.theorem_31, {**linear, "times": [0.0, 1.0]}),
        "learn": (learned, {"W1": HALF, "W2": HALF, "sigma": HALF, "rates": 0.1}),
        "learn from data": (learned_from, {"X": np.ones((2, 3)), "Y": np.ones((2, 3))}),
        "trajectory": (teacher_student.trajectory, {**units, **limits}),
        "generalisation_error": (teacher_student.generalisation_error, {**units, "sigma": 0.1}),
        "chain": (chain, {**units, **online, "inputs": 50}),
        "simulated": (simulated.learn, {**first_layers, **online, "tests": 3}),
        "I2": (averages.I2, {"covariance": HALF}),
    }


DECAY = "numerics.ode.methods.decay"
CALLS = calls()
OPTIONAL = {"v", "v_teacher"}  # which None leaves out


def spoilt(value: object) -> Iterator[tuple[str, object]]:
    """Values of the same shape that are no real numbers, or not all of them."""
    plain = np.asarray(value, dtype=float)
    yield "complex", (plain + 1j)[()]
    yield "nan", plain * np.nan if plain.ndim else float("nan")
    yield "masked", np.ma.MaskedArray(plain, mask=np.arange(plain.size).reshape(plain.shape) == 0)
    things = plain.astype(object)
    if plain.ndim:
        things.flat[0] = object()
        yield "objects", things
        yield "ragged", [[1.0], [1.0, 2.0]]
    yield "text", "abc"
    yield "nothing", None


@each(("name", "argument"), [(name, argument) for name, (_, given) in CALLS.items() for argument in given])
def test_what_is_no_number_is_refused_in_one_sentence(name: str, argument: str) -> None:
    call, given = CALLS[name]
    for way, value in spoilt(given[argument]):
        told_by_a_message = name == "integrate" and way == "nan" and argument in ("starts", "params")
        if told_by_a_message or (way == "nothing" and argument in OPTIONAL):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(NumericsError) as caught:
                call(**{**given, argument: value})
        assert str(caught.value).count("\n") == 0, way

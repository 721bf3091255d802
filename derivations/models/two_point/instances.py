"""Random encoders and decoders of two points in exact numbers, and how they move, from the definition alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from derivations.language.words.instances import Instance as Matrices
from derivations.models.sampling import (
    Instance,
    Matrix,
    Values,
    fraction,
    free,
    number,
    part,
    positive,
    square_sum,
    turned,
)

Rng = random.Random
Sizes = dict[str, int]
MOVING = {"ybar": "tau_b", "D_h": "tau_h", "D_y": "tau_y"}
"""The parts that learn, with their time constants."""

# --- in time ----------------------------------------------------------------------------------------------------------


def course(at: Instance, times: Sequence[float]) -> list[dict[str, float]]:
    """The scalars h, y and w at some times, when the matrices of an instance follow the gradient flow of the loss.

    Their rates stand beside them as dh, dy and dw. The matrices are integrated in floats; their rates are differences
    of the loss, as in `rates`.

    >>> from derivations.models import two_point as m
    >>> at = m.instance("straight", seed=1)
    >>> at_start, later = course(at, [0.0, 0.1])
    >>> h = m.scalars(at)["h"]
    >>> abs(at_start["h"] - int(h.p) / int(h.q)) < 1e-9, later != at_start
    (True, True)
    """
    from scipy.integrate import solve_ivp

    given = {name: _floats(at[name]) for name in ("x1", "x2", "y1", "y2", "h_mid", *MOVING)}
    shapes = {name: given[name].shape for name in MOVING}
    constants = {name: _floats(at[tau])[0, 0] for name, tau in MOVING.items()}

    def unpacked(state: Any) -> dict[str, Any]:
        """The matrices of a state; of several states, several of each matrix."""
        pieces = np.split(state, np.cumsum([rows * cols for rows, cols in shapes.values()])[:-1], axis=-1)
        return {
            name: piece.reshape(*state.shape[:-1], *shapes[name]) for name, piece in zip(shapes, pieces, strict=True)
        }

    def losses(states: Any) -> Any:
        values = given | unpacked(states)
        middle = (values["x1"] + values["x2"]) / 2
        return sum(
            ((values["ybar"] + values["D_y"] @ (values["D_h"] @ (x - middle)) - target) ** 2).sum(axis=(-2, -1)) / 4
            for x, target in ((values["x1"], values["y1"]), (values["x2"], values["y2"]))
        )

    paces = np.concatenate([np.full(rows * cols, 1 / constants[name]) for name, (rows, cols) in shapes.items()])

    def rate(_: float, state: Any) -> Any:
        steps = np.eye(len(state))
        return -paces * (losses(state + steps) - losses(state - steps)) / 2

    start = np.concatenate([given[name].ravel() for name in MOVING])
    run = solve_ivp(rate, (0, max(times) or 1), start, t_eval=sorted(times), rtol=1e-9, atol=1e-12, method="LSODA")
    small = 1e-6
    visited = []
    for state in run.y.T:
        here, speed = _scalars(given | unpacked(state)), rate(0, state)
        ahead, behind = (_scalars(given | unpacked(state + way * small * speed)) for way in (1, -1))
        visited.append(here | {f"d{name}": (ahead[name] - behind[name]) / (2 * small) for name in here})
    return visited


def _scalars(values: dict[str, Any]) -> dict[str, float]:
    dh = values["D_h"] @ (values["x2"] - values["x1"])
    dy = values["D_y"] @ dh
    alignment = float(np.sum(dy * dy) - np.sum(dy * (values["y2"] - values["y1"])))
    return {"h": float(np.sum(dh * dh)), "y": float(np.sum(dy * dy)), "w": alignment}


def _floats(matrix: Matrix) -> Any:
    return np.array([[int(x.p) / int(x.q) for x in row] for row in matrix.table()], dtype=float)


# --- drawing ----------------------------------------------------------------------------------------------------------


def any_sizes(rng: Rng) -> Sizes:
    return {name: rng.randint(1, 4) for name in ("n_x", "n_h", "n_y")}


def one_hidden(rng: Rng) -> Sizes:
    return any_sizes(rng) | {"n_h": 1}


Change = Callable[[Rng, Sizes, Values], None]


def drawn(change: Change, sizes_of: Callable[[Rng], Sizes] = any_sizes) -> Callable[[Rng], Matrices]:
    """Draws slopes, inputs and targets at random and changes some of them; inputs differ, and so do representations."""

    def draw(rng: Rng) -> Matrices:
        sizes = sizes_of(rng)
        x, h, y = sizes["n_x"], sizes["n_h"], sizes["n_y"]
        values = {
            "x_mid": free(rng, x, 1), "y_mid": free(rng, y, 1), "dx": nonzero(rng, x), "dy_target": nonzero(rng, y),
            "D_h": free(rng, h, x), "D_y": free(rng, y, h), "ybar": free(rng, y, 1), "h_mid": free(rng, h, 1),
            **{tau: number(positive(rng)) for tau in MOVING.values()},
        }  # fmt: skip
        set_dh(values, nonzero(rng, h))
        change(rng, sizes, values)
        for name, mid, difference in (("x", "x_mid", "dx"), ("y", "y_mid", "dy_target")):
            values |= {
                f"{name}1": values[mid] - values[difference] / 2,
                f"{name}2": values[mid] + values[difference] / 2,
            }
        return Matrices(sizes, values | {"ybar0": values["ybar"]})

    return draw


def nonzero(rng: Rng, rows: int) -> Matrix:
    vector = free(rng, rows, 1)
    vector[rng.randrange(rows), 0] = fraction(rng, zero=False)
    return vector


def set_dh(values: Values, dh: Matrix) -> None:
    """Gives the two representations this difference, by what the encoder does along the difference of the inputs."""
    dx = values["dx"]
    values["D_h"] = values["D_h"] + (dh - values["D_h"] * dx) * dx.transpose() / square_sum(dx)


def set_dy(values: Values, dy: Matrix) -> None:
    """Gives the two outputs this difference, by what the decoder does along that of the representations."""
    dh = values["D_h"] * values["dx"]
    values["D_y"] = values["D_y"] + (dy - values["D_y"] * dh) * dh.transpose() / square_sum(dh)


def nothing(_: Rng, __: Sizes, ___: Values) -> None:
    """As it was drawn."""


def aligned(rng: Rng, _: Sizes, values: Values) -> None:
    set_dy(values, values["dy_target"] * positive(rng))


def opposed(rng: Rng, _: Sizes, values: Values) -> None:
    set_dy(values, values["dy_target"] * -positive(rng))


def learned(_: Rng, __: Sizes, values: Values) -> None:
    set_dy(values, values["dy_target"])
    values["ybar"] = values["y_mid"]


def equal_targets(_: Rng, sizes: Sizes, values: Values) -> None:
    values["dy_target"] = fmpq_mat(sizes["n_y"], 1)


def near_zero(rng: Rng, _: Sizes, values: Values) -> None:
    small = fmpq(1, 10 ** rng.randint(3, 9))
    set_dh(values, values["D_h"] * values["dx"] * small)


def merged(_: Rng, sizes: Sizes, values: Values) -> None:
    set_dh(values, fmpq_mat(sizes["n_h"], 1))


def straight(rng: Rng, sizes: Sizes, values: Values) -> None:
    """The decoder sees the representations along one unit vector only, and they differ along it."""
    unit = part(turned(rng, sizes["n_h"]), 0, 1)
    values["e"], values["a"] = unit, number(fraction(rng, zero=False))
    set_dh(values, unit * values["a"][0, 0])
    values["D_y"] = free(rng, sizes["n_y"], 1) * unit.transpose()

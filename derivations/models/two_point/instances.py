"""Random encoders and decoders of two points in exact numbers, and how they move, from the definition alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from derivations.language.words.instances import Instance as Matrices
from derivations.language.words.instances import is_zero
from derivations.models.sampling import (
    Instance,
    Kind,
    Matrix,
    Sampler,
    Values,
    fraction,
    free,
    number,
    part,
    partial_derivatives,
    positive,
    speed,
    square_sum,
    turned,
)

Rng = random.Random
Sizes = dict[str, int]
MOVING = {"ybar": "tau_b", "D_h": "tau_h", "D_y": "tau_y"}
"""The parts that learn, with their time constants."""

# --- from the definition ----------------------------------------------------------------------------------------------


def loss_at(at: Instance) -> Any:
    """The loss of an instance, as a rational number: half the mean squared error of the outputs at the two points.

    >>> loss_at(instance("opposed", seed=0)) > 0
    True
    """
    middle = (at["x1"] + at["x2"]) / 2
    errors = []
    for x, target in ((at["x1"], at["y1"]), (at["x2"], at["y2"])):
        representation = at["h_mid"] + at["D_h"] * (x - middle)
        output = at["ybar"] + at["D_y"] * (representation - at["h_mid"])
        errors.append(square_sum(output - target))
    return (errors[0] + errors[1]) / 4


def rates(at: Instance) -> Values:
    """How an instance moves: minus the derivatives of the loss by all entries, over the time constants, exactly.

    Returns matrices by the names ybar, D_h and D_y. They come from differences of the loss, which is of second degree
    in each entry; no expression of the model is used.

    >>> at = instance("generic", seed=1)
    >>> from derivations.models import two_point as m
    >>> rates(at)["D_h"] == at.value(m.flow[m.D_h])
    True
    """
    return {
        name: partial_derivatives(lambda moved, name=name: loss_at(at.changed({name: moved})), at[name])  # type: ignore[misc]
        * (-1 / at[constant][0, 0])
        for name, constant in MOVING.items()
    }


def reduced(at: Instance) -> dict[str, Any]:
    """The scalars in which theories describe the model, as rational numbers by the names of their symbols.

    These are h, y, w, X, s, tau_h, tau_y and tau_b; where the representations stay on one line (the kinds `straight`
    and `size_one`) also the signed distance a, b = u.(y2 - y1) and n = |u|^2 for the decoder's slope u along the line.

    >>> reduced(instance("equal_targets", seed=0))["s"]
    0
    """
    dx, target = at["x2"] - at["x1"], at["y2"] - at["y1"]
    dh = at["D_h"] * dx
    dy = at["D_y"] * dh
    scalars = {
        "h": square_sum(dh),
        "y": square_sum(dy),
        "w": square_sum(dy) - _dot(dy, target),
        "X": square_sum(dx),
        "s": square_sum(target),
        **{tau: at[tau][0, 0] for tau in MOVING.values()},
    }
    if "e" in at:
        u = at["D_y"] * at["e"]
        scalars |= {"a": _dot(dh, at["e"]), "b": _dot(u, target), "n": square_sum(u)}
    return scalars


def reduced_rates(at: Instance) -> dict[str, Any]:
    """How the scalars of `reduced` move when the instance moves at `rates`, exactly; constants have the rate 0.

    >>> reduced_rates(instance("generic", seed=0))["X"]
    0
    """
    moves = rates(at)
    return {name: speed(lambda moved, name=name: reduced(moved)[name], at, moves) for name in reduced(at)}  # type: ignore[misc]


def course(at: Instance, times: Sequence[float]) -> list[dict[str, float]]:
    """The scalars h, y and w at some times, when the matrices of an instance follow the gradient flow of the loss.

    Their rates stand beside them as dh, dy and dw. The matrices are integrated in floats; their rates are differences
    of the loss, as in `rates`.

    >>> at = instance("straight", seed=1)
    >>> at_start, later = course(at, [0.0, 0.1])
    >>> abs(at_start["h"] - float(reduced(at)["h"].p) / float(reduced(at)["h"].q)) < 1e-9, later != at_start
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
    found = []
    for state in run.y.T:
        here, speed = _scalars(given | unpacked(state)), rate(0, state)
        ahead, behind = (_scalars(given | unpacked(state + way * small * speed)) for way in (1, -1))
        found.append(here | {f"d{name}": (ahead[name] - behind[name]) / (2 * small) for name in here})
    return found


def _scalars(values: dict[str, Any]) -> dict[str, float]:
    dh = values["D_h"] @ (values["x2"] - values["x1"])
    dy = values["D_y"] @ dh
    alignment = float(np.sum(dy * dy) - np.sum(dy * (values["y2"] - values["y1"])))
    return {"h": float(np.sum(dh * dh)), "y": float(np.sum(dy * dy)), "w": alignment}


def _floats(matrix: Matrix) -> Any:
    return np.array([[int(x.p) / int(x.q) for x in row] for row in matrix.table()], dtype=float)


def _dot(left: Matrix, right: Matrix) -> Any:
    return (left.transpose() * right)[0, 0]


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
    found = free(rng, rows, 1)
    found[rng.randrange(rows), 0] = fraction(rng, zero=False)
    return found


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


# --- what is true of instances ----------------------------------------------------------------------------------------


def dh_of(at: Instance) -> Matrix:
    return at["D_h"] * at["dx"]


def dy_of(at: Instance) -> Matrix:
    return at["D_y"] * dh_of(at)


def valid(at: Instance) -> bool:
    """Check that centred letters are those of the others, inputs differ, and time constants are positive."""
    same = (
        at["x2"] - at["x1"] == at["dx"]
        and at["y2"] - at["y1"] == at["dy_target"]
        and (at["x1"] + at["x2"]) / 2 == at["x_mid"]
        and (at["y1"] + at["y2"]) / 2 == at["y_mid"]
    )
    return bool(same and not is_zero(at["dx"]) and all(at[tau][0, 0] > 0 for tau in MOVING.values()))


def goes_along(sign: int) -> Callable[[Instance], bool]:
    """Return whether the outputs differ along the difference of the targets, or against it."""

    def holds(at: Instance) -> bool:
        dy, target = dy_of(at), at["dy_target"]
        return bool(_dot(dy, target) * sign > 0 and _dot(dy, target) ** 2 == square_sum(dy) * square_sum(target))

    return holds


def stays_straight(at: Instance) -> bool:
    """Return whether dh = a e for a unit vector e, and the rate of dh is along dh."""
    dh, pulled = dh_of(at), at["D_y"].transpose() * (dy_of(at) - at["dy_target"])
    parallel = _dot(dh, pulled) ** 2 == square_sum(dh) * square_sum(pulled)
    return bool(parallel and dh == at["e"] * at["a"][0, 0] and square_sum(at["e"]) == 1)


KINDS: Mapping[str, Kind] = {
    "generic": Kind(
        "any slopes; representations and targets differ", drawn(nothing), lambda at: not is_zero(dh_of(at))
    ),
    "aligned": Kind("dy is a positive multiple of the difference of the targets", drawn(aligned), goes_along(1)),
    "opposed": Kind("dy is a negative multiple of the difference of the targets", drawn(opposed), goes_along(-1)),
    "learned": Kind(
        "the outputs are the targets, so that nothing moves", drawn(learned), lambda at: bool(loss_at(at) == 0)
    ),
    "equal_targets": Kind("both targets are the same", drawn(equal_targets), lambda at: is_zero(at["dy_target"])),
    "near_zero": Kind(
        "the representations differ by less than 10^-2",
        drawn(near_zero),
        lambda at: bool(0 < square_sum(dh_of(at)) < fmpq(1, 10**4)),
    ),
    "merged": Kind("both points have one representation, dh = 0", drawn(merged), lambda at: is_zero(dh_of(at))),
    "straight": Kind("dh = a e for a unit vector e, and the rate of dh is along e", drawn(straight), stays_straight),
    "size_one": Kind(
        "one hidden neuron: dh = a e, with e the number one or minus one", drawn(straight, one_hidden), stays_straight
    ),
}
"""The kinds of instances, and what is true of each."""

SAMPLER = Sampler("two_point", KINDS, valid)
instance, holds = SAMPLER.instance, SAMPLER.holds

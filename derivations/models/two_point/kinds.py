"""The kinds of random instances of the model, and what is true of each."""

from __future__ import annotations

from typing import Any

from derivations.language.words import Words, norm2, number
from derivations.models.sampling import Instance, Kind, Model, Rule, speed
from derivations.models.two_point import instances as draw
from derivations.models.two_point.definitions import (
    CENTRED,
    D_h,
    D_y,
    aim,
    alignment,
    const_b,
    const_h,
    const_y,
    dh,
    dx,
    dy,
    loss,
    rate_b,
    rate_h,
    rate_y,
    signed,
    target,
    unit,
    ybar,
)

SCALARS: dict[str, Words] = {
    "h": norm2(dh), "y": norm2(dy), "w": alignment, "X": norm2(dx), "s": norm2(target),
    "tau_h": const_h, "tau_y": const_y, "tau_b": const_b,
    "a": dh.T @ unit, "b": (D_y @ unit).T @ target, "n": norm2(D_y @ unit),
}  # fmt: skip


def scalars(at: Instance) -> dict[str, Any]:
    """An instance in the scalars in which theories describe the model, as rational numbers by the names of symbols.

    Only where the representations stay on one line (the kinds `straight` and `size_one`) there are a, b and n.

    >>> scalars(instance("equal_targets", seed=0))["s"]
    0
    """
    return {name: at.value(words)[0, 0] for name, words in SCALARS.items() if at.has(words)}


def reduced_rates(at: Instance) -> dict[str, Any]:
    """How the scalars move when the instance moves at `rates`, exactly; constants have the rate 0.

    >>> reduced_rates(instance("generic", seed=0))["X"]
    0
    """
    moves = rates(at)
    return {name: speed(lambda moved, x=name: scalars(moved)[x], at, moves) for name in scalars(at)}  # type: ignore[misc]


def _goes(sign: int) -> Any:
    """Return whether the outputs differ along the difference of the targets, or against it."""
    return lambda at: bool(at.value(dy.T @ target)[0, 0] * sign > 0)


_pulled = D_y.T @ (dy - target)
PARALLEL: Rule = ((dy.T @ target) ** 2, norm2(dy) * norm2(target))
ON_A_LINE: list[Rule] = [
    (dh, unit * signed), (norm2(unit), number(1)), ((dh.T @ _pulled) ** 2, norm2(dh) * norm2(_pulled)),
]  # fmt: skip
KINDS: dict[str, Kind] = {
    "generic": Kind(
        "any slopes; representations and targets differ",
        draw.drawn(draw.nothing),
        (),
        lambda at: bool(scalars(at)["h"]),
    ),
    "aligned": Kind(
        "dy is a positive multiple of the difference of the targets", draw.drawn(draw.aligned), [PARALLEL], _goes(1)
    ),
    "opposed": Kind(
        "dy is a negative multiple of the difference of the targets", draw.drawn(draw.opposed), [PARALLEL], _goes(-1)
    ),
    "learned": Kind("the outputs are the targets, so that nothing moves", draw.drawn(draw.learned), [(loss, 0)]),
    "equal_targets": Kind("both targets are the same", draw.drawn(draw.equal_targets), [(aim, 0)]),
    "near_zero": Kind(
        "the representations differ by less than 10^-2",
        draw.drawn(draw.near_zero),
        (),
        lambda at: bool(0 < scalars(at)["h"] * 10**4 < 1),
    ),
    "merged": Kind("both points have one representation, dh = 0", draw.drawn(draw.merged), [(dh, 0)]),
    "straight": Kind(
        "dh = a e for a unit vector e, and the rate of dh is along e", draw.drawn(draw.straight), ON_A_LINE
    ),
    "size_one": Kind(
        "one hidden neuron: dh = a e, with e the number one or minus one",
        draw.drawn(draw.straight, draw.one_hidden),
        ON_A_LINE,
    ),
}
"""The kinds of instances, and what is true of each."""

MODEL = Model(
    "two_point",
    KINDS,
    list(CENTRED.items()),
    loss,
    {ybar: rate_b, D_h: rate_h, D_y: rate_y},
    lambda at: bool(scalars(at)["X"]) and all(at[tau][0, 0] > 0 for tau in ("tau_h", "tau_y", "tau_b")),
)
instance, holds, loss_at, rates = MODEL.instance, MODEL.holds, MODEL.loss_at, MODEL.rates

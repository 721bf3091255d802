"""The kinds of random instances of the model, and what is true of each."""

from __future__ import annotations

from derivations.language.words import identity, number, trace
from derivations.models.sampling import Instance, Kind, Model
from derivations.models.two_layer_linear import instances as draw
from derivations.models.two_layer_linear.definitions import (
    BALANCED,
    COMPLETE,
    EVEN,
    W1,
    W2,
    WHITE,
    S,
    Sigma,
    St,
    U,
    Ut,
    V,
    Vt,
    data_yx,
    flow,
    loss,
    per_sample,
    start_1,
    start_2,
)


def _has_full_rank(at: Instance, name: str) -> bool:
    return bool(at[name].rank() == min(at[name].nrows(), at[name].ncols()))


def _goes_the_wrong_way(at: Instance) -> bool:
    is_square = at.sizes["N_i"] == at.sizes["N_o"]
    return bool(is_square and (at["W2"] * at["W1"]).det() * at["Sigma"].det() < 0)


def _repeats(at: Instance) -> bool:
    """Return whether task and start each have a singular value twice, if they have two."""
    values = ([str(at[name][k, k]) for k in range(at[name].nrows())] for name in ("S_t", "S"))
    return all(len(each) < 2 or len(set(each)) < len(each) for each in values)


KINDS: dict[str, Kind] = {
    "generic": Kind("any weights, any inputs", draw.unbalanced),
    "white": Kind("any weights; white inputs", draw.unbalanced_white, [WHITE]),
    "balanced": Kind("W2'W2 = W1 W1'; white inputs", draw.along_vectors(), [BALANCED, WHITE]),
    "lambda_balanced": Kind(
        "W2'W2 - W1 W1' is a multiple of the identity, not zero; white inputs",
        draw.along_vectors(draw.narrow_sizes, layers=draw.unequal_layers),
        [EVEN, WHITE],
        lambda at: bool(at["lambda"][0, 0] != 0),
    ),
    "aligned": Kind(
        "balanced, with the task's singular vectors, so that modes decouple",
        draw.along_vectors(vectors=draw.same_vectors),
        [BALANCED, WHITE, (U, Ut), (V, Vt)],
    ),
    "wrong_sign": Kind(
        "balanced and of full rank, and the determinant of W2 W1 has the other sign than the task's: as the flow keeps "
        "its sign, it cannot learn the task and ends on a saddle",
        draw.along_vectors(draw.square_sizes, vectors=draw.opposite_vectors),
        [BALANCED, WHITE],
        _goes_the_wrong_way,
    ),
    "rank_deficient": Kind(
        "balanced; the task has at least one singular value zero",
        draw.along_vectors(task=draw.with_zeros),
        [BALANCED, WHITE],
        lambda at: not _has_full_rank(at, "Sigma"),
    ),
    "dead_modes": Kind(
        "balanced; both layers have at least one singular value zero at the start",
        draw.along_vectors(start=draw.with_zeros),
        [BALANCED, WHITE],
        lambda at: not _has_full_rank(at, "W1") and not _has_full_rank(at, "W2"),
    ),
    "repeated": Kind(
        "balanced; task and start each have a singular value at least twice",
        draw.along_vectors(draw.two_modes, task=draw.equal_values, start=draw.equal_values),
        [BALANCED, WHITE],
        _repeats,
    ),
    "at_rest": Kind(
        "balanced, and nothing moves: some of the task's modes are learned, none, or all",
        draw.resting,
        [BALANCED, WHITE, *((rate, 0) for rate in flow.values())],
    ),
    "bottleneck": Kind(
        "balanced; fewer hidden neurons than inputs and than outputs",
        draw.along_vectors(draw.bottleneck_sizes),
        [BALANCED, WHITE],
        lambda at: at.sizes["N_h"] < min(at.sizes["N_i"], at.sizes["N_o"]),
    ),
    "wide": Kind(
        "balanced; more hidden neurons than inputs and than outputs",
        draw.along_vectors(draw.wide_sizes),
        [BALANCED, WHITE],
        lambda at: at.sizes["N_h"] > max(at.sizes["N_i"], at.sizes["N_o"]),
    ),
    "size_one": Kind(
        "balanced; at least one of the numbers of inputs, hidden neurons and outputs is one",
        draw.along_vectors(draw.size_one),
        [BALANCED, WHITE],
        lambda at: 1 in (at.sizes["N_i"], at.sizes["N_h"], at.sizes["N_o"]),
    ),
}
"""The kinds of instances, and what is true of each."""

MODEL = Model(
    "two_layer_linear",
    KINDS,
    [
        (per_sample * trace(identity("P")), number(1)),
        (Sigma, data_yx),
        (W1, start_1),
        (W2, start_2),
        (U @ S @ V.T, W2 @ W1),
        (Ut @ St @ Vt.T, Sigma),
        *((frame.T @ frame, identity("N_m")) for frame in (U, V, Ut, Vt)),
        *COMPLETE,
    ],
    loss,
    {W1: number(1), W2: number(1)},
)
instance, holds, loss_at, rates = MODEL.instance, MODEL.holds, MODEL.loss_at, MODEL.rates

"""Random two-layer linear networks in exact numbers, and how they move, from the definition alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from math import isqrt
from typing import Any

from flint import fmpq, fmpq_mat

from derivations.language.words.instances import Instance as Matrices
from derivations.language.words.instances import is_zero, unit
from derivations.models.sampling import (
    Instance,
    Kind,
    Matrix,
    Sampler,
    Values,
    diagonal_of,
    fraction,
    free,
    is_orthonormal,
    number,
    part,
    partial_derivatives,
    positive,
    rectangle,
    square_sum,
    stacked,
    turned,
)

Sizes = dict[str, int]
Rng = random.Random
INPUTS, HIDDEN, OUTPUTS, PAIRS = "N_i", "N_h", "N_o", "P"
WHITE_PAIRS = (1, 2, 4, 9)
"""Numbers of training pairs for which some rational inputs are white: by a rational root or a Hadamard matrix."""

# --- from the definition ----------------------------------------------------------------------------------------------


def loss_at(at: Instance) -> Any:
    """The loss of an instance, as a rational number: half the squared error of W2 W1 X over the number of pairs.

    >>> at = instance("balanced", seed=1)
    >>> loss_at(at) > 0
    True
    """
    return loss_of(at["W1"], at["W2"], at["X"], at["Y"])


def loss_of(W1: Matrix, W2: Matrix, X: Matrix, Y: Matrix) -> Any:
    return square_sum(W2 * (W1 * X) - Y) / (2 * X.ncols())


def rates(at: Instance) -> Values:
    """How the weights of an instance move: minus the derivatives of the loss by their entries, exactly.

    Returns matrices by the names W1 and W2, in units of the time constant. They come from differences of the loss,
    which is of second degree in each entry; no expression of the model is used.

    >>> at = instance("white", seed=1)
    >>> from derivations.models import two_layer_linear as m
    >>> rates(at)["W1"] == at.value(m.flow[m.W1])
    True
    """
    W1, W2, X, Y = (at[name] for name in ("W1", "W2", "X", "Y"))
    return {
        "W1": -1 * partial_derivatives(lambda moved: loss_of(moved, W2, X, Y), W1),
        "W2": -1 * partial_derivatives(lambda moved: loss_of(W1, moved, X, Y), W2),
    }


def reduced(at: Instance) -> Values:
    """The quantities in which theories describe the network, as matrices.

    `product` is W2 W1; `QQ` is Q Q' for W1' stacked on W2; `imbalance` is W2'W2 - W1 W1'; and, where the instance has
    the task's singular vectors, `modes` is U_t' W2 W1 V_t: how strongly the network has each of the task's modes.

    >>> sorted(reduced(instance("aligned", seed=0)))
    ['QQ', 'imbalance', 'modes', 'product']
    """
    W1, W2 = at["W1"], at["W2"]
    Q = stacked(W1.transpose(), W2)
    found = {
        "product": W2 * W1,
        "QQ": Q * Q.transpose(),
        "imbalance": W2.transpose() * W2 - W1 * W1.transpose(),
    }
    return found | ({"modes": at["U_t"].transpose() * W2 * W1 * at["V_t"]} if "U_t" in at else {})


# --- sizes ------------------------------------------------------------------------------------------------------------


def any_sizes(rng: Rng) -> Sizes:
    return {name: rng.choice((1, 2, 2, 3, 3, 4)) for name in (INPUTS, HIDDEN, OUTPUTS)}


def bottleneck_sizes(rng: Rng) -> Sizes:
    hidden = rng.choice((1, 1, 2))
    return {HIDDEN: hidden, INPUTS: hidden + rng.randint(1, 2), OUTPUTS: hidden + rng.randint(1, 2)}


def wide_sizes(rng: Rng) -> Sizes:
    inputs, outputs = rng.randint(1, 3), rng.randint(1, 3)
    return {INPUTS: inputs, OUTPUTS: outputs, HIDDEN: max(inputs, outputs) + rng.randint(1, 2)}


def size_one(rng: Rng) -> Sizes:
    sizes = any_sizes(rng)
    ones = rng.sample(sorted(sizes), rng.randint(1, 3))
    return sizes | dict.fromkeys(ones, 1)


def square_sizes(rng: Rng) -> Sizes:
    side = rng.randint(1, 3)
    return {INPUTS: side, OUTPUTS: side, HIDDEN: side + rng.randint(0, 1)}


def two_modes(rng: Rng) -> Sizes:
    return {name: rng.randint(2, 4) for name in (INPUTS, HIDDEN, OUTPUTS)}


# --- data, tasks and starts -------------------------------------------------------------------------------------------


def white_data(rng: Rng, sizes: Sizes, task: Matrix) -> Values:
    """White inputs, and targets with the task as their correlation and a part that no linear network can learn."""
    inputs, outputs = sizes[INPUTS], sizes[OUTPUTS]
    pairs = rng.choice([p for p in WHITE_PAIRS if inputs <= p <= max(4, inputs)])
    scaled = fmpq_mat(2, 2, [1, 1, 1, -1]) if pairs == 2 else unit(pairs) * isqrt(pairs)
    X = part(turned(rng, pairs) * scaled, 0, inputs).transpose()
    unlearned = free(rng, outputs, pairs) * (unit(pairs) - X.transpose() * X * fmpq(1, pairs))
    return {"X": X, "Y": task * X + unlearned, "per_sample": number(fmpq(1, pairs))}


def any_data(rng: Rng, sizes: Sizes) -> Values:
    pairs = rng.randint(1, 4)
    X, Y = free(rng, sizes[INPUTS], pairs), free(rng, sizes[OUTPUTS], pairs)
    return {"X": X, "Y": Y, "per_sample": number(fmpq(1, pairs)), "Sigma": Y * X.transpose() * fmpq(1, pairs)}


def values_of_modes(rng: Rng, count: int) -> list[Any]:
    """Positive and of different sizes."""
    pool = sorted({fmpq(p, q) for p in range(1, 6) for q in (1, 2)}, key=lambda v: float(v.p) / float(v.q))
    return rng.sample(pool, count)


def equal_values(rng: Rng, count: int) -> list[Any]:
    """All equal, or all but one."""
    values = [positive(rng)] * count
    return values if count < 3 or rng.random() < 0.5 else [*values[:-1], values[0] + 1]


def with_zeros(rng: Rng, count: int) -> list[Any]:
    """At least one is zero; in some draws all are."""
    alive = rng.randint(0, max(count - 1, 0))
    return [*values_of_modes(rng, alive), *[fmpq(0)] * (count - alive)]


# --- networks along singular vectors ----------------------------------------------------------------------------------

Strengths = Callable[[Rng, int], list[Any]]
Layers = Callable[[Rng, Sizes, Strengths], tuple[list[Any], list[Any]]]
Vectors = tuple[Matrix, Matrix]


def balanced_layers(rng: Rng, sizes: Sizes, strengths: Strengths) -> tuple[list[Any], list[Any]]:
    """Both layers have the same singular values, zeros for hidden units that inputs or outputs are too few for."""
    values = strengths(rng, min(sizes[INPUTS], sizes[HIDDEN], sizes[OUTPUTS]))
    padded = [*values, *[fmpq(0)] * (sizes[HIDDEN] - len(values))]
    return padded, padded


def unequal_layers(rng: Rng, sizes: Sizes, _: Strengths) -> tuple[list[Any], list[Any]]:
    """The squares of the singular values differ by one number, positive or negative as the widths allow."""
    root, hidden = positive(rng), sizes[HIDDEN]
    later = hidden <= sizes[OUTPUTS] and (hidden > sizes[INPUTS] or rng.random() < 0.5)
    shared = min(hidden, sizes[INPUTS if later else OUTPUTS])
    splits = [positive(rng) for _ in range(shared)]
    large = [(r + root**2 / r) / 2 for r in splits] + [root] * (hidden - shared)
    small = [(r - root**2 / r) / 2 for r in splits] + [fmpq(0)] * (hidden - shared)
    return (small, large) if later else (large, small)


def resting(rng: Rng) -> Matrices:
    """Some of the task's modes are learned, at most as many as there are hidden units, and nothing else is there."""
    sizes = any_sizes(rng)
    roots: list[Any] = []

    def task(rng: Rng, count: int) -> list[Any]:
        roots.extend(values_of_modes(rng, count))
        return [value**2 for value in roots]

    def start(rng: Rng, count: int) -> list[Any]:
        return [value if rng.random() < 0.6 else fmpq(0) for value in roots[:count]]

    return along_vectors(lambda _: sizes, task, start, vectors=same_vectors)(rng)


def narrow_sizes(rng: Rng) -> Sizes:
    """No more hidden neurons than outputs, or than inputs."""
    sizes = any_sizes(rng)
    return sizes | {HIDDEN: rng.randint(1, max(sizes[INPUTS], sizes[OUTPUTS]))}


def own_vectors(rng: Rng, task: Vectors) -> Vectors:
    return turned(rng, task[0].nrows()), turned(rng, task[1].nrows())


def same_vectors(_: Rng, task: Vectors) -> Vectors:
    return task


def opposite_vectors(rng: Rng, task: Vectors) -> Vectors:
    """Such that the product has a determinant of the other sign than the task's."""
    U, V = task if rng.random() < 0.5 else own_vectors(rng, task)
    if U.det() * V.det() == task[0].det() * task[1].det():
        U = U * rectangle(U.nrows(), U.nrows(), [fmpq(-1), *[fmpq(1)] * (U.nrows() - 1)])
    return U, V


def along_vectors(
    sizes_of: Callable[[Rng], Sizes] = any_sizes,
    task: Strengths = values_of_modes,
    start: Strengths = values_of_modes,
    layers: Layers = balanced_layers,
    vectors: Callable[[Rng, Vectors], Vectors] = own_vectors,
) -> Callable[[Rng], Matrices]:
    """Draws networks on white inputs whose weights are put together from singular vectors and values."""

    def draw(rng: Rng) -> Matrices:
        sizes = sizes_of(rng)
        values, frames = drawn_task(rng, sizes, task)
        U, V = vectors(rng, frames)
        R = turned(rng, sizes[HIDDEN])
        first, second = layers(rng, sizes, start)
        W1 = R * rectangle(sizes[HIDDEN], sizes[INPUTS], first) * V.transpose()
        W2 = U * rectangle(sizes[OUTPUTS], sizes[HIDDEN], second) * R.transpose()
        modes = min(sizes[INPUTS], sizes[OUTPUTS])
        S = [a * b for a, b in zip(first, second, strict=True)]
        values |= {"U": part(U, 0, modes), "V": part(V, 0, modes), "S": rectangle(modes, modes, S)}
        return _complete(sizes, values | white_data(rng, sizes, values["Sigma"]), W1, W2)

    return draw


def drawn_task(rng: Rng, sizes: Sizes, strengths: Strengths) -> tuple[Values, Vectors]:
    """A task with its singular value decomposition and what completes the singular vectors to bases."""
    inputs, outputs = sizes[INPUTS], sizes[OUTPUTS]
    modes = min(inputs, outputs)
    U, V, values = turned(rng, outputs), turned(rng, inputs), strengths(rng, modes)
    parts = {"U_t": part(U, 0, modes), "U_p": part(U, modes, outputs), "V_t": part(V, 0, modes)}
    parts |= {"V_p": part(V, modes, inputs), "S_t": rectangle(modes, modes, values)}
    return parts | {"Sigma": U * rectangle(outputs, inputs, values) * V.transpose()}, (U, V)


def unbalanced_white(rng: Rng) -> Matrices:
    sizes = any_sizes(rng)
    values, _ = drawn_task(rng, sizes, values_of_modes)
    return _with_any_weights(rng, sizes, values | white_data(rng, sizes, values["Sigma"]))


def unbalanced(rng: Rng) -> Matrices:
    sizes = any_sizes(rng)
    return _with_any_weights(rng, sizes, any_data(rng, sizes))


def _with_any_weights(rng: Rng, sizes: Sizes, values: Values) -> Matrices:
    W1, W2 = free(rng, sizes[HIDDEN], sizes[INPUTS]), free(rng, sizes[OUTPUTS], sizes[HIDDEN])
    W1[0, 0] = fraction(rng, zero=False)
    return _complete(sizes, values, W1, W2)


def _complete(sizes: Sizes, values: Values, W1: Matrix, W2: Matrix) -> Matrices:
    sizes = sizes | {PAIRS: values["X"].ncols()}
    if "U_t" in values:
        modes = values["U_t"].ncols()
        sizes |= {"N_m": modes, "N_u": sizes[OUTPUTS] - modes, "N_v": sizes[INPUTS] - modes}
    imbalance = W2.transpose() * W2 - W1 * W1.transpose()
    if imbalance == unit(imbalance.nrows()) * imbalance[0, 0]:
        values = values | {"lambda": number(imbalance[0, 0])}
    return Matrices(sizes, values | {"W1": W1, "W2": W2, "W1_0": W1, "W2_0": W2})


# --- what is true of instances ----------------------------------------------------------------------------------------


def is_white(at: Instance) -> bool:
    return bool(at["X"] * at["X"].transpose() * at["per_sample"][0, 0] == unit(at.sizes[INPUTS]))


def imbalance_of(at: Instance) -> Matrix:
    return at["W2"].transpose() * at["W2"] - at["W1"] * at["W1"].transpose()


def is_balanced(at: Instance) -> bool:
    return is_zero(imbalance_of(at))


def is_even(at: Instance) -> bool:
    """Return whether the imbalance is a multiple of the identity, and not zero."""
    found = imbalance_of(at)
    return bool(found == unit(found.nrows()) * at["lambda"][0, 0] and not is_zero(found))


def full_rank(at: Instance, name: str) -> bool:
    return bool(at[name].rank() == min(at[name].nrows(), at[name].ncols()))


def is_wrong_way(at: Instance) -> bool:
    square = at.sizes[INPUTS] == at.sizes[OUTPUTS]
    return bool(square and (at["W2"] * at["W1"]).det() * at["Sigma"].det() < 0)


def rests(at: Instance) -> bool:
    return all(map(is_zero, rates(at).values()))


def repeats(at: Instance) -> bool:
    """Return whether task and start each have a singular value twice, if they have two."""
    return all(len(v) < 2 or len(set(map(str, v))) < len(v) for v in (diagonal_of(at["S_t"]), diagonal_of(at["S"])))


def widths(compare: Callable[[int, int, int], bool]) -> Callable[[Instance], bool]:
    return lambda at: is_balanced(at) and compare(*(at.sizes[name] for name in (INPUTS, HIDDEN, OUTPUTS)))


def valid(at: Instance) -> bool:
    """Return whether all letters have the values that the model's declarations and definitions give them."""
    n = at.sizes
    shapes = {"W1": (HIDDEN, INPUTS), "W2": (OUTPUTS, HIDDEN), "X": (INPUTS, PAIRS), "Sigma": (OUTPUTS, INPUTS)}
    if any((at[w].nrows(), at[w].ncols()) != (n[rows], n[cols]) for w, (rows, cols) in shapes.items()):
        return False
    share = at["per_sample"][0, 0]
    product = at["W2"] * at["W1"]
    return bool(
        share * n[PAIRS] == 1
        and at["Sigma"] == at["Y"] * at["X"].transpose() * share
        and (at["W1"], at["W2"]) == (at["W1_0"], at["W2_0"])
        and ("S" not in at or _decomposes(at, ("U", "S", "V"), product))
        and ("S_t" not in at or (_decomposes(at, ("U_t", "S_t", "V_t"), at["Sigma"]) and _is_complete(at)))
    )


def _decomposes(at: Instance, names: tuple[str, str, str], product: Matrix) -> bool:
    U, S, V = (at[name] for name in names)
    return bool(is_orthonormal(U) and is_orthonormal(V) and U * S * V.transpose() == product)


def _is_complete(at: Instance) -> bool:
    pairs = ((at["U_t"], at["U_p"]), (at["V_t"], at["V_p"]))
    return all(a * a.transpose() + b * b.transpose() == unit(a.nrows()) for a, b in pairs)


KINDS: Mapping[str, Kind] = {
    "generic": Kind("any weights, any inputs", unbalanced, lambda _: True),
    "white": Kind("any weights; white inputs", unbalanced_white, is_white),
    "balanced": Kind("W2'W2 = W1 W1'; white inputs", along_vectors(), is_balanced),
    "lambda_balanced": Kind(
        "W2'W2 - W1 W1' is a multiple of the identity, not zero; white inputs",
        along_vectors(narrow_sizes, layers=unequal_layers),
        is_even,
    ),
    "aligned": Kind(
        "balanced, with the task's singular vectors, so that modes decouple",
        along_vectors(vectors=same_vectors),
        lambda at: is_balanced(at) and (at["U"], at["V"]) == (at["U_t"], at["V_t"]),
    ),
    "wrong_sign": Kind(
        "balanced and of full rank, and the determinant of W2 W1 has the other sign than the task's: as the flow keeps "
        "its sign, it cannot learn the task and ends on a saddle",
        along_vectors(square_sizes, vectors=opposite_vectors),
        lambda at: is_balanced(at) and is_wrong_way(at),
    ),
    "rank_deficient": Kind(
        "balanced; the task has at least one singular value zero",
        along_vectors(task=with_zeros),
        lambda at: is_balanced(at) and not full_rank(at, "Sigma"),
    ),
    "dead_modes": Kind(
        "balanced; both layers have at least one singular value zero at the start",
        along_vectors(start=with_zeros),
        lambda at: is_balanced(at) and not full_rank(at, "W1") and not full_rank(at, "W2"),
    ),
    "repeated": Kind(
        "balanced; task and start each have a singular value at least twice",
        along_vectors(two_modes, task=equal_values, start=equal_values),
        lambda at: is_balanced(at) and repeats(at),
    ),
    "at_rest": Kind(
        "balanced, and nothing moves: some of the task's modes are learned, none, or all",
        resting,
        lambda at: is_balanced(at) and rests(at),
    ),
    "bottleneck": Kind(
        "balanced; fewer hidden neurons than inputs and than outputs",
        along_vectors(bottleneck_sizes),
        widths(lambda inputs, hidden, outputs: hidden < min(inputs, outputs)),
    ),
    "wide": Kind(
        "balanced; more hidden neurons than inputs and than outputs",
        along_vectors(wide_sizes),
        widths(lambda inputs, hidden, outputs: hidden > max(inputs, outputs)),
    ),
    "size_one": Kind(
        "balanced; at least one of the numbers of inputs, hidden neurons and outputs is one",
        along_vectors(size_one),
        widths(lambda *sizes: 1 in sizes),
    ),
}
"""The kinds of instances, and what is true of each."""

SAMPLER = Sampler("two_layer_linear", KINDS, valid)
instance, holds = SAMPLER.instance, SAMPLER.holds

"""Random two-layer linear networks in exact numbers: sizes, data, tasks, and weights of every kind."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import isqrt
from typing import Any

from flint import fmpq, fmpq_mat

from derivations.language.words.instances import Instance as Matrices
from derivations.language.words.instances import unit
from derivations.models.sampling import Matrix, Values, fraction, free, number, part, positive, rectangle, turned

Sizes = dict[str, int]
Rng = random.Random
INPUTS, HIDDEN, OUTPUTS, PAIRS = "N_i", "N_h", "N_o", "P"
WHITE_PAIRS = (1, 2, 4, 9)
"""Numbers of training pairs for which some rational inputs are white: by a rational root or a Hadamard matrix."""

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

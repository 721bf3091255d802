"""Two layers of weights: data, loss, flow, and what stands at the start."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from operator import matmul
from typing import TypeVar

from derivations.language.words import (
    Letter,
    Words,
    gradient,
    identity,
    letters,
    norm2,
    substitute,
    trace,
    zero,
)
from derivations.language.words.blocks import Blocks
from derivations.models.sampling import ModelError

HALF = Fraction(1, 2)
Matrix = TypeVar("Matrix", Words, Blocks)

# --- data -------------------------------------------------------------------------------------------------------------

X, Y = letters("X: N_i x P, Y: N_o x P")
per_sample: Letter = letters("per_sample", positive=True)

data_xx = X @ X.T * per_sample
data_yx = Y @ X.T * per_sample
data_yy = Y @ Y.T * per_sample

WHITE = (data_xx, identity("N_i"))


# --- any depth --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Deep:
    """A linear network with any number of layers: its weights, first layer first, and what follows from them."""

    weights: tuple[Letter, ...]

    @property
    def product(self) -> Words:
        """The network's function, the product of all layers."""
        return reduce(matmul, reversed(self.weights))

    @property
    def loss(self) -> Words:
        """Half the squared error, averaged over the training pairs."""
        return HALF * norm2(self.product @ X - Y) * per_sample

    @property
    def flow(self) -> dict[Letter, Words]:
        """Gradient flow of the loss on any data, in units of the time constant."""
        return descent_of(self.loss, self.weights)

    @property
    def imbalances(self) -> list[Words]:
        """The conserved quantities of neighbouring layers: the later Gram matrix minus the earlier one."""
        return [later.T @ later - earlier @ earlier.T for earlier, later in pairwise(self.weights)]


def deep(depth: int) -> Deep:
    """A linear network with so many layers of weights, W1 to W<depth>, of any widths.

    Its dimensions are N_i, N_o and between them N_h for two layers, or N_h1, N_h2, ... for more. A depth below 1 is a
    ModelError.

    >>> deep(3).product
    W3 W2 W1
    >>> from derivations.language.words import along
    >>> [along(kept, deep(3).flow) for kept in deep(3).imbalances]
    [0, 0]
    """
    if depth < 1:
        raise ModelError(f"a network of depth {depth} has no weights: give a depth of at least 1")
    hidden = ["N_h"] if depth == 2 else [f"N_h{k}" for k in range(1, depth)]
    widths = ["N_i", *hidden, "N_o"]
    return Deep(tuple(Letter(f"W{k}", widths[k], widths[k - 1]) for k in range(1, depth + 1)))


def descent_of(of: Words, weights: tuple[Letter, ...]) -> dict[Letter, Words]:
    """Gradient flow of a loss."""
    return {w: -gradient(of, w) for w in weights}


# --- two layers -------------------------------------------------------------------------------------------------------

_network = deep(2)
W1, W2 = _network.weights
miss = _network.product @ X - Y
loss, descent = _network.loss, _network.flow
(imbalance,) = _network.imbalances
balance = letters("lambda")
BALANCED = (W2.T @ W2, W1 @ W1.T)
EVEN = (imbalance, identity("N_h") * balance)

# --- the data through their correlations ------------------------------------------------------------------------------

Sigma: Letter = letters("Sigma: N_o x N_i")
Sigma_yx, Sigma_xx = Letter("Sigma_yx", "N_o", "N_i"), Letter("Sigma_xx", "N_i", "N_i", symmetric=True)


def loss_by_correlations(yx: Words, xx: Words) -> Words:
    """The part of the loss that the weights change, for given correlations of targets with inputs, and of inputs."""
    return HALF * trace(W2 @ W1 @ xx @ W1.T @ W2.T) - trace(W2 @ W1 @ yx.T)


flow_by_correlations = descent_of(loss_by_correlations(Sigma_yx, Sigma_xx), (W1, W2))
flow = descent_of(loss_by_correlations(Sigma, identity("N_i")), (W1, W2))
gap = Sigma - W2 @ W1
"""The part of the task that is not yet learned."""

Q = Blocks([[W1.T], [W2]])
F = Blocks([[zero("N_i", "N_i"), Sigma.T], [Sigma, zero("N_o", "N_o")]])


def four(name: str) -> Blocks:
    """Letters for the blocks of a matrix that is cut between inputs and outputs.

    >>> four("M")
    [M_ii, M_io; M_oi, M_oo]
    """
    sides = {"i": "N_i", "o": "N_o"}
    return Blocks([[Letter(f"{name}_{x}{y}", sides[x], sides[y]) for y in "io"] for x in "io"])


def riccati(matrix: Matrix, state: Matrix) -> Matrix:
    """The rate F M + M F - M^2 of a Riccati equation, as QQ' has it from balanced weights.

    >>> A, B = Letter("A", "n", "n"), Letter("B", "n", "n")
    >>> riccati(A, B)
    A B + B A - B B
    """
    return matrix @ state + state @ matrix - state @ state


# --- the start, and singular value decompositions ---------------------------------------------------------------------

start_1, start_2 = letters("W1_0: N_h x N_i, W2_0: N_o x N_h")
Q_0 = Blocks([[start_1.T], [start_2]])


def at_start(words: Words) -> Words:
    """Return the expression for the weights at the start."""
    return substitute(words, {W1: start_1, W2: start_2})


U, V = letters("U: N_o x N_m, V: N_i x N_m", orthonormal_columns=True)
S = letters("S: N_m x N_m", diagonal=True)
S_inv = letters("S_inv", inverse_of=S)

Ut, Vt = letters("U_t: N_o x N_m, V_t: N_i x N_m", orthonormal_columns=True)
St = letters("S_t: N_m x N_m", diagonal=True)
St_inv = letters("S_t_inv", inverse_of=St)

Up, Vp = letters("U_p: N_o x N_u, V_p: N_i x N_v", orthonormal_columns=True)

COMPLETE: list[tuple[Words, Words | int]] = [
    (Ut.T @ Up, 0),
    (Vt.T @ Vp, 0),
    (Ut @ Ut.T + Up @ Up.T, identity("N_o")),
    (Vt @ Vt.T + Vp @ Vp.T, identity("N_i")),
]

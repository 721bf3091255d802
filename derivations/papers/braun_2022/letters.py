"""The network, the task, and the gradient flow computed from the loss, in matrices of any size.

Time runs in units of tau: every rate below is a derivative by t/tau.
"""

from __future__ import annotations

from fractions import Fraction

from derivations.language.words import Letter, Words, gradient, identity, substitute, trace, zero
from derivations.language.words.blocks import Blocks

HALF = Fraction(1, 2)

# --- network, data and loss -------------------------------------------------------------------------------------------

W1, W2 = Letter("W1", "N_h", "N_i"), Letter("W2", "N_o", "N_h")
X, Y = Letter("X", "N_i", "P"), Letter("Y", "N_o", "P")
per_sample = Letter("per_sample", 1, 1, positive=True)
"""One over the number of training pairs."""

data_xx = X @ X.T * per_sample
data_yx = Y @ X.T * per_sample
data_yy = Y @ Y.T * per_sample
"""The correlations of inputs, of outputs with inputs, and of outputs (equation 3)."""

miss = W2 @ W1 @ X - Y
loss = HALF * trace(miss.T @ miss) * per_sample
"""Equation 2 for equation 1: half the mean squared error over the data."""

descent = {W1: -gradient(loss, W1), W2: -gradient(loss, W2)}
"""Gradient flow of the loss on any data."""

# --- the same for whitened inputs: the data enter through Sigma alone -------------------------------------------------

Sigma = Letter("Sigma", "N_o", "N_i")
gap = Sigma - W2 @ W1
flow = {W1: W2.T @ gap, W2: gap @ W1.T}
"""Gradient flow for whitened inputs; that it is `descent` under assumption 2.2 is a claim of its own."""

WHITE = (data_xx, identity("N_i"))
BALANCED = (W2.T @ W2, W1 @ W1.T)

Q = Blocks([[W1.T], [W2]])
F = Blocks([[zero("N_i", "N_i"), Sigma.T], [Sigma, zero("N_o", "N_o")]])

# --- a network at its start, and what moves by itself -------------------------------------------------------------------

start_1, start_2 = Letter("W1_0", "N_h", "N_i"), Letter("W2_0", "N_o", "N_h")
"""The weights at the start."""


def at_start(words: Words) -> Words:
    return substitute(words, {W1: start_1, W2: start_2})

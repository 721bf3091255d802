"""Small kernels of matrices that use everything the emitter can print."""

from __future__ import annotations

from fractions import Fraction

from derivations.kernels.kernel import Kernel
from derivations.kernels.specification.matrices import exponential, exponential_integral, inverse
from derivations.language.words import Letter, identity, zero
from derivations.language.words.blocks import Blocks

A = Letter("A", "n", "n", symmetric=True)
D = Letter("D", "n", "n", diagonal=True)
W = Letter("W", "m", "n")
x = Letter("x", "n", 1)
t = Letter("t", 1, 1)
power = Letter("e_At", "n", "n", symmetric=True)
integral = Letter("I_e_At", "n", "n", symmetric=True)
fade = Letter("fade", "n", "n", diagonal=True)
M = Letter("M", "n", "n", equals=identity("n") + Fraction(1, 3) * W.T @ W)
M_inv = Letter("M_inv", "n", "n", inverse_of=M)
corners = Blocks(
    [[Letter("top", "n", "n"), Letter("right", "n", "m")], [Letter("low", "m", "n"), Letter("end", "m", "m")]]
)

exponentials = Kernel(
    "exponentials",
    says="An exponential, its integral, and the exponential of a diagonal matrix.",
    inputs=[A, D, t],
    steps=[(power, exponential(A * t)), (integral, exponential_integral(A, t)), (fade, exponential(-D * t))],
    returns={"e": power, "i": integral, "f": fade},
    rests_on=["growth"],
)
blocks = Kernel(
    "blocks",
    says="Blocks that are cut, joined, transposed and inverted.",
    inputs=[A, W, x, t],
    steps=[
        (corners, exponential(Blocks([[A * t, W.T], [W, zero("m", "m")]]))),
        (M, identity("n") + Fraction(1, 3) * W.T @ W),
        (M_inv, inverse(M)),
    ],
    returns={"y": M_inv @ x - Fraction(2, 7) * t * x, "whole": corners, "zero": Blocks([[zero("m", 1), W @ x]])},
    domain="any",
    rests_on=["growth"],
    cites="Verhulst (1838)",
)

ALL = {"verhulst": [exponentials, blocks]}

"""Two points: weights, loss, flow, and the scalars in which it is described."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from derivations.language.words import Letter, Words, along, gradient, letters, mean, norm2, substitute

HALF = Fraction(1, 2)

# --- matrices of any size -------------------------------------------------------------------------------------------

x1, x2, y1, y2, ybar, h_mid = letters("x1: n_x, x2: n_x, y1: n_y, y2: n_y, ybar: n_y, h_mid: n_h")
D_h, D_y = letters("D_h: n_h x n_x, D_y: n_y x n_h")
const_h, const_y, const_b = (Letter(f"tau_{k}", 1, 1, positive=True) for k in "hyb")
rate_h, rate_y, rate_b = (
    Letter(f"rate_{k}", 1, 1, inverse_of=c) for k, c in zip("hyb", (const_h, const_y, const_b), strict=True)
)

dx, target = x2 - x1, y2 - y1
dh, dy = D_h @ dx, D_y @ D_h @ dx
alignment = norm2(dy) - dy.T @ target

pairs = ((x1, x2, y1), (x2, x1, y2))
hidden = [h_mid + HALF * (D_h @ (x - other)) for x, other, _ in pairs]
predictions = [ybar + D_y @ (point - h_mid) for point in hidden]
errors = [p - y for p, (*_, y) in zip(predictions, pairs, strict=True)]
loss = HALF * mean([norm2(e) for e in errors])

flow = {ybar: -rate_b * gradient(loss, ybar), D_h: -rate_h * gradient(loss, D_h), D_y: -rate_y * gradient(loss, D_y)}
"""Equation 6: gradient descent on the linearisation parameters, with the gradients computed from the loss."""

# --- the same in centred letters: one input difference, one target difference ----------------------------------------

delta, aim, x_mid, y_mid = letters("dx: n_x, dy_target: n_y, x_mid: n_x, y_mid: n_y")
inv_h = letters("inv_h", inverse_of=norm2(D_h @ delta))
CENTRED = {x1: x_mid - HALF * delta, x2: x_mid + HALF * delta, y1: y_mid - HALF * aim, y2: y_mid + HALF * aim}


def centred(words: Words) -> Words:
    return substitute(words, CENTRED)


c_dh, c_dy = centred(dh), centred(dy)
c_flow = {letter: centred(rate) for letter, rate in flow.items()}
c_ddh = along(c_dh, c_flow)
straight_ddh = c_dh * (c_dh.T @ c_ddh) * inv_h
"""The rate of dh where it is proportional to dh (equation 19): its projection onto dh."""
straight_ddy = c_flow[D_y] @ c_dh + D_y @ straight_ddh

start = letters("ybar0: n_y")
decay = letters("decay", positive=True)
"""The mean output at the start, and exp(-t/tau_y_bar)."""

# --- signed distance: dh = a e with a fixed unit vector e, D_y e = u --------------------------------------------------

unit, signed = letters("e: n_h, a")
_along_unit = letters("u: n_y")  # stands for D_y e while gradients are taken
loss_on_line = HALF * mean([norm2(side * (_along_unit * signed - aim)) for side in (HALF, -HALF)])
"""The loss once the mean output is learned: it depends on dy = u a alone."""
signed_ddy = -rate_y * substitute(gradient(loss_on_line, _along_unit), {_along_unit: D_y @ unit})
"""How u moves, as D_y does along the fixed e."""
signed_rate = -rate_h * norm2(delta) * substitute(gradient(loss_on_line, signed), {_along_unit: D_y @ unit})
"""How a moves: D_h moves by the gradient by dh times dx', and dh is D_h dx."""

# --- scalars ----------------------------------------------------------------------------------------------------------

h, X = sp.symbols("h X", positive=True)
y, s = sp.symbols("y s", nonnegative=True)
w = sp.Symbol("w", real=True)
t = sp.Symbol("t", nonnegative=True)
tau_h, tau_y, tau_b = sp.symbols("tau_h tau_y tau_b", positive=True)
h0 = sp.Symbol("h0", positive=True)
y0 = sp.Symbol("y0", nonnegative=True)
w0 = sp.Symbol("w0", real=True)
a, b = sp.symbols("a b", real=True)
n = sp.Symbol("n", nonnegative=True)

TABLE: list[tuple[Words, Any]] = [
    (norm2(c_dh), h),
    (norm2(c_dy), y),
    (c_dy.T @ aim, y - w),
    (norm2(delta), X),
    (norm2(aim), s),
    (rate_h, 1 / tau_h),
    (rate_y, 1 / tau_y),
    (inv_h, 1 / h),
    (signed, a),
    ((D_y @ unit).T @ (D_y @ unit), n),
    ((D_y @ unit).T @ aim, b),
]


def scalar(words: Words) -> Any:
    """A 1x1 polynomial in words as a SymPy expression in the paper's scalars."""
    meaning = {next(iter(word.terms))[0][0]: expression for word, expression in TABLE}
    return sp.expand(
        sum(
            sp.Rational(c.numerator, c.denominator) * sp.prod([meaning[f] for f in factors])
            for (factors, _), c in words.terms.items()
        )
    )


derived_flow = {
    h: scalar(2 * (c_dh.T @ c_ddh)),
    y: scalar(2 * (c_dy.T @ straight_ddy)),
    w: scalar((2 * c_dy - aim).T @ straight_ddy),
}
"""The scalar flow that follows from the loss and from equation 19."""

signed_flow = {
    a: scalar(signed_rate),
    b: scalar(signed_ddy.T @ aim),
    n: scalar(2 * ((D_y @ unit).T @ signed_ddy)),
}
"""The flow of the signed distance a, of b = u.(y2 - y1) and of n = |u|^2, without |dh| in a denominator."""

"""The model in matrices of any size: letters, loss, and the gradient flow computed from it."""

from __future__ import annotations

from fractions import Fraction

from derivations.language.words import Letter, Words, along, gradient, mean, norm2, substitute

HALF = Fraction(1, 2)

# --- matrices of any size -------------------------------------------------------------------------------------------

x1, x2 = Letter("x1", "n_x", 1), Letter("x2", "n_x", 1)
y1, y2 = Letter("y1", "n_y", 1), Letter("y2", "n_y", 1)
ybar = Letter("ybar", "n_y", 1)
h_mid = Letter("h_mid", "n_h", 1)
D_h, D_y = Letter("D_h", "n_h", "n_x"), Letter("D_y", "n_y", "n_h")
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

delta, aim = Letter("dx", "n_x", 1), Letter("dy_target", "n_y", 1)
x_mid, y_mid = Letter("x_mid", "n_x", 1), Letter("y_mid", "n_y", 1)
inv_h = Letter("inv_h", 1, 1, inverse_of=norm2(D_h @ delta))
CENTRED = {x1: x_mid - HALF * delta, x2: x_mid + HALF * delta, y1: y_mid - HALF * aim, y2: y_mid + HALF * aim}


def centred(words: Words) -> Words:
    return substitute(words, CENTRED)


c_dh, c_dy = centred(dh), centred(dy)
c_flow = {letter: centred(rate) for letter, rate in flow.items()}
c_ddh = along(c_dh, c_flow)
straight_ddh = c_dh * (c_dh.T @ c_ddh) * inv_h
"""What d(dh)/dt is when it is proportional to dh (equation 19): its projection onto dh."""
straight_ddy = c_flow[D_y] @ c_dh + D_y @ straight_ddh

start = Letter("ybar0", "n_y", 1)
decay = Letter("decay", 1, 1, positive=True)
"""The mean output at the start, and exp(-t/tau_y_bar)."""

# --- signed distance: dh = a e with a fixed unit vector e, D_y e = u --------------------------------------------------

unit = Letter("e", "n_h", 1)
signed = Letter("a", 1, 1)
pull = (D_y @ unit) * signed - aim
"""dy minus its target when dh = a e."""
signed_ddy = -Fraction(1, 4) * rate_y * pull * signed
signed_rate = -Fraction(1, 4) * rate_h * norm2(delta) * ((D_y @ unit).T @ pull)

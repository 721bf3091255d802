"""Beyond equation 19: scalar outputs, where dh rotates and the dynamics can still be solved.

For one output D_y is a row g^T. The vectors z+- = dh/sqrt(4 tau_y) +- |x2 - x1| g/sqrt(4 tau_h) keep their directions, and the product of
their lengths, so one scalar Riccati equation remains.
"""

from __future__ import annotations

import sympy as sp

from derivations import prove
from derivations.operators import Letter, along, norm2
from derivations.papers.van_rossem_saxe_2024.setup import paper, t
from derivations.prove import Certificate, Verdict
from derivations.prove.words import Equation

# d dh/dt = -root_h^2 g (g.dh - target), dg/dt = -root_y^2 dh (g.dh - target), root_h = |x2 - x1|/sqrt(4 tau_h), root_y = 1/sqrt(4 tau_y)
q, g = Letter("dh", "n_h", 1), Letter("g", "n_h", 1)
root_h, root_y = Letter("root_h", 1, 1, positive=True), Letter("root_y", 1, 1, positive=True)
target = Letter("target", 1, 1)
error = g.T @ q - target
motion = {q: -1 * (g * error) * root_h * root_h, g: -1 * (q * error) * root_y * root_y}
plus, minus = q * root_y + g * root_h, q * root_y - g * root_h
pace = root_h * root_y * error


@paper.claim("Beyond: rotation, scalar output", rests_on=["encoder_link6_corrected", "decoder_link9_corrected"])
def scalar_output_flow() -> Certificate:
    """For one output the flow of dh and of g = D_y^T is the one used here."""
    delta, aim = Letter("dx", "n_x", 1), Letter("aim", 1, 1)
    rate = Letter("rate", 1, 1, positive=True)
    D_h, row = Letter("D_h", "n_h", "n_x"), Letter("G", 1, "n_h")
    from_general = -1 * rate * (row.T * (row @ D_h @ delta - aim)) @ delta.T @ delta
    squared = [Equation(rate * norm2(delta), root_h * root_h, oriented=True)]
    return prove.words(from_general, -1 * (row.T * (row @ D_h @ delta - aim)) * root_h * root_h, assuming=squared)


@paper.claim("Beyond: rotation, fixed directions", rests_on=["scalar_output_flow"])
def directions_stay() -> Certificate:
    """z+ and z- change only by multiples of themselves, with opposite rates."""
    return prove.every(
        prove.words(along(plus, motion), -1 * plus * pace), prove.words(along(minus, motion), minus * pace)
    )


@paper.claim("Beyond: rotation, conserved quantities", rests_on=["directions_stay"])
def rotation_conserves() -> Certificate:
    """|z+|^2 |z-|^2 and z+.z- = |dh|^2/(4 tau_y) - |x2 - x1|^2 |g|^2/(4 tau_h) are conserved."""
    grows, shrinks = along(norm2(minus), motion), along(norm2(plus), motion)
    return prove.every(
        prove.words(grows * norm2(plus), -1 * shrinks * norm2(minus)),
        prove.words(along(plus, motion).T @ minus, -1 * plus.T @ along(minus, motion)),
    )


@paper.claim("Beyond: rotation, prediction and distance")
def lengths_give_prediction() -> Certificate:
    """The prediction g.dh and the distance |dh|^2 follow from |z+|^2, |z-|^2 and z+.z-."""
    prediction = prove.words(4 * (g.T @ q) * root_h * root_y, norm2(plus) - norm2(minus))
    distance = prove.words(4 * norm2(q) * root_y * root_y, norm2(plus) + norm2(minus) + 2 * (plus.T @ minus))
    return prove.every(prediction, distance)


P, P0, beta = sp.symbols("P P0 beta", positive=True)  # |z+|^2, its start, 1/(4 tau_y)
omega = sp.Symbol("omega", positive=True)
shift = sp.Symbol("sigma", real=True)  # 2 sqrt(alpha beta) (y2 - y1)
square = omega**2 - shift**2  # c, so that omega = sqrt(sigma^2 + c)
kappa = (P0 - (shift + omega)) / (P0 - (shift - omega))
E = sp.Symbol("E", positive=True)


def length(fading: sp.Expr) -> sp.Expr:
    return ((shift + omega) - (shift - omega) * kappa * fading) / (1 - kappa * fading)


@paper.claim(
    "Beyond: rotation, time course", rests_on=["directions_stay", "rotation_conserves", "lengths_give_prediction"]
)
def rotation_time_course() -> Certificate:
    """|z+|^2 obeys the scalar Riccati equation dP/dt = (c - P^2)/2 + sigma P with c = |z+|^2 |z-|^2 and sigma = 2 sqrt(alpha beta) (y2 - y1), and is
    solved in exp(-omega t), omega = sqrt(sigma^2 + c)."""
    return prove.solves({P: (square - P**2) / 2 + shift * P}, {P: length(sp.exp(-omega * t))}, {P: P0}, t)


overlap = sp.Symbol("K", real=True)


def distance(plus_squared: sp.Expr) -> sp.Expr:
    return (plus_squared + square / plus_squared + 2 * overlap) / (4 * beta)


rotating_end = (omega + overlap) / (2 * beta)
INSIDE = [omega > shift, omega > -shift]


@paper.claim("Beyond: rotation, final distance", rests_on=["rotation_time_course"])
def rotating_final_distance() -> Certificate:
    """For a scalar output the final distance is 2 tau_y (sqrt(sigma^2 + c) + K), whether dh rotates or not (starts with g not
    opposite to dh in the balanced sense)."""
    end = prove.limit(length(E), [E], shift + omega, assuming=INSIDE)
    return prove.every(end, prove.identity(distance(shift + omega), rotating_end))


straight_end = (overlap / 2 + sp.sqrt(overlap**2 / 4 + shift**2 / 4)) / beta


@paper.claim(
    "Eq. 10, when dh rotates",
    expect=Verdict.REFUTED,
    corrected_by="rotating_final_distance",
    rests_on=["final_rest_distance"],
)
def final_distance_when_rotating() -> Certificate:
    """For a scalar output equation 10 gives the final distance even when dh rotates."""
    return prove.identity(rotating_end, straight_end, assuming=INSIDE)


@paper.claim("Eq. 10, when dh does not rotate", rests_on=["rotating_final_distance"])
def final_distance_when_straight() -> Certificate:
    """When z+ and z- are parallel, c = K^2, and the two final distances agree."""
    root = sp.sqrt(shift**2 + overlap**2)
    return prove.identity(rotating_end.subs(omega, root), straight_end)


@paper.claim("Eq. 10, as a lower bound", rests_on=["rotating_final_distance"])
def rotation_ends_farther() -> Certificate:
    """Since c is at least K^2 (Cauchy-Schwarz), a rotating start ends at least as far apart as equation 10 says."""
    straight = sp.sqrt(shift**2 + overlap**2)
    return prove.inequality(
        sp.Ge(omega - straight, 0, evaluate=False),
        assuming=[sp.Ge(omega**2 - shift**2 - overlap**2, 0, evaluate=False)],
        squares=[omega - straight],
    )

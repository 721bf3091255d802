"""Section 4: starts that are not quite of two levels: how QQ' answers, and how far the exact solution can be off."""

from __future__ import annotations

from derivations import prove
from derivations.language.words import Letter, along, identity
from derivations.language.words.blocks import along_blocks
from derivations.models.two_layer_linear import HALF, flow
from derivations.papers.solvable_networks.flow import missed
from derivations.papers.solvable_networks.setup import QQ, J, paper, riccati
from derivations.prove import Certificate


@paper.claim("4.1 What a start lacks of two levels", rests_on=["two_levels_make_a_riccati_flow"])
def riccati_flow_with_a_remainder() -> Certificate:
    """From every start, with C = (QQ'J - a)(QQ'J + b) for any numbers a and b, d(QQ') is the rate of the Riccati equation plus
    (C + J C J)/2, the part of C within inputs and within outputs."""
    return prove.words(along_blocks(QQ, flow), riccati(QQ) + HALF * (missed + J @ missed @ J))


F, true, solved, rest = (Letter(name, "N", "N", symmetric=True) for name in ("F", "M", "P", "D"))
rho = Letter("rho", "N", "N", symmetric=True)
"""F of the levels; QQ', the solution of the Riccati equation, what lies between them, and the remainder (C + J C J)/2."""


@paper.claim("4.2 The equation of the error", rests_on=["riccati_flow_with_a_remainder"])
def error_moves_by_the_mean_of_both() -> Certificate:
    """Let P solve the Riccati equation and D = QQ' - P. Then dD = B D + D B + rho with B = F - (QQ' + P)/2, and
    dD = (F - P) D + D (F - P) - D^2 + rho, with the remainder rho: where neither QQ' nor P is small, B pulls D back."""
    mean, gap = F - HALF * (true + solved), true - solved
    difference = F @ true + true @ F - true @ true + rho - (F @ solved + solved @ F - solved @ solved)
    return prove.every(
        prove.words(difference, mean @ gap + gap @ mean + rho),
        prove.words(difference, (F - solved) @ gap + gap @ (F - solved) - gap @ gap + rho),
    )


R, L = Letter("R", "N", "N", symmetric=True), Letter("L", "N", "N_r")
E, Phi = (Letter(name, "N", "N", symmetric=True, commutes_with=[R]) for name in ("E", "Phi"))
K_inv, E_inv = (
    Letter("K_inv", "N_r", "N_r", inverse_of=identity("N_r") + L.T @ Phi @ L),
    Letter("E_inv", "N", "N", inverse_of=E),
)
summed = Letter("A", "N", "N", symmetric=True)
carry, back = E @ (identity("N") - L @ K_inv @ L.T @ Phi), (identity("N") + L @ L.T @ Phi) @ E_inv


@paper.claim(
    "4.3 The first order of the error", rests_on=["solution_from_every_start", "error_moves_by_the_mean_of_both"]
)
def first_order_of_the_error() -> Certificate:
    """V = E (I - L K^-1 L'Phi), with the inverse (I + L L'Phi) E^-1, solves dV = (F - P) V from the identity, so that to first order
    in the remainder rho, D = V A V' with A the integral of V^-1 rho V'^-1."""
    pulled = R - E @ L @ K_inv @ L.T @ E
    motion = {E: HALF * (R @ E + E @ R), Phi: E @ E, summed: back @ rho @ back.T}
    error = carry @ summed @ carry.T
    return prove.every(
        prove.words(carry @ back, identity("N")),
        prove.words(along(carry, motion), pulled @ carry),
        prove.words(along(error, motion), pulled @ error + error @ pulled + rho),
    )

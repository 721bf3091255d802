"""The solution for equal targets and its derivatives by both time constants as kernels, in sums of positive parts.

The names of parts, which stand in the emitted programs too:

    stay, drive      h0 t/(2 tau_y) and X y0 t/(2 tau_h h0); their difference is A_high t/(2 tau_y), lesser the smaller one
    half             half of the size of that difference; half_fade is e^(-half), half_glide (1 - e^(-half))/half and
                     half_turn the derivative of relexp at -half
    glide, later     relexp and its derivative at -2 half; rest is later or what it leaves of glide
    norm             what the solution is divided by; share is half_fade/norm
    faded, carried   h0 half_fade and y0 share
    h_by_y, ...      the derivative of the logarithm of h by tau_y, and so on; upward, turning and spread are parts of them
"""

from __future__ import annotations

import sympy as sp

from derivations import prove
from derivations.kernels.kernel import Kernel
from derivations.language.functions import relexp, relexp1
from derivations.language.parts import put_back
from derivations.models.two_point import (
    X,
    h0,
    t,
    tau_h,
    tau_y,
    y0,
)
from derivations.papers.van_rossem_saxe_2024.emitted import CITES, glide, norm
from derivations.papers.van_rossem_saxe_2024.section_3_final_distance.equal_targets import logistic, on_level
from derivations.papers.van_rossem_saxe_2024.setup import A, paper
from derivations.papers.van_rossem_saxe_2024.source.readings import REPAIRED
from derivations.prove import Certificate

stay, drive, lesser, half, half_fade = sp.symbols("stay drive lesser half half_fade", nonnegative=True)
half_glide, share, faded, carried = sp.symbols("half_glide share faded carried", nonnegative=True)
half_turn, later, spread, rest = sp.symbols("half_turn later spread rest", nonnegative=True)
h_by_h, h_by_y, y_by_h, y_by_y, upward, turning = sp.symbols("h_by_h h_by_y y_by_h y_by_y upward turning", real=True)
staying = drive <= stay  # A_high >= 0
EQUAL_PARTS = [
    (stay, h0 * t / (2 * tau_y)),
    (drive, X * y0 * t / (2 * tau_h * h0)),
    (lesser, sp.Piecewise((drive, staying), (stay, True))),
    (half, sp.Piecewise(((stay - drive) / 2, staying), ((drive - stay) / 2, True))),
    (half_fade, sp.exp(-half)),
    (half_glide, relexp(-half)),
    (glide, half_glide * (1 + half_fade) / 2),
    (norm, 1 + lesser * glide),
    (share, half_fade / norm),
    (faded, h0 * half_fade),
    (carried, y0 * share),
]
"""In sums of positive parts, with |A_high| t/(2 tau_y) = |stay - drive|. The exponential of that comes as two factors, for it
may be no normal float where a large factor beside it still makes a normal result."""
EQUAL = {
    "h": sp.Piecewise((h0 / norm, staying), (faded * share, True)),
    "y": carried * share,
}
EQUAL_SLOPE_PARTS = [
    *EQUAL_PARTS,
    (half_turn, relexp1(-half)),
    (later, (half_turn + half_fade * (half_glide + half_turn)) / 4),
    (spread, (half_glide - half_turn - half_fade * half_turn) / 2),
    (rest, sp.Piecewise((later, staying), (glide - later, True))),
    (upward, (1 + lesser * spread) / norm),
    (turning, (half_glide * (1 + half_fade) - 1 - lesser * spread) / norm),
    (h_by_h, drive * (glide + drive * rest) / (tau_h * norm)),
    (h_by_y, -drive * rest * stay / (tau_y * norm)),
    (y_by_h, sp.Piecewise((share * drive * turning / tau_h, staying), (share * drive * upward / tau_h, True))),
    (y_by_y, sp.Piecewise((share * stay * upward / tau_y, staying), (share * stay * turning / tau_y, True))),
]
"""`later` is relexp1 of the whole exponent, and `spread` how much more the first half of it counts than the second."""
EQUAL_SLOPES = {
    "dh_dtau_h": sp.Piecewise((h0 / norm * h_by_h, staying), (EQUAL["h"].args[1].expr * h_by_h, True)),
    "dh_dtau_y": sp.Piecewise((h0 / norm * h_by_y, staying), (EQUAL["h"].args[1].expr * h_by_y, True)),
    "dy_dtau_h": carried * y_by_h,
    "dy_dtau_y": carried * y_by_y,
}


def on_one_side(expression: sp.Expr, above: bool) -> sp.Expr:
    """An emitted formula for equal targets with its parts put back, where A_high is above zero or below, from a start with this
    A_high."""
    expression = put_back(expression, EQUAL_SLOPE_PARTS, {staying: above})
    return expression.subs(y0, tau_h / (tau_y * X) * h0 * (h0 - A)).rewrite(sp.exp)


def equal_targets_solution() -> dict[str, sp.Expr]:
    """h and y of equations 39 and 40, corrected."""
    distance = logistic(REPAIRED)
    return {"h": distance, "y": on_level(distance)}


@paper.claim(
    "Eq. 39 and 40, as emitted",
    rests_on=["logistic_distance_doubled", "logistic_prediction_doubled", "algebraic_distance"],
)
def emitted_equal_targets() -> Certificate:
    """The emitted forms for equal targets, in the size of A_high, equal the corrected equations 39 and 40 on both sides of
    A_high = 0."""
    solution = equal_targets_solution()
    return prove.every(
        *(prove.identity(on_one_side(EQUAL[k], above), solution[k]) for above in (True, False) for k in solution)
    )


@paper.claim("Eq. 39 and 40, sensitivities as emitted", rests_on=["emitted_equal_targets"])
def emitted_equal_targets_sensitivities() -> Certificate:
    """On both sides of A_high = 0 the emitted derivatives by tau_h and tau_y are those of the corrected equations 39 and 40, in
    which A_high depends on both."""
    moves = {tau_h: (h0 - A) / tau_h, tau_y: -(h0 - A) / tau_y}
    slopes = {
        f"d{k}_d{tau}": sp.diff(value, tau) + sp.diff(value, A) * move
        for k, value in equal_targets_solution().items()
        for tau, move in moves.items()
    }
    high = h0 - tau_y * X * y0 / (tau_h * h0)
    start = {y0: tau_h / (tau_y * X) * h0 * (h0 - A)}
    return prove.every(
        *(prove.identity(sp.diff(high, tau).subs(start), move) for tau, move in moves.items()),
        *(
            prove.identity(on_one_side(EQUAL_SLOPES[name], above), slope)
            for above in (True, False)
            for name, slope in slopes.items()
        ),
    )


@paper.kernel
def equal_kernel() -> Kernel:
    return Kernel(
        "equal_targets",
        says="h and y = w at time t for equal targets, A_high = 0 included.",
        state=[h0, y0],
        params=[X, tau_h, tau_y, t],
        returns=EQUAL,
        shared=EQUAL_PARTS,
        rests_on=[
            "emitted_equal_targets",
            "logistic_distance_doubled",
            "logistic_prediction_doubled",
            "algebraic_distance",
        ],
        cites=f"{CITES}, Eqs. 39 and 40, corrected",
    )


@paper.kernel
def equal_targets_sensitivities_kernel() -> Kernel:
    return Kernel(
        "equal_targets_sensitivities",
        says="The derivatives of h, y (equal_targets) by tau_h, tau_y.",
        state=equal_kernel().state,
        params=equal_kernel().params,
        returns=EQUAL_SLOPES,
        shared=EQUAL_SLOPE_PARTS,
        rests_on=[*equal_kernel().rests_on, "emitted_equal_targets_sensitivities"],
        cites=equal_kernel().cites,
    )

"""The derivatives of the closed form by both time constants, in forms that keep their digits where one layer dominates.

The rates alpha and beta of the two layers set the pace together, and what remains depends on their ratio only: a part
without unit changes with both by opposite amounts. Such parts are differentiated here in sums that do not cancel,
instead of factor by factor. The distance is taken as what it has grown by, which is small for early times.

The names of parts beside those of the closed form: grown is h/h0 - 1 and lifted what y has risen by in the same
proportion, swell = closing + beta h0, surplus = closing - alpha y0/h0, the paces are the derivatives of log rho by the
logarithms of both rates, and now is the distance at time t.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.functions import relexp, relexp1
from derivations.models.two_point import h, h0, t, tau_h, tau_y, w, y, y0
from derivations.papers.van_rossem_saxe_2024.beyond.closed_form import K, alpha, beta, squared_solution
from derivations.papers.van_rossem_saxe_2024.emitted import (
    BOTH_SIDES,
    CLOSED,
    K_,
    PARTS,
    S,
    against,
    aimed,
    along,
    alpha_,
    balanced_start,
    begun,
    beta_,
    closing,
    distance,
    drawn,
    even,
    excess,
    fade,
    fresh,
    gap,
    glide,
    gone,
    heavy,
    held,
    in_full,
    lead,
    mild,
    missed,
    norm,
    numerator_a,
    opening,
    rho_,
    room,
    settle,
    shift,
    shut,
    sideways,
    slope,
    trail,
    unsettled,
)
from derivations.papers.van_rossem_saxe_2024.setup import paper
from derivations.prove import Certificate

Parts = list[tuple[Any, Any]]
NAMES = "lead_share trail_share filled by_open by_close span swell surplus encoder_pace decoder_pace turned tilted"
lead_share, trail_share, filled, by_open, by_close, span, swell, surplus, encoder_pace, decoder_pace, turned, tilted = (
    sp.symbols(NAMES, real=True)
)
growth, late_growth, grown, lifted, weight, now = sp.symbols("growth late_growth grown lifted weight now", real=True)

far = sp.Lt(K_ * t, -1)
risen = grown > -sp.Rational(1, 2)
kept = lifted > -y0 / 2
turning = weight < sp.Rational(1, 4)  # the distance has come through zero, or nearly

SHARES: Parts = [
    (filled, 2 * rho_ * glide),
    (lead_share, lead / (2 * rho_)),
    (trail_share, trail / (2 * rho_)),
    (by_open, beta_ * h0 / opening),
    (by_close, beta_ * h0 / closing),
    (span, sp.Piecewise((alpha_ * settle, K_ >= 0), (-alpha_ * (shut - fade) / K_, far), (alpha_ * settle, True))),
]
"""`filled` is 1 - fade, and the shares of lead and trail make up one."""
REWRITTEN: dict[Any, Any] = {
    shift: trail_share * filled,
    numerator_a: sp.Piecewise(
        (fade + lead_share * filled, gone), (1 - shift, begun), (fade + lead_share * filled, True)
    ),
    along: filled * (by_open * lead_share**2 + by_close * trail_share**2 * fade) / h0,
    drawn: missed**2 / (h0 * S) * span,
    norm: sp.Piecewise(
        (fade + h0 * along + sideways * span, K_ >= 0),
        (shut - drawn + h0 * (along + beta_ * settle), fresh),
        (fade + h0 * along + sideways * span, True),
    ),
    gap: (fade * excess - sideways * span) / norm,
}
GROWN: Parts = [
    (swell, closing + beta_ * h0),
    (surplus, alpha_ * beta_ * (S - y0) / swell),
    (encoder_pace, (opening * surplus + closing * swell) / (4 * rho_**2)),
    (decoder_pace, (opening * swell + closing * surplus) / (4 * rho_**2)),
    (turned, alpha_ * slope / (2 * rho_)),
    (tilted, alpha_ * sideways / (2 * rho_)),
    (
        growth,
        (
            glide * room * (slope / S * (1 + fade) + (beta_ + alpha_ * slope**2 / S) * glide)
            - sideways * (glide * numerator_a + settle)
        )
        / norm,
    ),
    (
        late_growth,
        (
            filled * room / S * (turned * (1 + fade) + (opening * closing / (4 * rho_**2) + turned**2) * filled)
            - tilted * filled * numerator_a
            - sideways * span
        )
        / norm,
    ),
    (grown, sp.Piecewise((late_growth, far), (alpha_ * growth, True))),
    (lifted, sp.Piecewise((beta_ * h0**2 / alpha_ * late_growth, far), (beta_ * h0**2 * growth, True))),
    (weight, sp.Piecewise((lead_share, gone), (1, True))),
    (now, sp.Piecewise((distance, turning), (h0 * (1 + grown), risen), (distance, True))),
]
"""`surplus` is closing - alpha y0/h0 = opening - beta h0; `grown` is h/h0 - 1, and `growth` is it over alpha."""


def parts_in_order() -> Parts:
    """The parts of the closed form, with the rewritten ones in the places of the old."""
    result: Parts = []
    for name, expression in PARTS:
        result.append((name, REWRITTEN.get(name, expression)))
        if name == trail:
            result += SHARES[:5]
        if name == settle:
            result.append(SHARES[5])
    return result + GROWN


SLOPE_PARTS = parts_in_order()
SAME = {
    "h": now,
    "y": sp.Piecewise(
        (CLOSED["y"].args[0]),
        (now / h0 * (y0 + lifted), kept),
        *CLOSED["y"].args[1:],
    ),
    "w": CLOSED["w"],
}


# --- derivatives of parts ---------------------------------------------------------------------------------------------


def slopes_by(tau: Any) -> dict[Any, Any]:
    """The derivatives of parts by the logarithm of a time constant; a part's rate falls as this rises."""
    first = tau == tau_h
    sign = 1 if first else -1
    of_opening, of_closing = (surplus, swell) if first else (swell, surplus)
    pace = encoder_pace if first else decoder_pace
    of_K = alpha_ * y0 / h0 if first else -beta_ * h0
    of_slope = alpha_ * slope if first else sp.S.Zero
    exchange = sign * (opening * swell * trail_share - closing * surplus * lead_share) / (4 * rho_**2)
    fading, shutting = 2 * t * rho_ * pace * fade, t * opening * of_opening / rho_ * shut
    given = alpha_ * settle if first else sp.S.Zero
    return {
        **({alpha_: -alpha_} if first else {beta_: -beta_}),
        K_: of_K,
        rho_: -rho_ * pace,
        opening: -opening * of_opening / (2 * rho_),
        closing: -closing * of_closing / (2 * rho_),
        lead: -opening * of_opening / (2 * rho_) - of_slope,
        trail: -closing * of_closing / (2 * rho_) + of_slope,
        filled: -fading,
        lead_share: exchange,
        trail_share: -exchange,
        by_open: sign * by_open * surplus / (2 * rho_),
        by_close: sign * by_close * swell / (2 * rho_),
        turned: -sign * turned * decoder_pace,
        tilted: -sign * tilted * decoder_pace,
        span: sp.Piecewise(
            (alpha_ * (fading * t * relexp(-K_ * t) - fade * t**2 * relexp1(-K_ * t) * of_K) - given, K_ >= 0),
            (
                -alpha_ / K_ * (shutting - fading - sign * (shut - fade) * beta_ * h0 / K_),
                far,
            ),
            (alpha_ * (shutting * t * relexp(K_ * t) + shut * t**2 * relexp1(K_ * t) * of_K) - given, True),
        ),
    }


def divided(slope_: Any, tau: Any) -> Any:
    if isinstance(slope_, sp.Piecewise):
        return sp.Piecewise(*((value / tau, condition) for value, condition in slope_.args))
    return slope_ / tau


KNOWN = {(part, tau): divided(slope_, tau) for tau in (tau_h, tau_y) for part, slope_ in slopes_by(tau).items()}


# --- claims -----------------------------------------------------------------------------------------------------------

WHOLE = sp.exp(-2 * rho_ * t)
PLAIN: dict[Any, Any] = {
    alpha_: alpha,
    beta_: beta,
    K_: beta_ * h0 - alpha_ * y0 / h0,
    **BOTH_SIDES,
    lead: opening + alpha_ * slope,
    trail: closing - alpha_ * slope,
    filled: 1 - WHOLE,
    lead_share: lead / (2 * rho_),
    trail_share: trail / (2 * rho_),
    by_open: beta_ * h0 / opening,
    by_close: beta_ * h0 / closing,
    turned: alpha_ * slope / (2 * rho_),
    tilted: alpha_ * sideways / (2 * rho_),
    span: alpha_ * WHOLE * (1 - sp.exp(-K_ * t)) / K_,
}
"""What the parts that are differentiated by hand are, with all their branches in one."""


def holding(*, above: bool, near: bool) -> dict[Any, bool]:
    """Which branches are taken."""
    late = not above and not near
    return {
        K_ >= 0: above,
        far: late,
        K_ * t > -1: not late,
        against: near,
        even: near,
        begun: near,
        held: near,
        fresh: near and not above,
        gone: not near,
        mild: near,
        heavy: late,
        balanced_start: near,
        unsettled: near,
        sp.Abs(gap) < sp.Rational(1, 2): near and above,
        turning: above and not near,
        risen: True,
        kept: not above,
    }


CASES = [holding(above=above, near=near) for above in (True, False) for near in (True, False)]


@paper.claim("Beyond: closed form, its growth as emitted", rests_on=["closed_form_squared"])
def emitted_growth() -> Certificate:
    """In every branch, K = 0 included, h as the start and what it has grown by, y from that, and w, as they are emitted to be
    differentiated, are those of the closed form."""
    names = {"h": h, "y": y, "w": w}

    def agree(case: dict[Any, bool], level: Any) -> Certificate:
        solution = squared_solution(balanced=level == 0)
        return prove.every(
            *(
                prove.identity(
                    in_full(SAME[name], case, level, SLOPE_PARTS), solution[of].subs(sp.Symbol("t", real=True), t)
                )
                for name, of in names.items()
            )
        )

    return prove.every(
        *(agree(case, K) for case in CASES), *(agree({**case, unsettled: True}, sp.S.Zero) for case in CASES[:2])
    )


@paper.claim("Beyond: closed form, slopes of its parts as emitted", rests_on=["start_has_parameters"])
def emitted_slopes_of_parts() -> Certificate:
    """The emitted derivatives by both time constants of the conserved quantity, of the rates and of the parts made of them are their
    derivatives, and in every branch these parts are what they are differentiated as."""
    parts = dict(SLOPE_PARTS)

    def whole(expression: Any, case: dict[Any, bool]) -> Any:
        return in_full(expression, case, parts=SLOPE_PARTS)

    def chained(expression: Any, tau: Any, case: dict[Any, bool]) -> Any:
        """The derivative through the parts, left to the prover, at what the parts are."""
        meant = {name: whole(name, case) for name in expression.free_symbols - {t, h0, tau}}
        named = {name: sp.Symbol(f"{name}_as_part", real=True) for name in meant}
        apart = expression.xreplace(named)
        moving = [name for name in meant if (name, tau) in KNOWN]
        through = sum(sp.Derivative(apart, named[name]) * whole(KNOWN[name, tau], case) for name in moving)
        total = sp.Derivative(apart, tau) + through
        return sp.Subs(total, tuple(named.values()), tuple(meant.values()))

    squared = K_**2 / 4 + aimed
    return prove.every(
        *(
            prove.identity(whole(KNOWN[part, tau], case), chained(PLAIN[part], tau, case))
            for part, tau in KNOWN
            if part != rho_
            for case in (CASES if part == span else CASES[:1])
        ),
        *(
            prove.identity(whole(2 * rho_ * KNOWN[rho_, tau], CASES[0]), chained(squared, tau, CASES[0]))
            for tau in (tau_h, tau_y)
        ),
        *(
            prove.identity(branch, meant)
            for part, plain in PLAIN.items()
            if part == filled or (isinstance(parts[part], sp.Piecewise) and part not in {opening, closing})
            for case in CASES
            if (branch := whole(parts[part], case)) != (meant := whole(plain, case))
        ),
    )

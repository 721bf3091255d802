"""Equations 12-14, sections 3.2 and 4: large and small weights, a claim for every scaling that the text admits."""

from derivations.papers.van_rossem_saxe_2024.setup import *
from derivations.papers.van_rossem_saxe_2024.source.readings import PRINTED, SYSTEM

p, q, r, gap, small = reals("p q r gap epsilon > 0")
# p = |dh(0)|^2/|x2 - x1|^2, q = |dy(0)|^2/|dh(0)|^2 and r = tau_y/tau_h; the paper's gain is a power of epsilon.

def high(p, q):
    return X * (p - r * q)

def final(high, target=S):
    return high / 2 + sqrt(high**2 / 4 + r * X * target)

LOW = sqrt(r * X * S)
USES = ("final_rest_distance",)
RATIO_H, RATIO_Y = r"\frac{||dh(0)||^{2}}{||x_{2}-x_{1}||^{2}}", r"\frac{||dy(0)||^{2}}{||dh(0)||^{2}}"
EQ_12, EQ_13 = (printed(f"Eq. {n}", rf"{RATIO_H},{RATIO_Y}{sign} 1") for n, sign in ((12, r"\gg"), (13, r"\ll")))

def start(p, q):
    """A start at which the two printed ratios are p and q."""
    return {"h0": X * p, "y0": X * p * q}

def in_the_limit(eq, expression, value):
    """As epsilon goes to zero, the printed ratios are as far from 1 as printed, and an expression has a limit."""
    regime = (tends((part.right / part.left).doit(), [small], 0) for part in eq.relations())
    return [*regime, tends(expression, [small], value)]

@EQ_12.condition.claim(put=start(p / small, (p + gap) / (r * small)),
    quote="the final representational distance converges to $A_{\\text{high}}$, "
    "which depends on the input structure of the data and the random initialization.",
    corrected_by="large_weights_either_sign", rests_on=USES)
def large_weights(eq):
    """As p = |dh(0)|^2/|x2 - x1|^2 and q = |dy(0)|^2/|dh(0)|^2 grow together, the final distance converges to A_high, also where
    p < r q, r = tau_y/tau_h, so that A_high is negative (their ratio goes to one)."""
    level = high(*(part.left.doit() for part in eq.relations()))
    yield in_the_limit(eq, final(level) / level, sp.S(1))

@paper.claim("Eq. 12, corrected", rests_on=USES)
def large_weights_either_sign():
    """As p and q grow together the final distance tends to max(A_high, 0): to A_high if p > r q, to zero if p < r q."""
    positive, negative = high((r * q + gap) / small, q / small), high(p / small, (p + gap) / (r * small))
    yield tends(final(positive) - positive, [small], 0)
    yield tends(final(negative), [small], 0)

paper.states("large_weights_balanced", "Eq. 12, p = r q",
    "With p = (tau_y/tau_h) q the final distance is A_low, however large the weights.",
    lambda: same(Subs(final(high(p, q)), p, r * q), LOW), rests_on=USES)
EQ_13.condition.states("small_weights",
    "As p and q go to zero together, with the data and the time constants fixed, the final distance goes to A_low.",
    lambda eq: in_the_limit(eq, final(high(*(part.right.doit() for part in eq.relations()))), LOW),
    put=start(small * p, small * q), rests_on=USES)

unit = reals("c > 0")
@paper.claim("Eq. 12 and 13, units")
def level_scales_like_a_distance():
    """In units c times smaller, with tau_h/c^2 and c^2 tau_y, A_high grows by c^2, like a squared distance."""
    h0, y0 = reals("h0 y0 > 0")

    def ingredients(h0, ratio):
        return h0 - ratio * X * y0 / h0, sqrt(ratio * X * S)

    before, after = ingredients(h0, r), ingredients(unit**2 * h0, unit**4 * r)
    yield same(after, tuple(unit**2 * e for e in before))

def scaled(rate, powers):
    a, b, c = powers
    return as_expression(rate).doit().subs({h: small**a * h, y: small**b * y, w: small**c * w}, simultaneous=True)

paper.states("small_variables_always_small_rates", "Section 3.2, small variables",
    "When |dh|, |dy|, w are small, so is the rate of equation 7 (here: |dh|^2 of second order, |dy|^2, w of first).",
    lambda: tends(scaled(PRINTED.flow[y], (2, 1, 1)), [small], 0), rests_on=SYSTEM,
    corrected_by="small_variables_small_rates")
paper.states("small_variables_small_rates", "Section 3.2, small weights",
    "When |dh|^2 and |dy|^2/|dh|^2 go to zero, and w like |dy|, the right-hand side of equation 7 goes to zero.",
    lambda: [tends(scaled(rate, (1, 2, 1)), [small], 0) for rate in PRINTED.flow.values()], rests_on=SYSTEM)

decay, depth = reals("g > 0, n")  # G = exp(-g) < 1

def profile(rate):
    return exp(-rate * depth) * X

@printed("Eq. 14", r"||dh(0)||^{2}\sim G^{n}||x_{2}-x_{1}||^{2}", meanings={"G": exp(-decay), "n": depth}).claim(
    left="what the recursion over layers gives from the squared distance of the inputs")
def depth_profile(eq):
    """If every layer multiplies squared distances by G = exp(-g), they are G^n |x2 - x1|^2 after n layers."""
    d = eq.right
    yield same(d.subs(depth, depth + 1), exp(-decay) * d)
    yield same(Subs(d, depth, 0), X)

paper.states("depth_profile_if_activations_scale", "Eq. 14, gain of activations",
    "If every layer multiplies activations by G, squared distances are G^n |x2 - x1|^2 after n layers.",
    lambda: same(profile(decay).subs(depth, depth + 1), exp(-decay) ** 2 * profile(decay)),
    corrected_by="depth_profile_of_activations")

d = profile(2 * decay)
paper.states("depth_profile_of_activations", "Eq. 14, gain of activations, corrected",
    "If every layer multiplies activations by G = exp(-g), squared distances are G^(2n) |x2 - x1|^2 after n layers.",
    lambda: [same(d.subs(depth, depth + 1), exp(-decay) ** 2 * d), same(Subs(d, depth, 0), X)])
paper.states("distance_falls_with_depth", "Section 5.1, decreasing in depth",
    "For a gain below one the initial distance decreases with depth.",
    lambda: positive(-Derivative(profile(decay), depth)))

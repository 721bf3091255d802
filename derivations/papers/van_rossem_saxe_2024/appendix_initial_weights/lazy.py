"""Appendix A.5, equations 41-43: large initial weights as a rescaling."""

from derivations.papers.van_rossem_saxe_2024.setup import *
from derivations.papers.van_rossem_saxe_2024.section_3_final_distance.equal_targets import EQUAL
from derivations.papers.van_rossem_saxe_2024.source.readings import FROM_LOSS, PRINTED, SYSTEM, follows

small = Symbol("epsilon", positive=True)
cosine = Symbol("c", real=True)
large_y, target = symbols("y s", positive=True)
paper.equation("Eq. 41", r"||dh||^{2}\to G||dh||^{2}\\||dy||^{2}\to G^{2}||dy||^{2}\\w\to G^{2}w",
    says="Larger weights multiply |dh|^2 by G and |dy|^2 and w by G^2.", name="larger_weights")

def alignment(prediction):
    """w for a prediction of given squared size at a fixed angle to the target."""
    return prediction - sqrt(prediction) * sqrt(target) * cosine

@paper.claim("Section A.5, w at large weights")
def alignment_at_large_weights():
    """(w/|dy|^2 - 1)^2 is at most |y2 - y1|^2/|dy|^2 at every angle between prediction and target, so w/|dy|^2 goes to one as |dy| grows."""
    misfit = (alignment(large_y) / large_y - 1) ** 2
    yield holds(misfit <= target / large_y, given=cosine**2 <= 1)

g_h, g_y = letters("g_h, g_y", positive=True)
scaled = {D_h: D_h * g_h, D_y: D_y * g_y}
@paper.claim("Eq. 41, lines 1 and 2, one factor", given=[(g_y, g_h)])
def common_factor_scales_as_printed():
    """If D_h and D_y are multiplied by the same g_h, then |dh|^2 is multiplied by G = g_h^2 and |dy|^2 by G^2."""
    yield same(substitute(norm2(c_dh), scaled), g_h**2 * norm2(c_dh))
    yield same(substitute(norm2(c_dy), scaled), g_h**4 * norm2(c_dy))

@paper.claim("Eq. 41, line 3")
def alignment_scales_to_leading_order():
    """At a fixed angle and target, multiplying |dy|^2 by a given G^2 multiplies w by a factor that tends to G^2 as |dy| grows."""
    yield tends(alignment(G**2 * large_y) / (G**2 * alignment(large_y)), {large_y: oo}, 1)

HP, YP, WP = r"{||dh||^{2}}^{\prime}", r"{||dy||^{2}}^{\prime}", r"w^{\prime}"
DTP = r"\frac{\mathrm{d}}{\mathrm{d}t^{\prime}}"
LINES_43 = (
    rf"{DTP}{HP}=-\frac{{1}}{{\tau_{{h}}}}||x_{{2}}-x_{{1}}||^{{2}}{WP}",
    rf"{DTP}{YP}=-{WP}(\frac{{1}}{{\tau_{{y}}}}{HP}+\frac{{1}}{{\tau_{{h}}}}||x_{{2}}-x_{{1}}||^{{2}}\frac{{{YP}}}{{{HP}}})",
    (
        rf"{DTP}{WP}=-\frac{{1}}{{\tau_{{y}}}}\frac{{1}}{{2}}(3{WP}-{YP}+G^{{-2}}||y_{{2}}-y_{{1}}||^{{2}}){HP}"
        rf"-\frac{{1}}{{\tau_{{h}}}}\frac{{1}}{{2}}||x_{{2}}-x_{{1}}||^{{2}}\frac{{({YP}+{WP}){WP}}}{{{HP}}}"
    ),
)
EQ_43 = [printed(f"Eq. 43, line {k}", latex) for k, latex in enumerate(LINES_43, 1)]
EQ_42 = printed("Eq. 42", rf"{HP}=G||dh||^{{2}}\\{YP}=G^{{2}}||dy||^{{2}}\\{WP}=G^{{2}}w\\t^{{\prime}}=G^{{-1}}t")
TURNED = EQ_42.condition.instead(
    "corrected", rf"||dh||^{{2}}=G{HP}\\||dy||^{{2}}=G^{{2}}{YP}\\w=G^{{2}}{WP}\\t=G^{{-1}}t^{{\prime}}")
PRIMED = {h: hp, y: yp, w: wp, t: tp}

def factors(change):
    """By what every variable is multiplied in a printed change of variables to become its primed one."""
    found = zip(PRIMED.items(), ((line.left, line.right) for line in change.relations()), strict=True)
    return {old: (right / old if left == new else new / right).doit() for (old, new), (left, right) in found}

def in_primes(r, variable, change):
    """The rate of a primed variable in primed time."""
    times = factors(change)
    old = {k: PRIMED[k] / times[k] for k in (h, y, w)}
    rate = Subs(as_expression(r.flow[variable]).doit(), tuple(old), tuple(old.values()))
    return sp.Mul(times[variable] / times[t], rate, evaluate=False)

def in_new_letters(r, variable, change):
    """The rate of a primed variable in primed time is the printed one, where old and primed letters are related as printed."""
    rate = (factors(change)[variable], t / tp, as_expression(r.flow[variable]).doit())
    line = EQ_43[list(PRIMED).index(variable)].put({f"d{variable}p_dtp": sp.Mul(*rate, evaluate=False)})
    return line.judged([relation.stated for relation in change.relations()])

@EQ_42.condition.claim(corrected_by="primes_on_the_small_variables", rests_on=SYSTEM)
def primed_variables(eq):
    """The change of variables of equation 42 turns the third line of equation 21 into the third line of equation 43."""
    yield in_new_letters(PRINTED, w, eq)

@paper.claim("Eq. 42, corrected")
def primes_on_the_small_variables():
    """If the unprimed variables are the large ones, |dh|^2 = G |dh|^2', |dy|^2 = G^2 |dy|^2', w = G^2 w' and t = t'/G, equation 21
    becomes equation 43 with its G^-2, line by line."""
    yield from (in_new_letters(PRINTED, k, TURNED) for k in (h, y, w))

paper.corrected("primed_variables", TURNED.formula)
for number, (variable, equation) in enumerate(zip((h, y, w), EQ_43, strict=True), 1):

    def primed_line(r, eq, variable=variable):
        return eq.put({f"d{variable}p_dtp": in_primes(r, variable, TURNED)})

    primed_line.__doc__ = f"In the variables of equation 42 as corrected, the rate of {variable}' is the printed one."
    follows(equation, name=f"primed_line{number}", rests_on=["primes_on_the_small_variables"])(primed_line)

@paper.claim("Section A.5, limit of Eq. 43", rests_on="primed_line3")
def large_weights_like_equal_targets():
    """With the factor G^-2, the rate of w in equation 43 tends to that for equal targets as G grows."""
    rate = EQ_43[2].right.doit()
    yield tends(rate.subs(G, 1 / small), [small], rate.subs(s, 0))

@paper.claim("Section A.5, limit of Eq. 43 with Eq. 42 as printed",
    quote=r"Taking the large initial weight limit $G\to\infty$, these dynamics reduce to the dynamics for identical outputs.",
    corrected_by="large_weights_like_equal_targets", rests_on="primed_variables")
def large_weights_like_equal_targets_as_defined():
    """In the variables of equation 42 as printed, the system tends to that for equal targets as G grows."""
    rate = in_primes(PRINTED, w, EQ_42)
    yield tends(rate.subs({G: 1 / small, s: target}), [small], rate.subs(s, 0))

steepness = h / (2 * tau_y) + X * y / (2 * tau_h * h)  # -d log|dy|^2/dt for equal targets
@paper.claim("Section A.5, no plateau", rests_on="large_weights_like_equal_targets derived_system")
def equal_targets_loss_is_log_convex():
    """For equal targets |dy|^2, and with it the loss, falls at a relative rate that never increases: the fall is steepest at the
    start, so there is no plateau."""
    rates = {k: FROM_LOSS.flow[k].subs(EQUAL) for k in (h, y)}
    slowing = sum(Derivative(steepness, k) * rate for k, rate in rates.items())
    yield same(rates[y], -steepness * y)
    yield holds(sp.Le(slowing, 0, evaluate=False))

level, fading = symbols("A_high fading", positive=True)
@paper.claim("Section A.5, exponential decay, corrected", rests_on="logistic_prediction")
def decay_is_exponential():
    """For equal targets and A_high not zero, |dy|^2 exp(|A_high| t/(2 tau_y)) goes to a positive constant."""
    c1 = tau_h / (tau_y * X)
    distance = level / (1 + (level / h0 - 1) * fading)
    prediction = c1 * distance * (distance - level)
    constant = c1 * level**2 * (1 - level / h0)
    merging = level * h0 * fading / (h0 + level - h0 * fading)  # A_high = -level
    merging_prediction = c1 * merging * (merging + level)
    left = c1 * level**2 * h0 / (h0 + level)
    yield tends(prediction / fading, [fading], constant, given=h0 > level)
    yield positive(constant, given=h0 > level)
    yield tends(merging_prediction / fading, [fading], left)
    yield positive(left)

"""Appendices A.5 and A.6: large initial weights, and random ones."""

from derivations.papers.van_rossem_saxe_2024.setup import *
from derivations.papers.van_rossem_saxe_2024.section_3_final_distance.equal_targets import EQUAL
from derivations.papers.van_rossem_saxe_2024.source.readings import FROM_LOSS, PRINTED, SYSTEM, follow

small, cosine, large_y, target = reals("epsilon > 0, c, y s > 0")
paper.equation("Eq. 41", r"||dh||^{2}\to G||dh||^{2}\\||dy||^{2}\to G^{2}||dy||^{2}\\w\to G^{2}w",
    says="Larger weights multiply |dh|^2 by G and |dy|^2 and w by G^2.", name="larger_weights")

def alignment(prediction):
    """w for a prediction of given squared size at a fixed angle to the target."""
    return prediction - sqrt(prediction) * sqrt(target) * cosine

paper.states("alignment_at_large_weights", "Section A.5, w at large weights",
    "(w/|dy|^2 - 1)^2 is at most |y2 - y1|^2/|dy|^2 at every angle of prediction and target: w/|dy|^2 goes to one.",
    lambda: holds((alignment(large_y) / large_y - 1) ** 2 <= target / large_y, given=cosine**2 <= 1))

g_h, g_y = letters("g_h, g_y", positive=True)
scaled = {D_h: D_h * g_h, D_y: D_y * g_y}
paper.states("common_factor_scales_as_printed", "Eq. 41, lines 1 and 2, one factor",
    "If D_h and D_y are multiplied by the same g_h, then |dh|^2 is multiplied by G = g_h^2 and |dy|^2 by G^2.",
    lambda: [same(substitute(norm2(c_dh), scaled), g_h**2 * norm2(c_dh)),
        same(substitute(norm2(c_dy), scaled), g_h**4 * norm2(c_dy))], given=[(g_y, g_h)])
paper.states("alignment_scales_to_leading_order", "Eq. 41, line 3",
    "At a fixed angle and target, |dy|^2 times a given G^2 makes w times a factor that tends to G^2 as |dy| grows.",
    lambda: tends(alignment(G**2 * large_y) / (G**2 * alignment(large_y)), {large_y: oo}, 1))

HP, YP, WP = r"{||dh||^{2}}^{\prime}", r"{||dy||^{2}}^{\prime}", r"w^{\prime}"
DTP = r"\frac{\mathrm{d}}{\mathrm{d}t^{\prime}}"
LINES_43 = (rf"{DTP}{HP}=-\frac{{1}}{{\tau_{{h}}}}||x_{{2}}-x_{{1}}||^{{2}}{WP}",
    rf"{DTP}{YP}=-{WP}(\frac{{1}}{{\tau_{{y}}}}{HP}+\frac{{1}}{{\tau_{{h}}}}||x_{{2}}-x_{{1}}||^{{2}}\frac{{{YP}}}{{{HP}}})",
    (rf"{DTP}{WP}=-\frac{{1}}{{\tau_{{y}}}}\frac{{1}}{{2}}(3{WP}-{YP}+G^{{-2}}||y_{{2}}-y_{{1}}||^{{2}}){HP}"
        rf"-\frac{{1}}{{\tau_{{h}}}}\frac{{1}}{{2}}||x_{{2}}-x_{{1}}||^{{2}}\frac{{({YP}+{WP}){WP}}}{{{HP}}}"))
EQ_43 = [printed(f"Eq. 43, line {k}", latex) for k, latex in enumerate(LINES_43, 1)]
EQ_42 = printed("Eq. 42", rf"{HP}=G||dh||^{{2}}\\{YP}=G^{{2}}||dy||^{{2}}\\{WP}=G^{{2}}w\\t^{{\prime}}=G^{{-1}}t")
TURNED = EQ_42.condition.instead(
    "corrected", rf"||dh||^{{2}}=G{HP}\\||dy||^{{2}}=G^{{2}}{YP}\\w=G^{{2}}{WP}\\t=G^{{-1}}t^{{\prime}}")
PRIMED = {h: hp, y: yp, w: wp, t: tp}

def factors(change):
    """By what every variable is multiplied in a printed change of variables to become its primed one."""
    pairs = zip(PRIMED.items(), change.relations(), strict=True)
    return {old: (e.right / old if e.left == new else new / e.right).doit() for (old, new), e in pairs}

def in_primes(r, variable, change):
    """The rate of a primed variable in primed time."""
    times = factors(change)
    rate = put(as_expression(r.flow[variable]).doit(), {k: PRIMED[k] / times[k] for k in (h, y, w)})
    return sp.Mul(times[variable] / times[t], rate, evaluate=False)

def in_new_letters(r, variable, change):
    """The rate of a primed variable in primed time is the printed one, old and primed letters related as printed."""
    rate = (factors(change)[variable], t / tp, as_expression(r.flow[variable]).doit())
    line = EQ_43[list(PRIMED).index(variable)].put({f"d{variable}p_dtp": sp.Mul(*rate, evaluate=False)})
    return line.judged([relation.stated for relation in change.relations()])

EQ_42.condition.states("primed_variables",
    "The change of variables of equation 42 turns the third line of equation 21 into the third line of equation 43.",
    lambda eq: in_new_letters(PRINTED, w, eq), corrected_by="primes_on_the_small_variables", rests_on=SYSTEM)
paper.states("primes_on_the_small_variables", "Eq. 42, corrected",
    "If the unprimed variables are the large ones, |dh|^2 = G |dh|^2', |dy|^2 = G^2 |dy|^2', w = G^2 w' and t = t'/G, "
    "equation 21 becomes equation 43, line by line.", lambda: [in_new_letters(PRINTED, k, TURNED) for k in (h, y, w)])

paper.corrected("primed_variables", TURNED.formula)
for number, (variable, equation) in enumerate(zip((h, y, w), EQ_43, strict=True), 1):
    follow(f"primed_line{number}", equation,
        f"In the variables of equation 42 as corrected, the rate of {variable}' is the printed one.",
        lambda r, eq, variable=variable: eq.put({f"d{variable}p_dtp": in_primes(r, variable, TURNED)}),
        rests_on=["primes_on_the_small_variables"])

paper.states("large_weights_like_equal_targets: primed_line3", "Section A.5, limit of Eq. 43",
    "With the factor G^-2, the rate of w in equation 43 tends to that for equal targets as G grows.",
    lambda: tends(EQ_43[2].right.doit().subs(G, 1 / small), [small], EQ_43[2].right.doit().subs(s, 0)))

@paper.claim("Section A.5, limit of Eq. 43 with Eq. 42 as printed",
    quote=r"Taking the large initial weight limit $G\to\infty$, these dynamics reduce to the dynamics for identical outputs.",
    corrected_by="large_weights_like_equal_targets", rests_on="primed_variables")
def large_weights_like_equal_targets_as_defined():
    """In the variables of equation 42 as printed, the system tends to that for equal targets as G grows."""
    rate = in_primes(PRINTED, w, EQ_42)
    yield tends(rate.subs({G: 1 / small, s: target}), [small], rate.subs(s, 0))

steepness = h / (2 * tau_y) + X * y / (2 * tau_h * h)  # -d log|dy|^2/dt for equal targets
rates = {k: FROM_LOSS.flow[k].subs(EQUAL) for k in (h, y)}
paper.states("equal_targets_loss_is_log_convex: large_weights_like_equal_targets derived_system",
    "Section A.5, no plateau",
    "For equal targets |dy|^2 falls at a relative rate that never increases, steepest first: without a plateau.",
    lambda: [same(rates[y], -steepness * y),
        holds(at_least(0, sum(Derivative(steepness, k) * rate for k, rate in rates.items())))])

high_level, fading = reals("A_high fading > 0")
@paper.claim("Section A.5, exponential decay, corrected", rests_on="logistic_prediction_doubled")
def decay_is_exponential():
    """For equal targets |dy|^2/f has a positive limit for f = exp(-|A_high| t/(2 tau_y)) -> 0, A_high not zero."""
    c1 = tau_h / (tau_y * X)
    distance = high_level / (1 + (high_level / h0 - 1) * fading)
    constant = c1 * high_level**2 * (1 - high_level / h0)
    merging = high_level * h0 * fading / (h0 + high_level - h0 * fading)  # A_high = -level
    at_the_end = c1 * high_level**2 * h0 / (h0 + high_level)
    yield tends(c1 * distance * (distance - high_level) / fading, [fading], constant, given=h0 > high_level)
    yield positive(constant, given=h0 > high_level)
    yield tends(c1 * merging * (merging + high_level) / fading, [fading], at_the_end)
    yield positive(at_the_end)

# === Appendix A.6, equations 44-48: the distribution of the final distance over random initial weights ================
r, d, L, low = reals("r d > 0, A_low >= 0, A_low > 0")
ROOT = r"\sqrt{A_{\text{high}}^{2}+4A_{\text{low}}^{2}}"
HIGH, LOW2 = r"A_{\text{high}}", r"A_{\text{low}}^{2}"
below_latex = rf"\frac{{1}}{{2}}{HIGH}+\sqrt{{\frac{{1}}{{4}}{HIGH}^{{2}}+{LOW2}}}<h"
square_latex = rf"{HIGH}^{{2}}+4{LOW2}<(2h-{HIGH})^{{2}}\text{{ and }}2h-{HIGH}>0"
short_latex = rf"4{LOW2}<4h^{{2}}-4h{HIGH}\text{{ and }}2h-{HIGH}>0"
linear_latex = rf"{HIGH}h<h^{{2}}-{LOW2}\text{{ and }}{HIGH}<2h"
EVENTS = (r"||dh(\infty)||^{2}<h", below_latex, rf"{ROOT}<2h-{HIGH}", square_latex, short_latex, linear_latex)
EQ_44 = printed("Eq. 44", "=".join(f"P({event})" for event in EVENTS), meanings={"A_low": L})
EQ_44.link(2).states("event_link2: final_rest_distance",
    "The final distance is below h exactly when sqrt(A_high^2 + 4 A_low^2) is below 2 h - A_high.",
    lambda eq: same(2 * eq.left, eq.right), left="the event that half of what is proved to be equal is positive")

@EQ_44.link(1).claim(put={"A_low": low}, left="the event that the positive root of h^2 - A_high h - A_low^2 is below h",
    rests_on="final_rest_distance")
def event_link1(eq):
    """The final distance is the positive root of h^2 - A_high h - A_low^2, as printed (different targets)."""
    root = sp.Add(level, sp.Mul(-1, eq.right, evaluate=False), evaluate=False)
    yield same(root**2 - A * root - low**2, 0)
    yield positive(root.doit())

@EQ_44.link(3).claim(rests_on="event_link2")
def event_link3(eq):
    """sqrt(A_high^2 + 4 A_low^2) < 2 h - A_high exactly when 2 h - A_high > 0 and the squares are in that order."""
    for at in ({L: low}, {L: 0}):
        below, (squares, side) = eq.left.subs(at), (event.subs(at) for event in eq.right)
        yield positive(side, above(below, 0))
        yield positive(squares, above(below, 0))
        yield positive(below, [above(event, 0) for event in (squares, side)])

EQ_44.link(4).states("event_link4", "The two sides of the squared condition differ by 4 h^2 - 4 h A_high - 4 A_low^2.",
    lambda eq: same(eq.left[0], eq.right[0]))

@EQ_44.link(5).claim()
def event_link5(eq):
    """A quarter of the condition is A_high h < h^2 - A_low^2, and the other one is A_high < 2 h."""
    squares, side = eq.left
    yield same((sp.Mul(Rational(1, 4), squares, evaluate=False), side), eq.right)

@printed("Eq. 45", rf"P({linear_latex})=P({HIGH}h<h^{{2}}-{LOW2})", meanings={"A_low": L}).claim(rests_on="event_link5")
def second_condition_is_implied(eq):
    """For positive h, A_high h < h^2 - A_low^2 implies A_high < 2 h, so the second condition can be dropped."""
    first, second = eq.left
    yield positive(second, given=[above(first, 0)])
    yield same(level * second - level**2 - L**2, eq.right)

paper.states("bound_for_second_condition", "Section A.6, bound used for Eq. 45",
    "For positive h, h^2 - A_low^2 is less than 2 h^2.", lambda: positive(2 * level**2 - (level**2 - L**2)))

HIGH_46 = r"||x_{2}-x_{1}||^{2}(\frac{||dh(0)||^{2}}{||x_{2}-x_{1}||^{2}}-\frac{||dy(0)||^{2}}{||dh(0)||^{2}})"
printed("Eq. 46, link 1", rf"{HIGH}={HIGH_46}").states("high_without_constants: ingredient_high",
    "A_high is |x2 - x1|^2 times the plain difference of the two initial ratios, whatever the time constants.",
    put={"A_high": expand(A_high)},
    corrected=rf"{HIGH}={HIGH_46}".replace(r"-\frac", r"-\frac{\tau_{y}}{\tau_{h}}\frac"),
    because="A_high is |x2 - x1|^2 times the first ratio minus tau_y/tau_h times the second one.",
    corrected_name="high_with_constants")

c = reals("correlation")

def moments(weight, correlation):
    """Mean and variance of X (p - weight q) when p and q have mean G, variance G^2 and the given correlation."""
    return X * G - weight * X * G, X**2 * G**2 * (1 + weight**2 - 2 * weight * correlation)

MOMENTS_46 = r"\mathcal{N}(||x_{2}-x_{1}||^{2}G-||x_{2}-x_{1}||^{2}G,||x_{2}-x_{1}||^{4}G^{2}+||x_{2}-x_{1}||^{4}G^{2})"
true_mean, true_variance = X * G * (1 - r), X**2 * G**2 * (1 + r**2)
printed("Eq. 46, link 2", rf"{HIGH_46}\sim{MOMENTS_46}").states("high_is_gaussian_as_printed: high_without_constants",
    "A_high has the printed mean and variance for independent ratios of N(G, G^2) and any r = tau_y/tau_h.",
    lambda eq: same(moments(r, 0), eq.right), left="A_high of equation 11, whose mean and variance are judged",
    corrected_by="high_is_gaussian")
paper.states("high_is_gaussian: high_with_constants", "Eq. 46, link 2, corrected",
    "For independent ratios distributed as N(G, G^2) and r = tau_y/tau_h, A_high is Gaussian with mean |x2 - x1|^2 G "
    "(1 - r) and variance |x2 - x1|^4 G^2 (1 + r^2): the printed ones for r = 1.",
    lambda: by("sum of independent Gaussians", weights=[X, -r * X], means=[G, G], variances=[G**2, G**2],
        mean=true_mean, variance=true_variance))
paper.states("high_variance_without_independence", "Eq. 46, link 2, dependent ratios",
    "The variance is the printed one whatever the correlation of the two ratios, for tau_h = tau_y.",
    lambda: same(moments(1, c)[1], 2 * X**2 * G**2), corrected_by="high_is_gaussian")
printed("Eq. 46, link 3", rf"{MOMENTS_46}=\mathcal{{N}}(0,2||x_{{2}}-x_{{1}}||^{{4}}G^{{2}})").states(
    "moments_added_up", "The mean is zero and the variance is 2 |x2 - x1|^4 G^2.")
paper.states("gaussian_ratios_are_negative_sometimes", "Section A.6, Gaussian initial ratios",
    "A number of N(G, G^2) is negative with a probability Phi(-1) between 15.8 % and 15.9 %, for every G.",
    lambda: enclosed(Phi(-Integer(1)), {}, Rational(158, 1000), Rational(159, 1000)), expect="certified")

threshold = level - L**2 / level
true_argument = (threshold - true_mean) / (X * G * sqrt(1 + r**2))
ARGUMENT = r"\frac{h-\frac{A_{\text{low}}^{2}}{h}}{\sqrt{2}||x_{2}-x_{1}||^{2}G}"
FRONT = r"\frac{1+\frac{A_{\text{low}}^{2}}{h^{2}}}{\sqrt{2}||x_{2}-x_{1}||^{2}G}"
LAST = r"\frac{1+\frac{A_{\text{low}}^{2}}{h^{2}}}{2\sqrt{\pi}||x_{2}-x_{1}||^{2}G}"
FOR_ANY = {"A_low": L}
BELOW_MEAN = (r"\frac{h-\frac{A_{\text{low}}^{2}}{h}-||x_{2}-x_{1}||^{2}G\cdot(1-\frac{\tau_{y}}{\tau_{h}})}"
    r"{||x_{2}-x_{1}||^{2}G\sqrt{1+\frac{\tau_{y}^{2}}{\tau_{h}^{2}}}}")
EQ_47 = printed(
    "Eq. 47", rf"P(||dh(\infty)||^{{2}}<h)=\Phi({ARGUMENT})", meanings={**FOR_ANY, "P": lambda _: Symbol("P")})
EQ_48 = printed("Eq. 48",
    rf"f(h)=\frac{{\mathrm{{d}}}}{{\mathrm{{d}}h}}\Phi({ARGUMENT})={FRONT}\phi({ARGUMENT})={LAST}e^{{-\frac{{1}}{{2}}({ARGUMENT})^{{2}}}}",
    meanings={**FOR_ANY, "f": lambda _: Symbol("f"), "dt": lambda of, _: Derivative(of, level)})
argument = printed("Eq. 47, argument", ARGUMENT, meanings=FOR_ANY).right.doit()
TRUE_47 = EQ_47.instead("corrected", rf"P(||dh(\infty)||^{{2}}<h)=\Phi({BELOW_MEAN})")
TRUE_48 = EQ_48.instead("corrected", rf"f(h)=\frac{{\mathrm{{d}}}}{{\mathrm{{d}}h}}\Phi({BELOW_MEAN})")
EQ_47.states("distribution_as_printed: second_condition_is_implied high_is_gaussian_as_printed",
    "By appendix A.6, for any r = tau_y/tau_h, the final distance is below h with the printed probability.",
    lambda eq: same(Phi(true_argument), eq.right), corrected_by="distribution_of_final_distance")

mean, variance = moments(r, 0)
standardised = (threshold - mean) / sqrt(variance)
paper.states("distribution_of_final_distance: second_condition_is_implied high_is_gaussian", "Eq. 47, corrected",
    "The argument of Phi is (h - A_low^2/h - |x2 - x1|^2 G (1 - r))/(|x2 - x1|^2 G sqrt(1 + r^2)) with r = "
    "tau_y/tau_h, the threshold less the mean over the deviation of A_high, which for r = 1 is the printed one.",
    lambda: [same(Phi(standardised.subs(r, tau_y / tau_h)), TRUE_47.right), same(standardised, true_argument),
        same(Subs(true_argument, r, 1), argument)])

spread = reals("spread > 0")  # sqrt(2 (1 + r^2)), the root of twice the variance of A_high/(|x2 - x1|^2 G)
above_mean = (threshold - true_mean) / (X * G * spread)
true_density = (1 + L**2 / level**2) / (sqrt(pi) * X * G * spread) * exp(-(above_mean**2))
EQ_48.link(1).states("density_as_printed: distribution_as_printed",
    "By appendix A.6, for any r = tau_y/tau_h, the density is the derivative of the printed distribution.",
    lambda eq: same(Derivative(Phi(true_argument), level), eq.right), corrected_by="density_of_final_distance")
paper.states("density_of_final_distance: distribution_of_final_distance", "Eq. 48, corrected",
    "For different targets the density is (1 + A_low^2/h^2)/(sqrt(pi) |x2 - x1|^2 G k) exp(-z^2) with z = (h - "
    "A_low^2/h - |x2 - x1|^2 G (1 - r))/(|x2 - x1|^2 G k), k = sqrt(2 (1 + r^2)) and r = tau_y/tau_h.",
    lambda: [same(Derivative((1 + erf(above_mean)) / 2, level), true_density),
        same(TRUE_48.right, Derivative(Phi(true_argument.subs(r, tau_y / tau_h)), level))])
EQ_48.link(2).states("density_link2: density_as_printed",
    "The derivative of the distribution function is the printed prefactor times the standard Gaussian density.",
    lambda eq: same(Derivative(Phi(argument), level), eq.right))
EQ_48.link(3).states(
    "density_link3: density_link2", "The Gaussian density is written out.", lambda eq: same(eq.left, eq.right.doit()))

paper.corrected("distribution_as_printed", TRUE_47.formula)
paper.corrected("density_as_printed", TRUE_48.formula)

of_different = true_argument.subs(L, low)
paper.states("distribution_concentrates: distribution_of_final_distance", "Section A.6, limit of small weights",
    "As G goes to zero the argument of Phi goes to infinity above A_low and to minus infinity below, for every r.",
    lambda: [tends(of_different, [G], oo, given=level > low), tends(of_different, [G], -oo, given=level < low)])
paper.states("half_of_the_mass_at_zero: distribution_of_final_distance", "Section A.6, equal targets",
    "For equal targets and tau_h = tau_y the argument of Phi tends to 0 at distance zero, and not to minus infinity: "
    "there Phi is 1/2, a mass that the density of equation 48 misses.", lambda: tends(argument.subs(L, 0), [level], 0))
paper.states("density_has_total_mass_one: distribution_of_final_distance", "Eq. 48, total mass",
    "For different targets the argument of Phi goes to minus infinity as h goes to zero, and to infinity with h.",
    lambda: [tends(argument.subs(L, low), [level], -oo), tends(argument.subs(L, low), {level: oo}, oo)])

"""Section 5 for two equal singular values: every stationary point of the off-diagonal entry b, and what is said of it.

Time enters through F = e^(-2 s t/tau).
"""

from derivations.papers.braun_2022.setup import *
from derivations.latex.formula import Formula
from derivations.papers.braun_2022 import emitted
from derivations.papers.braun_2022.source.equations import PEAK

REAL = dict(zip(emitted.START, (a1, a2, b), strict=True))

def entries(fades, rises):
    """a1, a2 and b at a time, from fades e^(-2 s t) and rises (1 - e^(-2 s t))/s."""
    return {REAL[name]: value.subs(REAL) for name, value in emitted.common(fades, rises).items()}

trace = a1 + a2
alpha, gamma = 1 - trace / s + D / s**2, D / s**2
below = fade**2 + fade * (1 - fade) * trace / s + (1 - fade) ** 2 * gamma
b_equal = fade * b / below
a1_equal = (fade * a1 + (1 - fade) * D / s) / below
a2_equal = a1_equal.subs({a1: a2, a2: a1}, simultaneous=True)  # the entries of A'A for equal singular values
@paper.claim("Section 5, the flow of b", rests_on="flow_of_gram")
def rate_of_b():
    """b changes at the rate b (s1 + s2 - 2 (a1 + a2)): it is stationary exactly where the diagonal entries have
    learned half of what they will, a1 + a2 = (s1 + s2)/2."""
    P, task = Matrix([[a1, b], [b, a2]]), diag(s1, s2)
    yield same((task * P + P * task - 2 * P * P)[0, 1], b * (s1 + s2 - 2 * (a1 + a2)))

DETERMINANT, FADE = r"\left[a_1(0) a_2(0) - b(0)^2\right]", r"e^{\frac{-2st}{\tau}}"
# What equation 15 should read: `a1_equal` at e^(-2 s t/tau), multiplied out.
SIGMOID = Formula(
    rf"a_1(t) = \frac{{s^2 {FADE} a_1(0) + s \left(1 - {FADE}\right) {DETERMINANT}}}"
    rf"{{s^2 e^{{\frac{{-4st}}{{\tau}}}} + s {FADE} \left(1 - {FADE}\right) \left[a_1(0) + a_2(0)\right] + "
    rf"\left(1 - {FADE}\right)^2 {DETERMINANT}}}", VOCABULARY)
@paper.claim("Section 5, equal singular values", rests_on="decoupling_solves_the_flow")
def decoupling_solution_equal():
    """For equal singular values all entries of A'A(t) are quadratic in e^(-2 s t) over one quadratic."""
    value = entries((fade, fade), ((1 - fade) / s, (1 - fade) / s))
    yield same((a1_equal, a2_equal, b_equal**2), (value[a1], value[a2], value[b] ** 2))
    yield same(SIGMOID.right, a1_equal.subs(fade, exp(-2 * s * t / tau)))

@paper.claim("Section 5, stationary points for equal singular values", rests_on="decoupling_solution_equal")
def stationary_for_equal_singular_values():
    """The derivative of b by e^(-2 s t) is b (gamma - alpha e^(-4 s t)) over a square, with alpha = 1 - (a1 + a2)/s +
    D/s^2 and gamma = D/s^2: there is at most one stationary point, where e^(-4 s t) = gamma/alpha."""
    yield same(Derivative(b_equal, fade) * below**2, b * (gamma - alpha * fade**2))

INSIDE = [aligned1 * aligned2 > b**2, s > aligned1 + aligned2, Ne(b, 0)]

def with_aligned(expression):
    return expression.subs({a1: aligned1, a2: aligned2})

rest_time = tau / (4 * s) * log(1 + s * (s - a1 - a2) / D)  # when b is stationary
@PEAK.claim(put={"a1": aligned1, "a2": aligned2}, left="the time at which gamma = alpha e^(-4 s t/tau)",
    corrected=r"t_{peak} = \frac{\tau}{4s} \ln \left( 1 + \frac{s(s-a_1-a_2)}{a_1a_2-b(0)^2} \right)",
    corrected_name="peak_time",
    because="b is stationary at tau/(4 s) ln(1 + s (s - a1 - a2)/D), one more in the logarithm than printed.",
    changes="The dashed line of figure 4F from intermediate starts; from small starts both times agree in the limit.",
    rests_on="stationary_for_equal_singular_values", given=INSIDE)
def printed_peak_time(eq):
    """The printed time, a multiple of tau, is the one at which b is stationary, that is gamma = alpha e^(-4 s t/tau)."""
    level = exp(4 * s * eq.right / tau).doit()
    yield same(tau * Derivative(eq.right, tau), eq.right)
    yield same(with_aligned(alpha), with_aligned(gamma) * level)

tiny, aligned_root = symbols("tiny aligned_root", positive=True)
@paper.claim("Section 5, time of the peak, small starts", rests_on="peak_time")
def printed_peak_time_of_small_starts():
    """For a start of vanishing size the printed time tends to the true one: e^(4 s t/tau) at the two times has the
    ratio one in the limit."""
    ratio = s * (s - trace) / D / (1 + s * (s - trace) / D)
    scaled = ratio.subs({a1: tiny * a1, a2: tiny * a2, b: tiny * b}, simultaneous=True)
    yield tends(scaled.subs(a2, (aligned_root**2 + b**2) / a1).subs(a1, aligned1), [tiny], 1)

@paper.claim("Section 5, when there is a peak", rests_on="stationary_for_equal_singular_values")
def peak_condition():
    """alpha - gamma = 1 - (a1 + a2)/s: for D > 0 the stationary point lies at a time after the start exactly if a1 +
    a2 < s. For a1 + a2 >= s, where alpha <= gamma, gamma - alpha e^(-4 s t) stays positive: the size of b only falls."""
    start_gamma, start_alpha = Symbol("gamma", positive=True), Symbol("alpha", real=True)
    falling, known = start_gamma - start_alpha * fade**2, [start_gamma >= start_alpha, fade < 1]
    yield same(sp.Add(alpha, -gamma, evaluate=False), 1 - trace / s)
    yield holds(with_aligned(alpha) > with_aligned(gamma), given=s > aligned1 + aligned2)
    yield holds(with_aligned(gamma) >= with_aligned(alpha), given=aligned1 + aligned2 >= s)
    yield positive(falling, given=known)

@paper.claim("Section 5, non-monotonic trajectories",
    quote="However, strikingly, b(t) can exhibit non-monotonic trajectories with transient peaks or valleys partway through the learning process.",
    rests_on="peak_condition")
def off_diagonal_can_peak():
    """From a1 = a2 = s/4 and b = s/8 the off-diagonal entry grows at first, to a peak: it is larger at e^(-2 s t) =
    1/2 than at the start. With the other sign of b(0) all of b(t) has the other sign, and the peak is a valley."""
    start = {a1: s / 4, a2: s / 4, b: s / 8}
    yield positive((b_equal.subs(fade, Rational(1, 2)) - b).subs(start))
    yield same(Subs(b_equal, b, -b), -b_equal)

KNOWN_D = {a2: (definite + b**2) / aligned1, a1: aligned1}
@paper.claim("Section 5, at convergence the off-diagonal shrinks to zero",
    quote="At convergence, the off-diagonal element shrinks to zero as shown in Appendix E.",
    needs={"full_rank": lambda: tends(b_equal.subs(a2, b**2 / aligned1).subs(a1, aligned1), [fade], 0)},
    rests_on="decoupling_solution_equal")
def off_diagonal_vanishes():
    """For D > 0 and equal singular values b(t) goes to zero as e^(-2 s t), and the diagonal entries go to s."""
    yield tends(b_equal.subs(KNOWN_D), [fade], 0)
    yield tends(a1_equal.subs(KNOWN_D), [fade], s)
    yield tends((b_equal / fade).subs(KNOWN_D), [fade], b * s**2 / definite)

@paper.claim("Section 5, the on-diagonal element is half learned, the mean", rests_on="rate_of_b peak_time")
def diagonal_is_half_learned_at_the_peak():
    """For equal singular values, where gamma = alpha e^(-4 s t) the mean of the two diagonal entries is exactly s/2:
    half learned, from every start that has a peak."""
    at_rest = {a2: (definite + b**2) / a1}
    excess = (a1_equal + a2_equal - s) * below
    yield same(sp.together(excess.subs(at_rest)), (s * (gamma - alpha * fade**2)).subs(at_rest))

root_alpha, root_gamma = symbols("root_alpha root_gamma", positive=True)
middle = Symbol("beta", real=True)
beta = trace / s - 2 * D / s**2
@paper.claim("Section 5, the height of the peak, equal singular values", rests_on="peak_time")
def peak_height():
    """For equal singular values b is e^(-2 s t) b(0) over alpha e^(-4 s t) + beta e^(-2 s t) + gamma with
    beta = (a1 + a2)/s - 2 D/s^2, which at e^(-2 s t) = sqrt(gamma/alpha) is b(0)/(beta + 2 sqrt(alpha gamma)). As
    a1 + a2 = s there, and b^2 < a1 a2, the peak is always lower than s/2."""
    at = root_gamma / root_alpha
    quadratic = root_alpha**2 * at**2 + middle * at + root_gamma**2
    peak = b / (middle + 2 * root_alpha * root_gamma)
    yield same(below, alpha * fade**2 + beta * fade + gamma)
    yield same(at * b / quadratic, peak, given=middle + root_alpha > 0)
    yield prove.implies([Eq(aligned1 + aligned2, s), aligned1 * aligned2 > b**2], s**2 / 4 > b**2)

"""Section 5 for different singular values, and for more than two modes: when b peaks, how often, and what never peaks.

Time enters through p = e^(s1 t/tau) and q = e^(s2 t/tau), through their inverse squares F1 and F2, or through x = e^(-t/tau)
where the singular values are numbers.
"""

from derivations.papers.braun_2022.setup import *
from derivations.papers.braun_2022.section_5_decoupling.peak import KNOWN_D, entries, with_aligned
from derivations.papers.braun_2022.source.equations import inner_13
from derivations.papers.braun_2022.source.theorems import ends_at, product

p, q, fade1, fade2 = symbols("p q F1 F2", positive=True)
RISES = ((1 - fade1) / s1, (1 - fade2) / s2)
course = entries((fade1, fade2), RISES)  # the entries of A'A at any time

# --- how b moves --------------------------------------------------------------------------------------------------------
grow, shrink = D / (s1 * s2), 1 - a1 / s1 - a2 / s2 + D / (s1 * s2)
second, first = a2 / s2 - D / (s1 * s2), a1 / s1 - D / (s1 * s2)
gain = grow * p * q + second * q / p + first * p / q + shrink / (p * q)  # b(0)/b(t)
# Its derivative by time.
turn = (s1 + s2) * (grow * p * q - shrink / (p * q)) + (s2 - s1) * (second * q / p - first * p / q)
MOVING = {p: exp(s1 * t), q: exp(s2 * t)}
@paper.claim("Section 5, different singular values", rests_on="decoupling_solves_the_flow")
def gain_of_the_off_diagonal():
    """b(0)/b(t) is a sum of the four exponentials of s1 + s2, s2 - s1, s1 - s2 and -(s1 + s2) times t, and so is its
    derivative."""
    value = course[b].subs({fade1: 1 / p**2, fade2: 1 / q**2})
    yield same(value * gain, b)
    yield same(Derivative(gain.subs(MOVING), t), turn.subs(MOVING))

COEFFICIENTS = [(s1 + s2) * grow, (s2 - s1) * second, -(s2 - s1) * first, -(s1 + s2) * shrink]
EXPONENTS = [s1 + s2, s2 - s1, s1 - s2, -(s1 + s2)]
POSITIVE = [aligned1 * aligned2 > b**2, s2 > s1]

def zeros_of_the_turn(signs, begins, *known):
    """How often the derivative of b(0)/b(t) vanishes after the start, by the signs of its coefficients."""
    return by(
        "zeros of a sum of exponentials", coefficients=[with_aligned(c) for c in COEFFICIENTS], exponents=EXPONENTS,
        signs=list(signs), begins=begins, variable=Symbol("t", real=True), given=[*POSITIVE, *known])

@paper.claim("Section 5, a peak for different singular values", rests_on="gain_of_the_off_diagonal")
def one_peak_below_half():
    """For s2 > s1, D > 0, b not zero and a1 + a2 < (s1 + s2)/2 the size of b has exactly one stationary point after the start, a
    peak: the derivative of b(0)/b(t) starts negative and ends positive, and as one of its two middle coefficients has
    the sign of its neighbour, they change sign at most twice."""
    below_half = s1 + s2 > 2 * (aligned1 + aligned2)
    yield zeros_of_the_turn("++??", "-", below_half, s1 > aligned1)
    yield zeros_of_the_turn("+?-?", "-", below_half, aligned1 >= s1)

@paper.claim("Section 5, large starts for different singular values", rests_on="gain_of_the_off_diagonal")
def none_or_two_above_half():
    """For s2 > s1, D > 0, b not zero and a1 + a2 > (s1 + s2)/2 the derivative of b(0)/b(t), a sum of four exponentials, starts
    and ends positive: after the start it vanishes not at all or, counted with multiplicity, twice."""
    yield zeros_of_the_turn("+???", "+", 2 * (aligned1 + aligned2) > s1 + s2)

# --- "for large initialisations, no peak is observed" -------------------------------------------------------------------
x = Symbol("x", positive=True)
# A large start for the singular values 1 and 10: a1 + a2 exceeds their mean, and D = 1/20.
START = {a1: Integer(6), a2: Rational(1, 100), b: Rational(1, 10)}
ONE_AND_TEN = entries((x**2, x**20), (1 - x**2, (1 - x**20) / 10))
trace = ONE_AND_TEN[a1] + ONE_AND_TEN[a2]
trace_later = trace.subs(START)
HALF_LEARNED = Rational(11, 2)
trace_soon = Subs(trace, (x, *START), (Rational(9, 10), *START.values()))
over, rest = Symbol("over", positive=True), Symbol("rest", nonnegative=True)
# Starts for which A(0)'A(0) - S is positive: its determinant is `rest`.
ABOVE = {a1: s1 + over, a2: s2 + (b**2 + rest) / over}
below = fade1 * fade2 + fade1 * a2 * RISES[1] + fade2 * a1 * RISES[0] + RISES[0] * RISES[1] * D
@paper.claim(["Section 5, no peak is observed", "Section 5, no peak is observed, starts above the task"],
    quote="For large initialisations, no peak is observed and the dynamics are exponential.",
    needs={"a_start_above_the_task": lambda: holds(above(trace_soon, HALF_LEARNED))},
    rests_on="rate_of_b decoupling_solves_the_flow peak_condition")
def starts_above_the_task_have_no_peak():
    """Where A(0)'A(0) - S is positive, both diagonal entries stay above their singular values at all times, a1(t) >
    s1 and a2(t) > s2: then b falls at a rate of at least s1 + s2, for equal and for different singular values. a1 + a2 >
    (s1 + s2)/2 alone is not enough: from (6, 1/100, 1/10), for the singular values 1 and 10, it is above 11/2 at the start,
    below at e^(-t) = 9/10 and goes to 11, so that b falls, rises and falls again."""
    mirrored = {a2: s2 + over, a1: s1 + (b**2 + rest) / over}
    fading = [fade1 < 1, fade2 < 1]
    excess = fade1 * (fade2 * over + RISES[1] * (s2 * over + rest))
    other = fade2 * (fade1 * over + RISES[0] * (s1 * over + rest))
    yield same((course[a1].subs(ABOVE) - s1) * below.subs(ABOVE), excess)
    yield same((course[a2].subs(mirrored) - s2) * below.subs(mirrored), other)
    yield positive(excess, given=fading)
    yield positive(other, given=fading)
    yield positive(trace_later.subs(x, 1) - HALF_LEARNED)
    yield positive(HALF_LEARNED - trace_soon)
    yield tends(trace_later, [x], 11)

@paper.claim("Section 5, the maximum is reached before the mode is learned",
    quote="At intermediate initialisations, the maximum of the off-diagonal is reached before the singular mode is fully learned (Appendix E).",
    rests_on="decoupling_solves_the_flow rate_of_b")
def diagonal_stays_below():
    """A diagonal entry that starts below its singular value stays below it at all times: s1 - a1(t) is a product of
    positive terms over a positive one, so that, from a diagonal that starts below the task's, a peak of b comes
    before either mode is fully learned."""
    missing = fade1 * ((fade2 + a2 * RISES[1]) * (s1 - a1) + RISES[1] * b**2)
    yield same((s1 - course[a1]) * below, missing)
    yield positive(with_aligned(missing), given=[s1 > aligned1, fade2 < 1])

@paper.claim("Section 5, at convergence the off-diagonal shrinks to zero, different singular values",
    rests_on="gain_of_the_off_diagonal")
def different_modes_decouple():
    """For D > 0, b(t) e^((s1 + s2) t) tends to b(0) s1 s2/D: b goes to zero as e^(-(s1 + s2) t)."""
    value = (course[b] / sqrt(fade1 * fade2)).subs(KNOWN_D)
    yield tends(value, [fade1, fade2], b * s1 * s2 / definite)

# --- any number of modes ------------------------------------------------------------------------------------------------
@paper.claim("Section 5, at convergence the off-diagonal shrinks to zero, any size", rests_on="theorem_51")
def gram_ends_at_the_task():
    """For any number of modes and every A(0)'A(0) with an inverse, A'A(t) goes to St: every off-diagonal entry goes
    to zero and every diagonal entry to its singular value."""
    inverse = letters("L_inv", inverse_of=inner_13)
    yield ends_at([inverse], [St], {E: St}, {inverse: St})

# For equal singular values and a start of size K: e^(-2 s t)/(4 K), which ends at zero, and (1 - e^(-2 s t))/s, which
# begins there.
held, risen = symbols("held risen", positive=True)
# A start of three modes in which the first two are not coupled; its determinant is 4.
THREE = Matrix([[2, 0, 1], [0, 2, 1], [1, 1, 2]])
bracket = held * THREE.adjugate() + risen * eye(3)
of_the_first_two = -held * risen / bracket.det()
inverse_column = Matrix([of_the_first_two, *(bracket.adjugate()[1:, 1] / bracket.det())])
@paper.claim("Section 5, the outer inverse makes large networks difficult",
    quote="The outer inverse in Equation 13 renders it difficult to study high dimensional networks analytically.",
    needs={"the_inverse_instead_of_the_matrix": lambda: same(of_the_first_two, 0)}, rests_on="theorem_51")
def inverse_decouples_by_itself():
    """For any number of modes the inverse of A'A is simple: its distance from St^-1 is e^(-St t) times the one at the
    start times e^(-St t), so that each of its off-diagonal entries decays as e^(-(s_i + s_j) t) from every start, and
    none has a peak. A'A itself differs: for three equal singular values and the start K times [2, 0, 1; 0, 2, 1; 1, 1, 2],
    the entry of the first two modes is zero at the start and in the end and negative between, whatever the size K."""
    yield same(inner_13 - St_inv, E @ (gram_inv - St_inv) @ E)
    yield same(product(THREE, THREE.adjugate()), 4 * eye(3))
    yield same(product(bracket, inverse_column), eye(3)[:, 1])
    yield positive(-of_the_first_two)
    yield tends(of_the_first_two, [risen], 0)
    yield tends(of_the_first_two, [held], 0)

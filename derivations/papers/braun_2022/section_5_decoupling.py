"""Section 5: the dynamics in the basis of the task, when the off-diagonal entry b peaks, and small and large starts.

Time enters through F = e^(-2 s t/tau) for equal singular values, for different ones through p = e^(s1 t/tau) and q =
e^(s2 t/tau), through their inverse squares F1 and F2, or through x = e^(-t/tau) where the singular values are
numbers.
"""

from derivations.papers.braun_2022.setup import *
from derivations.paper.matrix_flows import ends_at, keeps_inverse, only_solution
from derivations.latex.formula import Formula
from derivations.papers.braun_2022 import emitted

TASK = Ut @ St @ Vt.T
ANSATZ = {W1: substitute(START_INPUT.right, {A_start: A}),
    W2: substitute(START_OUTPUT.right, {A_start: A}),
    Sigma: TASK}
descent_of_A = {A: A @ (St - A.T @ A)}

def in_task_basis(words):
    return substitute(words, ANSATZ)

def rate_of_gram(state):
    """d(A'A) at any value of A'A."""
    return St @ state + state @ St - 2 * state @ state

correlation = letters("S_xx: N_i x N_i", symmetric=True)
seen = Vt.T @ correlation @ Vt
BOTH_COMPLETE = [(Vt @ Vt.T, identity("N_i")), (Ut @ Ut.T, identity("N_o"))]

def layers_agree(known):
    """Decide whether both layers of the ansatz ask for one rate of A on inputs of any correlation."""
    error = Sigma - W2 @ W1 @ correlation
    by_first, by_second = in_task_basis(W2.T @ error) @ Vt, in_task_basis(error @ W1.T).T @ Ut
    return same(by_first, by_second, known)

START_INPUT.states("ansatz_persists: flow_for_white_inputs",
    "Weights W1 = A Vt', W2 = Ut A' keep that form, dA = A (St - A'A). On inputs that are not white the two layers "
    "ask for A (St - A'A T) and A (St - T A'A), T = Vt'S_xx Vt, which agree where A'A and T commute.",
    lambda eq: [same(in_task_basis(flow[W1]), descent_of_A[A] @ Vt.T),
        same(in_task_basis(flow[W2]), Ut @ descent_of_A[A].T), same(in_task_basis(W1), eq.right),
        layers_agree([(A.T @ A @ seen, seen @ A.T @ A), *BOTH_COMPLETE])], put={"A_0": A},
    needs={"assumption_2_2": lambda: layers_agree(BOTH_COMPLETE)})
START_OUTPUT.states("ansatz_is_balanced: ansatz_persists",
    "The ansatz is balanced by itself, W2' W2 = A A' = W1 W1': assumption 2.3 adds nothing to it.",
    lambda eq: [same(in_task_basis(W2), eq.right), same(in_task_basis(W2.T @ W2), A @ A.T),
        same(in_task_basis(W1 @ W1.T), A @ A.T)], put={"A_0": A})

network, pairs = in_task_basis(W2 @ W1), [(W1.T @ W1, Vt, Vt), (W2 @ W1, Ut, Vt), (W2 @ W2.T, Ut, Ut)]
paper.states("gram_is_the_network_in_the_task_basis: ansatz_persists", "Section 5, what A'A tells",
    "In the basis of the task the network function is A'A, Ut'W2 W1 Vt = A'A, and the task is learned exactly if A'A "
    "= St. W1'W1 = Vt A'A Vt', W2 W1 = Ut A'A Vt' and W2 W2' = Ut A'A Ut', so that A'A determines QQ'.",
    lambda: [same(Ut.T @ network @ Vt, A.T @ A), same(network, TASK, [(A.T @ A, St)]),
        same(A.T @ A, St, [(Ut @ A.T @ A @ Vt.T, TASK)]),
        *(same(in_task_basis(w), left @ A.T @ A @ right.T) for w, left, right in pairs)],
    quote=r"Here the matrix $\mathbf{A}^T\mathbf{A}$ represents the dynamics directly in the SVD basis of the task.")
paper.states("flow_of_gram: ansatz_persists", "Section 5, the flow of A'A",
    "A'A moves by d(A'A) = St A'A + A'A St - 2 (A'A)^2, whatever the shape and the rank of A.",
    lambda: same(along(A.T @ A, descent_of_A), rate_of_gram(A.T @ A)))

begin = {E: ONE}
vector = letters("x: N_m")
@EQ_13.claim("Eq. 13, without assumption 2.1", "Eq. 13, A with more rows than columns", needs={
        "the_full_rank_of_A": lambda: same(norm2(vector), 0, [(A_start.T @ A_start @ vector, vector * 0)]),
        "the_full_rank_of_the_task": lambda: same(norm2(vector), 0, [(St @ vector, vector * 0)]),
    }, rests_on="flow_of_gram")
def theorem_51(eq):
    """If A(0)'A(0) and St have inverses, the printed A'A(t) solves d(A'A) = St A'A + A'A St - 2 (A'A)^2 from A(0)'A(0),
    for N_m modes of N_i inputs and N_o outputs and any N_h x N_m matrix A(0): it need not be square."""
    bracket = letters("L: N_m x N_m")
    inverse = letters("L_whole_inv", inverse_of=bracket)
    grown = letters("G", inverse_of=E)
    root, whole = (A_start @ gram_inv, A_start.T), A_start.T @ A_start
    motion, start = {E: DECAY[E]}, begin | {grown: ONE}
    shown = keeps_inverse(inner_13, [grown, grown], motion, start, root=root, scale=grown)
    yield only_solution(
        inverse, rate_of_gram, whole, motion, start | {inner_13_inv: whole}, inverses={inner_13_inv.name: shown},
        through={bracket: inner_13, inverse: inner_13_inv}, drift={bracket: 2 * ONE - St @ bracket - bracket @ St})
    yield same(eq.right @ inner_13 @ eq.right, eq.right)

Phi = letters("Phi: N_m x N_m", diagonal=True)  # The integral of exp(2 St s) from 0 to t, which needs no inverse of St
grown = letters("G", inverse_of=E)
@paper.claim(["Theorem 5.1, without assumption 2.4", "Theorem 5.1, for any A"], rests_on="flow_of_gram")
def theorem_51_without_inverses():
    """For every A(0) and every task, singular ones included, A'A(t) = e^(St t) A(0)' (I + 2 A(0) Phi A(0)')^-1 A(0)
    e^(St t) with the integral Phi of e^(2 St s)."""
    inner, motion = identity("N_h"), {E: -(St @ E), Phi: grown @ grown}
    M = letters("M", equals=inner + 2 * A_start @ Phi @ A_start.T)
    M_inv = letters("M_inv", inverse_of=M)
    start = {E: ONE, grown: ONE, Phi: zero("N_m", "N_m"), M: inner}
    shown = keeps_inverse(M, [grown @ A_start.T, grown @ A_start.T], motion, start)
    state, begun = grown @ A_start.T @ M_inv @ A_start @ grown, A_start.T @ A_start
    yield only_solution(state, rate_of_gram, begun, motion, start | {M_inv: inner}, inverses={"M_inv": shown})

ut, vt, turn = SQUARE["U_t"], SQUARE["V_t"], letters("O: N x N", orthonormal_columns=True)
# A(0)'A(0) = O D O' with orthogonal O makes Ut O and Vt O the singular vectors of the start.
START_VECTORS = {"U": ut @ turn, "V": vt @ turn}
BASES.states("printed_product_of_bases",
    "The ansatz, whose start has the singular vectors U = Ut O and V = Vt O, implies U V = Ut Vt.", put=START_VECTORS,
    corrected=r"\mathbf{U}\mathbf{V}^{T} = \tilde{\mathbf{U}}\tilde{\mathbf{V}}^{T}",
    corrected_name="bases_agree_up_to_one_rotation",
    because="The ansatz implies U V' = Ut Vt': one rotation takes the task's singular vectors to those of the start "
    "on both sides.", changes="A remark beside theorem 5.1, which nothing uses.")

@paper.claim("Section 5, less general than Theorem 3.1",
    quote="We remark that this form is less general than that in Theorem 3.1",
    rests_on="bases_agree_up_to_one_rotation")
def ansatz_has_no_difference_of_overlaps():
    """For the ansatz the matrices of Theorem 3.1 are B = 2 O', which always has an inverse, and C = 0."""
    u, v = START_VECTORS.values()
    yield same(u.T @ ut - v.T @ vt, 0 * turn)
    yield same(u.T @ ut + v.T @ vt, 2 * turn.T)
    yield same((2 * turn.T) @ (2 * turn.T).T, 4 * identity("N"))

@paper.claim("Section 5, the decoupled start", rests_on="theorem_51_without_inverses")
def decoupled_modes_stay_decoupled():
    """D(0) (e^(-2 St t) + (I - e^(-2 St t)) St^-1 D(0))^-1 solves the flow from D(0): A'A(t) stays diagonal."""
    diagonal, root = letters("D_0: N_m x N_m, R: N_m x N_m", diagonal=True)
    inside = E @ E + (ONE - E @ E) @ St_inv @ diagonal
    inverse = letters("D_inv", diagonal=True, inverse_of=inside)
    grown, motion, start = (letters("G", inverse_of=E), {E: DECAY[E]}, begin | {letters("G", inverse_of=E): ONE})
    options = {"assuming": [(root @ root, diagonal)]}
    shown = keeps_inverse(inside, [grown @ root, grown @ root], motion, start, scale=grown, **options)
    yield only_solution(diagonal @ inverse, rate_of_gram, diagonal, motion, start | {inverse: ONE},
        inverses={"D_inv": shown}, **options)

# === Two equal singular values: every stationary point of the off-diagonal entry b ===
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
P, task = Matrix([[a1, b], [b, a2]]), diag(s1, s2)
paper.states("rate_of_b: flow_of_gram", "Section 5, the flow of b",
    "b moves at b (s1 + s2 - 2 (a1 + a2)): it rests where the diagonal is half learned, a1 + a2 = (s1 + s2)/2.",
    lambda: same((task * P + P * task - 2 * P * P)[0, 1], b * (s1 + s2 - 2 * (a1 + a2))))

DETERMINANT, FADE = r"\left[a_1(0) a_2(0) - b(0)^2\right]", r"e^{\frac{-2st}{\tau}}"
# What equation 15 should read: `a1_equal` at e^(-2 s t/tau), multiplied out.
SIGMOID = Formula(rf"a_1(t) = \frac{{s^2 {FADE} a_1(0) + s \left(1 - {FADE}\right) {DETERMINANT}}}"
    rf"{{s^2 e^{{\frac{{-4st}}{{\tau}}}} + s {FADE} \left(1 - {FADE}\right) \left[a_1(0) + a_2(0)\right] + "
    rf"\left(1 - {FADE}\right)^2 {DETERMINANT}}}", VOCABULARY)
value = entries((fade, fade), ((1 - fade) / s, (1 - fade) / s))
paper.states("decoupling_solution_equal: decoupling_solves_the_flow", "Section 5, equal singular values",
    "For equal singular values all entries of A'A(t) are quadratic in e^(-2 s t) over one quadratic.",
    lambda: [same((a1_equal, a2_equal, b_equal**2), (value[a1], value[a2], value[b] ** 2)),
        same(SIGMOID.right, a1_equal.subs(fade, exp(-2 * s * t / tau)))])

paper.states("stationary_for_equal_singular_values: decoupling_solution_equal",
    "Section 5, stationary points for equal singular values",
    "The derivative of b by e^(-2 s t) is b (gamma - alpha e^(-4 s t)) over a square, with alpha = 1 - (a1 + a2)/s + "
    "D/s^2 and gamma = D/s^2: there is at most one stationary point, where e^(-4 s t) = gamma/alpha.",
    lambda: same(Derivative(b_equal, fade) * below**2, b * (gamma - alpha * fade**2)))

INSIDE = [aligned1 * aligned2 > b**2, s > aligned1 + aligned2, Ne(b, 0)]

def with_aligned(expression):
    return expression.subs({a1: aligned1, a2: aligned2})

rest_time = tau / (4 * s) * log(1 + s * (s - a1 - a2) / D)  # when b is stationary
PEAK.states("printed_peak_time: stationary_for_equal_singular_values",
    "The printed time, a multiple of tau, is where b is stationary, that is gamma = alpha e^(-4 s t/tau).",
    lambda eq: [same(tau * Derivative(eq.right, tau), eq.right),
        same(with_aligned(alpha), with_aligned(gamma) * exp(4 * s * eq.right / tau).doit())],
    put={"a1": aligned1, "a2": aligned2}, left="the time at which gamma = alpha e^(-4 s t/tau)",
    corrected=r"t_{peak} = \frac{\tau}{4s} \ln \left( 1 + \frac{s(s-a_1-a_2)}{a_1a_2-b(0)^2} \right)",
    corrected_name="peak_time",
    because="b is stationary at tau/(4 s) ln(1 + s (s - a1 - a2)/D), one more in the logarithm than printed.",
    changes="The dashed line of figure 4F from intermediate starts; from small starts both times agree in the limit.",
    given=INSIDE)

tiny, aligned_root = reals("tiny aligned_root > 0")
ratio = s * (s - trace) / D / (1 + s * (s - trace) / D)
scaled = ratio.subs({a1: tiny * a1, a2: tiny * a2, b: tiny * b}, simultaneous=True)
paper.states("printed_peak_time_of_small_starts: peak_time", "Section 5, time of the peak, small starts",
    "For starts of vanishing size the ratio of e^(4 s t/tau) at the printed and at the true time tends to one.",
    lambda: tends(scaled.subs(a2, (aligned_root**2 + b**2) / a1).subs(a1, aligned1), [tiny], 1))

@paper.claim("Section 5, when there is a peak", rests_on="stationary_for_equal_singular_values")
def peak_condition():
    """alpha - gamma = 1 - (a1 + a2)/s: for D > 0 the stationary point lies at a time after the start exactly if a1 +
    a2 < s. For a1 + a2 >= s, where alpha <= gamma, gamma - alpha e^(-4 s t) stays positive: the size of b only falls."""
    start_gamma, start_alpha = reals("gamma > 0, alpha")
    falling, known = start_gamma - start_alpha * fade**2, [start_gamma >= start_alpha, fade < 1]
    yield same(sp.Add(alpha, -gamma, evaluate=False), 1 - trace / s)
    yield holds(with_aligned(alpha) > with_aligned(gamma), given=s > aligned1 + aligned2)
    yield holds(with_aligned(gamma) >= with_aligned(alpha), given=aligned1 + aligned2 >= s)
    yield positive(falling, given=known)

paper.states("off_diagonal_can_peak: peak_condition", "Section 5, non-monotonic trajectories",
    "From a1 = a2 = s/4 and b = s/8 the off-diagonal entry grows at first, to a peak: it is larger at e^(-2 s t) = "
    "1/2 than at the start. With the other sign of b(0) all of b(t) has the other sign, and the peak is a valley.",
    lambda: [positive((b_equal.subs(fade, Rational(1, 2)) - b).subs({a1: s / 4, a2: s / 4, b: s / 8})),
        same(Subs(b_equal, b, -b), -b_equal)],
    quote="However, strikingly, b(t) can exhibit non-monotonic trajectories with transient peaks or valleys partway "
    "through the learning process.")

KNOWN_D = {a2: (definite + b**2) / aligned1, a1: aligned1}
paper.states("off_diagonal_vanishes: decoupling_solution_equal",
    "Section 5, at convergence the off-diagonal shrinks to zero",
    "For D > 0 and equal singular values b(t) goes to zero as e^(-2 s t), and the diagonal entries go to s.",
    lambda: [tends(b_equal.subs(KNOWN_D), [fade], 0), tends(a1_equal.subs(KNOWN_D), [fade], s),
        tends((b_equal / fade).subs(KNOWN_D), [fade], b * s**2 / definite)],
    quote="At convergence, the off-diagonal element shrinks to zero as shown in Appendix E.",
    needs={"full_rank": lambda: tends(b_equal.subs(a2, b**2 / aligned1).subs(a1, aligned1), [fade], 0)})

at_rest = {a2: (definite + b**2) / a1}
paper.states("diagonal_is_half_learned_at_the_peak: rate_of_b peak_time",
    "Section 5, the on-diagonal element is half learned, the mean",
    "For equal singular values the mean of the diagonal is s/2 where gamma = alpha e^(-4 s t): it is half learned.",
    lambda: same(sp.together(((a1_equal + a2_equal - s) * below).subs(at_rest)),
        (s * (gamma - alpha * fade**2)).subs(at_rest)))

root_alpha, root_gamma, middle = reals("root_alpha root_gamma > 0, beta")
at = root_gamma / root_alpha
quadratic = root_alpha**2 * at**2 + middle * at + root_gamma**2
paper.states("peak_height: peak_time", "Section 5, the height of the peak, equal singular values",
    "For equal singular values b is e^(-2 s t) b(0) over alpha e^(-4 s t) + beta e^(-2 s t) + gamma, beta = (a1 + "
    "a2)/s - 2 D/s^2: at sqrt(gamma/alpha) b(0)/(beta + 2 sqrt(alpha gamma)). For a1 + a2 = s, b^2 < a1 a2, b < s/2.",
    lambda: [same(below, alpha * fade**2 + (trace / s - 2 * D / s**2) * fade + gamma),
        same(at * b / quadratic, b / (middle + 2 * root_alpha * root_gamma), given=middle + root_alpha > 0),
        prove.implies([Eq(aligned1 + aligned2, s), aligned1 * aligned2 > b**2], s**2 / 4 > b**2)])

# === Different singular values, and more than two modes: when b peaks, how often, and what never does ===
p, q, fade1, fade2 = reals("p q F1 F2 > 0")
RISES = ((1 - fade1) / s1, (1 - fade2) / s2)
course = entries((fade1, fade2), RISES)  # the entries of A'A at any time

grow, shrink = D / (s1 * s2), 1 - a1 / s1 - a2 / s2 + D / (s1 * s2)
second, first = a2 / s2 - D / (s1 * s2), a1 / s1 - D / (s1 * s2)
gain = grow * p * q + second * q / p + first * p / q + shrink / (p * q)  # b(0)/b(t)
# Its derivative by time.
gain_rate = (s1 + s2) * (grow * p * q - shrink / (p * q)) + (s2 - s1) * (second * q / p - first * p / q)
MOVING = {p: exp(s1 * t), q: exp(s2 * t)}
paper.states("gain_of_the_off_diagonal: decoupling_solves_the_flow", "Section 5, different singular values",
    "b(0)/b(t) and its derivative are sums of the exponentials of s1 + s2, s2 - s1, s1 - s2, -(s1 + s2) times t.",
    lambda: [same(course[b].subs({fade1: 1 / p**2, fade2: 1 / q**2}) * gain, b),
        same(Derivative(gain.subs(MOVING), t), gain_rate.subs(MOVING))])

COEFFICIENTS = [(s1 + s2) * grow, (s2 - s1) * second, -(s2 - s1) * first, -(s1 + s2) * shrink]
EXPONENTS = [s1 + s2, s2 - s1, s1 - s2, -(s1 + s2)]

def zeros_of_the_turn(signs, begins, *known):
    """The zeros of the derivative of b(0)/b(t) after the start, by the signs of its coefficients."""
    return by(
        "zeros of a sum of exponentials", coefficients=[with_aligned(c) for c in COEFFICIENTS], exponents=EXPONENTS,
        signs=list(signs), begins=begins, variable=reals("t"), given=[aligned1 * aligned2 > b**2, s2 > s1, *known])

below_half = s1 + s2 > 2 * (aligned1 + aligned2)
paper.states("one_peak_below_half: gain_of_the_off_diagonal", "Section 5, a peak for different singular values",
    "For s2 > s1, D > 0, b not zero and a1 + a2 < (s1 + s2)/2 the size of b has exactly one stationary point, a peak: "
    "the derivative of b(0)/b(t) starts negative, ends positive, and its signs change at most twice.",
    lambda: [zeros_of_the_turn("++??", "-", below_half, s1 > aligned1),
        zeros_of_the_turn("+?-?", "-", below_half, aligned1 >= s1)])
paper.states("none_or_two_above_half: gain_of_the_off_diagonal",
    "Section 5, large starts for different singular values",
    "For s2 > s1, D > 0, b not zero and a1 + a2 > (s1 + s2)/2 the derivative of b(0)/b(t), a sum of four "
    "exponentials, starts and ends positive: it vanishes not at all or, counted with multiplicity, twice.",
    lambda: zeros_of_the_turn("+???", "+", 2 * (aligned1 + aligned2) > s1 + s2))

x = reals("x > 0")
# A large start for the singular values 1 and 10: a1 + a2 exceeds their mean, and D = 1/20.
START = {a1: Integer(6), a2: Rational(1, 100), b: Rational(1, 10)}
ONE_AND_TEN = entries((x**2, x**20), (1 - x**2, (1 - x**20) / 10))
both_entries = ONE_AND_TEN[a1] + ONE_AND_TEN[a2]
trace_later = both_entries.subs(START)
HALF_LEARNED = Rational(11, 2)
trace_soon = Subs(both_entries, (x, *START), (Rational(9, 10), *START.values()))
over, spare = reals("over > 0, rest >= 0")
# Starts for which A(0)'A(0) - S is positive: its determinant is `spare`.
ABOVE = {a1: s1 + over, a2: s2 + (b**2 + spare) / over}
denominator = fade1 * fade2 + fade1 * a2 * RISES[1] + fade2 * a1 * RISES[0] + RISES[0] * RISES[1] * D
@paper.claim(["Section 5, no peak is observed", "Section 5, no peak is observed, starts above the task"],
    quote="For large initialisations, no peak is observed and the dynamics are exponential.",
    needs={"a_start_above_the_task": lambda: holds(above(trace_soon, HALF_LEARNED))},
    rests_on="rate_of_b decoupling_solves_the_flow peak_condition")
def starts_above_the_task_have_no_peak():
    """Where A(0)'A(0) - S is positive, both diagonal entries stay above their singular values at all times, a1(t) >
    s1 and a2(t) > s2: then b falls at a rate of at least s1 + s2, for equal and for different singular values. a1 + a2 >
    (s1 + s2)/2 alone is not enough: from (6, 1/100, 1/10), for the singular values 1 and 10, it is above 11/2 at the start,
    below at e^(-t) = 9/10 and goes to 11, so that b falls, rises and falls again."""
    mirrored = {a2: s2 + over, a1: s1 + (b**2 + spare) / over}
    fading = [fade1 < 1, fade2 < 1]
    excess = fade1 * (fade2 * over + RISES[1] * (s2 * over + spare))
    other = fade2 * (fade1 * over + RISES[0] * (s1 * over + spare))
    yield same((course[a1].subs(ABOVE) - s1) * denominator.subs(ABOVE), excess)
    yield same((course[a2].subs(mirrored) - s2) * denominator.subs(mirrored), other)
    yield positive(excess, given=fading)
    yield positive(other, given=fading)
    yield positive(trace_later.subs(x, 1) - HALF_LEARNED)
    yield positive(HALF_LEARNED - trace_soon)
    yield tends(trace_later, [x], 11)

missing = fade1 * ((fade2 + a2 * RISES[1]) * (s1 - a1) + RISES[1] * b**2)
paper.states("diagonal_stays_below: decoupling_solves_the_flow rate_of_b",
    "Section 5, the maximum is reached before the mode is learned",
    "A diagonal entry that starts below its singular value stays below it: s1 - a1(t) is a product of positive terms "
    "over a positive one. From a diagonal below the task's, a peak of b comes before either mode is fully learned.",
    lambda: [same((s1 - course[a1]) * denominator, missing),
        positive(with_aligned(missing), given=[s1 > aligned1, fade2 < 1])],
    quote="At intermediate initialisations, the maximum of the off-diagonal is reached before the singular mode is fully learned (Appendix E).")
paper.states("different_modes_decouple: gain_of_the_off_diagonal",
    "Section 5, at convergence the off-diagonal shrinks to zero, different singular values",
    "For D > 0, b(t) e^((s1 + s2) t) tends to b(0) s1 s2/D: b goes to zero as e^(-(s1 + s2) t).",
    lambda: tends((course[b] / sqrt(fade1 * fade2)).subs(KNOWN_D), [fade1, fade2], b * s1 * s2 / definite))

inverse = letters("L_inv", inverse_of=inner_13)
paper.states("gram_ends_at_the_task: theorem_51",
    "Section 5, at convergence the off-diagonal shrinks to zero, any size",
    "For any number of modes and every A(0)'A(0) with an inverse, A'A(t) goes to St, off the diagonal to zero.",
    lambda: ends_at([inverse], [St], {E: St}, {inverse: St}))

# For equal singular values and a start of size K: e^(-2 s t)/(4 K), which ends at zero, and (1 - e^(-2 s t))/s, which
# begins there.
held, risen = reals("held risen > 0")
# A start of three modes in which the first two are not coupled; its determinant is 4.
THREE = Matrix([[2, 0, 1], [0, 2, 1], [1, 1, 2]])
bracket = held * THREE.adjugate() + risen * eye(3)
of_the_first_two = -held * risen / bracket.det()
inverse_column = Matrix([of_the_first_two, *(bracket.adjugate()[1:, 1] / bracket.det())])
paper.states("inverse_decouples_by_itself: theorem_51", "Section 5, the outer inverse makes large networks difficult",
    "For any number of modes the distance of the inverse of A'A from St^-1 is e^(-St t) times the one at the start "
    "times e^(-St t): each entry off the diagonal decays as e^(-(s_i + s_j) t). A'A itself differs: for three equal "
    "singular values and the start K times [2, 0, 1; 0, 2, 1; 1, 1, 2], the entry of the first two modes is zero at "
    "the start and in the end and negative between, whatever the size K.",
    lambda: [same(inner_13 - St_inv, E @ (gram_inv - St_inv) @ E), same(product(THREE, THREE.adjugate()), 4 * eye(3)),
        same(product(bracket, inverse_column), eye(3)[:, 1]), positive(-of_the_first_two),
        tends(of_the_first_two, [risen], 0), tends(of_the_first_two, [held], 0)],
    quote="The outer inverse in Equation 13 renders it difficult to study high dimensional networks analytically.",
    needs={"the_inverse_instead_of_the_matrix": lambda: same(of_the_first_two, 0)})

# === Small and large starts, equation 15, and when the diagonal is half learned ===
# How large the start is, (a1, a2, b) = size times fixed values, and the root of their determinant D.
size, root = reals("size root_D > 0")
DEFINITE = {a1: aligned1, a2: (root**2 + b**2) / aligned1}
SCALED = {a1: size * a1, a2: size * a2, b: size * b}

def of_size(expression, fading=fade):
    """For a start of that size and determinant, at a time told by e^(-2 s t)."""
    return expression.subs(fade, fading).subs(SCALED, simultaneous=True).subs(DEFINITE)

def fixed(expression):
    return expression.subs(DEFINITE)

late = reals("l > 0")  # e^(-2 s t) over the size of the start: order one while the modes are learned
during, at_peak = size * late, size * root / s
paper.states("small_starts_stay_near_zero: peak_height", "Section 5, near-zero off-diagonal",
    "For equal singular values the height of the peak of b vanishes with the size of the start: b stays near zero.",
    lambda: tends(of_size(b_equal, at_peak), [size], 0),
    quote="If initialised from small random weights, the off-diagonal remains near-zero throughout learning, "
    "reminiscent of the silent alignment effect [26].", corrected_by="peak_of_small_starts")
paper.states("peak_of_small_starts: peak_time peak_height", "Section 5, near-zero off-diagonal, corrected",
    "For equal singular values and a vanishing start, while e^(-2 s t) is l times its size, b(t) tends to l b/(l^2 + "
    "l (a1 + a2)/s + D/s^2), whatever the size. Where l = sqrt(D)/s, at the peak, it is s b/(a1 + a2 + 2 sqrt(D)).",
    lambda: [tends(of_size(b_equal, during), [size], fixed(late * b / (late**2 + late * (a1 + a2) / s + D / s**2))),
        tends(of_size(alpha), [size], 1), same(of_size(gamma), at_peak**2),
        tends(of_size(b_equal, at_peak), [size], fixed(s * b / (a1 + a2 + 2 * root)))])

# For s2 > s1. While the stronger mode is learned e^(-2 s2 t) is size/k and e^(-2 s1 t) is size/lag with a small lag;
# while the weaker one is learned e^(-2 s1 t) is size/k, and e^(-2 s2 t) the size times a small quantity `passed`.
kept, lag, passed = reals("k lag passed > 0")
WHILE_STRONG = {fade2: size / kept, fade1: size / lag}
WHILE_WEAK = {fade1: size / kept, fade2: size * passed}

def of_modes(entry, while_learned):
    """An entry of A'A for a start of that size while one of the modes is learned."""
    return course[entry].subs(SCALED, simultaneous=True).subs(DEFINITE).subs(while_learned)

@paper.claim("Section 5, near-zero off-diagonal, different singular values", rests_on="decoupling_solves_the_flow")
def different_modes_stay_near_zero():
    """For s2 > s1, D > 0 and a2 < s2 the denominator of b(t) is e^(-2 (s1 + s2) t) (1 - a2/s2) + e^(-2 s1 t) a2/s2 and
    something positive. So |b(t)| is at most e^(-(s2 - s1) t) b s2/a2, whatever the size of the start, and, as long as
    e^(-2 s2 t) is above the root of the size, at most sqrt(size) b s2/(s2 - size a2): small starts stay near zero.
    While the stronger mode is learned (size e^(2 s2 t) = k), b(t) tends to k b/(1 + k a2/s2) e^(-(s2 - s1) t)."""
    more = RISES[0] * (fade2 * aligned1 + RISES[1] * definite)
    denominator = fade1 * fade2 * (1 - a2 / s2) + fade1 * a2 / s2 + more.subs({definite: D, aligned1: a1})
    strong = of_modes(b, WHILE_STRONG) / sqrt(lag / kept)
    yield same(course[b] * denominator, sqrt(fade1) * sqrt(fade2) * b)
    yield positive(more, given=[fade1 < 1, fade2 < 1])
    yield positive(1 - a2 / s2, given=s2 > a2)
    yield tends(size * b * s2 / (s2 - size * a2) / sqrt(size), [size], 0)
    yield tends(strong, [size, lag], fixed(kept * b / (1 + kept * a2 / s2)))

paper.states("stronger_mode_of_small_starts: decoupling_solves_the_flow",
    "Section 5, the modes are learned as if decoupled, the stronger one",
    "For s2 > s1 and a vanishing start a2(t) tends to its course alone, k a2/(1 + k a2/s2), at size e^(2 s2 t) = k.",
    lambda: tends(of_modes(a2, WHILE_STRONG), [size, lag], fixed(kept * a2 / (1 + kept * a2 / s2))))

def weaker_mode(start):
    """The course of the weaker mode without coupling."""
    return kept * start / (1 + kept * start / s1)

rare, lowered = reals("rare r > 0")  # one over the logarithm of one over the size of the start; r = D/a2 = a1 - b^2/a2
@paper.claim(["Abstract, previous solutions described learning without the fine-scale structure",
        "Section 5, the modes are learned as if decoupled, the weaker one"],
    quote="We characterise how network weights dynamically align with task structure, rigorously justifying why previous solutions "
    "successfully described learning from small initial weights without incorporating their fine-scale structure.",
    needs={"the_lowered_start": lambda: tends(of_modes(a1, WHILE_WEAK), [size, passed], fixed(weaker_mode(a1)))},
    rests_on="stronger_mode_of_small_starts")
def weaker_mode_of_small_starts():
    """For s2 > s1, while the weaker mode of a small start is learned, a1(t) tends to k r/(1 + k r/s1) with r = D/a2 =
    a1 - b^2/a2, as if decoupled from a start that the stronger mode has lowered. It is half learned at size e^(2 s1 t)
    = s1/r, not s1/a1: later by the constant ln(a1/r)/(2 s1), while the ratio of both times tends to one."""
    times = [(1 / rare + log(s1 / start)) / (2 * s1) for start in (lowered, aligned1)]
    yield tends(of_modes(a1, WHILE_WEAK), [size, passed], fixed(weaker_mode(D / a2)))
    yield same(D / a2, a1 - b**2 / a2)
    yield same(Subs(weaker_mode(lowered), kept, s1 / lowered), s1 / 2)
    yield same(times[0] - times[1], log(aligned1 / lowered) / (2 * s1))
    yield tends(times[0] / times[1], [rare], 1)

half_way = of_size(b_equal / a2_equal, Rational(1, 2))  # b/a2 at e^(-2 s t) = 1/2, with equal singular values
@paper.claim("Section 5, the map decouples before the modes are learned",
    quote="First, the network's input-output map rapidly decouples; then subsequently, independent singular modes are learned in this decoupled regime.",
    needs={"different_singular_values": lambda: tends(half_way, [size], fixed(b / a2) / 2)},
    rests_on="decoupling_solves_the_flow")
def coupling_before_the_modes_are_learned():
    """At a fixed time, as the size of the start goes to zero, b/a2 tends to e^(-(s2 - s1) t) times its value at the
    start: the direction of the stronger mode decouples before anything is learned, while b^2/(a1 a2) stays."""
    at_time = {entry: course[entry].subs(SCALED, simultaneous=True).subs(DEFINITE) for entry in (a1, a2, b)}
    yield tends(at_time[b] / at_time[a2], [size], fixed(b / a2) * sqrt(fade2) / sqrt(fade1))
    yield tends(at_time[b] ** 2 / (at_time[a1] * at_time[a2]), [size], fixed(b**2 / (a1 * a2)))

by_fade = EQ_15.right.subs(t, -tau * log(fade) / (2 * s)).doit()  # Equation 15 with F = e^(-2 s t/tau) as a symbol
LONE = {"a1": aligned1, "a2": b**2 / aligned1}
EQ_15.states("printed_sigmoid: decoupling_solution_equal",
    "The printed course ends where a1(t) ends, at s, as F = e^(-2 s t/tau) goes to zero, from starts of every size.",
    lambda eq: [same(eq.right, fixed(by_fade).subs(fade, exp(-2 * s * t / tau))), tends(fixed(by_fade), [fade], s)],
    put={"a1": aligned1, "a2": DEFINITE[a2]}, corrected_by="diagonal_of_small_starts")

paper.corrected("printed_sigmoid", SIGMOID, by="decoupling_solution_equal")

@paper.claim("Eq. 15, corrected", rests_on="decoupling_solution_equal")
def diagonal_of_small_starts():
    """For equal singular values and a vanishing start, while e^(-2 s t) is l times its size, a1(t) tends to (l a1 +
    D/s)/(l^2 + l (a1 + a2)/s + D/s^2), in the end to s, but equation 15 to s a1/(l s + a1 + a2), s a1/(a1 + a2)."""
    value = (late * a1 + D / s) / (late**2 + late * (a1 + a2) / s + D / s**2)
    yield tends(of_size(a1_equal, during), [size], fixed(value))
    yield tends(of_size(by_fade, during), [size], fixed(s * a1 / (late * s + a1 + a2)))
    yield tends(fixed(a1_equal), [fade], s)
    yield tends(fixed(by_fade), [fade], fixed(s * a1 / (a1 + a2)))

@EQ_15.claim(
    "Eq. 15, for starts of rank one", put=LONE, name="sigmoid_of_rank_one", rests_on="decoupling_solution_equal")
def sigmoid_of_rank_one(eq):
    """For equal singular values and starts of rank one, D = 0, of any size equation 15 is a1(t) exactly."""
    yield same(eq.right, a1_equal.subs({a1: aligned1, a2: b**2 / aligned1}).subs(fade, exp(-2 * s * t / tau)))

paper.states("sigmoid_at_early_times: decoupling_solution_equal", "Eq. 15, before the modes are learned",
    "At a fixed time, before a small start has learned anything, a1(t) and equation 15 both grow as a1 e^(2 s t).",
    lambda: [tends(of_size(value) / size, [size], fixed(a1 / fade)) for value in (a1_equal, by_fade)])
paper.states("sigmoid_of_decoupled_modes: decoupling_solution_equal", "Eq. 15, for decoupled starts",
    "For b = 0 equation 15 is a1(t), the known solution for decoupled starts.",
    lambda: same(by_fade, a1_equal.subs(b, 0), given=fade < 1), corrected_by="decoupled_sigmoid")

known = s1 / fade1 / (1 / fade1 - 1 + s1 / aligned1)
paper.states("decoupled_sigmoid: decoupling_solves_the_flow",
    ["Section 5, b(0) = 0", "Eq. 15, for decoupled starts, corrected"],
    "For b = 0, b stays zero and each entry is the known solution s1 e^(2 s1 t)/(e^(2 s1 t) - 1 + s1/a1) = s1 "
    "a1/(e^(-2 s1 t) (s1 - a1) + a1), for equal singular values too: the other mode does not enter.",
    lambda: [same(course[a1].subs({b: Integer(0), a1: aligned1, a2: definite}), known, given=[fade2 < 1, fade1 < 1]),
        same(known, s1 * aligned1 / (fade1 * (s1 - aligned1) + aligned1)), same(Subs(course[b], b, 0), 0)],
    quote="such that taking b(0) = 0 recovers previously known and more restricted solutions for the decoupled case [17].")

half_late = reals("half_late > 0")  # l at the time at which a1 is half learned
@paper.claim("Section 5, the on-diagonal element is half learned",
    quote="which coincides approximately with the time at which the on-diagonal element is half learned.",
    needs={"approximately": lambda: tends(of_size(a1_equal, at_peak), [size], s / 2)}, rests_on="peak_of_small_starts")
def half_learned_time_of_small_starts():
    """At the peak of a vanishing start a1 is s (a1 + sqrt(D))/(a1 + a2 + 2 sqrt(D)): half learned exactly if a1(0) =
    a2(0). It is half learned where l = e^(-2 s t)/size solves s^2 l^2 = s (a1 - a2) l + D, and b peaks at s^2 l^2 = D:
    two times t = (ln(1/size) - ln l)/(2 s) that differ by a constant, and have the ratio one in the limit."""
    fraction = (a1 + root) / (a1 + a2 + 2 * root)
    value = (late * a1 + D / s) / (late**2 + late * (a1 + a2) / s + D / s**2)
    learned = s**2 * late**2 - s * (a1 - a2) * late - D
    times = [1 / rare - log(value) for value in (half_late, root / s)]
    yield tends(of_size(a1_equal, at_peak), [size], fixed(s * fraction))
    yield same(fixed((fraction - Rational(1, 2)) * 2 * (a1 + a2 + 2 * root)), fixed(a1 - a2))
    yield same(fixed(s - 2 * value), fixed(learned / (s * late**2 + late * (a1 + a2) + D / s)))
    yield tends(times[0] / times[1], [rare], 1)

inverse_size = reals("inverse_size > 0")
FADING = [fade1 < 1, fade2 < 1]

# A growing start of rank one, with equal singular values.
of_rank_one = {a1: aligned1 / inverse_size, a2: b**2 / (aligned1 * inverse_size), b: b / inverse_size}
lone_course = a1_equal.subs(of_rank_one, simultaneous=True)
above_task = (s / (1 - fade) - s) / fade  # how far s/(1 - F) is above s, as a multiple of F
@paper.claim("Section 5, large starts",
    quote=r"the dynamics of the on-diagonal element $a_1$ is close to exponential (Fig. 4D-F left and right columns).",
    needs={"full_rank": lambda: tends(lone_course, [inverse_size], s / (1 - fade), given=fade < 1),
        "late_times": lambda: same(above_task, s, given=fade < 1)}, rests_on="decoupling_solves_the_flow")
def diagonal_of_large_starts():
    """For starts of growing size with D > 0, a1(t) tends to s1/(1 - e^(-2 s1 t)) at every time t > 0, exponential at
    late times, and the size times b(t) to sqrt(f1 f2) b s1 s2/(D (1 - f1) (1 - f2)), f = e^(-2 s t)."""
    large = {a1: a1 / inverse_size, a2: a2 / inverse_size, b: b / inverse_size}
    grown = {entry: course[entry].subs(large, simultaneous=True).subs(DEFINITE) for entry in (a1, b)}
    fall = sqrt(fade1) * sqrt(fade2) * b * s1 * s2 / (root**2 * (1 - fade1) * (1 - fade2))
    yield tends(grown[a1], [inverse_size], s1 / (1 - fade1), given=FADING)
    yield tends(grown[b] / inverse_size, [inverse_size], fall, given=FADING)
    yield tends(above_task, [fade], s, given=fade < 1)

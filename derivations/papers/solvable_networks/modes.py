"""Section 5: one mode by itself, from lazy to rich, deep chains, and a single hidden neuron in the plane."""

from derivations.papers.solvable_networks.setup import *

from_inputs, to_outputs, s_, p_, q_, a_, others = letters("v: N_i, u: N_o, s, p, q, a, S_2: N_o x N_i")
TASK = to_outputs @ from_inputs.T * s_ + others
# Singular vectors of the task and of the network, which W1'W1 and W2 W2' keep too.
MODE = [(others @ from_inputs, 0), (others.T @ to_outputs, 0), (norm2(from_inputs), 1), (norm2(to_outputs), 1),
    (W1.T @ W1 @ from_inputs, from_inputs * p_), (W2 @ W2.T @ to_outputs, to_outputs * q_),
    (W2 @ W1 @ from_inputs, to_outputs * a_), (W1.T @ W2.T @ to_outputs, from_inputs * a_)]
SMALL = instance("N_i=1 N_h=1 N_o=1", W1=2, W2=1, v=1, u=1, S_2=0, s=3, p=4, q=1, a=2)
on_task = {weight: substitute(moved, {Sigma: TASK}) for weight, moved in flow.items()}
of_gram = 2 * a_ @ (s_ - a_)
paper.states("aligned_modes_move_alone: gram_matrix_closes", "5.1 Modes that move alone",
    "Where singular vectors u and v of the task are such of W2 W1, W1'W1 and W2 W2', too, with values a, p and q, "
    "they stay so: da = (p + q)(s - a) and dp = dq = 2 a (s - a), with or without balance.",
    lambda: [same(along(W2 @ W1, on_task) @ from_inputs, to_outputs * ((p_ + q_) @ (s_ - a_))),
        same(along(W1.T @ W1, on_task) @ from_inputs, from_inputs * of_gram),
        same(along(W2 @ W2.T, on_task) @ to_outputs, to_outputs * of_gram)], given=MODE, among=SMALL)

u, v, v0, g, s, u0, a0, t = reals("u v, v0 g >= 0, s u0 a0 > 0, t >= 0")
# u = r + a and v = r - a with r = (p + q)/2. u v is (lambda/2)^2 for balanced weights, and rate^2 = s^2 + u0 v0.
rate, width = s + g, Eq(g * (2 * s + g), u0 * v0)

def upper(e):
    return 2 * s + g * (1 + e) + v0 * (1 - e)

def lower(e):
    return 2 * s * e + g * (1 + e) + u0 * (1 - e)

faded = exp(-2 * rate * t)
@paper.claim("5.2 One solution for all modes", rests_on="aligned_modes_move_alone")
def mode_from_lazy_to_rich():
    """With r = (p + q)/2, u = r + a and v = r - a move by du = u (2 s - u + v) and dv = -v (2 s - u + v). From u0 > 0
    and v0 >= 0, u = u0 X/Y and v = v0 Y/X with e = exp(-2 (s + g) t), X = 2 s + g (1 + e) + v0 (1 - e), Y = 2 s e + g
    (1 + e) + u0 (1 - e) and g (2 s + g) = u0 v0: for every balance and every sign of a."""
    course = {u: u0 * upper(faded) / lower(faded), v: v0 * lower(faded) / upper(faded)}
    yield solves({u: u * (2 * s - u + v), v: -v * (2 * s - u + v)}, course, {u: u0, v: v0}, t, given=[width])

e = reals("e > 0")
fall = (u0 * (2 * s + g + v0) - u * (g + u0)) / (u * (2 * s + g - u0) - u0 * (g - v0))
paper.states("time_of_a_mode: mode_from_lazy_to_rich", "5.3 The time to reach a value",
    "u is reached where exp(-2 (s + g) t) = (u0 (2 s + g + v0) - u (g + u0))/(u (2 s + g - u0) - u0 (g - v0)).",
    lambda: same(fall.subs(u, u0 * upper(e) / lower(e)), e))

rich, grown = {v0: 0, g: 0, u0: 2 * a0}, exp(2 * s * t)
paper.states("sigmoid_is_the_rich_mode: mode_from_lazy_to_rich",
    "5.4 The sigmoid, as Saxe, McClelland & Ganguli (2014) have it",
    "For lambda = 0 and a0 > 0, v0 = g = 0 and u0 = 2 a0: a = s E/(E - 1 + s/a0) with E = exp(2 s t).",
    lambda: same((u0 * upper(faded) / lower(faded) / 2).subs(rich), s * grown / (grown - 1 + s / a0)))

lam = reals("lambda > 0")

def as_read(balance, sign, time):
    """The mode of the theorem, with sgn(lambda) in q."""
    root, start = sqrt(balance**2 + 4 * s**2), sqrt(balance**2 + 4 * a0**2)
    q = 4 * a0 * s * sign / (start + balance)
    grown = (root + balance + q) / (root - balance - q) * exp(root * time)
    r = (root * (grown - 1) - balance * (grown + 1)) / (2 * s * (grown + 1))
    return balance * r / (1 - r**2)

paper.states("printed_mode_starts_right_for_positive_balance: mode_from_lazy_to_rich",
    "5.5 Anguita's theorem 3.2.1 as read, lambda > 0",
    "For lambda > 0 the formula with q = 4 a0 s sgn(lambda)/((lambda^2 + 4 a0^2)^(1/2) + lambda) starts at a0.",
    lambda: same(as_read(lam, 1, Integer(0)), a0))
paper.states("mode_without_the_sign_starts_right: mode_from_lazy_to_rich",
    "5.5 Anguita's theorem 3.2.1 without the sign",
    "Without sgn(lambda) in q the formula starts at a0 for lambda < 0 too.",
    lambda: same(as_read(-lam, 1, Integer(0)), a0))
paper.states("printed_mode_starts_right_for_negative_balance", "5.5 Anguita's theorem 3.2.1 as read, lambda < 0",
    "For lambda < 0 the formula with sgn(lambda) in q starts at a0.", lambda: same(as_read(-lam, -1, Integer(0)), a0),
    corrected_by="mode_without_the_sign_starts_right")

w, depth, a = reals("w N a > 0")
moved = depth * w ** (depth - 1) * w ** (depth - 1) * (s - w**depth)
paper.states("deep_modes", "5.6 N equal layers, as Saxe, McClelland & Ganguli (2014) have them",
    "N equal weights that move by dw = w^(N-1) (s - w^N) have a = w^N with da = N a^(2 - 2/N) (s - a), N > 0.",
    lambda: same(moved, depth * (w**depth) ** (2 - 2 / depth) * (s - (w**depth))))

log_odds, odds = log(1 / a - 1) + 1 / a, LambertW(e)
paper.states("endless_chain: deep_modes", "5.7 The chain of endless depth, with Lambert's W",
    "Where da = a^2 (1 - a), ln(1/a - 1) + 1/a falls at the rate 1, and a = 1/(1 + W(x)) has ln(1/a - 1) + 1/a = ln x "
    "+ 1: a(t) has x = exp(ln(1/a0 - 1) + 1/a0 - 1 - t).",
    lambda: [same(Derivative(log_odds, a) * a**2 * (1 - a), -1), same(log_odds.subs(a, 1 / (1 + odds)), log(e) + 1)])

nu, below, spread, ahead, beyond, b2 = reals("nu, m k h d b2 > 0")
target, delta = below * (spread - below), 2 * below - spread  # b^2 and delta by the rests of nu, -m and k - m
FADING, RATE = exp(-spread * t), target - delta * nu - nu**2

def course(start):
    """nu from `start` above -m."""
    return ((spread - below) * start - below * (spread - start) * FADING) / (start + (spread - start) * FADING)

@paper.claim("5.8 One hidden neuron (Kunin et al. 2024)", rests_on="balanced_starts_have_two_levels")
def neuron_in_one_number():
    """f = a w'x with da = w'beta - a |w|^2, dw = a (beta - a w) keeps delta = a^2 - |w|^2, and nu = w'beta/a moves by
    dnu = b^2 - delta nu - nu^2, b = |beta|. Its lower rest is w'beta = -a (delta + (delta^2 + 4 b^2)^(1/2))/2."""
    a, p, n = reals("a p n")
    da, dp, dn = p - a * n, a * (b2 - a * p), 2 * a * (p - a * n)
    kept, width = reals("delta, w > 0")
    lower_rest = -(kept + sqrt(kept**2 + 4 * width**2)) / 2
    yield same(Derivative(a**2, a) * da, dn)
    yield same(dp / a - p * da / a**2, (b2 - kept * nu - nu**2).subs({kept: a**2 - n, nu: p / a}))
    yield same(width**2 - kept * lower_rest - lower_rest**2, 0)

paper.states("single_neuron: neuron_in_one_number", "5.8 One hidden neuron (Kunin et al. 2024): its basin",
    "With the rests -m < 0 and k - m, b^2 = m (k - m), delta = 2 m - k. From nu0 = h - m, above the lower rest, nu = "
    "((k - m) h - m (k - h) e)/(h + (k - h) e), e = exp(-k t), tends to the upper one; from nu0 = -m it does not move.",
    lambda: [solves({nu: RATE}, {nu: course(ahead)}, {nu: ahead - below}, t),
        tends(course(ahead), {t: oo}, spread - below), same(RATE.subs(nu, -below), 0)])

end = log(1 + spread / beyond) / spread
paper.states("other_basin_passes_zero: single_neuron", "5.8 One hidden neuron: the other basin",
    "From nu0 = -m - d below the lower rest nu goes to minus infinity by the time ln(1 + k/d)/k. There a passes zero: "
    "1/nu = a/w'beta moves by 1 + delta/nu - b^2/nu^2, at the rate one, to the other neuron that learns beta.",
    lambda: [solves({nu: RATE}, {nu: course(-beyond)}, {nu: -beyond - below}, t, until=end),
        tends(course(-beyond), {t: (end, "-")}, -oo), same(-RATE / nu**2, 1 + delta / nu - target / nu**2),
        tends(-RATE / nu**2, {nu: -oo}, 1)])

share, turned = (delta + 2 * (ahead - below)) / spread, (1 - FADING) / (1 + FADING)
first, second = reals("x y")
paper.states("neuron_by_a_tangent: single_neuron",
    "5.8 Kunin et al. (2024) with a hyperbolic tangent, between the rests",
    "nu = (k (T + q)/(1 + q T) - delta)/2, T = tanh(k t/2), q = (delta + 2 nu0)/k: tanh(k t/2 + x) for q = tanh(x).",
    lambda: [same((spread * (turned + share) / (1 + share * turned) - delta) / 2, course(ahead)),
        same(tanh(spread * t / 2), turned),
        same(tanh(first + second), (tanh(first) + tanh(second)) / (1 + tanh(first) * tanh(second)))])

paper.states("tangent_covers_the_basin", "5.8 Kunin et al. (2024) with a hyperbolic tangent, read of the whole basin",
    "(delta + 2 nu0)/k, of which the formula takes the inverse tangent, is below one from every start above -m.",
    lambda: positive(1 - (delta + 2 * (ahead - below)) / spread), corrected_by="single_neuron")

paper.asserts("printed_mode_starts_right_for_negative_balance", "more_inputs_need_a_negative_balance")
paper.remarks.tells("What stands",
    "All formulas of the atlas, each in the form in which it is proved here, with its hypotheses.",
    "What was found wrong is elsewhere: two theorems of Anguita's thesis, in the form in which they were read.",
    "Balanced starts, and all others with (QQ'J - a)(QQ'J + b) = 0, are solved for every shape and every task.")
paper.remarks.cause("Anguita's theorem 3.2.1, as read, starts at -a0 for a negative balance",
    "printed_mode_starts_right_for_negative_balance",
    instead="q without sgn(lambda) (mode_without_the_sign_starts_right).",
    witness="a0 = 3, lambda = -1, s = 3: the formula starts at -3.",
    changes="every mode with lambda < 0; for lambda > 0 the formula starts at a0.")
paper.remarks.cause("Anguita's theorem 3.4.1, as read, excludes starts that there are", "more_inputs_need_a_negative_balance",
    instead="a positive balance needs at least as many outputs as hidden neurons, whatever the inputs (positive_balance_needs_outputs).",
    witness="two inputs, one hidden neuron and one output: W1 = [2, 2] and W2 = 3 have W2'W2 - W1 W1' = 1.",
    changes="for which shapes a positive balance has starts.")

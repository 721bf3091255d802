"""Sentences of the running text, tasks, and statements with one hypothesis dropped."""

from derivations.papers.van_rossem_saxe_2024.setup import *
from derivations.language.words import mean
from derivations.models.two_point import aim as goal
from derivations.models.two_point.closed_form import K, aim, alpha, beta, rho
from derivations.papers.van_rossem_saxe_2024.section_3_final_distance.equal_targets import both, logistic, on_level
from derivations.papers.van_rossem_saxe_2024.section_3_final_distance.final_distance import R, growth, shrink
from derivations.papers.van_rossem_saxe_2024.section_3_final_distance.regimes import (
    LOW, final as final_of, gap, high, p, q, r, small)
from derivations.papers.van_rossem_saxe_2024.source.readings import FROM_LOSS, REPAIRED, follows

h_1, h_2 = letters("h1: n_h, h2: n_h")
by_points = HALF * mean([norm2(ybar + D_y @ (point - h_mid) - yi) for point, yi in ((h_1, y1), (h_2, net.y2))])
paper.states("representation_feels_decoder_jacobian", "Section 2.1, footnote 1, gradient of the decoder",
    "For an affine decoder, the derivative of the loss by h(x_1) is D_y^T times half the output error at x_1.",
    lambda: same(gradient(by_points, h_1), HALF * (D_y.T @ (ybar + D_y @ (h_1 - h_mid) - y1))))

theta, d = reals("theta d")
c0, c1, c2, c3 = symbols("c0:4", real=True)
stiffness, tau = reals("lambda tau > 0")

@paper.claim("Section 2.1, footnote 1, dependence on the parameters")
def parametrisation_enters_squared():
    """Any cubic polynomial D of theta, which descends a quadratic loss L, moves at -(dD/dtheta)^2 L_D/tau."""
    D = c0 + c1 * theta + c2 * theta**2 + c3 * theta**3
    moved = -Derivative(D, theta) * Derivative(stiffness * (D - d) ** 2 / 2, theta) / tau
    yield same(moved, -((c1 + 2 * c2 * theta + 3 * c3 * theta**2) ** 2) * stiffness * (D - d) / tau)

parameters, slopes, wanted = letters("theta: k, m: k, d")
rate = letters("rate", positive=True)
linear = slopes.T @ parameters
descent = {parameters: -rate * gradient(HALF * norm2(linear - wanted), parameters)}
paper.states("rate_sums_squared_slopes", "Section 5.2, sum over parameters",
    "With a quadratic loss a map D = m.theta moves at |m|^2 times the rate of one parameter of slope one.",
    lambda: same(along(linear, descent), -rate * norm2(slopes) * (linear - wanted)))
paper.states("rate_counts_parameters", "Section 5.2, proportional to the number of parameters",
    "With a quadratic loss a map D = m.theta moves at the number of parameters times the rate of one of slope one.",
    lambda: same(along(linear, descent), -rate * trace(identity("k")) * (linear - wanted)),
    corrected_by="rate_sums_squared_slopes")

extra, extra_slope = letters("eta, c")
longer = linear + extra_slope * extra
longer_descent = {k: -rate * gradient(HALF * norm2(longer - wanted), k) for k in (parameters, extra)}
paper.states("more_parameters_are_never_slower: rate_sums_squared_slopes", "Section 5.2, one more parameter",
    "One more parameter, of slope c, adds c^2 to |m|^2 in the rate of the map, and so never lowers it.",
    lambda: same(along(longer, longer_descent), -rate * (norm2(slopes) + extra_slope**2) * (longer - wanted)))

layers = symbols("theta1:4", positive=True)
size = reals("D > 0")

def summed_slopes(count, layer):
    """The squared slopes of a product of layers, summed, where all layers are equal."""
    used = layers[:count]
    return Subs(sum(Derivative(sp.prod(used), x) ** 2 for x in used), used, (layer,) * count)

paper.states("product_of_layers_rate", "Section 5.2, product of equal layers",
    "For D a product of two equal scalar layers the summed squared slopes are 2 D; for three they are 3 D^(4/3).",
    lambda: same((summed_slopes(2, sqrt(size)), summed_slopes(3, sp.cbrt(size))),
        (2 * size, 3 * size ** Rational(4, 3))))

two = summed_slopes(2, sqrt(size))
paper.states("deeper_is_faster_for_large_maps: product_of_layers_rate", "Section 5.2, monotone in depth",
    "The summed squared slopes of two equal scalar layers exceed those of one for D > 1/2, and only there.",
    lambda: [positive(two - 1, given=size > Rational(1, 2)), positive(1 - two, given=size < Rational(1, 2))])

faster_h, faster_y = reals("c_h c_y > 0")
CHANGED = {tau_h: tau_h / faster_h, tau_y: tau_y / faster_y}
TOGETHER = [Eq(faster_h, faster_y)]
@follows("Appendix C.3, learning rate, rates", affected=False)
def learning_rate_sets_the_clock(r):
    """If both effective learning rates are multiplied by c, so are the rates of |dh|^2, |dy|^2 and w"""
    rates = [as_expression(r.flow[k]).doit() for k in (h, y, w)]
    yield same(tuple(put(e, CHANGED) for e in rates), tuple(faster_h * e for e in rates), given=TOGETHER)

ingredients = (A_high.doit(), A_low.doit() ** 2)
paper.states("learning_rate_leaves_the_end: final_rest_distance", "Appendix C.3, learning rate, final distance",
    "If both effective learning rates are multiplied by c, A_high and A_low^2 stay, and with them equation 10.",
    lambda: same(tuple(e.subs(CHANGED) for e in ingredients), ingredients, given=TOGETHER))

G = reals("G > 0")
flow = {h: both(FROM_LOSS)[h].subs(y, on_level(h)).subs(A, G * A)}
paper.states("smaller_weights_stretch_time: logistic_distance_doubled", "Appendix C.2, even smaller weights, scaling",
    "For equal targets and A_high not zero, a start with G A_high and G |dh(0)|^2 has G |dh(G t)|^2, where |dh(t)|^2 "
    "is the course from A_high and |dh(0)|^2: smaller weights run the same course more slowly.",
    lambda: solves(*moving(flow, {h: G * logistic(REPAIRED).subs(t, G * t)}, {h: G * h0}), t))

later = reals("t > 0")
left_over = 1 / (1 + G * h0 * later / (2 * tau_y))  # |dh(t)|^2/|dh(0)|^2 for A_high = 0
paper.states("smaller_weights_merge_slower: algebraic_distance",
    "Appendix C.2, even smaller weights, relative distance",
    "For equal targets and A_high = 0, the distance at a time over the initial one grows as the weights fall.",
    lambda: positive(-Derivative(left_over, G)))
paper.states("smaller_weights_stay_closer: algebraic_distance", "Appendix C.2, even smaller weights, absolute distance",
    "For equal targets and A_high = 0, the distance itself at a given time grows with the weights.",
    lambda: positive(Derivative(G * h0 * left_over, G)))

aligned = h0 / (exp(-2 * rho * t) + beta * h0 / rho * (1 - exp(-2 * rho * t)))
balanced_target = rho**2 / (alpha * beta)

def aligned_motion(distance):
    prediction = beta / alpha * distance**2
    return {h: distance, y: prediction, w: prediction - rho / alpha * distance}

@paper.claim("Section 3.2, plateau, time course", rests_on="derived_system")
def aligned_time_course():
    """A start with A_high = 0 and dy(0) along y2 - y1 moves as |dh|^2 = |dh(0)|^2/(E + beta |dh(0)|^2 (1 - E)/rho), with
    E = exp(-2 rho t), beta = 1/(4 tau_y) and rho^2 = |x2 - x1|^2 |y2 - y1|^2/(16 tau_h tau_y)."""
    flow = {k: e.subs(s, balanced_target) for k, e in net.derived_flow.items()}
    yield solves(*moving(flow, aligned_motion(aligned), aligned_motion(h0)), t)

distance = aligned.subs(exp(-2 * rho * t), reals("E > 0"))
paper.states("loss_waits_at_small_weights: aligned_time_course training_loss", "Section 3.3, plateau, loss",
    "As |dh(0)|^2 goes to zero, so does |dh|^2 at any time; the second term of the loss goes to |y2 - y1|^2/8.",
    lambda: [tends(distance, [h0], 0),
        tends((aligned_motion(distance)[w] + (balanced_target - aligned_motion(distance)[y]) / 2) / 4, [h0],
            rho**2 / (8 * alpha * beta))])

half_time = log(rho / (beta * h0) - 1) / (2 * rho)
paper.states("plateau_ends_at: aligned_time_course", "Section 3.2, plateau, half the final distance",
    "If |dh(0)|^2 < rho/(2 beta), half of the end is reached at ln(rho/(beta |dh(0)|^2) - 1)/(2 rho) > 0.",
    lambda: [same(aligned.subs(t, half_time), rho / (2 * beta), given=[beta * h0 < rho / 2]),
        positive(half_time, given=[beta * h0 < rho / 2])])
paper.states("plateau_grows_without_bound: plateau_ends_at", "Section 3.2, plateau, length",
    "As |dh(0)|^2 goes to zero, the time until half the final distance is reached grows as ln(1/|dh(0)|^2)/(2 rho).",
    lambda: tends(half_time / log(1 / h0), [h0], 1 / (2 * rho)))

slow_if_negative, slow_if_positive = (A + R) / (4 * tau_y), R / (4 * tau_y)  # the smaller of the two rates at the end
paper.states("large_weights_decay_fast: final_point_is_a_node_doubled", "Section A.5, rate of decay, A_high < 0",
    "At large weights, for different targets, nothing is learned slowly, also for A_high < 0: the smaller rate at the "
    "final point, (A_high + sqrt(A_high^2 + 4 A_low^2))/(4 tau_y), grows without bound, its inverse going to zero.",
    lambda: tends(1 / slow_if_negative, {A: -oo}, 0),
    quote=r"The training loss will therefore also exponentially decay to zero without a plateau at large initial "
    r"weights", corrected_by="large_weights_have_a_slow_tail")
paper.states("large_weights_have_a_slow_tail: final_point_is_a_node_doubled",
    "Section A.5, rate of decay, A_high < 0, corrected",
    "As A_high goes to minus infinity, the smaller rate (A_high + sqrt(A_high^2 + 4 A_low^2))/(4 tau_y) vanishes.",
    lambda: tends(slow_if_negative, {A: -oo}, 0))
paper.states("large_weights_decay_fast_above: final_point_is_a_node_doubled", "Section A.5, rate of decay, A_high > 0",
    "As A_high goes to infinity, the smaller rate sqrt(A_high^2 + 4 A_low^2)/(4 tau_y) grows as A_high/(4 tau_y).",
    lambda: tends(slow_if_positive / A, {A: oo}, 1 / (4 * tau_y)))

shift = reals("c > 0")
paper.states("common_shift_changes_nothing: final_rest_distance", "Eq. 12, p - r q fixed",
    "Adding c to q and (tau_y/tau_h) c to p, however large, leaves the final distance as it is.",
    lambda: same(final_of(high(p + r * shift, q + shift)), final_of(high(p, q))))

level = high(p / small**2, q / small)
paper.states("large_weights_encoder_first: final_rest_distance", "Eq. 12, p grows faster",
    "As q grows like 1/epsilon and p like 1/epsilon^2, the final distance less A_high goes to zero.",
    lambda: tends(final_of(level) - level, [small], 0))
paper.states("large_weights_decoder_first: final_rest_distance", "Eq. 12, q grows faster",
    "As p grows like 1/epsilon and q like 1/epsilon^2, the final distance goes to zero.",
    lambda: tends(final_of(high(p / small, q / small**2)), [small], 0))

above, below = reals("A_high > 0, A_high < 0")
paper.states("distance_from_high_level: final_rest_distance", "Eq. 12, exact criterion",
    "With R = sqrt(A_high^2 + 4 A_low^2), the final distance is A_high + A_low^2/A_high - (R - A_high)^2/(4 A_high) "
    "for A_high > 0, A_low^2/|A_high| - (R + A_high)^2/(4 |A_high|) below: near max(A_high, 0) by A_low^2/|A_high|.",
    lambda: [same(final.subs(A, above), (above + B**2 / above - (R - A) ** 2 / (4 * A)).subs(A, above)),
        same(final.subs(A, below), (-(B**2) / A + (R + A) ** 2 / (4 * A)).subs(A, below))])
paper.states("distance_from_low_level: final_rest_distance", "Eq. 13, exact criterion",
    "The final distance is A_low + A_high - 2 A_high A_low/(A_high + 2 A_low + sqrt(A_high^2 + 4 A_low^2)).",
    lambda: same(final, B + A - 2 * A * B / (A + 2 * B + R)))

h_, y_, w_ = reals("h_hat > 0, y_hat >= 0, w_hat")
free_of_constants = {h: -w_, y: -w_ * (h_ + y_ / h_), w: -(3 * w_ - y_ + 1) * h_ / 2 - (y_ + w_) * w_ / (2 * h_)}
@follows("Section 3.1, two constants")
def two_constants_are_two_units(r):
    """For different targets, with |dh|^2 in units of sqrt(tau_y/tau_h) |x2 - x1| |y2 - y1|, |dy|^2 and w of |y2 - y1|^2
    and time of sqrt(tau_h tau_y)/(|x2 - x1| |y2 - y1|), the system of |dh|^2, |dy|^2 and w has no constants."""
    clock = r.of(sqrt(tau_h * tau_y / (X * S)))
    units = {h: sqrt(tau_y * X * S / tau_h), y: S, w: S}
    inserted = {h: units[h] * h_, y: S * y_, w: S * w_}
    rates = {k: put(as_expression(r.flow[k]).subs(s, S), inserted) for k in (h, y, w)}
    yield from (same(clock / units[k] * rates[k], free_of_constants[k]) for k in (h, y, w))

summed = 2 * net.loss
off_target = net.dy - net.target
centre = HALF * (net.y2 + y1)
paper.states("sum_gives_the_printed_jacobians: encoder_link6_corrected decoder_link9_corrected",
    "Eq. 17, sum instead of mean, links 6 and 9",
    "If the loss is a sum over the two points, D_h and D_y have the printed velocities with the factor 1/2.",
    lambda: [same(-net.rate_h * gradient(summed, net.D_h), -net.rate_h * HALF * (D_y.T @ off_target @ net.dx.T)),
        same(-net.rate_y * gradient(summed, D_y), -net.rate_y * HALF * (off_target @ net.dh.T))])
paper.states("sum_doubles_the_mean_output: mean_output_link3", "Eq. 17, sum instead of mean, link 3",
    "If the loss is a sum over the two points instead of a mean, the mean output has twice the printed velocity: no "
    "common factor of the loss gives all three lines of equation 17.",
    lambda: same(-rate_b * gradient(summed, ybar), -2 * rate_b * (ybar - centre)))

value = reals("eigenvalue")
LEVEL = {A: K / beta, B: sqrt(tau_y * X * aim / tau_h)}
J = Matrix([net.signed_flow[k] for k in (a, b, n)]).jacobian([a, b, n]).subs({a: 0, b: 0, n: -K / alpha}).subs(s, aim)
printed = [e.doit().subs(tau_y, 2 * tau_y).subs(LEVEL) for e in (growth, shrink)]
paper.states("zero_distance_is_an_ordinary_saddle: signed_coordinates eigenvalues_at_zero_doubled",
    "Eq. 32, in signed coordinates",
    "For different targets the Jacobian of the flow of a, b = u.(y2 - y1) and n = |u|^2 at a = b = 0 and n = "
    "-K/alpha has the eigenvalues 0, K/2 + rho > 0 and K/2 - rho < 0: half of equation 35, constants doubled.",
    lambda: [same((value * eye(3) - J).det(), value * (value - K / 2 - rho) * (value - K / 2 + rho)),
        same(printed, [K + 2 * rho, K - 2 * rho]), positive(K / 2 + rho, given=2 * rho > -K),
        positive(rho - K / 2, given=2 * rho > K)])

# === Sections 4.2-4.6 and B.4: coinciding points, the toy tasks, and more than two points =============================
near, far = reals("v u > 0")  # |x_C - x_B| and |x_B - x_A| of three inputs on a line, B between A and C
factor = reals("c > 0")  # sqrt(tau_y/tau_h) |y2 - y1|, so that A_low is c |x2 - x1|
longer_side, shorter_side = (LOW.subs(X, e**2) for e in (near + far, near))
paper.states("predictions_break_the_triangle: small_weights",
    ("Section 4.6, triangle inequality", "Appendix B.4, triangle inequality"),
    "At small weights, where |dh|^2 is A_low, A, B and C on a line, B between with the target of A, have |AB| = 0 "
    "(A_low is zero) and |AC|^2 - |BC|^2 = sqrt(tau_y/tau_h) |y_C - y_A| |x_B - x_A| > 0, so |AC| > |AB| + |BC|.",
    lambda: same(longer_side - shorter_side, sqrt(r * S) * far))

D = reals("D > 0")  # a squared distance
position = reals("q > 0")

def weighed(distances):
    """Equation 50 on a table of squared distances."""
    weights = distances.applyfunc(lambda e: exp(-e))
    return weights * distances * weights

A_, B_, C_ = 0, 1, 2
broken = weighed(Matrix([[0, 0, D], [0, 0, 0], [D, 0, 0]]))
fading = exp(-D)
paper.states("weighing_lifts_short_distances: exponential_weighing", "Eq. 50, three points",
    "From AB = BC = 0, AC = D (squared) equation 50 makes AB = BC = D (1 + exp(-D)) and AC = D (1 + exp(-2 D)).",
    lambda: same((broken[A_, B_], broken[B_, C_], broken[A_, C_]),
        (D * (1 + fading), D * (1 + fading), D * (1 + exp(-2 * D)))))

sides, ends = broken[A_, B_], broken[A_, C_]
paper.states("weighing_mends_the_triangle: weighing_lifts_short_distances", "Eq. 50, triangle inequality, three points",
    "The squared distances D (1 + x), D (1 + x) and D (1 + x^2) of that example, x = exp(-D), satisfy AC < AB + BC, "
    "which 0, 0 and D do not; but AB and BC, which were zero, now exceed AC.",
    lambda: [holds(ends < 2 * sides), holds(ends < sides)])

places = (-1, -1, 0, 1, 1)
end, middle, other_end = 0, 2, 4
with_twins = weighed(Matrix(5, 5, lambda i, j: position * (places[i] - places[j]) ** 2))
excess = 2 * sqrt(with_twins[end, middle]) - sqrt(with_twins[end, other_end])
paper.states("weighing_can_break_the_triangle: exponential_weighing", "Eq. 50, triangle inequality, more points",
    "For two points at -sqrt(5), two at sqrt(5) and B at 0 on a line, A and C at the ends, equation 50 makes |AB| + "
    "|BC| - |AC| less than -2.4: distances that obey the triangle inequality can lose it.",
    lambda: enclosed(excess, {position: (5, 5)}, Rational(-24587461, 10**7), Rational(-24587460, 10**7)),
    expect="certified")

AB, AC, BC = reals("AB AC BC >= 0")
table = Matrix([[0, AB, AC], [AB, 0, BC], [AC, BC, 0]])
triangle = weighed(table)
paper.states("weighing_moves_a_point_from_itself: exponential_weighing", "Eq. 50, a point and itself",
    "From the squared distances AB, AC and BC of three points, equation 50 gives A the squared distance 2 (AB "
    "exp(-AB) + AC exp(-AC) + BC exp(-AB - AC)) to itself.",
    lambda: same(triangle[A_, A_], 2 * (AB * exp(-AB) + AC * exp(-AC) + BC * exp(-AB - AC))))
paper.states("weighing_is_a_sum: exponential_weighing", "Eq. 50, number of points",
    "Equation 50 is a sum: if each of three points stands twice, every predicted distance is four times larger.",
    lambda: same(weighed(Matrix(6, 6, lambda i, j: table[i // 2, j // 2]))[::2, ::2], 4 * triangle))
paper.states("no_merging_at_large_weights: equal_targets_distance", "Section 4.4, no merging at large weights",
    "At large weights equation 10 keeps points with equal targets apart, also where p < (tau_y/tau_h) q.",
    lambda: positive(final_of(high(p / small, q / small), Integer(0))),
    quote="At large initial weights no such merging should occur.", corrected_by="no_merging_with_a_strong_encoder")
paper.states("no_merging_with_a_strong_encoder: equal_targets_distance",
    "Section 4.4, no merging at large weights, p > r q",
    "For equal targets, p > (tau_y/tau_h) q, equation 10 is positive for all weights p/epsilon, q/epsilon.",
    lambda: positive(final_of(high((r * q + gap) / small, q / small), Integer(0))))
paper.states("merging_with_a_strong_decoder: equal_targets_distance",
    "Section 4.4, no merging at large weights, p < r q",
    "For equal targets, p < (tau_y/tau_h) q, equation 10 is zero for all weights p/epsilon, q/epsilon.",
    lambda: same(final_of(high(p / small, (p + gap) / (r * small)), Integer(0)), 0))

XOR = [((0, 0), 0), ((1, 0), 1), ((0, 1), 1), ((1, 1), 0)]

def squared(u, v):
    return sum((i - j) ** 2 for i, j in zip(u, v, strict=True))

@paper.claim("Section 4.4, small weights", rests_on="small_weights equal_targets_distance")
def xor_at_small_weights():
    """For the pairs of the XOR task, as p and q vanish, equation 10 goes to zero for equal targets, else to A_low."""
    for i, (x_i, y_i) in enumerate(XOR):
        for x_j, y_j in XOR[i + 1 :]:
            inputs = squared(x_i, x_j)
            end = final_of(high(small * p, small * q), Integer((y_i - y_j) ** 2)).subs(X, inputs)
            yield tends(end, [small], sqrt(r * inputs) if y_i != y_j else 0)

X1, X2, s1, s2, p1, p2, q1, q2 = reals("X1 X2 s1 s2 p1 p2 q1 q2 > 0")

def pair_at_large_weights(inputs, targets, p, q):
    return final_of(high(p / small, q / small), targets).subs(X, inputs)

@paper.claim("Section 4.5, input structure", corrected_by="input_structure_with_common_weights",
    rests_on="large_weights_either_sign")
def large_weights_retain_input_structure():
    """At large weights, p > (tau_y/tau_h) q, two pairs end at the ratio of their input distances |x2 - x1|^2."""
    ends = [pair_at_large_weights(*e) for e in ((X1, s1, r * q1 + p1, q1), (X2, s2, r * q2 + p2, q2))
    ]  # p1, p2: the excess
    yield tends(ends[0] / ends[1], [small], X1 / X2)

@paper.claim("Section 4.5, input structure, common p and q", rests_on="large_weights_either_sign")
def input_structure_with_common_weights():
    """At large weights two pairs with one p and one q, p > (tau_y/tau_h) q, end at the ratio of their |x2 - x1|^2."""
    ends = [pair_at_large_weights(*e, r * q + gap, q) for e in ((X1, s1), (X2, s2))]
    yield tends(ends[0] / ends[1], [small], X1 / X2)

acceleration = along(along(norm2(c_dh), c_flow), c_flow)
together = (c_dh, 0 * c_dh)
paper.states("coinciding_points_accelerate: encoder_link6_corrected", "Section 4.2, must move apart",
    "Where dh = 0, the second derivative of |dh|^2 is |x2 - x1|^4 |D_y^T (y2 - y1)|^2/(8 tau_h^2), not negative.",
    lambda: same(acceleration, HALF**3 * rate_h * rate_h * norm2(delta) * norm2(delta) * norm2(D_y.T @ goal),
        given=[together]))

blind = (D_y.T @ goal, 0 * (D_y.T @ goal))
paper.states("coinciding_points_can_rest: coinciding_points_accelerate", "Section 4.2, must move apart, exception",
    "Where dh = 0 and D_y^T (y2 - y1) = 0, dh and D_y stand still and the error stays: they never move apart.",
    lambda: [same(c_flow[D_h] @ delta, 0 * c_dh, given=[together, blind]),
        same(c_flow[D_y], 0 * D_y, given=[together, blind]),
        same(norm2(c_dy - goal), norm2(goal), given=[together, blind])])

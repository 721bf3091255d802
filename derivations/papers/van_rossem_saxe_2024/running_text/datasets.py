"""Sections 4.2-4.6 and B.4: coinciding points, the toy tasks, and more than two points."""

from derivations.papers.van_rossem_saxe_2024.setup import *
from derivations.models.two_point import aim as goal
from derivations.papers.van_rossem_saxe_2024.section_3_final_distance.regimes import LOW, gap, high, p, q, r, small
from derivations.papers.van_rossem_saxe_2024.section_3_final_distance.regimes import final as final_of

S = Symbol("s", positive=True)  # |y2 - y1|^2 of different targets

# --- sections 4.6 and B.4: the triangle inequality and exponential weighing -------------------------------------------
near, far = symbols("v u", positive=True)  # |x_C - x_B| and |x_B - x_A| of three inputs on a line, B between A and C
factor = Symbol("c", positive=True)  # sqrt(tau_y/tau_h) |y2 - y1|, so that A_low is c |x2 - x1|
@paper.claim(("Section 4.6, triangle inequality", "Appendix B.4, triangle inequality"), rests_on="small_weights")
def predictions_break_the_triangle():
    """At small weights, where |dh|^2 is A_low, A, B and C on a line, with B between and with the target of A, have |AB| = 0 (A_low
    is zero) and |AC|^2 - |BC|^2 = sqrt(tau_y/tau_h) |y_C - y_A| |x_B - x_A| > 0, so |AC| > |AB| + |BC|."""
    longer_side, shorter_side = (LOW.subs(X, e**2) for e in (near + far, near))
    yield same(longer_side - shorter_side, sqrt(r * S) * far)

D = Symbol("D", positive=True)  # a squared distance
position = Symbol("q", positive=True)

def weighed(distances):
    """Equation 50 on a table of squared distances."""
    weights = distances.applyfunc(lambda e: exp(-e))
    return weights * distances * weights

A_, B_, C_ = 0, 1, 2
broken = weighed(Matrix([[0, 0, D], [0, 0, 0], [D, 0, 0]]))
fading = exp(-D)
@paper.claim("Eq. 50, three points", rests_on="exponential_weighing")
def weighing_lifts_short_distances():
    """From squared distances AB = BC = 0 and AC = D, equation 50 makes AB = BC = D (1 + exp(-D)) and AC = D (1 + exp(-2 D))."""
    predicted = (broken[A_, B_], broken[B_, C_], broken[A_, C_])
    yield same(predicted, (D * (1 + fading), D * (1 + fading), D * (1 + exp(-2 * D))))

@paper.claim("Eq. 50, triangle inequality, three points", rests_on="weighing_lifts_short_distances")
def weighing_mends_the_triangle():
    """The squared distances D (1 + x), D (1 + x) and D (1 + x^2) of that example, x = exp(-D), satisfy AC < AB + BC, which
    0, 0 and D do not; but AB and BC, which were zero, now exceed AC."""
    sides, ends = broken[A_, B_], broken[A_, C_]
    yield holds(ends < 2 * sides)
    yield holds(ends < sides)

places = (-1, -1, 0, 1, 1)
on_a_line = Matrix(5, 5, lambda i, j: position * (places[i] - places[j]) ** 2)
end, middle, other_end = 0, 2, 4
with_twins = weighed(on_a_line)
@paper.claim("Eq. 50, triangle inequality, more points", expect="certified", rests_on="exponential_weighing")
def weighing_can_break_the_triangle():
    """Of two points at -sqrt(5), two at sqrt(5) and B at 0 on a line, A and C at the ends, equation 50 makes |AB| + |BC| - |AC| less
    than -2.4: distances that obey the triangle inequality can lose it."""
    excess = 2 * sqrt(with_twins[end, middle]) - sqrt(with_twins[end, other_end])
    yield enclosed(excess, {position: (5, 5)}, Rational(-24587461, 10**7), Rational(-24587460, 10**7))

AB, AC, BC = symbols("AB AC BC", nonnegative=True)
table = Matrix([[0, AB, AC], [AB, 0, BC], [AC, BC, 0]])
triangle = weighed(table)
@paper.claim("Eq. 50, a point and itself", rests_on="exponential_weighing")
def weighing_moves_a_point_from_itself():
    """From the squared distances AB, AC and BC of three points, equation 50 gives A the squared distance
    2 (AB exp(-AB) + AC exp(-AC) + BC exp(-AB - AC)) to itself."""
    to_itself = AB * exp(-AB) + AC * exp(-AC) + BC * exp(-AB - AC)
    yield same(triangle[A_, A_], 2 * to_itself)

@paper.claim("Eq. 50, number of points", rests_on="exponential_weighing")
def weighing_is_a_sum():
    """Equation 50 is a sum, not an average: if each of three points stands twice, every predicted distance is multiplied by four."""
    twice = weighed(Matrix(6, 6, lambda i, j: table[i // 2, j // 2]))
    yield same(twice[::2, ::2], 4 * triangle)

# --- sections 4.4 and 4.5: the toy tasks ------------------------------------------------------------------------------
@paper.claim("Section 4.4, no merging at large weights", quote="At large initial weights no such merging should occur.",
    corrected_by="no_merging_with_a_strong_encoder", rests_on="equal_targets_distance")
def no_merging_at_large_weights():
    """At large weights p/epsilon and q/epsilon equation 10 gives points with equal targets a positive final distance, also where
    p < (tau_y/tau_h) q."""
    yield positive(final_of(high(p / small, q / small), Integer(0)))

@paper.claim("Section 4.4, no merging at large weights, p > r q", rests_on="equal_targets_distance")
def no_merging_with_a_strong_encoder():
    """For equal targets and p > (tau_y/tau_h) q, equation 10 gives a positive final distance for all weights p/epsilon and
    q/epsilon."""
    yield positive(final_of(high((r * q + gap) / small, q / small), Integer(0)))

@paper.claim("Section 4.4, no merging at large weights, p < r q", rests_on="equal_targets_distance")
def merging_with_a_strong_decoder():
    """For equal targets and p < (tau_y/tau_h) q, equation 10 gives a final distance of zero for all weights p/epsilon and
    q/epsilon."""
    yield same(final_of(high(p / small, (p + gap) / (r * small)), Integer(0)), 0)

XOR = [((0, 0), 0), ((1, 0), 1), ((0, 1), 1), ((1, 1), 0)]

def squared(u, v):
    return sum((i - j) ** 2 for i, j in zip(u, v, strict=True))

@paper.claim("Section 4.4, small weights", rests_on="small_weights equal_targets_distance")
def xor_at_small_weights():
    """For the six pairs of the XOR task, as p and q go to zero together, equation 10 goes to zero if the targets are the same, and to
    sqrt(tau_y/tau_h) |x2 - x1| if they differ."""
    parts = []
    for i, (x_i, y_i) in enumerate(XOR):
        for x_j, y_j in XOR[i + 1 :]:
            inputs = squared(x_i, x_j)
            end = final_of(high(small * p, small * q), Integer((y_i - y_j) ** 2)).subs(X, inputs)
            parts.append(prove.limit(end, [small], sqrt(r * inputs) if y_i != y_j else 0))
    yield from parts

X1, X2, s1, s2, p1, p2, q1, q2 = symbols("X1 X2 s1 s2 p1 p2 q1 q2", positive=True)

def pair_at_large_weights(inputs, targets, p, q):
    return final_of(high(p / small, q / small), targets).subs(X, inputs)

@paper.claim("Section 4.5, input structure", corrected_by="input_structure_with_common_weights",
    rests_on="large_weights_either_sign")
def large_weights_retain_input_structure():
    """At large weights, with p > (tau_y/tau_h) q for both pairs, the final distances of two pairs have the ratio of their input
    distances |x2 - x1|^2."""
    ends = [
        pair_at_large_weights(*e) for e in ((X1, s1, r * q1 + p1, q1), (X2, s2, r * q2 + p2, q2))
    ]  # p1, p2: the excess
    yield tends(ends[0] / ends[1], [small], X1 / X2)

@paper.claim("Section 4.5, input structure, common p and q", rests_on="large_weights_either_sign")
def input_structure_with_common_weights():
    """At large weights, if two pairs have the same p and the same q with p > (tau_y/tau_h) q, their final distances have the ratio of
    their input distances |x2 - x1|^2."""
    ends = [pair_at_large_weights(*e, r * q + gap, q) for e in ((X1, s1), (X2, s2))]
    yield tends(ends[0] / ends[1], [small], X1 / X2)

# --- section 4.2: coinciding representations --------------------------------------------------------------------------
acceleration = along(along(norm2(c_dh), c_flow), c_flow)
together = (c_dh, 0 * c_dh)
@paper.claim("Section 4.2, must move apart", rests_on="encoder_link6_corrected")
def coinciding_points_accelerate():
    """Where dh = 0, the second time derivative of |dh|^2 is |x2 - x1|^4 |D_y^T (y2 - y1)|^2/(8 tau_h^2): the points move apart if
    D_y^T (y2 - y1) is not zero."""
    squared_inputs = norm2(delta)
    yield same(acceleration, HALF**3 * rate_h * rate_h * squared_inputs * squared_inputs * norm2(D_y.T @ goal),
        given=[together])

@paper.claim("Section 4.2, must move apart, exception", rests_on="coinciding_points_accelerate")
def coinciding_points_can_rest():
    """Where dh = 0 and D_y^T (y2 - y1) = 0, dh and D_y stand still and the error stays: such points never move apart."""
    blind = (D_y.T @ goal, 0 * (D_y.T @ goal))
    yield same(c_flow[D_h] @ delta, 0 * c_dh, given=[together, blind])
    yield same(c_flow[D_y], 0 * D_y, given=[together, blind])
    yield same(norm2(c_dy - goal), norm2(goal), given=[together, blind])

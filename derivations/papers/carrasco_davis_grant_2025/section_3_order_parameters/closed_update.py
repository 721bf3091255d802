"""Section 3: the mean update of the weights, which the text says has no closed form.

It is a sum of weights by Stein's lemma on the input itself, for any activation: its coefficients are averages of two
fields.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.papers.carrasco_davis_grant_2025.section_3_averages import SCALED, C, slope_field_value

# chance is that of each sample: the average is over all inputs and noises, each a sample.
slope_teacher, curvature, chance = Array("slope_teacher", M, B), Array("curvature", K, B), Array("chance", B)

def drawn(inputs, noises):
    """Two students and two teachers with g(x) = x^2 on one input, each of whose values comes with each of its noises."""
    samples = [(at, Fraction(share) / 2, noise) for at, share in inputs.items() for noise in noises(at)]
    weights = {"student": (1, -2), "teacher": (2, 3)}

    def units(of, value):
        return [[str(value(w, at)) for at, _, _ in samples] for w in weights[of]]

    return {
        "sizes": {"B": len(samples), "K": 2, "M": 2, "N": 1},
        "arrays": {
            "x": [[str(at)] for at, _, _ in samples], "chance": [str(share) for _, share, _ in samples],
            "noise": [str(noise) for _, _, noise in samples], "sigma": "5", "root_per_input": "1/2", "per_input": "1/4",
            "g_student": units("student", lambda w, at: (w * at) ** 2), "g_teacher": units("teacher", lambda w, at: (w * at) ** 2),
            "slope": units("student", lambda w, at: 2 * w * at), "slope_teacher": units("teacher", lambda w, at: 2 * w * at),
            "curvature": units("student", lambda w, at: 2), "W": [["2"], ["-4"]], "W_teacher": [["4"], ["6"]],
        },
    }

NORMAL = {-2: "1/12", -1: "1/6", 0: "1/2", 1: "1/6", 2: "1/12"}  # the moments of x ~ N(0, 1) up to the fourth
# What satisfies all hypotheses; a noise that depends on the input; and inputs of mean 1/2.
AMONG = [
    drawn(NORMAL, lambda at: (1, -1)),
    drawn(NORMAL, lambda at: (at + at**2, 1)),
    drawn({0: "1/2", 1: "1/2"}, lambda at: (1, -1)),
]

def averaged(of):
    return total(chance[s] * of, s)

def toward(unit, steepness, of, weights):
    """<dF/dx_a> for F = g'(lambda_unit) g(field), by the chain rule."""
    values = g_student if weights is W else g_teacher
    bent = curvature[unit, s] * values[of, s] * W[unit, a]
    return root * averaged(bent + slope[unit, s] * steepness[of, s] * weights[of, a])

# <F x_a> = <dF/dx_a>: Stein's lemma, for x ~ N(0, I), whose entries are independent with variance one.
STEIN = [
    (averaged(slope[i, s] * g_student[k, s] * x[s, a]), toward(i, slope, k, W)),
    (averaged(slope[i, s] * g_teacher[m, s] * x[s, a]), toward(i, slope_teacher, m, W_teacher)),
]
# The noise is drawn apart from the input, with mean zero.
FAIR_NOISE = (averaged(net.noise[s] * slope[i, s] * x[s, a]), 0)
toward_teachers = total(averaged(slope[i, s] * slope_teacher[m, s]) * W_teacher[m, a], m)
toward_students = total(averaged(slope[i, s] * slope[k, s]) * W[k, a], k)
curved = total(averaged(curvature[i, s] * g_teacher[m, s]), m) - total(averaged(curvature[i, s] * g_student[k, s]), k)
@paper.claim("Section 3, the expectation does not have a closed form solution, corrected", rests_on="average_of_slopes",
    given=[(root * root, per_input)], needs={"inputs_that_obey_Steins_lemma": STEIN, "fair_noise": FAIR_NOISE})
def mean_update_of_the_weights():
    """With noise of mean 0 that is drawn apart from the input, the mean of Delta g'(lambda_i) x/sqrt(N) is, over N, the sum over teachers
    of J2(i, m) W*_m less that over students of J2(i, k) W_k plus <Delta g''(lambda_i)> W_i: closed where J2 and <g'' g> are, as they
    are for erf, for every number of inputs."""
    combined = per_input * (toward_teachers - toward_students + curved * W[i, a])
    yield same(root * averaged(net.error(s) * slope[i, s] * x[s, a]), combined, among=AMONG)

@paper.claim("Section 3, the expectation does not have a closed form solution",
    quote="the expectation induced in the right hand side does not have a closed form solution",
    corrected_by="mean_update_of_the_weights")
def mean_update_has_no_closed_form():
    """The average of the update of the weights has no closed form."""
    yield denied(mean_update_of_the_weights())

# J2 of a student and another field, and <g''(lambda_i) g> of them.
J_teacher, J_student = Array("J_teacher", K, M), Array("J_student", K, K)
bent_teacher, bent_student = Array("bent_teacher", K, M), Array("bent_student", K, K)
@paper.claim(
    "Section 3, the expectation has a solution in terms of the order parameters", rests_on="mean_update_of_the_weights")
def mean_update_gives_overlaps():
    """The overlap of that mean update with a teacher is equation 20 for R: a sum of I3(i, n, f) = <g''(lambda_i) g(f)> R_in +
    J2(i, f) C_fn over teachers less that over students, whose closed form is this for erf(x/sqrt 2)."""
    bent = total(bent_teacher[i, m], m) - total(bent_student[i, k], k)
    update = total(J_teacher[i, m] * W_teacher[m, a], m) - total(J_student[i, k] * W[k, a], k) + bent * W[i, a]
    share = overlap(W[i, a], W_teacher[n, a])
    by_teachers = bent_teacher[i, m] * share + J_teacher[i, m] * overlap(W_teacher[m, a], W_teacher[n, a])
    by_students = bent_student[i, k] * share + J_student[i, k] * overlap(W[k, a], W_teacher[n, a])
    in_fields = SCALED.curvature_value(C, 0, 2) * C[0, 1] + SCALED.slopes(C, 0, 2) * C[1, 2]
    yield same(overlap(update, W_teacher[n, a]), total(by_teachers, m) - total(by_students, k))
    yield slope_field_value(SCALED, in_fields)

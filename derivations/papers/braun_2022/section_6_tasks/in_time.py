"""Beyond the paper: when the off-diagonal peaks, and what steps of a finite size do at a saddle, enclosed rigorously."""

from derivations.papers.braun_2022.setup import *
from derivations.language.words.entries import with_entries
from derivations.papers.braun_2022.section_5_decoupling import rate_of_gram

number = Rational
RATE = Rational(1, 20)  # the largest learning rate of Figure 2C
TURN = Matrix([[3, -4], [4, 3]]) / 5
SMALL = Matrix([[3, 1], [-1, 2]]) / 20
TASK = diag(3, 1)
weights = reals("p11 p12 p21 p22 q11 q12 q21 q22")
MATRICES = {W1: Matrix(2, 2, weights[:4]), W2: Matrix(2, 2, weights[4:]), Sigma: TASK}
squared_error = with_entries(trace(net.gap.T @ net.gap), MATRICES)[0, 0]

def descent(start_2, *says):
    """Gradient descent with steps of that rate from W1 = SMALL and a given W2."""
    moved = {letter: MATRICES[letter] + RATE * with_entries(net.flow[letter], MATRICES) for letter in (W1, W2)}
    step = dict(zip(weights, [*moved[W1], *moved[W2]], strict=True))
    return prove.iteration(step, dict(zip(weights, [*SMALL, *start_2], strict=True)), says=says)

def learned(after, by):
    return reaches(Eq(squared_error, Rational(1, 50)), (after, by))

waiting = stays(squared_error > Rational(98, 100), (0, 200))
paper.states("steps_leave_the_saddle_late: determinant_keeps_its_sign", "Figure 2C, in steps",
    "Two balanced starts, W1 = [[3, 1], [-1, 2]]/20 and W2 = R W1' with R = [[3, -4], [4, 3]]/5 or with its second "
    "row negated, learn the task diag(3, 1) in steps of the rate 1/20. From the positive determinant of W2 W1 the "
    "squared error is below 1/50 after 60 to 70 steps. From the negative one, where the exact flow ends on a saddle "
    "with the squared error 1, it stays above 0.98 for 200 steps, and is below 1/50 after 200 to 300 steps.",
    lambda: [descent(TURN * SMALL.T, learned(60, 70)),
        descent(diag(1, -1) * TURN * SMALL.T, waiting, learned(200, 300))], expect="certified")

@paper.claim("Section 5, a peak for different singular values, in time", rests_on="flow_of_gram one_peak_below_half",
    expect="certified")
def peak_in_time():
    """For the singular values 3 and 1, from a1 = a2 = 0.002 and b = 0.001, b peaks between the times 1.329 and 1.330 at
    a height between 0.06784 and 0.06785, a1 being between 1.97 and 1.98 and a2 below 0.024; at time 3 it is below 0.01.
    The first mode is half learned before, a1 = 3/2 between 1.219 and 1.220, the second between 3.250 and 3.251."""
    gram = letters("P: N_m x N_m", symmetric=True)
    rate = with_entries(rate_of_gram(gram), {gram: Matrix([[a1, b], [b, a2]]), St: TASK})
    start = {a1: number("0.002"), a2: number("0.002"), b: number("0.001")}
    first, peak, window = Eq(a1, number("1.5")), Eq(a1 + a2, 2), (number("1.329"), number("1.330"))
    seen = [b > number("0.06784"), b < number("0.06785"), a1 > number("1.97"), a1 < number("1.98"),
        a2 < number("0.024")]
    yield trajectory({a1: rate[0, 0], a2: rate[1, 1], b: rate[0, 1]}, start, says=[
            before(first, peak, (number("1.219"), number("1.220"))), reaches(peak, window),
            reaches(Eq(a2, number("0.5")), (number("3.250"), number("3.251"))),
            *(stays(relation, window) for relation in seen), stays(b < number("0.01"), (3, 3))])

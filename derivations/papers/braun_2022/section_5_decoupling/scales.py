"""Section 5: small and large starts, equation 15, and when the diagonal is half learned, with exponents and constants."""

from derivations.papers.braun_2022.setup import *
from derivations.papers.braun_2022.section_5_decoupling.different_modes import RISES, course, fade1, fade2
from derivations.papers.braun_2022.section_5_decoupling.peak import SIGMOID, a1_equal, a2_equal, alpha, b_equal, gamma
from derivations.papers.braun_2022.source.equations import EQ_15

# How large the start is, (a1, a2, b) = size times fixed values, and the root of their determinant D.
size, root = symbols("size root_D", positive=True)
DEFINITE = {a1: aligned1, a2: (root**2 + b**2) / aligned1}
SCALED = {a1: size * a1, a2: size * a2, b: size * b}

def of_size(expression, fading=fade):
    """For a start of that size and determinant, at a time told by e^(-2 s t)."""
    return expression.subs(fade, fading).subs(SCALED, simultaneous=True).subs(DEFINITE)

def fixed(expression):
    return expression.subs(DEFINITE)

# --- small starts: the peak ---------------------------------------------------------------------------------------------
late = Symbol("l", positive=True)  # e^(-2 s t) over the size of the start: order one while the modes are learned
during, at_peak = size * late, size * root / s
@paper.claim("Section 5, near-zero off-diagonal",
    quote="If initialised from small random weights, the off-diagonal remains near-zero throughout learning, reminiscent of the silent alignment effect [26].",
    corrected_by="peak_of_small_starts", rests_on="peak_height")
def small_starts_stay_near_zero():
    """For equal singular values the off-diagonal entry stays near zero throughout learning if the start is small: its
    value at the peak vanishes with the size of the start."""
    yield tends(of_size(b_equal, at_peak), [size], 0)

@paper.claim("Section 5, near-zero off-diagonal, corrected", rests_on="peak_time peak_height")
def peak_of_small_starts():
    """For equal singular values and a start of vanishing size, while e^(-2 s t) is l times that size, b(t) tends to l
    b/(l^2 + l (a1 + a2)/s + D/s^2), which does not depend on the size. Its peak has the height s b/(a1 + a2 + 2 sqrt(D)):
    order one, however small the start, and unequal to zero unless b is."""
    value = late * b / (late**2 + late * (a1 + a2) / s + D / s**2)
    yield tends(of_size(b_equal, during), [size], fixed(value))
    yield tends(of_size(alpha), [size], 1)
    yield same(of_size(gamma), at_peak**2)
    yield tends(of_size(b_equal, at_peak), [size], fixed(s * b / (a1 + a2 + 2 * root)))

# --- small starts of different singular values --------------------------------------------------------------------------
# For s2 > s1. While the stronger mode is learned e^(-2 s2 t) is size/k and e^(-2 s1 t) is size/lag with a small lag;
# while the weaker one is learned e^(-2 s1 t) is size/k, and e^(-2 s2 t) the size times a small quantity `passed`.
kept, lag, passed = symbols("k lag passed", positive=True)
WHILE_STRONG = {fade2: size / kept, fade1: size / lag}
WHILE_WEAK = {fade1: size / kept, fade2: size * passed}

def of_modes(entry, while_learned):
    """An entry of A'A for a start of that size while one of the modes is learned."""
    return course[entry].subs(SCALED, simultaneous=True).subs(DEFINITE).subs(while_learned)

@paper.claim("Section 5, near-zero off-diagonal, different singular values", rests_on="decoupling_solves_the_flow")
def different_modes_stay_near_zero():
    """For s2 > s1, D > 0 and a2 < s2 the denominator of b(t) is e^(-2 (s1 + s2) t) (1 - a2/s2) + e^(-2 s1 t) a2/s2
    and something positive. So the size of b(t) is at most e^(-(s2 - s1) t) b s2/a2, in which the size of the start
    cancels, and, as long as e^(-2 s2 t) is above the root of the size of the start, at most sqrt(size) b s2/(s2 -
    size a2): small starts stay near zero. While the stronger mode is learned (size e^(2 s2 t) = k), b(t) tends to
    k b/(1 + k a2/s2) times e^(-(s2 - s1) t)."""
    more = RISES[0] * (fade2 * aligned1 + RISES[1] * definite)
    denominator = fade1 * fade2 * (1 - a2 / s2) + fade1 * a2 / s2 + more.subs({definite: D, aligned1: a1})
    strong = of_modes(b, WHILE_STRONG) / sqrt(lag / kept)
    yield same(course[b] * denominator, sqrt(fade1) * sqrt(fade2) * b)
    yield positive(more, given=[fade1 < 1, fade2 < 1])
    yield positive(1 - a2 / s2, given=s2 > a2)
    yield tends(size * b * s2 / (s2 - size * a2) / sqrt(size), [size], 0)
    yield tends(strong, [size, lag], fixed(kept * b / (1 + kept * a2 / s2)))

@paper.claim("Section 5, the modes are learned as if decoupled, the stronger one", rests_on="decoupling_solves_the_flow",
)
def stronger_mode_of_small_starts():
    """For s2 > s1, while the stronger mode of a small start is learned (size e^(2 s2 t) = k), a2(t) tends to k a2/(1
    + k a2/s2): its course without any coupling."""
    yield tends(of_modes(a2, WHILE_STRONG), [size, lag], fixed(kept * a2 / (1 + kept * a2 / s2)))

def weaker_mode(start):
    """The course of the weaker mode without coupling."""
    return kept * start / (1 + kept * start / s1)

# One over the logarithm of one over the size of the start; r = D/a2 = a1 - b^2/a2.
rare, lowered = symbols("rare r", positive=True)
@paper.claim([
        "Abstract, previous solutions described learning without the fine-scale structure",
        "Section 5, the modes are learned as if decoupled, the weaker one",
    ],
    quote="We characterise how network weights dynamically align with task structure, rigorously justifying why previous solutions "
    "successfully described learning from small initial weights without incorporating their fine-scale structure.",
    needs={"the_lowered_start": lambda: tends(of_modes(a1, WHILE_WEAK), [size, passed], fixed(weaker_mode(a1)))},
    rests_on="stronger_mode_of_small_starts")
def weaker_mode_of_small_starts():
    """For s2 > s1, while the weaker mode of a small start is learned, a1(t) tends to k r/(1 + k r/s1) with r = D/a2 =
    a1 - b^2/a2: it is learned as if decoupled from a start that the stronger mode has lowered by b^2/a2. It is half learned
    at size e^(2 s1 t) = s1/r, not s1/a1: later by the constant ln(a1/r)/(2 s1), while the ratio of both times tends to
    one."""
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
    start: the direction of the stronger mode decouples before anything is learned, while b^2/(a1 a2) stays what it
    was. With equal singular values nothing decouples before."""
    at_time = {entry: course[entry].subs(SCALED, simultaneous=True).subs(DEFINITE) for entry in (a1, a2, b)}
    yield tends(at_time[b] / at_time[a2], [size], fixed(b / a2) * sqrt(fade2) / sqrt(fade1))
    yield tends(at_time[b] ** 2 / (at_time[a1] * at_time[a2]), [size], fixed(b**2 / (a1 * a2)))

# --- equation 15 --------------------------------------------------------------------------------------------------------
by_fade = EQ_15.right.subs(t, -tau * log(fade) / (2 * s)).doit()  # Equation 15 with F = e^(-2 s t/tau) as a symbol
LONE = {"a1": aligned1, "a2": b**2 / aligned1}
@EQ_15.claim(put={"a1": aligned1, "a2": DEFINITE[a2]}, corrected_by="diagonal_of_small_starts",
    rests_on="decoupling_solution_equal")
def printed_sigmoid(eq):
    """The printed course ends where a1(t) ends, at s, as F = e^(-2 s t/tau) goes to zero, from starts of every size."""
    in_time = fixed(by_fade).subs(fade, exp(-2 * s * t / tau))
    yield same(eq.right, in_time)
    yield tends(fixed(by_fade), [fade], s)

paper.corrected("printed_sigmoid", SIGMOID, by="decoupling_solution_equal")

@paper.claim("Eq. 15, corrected", rests_on="decoupling_solution_equal")
def diagonal_of_small_starts():
    """For equal singular values and a start of vanishing size, while e^(-2 s t) is l times the size, a1(t) tends to
    (l a1 + D/s)/(l^2 + l (a1 + a2)/s + D/s^2), and equation 15 to s a1/(l s + a1 + a2): it drops D. In the end a1(t) goes
    to s and equation 15 to s a1/(a1 + a2)."""
    value = (late * a1 + D / s) / (late**2 + late * (a1 + a2) / s + D / s**2)
    yield tends(of_size(a1_equal, during), [size], fixed(value))
    yield tends(of_size(by_fade, during), [size], fixed(s * a1 / (late * s + a1 + a2)))
    yield tends(fixed(a1_equal), [fade], s)
    yield tends(fixed(by_fade), [fade], fixed(s * a1 / (a1 + a2)))

@EQ_15.claim(
    "Eq. 15, for starts of rank one", put=LONE, name="sigmoid_of_rank_one", rests_on="decoupling_solution_equal")
def sigmoid_of_rank_one(eq):
    """For equal singular values and a start of rank one, D = 0, equation 15 is a1(t) exactly, for starts of any
    size."""
    lone = {a1: aligned1, a2: b**2 / aligned1}
    yield same(eq.right, a1_equal.subs(lone).subs(fade, exp(-2 * s * t / tau)))

@paper.claim("Eq. 15, before the modes are learned", rests_on="decoupling_solution_equal")
def sigmoid_at_early_times():
    """At a fixed time, long before a small start has learned anything, a1(t) and equation 15 both grow as a1 e^(2 s
    t)."""
    yield from (tends(of_size(value) / size, [size], fixed(a1 / fade)) for value in (a1_equal, by_fade))

@paper.claim("Eq. 15, for decoupled starts", corrected_by="decoupled_sigmoid", rests_on="decoupling_solution_equal")
def sigmoid_of_decoupled_modes():
    """For b = 0 equation 15 is a1(t), the known solution for decoupled starts."""
    yield same(by_fade, a1_equal.subs(b, 0), given=fade < 1)

@paper.claim(["Section 5, b(0) = 0", "Eq. 15, for decoupled starts, corrected"],
    quote="such that taking b(0) = 0 recovers previously known and more restricted solutions for the decoupled case [17].",
    rests_on="decoupling_solves_the_flow")
def decoupled_sigmoid():
    """For b = 0, b stays zero and each entry is the known solution s1 e^(2 s1 t)/(e^(2 s1 t) - 1 + s1/a1) = s1
    a1/(e^(-2 s1 t) (s1 - a1) + a1), for equal singular values too: the other mode does not enter."""
    start = {b: Integer(0), a1: aligned1, a2: definite}
    known = s1 / fade1 / (1 / fade1 - 1 + s1 / aligned1)
    yield same(course[a1].subs(start), known, given=[fade2 < 1, fade1 < 1])
    yield same(known, s1 * aligned1 / (fade1 * (s1 - aligned1) + aligned1))
    yield same(Subs(course[b], b, 0), 0)

# --- half learned at the peak -------------------------------------------------------------------------------------------
half_late = Symbol("half_late", positive=True)  # l at the time at which a1 is half learned
@paper.claim("Section 5, the on-diagonal element is half learned",
    quote="which coincides approximately with the time at which the on-diagonal element is half learned.",
    needs={"approximately": lambda: tends(of_size(a1_equal, at_peak), [size], s / 2)}, rests_on="peak_of_small_starts")
def half_learned_time_of_small_starts():
    """At the peak of a vanishing start a1 is s (a1 + sqrt(D))/(a1 + a2 + 2 sqrt(D)): half learned exactly if a1(0) =
    a2(0), and less than half where a1(0) < a2(0). It is half learned where l = e^(-2 s t)/size solves s^2 l^2 = s (a1 - a2) l
    + D, and b peaks at s^2 l^2 = D: two times t = (ln(1/size) - ln l)/(2 s) that differ by a constant, while their ratio
    tends to one."""
    fraction = (a1 + root) / (a1 + a2 + 2 * root)
    value = (late * a1 + D / s) / (late**2 + late * (a1 + a2) / s + D / s**2)
    learned = s**2 * late**2 - s * (a1 - a2) * late - D
    times = [1 / rare - log(value) for value in (half_late, root / s)]
    yield tends(of_size(a1_equal, at_peak), [size], fixed(s * fraction))
    yield same(fixed((fraction - Rational(1, 2)) * 2 * (a1 + a2 + 2 * root)), fixed(a1 - a2))
    yield same(fixed(s - 2 * value), fixed(learned / (s * late**2 + late * (a1 + a2) + D / s)))
    yield tends(times[0] / times[1], [rare], 1)

# --- large starts -------------------------------------------------------------------------------------------------------
inverse_size = Symbol("inverse_size", positive=True)
FADING = [fade1 < 1, fade2 < 1]

# A growing start of rank one, with equal singular values.
of_rank_one = {a1: aligned1 / inverse_size, a2: b**2 / (aligned1 * inverse_size), b: b / inverse_size}
lone_course = a1_equal.subs(of_rank_one, simultaneous=True)
above_task = (s / (1 - fade) - s) / fade  # how far s/(1 - F) is above s, as a multiple of F
@paper.claim("Section 5, large starts",
    quote=r"the dynamics of the on-diagonal element $a_1$ is close to exponential (Fig. 4D-F left and right columns).",
    needs={
        "full_rank": lambda: tends(lone_course, [inverse_size], s / (1 - fade), given=fade < 1),
        "late_times": lambda: same(above_task, s, given=fade < 1),
    },
    rests_on="decoupling_solves_the_flow")
def diagonal_of_large_starts():
    """For starts of growing size with D > 0, a1(t) tends to s1/(1 - e^(-2 s1 t)) at every fixed time t > 0, whatever
    the start, exponential at late times; and b(t) falls as one over the size: sqrt(f1 f2) b s1 s2/(D (1 - f1) (1 - f2)) over
    it, with f = e^(-2 s t)."""
    large = {a1: a1 / inverse_size, a2: a2 / inverse_size, b: b / inverse_size}
    grown = {entry: course[entry].subs(large, simultaneous=True).subs(DEFINITE) for entry in (a1, b)}
    left = sqrt(fade1) * sqrt(fade2) * b * s1 * s2 / (root**2 * (1 - fade1) * (1 - fade2))
    yield tends(grown[a1], [inverse_size], s1 / (1 - fade1), given=FADING)
    yield tends(grown[b] / inverse_size, [inverse_size], left, given=FADING)
    yield tends(above_task, [fade], s, given=fade < 1)

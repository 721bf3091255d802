"""Pictures beside refuted claims: these and their corrections, at numbers chosen to tell them apart."""

from derivations.papers.braun_2022.setup import *
from derivations.language.words.entries import with_entries
from derivations.papers.braun_2022 import section_3, section_4
from derivations.papers.braun_2022.section_5_decoupling import SCALED, a1_equal, a2_equal, b_equal, rest_time, size
from derivations.papers.braun_2022.section_6_tasks import reversal, shallow

GRAM, TASK = Matrix([[a1, b], [b, a2]]), diag(s, s)
RATES = (TASK * GRAM + GRAM * TASK - 2 * GRAM * GRAM) / tau  # how A'A moves for equal singular values, entry by entry

def in_time(entry):
    return entry.subs(fade, exp(-2 * s * t / tau))

def stepping(first, start):
    """The flow of A'A from a start, the named entry first."""
    every = [(a1, RATES[0, 0], start[0]), (a2, RATES[1, 1], start[1]), (b, RATES[0, 1], start[2])]
    return tuple(sorted(every, key=lambda row: row[0] is not first))

def held(start):
    return ((s, 1), (tau, 1), *zip((a1, a2, b), start, strict=True))

COUPLED = (Fraction(1, 100), Fraction(3, 200), Fraction(1, 100))
ALONE = (Fraction(1, 100), Fraction(1, 20), 0)
for name, start, says in (("printed_sigmoid", COUPLED, "The course of a1 from a small coupled start."),
    ("sigmoid_of_decoupled_modes", ALONE, "The course of a1 without coupling, b = 0.")):
    curves = (("Eq. 15", EQ_15.right), ("derived", in_time(a1_equal)))
    paper.picture(name, Picture(says, t, 5, curves, held=held(start), flow=stepping(a1, start)))

paper.picture("printed_peak_time",
    Picture("The time of the peak of b, by how far one mode is aligned.", a1, Fraction(7, 2),
        (("as printed", PEAK.right), ("derived", rest_time)), start=Fraction(3, 10),
        held=((s, 5), (tau, 1), (a2, 1), (b, Fraction(1, 2)))))

SMALL, DIRECTION = Fraction(1, 100), (1, 2, 1)
SIZES = (Fraction(1, 10), SMALL, Fraction(1, 1000))
paper.picture("small_starts_stay_near_zero",
    Picture("The off-diagonal b from ever smaller starts: its peak comes later and is no lower. Simulated for 1/100.",
        t, 7, (("as claimed", Integer(0)),
            *((f"start of size {of}", in_time(b_equal).subs(SCALED, simultaneous=True).subs(size, of))
                for of in map(Rational, SIZES))), held=held(DIRECTION), flow=stepping(b, (SMALL, 2 * SMALL, SMALL))))

UNEVEN = (Fraction(1, 500), Fraction(1, 50), Fraction(1, 200))
paper.picture("half_learned_time_of_small_starts_without_approximately",
    Picture("Where b peaks, a1 is far from s/2, and so is a2. Simulated: a1.", t, 6,
        (("s/2", s / 2), ("a1", in_time(a1_equal)), ("a2", in_time(a2_equal)), ("b", in_time(b_equal))),
        held=held(UNEVEN), flow=stepping(a1, UNEVEN)))

paper.picture("large_starts_fall_fast_without_late_times", Picture("An aligned mode from a small start.", t, 4, (
            ("exponential", (s + (section_3.a - s) * section_4.faded).subs(section_4.faded, exp(-2 * s * t))),
            ("derived", section_4.course)), held=((s, 1), (section_3.a, Fraction(1, 20))),
        flow=((section_3.value, 2 * section_3.value * (s - section_3.value), Fraction(1, 20)),)))

# --- relearning the opposite ------------------------------------------------------------------------------------------
LEAN = Fraction(1, 10)  # lambda, the imbalance that noise has left
kappa = sqrt(s**2 + reversal.lam**2 / 4)
unbalanced = reversal.product.subs(reversal.height, reversal.from_reversal).subs(reversal.kappa, kappa)
balanced = -reversal.shrinking

function = reals("function")  # w2 w1
narrow = reversal.narrow_flow
of_numbers = {shallow.task: Matrix([s]), shallow.decay: Matrix([exp(-t)])}
sum_of_weights = sqrt(2 * (kappa - s)).subs({s: 1, reversal.lam: Rational(LEAN)})
apart = Rational(LEAN) / sum_of_weights
paper.picture("any_noise_escapes", Picture(
        "The function of a network that has learned -s, with one neuron in each layer; noise that keeps the balance does not "
        "help. Simulated: noise that breaks it.", t, 6, (("balanced noise", balanced),
            ("unbalanced noise", unbalanced),
            ("shallow network", with_entries(shallow.reversed_course, of_numbers)[0, 0]),
        ), held=((s, 1), (reversal.noisy, 1), (reversal.lam, LEAN)), flow=(
            (function, reversal.second * narrow[reversal.first] + reversal.first * narrow[reversal.second], -1),
            (reversal.first, narrow[reversal.first], (sum_of_weights - apart) / 2),
            (reversal.second, narrow[reversal.second], (sum_of_weights + apart) / 2))))

"""Beyond the paper: how long things take, by boxes that no solution leaves.

The time constants, in epochs, are those that fit the five nonlinearities of Figure 2 best, of one network of each kind
trained by this project from seed 0 with |x2 - x1|^2 = 1 and |y2 - y1|^2 = 1/2. Starts are known to a thousandth.
"""

from derivations.papers.van_rossem_saxe_2024.setup import *

FITTED = {  # tau_h, tau_y, and |dh|^2, |dy|^2 and w at the start
    "linear": ("107.90", "158.64", "0.08741", "8.676e-7", "-6.578e-4"),
    "ReLU": ("869.0", "14.27", "0.003453", "1.256e-8", "7.925e-5"),
    "ELU": ("89.74", "137.23", "0.5773", "4.221e-5", "-4.552e-3"),
    "tanh": ("111.79", "159.90", "0.08581", "8.515e-7", "-6.516e-4"),
    "swish": ("206.30", "116.93", "0.09327", "6.087e-6", "-1.739e-3")}
TINY = Rational(1, 10**6)
LEARNED = Rational(1, 2)  # |dy|^2 in the end: that of the targets
REAL = without_signs(h, y, w)  # without signs: boxes around |dh|^2 and |dy|^2 reach below zero at times

def fitted(kind, flow=derived_flow):
    """A flow of |dh|^2, |dy|^2 and w with the constants of a kind of network, and a thousandth around its start."""
    slow_h, slow_y, *start = (Rational(number) for number in FITTED[kind])
    known = {X: 1, s: LEARNED, tau_h: slow_h, tau_y: slow_y}
    margin = Rational(1, 2000)
    around = {REAL[k]: (v - abs(v) * margin, v + abs(v) * margin) for k, v in zip((h, y, w), start, strict=True)}
    return {REAL[k]: rate.subs(known | REAL) for k, rate in flow.items()}, around

def waits(kind, twentieth, half, ahead):
    """The epochs between which |dy|^2 reaches a twentieth and half of its end, and before that |dh|^2 a value."""
    level, after, until = ahead
    distance, prediction = REAL[h], REAL[y]
    learned = Eq(prediction, LEARNED / 2)
    says = [reaches(Eq(prediction, LEARNED / 20), twentieth),
        before(Eq(distance, Rational(level)), learned, (after, until)), reaches(learned, half)]
    return trajectory(*fitted(kind), says=says)

paper.states("plateaus_of_nonlinearities: derived_system", "Figure 2, bottom, in time",
    "From every start within a thousandth of the fitted one, |dy|^2 has a twentieth of |y2 - y1|^2, and then half of "
    "it, for the first time between the epochs 874 and 876, and 1654 and 1656 (linear), 1070 and 1072, and 1739 and "
    "1741 (ReLU), 215 and 216, and 737 and 739 (ELU), 895 and 897, and 1692 and 1694 (tanh), 792 and 793, and 1703 "
    "and 1705 (swish). In between |dh|^2 reaches 0.4945 between 1364 and 1365 (linear), 0.0479 between 1473 and 1475 "
    "(ReLU), 0.8934 between 613 and 615 (ELU), 0.4874 between 1395 and 1397 (tanh), and 0.3366 between 1385 and 1387 "
    "(swish).",
    lambda: [waits("linear", (874, 876), (1654, 1656), ("0.4945", 1364, 1365)),
        waits("ReLU", (1070, 1072), (1739, 1741), ("0.0479", 1473, 1475)),
        waits("ELU", (215, 216), (737, 739), ("0.8934", 613, 615)),
        waits("tanh", (895, 897), (1692, 1694), ("0.4874", 1395, 1397)),
        waits("swish", (792, 793), (1703, 1705), ("0.3366", 1385, 1387))], expect="certified")

@paper.claim("Eq. 7, in time", rests_on="derived_system", expect="certified")
def printed_system_runs_ahead():
    """With the constants and starts fitted to the ReLU network, at epoch 1200 the printed equation 7 has |dy|^2 above
    0.44 and the system derived from the loss has it below 0.05, of 0.5 in the end."""
    flow, start = prove.beside(derived=fitted("ReLU"), printed=fitted("ReLU", printed_flow))
    derived, printed = (next(k for k in flow if k.name == f"y_{run}") for run in ("derived", "printed"))
    low, high = (Rational(share, 100) for share in (5, 44))
    at_once = (1200, 1200)
    yield trajectory(flow, start, says=[stays(derived < low, at_once), stays(printed > high, at_once)])

def on_a_line(start, target):
    """The signed flow of a and b where all constants are 1, with n from the conserved a^2 - n, and its start."""
    difference = start[a] ** 2 - start[n]
    flow = {k: rate.subs({X: 1, tau_h: 1, tau_y: 1, s: target}) for k, rate in signed_flow.items()}
    return {k: flow[k].subs(n, a**2 - difference) for k in (a, b)}, {k: start[k] for k in (a, b)}

@paper.claim(
    "Eq. 36, separatrix, on its two sides", rests_on="separatrix_ends_at_zero conserved_difference", expect="certified")
def two_sides_of_the_separatrix():
    """With all constants 1, dh = 1 and D_y = -1 is a start on the separatrix. From D_y = -99/100 the signed distance
    tends to a point between 1.0049 and 1.0050; from D_y = -101/100 it is zero between the times 9.22 and 9.23, and
    tends to a point between -0.9950 and -0.9949. From D_y = -1 it is 1/100 between 17.03 and 17.04."""
    near, far = (on_a_line({a: 1, b: u, n: u**2}, target=1) for u in (Rational(-99, 100), Rational(-101, 100)))
    crossing = reaches(Eq(a, 0), tuple(map(Rational, ("9.22", "9.23"))))
    yield trajectory(*near, says=settles({a: ("1.0049", "1.0050"), b: ("0.9950", "0.9951")}))
    yield trajectory(*far, says=[crossing, settles({a: ("-0.9950", "-0.9949"), b: ("-1.0051", "-1.0050")})])
    flow, start = on_a_line({a: 1, b: -1, n: 1}, target=1)
    close = reaches(Eq(a, Rational(1, 100)), tuple(map(Rational, ("17.03", "17.04"))))
    fades = converges(60, {a: (-TINY, TINY)}, Rational(1, 5))
    yield same(Subs(flow[a] + flow[b], b, -a))
    yield trajectory({a: flow[a].subs(b, -a)}, {a: start[a]}, says=[close, fades])

def settles(box):
    """From the time 60 on in a box, and towards a point there at the rate 2/5 or faster."""
    return converges(60, {k: tuple(map(Rational, ends)) for k, ends in box.items()}, Rational(2, 5))

flow, start = on_a_line({a: Rational(1, 2), b: Integer(0), n: Integer(1)}, target=0)
close = reaches(Eq(a, Rational(1, 100)), tuple(map(Rational, ("20.0", "20.1"))))
merged = converges(80, {a: (-TINY, TINY)}, Rational(1, 8))
paper.states("equal_targets_merge_in_time: signed_coordinates conserved_difference",
    "Section 3.1, equal targets, in time",
    "With equal targets and all constants 1, two points with |dh| = 1/2 and |u| = 1 at the start are a hundredth "
    "apart for the first time between the times 20.0 and 20.1, and tend to a rest less than a millionth from each "
    "other.",
    lambda: trajectory({a: flow[a].subs(b, 0)}, {a: start[a]}, says=[close, merged]), expect="certified")

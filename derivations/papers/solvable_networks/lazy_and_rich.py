"""Section 5, lazy and rich: what learning changes in a mode, how it ends, and how long it waits; and figures 1 and 2."""

from derivations.papers.solvable_networks.setup import *
from derivations.papers.solvable_networks.emitted import (
    DIVISOR, FADED, MODE, ROOTS, TIMES, a0, fade, lam, mode, tau, value)
from derivations.papers.solvable_networks.modes import faded, g, lower, s, t, u0, upper, v0
from derivations.language.words.entries import with_entries

begun, mu = reals("a0 mu > 0")  # a value above zero to begin with, and the size of lambda/2
start = {v0: g * (2 * s + g) / u0}
ups, downs = u0 * upper(faded) / lower(faded), v0 * lower(faded) / upper(faded)
first, last = sqrt(begun**2 + mu**2), sqrt(s**2 + mu**2)
paper.states("kernel_of_a_mode_grows: mode_from_lazy_to_rich", "5.12 From lazy to rich",
    "With u0 v0 = g (2 s + g), u tends to 2 s + g and v to g: the tangent kernel of the mode, u + v = 2 r, grows by "
    "((s^2 + lambda^2/4)/(a0^2 + lambda^2/4))^(1/2). It stays where the balance is large, of either sign. W1'W1, "
    "which is r - lambda/2, stays where lambda is large and negative, and grows by s^2/a0^2 where it is large and "
    "positive: a network that looks lazy at its outputs can be rich inside.",
    lambda: [tends(ups.subs(start), {t: oo}, 2 * s + g), tends(downs.subs(start), {t: oo}, g),
        same((s + g) ** 2, s**2 + u0 * v0, given=Eq(g * (2 * s + g), u0 * v0)),
        same(((u0 + v0) / 2) ** 2, ((u0 - v0) / 2) ** 2 + u0 * v0), tends(last / first, {mu: oo}, 1),
        tends((last + mu) / (first + mu), {mu: oo}, 1), tends((last - mu) / (first - mu), {mu: oo}, s**2 / begun**2)])

balance, depth, ahead, units = reals("lambda d a > 0, x >= 0")
lazy = s + (a0 - s) * exp(-units)
paper.states("large_balance_is_lazy: mode_in_sums", "5.13 The lazy limit",
    "In the time x = |lambda| t the mode tends to the exponential s + (a0 - s) exp(-x) as lambda goes to either "
    "infinity, from every start: the network learns as one layer does.",
    lambda: [*(tends(MODE.subs({lam: sign * balance, t: units / balance}), {balance: oo}, lazy) for sign in (1, -1)),
        tends(sqrt(balance**2 + 4 * a0**2) * (s - a0) / balance, {balance: oo}, s - a0)])

@paper.claim("5.14 How a mode ends", rests_on="mode_in_sums")
def modes_end_exponentially():
    """The distance s - a falls as e = exp(-2 R t): from r0 + a0 > 0, so from every start unless lambda = 0, (s - a)/e
    tends to 4 R^2 (s - a0)/((R + s + r0 - a0)(R - s + r0 + a0))."""
    start, size, root = (u0 - v0) / 2, (u0 + v0) / 2, s + g
    end = 4 * root**2 * (s - start) / ((root + s + size - start) * (root - s + size + start))
    yield same(s - MODE, (s - a0) * FADED / DIVISOR)
    yield tends((s - start) / mode(fade, start, size, root)[1], [fade], end)

@paper.claim("5.15 Starts of the wrong sign", rests_on="mode_time_in_sums braun_2022:escape_takes_long")
def wrong_signs_wait_by_a_logarithm():
    """From -d < 0 the time T to zero has lambda exp(2 R T) -> 4 s d/(s + d) as lambda goes to zero, and to a between 0
    and s lambda^2 exp(2 R T) -> 16 s^2 a d/((s - a)(s + d)): ln(1/lambda)/(2 s), and twice that. For d = s exp(2 R T) =
    2 s (2 (R + s) + lambda)/(lambda (2 (R + s) - lambda)), as for Braun's network of width one."""
    time = TIMES[False].subs({tau: 1, a0: -depth, lam: balance})
    zero, later, root = time.subs(value, 0), time.subs(value, ahead), ROOTS[1].subs(lam, balance)
    grown = [exp(2 * root * T) for T in (zero, later)]
    one, wait = 2 * (root + s), -log(balance) / (2 * s)
    yield tends(balance * grown[0], {balance: 0}, 4 * s * depth / (s + depth))
    yield tends(balance**2 * grown[1], {balance: 0}, 16 * s**2 * ahead * depth / ((s - ahead) * (s + depth)), ahead < s)
    yield tends(zero / wait, {balance: 0}, 1)
    yield tends(later / wait, {balance: 0}, 2, ahead < s)
    yield same(grown[0].subs(depth, s), 2 * s * (one + balance) / (balance * (one - balance)))

FIGURES = [
    ("1", ("What learning changes in one mode over balance and scale, measured in gradient descent: the growth of the tangent kernel, "
     "that of W1'W1, and the time to half the task beside that of a fixed kernel."), "kernel_of_a_mode_grows time_of_a_mode"),
    ("2", ("Gradient descent from random starts of width 10 to 10,000 beside the solution of two levels, whose error falls as one over "
     "the root of the width, and beside that of a balanced start, whose error does not."),
     "wide_starts_have_two_levels solution_without_differences riccati_flow_with_a_remainder")]

for number, says, rests_on in FIGURES:
    paper.experiment(f"Figure {number}", f"fig_{number}", says, rests_on=rests_on.split())

# === How long a small balance lambda takes to lead out of a reversal, by boxes that no solution leaves ===
number = Rational
p, q = reals("p q")
ENTRIES = {W1: Matrix([p]), W2: Matrix([q]), Sigma: Matrix([1])}
FLOW = {weight: with_entries(net.flow[letter], ENTRIES)[0, 0] for letter, weight in ((W1, p), (W2, q))}

def turns_around(extra, zero, learned):
    """Between which times W2 W1 passes zero, and reaches nine tenths of the task."""
    windows = ((0, zero), (number("0.9"), learned))
    events = [reaches(Eq(p * q, level), tuple(map(number, window))) for level, window in windows]
    return trajectory(FLOW, {p: 1, q: -1 - number(extra)}, says=events)

paper.states("reversal_in_time", "Reversal learning, in time",
    "A network of width one, W1 = 1 and W2 = -1, that is asked for 1 with tau = 1 is still negative at time 20. With "
    "W2 lower by 10^-2, 10^-4 or 10^-6 it passes zero between the times 2.30 and 2.31, 4.60 and 4.61, or 6.90 and "
    "6.91, and has learned nine tenths between 6.04 and 6.05, 10.65 and 10.66, or 15.26 and 15.27.",
    lambda: [trajectory(FLOW, {p: 1, q: -1}, says=stays(p * q < 0, (0, 20))),
        turns_around("0.01", ("2.30", "2.31"), ("6.04", "6.05")),
        turns_around("0.0001", ("4.60", "4.61"), ("10.65", "10.66")),
        turns_around("0.000001", ("6.90", "6.91"), ("15.26", "15.27"))], expect="certified")

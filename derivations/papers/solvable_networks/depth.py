"""Section 5, continued: how long chains of N layers take, in closed form, and for every N > 2 from small starts."""

from derivations.papers.solvable_networks.setup import *

a, a0, s, w, k, x, depth = reals("a a0 s w k > 0, x, N > 0")

def takes(time, at, rate, end):
    """That a time grows by one in the time one where `at` moves with that rate towards its end."""
    return same(Derivative(time, at) * rate, 1, given=at < end)

turn = atan((2 * w + k) / (sqrt(3) * k)) / (sqrt(3) * k)
three = (log(k**2 + k * w + w**2) - 2 * log(k - w)) / (6 * k) - turn - 1 / w
four = log((k**2 + w**2) / (k**2 - w**2)) / (4 * k**2) - 1 / (2 * w**2)
paper.states("times_of_shallow_chains: deep_modes", "5.9 The time of learning for 2, 3 and 4 layers",
    "Where da = N a^(2 - 2/N) (s - a), the time from a0 to a is T(a) - T(a0). For N = 2, T = ln(a/(s - a))/(2 s). "
    "For N = 3 and 4 with a = w^N and s = k^N, k^3 T = (ln(k^2 + k w + w^2) - 2 ln(k - w))/(6 k) - arctan((2 w + "
    "k)/(k 3^(1/2)))/(k 3^(1/2)) - 1/w, and k^4 T = ln((k^2 + w^2)/(k^2 - w^2))/(4 k^2) - 1/(2 w^2).",
    lambda: [takes(log(a / (s - a)) / (2 * s), a, 2 * a * (s - a), s), takes(three / k**3, w, w**2 * (k**3 - w**3), k),
        takes(four / k**4, w, w**3 * (k**4 - w**4), k)])

rate = depth * a ** (2 - 2 / depth) * (s - a)
duration = Integral(1 / (depth * x ** (2 - 2 / depth) * (s - x)), (x, a0, a))
least = (a0 ** (2 / depth - 1) - a ** (2 / depth - 1)) / (s * (depth - 2))
more = (a ** (2 / depth) - a0 ** (2 / depth)) / (2 * s * (s - a))
RISING = [a < s, a0 < a, depth > 2]
leading = a0 ** (2 / depth - 1) / (s * (depth - 2))
under = x ** (2 / depth - 2) / (depth * s)
above = under + x ** (2 / depth - 1) / (depth * s * (s - a))
paper.states("small_starts_wait_by_a_power: deep_modes",
    "5.10 The time of learning for more than 2 layers, from small starts",
    "For every N the time from a0 to a < s is the integral of 1/(N x^(2 - 2/N) (s - x)). For N > 2, whole or not, it "
    "is at least (a0^(2/N - 1) - a^(2/N - 1))/(s (N - 2)), and at most that and (a^(2/N) - a0^(2/N))/(2 s (s - a)): "
    "as a0 goes to zero it is a0^(2/N - 1)/(s (N - 2)) to leading order, whatever a is, where two layers need "
    "ln(1/a0)/(2 s).",
    lambda: [same(Derivative(duration, a) * rate, 1, RISING[:2]),
        holds(duration >= Integral(under, (x, a0, a)), RISING), same(Integral(under, (x, a0, a)), least, RISING),
        holds(duration <= Integral(above, (x, a0, a)), RISING), same(Integral(above, (x, a0, a)), least + more, RISING),
        *(tends(bound / leading, {a0: 0}, 1, RISING[:1] + RISING[2:]) for bound in (least, least + more)),
        tends(log(a * (s - a0) / (a0 * (s - a))) / (2 * s) / (-log(a0) / (2 * s)), {a0: 0}, 1, RISING[:1])])

paper.states("deep_chains_end_exponentially: deep_modes", "5.11 How deep chains end",
    "Near the end s - a falls at the rate N s^(2 - 2/N), and at 2 s for two layers.",
    lambda: [same(Subs(Derivative(rate, a), a, s), -depth * s ** (2 - 2 / depth)),
        same(Subs(depth * s ** (2 - 2 / depth), depth, 2), 2 * s)])

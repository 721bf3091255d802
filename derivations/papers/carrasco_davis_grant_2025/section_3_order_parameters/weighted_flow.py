"""Beyond equation 20: one list of fields, in which students and teachers differ only by their signs.

The fields phi = (lambda, rho) have signs s = (-1, ..., +1, ...), so that Delta is the sum of s_f g(phi_f) and the noise; with
a second layer the signs are -v and v*. Both flows and the error are then sums over one range, for signs of any size.
"""

from __future__ import annotations

from derivations import prove
from derivations.language.sums import Array, Index, Range, Sums, delta, derivative, size, total
from derivations.models import committee as net
from derivations.models.committee import HALF, RECIPROCALS, B, N, a, eta, per_input, per_sample, root, s, sigma, x
from derivations.models.committee.population import NOISE, ON_A_SPHERE, average, over_batches
from derivations.papers.carrasco_davis_grant_2025.setup import paper
from derivations.papers.carrasco_davis_grant_2025.source import examples
from derivations.prove import Certificate

F = Range("F")
i, k, n, f, h = (F.index(name) for name in "iknfh")
weights, sign = Array("weights", F, N), Array("sign", F)
g, slope = Array("g", F, B), Array("slope", F, B)

DATA = [examples.signed()]

error = total(sign[f] * g[f, s], f) + sigma * net.noise[s]
loss = HALF * per_sample * total(error * error, s)


def field(of: Index) -> Sums:
    return root * total(weights[of, a] * x[s, a], a)


def step(unit: Index, place: Index) -> Sums:
    """The update of a student's weights, computed from the loss."""
    moved = Index("moved_input", N)

    def rate(of: Index, sample: Index) -> Sums:
        return slope[of, sample] * root * total(delta(of, unit) * delta(moved, place) * x[sample, moved], moved)

    return -1 * eta * derivative(loss, {g: rate})


def mean_rate(after: Sums, before: Sums) -> Sums:
    """Over dt = 1/N, without the pairs of different samples."""
    return size(N) * (
        over_batches(per_input * total(after, a), net.population.ONE_SAMPLE_TWICE) - per_input * total(before, a)
    )


def I2(first: Index, second: Index) -> Sums:
    return average(g[first, s] * g[second, s], s)


def I3(unit: Index, linear: Index, valued: Index) -> Sums:
    return average(slope[unit, s] * field(linear) * g[valued, s], s)


def I4(unit: Index, other: Index, first: Index, second: Index) -> Sums:
    return average(slope[unit, s] * slope[other, s] * g[first, s] * g[second, s], s)


def J2(unit: Index, other: Index) -> Sums:
    return average(slope[unit, s] * slope[other, s], s)


def pulled(unit: Index, along: Index) -> Sums:
    """The linear part of both flows."""
    return -1 * eta * sign[unit] * total(sign[f] * I3(unit, along, f), f)


teacher_flow = pulled(i, n)
quadratic_flow = (
    eta
    * eta
    * per_sample
    * sign[i]
    * sign[k]
    * (total(sign[f] * sign[h] * I4(i, k, f, h), f, h) + sigma * sigma * J2(i, k))
)
student_flow = pulled(i, k) + pulled(k, i) + quadratic_flow
mean_squared_error = HALF * average(error * error, s)
error_by_integrals = HALF * total(sign[f] * sign[h] * I2(f, h), f, h) + HALF * sigma * sigma


@paper.claim("Beyond: Eq. 20, line 1, any signs")
def teacher_flow_with_signs() -> Certificate:
    """The mean update of the overlap of a student i with weights that stay, over dt, is -eta s_i times the sum of s_f I3(i, n, f) over
    all fields, for students of every second-layer weight."""
    after = (weights[i, a] + step(i, a)) * weights[n, a]
    return prove.sums(mean_rate(after, weights[i, a] * weights[n, a]), teacher_flow, [*RECIPROCALS, *NOISE[:1]], DATA)


@paper.claim("Beyond: Eq. 20, lines 2 to 4, any signs")
def student_flow_with_signs() -> Certificate:
    """With |x|^2 = N and without the pairs of different samples, the mean update of Q over dt is -eta (s_i s_f I3(i, k, f) + s_k s_f
    I3(k, i, f)) summed over f, and eta^2 s_i s_k/B times s_f s_h I4(i, k, f, h) summed over f and h and sigma^2 J2(i, k)."""
    after = (weights[i, a] + step(i, a)) * (weights[k, a] + step(k, a))
    hypotheses = [*RECIPROCALS, *NOISE, *ON_A_SPHERE]
    return prove.sums(mean_rate(after, weights[i, a] * weights[k, a]), student_flow, hypotheses, DATA)


@paper.claim("Beyond: Eq. 19, any signs")
def error_with_signs() -> Certificate:
    """Half the mean squared error is half the sum of s_f s_h I2(f, h) over all pairs of fields, and sigma^2/2."""
    return prove.sums(mean_squared_error, error_by_integrals, NOISE, DATA)

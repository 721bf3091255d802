"""Equal students, equal teachers: K = M, T = 1, four order parameters, and sums counted instead of unrolled.

    Q_ii = Q, Q_ik = C, R_ii = R, R_in = S

A sum over all fields meets the units that the term names one by one, and all others as one representative times their
number, so that K stays a symbol. The slopes of two students tilt their sum and their difference apart, which keeps
every covariance a difference of squares.
"""

from __future__ import annotations
from derivations.papers.carrasco_davis_grant_2025.setup import *
from dataclasses import dataclass, replace
from functools import cache
from derivations.language.averages import Bell, field, mean

K = Symbol("K", positive=True)
Q, C, R, S = symbols("Q C R S", real=True)
SCALED = Bell(sqrt(2 / pi), Integer(1))
Field = tuple[str, str]  # "student" or "teacher", and the unit's label
ORDER = (R, S, Q, C)

@dataclass(frozen=True)
class Overlaps:
    """Averages at given values of the four order parameters, which may be symbols or numbers."""

    R: Any = R
    S: Any = S
    Q: Any = Q
    C: Any = C

    def covariance(self, f, h):
        same = f[1] == h[1]
        if f[0] == h[0] == "student":
            return self.Q if same else self.C
        if f[0] == h[0]:
            return Integer(same)
        return self.R if same else self.S

    def among(self, *fields):
        return Matrix(len(fields), len(fields), lambda a, b: self.covariance(fields[a], fields[b]))

    def drift(self, i, toward):
        """<Delta g'(lambda_i) field>."""
        student = ("student", i)
        return sum(weight * SCALED.slope_linear_value(self.among(student, toward, f), 0, 1, 2) for f,
            weight in counted((i, toward[1]), "other"))

    def narrowed(self, i, k, f, h):
        """The covariance of two fields after tilting by the slopes of the students i and k."""
        at, first, second = self.covariance, ("student", i), ("student", k)
        if i == k:
            return at(f, h) - 2 * at(f, first) * at(h, first) / (1 + 2 * self.Q)
        along, across = ([at(x, first) + side * at(x, second) for x in (f, h)] for side in (1, -1))
        fade = along[0] * along[1] / (1 + self.Q + self.C) + across[0] * across[1] / (1 + self.Q - self.C)
        return at(f, h) - fade / 2

    def tilting_factor(self, i, k):
        """The factor that remains when the constant 1 is tilted by both slopes."""
        if i == k:
            return 1 / sqrt(1 + 2 * self.Q)
        return 1 / (sqrt(1 + self.Q + self.C) * sqrt(1 + self.Q - self.C))

    def value_pairs(self, i, k):
        """All (weight, C') with <Delta^2 g'(lambda_i) g'(lambda_k)> = sum of weight <g' g'> <g g>_C', without noise."""
        gathered = {}
        for f, first in counted((i, k), "other"):
            for h, second in counted((i, k, f[1]), "another"):
                ends = sorted((self.narrowed(i, k, x, x) for x in (f, h)), key=sp.default_sort_key)
                kind = (*ends, self.narrowed(i, k, f, h))
                gathered[kind] = gathered.get(kind, 0) + first * second
        for (one, other, both), weight in gathered.items():
            yield sp.factor(weight), Matrix([[one, both], [both, other]])

    def spread(self, i, k, factor_at=None):
        """<Delta^2 g'(lambda_i) g'(lambda_k)> without noise; the factor of tilting may be that of other overlaps."""
        parts = (weight * SCALED.values(narrowed, 0, 1) for weight, narrowed in self.value_pairs(i, k))
        return SCALED.height**2 * (factor_at or self).tilting_factor(i, k) * sp.Add(*parts, evaluate=False)

    def error(self):
        """Half the mean squared difference of the outputs, without noise."""
        parts = (
            first * second * SCALED.values(self.among(f, h), 0, 1) / 2
            for f, first in counted((), "one")
            for h, second in counted((f[1],), "another")
        )
        return sp.Add(*parts, evaluate=False)

def counted(named, label):
    """Every field with the sign of its output in the error, how often it occurs included."""
    labels = tuple(dict.fromkeys(named))
    for kind, sign in (("student", -1), ("teacher", 1)):
        yield from (((kind, unit), Integer(sign)) for unit in labels)
        yield (kind, label), sign * (K - len(labels))

PERFECT = {R: sp.S.One, S: sp.S.Zero, Q: sp.S.One, C: sp.S.Zero}
GENERAL = Overlaps()
AT_PERFECT = Overlaps(**{x.name: value for x, value in PERFECT.items()})
@cache
def linear_rate(of, at=GENERAL):
    """The part of an order parameter's rate that is linear in eta, over eta."""
    if of in (R, S):
        return at.drift("1", ("teacher", "1" if of == R else "2"))
    other = "1" if of == Q else "2"
    return at.drift("1", ("student", other)) + at.drift(other, ("student", "1"))

@cache
def quadratic_rate(of, at=GENERAL):
    """The part in eta^2/B, over eta^2/B, without noise."""
    return at.spread("1", "1" if of == Q else "2") if of in (Q, C) else Integer(0)

def rate_near_perfect(of, at):
    """To first order around the perfect solution, where the sum that the factor of tilting multiplies vanishes."""
    return at.spread("1", "1" if of == Q else "2", AT_PERFECT) if of in (Q, C) else Integer(0)

@cache
def noise_rate(of, at=GENERAL):
    """The contribution of the teacher's noise to it, over sigma^2 eta^2/B."""
    if of in (R, S):
        return Integer(0)
    return SCALED.height**2 * at.tilting_factor("1", "1" if of == Q else "2")

SPREAD = Overlaps(Q=Symbol("Q", positive=True))  # with students that are not zero

def _average_drift(i, toward, times=1):
    """<Delta g'(lambda_i) field>, with each kind of unit that the term does not name as one field times its number."""
    student, others = ("student", i), list(counted((i, toward[1]), "other"))
    fields = list(dict.fromkeys([student, toward, *(f for f, _ in others)]))
    error = sum((weight * SCALED.value(fields.index(f)) for f, weight in others[1:]), others[0][1] * SCALED.value(0))
    drift = times * SCALED.slope(0) * field(fields.index(toward)) * error
    return mean(drift, SPREAD.among(*fields))

DRIFTS = {
    R: ("1", ("teacher", "1"), 1),
    S: ("1", ("teacher", "2"), 1),
    Q: ("1", ("student", "1"), 2),
    C: ("1", ("student", "2"), 2),
}
@paper.claim("Eq. 20 for equal students and teachers", rests_on="average_of_slope_field_value")
def flow_of_equal_units():
    """For K students of K orthonormal teachers that are alike, the parts of the rates that are linear in eta are, over eta,
    <Delta g'(lambda_1) rho_1>, <Delta g'(lambda_1) rho_2>, 2 <Delta g'(lambda_1) lambda_1> and 2 <Delta g'(lambda_1) lambda_2>, in
    which equal units are counted; these averages have closed forms in R, S, Q, C and K."""
    yield from (same(_average_drift(*DRIFTS[of]), linear_rate(of, SPREAD)) for of in ORDER)

def single_roots(expression):
    """With all roots of a product inside an arcsine as one, whose square the derivative of the arcsine takes."""

    def joined(sine):
        roots = [f for f in sp.Mul.make_args(sine) if f.is_Pow and f.exp.is_Rational and f.exp.q == 2]
        return asin(sine / sp.prod(roots) / sqrt(expand(sp.prod([root**-2 for root in roots]))))

    return expression.replace(asin, joined)

def slopes(rate, at, wrt=ORDER):
    """The Jacobian of the four rates at a point, where all but one order parameter take their values first; nothing is
    differentiated yet."""
    return Matrix(4, len(wrt), lambda i, j: slope(lambda moving: rate(ORDER[i], moving), at, wrt[j]))

def slope(quantity, at, by):
    """The derivative of a quantity by an order parameter, at a point."""
    return put(Derivative(single_roots(quantity(replace(at, **{by.name: by}))), by), {by: getattr(at, by.name)})

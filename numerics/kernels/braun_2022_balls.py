"""Ball twins of the kernels of braun_2022: every result is an interval that surely holds the value.

Arguments are taken exactly as written. `digits` is the working precision; radii tell what is left of it.

Emitted by `derivations update`; edit the paper, never this file.
"""

# mypy: ignore-errors

from fractions import Fraction

from flint import arb, ctx

exp = arb.exp
log = arb.log


def exact(value):
    """The number as written: a float's binary value, text such as 0.1, 1/3 or 0x1.8p+3, a ball as it is."""
    if isinstance(value, arb):
        return value
    number = Fraction(float.fromhex(value) if isinstance(value, str) and "0x" in value else value)
    return arb(number.numerator)/number.denominator


def sqrt(x):
    """The square root; a ball that reaches below zero is cut there."""
    return arb.nan() if x < 0 else x.nonnegative_part().sqrt()


def relexp(x):
    """(exp(x) - 1)/x, and 1 at x = 0."""
    return x.hypgeom_1f1(1, 2)


def branch(surely, surely_not, then, otherwise):
    """The value of the branch taken; where the condition is not decided, a ball around both."""
    if surely:
        return then()
    return otherwise() if surely_not else then().union(otherwise())


def decoupling(a1, a2, b, s1, s2, t, digits=50):
    """The entries of A'A at time t (in units of tau) for two modes, from their values at time zero.

        determinant = a1*a2 - b^2
        sink1 = exp(-s1*t)
        sink2 = exp(-s2*t)
        fade1 = sink1^2
        fade2 = sink2^2
        rise1 = 2*t*relexp(-2*s1*t)
        rise2 = 2*t*relexp(-2*s2*t)
        ahead1 = exp(t*(s2 - s1))
        ahead2 = exp(t*(s1 - s2))
        margin1 = determinant*rise2 - a1*fade2
        margin2 = determinant*rise1 - a2*fade1
        margin = margin1  if s1 >= s2
        margin = margin2  otherwise
        open1 = fade2 + a2*rise2
        open2 = fade1 + a1*rise1
        rest1 = determinant/fade2  if determinant > 0
        rest1 = 0  otherwise
        rest2 = determinant/fade1  if determinant > 0
        rest2 = 0  otherwise
        weight1 = a1*fade2 + determinant*rise2  if margin1 > 0
        weight1 = a1 + rise2*rest1  otherwise
        weight2 = a2*fade1 + determinant*rise1  if margin2 > 0
        weight2 = a2 + rise1*rest2  otherwise
        lifted1 = a2*rise2*ahead1/weight1
        lifted2 = a1*rise1*ahead2/weight2
        held1 = fade1/a1  if b = 0
        held1 = fade1*open1/weight1  if margin1 > 0
        held1 = fade1/weight1 + a2*fade1*rise2/(fade2*weight1)  if determinant > 0
        held1 = fade1/weight1 + ahead1*lifted1  otherwise
        held2 = fade2/a2  if b = 0
        held2 = fade2*open2/weight2  if margin2 > 0
        held2 = fade2/weight2 + a1*fade2*rise1/(fade1*weight2)  if determinant > 0
        held2 = fade2/weight2 + ahead2*lifted2  otherwise
        level1 = 0  if a1 = 0
        level1 = 1/(rise1 + held1)  otherwise
        level2 = 0  if a2 = 0
        level2 = 1/(rise2 + held2)  otherwise
        larger = s1  if s1 >= s2
        larger = s2  otherwise
        sunk = sink2  if s1 >= s2
        sunk = sink1  otherwise
        deep = exp(-t*larger/2)
        gone = exp(-t*abs(s1 - s2)/2)
        share = 0  if b = 0
        share = b*level1/weight1  if s1 >= s2
        share = b*level2/weight2  otherwise
        a1_t = level1
        a2_t = level2
        b_t = sunk*share*deep^2  if margin > 0
        b_t = share*deep^2/sunk  if determinant > 0
        b_t = share*gone^2  otherwise

    State: a1, a2, b
    Parameters: s1, s2, t
    Returns: a1_t, a2_t, b_t
    Domain: a1 >= 0, a2 >= 0, s1 >= 0, s2 >= 0, t >= 0, a1*a2 >= b^2
    Rests on: braun_2022:emitted_decoupling, braun_2022:decoupling_solves_the_flow,
        braun_2022:decoupling_by_inverses
    Source: Braun, Domine, Fitzgerald & Saxe (2022), NeurIPS 35, Eqs. 13 and 14 without their inverses
    Normal form: sha256 44caaa56d1489150e82b45f9213415d166c0fba51b3a691b144ee8f981f01788
    """
    with ctx.workdps(digits):
        a1, a2, b, s1, s2, t = map(exact, (a1, a2, b, s1, s2, t))
        determinant = a1*a2 - b*b
        sink1 = exp(-s1*t)
        sink2 = exp(-s2*t)
        fade1 = sink1*sink1
        fade2 = sink2*sink2
        rise1 = 2*t*relexp(-2*s1*t)
        rise2 = 2*t*relexp(-2*s2*t)
        ahead1 = exp(t*(s2 - s1))
        ahead2 = exp(t*(s1 - s2))
        margin1 = determinant*rise2 - a1*fade2
        margin2 = determinant*rise1 - a2*fade1
        margin = branch(s1 >= s2, s1 < s2, lambda: margin1, lambda: margin2)
        open1 = fade2 + a2*rise2
        open2 = fade1 + a1*rise1
        rest1 = branch(determinant > 0, determinant <= 0, lambda: determinant/fade2, lambda: arb(0))
        rest2 = branch(determinant > 0, determinant <= 0, lambda: determinant/fade1, lambda: arb(0))
        weight1 = (
            branch(margin1 > 0, margin1 <= 0, lambda: a1*fade2 + determinant*rise2, lambda: a1 + rise2*rest1)
        )
        weight2 = (
            branch(margin2 > 0, margin2 <= 0, lambda: a2*fade1 + determinant*rise1, lambda: a2 + rise1*rest2)
        )
        lifted1 = a2*rise2*ahead1/weight1
        lifted2 = a1*rise1*ahead2/weight2
        held1 = (
            branch(b == 0, b != 0, lambda: fade1/a1, lambda: branch(margin1 > 0, margin1 <= 0, lambda:
            fade1*open1/weight1, lambda: branch(determinant > 0, determinant <= 0, lambda: fade1/weight1
            + a2*fade1*rise2/(fade2*weight1), lambda: fade1/weight1 + ahead1*lifted1)))
        )
        held2 = (
            branch(b == 0, b != 0, lambda: fade2/a2, lambda: branch(margin2 > 0, margin2 <= 0, lambda:
            fade2*open2/weight2, lambda: branch(determinant > 0, determinant <= 0, lambda: fade2/weight2
            + a1*fade2*rise1/(fade1*weight2), lambda: fade2/weight2 + ahead2*lifted2)))
        )
        level1 = branch(a1 == 0, a1 != 0, lambda: arb(0), lambda: 1/(rise1 + held1))
        level2 = branch(a2 == 0, a2 != 0, lambda: arb(0), lambda: 1/(rise2 + held2))
        larger = branch(s1 >= s2, s1 < s2, lambda: s1, lambda: s2)
        sunk = branch(s1 >= s2, s1 < s2, lambda: sink2, lambda: sink1)
        deep = exp(-t*larger/2)
        gone = exp(-t*abs(s1 - s2)/2)
        share = (
            branch(b == 0, b != 0, lambda: arb(0), lambda: branch(s1 >= s2, s1 < s2, lambda: b*level1/weight1,
            lambda: b*level2/weight2))
        )
        a1_t = level1
        a2_t = level2
        b_t = (
            branch(margin > 0, margin <= 0, lambda: sunk*share*deep*deep, lambda: branch(determinant > 0,
            determinant <= 0, lambda: share*deep*deep/sunk, lambda: share*gone*gone))
        )
        return a1_t, a2_t, b_t


def decoupling_peak(a1, a2, b, s, digits=50):
    """The time (in units of tau) and the height of the peak of b for two modes with equal singular values.

        determinant = a1*a2 - b^2
        slack = s*(s - a1 - a2)
        t_peak = log(1 + slack/determinant)/(4*s)
        b_peak = b*s^2/(s*(a1 + a2) + 2*sqrt(determinant)*sqrt(determinant + slack) - 2*determinant)

    State: a1, a2, b
    Parameters: s
    Returns: t_peak, b_peak
    Domain: a1 > 0, a2 > 0, s > 0, a1*a2 > b^2, s > a1 + a2
    Rests on: braun_2022:emitted_peak, braun_2022:decoupling_solves_the_flow
    Source: Braun, Domine, Fitzgerald & Saxe (2022), NeurIPS 35, section 5, with the one that the logarithm
        lacks
    Normal form: sha256 6b55ca0551d2e942641a102cf4809b472fd53d022b0e8a4483039446b7078e80
    """
    with ctx.workdps(digits):
        a1, a2, b, s = map(exact, (a1, a2, b, s))
        determinant = a1*a2 - b*b
        slack = s*(s - a1 - a2)
        t_peak = log(1 + slack/determinant)/(4*s)
        b_peak = b*s*s/(s*(a1 + a2) + 2*sqrt(determinant)*sqrt(determinant + slack) - 2*determinant)
        return t_peak, b_peak

"""The kernels of this paper in forms that stay accurate, and the claims that these equal the derived averages.

Every shifted determinant is 1 + C_aa + C_bb + (C_aa C_bb - C_ab^2), of which programs form the difference of products
without rounding them. Angles come from the smaller of two legs, so that no argument of an arcsine can exceed 1, and
fields that are fully correlated, the same field twice and fields without variance are no exceptions.

The names of parts, which stand in the emitted programs too:

    area, grown      the determinant of two fields, and that of two fields with 1 added to both variances
    slant, nearer    the longest side of the right triangle with the legs in question, and its smaller leg
    small, turn      the angle opposite to the smaller leg, and the one opposite to the covariance
    across, again    minors of the covariance; once and twice are covariances after one tilt and after both
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from dataclasses import replace
from itertools import combinations
from derivations.language.averages import tilted
from derivations.paper.equals import RIGHT, Known
from derivations.papers.carrasco_davis_grant_2025.section_3_averages import C, a, b, c, d

CITES = "Carrasco-Davis & Grant (2025)"

def field(*names):
    """Variances that may be zero, and covariances, by name."""
    return [Symbol(name, **{"nonnegative" if name[-1] == name[-2] else "real": True}) for name in names]

aa, bb, cc, dd, ab, ac, ad, bc, bd, cd = field(
    "C_aa", "C_bb", "C_cc", "C_dd", "C_ab", "C_ac", "C_ad", "C_bc", "C_bd", "C_cd")
ENTRIES = {(a, a): aa, (b, b): bb, (c, c): cc, (d, d): dd, (a, b): ab, (a, c): ac, (a, d): ad, (b, c): bc, (b, d): bd,
    (c, d): cd}

# --- g(x) = erf(x/sqrt 2) ---------------------------------------------------------------------------------------------
area, grown = reals("area, grown > 0")

def determinant(first, second, both):
    """(1 + first)(1 + second) - both^2, as shared parts of which the first is a difference of two products."""
    return [(area, first * second - both**2), (grown, 1 + first + second + area)]

slant, nearer, small, turn = reals("slant >= 0, nearer small turn")

def angle(leg):
    """The angle opposite to the leg in a right triangle whose other leg is sqrt(grown), from the smaller leg: the
    arcsine of a number near 1 would lose half its digits."""
    low = leg**2 <= grown
    return [(slant, sqrt(leg**2 + grown)),
        (nearer, Piecewise((leg, low), (sqrt(grown), True))),
        (small, asin(nearer / slant)),
        (turn, Piecewise((small, low), (pi / 2 - small, leg > 0), (small - pi / 2, True)))]

PAIR, SIDE = determinant(aa, bb, ab), determinant(aa, cc, ac)
SLOPES = 2 / (pi * sqrt(grown))
difference, turned = reals("difference turned")
SLOPE_FIELD_VALUE = 2 * turned / (pi * (1 + aa) * sqrt(grown))
TURNED = [*SIDE, (difference, aa * bc - ab * ac), (turned, bc + difference)]

# --- what they equal: an angle is the arcsine that the claim states, in each of the three ways in which it is computed ---
# Variances may be zero here, where all of these averages are continuous: edges, which the files tell.
def complement(first, second):
    """The angle opposite to one leg, and what the one opposite to the other leg leaves of a right angle."""
    return Known("angles of a right triangle", {"leg": first, "other": second, "longest": slant})

def angles(claim, **returns):
    """The average of two values, whose angle has its leg and both signs as cases; the determinant is positive."""
    of_a, of_b, both_, spare = C[a, a], C[b, b], C[a, b], reals("spare > 0")
    short = asin(ab / (sqrt(1 + aa) * sqrt(1 + bb)))
    definite = Equals(claim, returns, parts={turn: short}, fix={of_b: (spare + both_**2) / of_a},
        reached={spare: of_a * of_b - both_**2})
    return angle_cases(definite, ab, both_)

def angle_cases(case, leg, mixed):
    """The angle from its own leg, and from the other one for both signs of the leg, which the claim calls `mixed`."""
    low = leg**2 <= grown
    above = complement(leg, sqrt(grown))
    below = replace(complement(-leg, sqrt(grown)), factor=-1)
    return [replace(case, holds={low: True}),
        replace(case, holds={low: False, leg > 0: True}, assuming=(mixed > 0,), by_theorem={turn: above}),
        replace(
            case, holds={low: False, leg > 0: False}, assuming=(mixed < 0,), by_theorem={turn: below})]

COVARIANCE = aa * bb >= ab**2
erf_J2_kernel = paper.emits("erf_J2",
    says="<g'(a) g'(b)> for g(x) = erf(x/sqrt 2) and Gaussian fields a, b of mean zero.",
    state=[aa, bb, ab], returns={"J2": SLOPES}, shared=PAIR, domain=[COVARIANCE], cites=f"{CITES}, Eq. 17, line 4",
    equals=[Equals("average_of_slopes_for_scaled_erf", {"J2": RIGHT})])

erf_I2_kernel = paper.emits("erf_I2",
    says="<g(a) g(b)> for g(x) = erf(x/sqrt 2) and Gaussian fields a, b of mean zero.",
    state=[aa, bb, ab], returns={"I2": 2 * turn / pi}, shared=[*PAIR, *angle(ab)], domain=[COVARIANCE],
    cites=f"{CITES}, Eq. 18", equals=angles("printed_average_for_scaled_erf", I2=RIGHT))

erf_I3_kernel = paper.emits("erf_I3",
    says="<g'(a) b g(c)> for g(x) = erf(x/sqrt 2) and Gaussian fields a, b, c of mean zero, whatever the variance of b.",
    state=[aa, cc, ab, bc, ac], returns={"I3": SLOPE_FIELD_VALUE}, shared=TURNED, domain=[aa * cc >= ac**2],
    cites=f"{CITES}, Eq. 17, line 2",
    equals=[Equals("average_of_slope_field_value_for_scaled_erf", {"I3": RIGHT},
        reached={C[b, b]: Integer(1)})])

# --- I4: first the bell of a, then the bell of b ----------------------------------------------------------------------
above = 1 + aa
both = reals("both > 0")

def named(kind):
    return {(i, j): Symbol(f"{kind}_{'abcd'[i]}{'abcd'[j]}", real=True) for i, j in ENTRIES}

across, once, across_again, twice = map(named, ("across", "once", "again", "twice"))

def after_a():
    """(1 + C_aa) times every covariance after tilting by the slope of a."""
    for i, j in ((b, b), (b, c), (b, d), (c, c), (d, d), (c, d)):
        whole, left, right = ENTRIES[i, j], ENTRIES[a, i], ENTRIES[a, j]
        yield from [(across[i, j], aa * whole - left * right), (once[i, j], whole + across[i, j])]

def after_both():
    """Every covariance after tilting by both slopes, from `once`."""
    for i, j in ((c, c), (d, d), (c, d)):
        whole, left, right = once[i, j], once[b, i], once[b, j]
        yield across_again[i, j], once[b, b] * whole - left * right
        yield twice[i, j], (above * whole + across_again[i, j]) / (above * both)

TWICE = [*after_a(), (both, above + once[b, b]), *after_both()]
LEGS = [*determinant(twice[c, c], twice[d, d], twice[c, d]), *angle(twice[c, d])]
SLOPES_VALUES = 4 * turn / (pi**2 * sqrt(both))

def covariances():
    """No principal minor is negative: the fields have a covariance, which may be singular."""
    whole = Matrix(4, 4, lambda i, j: ENTRIES[min(i, j), max(i, j)])
    chosen = [fields for count in (2, 3, 4) for fields in combinations(range(4), count)]
    return [expand(whole.extract(list(f), list(f)).det()) >= 0 for f in chosen]

def slopes_values_equal():
    """<g'(a) g'(b) g(c) g(d)>: in covariances after tilting, the angle has its leg and both signs as cases."""
    spare, rest = reals("spare rest > 0")
    left = {(c, c): reals("S_cc > 0"),
        (c, d): reals("S_cd"),
        (d, d): (rest + reals("S_cd") ** 2) / reals("S_cc > 0")}
    of_b = (spare + C[a, b] ** 2) / C[a, a]
    _, narrowed = tilted(C, [a, b], 1)
    taken = {place: (C[place] - narrowed[place]).subs(C[b, b], of_b) for place in left}
    definite = Equals("average_of_slopes_and_values_for_scaled_erf", {"I4": RIGHT},
        fix={C[b, b]: of_b, **{C[place]: sp.cancel(left[place] + taken[place]) for place in left}}, reached={
            spare: C[a, a] * C[b, b] - C[a, b] ** 2, left[c, c]: narrowed[c, c], left[c, d]: narrowed[c, d],
            rest: narrowed[c, c] * narrowed[d, d] - narrowed[c, d] ** 2})
    leg, mixed = twice[c, d], left[c, d]
    short = asin(leg / (sqrt(1 + twice[c, c]) * sqrt(1 + twice[d, d])))
    parts = {both: 1 + aa + bb + spare, **{twice[place]: value for place, value in left.items()}, turn: short}
    return angle_cases(replace(definite, parts=parts), leg, mixed)

erf_I4_kernel = paper.emits("erf_I4",
    says="<g'(a) g'(b) g(c) g(d)> for g(x) = erf(x/sqrt 2) and Gaussian fields a, b, c, d of mean zero.",
    state=[aa, bb, cc, dd, ab, ac, bc, ad, bd, cd], returns={"I4": SLOPES_VALUES}, shared=[*TWICE, *LEGS],
    domain=covariances, cites=f"{CITES}, Eq. 17, line 3", equals=slopes_values_equal())

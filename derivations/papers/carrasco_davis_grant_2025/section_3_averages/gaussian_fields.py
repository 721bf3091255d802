"""Section 3: that fields are Gaussian, what follows for their moments, and what is assumed beyond that."""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from itertools import combinations
from math import prod
from derivations.language.averages import field, mean
from derivations.papers.carrasco_davis_grant_2025.section_3_averages.integrals import C, a, b, c, d

weights = letters("W_all: units x N")  # the weights of all students and teachers, a row for each
root = letters("root_per_input")
@paper.claim("Section 3, fields are jointly Gaussian")
def fields_are_gaussian():
    """For x ~ N(0, I) and given weights the fields W x/sqrt(N) of all units are jointly Gaussian of mean zero at every N, and their
    covariance is W W'/N: the overlaps Q, R and T."""
    covariance = root * root * weights @ weights.T
    yield by("linear map of a Gaussian vector", map=root * weights, covariance=identity("N"), image=covariance)

@paper.claim("Section 3, moments of fields")
def moments_of_fields():
    """Gaussian fields have the covariances C_ab, and <a b c d> = C_ab C_cd + C_ac C_bd + C_ad C_bc: for the entries of x ~ N(0, I) that
    is delta_ab delta_cd and two more."""
    x = [field(place) for place in (a, b, c, d)]
    pairings = [((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))]
    yield from (same(mean(x[i] * x[j], C), C[i, j]) for i, j in combinations((a, b, c, d), 2))
    yield same(mean(x[a] * x[b] * x[c] * x[d], C), sum(prod(C[pair] for pair in pairs) for pairs in pairings))
    yield same(mean(x[a] * x[a] * x[a] * x[a], C), 3 * C[a, a] ** 2)

paper.remarks.tells("What is proved of the averages, and what is assumed",
    "The closed forms of <g' g'>, <g g>, <g' b g> and <g' g' g g> are derived from the averages that they are, for every "
    "covariance that is not singular where g has a kink, and for singular ones too where g is erf or a line.",
    "For Gaussian inputs and given weights the fields are Gaussian at every N, and |x|^2/N has mean 1 and variance 2/N.",
    "Assumed, as in the source: that overlaps stay near the solution of their mean flow as N grows. Proved at finite N is "
    "the mean of one update.")

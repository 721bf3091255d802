"""The order parameters of K equal students and K equal teachers at stated times, to any number of digits."""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from collections.abc import Mapping
from derivations.language.terms import NotExact
from derivations.models.committee.equal_units import ORDER, K, linear_rate, noise_rate, quadratic_rate
from derivations.prove.flows.quoted import Quoted, named, quoted

units = Symbol("K", integer=True, positive=True)
eta = reals("eta > 0")
batch = Symbol("batch", integer=True, positive=True)
sigma = reals("sigma >= 0")

def certified(start: Mapping[str, Any], parameters: Mapping[str, Any], times: Any, digits: int = 15) -> Quoted:
    """Where the flow of R, S, Q and C leads from an exact start.

    start: R and S, the overlap of a student with its own teacher and with each other one, Q, its overlap with itself,
    and C, that with each other student. parameters: K, the number of students and of orthonormal teachers, eta, batch,
    and sigma, the standard deviation of the teacher's noise. times: one time after 0, or a list. Numbers are exact:
    strings such as "0.3", integers or fractions.

    Returns intervals with so many digits, and their certificate; `NotEnclosed` says where the flow leads no further.

    >>> start = {"R": "0.1", "S": "0.09", "Q": "0.1", "C": "0.02"}
    >>> found = certified(start, {"K": 2, "eta": "0.5", "batch": 5, "sigma": "0.1"}, [1, "2.5"], digits=10)
    >>> found.at("2.5")["R"]
    ('0.3094115931448', '0.309411593148')
    """
    exact = named(parameters, (units, eta, batch, sigma), "parameters")
    count, rate, samples, noise = (Rational(v.numerator, v.denominator) for v in exact.values())
    if count < 2:
        raise NotExact(f"S and C are overlaps of different units: K is 2 or more, got {count}")
    flow = {
        x: (rate * linear_rate(x) + rate**2 / samples * (quadratic_rate(x) + noise**2 * noise_rate(x))).subs(K, count)
        for x in ORDER}
    return quoted(flow, named(start, ORDER, "letters of the start"), times, digits)

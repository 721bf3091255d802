"""|dh|^2, |dy|^2 and w at stated times, to any number of digits, with a certificate."""

from derivations.papers.van_rossem_saxe_2024.setup import *
from collections.abc import Mapping
from derivations.prove.flows.quoted import Quoted, named, quoted

def certified(start: Mapping[str, Any], parameters: Mapping[str, Any], times: Any, digits: int = 15) -> Quoted:
    """Where the system that is derived from the loss leads from an exact start.

    start: h, y and w, which are |dh|^2, |dy|^2 and the alignment. parameters: X and s, which are |x2 - x1|^2 and
    |y2 - y1|^2, and the time constants tau_h and tau_y. times: one time after 0, or a list. Numbers are exact: strings
    such as "0.3", integers or fractions.

    Returns intervals with so many digits, and their certificate; `NotEnclosed` says where the system leads no further.

    >>> found = certified({"h": "0.3", "y": "0.2", "w": "0.1"}, {"X": "0.25", "s": 1, "tau_h": 40, "tau_y": 30}, 50)
    >>> found.at(50)["h"]
    ('0.294132109743907647', '0.294132109743907678')
    >>> found.save("h_y_and_w.json")  # for `derivations recheck h_y_and_w.json`
    """
    exact = named(parameters, (X, s, tau_h, tau_y), "parameters")
    known = {symbol: Rational(value.numerator, value.denominator) for symbol, value in exact.items()}
    begun = named(start, derived_flow, "letters of the start")
    bare = without_signs(*derived_flow)
    flow = {bare[symbol]: rate.subs(known).xreplace(bare) for symbol, rate in derived_flow.items()}
    return quoted(flow, {bare[symbol]: value for symbol, value in begun.items()}, times, digits)

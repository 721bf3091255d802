"""Sines and cosines as rational functions: opened by the addition theorems, then points of the circle, in two charts.

Arguments are sums of whole multiples of a few angles and of a multiple of pi. What holds in both charts of every angle
holds everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm

from derivations.language.normal import prepared
from derivations.language.normal.linear import Monomial, linear_form, monomial_term
from derivations.language.terms import Term, rational
from derivations.prove.certificate import Json
from derivations.prove.rules.functions.equations import ARCS, opposite, written
from derivations.prove.rules.rule import Parameters, Step, chained, formulas, fresh, inner_terms
from derivations.recheck.core.theorems import known_values

WAVES = ("sin", "cos")
PI: Monomial = ((("pi",), 1),)
MOST_ANGLES, MOST_TIMES = 3, 12


def is_known_turn(turn: Fraction) -> bool:
    """Check whether the table has the cosine and the sine of a multiple of pi.

    >>> is_known_turn(Fraction(7, 6)), is_known_turn(Fraction(1, 7))
    (True, False)
    """
    share = abs(turn) % 1
    return all(str(min(x, 1 - x)) in known_values("cosines") for x in (share, abs(Fraction(1, 2) - share)))


def _waves(statement: Json) -> list[Term]:
    """Sines and cosines of what is not plainly zero."""
    inner = inner_terms(map(prepared, formulas(statement)))
    return [term for term in inner if term[0] in WAVES and linear_form(term[1])]


def _units(waves: list[Term]) -> dict[Monomial, Fraction]:
    """By what arguments are sums of whole multiples of: of each product, a share."""
    shares: dict[Monomial, int] = {}
    for wave in waves:
        for monomial, times in linear_form(wave[1]).items():
            if monomial != PI or not is_known_turn(times):
                shares[monomial] = lcm(shares.get(monomial, 1), times.denominator)
    return {monomial: Fraction(1, share) for monomial, share in shares.items()}


def _opened(wave: Term, units: dict[Monomial, Fraction]) -> tuple[str, Parameters] | None:
    """The equation that brings a sine or a cosine closer to those of single angles; None where it is one of these."""
    whole, form = wave[1], linear_form(wave[1])
    if len(form) > 1:
        first, *others = form.items()
        return "addition theorems", {"whole": whole, "u": written(dict([first])), "v": written(dict(others))}
    ((monomial, times),) = form.items()
    if monomial == PI and is_known_turn(times):
        return "known angles", {"whole": whole, "turn": rational(times)}
    if times < 0:
        return "odd and even functions", {"whole": whole, "opposite": written(opposite(form))}
    return _multiple(wave, monomial, times, units[monomial])


def _multiple(wave: Term, monomial: Monomial, times: Fraction, unit: Fraction) -> tuple[str, Parameters] | None:
    whole, angle, count = wave[1], monomial_term(monomial, unit), int(times / unit)
    if count > 1:
        u, v = (monomial_term(monomial, unit * k) for k in (count // 2, count - count // 2))
        return "addition theorems", {"whole": whole, "u": u, "v": v}
    if whole != angle:
        return "equal arguments", {"whole": whole, "value": angle}
    if angle[0] in ARCS and not any(term[0] in WAVES for term in inner_terms([angle[1]])):
        return "sines and cosines of arcs", {"u": angle[1]}
    return None


def _next(statement: Json) -> tuple[str, Parameters] | None:
    """The next equation, and once all arguments are single angles, a letter for one of them."""
    waves = _waves(statement)
    units = _units(waves)
    for wave in waves:
        if (step := _opened(wave, units)) is not None:
            return step
    return ("points of the circle", {"angle": waves[0][1], "letter": fresh(statement, "t")}) if waves else None


def by_angles(statement: Json) -> Iterator[Step]:
    """Equations for all sines and cosines, where these are of a few angles."""
    waves = _waves(statement)
    units = _units(waves)
    forms = [linear_form(wave[1]) for wave in waves]
    times = [abs(c / units[m]) for form in forms for m, c in form.items() if m in units]
    if waves and max(times, default=0) <= MOST_TIMES and _moving(units) <= MOST_ANGLES:
        yield from chained(_next)(statement)


def _moving(units: dict[Monomial, Fraction]) -> int:
    """How many angles get a letter."""
    return sum(unit != 1 or len(monomial) != 1 or monomial[0][0][0] not in ARCS for monomial, unit in units.items())

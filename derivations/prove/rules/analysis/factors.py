"""A formula as factor * function, where the factor has a plain sign and the slope of the function is simpler."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from derivations.language.evaluate import value
from derivations.language.normal import Field, Poly, Uncollected, Undefined, lowest, to_fraction
from derivations.language.normal.division import by_powers, irreducible_factors
from derivations.language.normal.forms import STRICT, form
from derivations.language.terms import MINUS_ONE, NotExact, Term, carried_out, rational, subtract
from derivations.prove.certificate import Json
from derivations.prove.rules.analysis.samples import Place, places, signs
from derivations.prove.rules.analysis.values import asked


class Factor(NamedTuple):
    """Powers of formulas that are positive, and squares."""

    powers: tuple[tuple[Term, int], ...] = ()
    squares: tuple[Term, ...] = ()

    def times(self, factor: Term, power: int = 1) -> Factor:
        return Factor((*self.powers, (factor, power)), self.squares)

    @property
    def parameters(self) -> Json:
        """As the rule has it."""
        factors, powers = [f for f, _ in self.powers], [rational(m) for _, m in self.powers]
        return {"factors": factors, "powers": powers, "squares": [*self.squares]}


LINEAR = ("log", "atan", "erf", "asin")  # the slope of such a function is simpler than the function


def cores(statement: Json, *, roots: bool = False) -> tuple[list[Place], list[tuple[Factor, Term]]]:
    """Points at which the sides of an inequality have values, and its difference as a factor times a function.

    Nothing where it holds a function of which nothing is known here.
    """
    gap = carried_out(subtract(statement["left"], statement["right"]))
    try:
        asked(gap, {})
        at = [place for place in places(statement) if value(gap, place) is not None]
        return at, list(products(gap, statement, at, roots=roots)) if at else []
    except (NotExact, Undefined, Uncollected):
        return [], []


def products(gap: Term, statement: Json, at: list[Place], *, roots: bool = False) -> Iterator[tuple[Factor, Term]]:
    """Pairs of a factor that is positive at all the points, and a function."""
    field, num, den = lowest(gap, statement["symbols"])
    if num.is_constant():
        return
    strict = statement["relation"] == ">"
    (content, above), (below_content, below) = irreducible_factors(num), irreducible_factors(den)
    taken = Factor()
    core = field.constant(to_fraction(content) / to_fraction(below_content))
    for poly, power in [*above, *((p, -k) for p, k in below)]:
        factor = _plain_sign(field, poly, at) if power < 0 or _is_easy(field, poly) else None
        if factor is not None:
            taken = taken.times(factor[1], power)
            core = core * factor[0] ** abs(power)
        elif power % 2 == 0 and (power < 0 or not strict):
            taken = _with_square(taken, field.poly_term(poly), power // 2)
        elif power < 0:
            return
        else:
            core = core * poly**power
    function = field.poly_term(core)
    if not _bend(field, core, roots=roots):
        return
    yield from _divided(field, core, taken, at)
    yield taken, function
    yield from _without_exponential(field, core, taken)


def _bend(field: Field, core: Poly, *, roots: bool) -> bool:
    """Check that slopes are of use: where exponentials and the like stand, or else, if so asked, roots but no sizes."""
    present = [generator for generator, degree in _degrees(field, core) if degree]
    if any(g[0] in ("exp", "log") or (g[0] == "atom" and g[1] != ("pi",)) for g in present):
        return not roots
    return roots and any(g[0] == "root" and g[1][0] not in ("^", "q", "pi") for g in present)


def _degrees(field: Field, poly: Poly) -> list[tuple[tuple[Any, ...], int]]:
    return list(zip(field.generators, map(int, poly.degrees()), strict=False))


def _is_easy(field: Field, poly: Poly) -> bool:
    """Check whether the sign of a polynomial should be easy to show: its form tells, or it speaks of symbols alone."""
    if all(generator[0] == "symbol" or not degree for generator, degree in _degrees(field, poly)):
        return True
    return any(form(field.poly_term(p), field.known) == STRICT for p in (poly, -poly))


def _plain_sign(field: Field, poly: Poly, at: list[Place]) -> tuple[int, Term] | None:
    """The sign that a polynomial has at all the points, and the polynomial so that it is positive."""
    term = field.poly_term(poly)
    found = signs(term, at)
    if found == {1}:
        return 1, term
    return (-1, field.poly_term(-poly)) if found == {-1} else None


def _with_square(taken: Factor, base: Term, power: int) -> Factor:
    return Factor(taken.powers, (*taken.squares, base if power == 1 else ("^", base, rational(power))))


def _divided(field: Field, core: Poly, taken: Factor, at: list[Place]) -> Iterator[tuple[Factor, Term]]:
    """a T + b as a (T + b/a), for a T whose slope is simpler than T itself."""
    for index, generator in enumerate(field.generators):
        term = field.generator_term(generator)
        if term[0] not in LINEAR or core.degrees()[index] != 1:
            continue
        parts = by_powers(core, index)
        found = _plain_sign(field, parts[1], at)
        if parts[1].is_constant() or found is None:
            continue
        sign, lead = found
        rest = field.poly_term(parts[0]) if 0 in parts else rational(0)
        first = term if sign > 0 else ("*", MINUS_ONE, term)
        yield taken.times(lead), ("+", first, ("*", rest, ("^", lead, MINUS_ONE)))


def _without_exponential(field: Field, core: Poly, taken: Factor) -> Iterator[tuple[Factor, Term]]:
    """exp(m)^k taken out, so that another coefficient stands alone and vanishes in the end."""
    for index, generator in enumerate(field.generators):
        parts = sorted(by_powers(core, index).items()) if generator[0] == "exp" else []
        for power, _ in parts:
            if power:
                rest = [_times_exp(field.poly_term(p), generator[1], k - power) for k, p in parts]
                out: Term = ("exp", ("*", rational(power), generator[1]))
                yield taken.times(out), rest[0] if len(rest) == 1 else ("+", *rest)


def _times_exp(term: Term, exponent: Term, power: int) -> Term:
    return term if power == 0 else ("*", term, ("exp", ("*", rational(power), exponent)))

"""Where a formula vanishes: its factors that are linear in a symbol, or in an exponential or logarithm of it."""

from __future__ import annotations

from collections.abc import Iterator

from derivations.language.normal import Field, Poly, Uncollected, Undefined, lowest
from derivations.language.normal.division import by_powers, irreducible_factors
from derivations.language.terms import MINUS_ONE, ZERO, Term, fraction_of, rational, substitute, subtract, symbols_in
from derivations.prove.rules.analysis.interval import coefficient


def zeros(term: Term, name: str, known: dict[str, list[str]]) -> Iterator[Term]:
    """Points at which a formula may vanish as a function of one symbol; none is proved to be one.

    >>> from derivations.language.show import plain
    >>> slope = ("+", ("exp", ("s", "x")), ("q", "-2"))
    >>> [plain(zero) for zero in zeros(slope, "x", {"x": []})]
    ['log(2)']
    """
    try:
        field, num, _ = lowest(term, known)
        factors = [factor for factor, _ in irreducible_factors(num)[1]] if num != 0 else []
    except (Undefined, Uncollected):
        return
    for factor in factors:
        yield from _of_factor(field, factor, name)
        pair = _compared(field, factor)
        if pair is not None:
            yield from zeros(subtract(*pair), name, known)


def _compared(field: Field, factor: Poly) -> tuple[Term, Term] | None:
    """The u and v of c (log(u) - log(v))."""
    table = {tuple(map(int, exponents)): value for exponents, value in factor.to_dict().items()}
    if len(table) != 2 or sum(table.values()) != 0 or any(sum(exponents) != 1 for exponents in table):
        return None
    first, second = (field.generators[exponents.index(1)] for exponents in table)
    return (first[1], second[1]) if first[0] == second[0] == "log" else None


def _of_factor(field: Field, factor: Poly, name: str) -> Iterator[Term]:
    """The zero of a g + b, where g is the symbol, or exp, log or a root of k x + m, and a, b are free of the symbol."""
    for index, generator in enumerate(field.generators):
        if int(factor.degrees()[index]) != 1 or name not in symbols_in(field.generator_term(generator)):
            continue
        parts = by_powers(factor, index)
        lead, rest = (field.poly_term(parts[k]) if k in parts else ZERO for k in (1, 0))
        if name in symbols_in(lead) | symbols_in(rest):
            continue
        value = _quotient(rest, lead)
        if generator[0] == "symbol":
            yield value
        elif generator[0] == "log":
            yield from _solved(generator[1], name, ("exp", value))
        elif generator[0] == "root":
            yield from _solved(generator[1], name, ("^", value, rational(generator[2])))
        elif generator[0] == "exp" and rest != ZERO:
            yield from _solved(generator[1], name, ("log", value))


def _solved(inside: Term, name: str, value: Term) -> Iterator[Term]:
    """The symbol in terms of the value of k symbol + m."""
    k = coefficient(inside, name)
    if k:
        rest = substitute(inside, {name: ZERO})
        alone = inside == ("s", name) or (inside[0] == "*" and len(inside) == 3)
        top = value if alone else subtract(value, rest)
        yield top if k == 1 else ("*", rational(1 / k), top)


def _quotient(rest: Term, lead: Term) -> Term:
    """-rest/lead."""
    if lead[0] == "q" and rest[0] == "q":
        return rational(-fraction_of(rest) / fraction_of(lead))
    if lead[0] == "q":
        return ("*", rational(-1 / fraction_of(lead)), rest)
    return ("*", MINUS_ONE, rest, ("^", lead, MINUS_ONE))

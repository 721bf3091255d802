"""Gaussian averages: every step of a derivation is a line of the table, its value is compared with the right side.

A statement says that a sum of products of factors has an average over jointly Gaussian fields of mean zero, wherever
the hypotheses hold, the covariance is positive semidefinite (positive definite for the fields named so) and the right
side has a value. With a rate, it says how the average changes with a symbol that moves covariances of different fields
alone. A derivation has for every product a line, what its letters stand for, and derivations of the products on its
right side; "given" is the product that the statement gives a name, under its own covariance.

That the value is the right side is an equality of numbers, shown by a certificate, once arcsines of equal arguments are
written as on the right side. A value is refuted at an exact point with an admissible covariance, at which the averages
that have names have proved values.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

from flint import fmpq_mat

from derivations.recheck.core.balls import exact
from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import well_formed
from derivations.recheck.core.limits.forms import placed, product_of_terms, sum_of_terms
from derivations.recheck.core.load import Data, Term, name, part, require, shown, term
from derivations.recheck.core.statements import must_match, point, setting, side
from derivations.recheck.core.terms import (
    ONE,
    ZERO,
    carried_out,
    difference,
    free_in,
    replaced,
    require_small,
    subterms,
)
from derivations.recheck.kinds.averages.lines import Use
from derivations.recheck.kinds.averages.products import Covariance, Product, added, covariance_of, fields_of, sum_of

Check = Callable[[Data], str]
STEP_WORK = 50_000  # see `spend`
KEYS = {"kind", "symbols", "assuming", "fields", "covariance", "definite", "integrand", "given", "rate", "right"}


class Average:
    """A statement about an average, read; what it names and moves stands nowhere else."""

    def __init__(self, statement: Data) -> None:
        require(set(statement) <= KEYS, "the statement about an average has unknown parts")
        self.statement, where = statement, setting(statement)
        self.symbols = where.symbols
        self.covariance = covariance_of(statement)
        self.right = side(statement, "right")
        self.given = {symbol: self.product(factors) for symbol, factors in statement.get("given", {}).items()}
        self.integrand: dict[Product, Term] = {}
        for coefficient, factors in part(statement, "integrand", tuple, "the statement"):
            for product in self.product(factors):
                added(self.integrand, product, term(coefficient))
        entries = [entry for row in self.covariance.entries for entry in row]
        where.free(self.right, *entries, *self.integrand.values())
        spoken = free_in([*entries, *(s for relation in where.assuming for s in relation[1:])])
        for symbol in self.given:
            plain = where.symbols.get(symbol) == () and symbol not in spoken
            require(plain, f"{symbol} stands for an average: nothing may be supposed of it, and no covariance has it")
        self.time = name(statement["rate"]) if "rate" in statement else ""
        widths = [factor[2] for product in self.integrand for factor in product if len(factor) == 3]
        still = [*widths, *self.integrand.values(), *(row[i] for i, row in enumerate(self.covariance.entries))]
        moves = self.time in self.symbols and not self.given and self.time not in free_in(still)
        require(moves or not self.time, f"{shown(self.time)} must move covariances of different fields, nothing else")

    def product(self, factors: Data) -> dict[Product, Term]:
        return sum_of(factors, len(self.covariance.entries), self.symbols)

    def value(self, derivation: Data) -> Term:
        """The average of the integrand, or its rate, where every product has a derivation."""
        nodes = self._nodes(derivation)
        parts = [
            product_of_terms(c, self._derived(nodes, of, self.covariance, self.time))
            for of, c in self.integrand.items()
        ]
        return require_small(sum_of_terms(*parts))

    def _nodes(self, data: Data) -> dict[Product, Data]:
        """Derivations by what they are of."""
        require(isinstance(data, tuple), f"derivations must be a list of products with theirs, got {shown(data)}")
        return {product: node for factors, node in data for product in self.product(factors)}

    def _derived(self, nodes: dict[Product, Data], of: Product, at: Covariance, time: str = "") -> Term:
        spend(STEP_WORK)
        require(of in nodes, f"{shown(of)} has no derivation")
        rule, letters = (part(nodes[of], key, kind, "a derivation") for key, kind in (("rule", str), ("letters", dict)))
        inner = self._nodes(part(nodes[of], "parts", tuple, "a derivation"))
        if rule == "given":
            return self.named(letters, of, at)
        return Use(at, self.symbols, lambda product, under: self._derived(inner, product, under), time).value_of(
            of, rule, letters
        )

    def named(self, letters: Data, of: Product, at: Covariance) -> Term:
        """The name that the statement gives the average of a product, under its own covariance."""
        symbol = part(letters, "name", str, "the rule 'given'")
        require([*self.given.get(symbol, ())] == [of], f"{shown(symbol)} is no name of the average of {shown(of)}")
        same = all(at.entries[i][j] == self.covariance.entries[i][j] for i in fields_of(of) for j in fields_of(of))
        require(same, f"{shown(symbol)} is the average under another covariance")
        return ("s", symbol)

    def admissible(self, data: Data) -> list[list[Any]]:
        """The covariance at an exact point, which is positive semidefinite, and definite where it is said to be."""
        rows, size = self.covariance.entries, range(len(self.covariance.entries))
        values = point(data, self.symbols, free_in([entry for row in rows for entry in row]))
        numbers: list[list[Any]] = [[exact(entry, values) for entry in row] for row in rows]
        rational = all(None not in row for row in numbers)
        require(rational, "the covariance at the exact point is not rational: give another point")
        for chosen in (c for count in size for c in combinations(size, count + 1)):
            minor = fmpq_mat([[numbers[i][j] for j in chosen] for i in chosen]).det()
            positive = minor > 0 or (minor == 0 and not set(chosen) <= self.covariance.definite)
            require(positive, "the exact point gives no admissible covariance")
        return numbers


def check_average(certificate: Data, check: Check) -> None:
    """The derived value is the right side, or is not at an exact point."""
    evidence = {"proved": _check_proof, "refuted": _check_refutation}
    require(certificate["verdict"] in evidence, "an average can be proved or refuted")
    with well_formed("the certificate of an average"):
        average, payload = Average(certificate["statement"]), certificate["payload"]
        value = average.value(part(payload, "derivation", tuple, "the payload"))
        evidence[certificate["verdict"]](average, payload, value, check)


def _equality(average: Average, certificate: Data, left: Term, right: Term) -> Data:
    """The payload of a certificate about an equality under the hypotheses of the statement."""
    needed = {"kind": "identity", "left": left, "right": right}
    needed |= {key: average.statement[key] for key in ("symbols", "assuming")}
    must_match(part(certificate, "statement", dict, "an equality"), needed, "equality that an average needs")
    return part(certificate, "payload", dict, "an equality")


def _check_proof(average: Average, payload: Data, value: Term, check: Check) -> None:
    there = {*subterms(carried_out(average.right))}
    for old, new, equality in part(payload, "arcsines", tuple, "the payload"):
        _equality(average, equality, term(old), term(new))
        shown_equal = check(equality) == "proved" and ("asin", new) in there
        require(shown_equal, "an arcsine is written as one of the right side whose argument is proved equal")
        value = replaced(value, ("asin", old), ("asin", new))
    identity = part(payload, "identity", dict, "the payload")
    average.admissible(part(_equality(average, identity, value, average.right), "inhabited", dict, "the equality"))
    require(check(identity) == "proved", "the value of the average is not proved to be the right side")


def _check_refutation(average: Average, payload: Data, value: Term, check: Check) -> None:
    refutation, right = part(payload, "refutation", dict, "the payload"), average.right
    witness = part(part(refutation, "payload", dict, "the refutation"), "witness", dict, "the refutation")
    numbers = average.admissible(part(witness, "point", dict, "the witness"))
    names, gap = part(payload, "names", dict, "the payload"), difference(value, right)
    require(set(names) == set(average.given), "every average that has a name needs its value at the exact point")
    for symbol, certificate in names.items():
        require(check(certificate) == "proved", f"what is said of {symbol} is not proved")
        statement, found = certificate["statement"], ZERO
        if statement["kind"] == "identity":  # the difference of the sides does not depend on this average
            require(_is_polynomial(right, symbol), f"{symbol} must stand in sums and products only")
            _equality(average, certificate, ("D", gap, symbol), ZERO)
        else:
            found = side(statement, "right")
            must_match(statement, _in_numbers(average, numbers, symbol) | {"right": found}, f"value of {symbol}")
        value, right = (placed(formula, {symbol}, found) for formula in (value, right))
    _equality(average, refutation, value, right)
    require(check(refutation) == "refuted", "the right side of the average is not refuted")
    require(payload.get("witness") == witness, "the witness is not the point at which the sides differ")


def _in_numbers(average: Average, numbers: list[list[Any]], symbol: str) -> Data:
    """The average that has a name, for the covariance in numbers, as a statement without its right side."""
    return {
        **{key: average.statement[key] for key in ("kind", "fields", "definite")},
        "symbols": {},
        "assuming": (),
        "covariance": tuple(tuple(("q", str(entry)) for entry in row) for row in numbers),
        "integrand": ((ONE, average.statement["given"][symbol]),),
    }


def _is_polynomial(formula: Term, symbol: str) -> bool:
    """Whether a formula has a value whatever the symbol stands for, which is in its sums and products alone."""
    if formula[0] in ("+", "*"):
        return all(_is_polynomial(child, symbol) for child in formula[1:])
    return formula == ("s", symbol) or symbol not in free_in([formula])

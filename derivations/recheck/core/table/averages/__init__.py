"""Gaussian averages: every step of a derivation is a line of the table, its value is compared with the right side.

A statement says that a sum of products of factors has an average over jointly Gaussian fields of mean zero, wherever
the hypotheses hold, the covariance is positive semidefinite (positive definite for the fields named so) and the right
side has a value. With a rate, it says how the average changes with a symbol that moves covariances of different fields
alone. A derivation is a list of lines, for every product one, with what its letters stand for, and derivations of the
products on its right side; "given" is the product that the statement gives a name, under its own covariance.

The statement is proved, or refuted at an exact point, as the equality of this value and the right side is; the point,
or one at which the equality says something, gives an admissible covariance. A refutation puts numbers in the place of
names: each is proved to be the average for the covariance at the point.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import fmpq_mat

from derivations.recheck.core.balls import exact
from derivations.recheck.core.budget import spend
from derivations.recheck.core.limits.forms import product_of_terms, sum_of_terms
from derivations.recheck.core.load import Check, Data, Term, require, shown
from derivations.recheck.core.statements import point, says, setting
from derivations.recheck.core.table.averages.lines import Use
from derivations.recheck.core.table.averages.products import (
    Covariance,
    Product,
    covariance_of,
    fields_of,
    product_of,
    put_in,
)
from derivations.recheck.core.terms import ONE, ZERO, difference, free_in, require_small
from derivations.recheck.core.words.orders import is_positive

Rows = tuple[tuple[Term, ...], ...]  # a covariance in numbers
STEP_WORK = 50_000  # see `spend`


class Average:
    """A statement about an average, read; what it names and moves stands nowhere else."""

    def __init__(self, statement: Data) -> None:
        where, self.statement = setting(statement), statement
        self.symbols, self.right = where.symbols, statement["right"]
        self.covariance = covariance_of(statement)
        self.given = {symbol: self._product(factors) for symbol, factors in statement.get("given", {}).items()}
        self.integrand: dict[Product, Term] = {}
        for coefficient, factors in statement["integrand"]:
            put_in(self.integrand, self._product(factors), coefficient)
        entries = [entry for row in self.covariance.entries for entry in row]
        where.free(self.right, *entries, *self.integrand.values())
        spoken = free_in([*entries, *(s for relation in where.assuming for s in relation[1:])])
        for symbol in self.given:
            plain = where.symbols.get(symbol) == () and symbol not in spoken
            require(plain, f"{symbol} stands for an average: nothing may be supposed of it, and no covariance has it")
        self.time = statement.get("rate", "")
        widths = [factor[2] for product in self.integrand for factor in product if len(factor) == 3]
        still = [*widths, *self.integrand.values(), *(row[i] for i, row in enumerate(self.covariance.entries))]
        moves = self.time in self.symbols and not self.given and self.time not in free_in(still)
        require(moves or not self.time, f"{shown(self.time)} must move covariances of different fields, nothing else")

    def _product(self, factors: Data) -> Product | None:
        return product_of(factors, len(self.covariance.entries), self.symbols)

    def value(self, derivations: Data) -> Term:
        """The average of the integrand, or its rate, where every product has a derivation."""
        average = self._averages(derivations, self.time)
        return require_small(
            sum_of_terms(*(product_of_terms(c, average(of, self.covariance)) for of, c in self.integrand.items()))
        )

    def _averages(self, derivations: Data, time: str = "") -> Callable[[Product, Covariance], Term]:
        """Return what derivations say of the products that are on the left of their lines."""
        lines = {self._left(node): node for node in derivations}

        def average(of: Product, at: Covariance) -> Term:
            spend(STEP_WORK)
            require(of in lines, f"{shown(of)} has no derivation")
            node = lines[of]
            if node["rule"] == "given":
                return self.named(node["letters"]["name"], at)
            return self.use(node).value_under(at, self._averages(node["parts"]), time)

        return average

    def _left(self, node: Data) -> Product | None:
        return self.given[node["letters"]["name"]] if node["rule"] == "given" else self.use(node).of

    def use(self, node: Data) -> Use:
        """A line of the table with things in the place of its letters."""
        return Use(node["rule"], node["letters"], self.symbols, len(self.covariance.entries))

    def named(self, symbol: str, at: Covariance) -> Term:
        """The name that the statement gives the average of a product, under its own covariance."""
        fields = fields_of(self.given[symbol] or ())
        same = all(at.entries[i][j] == self.covariance.entries[i][j] for i in fields for j in fields)
        require(same, f"{shown(symbol)} is the average under another covariance")
        return ("s", symbol)

    def admissible(self, data: Data) -> Rows:
        """The covariance at an exact point, positive semidefinite, and definite where it is said to be."""
        rows = self.covariance.entries
        values = point(data, self.symbols, free_in([entry for row in rows for entry in row]))
        numbers: list[list[Any]] = [[exact(entry, values) for entry in row] for row in rows]
        rational = all(None not in row for row in numbers)
        require(rational, "the covariance at the exact point is not rational: give another point")
        for strict, fields in ((False, range(len(rows))), (True, sorted(self.covariance.definite))):
            matrix = fmpq_mat(len(fields), len(fields), [numbers[i][j] for i in fields for j in fields])
            require(not fields or is_positive(matrix, strict), "the exact point gives no admissible covariance")
        return tuple(tuple(("q", str(number)) for number in row) for row in numbers)

    def in_numbers(self, symbol: str, rows: Rows) -> Data:
        """The average that has a name, for a covariance in numbers, as a statement without its right side."""
        kept = {key: self.statement[key] for key in ("kind", "fields", "definite") if key in self.statement}
        integrand = ((ONE, self.statement["given"][symbol]),)
        return {**kept, "symbols": {}, "assuming": (), "covariance": rows, "integrand": integrand}

    def without(self, symbol: str, gap: Term) -> Data:
        """The equality that says that a difference does not depend on an average that has a name."""
        told = {key: self.statement[key] for key in ("symbols", "assuming")}
        return {"kind": "identity", **told, "left": ("D", gap, symbol), "right": ZERO}


def check_average(certificate: Data, check: Check) -> None:
    """The derived value is the right side, or is not at an exact point."""
    statement, payload = certificate["statement"], certificate["payload"]
    average, equality, refuted = Average(statement), payload["equality"], certificate["verdict"] == "refuted"
    value, evidence = average.value(payload["derivation"]), equality["payload"]
    rows = average.admissible(evidence["witness"]["point"] if refuted else evidence["inhabited"])
    put = _names_at(average, payload.get("names", {}), value, rows, check) if refuted else ()
    left, right = (("at", formula, put) if put else formula for formula in (value, average.right))
    needed = {"kind": "identity", "left": left, "right": right}
    needed |= {key: statement[key] for key in ("symbols", "assuming")}
    require(says(equality["statement"], needed), "an average needs another equality")
    require(check(equality) == certificate["verdict"], f"the equality is not {certificate['verdict']}")
    if refuted:
        require(payload.get("witness") == evidence["witness"], "the witness is not the point at which the sides differ")


def _names_at(average: Average, named: Data, value: Term, rows: Rows, check: Check) -> tuple[tuple[str, Term], ...]:
    """The numbers that names stand for at a point: proved averages, or any where the sides' difference has no name."""
    require(set(named) == set(average.given), "every average that has a name needs its value at the point")
    put = []
    for symbol, certificate in sorted(named.items()):
        told = certificate["statement"]
        if told.get("kind") == "identity":
            plain = all(_is_polynomial(formula, symbol) for formula in (value, average.right))
            require(plain, f"{symbol} must stand in sums and products only")
            needed, number = average.without(symbol, difference(value, average.right)), ZERO
        else:
            number = told["right"]
            needed = average.in_numbers(symbol, rows) | {"right": number}
        require(says(told, needed), "what a name stands for is told by another statement")
        require(check(certificate) == "proved", "the value of a name is not proved")
        put.append((symbol, number))
    return tuple(put)


def _is_polynomial(formula: Term, symbol: str) -> bool:
    """Check whether a formula has a value whatever the symbol in it stands for."""
    if formula[0] in ("+", "*"):
        return all(_is_polynomial(child, symbol) for child in formula[1:])
    return formula == ("s", symbol) or symbol not in free_in([formula])

"""Gaussian averages: every rule of a derivation is applied again, what it leaves to show about numbers is checked.

A statement says that a sum of products of factors has an average over jointly Gaussian fields of mean zero, wherever
the hypotheses hold, the covariance is positive semidefinite (positive definite for the fields named so) and the right
side has a value. The rules, with what each asks for:

    one           no factor is left: 1
    odd           no step is there, and the product changes its sign with all fields: 0
    half          one step, and its field is definite: 1/2
    independent   the covariances between the groups are literally zero: the product of their averages
    point         a point mass, and its field is definite: its density at zero times the average where the field is zero
    tilt          bells of one field, of widths w that are positive by form: with 1/w their sum of reciprocals,
                  sqrt(w) (w + C_kk)^(-1/2) times the average under C - C_.k C_k./(w + C_kk)
    stein         <b F> = sum C_bx <dF/dx>; where F has steps, their slopes are point masses and its fields definite
    given         the product that the statement gives a name, under its own covariance
    lemma         a proved average, whose right side has a value for every covariance, with terms for its symbols
    rate          (of a statement) d<F>/dt = sum dC_ij/dt <d^2F/(di dj)> over pairs of fields, all of them definite
    price         V(1), where V(t) has a value and a slope for t from 0 to 1, is at 0 the average of independent groups,
                  and dV/dt = sum C_gh <d^2F/(dg dh)> with the covariances between the groups times t; where F has
                  steps, its fields are definite. Between two admissible covariances all are admissible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from derivations.recheck.core.balls import exact
from derivations.recheck.core.budget import spend
from derivations.recheck.core.conditions import demands, sign_by_form
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, integer, name, part, shown, term
from derivations.recheck.core.statements import must_match, point, setting
from derivations.recheck.core.terms import (
    HALF,
    MINUS_ONE,
    ONE,
    TWO,
    ZERO,
    Rewriter,
    carried_out,
    difference,
    free_in,
    replaced,
    subterms,
)
from derivations.recheck.kinds.forms import placed, product_of_terms, sum_of_terms
from derivations.recheck.kinds.gaussian_products import (
    Product,
    joint_width,
    mixed_slopes,
    moved,
    product,
    slopes_by_stein,
    tidy,
)

Check = Callable[[Data], str]
MINUS_HALF: Term = ("q", "-1/2")
MAX_FIELDS = 8
STEP_WORK = 20_000  # see `spend`
KEYS = {"kind", "symbols", "assuming", "fields", "covariance", "definite", "integrand", "given", "rate", "right"}


@dataclass(frozen=True)
class Covariance:
    entries: tuple[tuple[Term, ...], ...]
    definite: frozenset[int]

    def at(self, i: int, j: int) -> Term:
        return self.entries[i][j]

    def less(self, field: int, variance: Term, definite: frozenset[int]) -> Covariance:
        """C - C_.k C_k./variance."""
        spend(STEP_WORK)
        size = range(len(self.entries))
        share: Term = ("^", variance, MINUS_ONE) if variance != ONE else ONE
        table: dict[tuple[int, int], Term] = {}
        for i in size:
            for j in range(i, len(size)):
                taken = product_of_terms(MINUS_ONE, self.at(i, field), self.at(j, field), share)
                table[i, j] = table[j, i] = sum_of_terms(self.at(i, j), taken)
        return Covariance(tuple(tuple(table[i, j] for j in size) for i in size), definite)

    def crossed(self, group: frozenset[int], by: Term) -> Covariance:
        size = range(len(self.entries))
        rows = [
            tuple(
                product_of_terms(by, self.at(i, j)) if (i in group) is not (j in group) else self.at(i, j) for j in size
            )
            for i in size
        ]
        return Covariance(tuple(rows), self.definite)

    def minor(self, chosen: tuple[int, ...]) -> Term:
        spend(STEP_WORK)
        return _expanded(tuple(tuple(self.at(i, j) for j in chosen) for i in chosen))


def _expanded(rows: tuple[tuple[Term, ...], ...]) -> Term:
    """A determinant by its first row."""
    if not rows:
        return ONE
    terms = []
    for j, entry in enumerate(rows[0]):
        rest = _expanded(tuple(row[:j] + row[j + 1 :] for row in rows[1:]))
        terms.append(product_of_terms(MINUS_ONE, entry, rest) if j % 2 else product_of_terms(entry, rest))
    return sum_of_terms(*terms)


@dataclass(frozen=True)
class Known:
    """What obligations may lean on: the hypotheses, and admissible covariances."""

    statement: Data
    symbols: Data
    covariances: tuple[Covariance, ...]
    times: tuple[str, ...]
    check: Check

    def fact(self, told: Data) -> Term:
        if told == ("until",) and self.times:
            return (">=", ONE, ("s", self.times[-1]))
        if isinstance(told, tuple) and len(told) == 3 and told[0] == "minor" and isinstance(told[2], tuple):
            depth = integer(told[1], 0, len(self.covariances) - 1, "the number of a covariance")
            of = self.covariances[depth]
            chosen = tuple(integer(i, 0, len(of.entries) - 1, "a field of a minor") for i in told[2])
            if not 0 < len(chosen) <= 4 or sorted(set(chosen)) != list(chosen):
                raise Rejected(f"a principal minor must name one to four fields in their order, got {shown(told)}")
            return (">" if set(chosen) <= of.definite else ">=", of.minor(chosen), ZERO)
        raise Rejected(f"no fact about the covariance is called {shown(told)}")

    def _assumed(self, obligation: Data) -> Data:
        facts = part(obligation, "facts", tuple, "an obligation")
        return {"symbols": self.symbols, "assuming": self.statement["assuming"] + tuple(map(self.fact, facts))}

    def equal(self, obligation: Data, left: Term, right: Term) -> Data:
        """An obligation that shows an equality; its certificate."""
        if not isinstance(obligation, dict):
            raise Rejected(f"an obligation must be an object, got {shown(obligation)}")
        certificate = part(obligation, "certificate", dict, "an obligation")
        needed = {"kind": "identity", **self._assumed(obligation), "left": left, "right": right}
        must_match(part(certificate, "statement", dict, "the certificate"), needed, "equality that an average needs")
        if self.check(certificate) != "proved":
            raise Rejected("an equality that an average needs is not proved")
        return certificate

    def defined(self, obligations: Data, terms: list[Term]) -> None:
        """Every condition under which terms have values is shown."""
        if not isinstance(obligations, tuple):
            raise Rejected(f"signs that show where a term has values must be a list, got {shown(obligations)}")
        found: set[tuple[str, Term]] = set()
        for obligation in obligations:
            certificate = part(obligation, "certificate", dict, "an obligation")
            statement = part(certificate, "statement", dict, "the certificate")
            relation, left = part(statement, "relation", str, "the sign"), part(statement, "left", tuple, "the sign")
            needed = {"kind": "sign", **self._assumed(obligation), "relation": relation, "left": left, "right": ZERO}
            must_match(statement, needed, "sign that an average needs")
            if self.check(certificate) != "proved":
                raise Rejected("a sign that an average needs is not proved")
            found.add((relation, left))
        for formula in terms:
            for relation, of in demands(Rewriter().carried_out(formula)):
                enough = (">", ">=") if relation == ">=" else (">",)
                if sign_by_form(of, self.symbols) not in enough and not any((r, of) in found for r in enough):
                    raise Rejected(f"nothing shows that {shown(of)} {relation} 0, which a value of an average needs")


def check_average(certificate: Data, check: Check) -> None:
    Average(certificate["statement"], check).decide(certificate)


class Average:
    """One statement about an average."""

    def __init__(self, statement: Data, check: Check) -> None:
        if not set(statement) <= KEYS:
            raise Rejected("the statement about an average has unknown parts")
        self.statement, self.check = statement, check
        self.symbols = setting(statement).symbols
        self.covariance = self._covariance()
        self.right = term(part(statement, "right", tuple, "the statement"))
        self.known = Known(statement, self.symbols, (self.covariance,), (), check)
        self.total = False
        setting(statement).free(self.right, *(entry for row in self.covariance.entries for entry in row))

    def _covariance(self) -> Covariance:
        fields = part(self.statement, "fields", tuple, "the statement")
        if len(fields) > MAX_FIELDS or len(set(map(name, fields))) != len(fields):
            raise Rejected(f"an average is over at most {MAX_FIELDS} fields of different names, got {shown(fields)}")
        rows = part(self.statement, "covariance", tuple, "the statement")
        size = len(fields)
        if len(rows) != size or any(not isinstance(row, tuple) or len(row) != size for row in rows):
            raise Rejected("the covariance must be a square with a row for every field")
        entries = tuple(tuple(map(term, row)) for row in rows)
        if any(entries[i][j] != entries[j][i] for i in range(size) for j in range(i)):
            raise Rejected("the covariance must be written symmetrically")
        definite = part(self.statement, "definite", tuple, "the statement")
        return Covariance(entries, frozenset(integer(i, 0, size - 1, "a definite field") for i in definite))

    def polynomial(self) -> dict[Product, Term]:
        total: dict[Product, Term] = {}
        for item in part(self.statement, "integrand", tuple, "the statement"):
            if not isinstance(item, tuple) or len(item) != 2:
                raise Rejected(f"a part of an integrand must be a coefficient and factors, got {shown(item)}")
            found = self.product(item[1])
            if found is not None:
                total[found] = sum_of_terms(total.get(found, ZERO), term(item[0]))
        setting(self.statement).free(*total.values())
        return total

    def averaged(self) -> dict[Product, Term]:
        """The integrand, or what Price's theorem averages where a symbol moves the covariances of different fields."""
        of = self.polynomial()
        if "rate" not in self.statement:
            return of
        time = name(self.statement["rate"], "the symbol by which an average changes")
        still = [self.covariance.at(i, i) for i in range(len(self.covariance.entries))]
        still += [width for found in of for width in found.all_widths()]
        if time not in self.symbols or self.given or time in free_in([*still, *of.values()]):
            raise Rejected(f"{shown(time)} must move covariances of different fields, and nothing else")
        for found in of:
            if found.points():
                raise Rejected("the rule for averages that move is for products without point masses")
            _require(self.covariance, set(found.fields))
        return moved(of, lambda i, j: Rewriter().carried_out(("D", self.covariance.at(i, j), time)))

    def product(self, factors: Data) -> Product | None:
        return product(factors, len(self.covariance.entries), self.symbols)

    def decide(self, certificate: Data) -> None:
        verdict, payload = certificate["verdict"], certificate["payload"]
        given = {}
        for symbol, factors in self.statement.get("given", {}).items():
            given[symbol] = self.product(factors)
            if symbol not in self.symbols or self.symbols[symbol]:
                raise Rejected(f"{symbol} stands for an average: it must be a symbol without assumptions")
        self.given = given
        self._names_stay_out()
        value = self.sum(
            part(payload, "derivation", tuple, "the payload"), self.averaged(), self.covariance, self.known
        )
        if verdict == "proved":
            self._proved(payload, value)
        elif verdict == "refuted":
            self._refuted(payload, value)
        else:
            raise Rejected(f"an average can be proved or refuted, not {verdict}")

    def _names_stay_out(self) -> None:
        """A name of an average stands on the right side only: hypotheses and the average itself do not speak of it."""
        inside = [entry for row in self.covariance.entries for entry in row]
        inside += [side for relation in self.statement["assuming"] for side in relation[1:]]
        spoken = free_in(inside)
        if spoken & set(self.given):
            raise Rejected("a symbol that stands for an average occurs in the covariance or in a hypothesis")

    def _proved(self, payload: Data, value: Term) -> None:
        for item in part(payload, "arcsines", tuple, "the payload"):
            if not isinstance(item, tuple) or len(item) != 3:
                raise Rejected(f"equal arcsines must be two arguments and their equality, got {shown(item)}")
            old, new = term(item[0]), term(item[1])
            if ("asin", new) not in subterms(carried_out(self.right)):
                raise Rejected(f"the arcsine of {shown(new)} stands nowhere on the right side, and may have no value")
            self.known.equal(item[2], old, new)
            value = replaced(value, ("asin", old), ("asin", new))
        shown_equal = self.known.equal(part(payload, "identity", dict, "the payload"), value, self.right)
        self._require_admissible(part(shown_equal["payload"], "inhabited", dict, "the payload of the equality"))
        if "defined" in payload:
            self.known.defined(payload["defined"], [self.right])
            self.total = True

    def _refuted(self, payload: Data, value: Term) -> None:
        certificate = part(payload, "refutation", dict, "the payload")
        inner = part(certificate, "payload", dict, "the refutation")
        at = part(part(inner, "witness", dict, "the refutation"), "point", dict, "the witness")
        whatever = part(payload, "whatever", dict, "the payload")
        numbers = self._require_admissible(at)
        new = self._names_that_cancel(whatever, value)
        if not whatever:
            new = self._named_values(part(payload, "names", dict, "the payload"), numbers)
        head = {"symbols": self.symbols, "assuming": self.statement["assuming"]}
        sides = {"left": placed_all(value, new), "right": placed_all(self.right, new)}
        needed = {"kind": "identity", **head, **sides}
        must_match(part(certificate, "statement", dict, "the refutation"), needed, "refutation of an average")
        if self.check(certificate) != "refuted":
            raise Rejected("the right side of an average is not refuted")
        if payload.get("witness") != inner["witness"]:
            raise Rejected("the witness is not the point at which the value differs from the right side")

    def _names_that_cancel(self, obligations: Data, value: Term) -> dict[str, Term]:
        """Zero for the averages that have names, where the two sides hold the same multiples of them."""
        for symbol, obligation in obligations.items():
            if symbol not in self.given or not is_polynomial(self.right, symbol):
                raise Rejected(f"{shown(symbol)} must name an average and stand in sums and products only")
            self.known.equal(obligation, ("D", difference(value, self.right), symbol), ZERO)
        if obligations and set(obligations) != set(self.given):
            raise Rejected("every average that has a name must cancel, or none")
        return dict.fromkeys(obligations, ZERO)

    def _named_values(self, certificates: Data, numbers: list[list[Fraction]]) -> dict[str, Term]:
        """The averages that have names, for the covariance in numbers."""
        if set(certificates) != set(self.given):
            raise Rejected("a refutation must give every average that has a name its value at the exact point")
        found = {}
        for symbol, certificate in certificates.items():
            statement = part(certificate, "statement", dict, f"the value of {symbol}")
            needed = {
                **{key: self.statement[key] for key in ("kind", "fields", "definite")},
                "symbols": {},
                "assuming": (),
                "covariance": tuple(tuple(("q", str(entry)) for entry in row) for row in numbers),
                "integrand": ((ONE, self.statement["given"][symbol]),),
                "right": part(statement, "right", tuple, f"the value of {symbol}"),
            }
            must_match(statement, needed, f"value of {symbol}")
            if self.check(certificate) != "proved":
                raise Rejected(f"the value of {symbol} at the exact point is not proved")
            found[symbol] = needed["right"]
        return found

    def _require_admissible(self, data: Data) -> list[list[Fraction]]:
        """The covariance at an exact point is positive semidefinite, and definite where it is said to be."""
        size = len(self.covariance.entries)
        values = point(data, self.symbols, free_in([entry for row in self.covariance.entries for entry in row]))
        rows = [[exact(self.covariance.at(i, j), values) for j in range(size)] for i in range(size)]
        numbers = [[Fraction(int(e.p), int(e.q)) for e in row if e is not None] for row in rows]
        if any(len(row) < size for row in numbers):
            raise Rejected("the covariance at the exact point is not rational: give a point at which it is")
        for chosen in _subsets(size):
            minor = _determinant([[numbers[i][j] for j in chosen] for i in chosen])
            if minor < 0 or (minor == 0 and set(chosen) <= self.covariance.definite):
                raise Rejected("the exact point gives no admissible covariance")
        return numbers

    # --- derivations --------------------------------------------------------------------------------------------------

    def sum(self, parts: Data, of: dict[Product, Term], at: Covariance, known: Known) -> Term:
        """The value of a sum of products, each with its own derivation."""
        left = dict(of)
        terms = []
        if not isinstance(parts, tuple):
            raise Rejected(f"the parts of a sum must be a list, got {shown(parts)}")
        for item in parts:
            if not isinstance(item, tuple) or len(item) != 2 or not isinstance(item[1], dict):
                raise Rejected(f"a part of a sum must be factors and a rule, got {shown(item)}")
            found = product(item[0], len(at.entries), known.symbols)
            if found is None or found not in left:
                raise Rejected(f"{shown(item[0])} is no product of the sum that is averaged")
            terms.append(product_of_terms(left.pop(found), self.value(item[1], found, at, known)))
        if left:
            raise Rejected("a product of the sum that is averaged has no derivation")
        return sum_of_terms(*terms)

    def value(self, node: Data, of: Product, at: Covariance, known: Known) -> Term:
        spend(STEP_WORK)
        rule = part(node, "rule", str, "a derivation")
        rules = {
            "one": self._one,
            "odd": self._odd,
            "half": self._half,
            "independent": self._independent,
            "point": self._point,
            "tilt": self._tilt,
            "stein": self._stein,
            "given": self._given,
            "lemma": self._lemma,
            "price": self._price,
        }
        if rule not in rules:
            raise Rejected(f"no rule for averages is called {shown(rule)}: choose one of {', '.join(rules)}")
        return rules[rule](node, of, at, known)

    def _one(self, node: Data, of: Product, at: Covariance, known: Known) -> Term:
        if of.fields:
            raise Rejected("the rule 'one' is for products without factors")
        return ONE

    def _odd(self, node: Data, of: Product, at: Covariance, known: Known) -> Term:
        if of.steps() or of.points() or of.degree() % 2 == 0:
            raise Rejected(
                "the rule 'odd' is for products without steps and point masses that change their sign with the fields"
            )
        return ZERO

    def _half(self, node: Data, of: Product, at: Covariance, known: Known) -> Term:
        if not of.is_steps() or len(of.fields) != 1:
            raise Rejected("the rule 'half' is for one step")
        _require(at, of.steps())
        return HALF

    def _independent(self, node: Data, of: Product, at: Covariance, known: Known) -> Term:
        values: list[Term] = []
        seen: list[frozenset[int]] = []
        for item in part(node, "groups", tuple, "the rule 'independent'"):
            if not isinstance(item, tuple) or len(item) != 2 or not isinstance(item[0], tuple):
                raise Rejected(f"a group must be fields and a rule, got {shown(item)}")
            group = frozenset(integer(i, 0, len(at.entries) - 1, "a field") for i in item[0])
            if any(at.at(i, j) != ZERO for i in group for other in seen for j in other):
                raise Rejected("fields of different groups have a covariance that is not literally zero")
            seen.append(group)
            values.append(self.value(item[1], of.only(group), at, known))
        if sum(map(len, seen)) != len(frozenset().union(*seen)) or not set(of.fields) <= frozenset().union(*seen):
            raise Rejected("the groups must hold every field of the product once")
        return product_of_terms(*values)

    def _point(self, node: Data, of: Product, at: Covariance, known: Known) -> Term:
        field = integer(part(node, "field", int, "the rule 'point'"), 0, len(at.entries) - 1, "a field")
        if not of.has_point(field):
            raise Rejected("the rule 'point' is for a point mass of the field that it names")
        _require(at, {field})
        given = at.less(field, at.at(field, field), at.definite - {field})
        value = self.value(part(node, "of", dict, "the rule 'point'"), of.without(field), given, known)
        density: Term = ("^", product_of_terms(TWO, ("pi",), at.at(field, field)), MINUS_HALF)
        return product_of_terms(density, value)

    def _tilt(self, node: Data, of: Product, at: Covariance, known: Known) -> Term:
        field = integer(part(node, "field", int, "the rule 'tilt'"), 0, len(at.entries) - 1, "a field")
        widths = of.bells(field)
        if not widths or of.points():
            raise Rejected("the rule 'tilt' is for bells of the field that it names, with no point mass beside them")
        width = joint_width(widths)
        spread = sum_of_terms(width, at.at(field, field))
        value = self.value(
            part(node, "of", dict, "the rule 'tilt'"),
            of.without_bells(field),
            at.less(field, spread, at.definite),
            known,
        )
        factors = [("^", base, power) for base, power in ((width, HALF), (spread, MINUS_HALF)) if base != ONE]
        return product_of_terms(product_of_terms(*factors), value)

    def _stein(self, node: Data, of: Product, at: Covariance, known: Known) -> Term:
        field = integer(part(node, "field", int, "the rule 'stein'"), 0, len(at.entries) - 1, "a field")
        if not of.power(field) or of.points():
            raise Rejected("the rule 'stein' is for a power of the field that it names, with no point mass beside it")
        lower = of.lowered(field)
        if lower.steps():
            _require(at, set(lower.fields))
        parts = part(node, "parts", tuple, "the rule 'stein'")
        return self.sum(parts, slopes_by_stein(lower, field, at.at), at, known)

    def _given(self, node: Data, of: Product, at: Covariance, known: Known) -> Term:
        symbol = part(node, "name", str, "the rule 'given'")
        if symbol not in self.given or self.given[symbol] != of:
            raise Rejected(f"the statement gives no average of this product the name {shown(symbol)}")
        if any(at.at(i, j) != self.covariance.at(i, j) for i in of.fields for j in of.fields):
            raise Rejected(f"{shown(symbol)} is the average under another covariance")
        return ("s", symbol)

    def _lemma(self, node: Data, of: Product, at: Covariance, known: Known) -> Term:
        certificate = part(node, "certificate", dict, "the rule 'lemma'")
        lemma = Average(part(certificate, "statement", dict, "the lemma"), self.check)
        said = lemma.statement.get("kind"), certificate.get("verdict"), certificate.get("method")
        if said != ("average", "proved", "rules of averages"):
            raise Rejected("a lemma must be a statement about an average that is proved by the rules of averages")
        lemma.decide({**certificate, "payload": part(certificate, "payload", dict, "the lemma")})
        if not lemma.total or lemma.given or lemma.statement["assuming"] or "rate" in lemma.statement:
            raise Rejected("a lemma must have no hypotheses and a right side that has a value for every covariance")
        fields = part(node, "fields", tuple, "the rule 'lemma'")
        if len(fields) != len(lemma.covariance.entries):
            raise Rejected("the lemma's fields must be named one by one")
        fields = tuple(integer(i, 0, len(at.entries) - 1, "a field") for i in fields)
        new = {key: term(value) for key, value in part(node, "symbols", dict, "the rule 'lemma'").items()}
        self._require_lemma_fits(lemma, fields, new, at, known)
        products = lemma.polynomial()
        if list(products.values()) != [ONE]:
            raise Rejected("a lemma must be about one product without a coefficient")
        (found,) = products
        entries = [entry for row in lemma.covariance.entries for entry in row]
        if silent := sorted(set(lemma.symbols) - free_in([*entries, *found.all_widths()])):
            raise Rejected(f"{silent[0]} is in no covariance and no width of the lemma: its term may have no value")
        if found.moved(fields, lambda width: placed_all(width, new)) != of:
            raise Rejected("the lemma is about another product")
        return placed_all(lemma.right, new)

    def _require_lemma_fits(
        self, lemma: Average, fields: tuple[int, ...], new: dict[str, Term], at: Covariance, known: Known
    ) -> None:
        if set(new) != set(lemma.symbols):
            raise Rejected("the lemma's symbols must be given terms one by one")
        setting({**self.statement, "symbols": known.symbols}).free(*new.values())
        places = range(len(fields))
        for i in places:
            for j in places:
                if placed_all(lemma.covariance.at(i, j), new) != at.at(fields[i], fields[j]):
                    raise Rejected("the lemma's covariance is not the one of these fields")
        images = [fields[i] for i in sorted(lemma.covariance.definite)]
        if len(set(images)) != len(images) or not set(images) <= at.definite:
            raise Rejected("the lemma needs fields whose covariance is positive definite")
        variances: dict[str, int] = {}
        for i in places:
            entry = lemma.covariance.at(i, i)
            if entry[0] == "s":
                variances[entry[1]] = fields[i]
        for symbol, told in lemma.symbols.items():
            sign = sign_by_form(new[symbol], known.symbols)
            if symbol in variances:
                sign = ">" if variances[symbol] in at.definite or sign == ">" else ">="
            granted = {">": ("positive", "nonnegative", "nonzero"), ">=": ("nonnegative",), "": ()}[sign]
            if not set(told) <= set(granted):
                raise Rejected(f"the lemma's symbol {symbol} stands for a term that need not be {' and '.join(told)}")

    def _price(self, node: Data, of: Product, at: Covariance, known: Known) -> Term:
        group = frozenset(
            integer(i, 0, len(at.entries) - 1, "a field") for i in part(node, "group", tuple, "the rule 'price'")
        )
        time = name(part(node, "time", str, "the rule 'price'"), "the name of a path")
        if time in known.symbols or of.points():
            raise Rejected("the path needs a name of its own, and the product must have no point masses")
        if of.steps():
            _require(at, set(of.fields))
        path: Term = ("s", time)
        on_path = at.crossed(group, path)
        inner = replace(
            known,
            symbols=dict(sorted({**known.symbols, time: ("nonnegative",)}.items())),
            covariances=(*known.covariances, on_path),
            times=(*known.times, time),
        )
        value = term(part(node, "value", tuple, "the rule 'price'"))
        setting({**self.statement, "symbols": inner.symbols}).free(value)
        start = self.value(part(node, "start", dict, "the rule 'price'"), of, at.crossed(group, ZERO), known)
        known.equal(part(node, "base", dict, "the rule 'price'"), placed(value, {time}, ZERO), start)
        speed = self.sum(part(node, "rate", tuple, "the rule 'price'"), mixed_slopes(of, group, at.at), on_path, inner)
        slope = Rewriter().carried_out(("D", value, time))
        inner.equal(part(node, "derivative", dict, "the rule 'price'"), tidy(slope), speed)
        inner.defined(part(node, "defined", tuple, "the rule 'price'"), [value, slope])
        return placed(value, {time}, ONE)


def placed_all(formula: Term, new: dict[str, Term]) -> Term:
    """A formula without derivatives and substitutions, with terms for its symbols."""
    spend(STEP_WORK // 10)
    if formula[0] == "s":
        return new.get(formula[1], formula)
    if formula[0] in ("q", "pi"):
        return formula
    if formula[0] in ("D", "at"):
        raise Rejected("a lemma about an average must be stated without derivatives and substitutions")
    return (formula[0], *(placed_all(inner, new) for inner in formula[1:]))


def is_polynomial(formula: Term, symbol: str) -> bool:
    """Whether a symbol stands in sums and products only."""
    if formula[0] in ("+", "*"):
        return all(is_polynomial(child, symbol) for child in formula[1:])
    return formula == ("s", symbol) or symbol not in free_in([formula])


def _require(at: Covariance, fields: set[int]) -> None:
    if not fields <= at.definite:
        raise Rejected("steps and point masses need fields whose covariance is positive definite")


def _subsets(size: int) -> Iterator[tuple[int, ...]]:
    for bits in range(1, 2**size):
        yield tuple(i for i in range(size) if bits >> i & 1)


def _determinant(rows: list[list[Fraction]]) -> Fraction:
    """By elimination."""
    rows, result = [list(row) for row in rows], Fraction(1)
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            return Fraction(0)
        if pivot != k:
            rows[k], rows[pivot], result = rows[pivot], rows[k], -result
        result *= rows[k][k]
        for i in range(k + 1, len(rows)):
            share = rows[i][k] / rows[k][k]
            rows[i] = [a - share * b for a, b in zip(rows[i], rows[k], strict=True)]
    return result

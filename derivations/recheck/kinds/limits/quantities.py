"""Small quantities: names for what goes to zero along a limit, and the expression as a formula of them.

The variables of a limit go to zero from above (or a formula of one stands in their place). Each step of a proof adds a
name for another quantity that goes to zero:

    small      a line of the table, such as exp(-1/d), at a positive form d
    bounded    a sine or cosine of anything, times a form that goes to zero
    equal      no name: a formula takes the place of one that is equal to it
    taylor     the remainder r of Taylor's theorem: where A goes to c, inside of the domain of a smooth function F,
               F(A) = F(c) + F'(c) (A - c) + ... + F^(n)(c) (A - c)^n/n! + (A - c)^n r takes the place of F(A)
    end        the same where A goes to an end of the domain, by a line of the table
    scaled     no name: log(exp(m) P) = m + log(P), (exp(m) P)^e = exp(e m) P^e and |exp(m) P| = exp(m) P for a form P,
               whose logarithm and powers are those of its factors

A form is a product of powers of positive small quantities and of a formula that is continuous and positive where all of
them are zero: so it is positive near the limit, and goes to zero if no power is negative and there is one. A formula is
continuous if what it divides by, and what stands in its logarithms and roots, does not vanish there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import factorial

from flint import fmpq

from derivations.recheck.core.balls import Undefined, sign_at
from derivations.recheck.core.conditions import Condition, demands, own_demand, says_no_more, sign_by_form
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, integer, name, rational, require, shown, term
from derivations.recheck.core.statements import POINT_BITS, Values, setting, side
from derivations.recheck.core.terms import (
    ONE,
    TWO,
    ZERO,
    carried_out,
    difference,
    free,
    free_in,
    minus,
    replaced,
    require_small,
    subterms,
)
from derivations.recheck.kinds.forms import placed, product_of_terms, sum_of_terms
from derivations.recheck.kinds.limits.table import line
from derivations.recheck.kinds.limits.towards import INFINITE, inside_derivatives, places, value_of, variables_of
from derivations.recheck.kinds.rules import part_shown

Check = Callable[[Data], str]
MOST_TERMS, MOST_STEPS = 20, 200


class Quantities:
    """The small quantities of one limit, and the expression as the steps have rewritten it."""

    def __init__(self, statement: Data, check: Check) -> None:
        self.statement, self.check, where = statement, check, setting(statement)
        self.variables = variables_of(statement)
        self.parameters = {s: told for s, told in where.symbols.items() if s not in self.variables}
        self.places = places(statement)
        self.symbols: Data = self.parameters | dict.fromkeys(self.variables, ("positive",))
        self.names = set(self.variables)
        self._formulas: dict[str, Term] = {}  # of quantities that the table gives, in variables and remainders
        expression, self.value = side(statement, "expression"), value_of(statement)
        where.free(expression, *([] if self.value in INFINITE else [self.value]))
        self.moving = tuple((r[0], *map(self._at_the_place, r[1:])) for r in where.assuming if self._moves(*r[1:]))
        self.fixed = tuple(r for r in where.assuming if not self._moves(*r[1:]))
        whole = [expression, *inside_derivatives(expression), *map(term, statement.get("towards", ())[1:])]
        self.spoken = [self._at_the_place(formula) for formula in whole]
        self.allowed = {*self.fixed, *self._supposed()}
        unequal = [(difference(left, right), left, right) for order, left, right in self.allowed if order == "!="]
        gaps = [gap for gap, *_ in unequal] + [left for _, left, right in unequal if right == ZERO]
        self.allowed |= {(">", ("^", gap, TWO), ZERO) for gap in gaps}
        self._positive = {of for relation, of, right in self.allowed if (relation, right) == (">", ZERO)}
        self.point: Values = {}  # of the parameters, where only these matter
        self._steps = 0

    def _moves(self, *formulas: Term) -> bool:
        return bool(free_in(formulas) & self.names)

    def _supposed(self) -> Iterator[Term]:
        """What the parts of the statement that speak of parameters alone need to have a value."""
        for whole in (*self.spoken, *(carried_out(s) for relation in self.fixed for s in relation[1:])):
            for formula in subterms(whole):
                if not self._moves(formula) and says_no_more(formula) and (own := own_demand(formula)):
                    yield (*own, ZERO)

    @property
    def expression(self) -> Term:
        return self.spoken[0]

    def _at_the_place(self, formula: Term) -> Term:
        """A formula in quantities that go to zero from above; powers that move are exponentials."""
        return _as_exponentials(carried_out(("at", formula, tuple(self.places.items()))), self.names)

    def in_variables(self, formula: Term) -> Term:
        """A formula with the quantities of the table written out."""
        return carried_out(("at", formula, tuple(sorted(self._formulas.items()))))

    # --- what other certificates show ---------------------------------------------------------------------------------

    def supposed(self, certificate: Data, symbols: Data) -> Data:
        """What another certificate declares and supposes, which must be no more than the limit does."""
        told, assuming = (certificate["statement"][key] for key in ("symbols", "assuming"))
        fine = told.items() <= symbols.items() and set(assuming) <= self.allowed
        require(fine, "a nested certificate of a limit supposes what the limit does not")
        return {"symbols": told, "assuming": assuming}

    def _shown(self, certificate: Data, symbols: Data, needed: Data) -> None:
        verdict = part_shown(certificate, needed | self.supposed(certificate, symbols), self.check)
        require(verdict == "proved", "a certificate in a limit is not proved")

    def require_equal(self, certificate: Data, left: Term, right: Term) -> None:
        self._shown(certificate, self.symbols, {"kind": "identity", "left": left, "right": right})

    def learn(self, facts: Data) -> None:
        """Formulas of the parameters that are positive."""
        for certificate in facts:
            left = side(certificate["statement"], "left")
            self._shown(certificate, self.parameters, {"kind": "sign", "relation": ">", "left": left, "right": ZERO})
            self._positive.add(left)

    def positive(self, formula: Term) -> bool:
        """Whether a formula of the parameters is positive wherever it has a value, or at the exact point."""
        if sign_by_form(formula, self.parameters, self._positive) == ">":
            return True
        try:
            return free(formula) <= set(self.point) and sign_at(formula, self.point, POINT_BITS) == 1
        except Undefined:
            return False

    # --- what is continuous -------------------------------------------------------------------------------------------

    def at_zero(self, formula: Term) -> Term:
        return placed(formula, self.names, ZERO)

    def continuous(self, formula: Term) -> bool:
        """Whether a formula has values near the limit and is continuous where all quantities are zero."""
        return all(self._holds_at_zero(condition) for condition in demands(formula))

    def _holds_at_zero(self, condition: Condition) -> bool:
        """Whether a relation of something continuous to zero holds where all quantities are zero, and so near it."""
        relation, of = condition
        if (relation, of, ZERO) in self.allowed or (relation == ">=" and sign_by_form(of, self.symbols)):
            return True
        c = self.at_zero(of)
        return self.positive(c) or (relation == "!=" and self.positive(("^", c, TWO)))

    def valued(self, formula: Term) -> Term:
        """A formula of the quantities, in the variables, if it has a value near the limit for all parameters."""
        declared = free(formula) <= set(self.symbols) and carried_out(formula) == formula
        require(declared, f"{shown(formula)} has what nothing declares, or a derivative")
        for relation, of in demands(formula):
            if sign_by_form(of, self.symbols) not in (relation, ">"):
                require(self.continuous(of) and self._holds_at_zero((relation, of)), f"{shown(of)} may have no value")
        return self.in_variables(formula)

    def positive_form(self, data: Data) -> Term:
        """What a product of powers of positive quantities and a positive formula stands for, in the variables."""
        powers, rest = self._form(data)
        positive = self.continuous(rest) and self.positive(self.at_zero(rest))
        require(positive, f"nothing shows that {shown(rest)} is positive where the small quantities are zero")
        return self.in_variables(product_of_terms(*powers, rest))

    def small_form(self, data: Data, sign: int = 1) -> Term:
        """The same, where positive powers of quantities make the product go to zero, or negative ones make it grow."""
        small = bool(data[0]) and all(rational(exponent) * sign > 0 for _, exponent in data[0])
        require(small, "a form that goes to zero, or grows, must have such powers of small quantities as factors")
        return self.positive_form(data)

    def _form(self, data: Data) -> tuple[list[Term], Term]:
        powers: list[Term] = []
        for of, exponent in data[0]:
            fine = of in self.names and "positive" in self.symbols[of] and rational(exponent) != 0
            require(fine, f"{shown(of)} is no positive small quantity, or its power is zero")
            powers.append(("s", of) if exponent == "1" else term(("^", ("s", of), ("q", exponent))))
        return powers, term(data[1])

    # --- steps --------------------------------------------------------------------------------------------------------

    def take(self, step: Data) -> None:
        """One step: a new quantity, or another way to write a part of the expression."""
        self._steps += 1
        require(self._steps <= MOST_STEPS, f"a limit has at most {MOST_STEPS} steps")
        match step:
            case ("small", of, called, d, r):
                told = line("small", called)
                power = ("q", str(integer(r, 0, MOST_TERMS if told["grows"] else 0, "a power")))
                form = self.small_form(d, -1 if told["grows"] else 1)
                self._call(of, True, _raised(self._put(told["formula"], d=form, r=power)))
            case ("bounded", of, d, ("sin" | "cos", _) as wave):
                self._call(of, False, product_of_terms(self.small_form(d), self.valued(term(wave))))
            case ("equal", formula, other, identity):
                self._equal(term(formula), term(other), identity)
            case ("taylor", of, formula, argument, count):
                self._taylor(of, term(formula), term(argument), integer(count, 1, MOST_TERMS, "an order"))
            case ("end", of, called, formula, form, count):
                self._end(of, line("end", called), term(formula), form, count)
            case ("scaled", formula, m, form, identity):
                self._scaled(term(formula), term(m), form, identity)
            case _:
                raise Rejected(f"no step of a limit looks like {shown(step)}")

    def _call(self, of: Data, positive: bool, formula: Term | None) -> None:
        require(name(of) not in self.symbols, f"the small quantity {shown(of)} needs a name of its own")
        if formula is not None:
            self._formulas[of] = formula
        self.symbols = self.symbols | {of: ("positive",) if positive else ()}
        self.names.add(of)

    def _put(self, formula: Term, **values: Term) -> Term:
        return carried_out(("at", formula, tuple(values.items())))

    def _rewrite(self, old: Term, new: Term, *also: Term) -> None:
        """Another way to write a part of the expression; what the old one was made of must still have values."""
        self.spoken = [replaced(formula, old, new) for formula in self.spoken] + list(also)
        require_small(sum_of_terms(*self.spoken))

    def _equal(self, formula: Term, other: Term, identity: Data) -> None:
        written = self.valued(other)
        self.require_equal(identity, formula, written)
        self._rewrite(formula, written, formula)

    def _taylor(self, of: Data, formula: Term, argument: Term, count: int) -> None:
        inner, c = _argument(formula), self.at_zero(argument)
        same = self.continuous(argument) and self.in_variables(argument) == inner
        require(same, f"the argument of {shown(formula)} is not the one that is told")
        still = formula[0] != "^" or not free(formula[2]) & self.names
        self._call(of, False, None)
        slope: Term = (formula[0], ("s", of), *formula[2:])
        smooth = [(relation, placed(of_it, {of}, c)) for relation, of_it in demands(slope, smooth=True)]
        series = still and all(map(self._holds_at_zero, smooth))
        require(series, f"{shown(formula)} need not have a Taylor series where its argument goes")
        gap, terms = difference(inner, c), list[Term]()
        for k in range(count + 1):
            at_c = placed(carried_out(slope), {of}, c)
            terms.append(product_of_terms(("q", str(fmpq(1, factorial(k)))), at_c, _power(gap, k)))
            slope = ("D", slope, of)
        self._rewrite(formula, sum_of_terms(*terms, product_of_terms(_power(gap, count), ("s", of))))

    def _end(self, of: Data, told: Data, formula: Term, form: Data, count: Data) -> None:
        """form: what is small, and the certificate that it is the u of the line, or nothing where it is literally."""
        integer(count, 0, len(told["coefficients"]) - 1, "an order")
        require(formula[0] == told["function"], f"the line {told['name']} is not about {shown(formula)}")
        small = self._put(told["u"], a=_argument(formula))
        written = self.small_form(form[0])
        if written != small:
            self.require_equal(form[1], small, written)
        self._call(of, False, None)
        powers = [_power(small, told["step"] * k) for k in range(count + 1)]
        terms = [product_of_terms(("q", c), power) for c, power in zip(told["coefficients"], powers, strict=False)]
        series = sum_of_terms(*terms, product_of_terms(powers[-1], ("s", of)))
        factor = self._put(told["factor"], a=formula[1], u=small)
        self._rewrite(formula, sum_of_terms(told["lead"], product_of_terms(factor, series)))

    def _scaled(self, formula: Term, m: Term, form: Data, identity: Data) -> None:
        inner, m = _argument(formula), self.valued(m)
        powers = [self.in_variables(power) for power in self._form(form)[0]]
        rest = self.positive_form(((), form[1]))
        turned = formula[0] == "abs" and identity["statement"]["left"] == minus(inner)
        size = [] if m == ZERO else [("exp", m)]
        self.require_equal(identity, minus(inner) if turned else inner, product_of_terms(*size, *powers, rest))
        match formula[0]:
            case "log":
                logs = [product_of_terms(("q", e), ("log", ("s", of))) for of, e in form[0]]
                new = sum_of_terms(m, *map(self.in_variables, logs), ZERO if rest == ONE else ("log", rest))
            case "^" if formula[2][0] == "q" or not powers:
                size = [] if m == ZERO else [("exp", product_of_terms(formula[2], m))]
                raised = [(("s", of), str(rational(e) * rational(formula[2][1]))) for of, e in form[0]]
                powers = [("^", self.in_variables(of), ("q", e)) for of, e in raised]
                new = product_of_terms(*size, *powers, ONE if rest == ONE else ("^", rest, formula[2]))
            case "abs":
                new = product_of_terms(*size, *powers, rest)
            case head:
                raise Rejected(f"{shown(head)} is not scaled: only logarithms, powers and absolute values are")
        self._rewrite(formula, new, inner)


def _argument(formula: Term) -> Term:
    require(formula[0] not in ("s", "q", "pi", "+", "*"), f"{shown(formula)} is no function of an argument")
    argument: Term = formula[1]
    return argument


def _power(formula: Term, k: int) -> Term:
    return ONE if k == 0 else formula if k == 1 else ("^", formula, ("q", str(k)))


def _raised(formula: Term) -> Term:
    """A product whose last factor is a power, without the power where it is 0."""
    if formula[0] == "*" and formula[-1][0] == "^" and formula[-1][2] == ZERO:
        return product_of_terms(*formula[1:-1])
    return formula


def _as_exponentials(formula: Term, names: set[str]) -> Term:
    """A power whose exponent moves, or is a formula of numbers, as an exponential: its base must be positive."""
    if formula[0] in ("s", "q", "pi"):
        return formula
    inner = tuple(_as_exponentials(child, names) for child in formula[1:])
    if formula[0] == "^" and inner[1][0] != "q" and (free(inner[1]) & names or not free(inner[1])):
        return ("exp", ("*", inner[1], ("log", inner[0])))
    return (formula[0], *inner)

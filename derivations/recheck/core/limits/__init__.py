"""Limits: the value, where quantities that go to zero are zero, of a formula that is continuous there.

The variables of a limit go to zero from above, or a formula of one stands in their place. Each step of a proof names
another quantity that goes to zero, or writes a part of the expression in another way:

    a line     of the table: exp(-d) goes to zero where d grows, and atan(d) = pi/2 - (1 + o)/d, with an o that does
    taylor     where A goes to c, inside of the domain of a smooth function F, there is an o that goes to zero with
               F(A) = F(c) + F'(c) (A - c) + ... + F^(n)(c) (A - c)^n/n! + (A - c)^n o
    positive   a letter for what is continuous, and positive where all quantities are zero: so it is near the limit
    equal      a formula takes the place of one that is equal to it, whatever such letters stand for

At the end the expression is a form, by an equation. Finite, the form is continuous: what it divides by, and what stands
in its logarithms and roots, does not vanish where all quantities are zero. Infinite, it is 1/d or -1/d, and d a product
of positive powers of positive quantities and of what is positive near the limit.

Where the expression has no value for some parameters nothing is said about these. For one exact choice of them,
whatever must have a value has one however near the limit: what it asks for is such a product too, and keeps its sign.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial

from flint import fmpq

from derivations.recheck.core.balls import Undefined, agrees_with_text, enclosure, sign_at
from derivations.recheck.core.conditions import Condition, demands, is_implied_by_value, own_demand, sign_by_form
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.limits.forms import placed, product_of_terms, sum_of_terms
from derivations.recheck.core.load import Check, Data, Term, integer, name, rational, require, shown, term
from derivations.recheck.core.slots import INFINITE
from derivations.recheck.core.statements import (
    POINT_BITS,
    SIGNS,
    WORDS,
    Setting,
    Values,
    holds,
    point,
    require_givens,
    says,
    setting,
)
from derivations.recheck.core.terms import (
    MINUS_ONE,
    ONE,
    TWO,
    ZERO,
    carried_out,
    difference,
    free,
    free_in,
    inside_derivatives,
    minus,
    parts,
    replaced,
    require_small,
    subterms,
)
from derivations.recheck.core.theorems import Reading, limits

SIGNS_NEAR = SIGNS | {">=": (1,)}  # of what is a form near the limit, which does not vanish there
MOST_TERMS = 20


class Quantities:
    """The quantities that go to zero along one limit, and the expression as the steps have written it.

    What must hold of a formula is asked in four ways, each stronger than the one before:

        positive        of the parameters alone: wherever the formula has a value, or at the exact point of the end
        _holds_at_zero  a relation, of something continuous, where all quantities are zero; so it holds near there too
        continuous      whatever a formula needs to have a value holds at zero
        valued          the same, or is seen from the signs of the quantities: what a step may write for all parameters

    `known` and `above_zero` hold relations of the parameters: hypotheses, and what the statement's formulas need to
    have a value, since where they have none it says nothing.
    """

    def __init__(self, statement: Data, check: Check) -> None:
        self.check, where = check, setting(statement)
        self.variables, self.value = variables_of(statement), statement["value"]
        self.parameters = {s: said for s, said in where.symbols.items() if s not in self.variables}
        self.symbols: Data = self.parameters | dict.fromkeys(self.variables, ("positive",))
        self.names, self.formulas = set(self.variables), dict[str, Term]()  # the formulas are in variables
        self.letters = dict[str, Term]()  # what they stand for
        self.place = _place(statement, ("s", self.variables[0]))
        expression = statement["expression"]
        where.free(expression, *([] if self.value in INFINITE else [self.value]))
        self.moving = tuple((r[0], *map(self._at_the_place, r[1:])) for r in where.assuming if self.moves(*r[1:]))
        self.fixed = tuple(r for r in where.assuming if not self.moves(*r[1:]))
        self.words = where.symbols[self.variables[0]]
        whole = [expression, *inside_derivatives(expression), *statement.get("towards", ())[1:]]
        self.spoken = [self._at_the_place(formula) for formula in whole]
        self.known = {*self.fixed, *self._asked()}
        for order, left, right in [*self.known]:
            gaps = (difference(left, right), left) if right == ZERO else (difference(left, right),)
            self.known |= {(">", ("^", gap, TWO), ZERO) for gap in gaps if order == "!="}
        self.above_zero = {of for relation, of, right in self.known if (relation, right) == (">", ZERO)}
        self.point: Values = {}  # of the parameters, where only these matter

    def moves(self, *formulas: Term) -> bool:
        return bool(free_in(formulas) & self.names)

    def _at_the_place(self, formula: Term) -> Term:
        """A formula in quantities that go to zero from above; powers that move are exponentials."""
        places = ((self.variables[0], self.place),) if self.place else ()
        return _as_exponentials(carried_out(("at", formula, places)), self.names)

    def _asked(self) -> Iterator[Term]:
        """Return what the parts of the statement that speak of parameters alone need to have a value."""
        for whole in (*self.spoken, *(carried_out(s) for relation in self.fixed for s in relation[1:])):
            for formula in subterms(whole):
                if not self.moves(formula) and is_implied_by_value(formula) and (own := own_demand(formula)):
                    yield (*own, ZERO)

    def in_variables(self, formula: Term) -> Term:
        """A formula with the quantities that have one written out."""
        return carried_out(("at", formula, tuple(sorted(self.formulas.items()))))

    def at_zero(self, formula: Term) -> Term:
        return placed(formula, self.names, ZERO)

    # --- what other certificates show ---------------------------------------------------------------------------------

    def _require_shown(self, certificate: Data, symbols: Data, needed: Data) -> None:
        """Another certificate shows what is needed, and declares and supposes no more than holds near the limit."""
        said, assuming = (certificate["statement"][key] for key in ("symbols", "assuming"))
        fine = said.items() <= symbols.items() and set(assuming) <= self.known
        require(fine, "a nested certificate of a limit supposes what the limit does not")
        same = says(certificate["statement"], needed | {"symbols": said, "assuming": assuming})
        require(same, "a nested certificate of a limit does not state what is needed")
        require(self.check(certificate) == "proved", "a certificate in a limit is not proved")

    def require_equal(self, certificate: Data, left: Term, right: Term) -> None:
        self._require_shown(certificate, self.symbols, {"kind": "identity", "left": left, "right": right})

    def learn(self, certificate: Data) -> None:
        """A formula of the parameters is positive."""
        left = certificate["statement"]["left"]
        needed = {"kind": "sign", "relation": ">", "left": left, "right": ZERO}
        self._require_shown(certificate, self.parameters, needed)
        self.above_zero.add(left)

    # --- what is continuous -------------------------------------------------------------------------------------------

    def positive(self, formula: Term) -> bool:
        """Check whether a formula of the parameters is positive wherever it has a value, or at the exact point."""
        if sign_by_form(formula, self.parameters, self.above_zero) == ">":
            return True
        try:
            return free(formula) <= set(self.point) and sign_at(formula, self.point, POINT_BITS) == 1
        except Undefined:
            return False

    def continuous(self, formula: Term) -> bool:
        """Check whether a formula has values near the limit and is continuous where all quantities are zero."""
        return all(self._holds_at_zero(condition) for condition in demands(formula))

    def _holds_at_zero(self, condition: Condition) -> bool:
        """Check that a relation of something continuous to zero holds where all quantities are zero, and so near it."""
        relation, of = condition
        if (relation, of, ZERO) in self.known or (relation == ">=" and sign_by_form(of, self.symbols)):
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

    def near_positive(self, formula: Term) -> Term:
        """A formula that is positive near the limit, in the variables."""
        positive = self.continuous(formula) and self.positive(self.at_zero(formula))
        require(positive, f"nothing shows that {shown(formula)} is positive where the small quantities are zero")
        return self.in_variables(formula)

    def product(self, form: Data, sign: int = 0) -> Term:
        """Powers of positive quantities times what is positive near the limit; sign: of the powers, to go to zero."""
        powers: list[Term] = []
        for of, exponent in form[0]:
            fine = of in self.names and "positive" in self.symbols[of] and rational(exponent) != 0
            require(fine, f"{shown(of)} is no positive small quantity, or its power is zero")
            powers.append(("s", of) if exponent == "1" else term(("^", ("s", of), ("q", exponent))))
        goes = not sign or (powers and all(rational(exponent) * sign > 0 for _, exponent in form[0]))
        require(goes, "a form that goes to zero, or grows, must have such powers of small quantities as factors")
        return product_of_terms(*map(self.in_variables, powers), self.near_positive(term(form[1])))

    # --- steps --------------------------------------------------------------------------------------------------------

    def take(self, step: Data) -> Term:
        """One step: a new quantity, or another way to write a part of the expression, which is returned."""
        match step:
            case {"rule": line, "letters": letters}:
                return self._use(line, letters)
            case ("taylor", of, formula, argument, count):
                return self._taylor(of, term(formula), term(argument), integer(count, 1, MOST_TERMS, "an order"))
            case ("positive", of, formula):
                self._declare(of, True)
                self.letters[of] = self.near_positive(term(formula))
                return self.letters[of]
            case ("equal", formula, other, identity):
                written = self.valued(term(other))
                self.require_equal(identity, term(formula), written)
                old, new = (carried_out(("at", each, tuple(self.letters.items()))) for each in (formula, written))
                return self._rewrite(old, new, old)
        raise Rejected(f"no step of a limit looks like {shown(step)}")

    def _use(self, called: Data, letters: Data) -> Term:
        """A line of the table: its o is a formula, or what makes the two sides of its equation equal."""
        require(called in limits(), f"the table of limits has no line {shown(called)}")
        line, reading = limits()[called], Reading({}, {}, {})
        require(set(letters) == set(line.letters), f"{shown(called)} has the letters {sorted(line.letters)}")
        reading.known |= {key: self._letter(kind, letters[key]) for key, kind in line.letters.items()}
        _, left, right = reading.value(line.concludes.says) if line.concludes else ("=", ZERO, ZERO)
        defined = left == ("s", letters["o"])
        self._call(letters["o"], line.letters["o"] == "positive", right if defined else None)
        return right if defined else self._rewrite(left, right)

    def _letter(self, kind: str, data: Data) -> Term:
        match kind:
            case "small" | "large":
                return self.product(data, 1 if kind == "small" else -1)
            case "number":
                return ("q", str(integer(data, 1, MOST_TERMS, "a power")))
            case "formula":
                return self.valued(term(data))
        return ("s", name(data))

    def _call(self, of: Data, positive: bool, formula: Term | None = None) -> None:
        self._declare(of, positive)
        self.formulas |= {} if formula is None else {of: formula}
        self.names.add(of)

    def _declare(self, of: Data, positive: bool) -> None:
        require(name(of) not in self.symbols, f"the quantity {shown(of)} needs a name of its own")
        self.symbols = self.symbols | {of: ("positive",) if positive else ()}

    def _rewrite(self, old: Term, new: Term, *also: Term) -> Term:
        """Another way to write a part of the expression; what the old one was made of must still have values."""
        self.spoken = [replaced(formula, old, new) for formula in self.spoken] + list(also)
        require_small(sum_of_terms(*self.spoken))
        return new

    def _taylor(self, of: Data, formula: Term, argument: Term, count: int) -> Term:
        function = formula[0] not in ("s", "q", "pi", "+", "*") and not self.moves(*formula[2:])
        same = function and self.continuous(argument) and self.in_variables(argument) == formula[1]
        require(same, f"{shown(formula)} is no function of the argument that is stated")
        self._call(of, False)
        c, slope = self.at_zero(argument), (formula[0], ("s", of), *formula[2:])
        smooth = [(relation, placed(of_it, {of}, c)) for relation, of_it in demands(slope, smooth=True)]
        series = all(map(self._holds_at_zero, smooth))
        require(series, f"{shown(formula)} need not have a Taylor series where its argument goes")
        gap, terms = difference(formula[1], c), list[Term]()
        for k in range(count + 1):
            at_c = placed(carried_out(slope), {of}, c)
            terms.append(product_of_terms(("q", str(fmpq(1, factorial(k)))), at_c, _power(gap, k)))
            slope = ("D", slope, of)
        return self._rewrite(formula, sum_of_terms(*terms, product_of_terms(_power(gap, count), ("s", of))))

    # --- values however near the limit --------------------------------------------------------------------------------

    def require_values_near(self, given: Data) -> None:
        """For an exact choice of the parameters the hypotheses hold near the limit, and the expression has values."""
        spoken = [*self.spoken, *(() if self.value in INFINITE else (self.value,))]
        hypotheses = [side for relation in self.fixed for side in relation[1:]]
        needed = free_in([*spoken, *hypotheses]) & set(self.parameters)
        self.point = point(given["point"], self.parameters, needed)
        require_givens(Setting(self.parameters, self.fixed), self.point)
        signs = {entry[0]: self._sign_near(*entry) for entry in given["signs"]}
        for relation, formula in self.wanted():
            if free(formula) <= set(self.parameters):
                certain = holds((relation, formula, ZERO), self.point)
            else:
                certain = signs.get(formula) in SIGNS_NEAR[relation]
            require(certain, f"nothing shows {shown(formula)} {relation} 0 near the limit, where a value needs it")
        for formula in self.constants(spoken):
            enclosure(formula, self.point, POINT_BITS)

    def _sign_near(self, formula: Term, sign: int, form: Data, identity: Data) -> int:
        """The sign of a formula near the limit, which is a sign times a form in positive small quantities."""
        require(sign in (1, -1), f"a sign is 1 or -1, got {shown(sign)}")
        written = self.product(form) if sign == 1 else minus(self.product(form))
        if written != formula:
            self.require_equal(identity, formula, written)
        return sign

    def wanted(self) -> Iterator[Condition]:
        """Return what must hold near the limit, and cannot be seen: relations of formulas to zero."""
        for relation, formula in self._wanted():
            if sign_by_form(formula, self.symbols) not in (">", relation):
                yield relation, formula

    def _wanted(self) -> Iterator[Condition]:
        for whole in self.spoken:
            yield from demands(whole)
        for relation, left, right in self.moving:
            require(relation != "=", "a hypothesis ties the variables of the limit")
            yield from demands(("+", left, right))
            yield relation, difference(left, right)
        for relation, sign in map(WORDS.__getitem__, self.words if self.place else ()):
            yield relation, self.place if self.place and sign == 1 else minus(self.place or ZERO)

    def constants(self, formulas: list[Term]) -> Iterator[Term]:
        """The largest parts that speak of parameters alone."""
        for formula in formulas:
            if free(formula) <= set(self.parameters):
                yield formula
            else:
                yield from self.constants(list(parts(formula)))


def check_limit(certificate: Data, check: Check) -> None:
    """The expression tends to the value, finite or not; `check` judges what this rests on."""
    payload, small = certificate["payload"], Quantities(certificate["statement"], check)
    for fact in payload["facts"]:
        small.learn(fact)
    for step in payload["steps"]:
        small.take(step)
    if small.value in INFINITE:
        sign = ONE if small.value == ("oo",) else MINUS_ONE
        form = product_of_terms(sign, ("^", small.product(payload["form"], 1), MINUS_ONE))
    else:
        form = term(payload["form"])
        require(small.continuous(form), f"{shown(form)} need not be continuous where the quantities are zero")
        small.require_equal(payload["value"], small.at_zero(form), small.value)
    small.require_equal(payload["identity"], small.spoken[0], small.in_variables(form))
    small.require_values_near(payload["near"])


def check_other_limit(certificate: Data, check: Check) -> None:
    """At an exact point of the parameters the expression tends to something else."""
    nested, witness = (certificate["payload"][key] for key in ("limit", "witness"))
    here = with_numbers(certificate["statement"], witness["point"])
    other, claimed = nested["statement"]["value"], here["value"]
    require(says(nested["statement"], {**here, "value": other}), "the nested limit is another one than is needed")
    require(check(nested) == "proved", "the nested certificate 'limit' must be proved")
    infinite = other in INFINITE or claimed in INFINITE
    differ = other != claimed and (infinite or sign_at(difference(other, claimed), {}, POINT_BITS))
    require(differ, "the two limits do not certainly differ at the exact point")
    for key, value in (("left", other), ("right", claimed)):
        text = witness[key]
        same = text == value[0] if value in INFINITE else agrees_with_text(text, value, {}, POINT_BITS)
        require(same, f"the {key} side of the witness is not {shown(text)}")


def with_numbers(statement: Data, given: Data) -> Data:
    """The statement with exact numbers for its parameters, which satisfy the hypotheses on them."""
    variables, where, value = variables_of(statement), setting(statement), statement["value"]
    fixed = tuple(r for r in where.assuming if not free_in(r[1:]) & set(variables))
    head, *ends = statement.get("towards", ("",))
    spoken = [statement["expression"], *ends, *(() if value in INFINITE else (value,))]
    parameters = {symbol: said for symbol, said in where.symbols.items() if symbol not in variables}
    require_givens(Setting(parameters, fixed), point(given, parameters, where.free(*spoken) - set(variables)))
    numbers = tuple((key, ("+", ZERO, ("q", given[key]))) for key in sorted(given))  # an exponent stays a formula

    def put(formula: Term) -> Term:
        return ("at", formula, numbers) if numbers and formula not in INFINITE else formula

    return {key: part for key, part in statement.items() if key != "squares"} | {
        "symbols": {variable: where.symbols[variable] for variable in variables},
        "assuming": tuple((r[0], put(r[1]), put(r[2])) for r in where.assuming if r not in fixed),
        "expression": put(spoken[0]),
        "value": put(value),
        **({"towards": (head, *map(put, ends))} if head else {}),
    }


# --- the statement ----------------------------------------------------------------------------------------------------


def variables_of(statement: Data) -> tuple[str, ...]:
    """The variables of a limit; without a place to go, all of them go to zero from above."""
    variables: tuple[str, ...] = statement["variables"]
    symbols, goes = statement["symbols"], "towards" in statement
    once = 0 < len(variables) == len(set(variables)) and set(variables) <= set(symbols)
    require(once, f"a limit needs variables of its symbols, each listed once, got {shown(variables)}")
    positive = goes or all("positive" in symbols[variable] for variable in variables)
    require(positive, "a variable that goes to zero from above must be declared positive")
    require(not goes or len(variables) == 1, "only one variable goes to infinity, or to another point")
    still = statement["value"] in INFINITE or not free(statement["value"]) & set(variables)
    require(still, "the value of a limit must not speak of the variables that move")
    return variables


def _place(statement: Data, x: Term) -> Term | None:
    """The formula, in a quantity that goes to zero from above, of a variable that goes anywhere else."""
    match statement.get("towards"):
        case ("oo",):
            return ("^", x, MINUS_ONE)
        case ("-oo",):
            return minus(("^", x, MINUS_ONE))
        case (direction, end):
            require(x[1] not in free(end), f"a variable goes to {shown(end)}, which speaks of it")
            return ("+", end, x if direction == "above" else minus(x))
    return None


def _power(formula: Term, k: int) -> Term:
    return ONE if k == 0 else formula if k == 1 else ("^", formula, ("q", str(k)))


def _as_exponentials(formula: Term, names: set[str]) -> Term:
    """A power whose exponent moves, or is a formula of numbers, as an exponential: its base must be positive."""
    if formula[0] in ("s", "q", "pi"):
        return formula
    inner = tuple(_as_exponentials(child, names) for child in formula[1:])
    if formula[0] == "^" and inner[1][0] != "q" and (free(inner[1]) & names or not free(inner[1])):
        return ("exp", ("*", inner[1], ("log", inner[0])))
    return (formula[0], *inner)

"""The checker's own arithmetic of formulas: free symbols, substitution, derivatives, hyperbolic functions.

A formula of a certificate may hold derivatives ("D") and substitutions ("at"). Before its parts are looked at, these
are carried out (`carried_out`), and for polynomials hyperbolic functions are written in exponentials too (`prepared`).
Both keep its value where it has one, and may give it more: whoever drops the formula as it was asks
`inside_derivatives` as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from derivations.recheck.core.budget import known, spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Term, rational

MAX_STEPS = 250_000
STEP_WORK = 2000  # see `spend`
MAX_TERM_DEPTH = 2000
MAX_TERM_SIZE = 250_000  # parts of a formula written out: shared parts count each time, as every walk meets them again
HASH_WORK = 40  # of one part of a formula that is looked up
MAX_KEPT, MAX_KEPT_STEPS = 500, 2000  # formulas that are kept once they are worked out, and steps for each

ZERO: Term = ("q", "0")
ONE: Term = ("q", "1")
MINUS_ONE: Term = ("q", "-1")
HALF: Term = ("q", "1/2")
TWO: Term = ("q", "2")


def minus(a: Term) -> Term:
    return ("*", MINUS_ONE, a)


def difference(left: Term, right: Term) -> Term:
    return ("+", left, minus(right))


LEAVES = ("s", "q", "pi")


def parts(term: Term) -> tuple[Term, ...]:
    """The formulas directly inside a formula."""
    head = term[0]
    if head in LEAVES:
        return ()
    if head == "at":
        return (term[1], *(value for _, value in term[2]))
    return term[1:2] if head == "D" else term[1:]


def with_parts(change: Callable[[Term], Term], term: Term) -> Term:
    """A formula that has no "D" and no "at" at its head, with its parts changed."""
    return term if term[0] in LEAVES else (term[0], *[change(child) for child in term[1:]])


def free(term: Term) -> frozenset[str]:
    """The free symbols; those that an "at" replaces are bound in it."""
    names: set[str] = set()
    todo = [term]
    while todo:
        here = todo.pop()
        if here[0] == "at":
            names |= free(here[1]) - {name for name, _ in here[2]}
            todo += [value for _, value in here[2]]
        else:
            names |= {here[1]} if here[0] == "s" else set()
            todo += parts(here)
    return frozenset(names)


def free_in(terms: Iterable[Term]) -> frozenset[str]:
    return frozenset().union(*map(free, terms))


def require_small(term: Term) -> Term:
    """The formula, if no walk over it takes too long; equal parts may be one object, and are measured once."""
    measured: dict[int, tuple[int, int, int]] = {}  # parts, depth, and parts of all parts, by identity

    def measure(here: Term) -> tuple[int, int, int]:
        if here[0] in LEAVES:
            return 1, 1, 1
        sizes = measured.get(id(here))
        if sizes is None:
            size, below, all_sizes = 1, 0, 0
            for child in parts(here):
                child_size, child_depth, child_sizes = measure(child)
                size, all_sizes = size + child_size, all_sizes + child_sizes
                below = child_depth if child_depth > below else below
            depth = 1 + below
            sizes = measured[id(here)] = size, depth, size + all_sizes
            if size > MAX_TERM_SIZE or depth > MAX_TERM_DEPTH:
                raise Rejected("a formula is too large once it is written out: state it in smaller parts")
        return sizes

    spend(measure(term)[2] * HASH_WORK)
    return term


def inside_derivatives(formula: Term) -> Iterable[Term]:
    """Return what is differentiated, and what is put in, somewhere in a formula: these must have values as well, though
    the result may have one without them (the derivative of log at -1).
    """
    if formula[0] == "at":
        yield from (inner for _, inner in formula[2])
        yield from (("at", inner, formula[2]) for inner in inside_derivatives(formula[1]))
    elif formula[0] == "D":
        yield formula[1]
    for child in parts(formula)[formula[0] == "at" :]:
        yield from inside_derivatives(child)


def subterms(term: Term) -> Iterable[Term]:
    """Every formula inside a formula, itself included; what an "at" or a "D" binds is not told apart."""
    todo, seen = [term], set()
    while todo:
        here = todo.pop()
        if here not in seen:
            seen.add(here)
            yield here
            todo += parts(here)


def replaced(formula: Term, old: Term, new: Term) -> Term:
    """One formula for another, from the outside in, so that what comes in is left as it is; no "D" and no "at"."""
    spend(STEP_WORK // 10)
    return new if formula == old else with_parts(lambda child: replaced(child, old, new), formula)


class Rewriter:
    """Carries out derivatives and substitutions, with a bound on the work."""

    def __init__(self) -> None:
        self.steps = 0
        self._free: dict[int, frozenset[str]] = {}
        self._kept: list[Term] = []

    def carried_out(self, term: Term) -> Term:
        """Return the same value with every "D" and "at" gone."""
        self._count()
        head = term[0]
        if head == "D":
            return require_small(self.derivative(self.carried_out(term[1]), term[2]))
        if head == "at":
            values = {name: self.carried_out(value) for name, value in term[2]}
            return require_small(self._replaced(self.carried_out(term[1]), values))
        return with_parts(self.carried_out, term)

    def _replaced(self, term: Term, values: dict[str, Term]) -> Term:
        self._count()
        if term[0] == "s":
            return values.get(term[1], term)
        return with_parts(lambda child: self._replaced(child, values), term)

    def derivative(self, term: Term, name: str) -> Term:
        """d term / d name, shaped so that its fraction is the one that a certificate's cofactors speak of."""
        self._count()
        if name not in self._symbols(term):
            return ZERO
        head = term[0]
        if head == "s":
            return ONE
        if head == "+":
            return ("+", *[self.derivative(child, name) for child in term[1:]])
        if head == "*":
            return self._product_rule(term[1:], name)
        if head == "^":
            return self._power_rule(term[1], term[2], name)
        inner = term[1]
        return ("*", outer_derivative(head, inner), self.derivative(inner, name))

    def _product_rule(self, factors: tuple[Term, ...], name: str) -> Term:
        moving = [i for i, factor in enumerate(factors) if name in self._symbols(factor)]
        return ("+", *[("*", *factors[:i], self.derivative(factors[i], name), *factors[i + 1 :]) for i in moving])

    def _power_rule(self, base: Term, exponent: Term, name: str) -> Term:
        if name in self._symbols(exponent):
            return self.derivative(("exp", ("*", exponent, ("log", base))), name)
        if exponent == ZERO:
            return ZERO
        if exponent[0] == "q":
            lower: Term = ("q", str(rational(exponent[1]) - 1))
        else:
            lower = ("+", exponent, MINUS_ONE)
        return ("*", exponent, ("^", base, lower), self.derivative(base, name))

    def _symbols(self, term: Term) -> frozenset[str]:
        """The symbols of a formula, known by its identity: to look it up by its parts would walk over them."""
        names = self._free.get(id(term))
        if names is None:
            inside = frozenset((term[1],)) if term[0] == "s" else frozenset()
            names = self._free[id(term)] = inside.union(*map(self._symbols, parts(term)))
            self._kept.append(term)  # or another formula could get its identity
        return names

    def _count(self) -> None:
        self.steps += 1
        spend(STEP_WORK)
        if self.steps > MAX_STEPS:
            raise Rejected(
                "the derivatives and substitutions of a formula are too large to carry out: state it in parts"
            )


def outer_derivative(head: str, a: Term) -> Term:
    """The derivative of a function of one variable, at a."""
    table: dict[str, Term] = {
        "exp": ("exp", a),
        "log": ("^", a, MINUS_ONE),
        "sinh": ("cosh", a),
        "cosh": ("sinh", a),
        "tanh": difference(ONE, ("^", ("tanh", a), TWO)),
        "sin": ("cos", a),
        "cos": minus(("sin", a)),
        "erf": ("*", TWO, ("^", ("pi",), ("q", "-1/2")), ("exp", minus(("^", a, TWO)))),
        "asin": ("^", difference(ONE, ("^", a, TWO)), ("q", "-1/2")),
        "atan": ("^", ("+", ONE, ("^", a, TWO)), MINUS_ONE),
        "lambertw": ("^", ("+", a, ("exp", ("lambertw", a))), MINUS_ONE),
    }
    if head not in table:
        raise Rejected(f"the derivative of {head} is not checked here: state it without that derivative")
    return table[head]


def carried_out(term: Term) -> Term:
    """Return the same value with every "D" and "at" gone."""
    return _once("carried out", _carried_out, term)


def _carried_out(term: Term) -> tuple[Term, int]:
    rewriter = Rewriter()
    return rewriter.carried_out(term), rewriter.steps


def prepared(term: Term) -> Term:
    """Derivatives and substitutions carried out, hyperbolic functions written in exponentials."""
    return _once("prepared", _prepared, term)


def _prepared(term: Term) -> tuple[Term, int]:
    plain, steps = _carried_out(term)
    return require_small(_exponential_form(plain)), steps


def _once(what: str, work: Callable[[Term], tuple[Term, int]], term: Term) -> Term:
    """The result of work on a formula, which a certificate needs again and again; long ones are not kept."""
    table = known()
    made: tuple[Term, int] | None = table.get((what, term))
    if made is None:
        made = work(term)
        if made[1] <= MAX_KEPT_STEPS and len(table) < MAX_KEPT:
            table[what, term] = made
    else:
        spend(made[1] * HASH_WORK)
    return made[0]


def _exponential_form(term: Term) -> Term:
    plain = with_parts(_exponential_form, term)
    if plain[0] not in ("sinh", "cosh", "tanh"):
        return plain
    up, down, twice = (("exp", inside) for inside in (plain[1], minus(plain[1]), ("*", TWO, plain[1])))
    if plain[0] == "tanh":
        return ("*", ("+", twice, MINUS_ONE), ("^", ("+", twice, ONE), MINUS_ONE))
    return ("*", HALF, ("+", up, minus(down) if plain[0] == "sinh" else down))


def whole_exponent(term: Term) -> int | None:
    """The exponent of a power when it is a whole number written as such."""
    exponent = term[2]
    if exponent[0] != "q":
        return None
    value = rational(exponent[1])
    return int(value.p) if value.q == 1 else None

"""What the rules that change the form of a statement leave to be shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, integer, name, part, rational, shown, term
from derivations.recheck.core.terms import (
    HALF,
    ONE,
    TWO,
    ZERO,
    carried_out,
    difference,
    free,
    free_in,
    minus,
    parts,
    replaced,
    require_small,
    subterms,
)

Parts = Callable[[Data, Data], list[Data]]
SIGNS = {">": "positive", ">=": "nonnegative"}


def only(parameters: Data, *keys: str) -> None:
    """Nothing stands among the parameters that nobody reads."""
    if set(parameters) != set(keys):
        raise Rejected(f"the rule's parameters are {', '.join(keys) or 'none'}, got {sorted(parameters)}")


def rewritten(statement: Data, change: Callable[[Term], Term]) -> Data:
    """The statement, without hints, with its formulas changed once their derivatives are carried out."""

    def new(formula: Term) -> Term:
        return require_small(change(carried_out(formula)))

    data = {key: value for key, value in statement.items() if key != "squares"}
    data["assuming"] = tuple((r[0], new(r[1]), new(r[2])) for r in statement["assuming"])
    return data | {"left": new(statement["left"]), "right": new(statement["right"])}


def supposing(statement: Data, *relations: Term) -> Data:
    """The statement with further hypotheses at the end."""
    return statement | {"assuming": (*statement["assuming"], *relations)}


def walked(formula: Term, change: Callable[[Term], Term]) -> Term:
    """The formula, changed from the inside out; it has no "D" and no "at"."""
    if formula[0] in ("s", "q", "pi"):
        return change(formula)
    return change((formula[0], *[walked(child, change) for child in formula[1:]]))


def cases(statement: Data, parameters: Data) -> list[Data]:
    """f for |f| where f >= 0 (or f > 0, and 0 where f = 0), -f where -f > 0; the statement asks for a value of f."""
    only(parameters, "on", "zero")
    on = term(parameters["on"])
    sides = [statement["left"], statement["right"], *(s for r in statement["assuming"] for s in r[1:])]
    size: Term = ("^", ("^", on, TWO), HALF)
    if not any(size in subterms(carried_out(s)) for s in sides):
        raise Rejected(f"the absolute value of {shown(on)} stands nowhere in the statement")

    def where(value: Term, supposed: Term) -> Data:
        return supposing(rewritten(statement, lambda formula: replaced(formula, size, value)), supposed)

    below = where(minus(on), (">", minus(on), ZERO))
    if part(parameters, "zero", bool, "the parameters"):
        return [where(on, (">", on, ZERO)), where(ZERO, ("=", on, ZERO)), below]
    return [where(on, (">=", on, ZERO)), below]


def distance(statement: Data, parameters: Data) -> list[Data]:
    """Where s > a is supposed, with no s in a: s = a + d for a new d > 0; so for >=, and for a > s."""
    only(parameters, "symbol", "hypothesis", "letter")
    symbol, letter = name(parameters["symbol"]), name(parameters["letter"])
    assuming = statement["assuming"]
    k = integer(parameters["hypothesis"], 0, len(assuming) - 1, "the number of a hypothesis")
    order, left, right = assuming[k][0], carried_out(assuming[k][1]), carried_out(assuming[k][2])
    if order not in SIGNS or symbol not in statement["symbols"]:
        raise Rejected("a distance is taken of a declared symbol, and where an order is supposed")
    formulas = [statement["left"], statement["right"], *(s for r in assuming for s in r[1:])]
    if letter in statement["symbols"] or letter in free_in(formulas):
        raise Rejected(f"the letter {shown(letter)} of a distance stands in the statement already")
    d: Term = ("s", letter)
    if left == ("s", symbol) and symbol not in free(right):
        value: Term = ("+", right, d)
    elif right == ("s", symbol) and symbol not in free(left):
        value = difference(left, d)
    else:
        raise Rejected(f"hypothesis {k} does not compare {symbol} with what is free of it")

    def change(formula: Term) -> Term:
        return walked(formula, lambda inner: value if inner == ("s", symbol) else inner)

    rest = statement | {"assuming": tuple(r for i, r in enumerate(assuming) if i != k)}
    moved = supposing(rewritten(rest, change), *[told(word, value) for word in statement["symbols"][symbol]])
    symbols = {key: told for key, told in statement["symbols"].items() if key != symbol}
    return [moved | {"symbols": symbols | {letter: (SIGNS[order],)}}]


def told(word: str, value: Term) -> Term:
    """What was declared of a symbol, of its value."""
    return {
        "positive": (">", value, ZERO),
        "nonnegative": (">=", value, ZERO),
        "negative": (">", ZERO, value),
        "nonpositive": (">=", ZERO, value),
        "nonzero": ("!=", value, ZERO),
    }[word]


def exponentials(statement: Data, parameters: Data) -> list[Data]:
    """A power whose exponent is no number has a value where its base is positive: it is exp(exponent log(base))."""
    only(parameters)

    def change(formula: Term) -> Term:
        if formula[0] == "^" and formula[2][0] != "q":
            return ("exp", ("*", formula[2], ("log", formula[1])))
        return formula

    return [rewritten(statement, lambda formula: walked(formula, change))]


def lambert(statement: Data, parameters: Data) -> list[Data]:
    """x = w exp(w) with w >= -1, where W(x) stands: such is every x of which the statement speaks, with w = W(x)."""
    only(parameters, "symbol", "letter")
    symbol, letter = name(parameters["symbol"]), name(parameters["letter"])
    formulas = [statement["left"], statement["right"], *(s for r in statement["assuming"] for s in r[1:])]
    branch: Term = ("lambertw", ("s", symbol))
    if symbol not in statement["symbols"] or not any(branch in subterms(carried_out(f)) for f in formulas):
        raise Rejected(f"Lambert's W of {shown(symbol)} stands nowhere in the statement")
    if letter in statement["symbols"] or letter in free_in(formulas):
        raise Rejected(f"the letter {shown(letter)} stands in the statement already")
    w: Term = ("s", letter)
    value: Term = ("*", w, ("exp", w))

    def change(formula: Term) -> Term:
        inner = replaced(formula, branch, w)
        return walked(inner, lambda part_of_it: value if part_of_it == ("s", symbol) else part_of_it)

    supposed = [(">=", w, ("q", "-1")), *[told(word, value) for word in statement["symbols"][symbol]]]
    symbols = {key: words for key, words in statement["symbols"].items() if key != symbol}
    return [supposing(rewritten(statement, change), *supposed) | {"symbols": symbols | {letter: ()}}]


def what_has_a_value(statement: Data, parameters: Data) -> list[Data]:
    """The sides have values only where every argument of a logarithm, base of a root and sine of an arc allows it."""
    only(parameters)
    found: dict[Term, None] = {}
    for formula in inside_out((statement["left"], statement["right"])):
        match formula:
            case ("log", inside):
                found[(">", inside, ZERO)] = None
            case ("asin", inside):
                found[(">=", difference(ONE, ("^", inside, TWO)), ZERO)] = None
            case ("^", base, ("q", text)) if rational(text).q != 1:
                found[(">" if rational(text) < 0 else ">=", base, ZERO)] = None
            case ("^", base, (head, *_)) if head != "q":
                found[(">", base, ZERO)] = None
    positive = {("s", symbol) for symbol, told in statement["symbols"].items() if "positive" in told}
    new = [r for r in found if r not in statement["assuming"] and r[1][0] != "q" and r[1] not in positive]
    supposed = [r for r in new if not (r[1][0] == "^" and r[1][2] == TWO)]
    return [supposing(rewritten(statement, lambda formula: formula), *supposed)]


def inside_out(formulas: Iterable[Term]) -> Iterator[Term]:
    """Every different formula inside some formulas, parts before what they are parts of."""
    seen: set[Term] = set()

    def visit(formula: Term) -> Iterator[Term]:
        spend(2000)
        if formula not in seen:
            for child in parts(formula):
                yield from visit(child)
            seen.add(formula)
            yield formula

    for formula in formulas:
        yield from visit(carried_out(formula))

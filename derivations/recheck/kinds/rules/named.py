"""Named functions of the table of rules: what lines say of a statement that formulas cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import fmpq

from derivations.recheck.core.conditions import conditions
from derivations.recheck.core.load import Data, Term, integer, rational, shown
from derivations.recheck.core.slots import INFINITE
from derivations.recheck.core.statements import Setting
from derivations.recheck.core.terms import (
    HALF,
    ONE,
    TWO,
    ZERO,
    carried_out,
    difference,
    free_in,
    minus,
    prepared,
    replaced,
    require_small,
    subterms,
    whole_exponent,
)
from derivations.recheck.core.theorems import Reading, known_values
from derivations.recheck.kinds.schemas import numbers
from derivations.recheck.kinds.schemas.integrals.compared import in_box
from derivations.recheck.kinds.schemas.numbers import formulas, require

MOST_TURNS = 10_000
ORDERS = (">", ">=")


# --- side conditions --------------------------------------------------------------------------------------------------


def written_out(_: Reading, *things: Any) -> None:
    """Witnesses without derivatives and substitutions, whose demands could be less than their own."""
    for formula in formulas(things):
        require(formula == carried_out(formula), f"{shown(formula)} holds a derivative or a substitution: write it out")


def rationals(_: Reading, numbers: list[Term]) -> None:
    require(all(number[0] == "q" for number in numbers), "the numbers must be rational")


def no_number(_: Reading, exponent: Term) -> None:
    require(exponent[0] != "q", "a power with a number as its exponent needs no positive base")


def orders(_: Reading, *words: str) -> None:
    require({*words} <= {*ORDERS}, f"an order is > or >=, got {shown(words)}")


def a_quarter(_: Reading, turn: Term) -> None:
    inside = turn[0] == "q" and abs(rational(turn[1])) <= fmpq(1, 2)
    require(inside, f"an arc lies from -1/2 to 1/2 times pi, got {shown(turn)}")


def stands(reading: Reading, formula: Term) -> None:
    statement = reading.known["statement"]
    inside = formulas([statement["left"], statement["right"], *statement["assuming"]])
    require(any(formula in subterms(carried_out(f)) for f in inside), f"{shown(formula)} stands nowhere in it")


def all_among(_: Reading, items: list[Any], known: list[Any]) -> None:
    require(all(item in known for item in items), "what is supposed is no condition under which the sides have values")


# --- two sides that differ by a product -------------------------------------------------------------------------------


def product(reading: Reading, factor: Term, function: Term) -> list[Any]:
    """That the sides differ by factor * function, and that the factor has the sign of the statement."""
    gap = difference(reading.known["left"], reading.known["right"])
    if factor == ONE and function == carried_out(gap):
        return []
    each = factor[1:] if factor[0] == "*" else (factor,)
    return [("=", gap, ("*", factor, function)), *[part for one in each for part in _not_below_zero(reading, one)]]


def _not_below_zero(reading: Reading, factor: Term) -> list[Any]:
    """That a factor has a value, which is positive, or not negative where no more is stated."""
    order = reading.known["order"]
    if factor[0] == "q" and rational(factor[1]) > 0:
        return []
    k = whole_exponent(factor) if factor[0] == "^" else None
    if k is None:
        return [*unsaid(reading, factor), (order, factor, ZERO)]
    base = factor[1]
    needed = unsaid(reading, base)
    if k % 2 == 1:  # the sign is that of the base
        needed.append((">" if k < 0 else order, base, ZERO))
    elif k < 0 or order == ">":  # an even power is negative nowhere, and vanishes or has no value where the base is 0
        needed.append((">", ("^", base, TWO), ZERO))
    return needed


def logarithm(_: Reading, formula: Term) -> Term:
    """log(u v) = log(u) + log(v), log(u^k) = k log(u), log(exp(u)) = u; all that is left in logarithms is a base."""
    match formula:
        case ("exp", exponent):
            within: Term = exponent
            return within
        case ("*", *factors):
            return ("+", *[logarithm(_, factor) for factor in factors])
        case ("^", base, exponent):
            return ("*", exponent, logarithm(_, base))
    return ZERO if formula == ONE else ("log", formula)


def bases(reading: Reading, *products: Term) -> list[Term]:
    """What is left in the logarithms of products."""
    found: list[Term] = []
    for formula in products:
        match formula:
            case ("exp", _):
                continue
            case ("*", *factors):
                found += bases(reading, *factors)
            case ("^", base, _):
                found += bases(reading, base)
            case _:
                found.append(formula)
    return found


def turned(_: Reading, wave: Term, turn: Term) -> Term:
    """The wave in the half turn of a number: itself, or its negative."""
    whole = rational(turn[1]) if turn[0] == "q" else fmpq(1, 2)
    require(whole.q == 1, f"the number of a half turn is whole, got {shown(turn)}")
    return wave if integer(int(whole.p), -MOST_TURNS, MOST_TURNS, "a half turn") % 2 == 0 else minus(wave)


def angle(_: Reading, wave: Term) -> Term:
    require(wave[0] in ("sin", "cos"), f"a half turn is of a sine or a cosine, got {shown(wave)}")
    return wave[1] if wave[0] == "sin" else ("+", wave[1], ("*", HALF, ("pi",)))


def even_base(_: Reading, formula: Term) -> Term:
    power = carried_out(formula)
    even = power[0] == "^" and (whole_exponent(power) or 1) % 2 == 0
    require(even, f"only an even power has the sign of a square, and {shown(power)} is none")
    base: Term = power[1]
    return base


def positive_on(_: Reading, formula: Term, box: Data, upper: str) -> Data:
    """That a formula is positive over a box, and not above a number."""
    head = {"kind": "enclosure", "symbols": dict.fromkeys(box, ()), "assuming": (), "lower": "0", "upper": upper}
    return head | {"expression": carried_out(formula), "box": box}


# --- the statement, changed -------------------------------------------------------------------------------------------


def unsaid(reading: Reading, *things: Any) -> list[Any]:
    """The conditions under which formulas have values, but for those that the sides of the statement ask for."""
    asked = numbers.valued(reading, *things)
    known = asked_by_sides(reading) if asked else []
    return [condition for condition in asked if condition not in known]


def asked_by_sides(reading: Reading) -> list[Any]:
    """The conditions without which the sides have no values; digamma has values at negative numbers too."""
    sides = [reading.known["left"], reading.known["right"]]
    any_number = any(part[0] == "digamma" for side in sides for part in subterms(carried_out(side)))
    return [] if any_number else numbers.valued(reading, *sides)


def rewritten(reading: Reading, change: Callable[[Term], Term]) -> Data:
    """The statement, without hints, with its formulas changed."""

    def new(formula: Term) -> Term:
        return require_small(change(formula))

    statement = reading.known["statement"]
    data = {key: value for key, value in statement.items() if key != "squares"}
    data["assuming"] = tuple((r[0], new(r[1]), new(r[2])) for r in statement["assuming"])
    return data | {"left": new(statement["left"]), "right": new(statement["right"])}


def supposing(reading: Reading, relations: list[Any]) -> Data:
    """The statement with further hypotheses at the end."""
    data = rewritten(reading, carried_out)
    return data | {"assuming": (*data["assuming"], *relations)}


def put(reading: Reading, *pairs: Term) -> Data:
    """The statement with formulas for others that equal them, hyperbolic functions written as exponentials."""

    def change(formula: Term) -> Term:
        formula = prepared(formula)
        for old, new in zip(pairs[::2], pairs[1::2], strict=True):
            formula = replaced(formula, prepared(old), new)
        return formula

    return rewritten(reading, change)


def argument(_: Reading, formula: Term) -> Term:
    require(len(formula) == 2 and isinstance(formula[1], tuple), f"{shown(formula)} is no function of one argument")
    inside: Term = formula[1]
    return inside


def cosine(_: Reading, turn: Term) -> Term:
    """The cosine of a multiple of pi, which is even, goes on after two, and changes its sign after one."""
    number = abs(rational(turn[1]))
    number = number - 2 * (number / 2).floor()
    number = min(number, 2 - number)
    known = known_values("cosines")
    return known[str(number)] if number <= fmpq(1, 2) else minus(known[str(1 - number)])


def sine(reading: Reading, turn: Term) -> Term:
    return cosine(reading, ("q", str(fmpq(1, 2) - rational(turn[1]))))


def declared(reading: Reading, letter: Term, statement: Data) -> Data:
    """A statement about a letter that is new, of any value."""
    known = reading.slots["symbols"]
    require(letter[1] not in known, f"the letter {shown(letter[1])} stands in the statement already")
    return statement | {"symbols": statement["symbols"] | {letter[1]: ()}}


def moved(reading: Reading, symbol: Term, value: Term, letter: Term, supposed: Any) -> Data:
    """The statement with a value, in a new letter, for a symbol; what is declared of the symbol is supposed of it."""
    data = rewritten(reading, lambda formula: replaced(carried_out(formula), symbol, value))
    signs = Setting({symbol[1]: reading.slots["symbols"][symbol[1]]}, ()).givens
    signs = tuple((r[0], *(replaced(side, symbol, value) for side in r[1:])) for r in signs)
    supposed = (*data["assuming"], supposed, *signs)
    others = {key: told for key, told in data["symbols"].items() if key != symbol[1]}
    return declared(reading, letter, data | {"assuming": supposed}) | {"symbols": others | {letter[1]: ()}}


# --- other hypotheses -------------------------------------------------------------------------------------------------


def new(reading: Reading, signs: Data, supposed: list[Any]) -> list[Any]:
    """What is supposed and was not, signs of symbols included."""
    known = Setting(reading.slots["symbols"], reading.slots["assuming"]).givens
    return [relation for relation in (*supposed, *Setting(signs, ()).givens) if relation not in known]


def as_comparisons(_: Reading, relations: list[Any]) -> list[Any]:
    """Relations as statements have them: a number is not zero if its square is positive."""
    return [r if r[0] != "!=" else (">", ("^", difference(*r[1:]), TWO), ZERO) for r in relations]


def under(reading: Reading, signs: Data, supposed: list[Any]) -> Data:
    """The statement under other hypotheses, with all its symbols declared, and no symbol that it did not have."""
    data = rewritten(reading, lambda formula: formula) | {"symbols": signs, "assuming": tuple(supposed)}
    spoken = free_in(formulas([data["left"], data["right"], *supposed]))
    known = {*reading.slots["symbols"]} >= {*signs} >= spoken
    require(known, f"the symbols declared must be of the statement, and {', '.join(sorted(spoken))} among them")
    return data


# --- on the way to an end ---------------------------------------------------------------------------------------------


def upwards(_: Reading, side: str, formula: Term) -> Term:
    """What rises as one goes away from the end."""
    require(side in ("above", "below"), f"a point lies above or below an end, got {shown(side)}")
    return formula if side == "above" else minus(formula)


def on_side(_: Reading, side: str, end: Any, point: Term) -> list[Any]:
    """That a point lies above an end, or below it, if the end is finite."""
    if end in INFINITE:
        require(end == (("-oo",) if side == "above" else ("oo",)), "no point lies beyond infinity")
        return []
    return [(">", point, end) if side == "above" else (">", end, point)]


def _conditions(reading: Reading, formula: Term, symbol: Term, smooth: bool) -> list[Any]:
    """Conditions wherever a symbol is, whatever is declared of it."""
    return conditions(formula, reading.slots["symbols"] | {symbol[1]: ()}, smooth=smooth)


def valued_at(reading: Reading, formula: Term, symbol: Term, end: Term) -> list[Any]:
    """That a formula has a value where a symbol comes to an end."""
    asked = _conditions(reading, formula, symbol, smooth=False)
    return [(order, numbers.placed(reading, what, symbol, end), ZERO) for order, what in asked]


def smooth_in(reading: Reading, formula: Term, symbol: Term) -> list[Any]:
    """That a formula has derivatives by a symbol."""
    return [(order, what, ZERO) for order, what in _conditions(reading, formula, symbol, smooth=True)]


def there(reading: Reading, fact: Any, symbol: Term, place: Term, where: list[Any]) -> Data:
    """A comparison with a new letter for a symbol: the place of which is supposed where it lies."""
    order, left, right = fact
    sides = {"left": numbers.placed(reading, left, symbol, place), "right": right}
    assuming = (*reading.slots["assuming"], *where)
    head = {"kind": "sign", "symbols": reading.slots["symbols"], "assuming": assuming, "relation": order}
    return declared(reading, place, head | sides)


def moving(_: Reading, limit: Data, symbol: Term) -> Data:
    """A limit under the hypotheses that do not speak of what moves."""
    kept = tuple(r for r in limit["assuming"] if symbol[1] not in free_in(r[1:]))
    return limit | {"symbols": limit["symbols"] | {symbol[1]: ()}, "assuming": kept}


NAMED: dict[str, Callable[..., Any]] = numbers.NAMED | {
    "written_out": written_out, "rationals": rationals, "no_number": no_number, "orders": orders,
    "a_quarter": a_quarter, "stands": stands, "all_among": all_among,
    "product": product, "logarithm": logarithm, "bases": bases, "turned": turned, "angle": angle, "in_box": in_box,
    "even_base": even_base, "positive_on": positive_on,
    "unsaid": unsaid, "asked": asked_by_sides,
    "supposing": supposing, "put": put, "argument": argument, "cosine": cosine, "sine": sine,
    "function_at": lambda _, formula, value: (formula[0], value), "prod": lambda _, items: ("*", *items),
    "declared": declared, "moved": moved, "new": new, "as_comparisons": as_comparisons, "under": under,
    "upwards": upwards, "on_side": on_side, "valued_at": valued_at, "smooth_in": smooth_in, "there": there,
    "moving": moving,
}  # fmt: skip

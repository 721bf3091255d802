"""Equations and inequalities with letters for integrals: what they rest on, and what follows."""

from __future__ import annotations

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, relation, shown
from derivations.recheck.core.terms import ZERO, difference, free
from derivations.recheck.kinds.rules.analysis.values import conditions
from derivations.recheck.kinds.schemas.slots import (
    Needs,
    Theorem,
    above_zero,
    added,
    conclusion,
    counted,
    equal,
    forbid,
    negative,
    relations_of,
    valued,
)

INFINITE = (("oo",), ("-oo",))


def require_bound(slots: Data) -> None:
    """The letters of integrals and the variable are any numbers, and stand only where they may."""
    table, x = slots["integrals"], slots["variable"]
    finite = [end for _, low, high in table.values() for end in (low, high) if end not in INFINITE]
    forbid([x, *table], relations_of(slots))
    forbid([x], finite)
    forbid(table, [*finite, *[f for f, _, _ in table.values()]])
    for letter in (x, *table):
        if slots["symbols"].get(letter) != ():
            raise Rejected(f"{letter} is bound by the theorem and may have no assumption")
    if x in table:
        raise Rejected(f"{x} cannot be both the variable and an integral")


def _order(slots: Data) -> str:
    if slots["relation"] not in (">", ">="):
        raise Rejected(f"integrals are compared here by > or >=, got {shown(slots['relation'])}")
    return str(slots["relation"])


def about_integrals(slots: Data, left: Term, right: Term) -> Data:
    """The conclusion keeps the integrals whose letters it names, and no other letters of the table."""
    names = free(left) | free(right)
    kept = {letter: entry for letter, entry in slots["integrals"].items() if letter in names}
    symbols = {s: told for s, told in slots["symbols"].items() if s in kept or s not in slots["integrals"]}
    head = {"symbols": symbols, "assuming": slots["assuming"]}
    return conclusion(
        "integrals",
        head,
        variable=slots["variable"],
        integrals=kept,
        relation=slots["relation"],
        left=left,
        right=right,
    )


def _known(slots: Data) -> tuple[Needs, Data]:
    require_bound(slots)
    forbid([slots["variable"]], [slots["left"], slots["right"]])
    if slots["relation"] not in ("=", ">", ">="):
        raise Rejected(f"the relation must be =, > or >=, got {shown(slots['relation'])}")
    values: dict[str, Term] = {}
    told: list[Term] = []
    seen: set[str] = set()
    for fact in slots["facts"]:
        letters = letters_of(slots, fact)
        seen |= set(letters)
        if fact["form"] == "integral":
            for letter in sorted(letters):
                values[letter] = fact["value"]  # in the order of their names
        else:
            told.append(relation((fact["relation"], fact["left"], fact["right"])))
    concludes = about_integrals(slots, slots["left"], slots["right"])
    if not set(concludes["integrals"]) <= seen:
        raise Rejected("an integral of the conclusion is in none of the facts, so it need not exist")

    def put_in(side: Term) -> Term:
        return ("at", side, tuple(values.items())) if values else side

    symbols = {s: words for s, words in slots["symbols"].items() if s not in values and s != slots["variable"]}
    supposed = tuple((order, put_in(left), put_in(right)) for order, left, right in told)
    goal = {"symbols": symbols, "assuming": (*slots["assuming"], *supposed)}
    goal |= {"left": put_in(slots["left"]), "right": put_in(slots["right"])}
    goal |= {"kind": "identity"} if slots["relation"] == "=" else {"kind": "sign", "relation": slots["relation"]}
    needs = {f"fact {k + 1}": fact for k, fact in enumerate(slots["facts"])}
    return needs | valued(slots, *values.values()) | {"goal": goal}, concludes


def letters_of(slots: Data, fact: Data) -> tuple[str, ...]:
    """The letters of the table that a fact speaks of, under the same hypotheses."""
    if fact.get("kind") != "concluded" or fact.get("form") not in ("integral", "integrals"):
        raise Rejected("a fact tells the value of an integral, or compares integrals")
    known = all(slots["symbols"].get(s) == words for s, words in fact["symbols"].items())
    if not known or fact["assuming"] != slots["assuming"] or fact["variable"] != slots["variable"]:
        raise Rejected("a fact must stand under the hypotheses of the theorem, about its variable")
    if "rates" in fact:
        raise Rejected("what is said of the rates of integrals is no fact about integrals")
    if fact["form"] == "integrals":
        if not all(slots["integrals"].get(letter) == entry for letter, entry in fact["integrals"].items()):
            raise Rejected("a fact speaks of an integral that is not in the table")
        return tuple(fact["integrals"])
    entry = (fact["integrand"], fact["low"], fact["high"])
    letters = tuple(letter for letter, other in slots["integrals"].items() if other == entry)
    if not letters:
        raise Rejected("a fact tells the value of an integral that is not in the table")
    return letters


def _inequality(slots: Data) -> tuple[Needs, Data]:
    require_bound(slots)
    order, x, table, weights = slots["relation"], ("s", slots["variable"]), slots["integrals"], slots["weights"]
    if order not in ("=", ">", ">="):
        raise Rejected(f"the relation must be =, > or >=, got {shown(order)}")
    low, high = next(iter(table.values()))[1:]
    if low in INFINITE or high in INFINITE or any((a, b) != (low, high) for _, a, b in table.values()):
        raise Rejected("the integrals of an inequality must have the same finite ends")
    if set(weights) != set(table):
        raise Rejected("every integral of an inequality has one weight")
    forbid([slots["variable"], *table], [slots["constant"], *weights.values()])
    width, names = difference(high, low), sorted(table)
    asked = {c: None for f, _, _ in table.values() for c in conditions(f, slots["symbols"], smooth=False)}
    closed = ((">=", x, low), (">=", high, x))
    needs: Needs = {"order": above_zero(slots, width, strict=order == ">")}
    needs |= counted("continuous", [above_zero(slots, g, *closed, strict=word == ">") for word, g in asked])
    sums = added([slots["constant"], *[("*", weights[name], table[name][0]) for name in names]])
    between = ((">", x, low), (">", high, x))
    if order == "=":
        needs["inside"] = equal(slots, sums, ZERO, *between)
    else:
        needs["inside"] = above_zero(slots, sums, *between, strict=order == ">")
    needs |= valued(slots, low, high, slots["constant"], *[weights[name] for name in names])
    whole = added([("*", slots["constant"], width), *[("*", weights[name], ("s", name)) for name in names]])
    return needs, about_integrals(slots, whole, ZERO)


def _balls(slots: Data) -> tuple[Needs, Data]:
    require_bound(slots)
    _order(slots)
    forbid([slots["variable"]], [slots["left"], slots["right"]])
    concludes, box = about_integrals(slots, slots["left"], slots["right"]), slots["box"]
    if set(box) & {slots["variable"], *slots["integrals"]}:
        raise Rejected("a box holds the symbols of the statement, and no variable or letter of an integral")
    inside = []
    for symbol in sorted(box):
        here, (low, high) = ("s", symbol), box[symbol]
        inside += [difference(here, ("q", low)), ("+", ("q", high), negative(here))]
    values = {
        "kind": "enclosure",
        "symbols": dict.fromkeys((*box, *concludes["integrals"], slots["variable"]), ()),
        "assuming": (),
        "variable": slots["variable"],
        "integrals": concludes["integrals"],
        "expression": difference(slots["left"], slots["right"]),
        "box": box,
        "lower": "0",
        "upper": slots["upper"],
    }
    needs = counted("in the box", [above_zero(slots, gap, strict=False) for gap in inside])
    return needs | {"values": values}, concludes


def _rates(slots: Data) -> tuple[Needs, Data]:
    require_bound(slots)
    table, x, told = slots["integrals"], slots["variable"], slots["rates"]
    sides = [slots[key] for key in ("left", "right", "stated_left", "stated_right")]
    forbid([x], sides)
    forbid(told, [*relations_of(slots), *[f for entry in table.values() for f in entry if f not in INFINITE]])
    forbid(told, sides[:2])
    needs: Needs = {}
    values: list[tuple[str, Term]] = []
    for rate, (letter, by, inner) in told.items():
        if rate in table or rate == x or slots["symbols"].get(rate) != ():
            raise Rejected(f"{rate} must be a letter for a rate and for nothing else")
        if letter not in table or inner not in table or by in {x, *table, *told} or by not in slots["symbols"]:
            raise Rejected("a rate is that of one integral of the table by a symbol that is free in it")
        needs |= _differentiated(slots, rate, by, table[letter], table[inner])
        (f, low, high) = table[letter]
        top, bottom = (("*", ("at", f, ((x, end),)), ("D", end, by)) for end in (high, low))
        values.append((rate, added([("s", inner), top, negative(bottom)])))
    rest = {s: words for s, words in slots["symbols"].items() if s not in told}
    plain = {"kind": "identity", "symbols": {s: w for s, w in rest.items() if s != x}, "assuming": slots["assuming"]}
    for key in ("left", "right"):
        needs[f"the {key} side"] = plain | {"left": ("at", slots[f"stated_{key}"], tuple(values)), "right": slots[key]}
    needs |= valued(slots, slots["left"], slots["right"])
    needs["goal"] = about_integrals(slots | {"symbols": rest}, slots["left"], slots["right"])
    return needs, _about_rates(slots)


def _differentiated(slots: Data, rate: str, by: str, entry: Data, inner: Data) -> Needs:
    """The integrand is smooth on the closed interval, and so are the ends; the other integral is that of its rate."""
    (f, low, high), (slope, *ends), x = entry, inner, ("s", slots["variable"])
    if tuple(ends) != (low, high) or low in INFINITE or high in INFINITE:
        raise Rejected("the integral of a rate must have the same two finite ends")
    inside = ((">=", x, low), (">=", high, x))
    known = slots["symbols"]
    smooth = dict.fromkeys((*conditions(f, known, smooth=True), *conditions(slope, known, smooth=False)))
    moving = {c: None for end in (low, high) for c in conditions(end, known, smooth=True)}
    return {
        f"{rate}: order": above_zero(slots, difference(high, low), strict=False),
        f"{rate}: rate": equal(slots, ("D", f, by), slope, *inside),
        **counted(f"{rate}: smooth", [above_zero(slots, g, *inside, strict=order == ">") for order, g in smooth]),
        **counted(f"{rate}: end", [above_zero(slots, g, strict=order == ">") for order, g in moving]),
    }


def _about_rates(slots: Data) -> Data:
    """What is concluded of letters for rates, which come with what they are the rates of."""
    left, right, told = slots["stated_left"], slots["stated_right"], slots["rates"]
    names = free(left) | free(right) | {letter for letter, _, _ in told.values()}
    kept = {letter: entry for letter, entry in slots["integrals"].items() if letter in names}
    symbols = {s: words for s, words in slots["symbols"].items() if s in kept or s not in slots["integrals"]}
    head = {"symbols": symbols, "assuming": slots["assuming"]}
    found = {rate: (letter, by) for rate, (letter, by, _) in told.items()}
    return conclusion(
        "integrals", head, variable=slots["variable"], integrals=kept, rates=found, relation=slots["relation"],
        left=left, right=right,
    )  # fmt: skip


TABLE = {"variable": "symbol", "integrals": "integrals", "relation": "text"}
THEOREMS = {
    "integrals by what is known of them": Theorem(
        "What follows for numbers from equations and inequalities that integrals satisfy holds for the integrals.",
        TABLE | {"left": "term", "right": "term", "facts": "facts"},
        _known,
    ),
    "integral of an inequality": Theorem(
        "Where a sum of continuous functions with weights is zero, positive, or not negative between two ends, so is"
        " the sum of their integrals.",
        TABLE | {"weights": "flow", "constant": "term"},
        _inequality,
    ),
    "integrals in balls": Theorem(
        "An inequality between numbers and integrals over closed intervals that balls show over a box holds wherever"
        " the hypotheses lead into the box.",
        TABLE | {"left": "term", "right": "term", "box": "box", "upper": "text"},
        _balls,
    ),
    "differentiation under the integral": Theorem(
        "The rate of an integral by a symbol is the integral of the rate of its integrand, with the integrand at the"
        " high end times the rate of that end, less the same at the low end.",
        TABLE | {"rates": "rates", "stated_left": "term", "stated_right": "term", "left": "term", "right": "term"},
        _rates,
    ),
}

"""Equations and inequalities in which integrals stand: letters for the integrals, and what is known of each letter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from derivations.language.terms import MINUS_ONE, ZERO, Term, rational, subtract, symbols_in
from derivations.prove.certificate import Json
from derivations.prove.rules.analysis.values import asked
from derivations.prove.schemas.schema import (
    SCALARS,
    Schema,
    SlotError,
    Use,
    concluded,
    numbered,
    setting,
    total,
    with_values,
    without,
)

RELATIONS = ("=", ">", ">=")
INFINITE = (("oo",), ("-oo",))
KNOWN, PARTS, BALLS = "integrals by what is known of them", "integral of an inequality", "integrals in balls"
RATES = "differentiation under the integral"


def declared(slots: Json) -> None:
    """Letters and the variable stand for any number, and for nothing in hypotheses, integrands and ends."""
    table, x = slots["integrals"], slots["variable"]
    if slots.get("relation", "=") not in RELATIONS:
        raise SlotError(f"a relation is one of {', '.join(RELATIONS)}, got {slots['relation']}")
    ends = [end for _, *both in table.values() for end in both if end not in INFINITE]
    without([x], ends)
    without([*table, x], slots["assuming"])
    without(table, [*(f for f, _, _ in table.values()), *ends])
    for name in (*table, x):
        if slots["symbols"][name] or (name == x and x in table):
            raise SlotError(f"{name} is bound by the theorem: declare it real and nothing else")


def states(slots: Json, left: Term, right: Term) -> Json:
    """The conclusion, which holds the integrals of whose letters it speaks."""
    used = symbols_in(left) | symbols_in(right)
    table = {name: entry for name, entry in slots["integrals"].items() if name in used}
    symbols = {name: told for name, told in slots["symbols"].items() if name in table or name not in slots["integrals"]}
    parts = {"variable": slots["variable"], "integrals": table, "relation": slots["relation"]}
    return concluded("integrals", slots | {"symbols": symbols}, **parts, left=left, right=right)


def known(slots: Json) -> Use:
    """Values of integrals are put in, inequalities between them supposed, and what is left is a plain statement."""
    declared(slots)
    without([slots["variable"]], [slots["left"], slots["right"]])
    values: dict[str, Term] = {}
    supposed: list[Any] = []
    shown: set[str] = set()
    for fact in slots["facts"]:
        about = spoken_of(slots, fact)
        shown |= about
        if fact["form"] == "integral":
            values |= dict.fromkeys(sorted(about), fact["value"])
        else:
            supposed.append((fact["relation"], fact["left"], fact["right"]))
    conclusion = states(slots, slots["left"], slots["right"])
    unknown = sorted(set(conclusion["integrals"]) - shown)
    if unknown:
        raise SlotError(f"nothing is known of the integral {unknown[0]}: give a fact about it")
    pairs = tuple(values.items())
    left, right = (("at", slots[side], pairs) if pairs else slots[side] for side in ("left", "right"))
    supposed = [(r, *(("at", side, pairs) if pairs else side for side in sides)) for r, *sides in supposed]
    symbols = {
        name: told for name, told in slots["symbols"].items() if name != slots["variable"] and name not in values
    }
    goal = {"symbols": symbols, "assuming": [*slots["assuming"], *supposed], "left": left, "right": right}
    kind = {"kind": "identity"} if slots["relation"] == "=" else {"kind": "sign", "relation": slots["relation"]}
    facts = {f"fact {k}": fact for k, fact in enumerate(slots["facts"], 1)}
    return Use({**facts, **with_values(slots, *values.values()), "goal": kind | goal}, conclusion)


def spoken_of(slots: Json, fact: Json) -> set[str]:
    """The letters of which a fact tells something; it speaks of the same integrals under the same hypotheses."""
    if fact["kind"] != "concluded" or fact["form"] not in ("integral", "integrals"):
        raise SlotError("a fact tells the value of an integral, or compares integrals")
    shared = all(slots["symbols"].get(name) == told for name, told in fact["symbols"].items())
    if not shared or fact["assuming"] != slots["assuming"] or fact["variable"] != slots["variable"]:
        raise SlotError("a fact about integrals must stand under the hypotheses of the theorem, about its variable")
    if fact["form"] == "integrals" and "rates" not in fact:
        if any(slots["integrals"].get(name) != entry for name, entry in fact["integrals"].items()):
            raise SlotError("a fact speaks of other integrals than the theorem")
        return {*fact["integrals"]}
    entry = [fact["integrand"], fact["low"], fact["high"]]
    found = {name for name, other in slots["integrals"].items() if list(other) == entry}
    if fact["form"] != "integral" or not found:
        raise SlotError("a fact speaks of an integral, or of rates, that are not in the table")
    return found


def inequality(slots: Json) -> Use:
    """The integral of a sum of weighted functions that is not negative between the ends."""
    declared(slots)
    table, x, strict = slots["integrals"], slots["variable"], slots["relation"] == ">"
    low, high = next(iter(table.values()))[1:]
    if any(entry[1:] != [low, high] for entry in table.values()) or low in INFINITE or high in INFINITE:
        raise SlotError("integrals of an inequality have the same two ends, which are finite")
    if set(slots["weights"]) != set(table):
        raise SlotError("a comparison of integrals has a weight for each")
    weights, constant = slots["weights"], slots["constant"]
    without([x, *table], [constant, *weights.values()])
    inside = (">", ("s", x), low), (">", high, ("s", x))
    closed = (">=", ("s", x), low), (">=", high, ("s", x))
    demands = dict.fromkeys(pair for f, _, _ in table.values() for pair in asked(f, slots["symbols"]))
    values = [_sign(setting(slots, *closed), order, what) for order, what in demands]
    pointwise = total([constant, *(("*", weights[name], table[name][0]) for name in sorted(table))])
    width = subtract(high, low)
    left = total([("*", constant, width), *(("*", weights[name], ("s", name)) for name in sorted(table))])
    return Use(
        {
            "order": _sign(setting(slots), ">" if strict else ">=", width),
            **numbered("continuous", values),
            "inside": _stated(setting(slots, *inside), slots["relation"], pointwise),
            **with_values(slots, low, high, constant, *(weights[name] for name in sorted(table))),
        },
        states(slots, left, ZERO),
    )


def _sign(where: Json, order: str, what: Term) -> Json:
    return {"kind": "sign", **where, "relation": order, "left": what, "right": ZERO}


def _stated(where: Json, relation: str, what: Term) -> Json:
    if relation == "=":
        return {"kind": "identity", **where, "left": what, "right": ZERO}
    return _sign(where, relation, what)


def balls(slots: Json) -> Use:
    """Enclosures over a box in which the hypotheses hold everything."""
    declared(slots)
    if slots["relation"] == "=":
        raise SlotError("balls show inequalities, and no equation")
    without([slots["variable"]], [slots["left"], slots["right"]])
    box = slots["box"]
    inside = [
        _sign(setting(slots), ">=", side)
        for name in sorted(box)
        for side in (
            subtract(("s", name), rational(box[name][0])),
            ("+", rational(box[name][1]), ("*", MINUS_ONE, ("s", name))),
        )
    ]
    conclusion = states(slots, slots["left"], slots["right"])
    formulas = [slots["left"], slots["right"], *(f for entry in conclusion["integrals"].values() for f in entry)]
    spoken = set().union(*(symbols_in(f) for f in formulas if f not in INFINITE))
    if missing := sorted(spoken - {*box, *conclusion["integrals"], slots["variable"]}):
        raise SlotError(f"the box gives no interval for {missing[0]}: give one, or a single point twice")
    values = {
        "kind": "enclosure",
        "symbols": {name: [] for name in sorted({*box, *conclusion["integrals"], slots["variable"]})},
        "assuming": [],
        "variable": slots["variable"],
        "integrals": conclusion["integrals"],
        "expression": subtract(slots["left"], slots["right"]),
        "box": box,
        "lower": "0",
        "upper": slots["upper"],
    }
    return Use({**numbered("in the box", inside), "values": values}, conclusion)


def rates(slots: Json) -> Use:
    """The rate of an integral by a symbol: the integral of the integrand's rate, and the integrand at moving ends."""
    declared(slots)
    table, x = slots["integrals"], slots["variable"]
    in_order: dict[str, Json] = {}
    bound = [x, *table, *slots["rates"]]
    without([x], [slots[key] for key in ("left", "right", "stated_left", "stated_right")])
    without(slots["rates"], [slots["left"], slots["right"]])
    without(slots["rates"], [*(t for entry in table.values() for t in entry if t not in INFINITE), *slots["assuming"]])
    needs: dict[str, Json] = {}
    put_in: list[tuple[str, Term]] = []
    for rate, (letter, by, inner) in slots["rates"].items():
        if letter not in table or inner not in table or by in bound or rate in table or slots["symbols"][rate]:
            raise SlotError("a rate is a letter for the rate of one integral by a symbol, with the integral inside it")
        (f, low, high), (slope, *ends) = table[letter], table[inner]
        if [low, high] != ends or low in INFINITE or high in INFINITE:
            raise SlotError("an integral and the integral of its rate have the same two ends, which are finite")
        closed = (">=", ("s", x), low), (">=", high, ("s", x))
        there, known = setting(slots, *closed), slots["symbols"]
        in_order |= {f"{rate}: order": _sign(setting(slots), ">=", subtract(high, low))}
        needs |= {f"{rate}: rate": {"kind": "identity", **there, "left": ("D", f, by), "right": slope}}
        smooth = dict.fromkeys([*asked(f, known, smooth=True), *asked(slope, known)])
        needs |= numbered(f"{rate}: smooth", (_sign(there, order, what) for order, what in smooth))
        moving = dict.fromkeys(pair for end in (low, high) for pair in asked(end, known, smooth=True))
        needs |= numbered(f"{rate}: end", (_sign(setting(slots), order, what) for order, what in moving))
        at_ends = [("*", ("at", f, ((x, end),)), ("D", end, by)) for end in (high, low)]
        put_in.append((rate, total([("s", inner), at_ends[0], ("*", MINUS_ONE, at_ends[1])])))
    for side in ("left", "right"):
        same = {"left": ("at", slots[f"stated_{side}"], tuple(put_in)), "right": slots[side]}
        symbols = {name: told for name, told in slots["symbols"].items() if name != x and name not in slots["rates"]}
        needs |= {f"the {side} side": {"kind": "identity", "symbols": symbols, "assuming": slots["assuming"], **same}}
    goal = states(_without_rates(slots), slots["left"], slots["right"])
    needs |= in_order | with_values(slots, slots["left"], slots["right"]) | {"goal": goal}
    return Use(needs, _with_rates(slots))


def _without_rates(slots: Json) -> Json:
    symbols = {name: told for name, told in slots["symbols"].items() if name not in slots["rates"]}
    return slots | {"symbols": symbols}


def _with_rates(slots: Json) -> Json:
    """The conclusion has the integrals of its letters and of its rates, and for each rate what it is the rate of."""
    left, right = slots["stated_left"], slots["stated_right"]
    used = {letter for letter, _, _ in slots["rates"].values()} | symbols_in(left) | symbols_in(right)
    kept = {name: entry for name, entry in slots["integrals"].items() if name in used}
    dropped = {*slots["integrals"]} - {*kept}
    symbols = {name: told for name, told in slots["symbols"].items() if name not in dropped}
    of = {rate: [letter, by] for rate, (letter, by, _) in slots["rates"].items()}
    parts = {"variable": slots["variable"], "integrals": kept, "relation": slots["relation"], "rates": of}
    return concluded("integrals", slots | {"symbols": symbols}, **parts, left=left, right=right)


def letters(taken: Iterable[str], count: int) -> list[str]:
    """So many names for integrals that nothing else has."""
    used = {*taken}
    found = (f"I_{k}" for k in range(1, count + len(used) + 1) if f"I_{k}" not in used)
    return [name for name, _ in zip(found, range(count), strict=False)]


TABLE: dict[str, str] = {"variable": "symbol", "integrals": "integrals", "relation": "text"}
SCHEMAS = (
    Schema(
        KNOWN,
        "What follows for numbers from equations and inequalities that integrals satisfy holds for the integrals.",
        "Every fact stands under the same hypotheses and speaks of integrals of the table; values that facts give are"
        " put in for the letters, and inequalities are supposed. Each integral of the conclusion is in a fact, so that"
        " it exists.",
        "substitution",
        SCALARS,
        TABLE | {"left": "term", "right": "term", "facts": "facts"},
        known,
    ),
    Schema(
        PARTS,
        "Where a sum of continuous functions with weights is zero, positive, or not negative between two ends, so is"
        " the sum of their integrals.",
        "The ends are finite, and the low one is not above the high one (below it, for >); on the closed interval every"
        " integrand has a value, and as a formula it is continuous; weights and the constant are free of the variable.",
        "Rudin, Principles of Mathematical Analysis, Theorem 6.12",
        SCALARS,
        TABLE | {"weights": "flow", "constant": "term"},
        inequality,
    ),
    Schema(
        BALLS,
        "An inequality between numbers and integrals over closed intervals that balls show over a box holds wherever"
        " the hypotheses lead into the box.",
        "Each integral is enclosed by Taylor polynomials on equal parts of its interval, with Lagrange's remainder as a"
        " ball.",
        "Tucker, Validated Numerics, chapter 5",
        SCALARS,
        TABLE | {"left": "term", "right": "term", "box": "box", "upper": "text"},
        balls,
    ),
    Schema(
        RATES,
        "The rate of an integral by a symbol is the integral of the rate of its integrand, with the integrand at the"
        " high end times the rate of that end, less the same at the low end.",
        "The ends are finite, in order, and smooth; on the closed interval the integrand is smooth, with conditions"
        " that hold strictly, so that they hold near it; the sides with this put in equal the sides of the goal, which"
        " have values.",
        "Rudin, Principles of Mathematical Analysis, Theorem 9.42",
        SCALARS,
        TABLE | {"rates": "rates", "stated_left": "term", "stated_right": "term", "left": "term", "right": "term"},
        rates,
    ),
)

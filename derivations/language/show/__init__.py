"""Formulas and statements as people read them: as plain text and as LaTeX.

The printer of terms, of trees that the LaTeX reader makes, of words, of sums, and of whole statements. It works on the
plain data that certificates hold, so it imports nothing that decides. What is written stands in `phrases.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from derivations.language import names
from derivations.language.show import conclusions, trajectories
from derivations.language.show.phrases import (
    LATEX,
    PHRASES,
    SUMS,
    SUMS_LATEX,
    TEXT,
    WORDS,
    WORDS_LATEX,
    Json,
    Slot,
    Style,
    filled,
    of_sums,
    writer,
)

Line = tuple[str, str]  # a sentence, and its LaTeX, if it has any
DECIMAL = re.compile(r"-?\d+\.\d+")
LONG_NUMBER = 24  # characters; a longer decimal is cut
DIGITS = 12
SIDES = {"above": "^+", "below": "^-", "": ""}


def plain(term: Any) -> str:
    """A term, or a tree of the LaTeX reader, on one line.

    >>> plain(("+", ("s", "x"), ("*", ("q", "-1"), ("^", ("s", "y"), ("q", "-2")))))
    'x - 1/y^2'
    """
    return TEXT(term)


def latex(term: Any) -> str:
    r"""A term as LaTeX.

    >>> latex(("*", ("q", "1/2"), ("^", ("s", "tau_h"), ("q", "-1")), ("s", "w")))
    '\\frac{w}{2 \\tau_{h}}'
    """
    return LATEX(term)


def words(side: Json) -> str:
    """A formula about matrices, or a polynomial in words, on one line; ' is the transpose, and scalars stand in
    brackets.

    >>> words({"terms": [["1", [["x'", "A", "x"]], ["B"]], ["-1/2", [["tr(", "A"]], ["B"]]]})
    "(x' A x) B - 1/2 tr(A) B"
    """
    return WORDS(side)


def sums(side: Json) -> str:
    """A formula about sums, or a polynomial with sums, on one line; a summed index is named after its range.

    >>> sums([["2", ["K"], [["g", 0], ["w", 0, "m"]]], ["-1", [], [["size", "M"]]]])
    '2 sum_(k1) g[k1] w[k1, m] - size[M]'
    """
    return _of_sums(SUMS, side)


def _of_sums(style: Style, side: Json) -> str:
    return style(side if isinstance(side, dict) else of_sums(side, style.index))


def cut(number: str) -> str:
    """A long decimal to as many digits as tell it apart; an exact number stays whole.

    >>> cut("0.333333333333333333333333333333"), cut("1/3"), cut("2.000")
    ('0.3333333333…', '1/3', '2')
    """
    if not DECIMAL.fullmatch(number):
        return number
    whole, _, digits = number.partition(".")
    if not digits.strip("0"):
        return whole
    return f"{number[:DIGITS]}…" if len(number) > LONG_NUMBER else number


# --- statements -------------------------------------------------------------------------------------------------------


def sentences(statement: Json) -> list[str]:
    """Return what a statement says, one line for every part.

    >>> sentences({"kind": "identity", "left": ("s", "x"), "right": ("^", ("s", "y"), ("q", "2"))})
    ['x = y^2']
    """
    return [sentence for sentence, _ in _lines(statement)]


def readings(statement: Json) -> list[Line]:
    """The lines of `sentences`, each with its LaTeX, which is empty where there is no formula."""
    return list(_lines(statement))


def formulas(statement: Json) -> list[str]:
    """The formulas of a statement as LaTeX."""
    return [formula for _, formula in _lines(statement) if formula]


def interval(statement: Json) -> str:
    """The times of which a statement about a flow speaks.

    >>> interval({"time": "t", "interval": {"kind": "until", "end": ("q", "2")}})
    'for 0 <= t < 2'
    """
    return conclusions.times(statement)


def _lines(statement: Json) -> Iterator[Line]:
    match statement["kind"]:
        case "limit":
            phrases = PHRASES["limits"]
            yield filled(phrases["text"], statement, TEXT), filled(phrases["latex"], statement, LATEX)
        case "solves":
            for x, rate in statement["flow"].items():
                yield f"d{x}/d{statement['time']} = {TEXT(rate)}", rf"\dot{{{names.latex(x)}}}={LATEX(rate)}"
            for x, value in statement["solution"].items():
                yield f"{x} = {TEXT(value)}", f"{names.latex(x)} = {LATEX(value)}"
            yield interval(statement), ""
        case "enclosure":
            inside = conclusions.of_integrals(statement, TEXT) if "integrals" in statement else ""
            yield f"{statement['lower']} < {TEXT(statement['expression'])} < {statement['upper']}{inside}", ""
        case "average":
            yield _average(statement)
        case "trajectory":
            yield from trajectories.readings(statement)
        case "not":
            yield f"it is not so that {'; '.join(sentences(statement['of']))}", ""
        case "by":
            yield from _lines(statement["concludes"])
        case "concluded":
            yield conclusions.sentence(statement), ""
        case kind:
            if kind == "argued":
                yield statement["says"], ""
            parts = statement.get("parts", statement.get("needs", {}).values())
            for part in parts:
                yield from _lines(part)
            if not parts and kind != "argued":
                yield _equation(statement)


@writer
def goes(slot: Slot) -> str:
    """Where the variables of a limit go."""
    side, *value = slot.table.get("towards", ("", ("q", "0")))
    goal, side = (slot.write(value[0]), side) if value else (slot.write((side,)), "")
    if slot.write is TEXT:
        return f"{', '.join(slot.part)} -> {goal}" + (f" from {side}" if side else "")
    return ", ".join(rf"{names.latex(variable)}\to {goal}{SIDES[side]}" for variable in slot.part)


def _equation(statement: Json) -> Line:
    left, right, relation = statement["left"], statement["right"], statement.get("relation", "=")
    number_sign, matrix_sign = PHRASES["signs"][relation]
    match statement["kind"]:
        case "words" | "loewner":
            sign = number_sign if list(left["shape"]) == [1, 1] else matrix_sign
            text = _of_words(WORDS, relation, " where ", left, right)
            return text, _of_words(WORDS_LATEX, sign, r",\quad ", left, right)
        case "sums":
            text = f"{_of_sums(SUMS, left)} {relation} {_of_sums(SUMS, right)}"
            return text, f"{_of_sums(SUMS_LATEX, left)} {number_sign} {_of_sums(SUMS_LATEX, right)}"
    return f"{TEXT(left)} {relation} {TEXT(right)}", f"{LATEX(left)} {number_sign} {LATEX(right)}"


def _of_words(style: Style, relation: str, where: str, *sides: Json) -> str:
    """An equation with the flow along which its derivatives are taken; letters that move in two ways have their rates
    beside every derivative.
    """
    rates: dict[str, list[Json]] = {}
    for name, rate in (pair for side in sides for pair in _rates(side.get("formula"))):
        known = rates.setdefault(name, [])
        known += [rate] if rate not in known else []
    if not rates or any(len(known) > 1 for known in rates.values()):
        return f" {relation} ".join(map(style, sides))
    flow = ", ".join(style(("moves", name, *rates[name])) for name in sorted(rates))
    return f" {relation} ".join(style(_without_rates(side["formula"])) for side in sides) + where + flow


def _rates(formula: Json) -> Iterator[Json]:
    """The letters that move in derivatives, each with its rate."""
    if isinstance(formula, tuple | list):
        if len(formula) == 3 and formula[0] == "along":
            yield from formula[2]
        for part in formula:
            yield from _rates(part)


def _without_rates(formula: Json) -> Json:
    if not isinstance(formula, tuple | list):
        return formula
    is_moved = len(formula) == 3 and formula[0] == "along"
    return ("along", _without_rates(formula[1]), ()) if is_moved else tuple(map(_without_rates, formula))


# --- Gaussian averages ------------------------------------------------------------------------------------------------


def _average(statement: Json) -> Line:
    named = [(name, _mean(statement, [[("q", "1"), of]])) for name, of in statement.get("given", {}).items()]
    mean = _mean(statement, statement["integrand"])
    left = ("D", mean, statement["rate"]) if "rate" in statement else mean
    text = [f"{TEXT(left)} = {TEXT(statement['right'])}", *(f"{name} = {TEXT(tree)}" for name, tree in named)]
    formula = [f"{LATEX(left)} = {LATEX(statement['right'])}", *(f"{names.latex(n)}={LATEX(t)}" for n, t in named)]
    return ", ".join(text), r",\quad ".join(formula)


def _mean(statement: Json, integrand: Json) -> Any:
    """The average of a sum of products, as a tree."""
    terms = [_times([coefficient, *(_factor(f, statement["fields"]) for f in of)]) for coefficient, of in integrand]
    return ("mean", terms[0] if len(terms) == 1 else ("+", *terms))


def _times(factors: list[Any]) -> Any:
    kept = [f for f in factors if tuple(f) != ("q", "1")] or factors[:1]
    return kept[0] if len(kept) == 1 else ("*", *kept)


def _factor(factor: Any, fields: list[str]) -> Any:
    """A factor as a function of its field."""
    kind, place, *more = factor
    x: Any = ("s", fields[place])
    match kind:
        case "power":
            return x if more[0] == 1 else ("^", x, ("q", str(more[0])))
        case "bell":
            return ("exp", ("*", ("q", "-1/2"), ("^", x, ("q", "2")), ("^", more[0], ("q", "-1"))))
        case "erf":
            return ("erf", ("*", x, ("^", ("*", ("q", "2"), more[0]), ("q", "-1/2"))))
        case "ramp":
            return ("call", "max", x, ("q", "0"))
    return ("call", {"step": "step", "point": "delta"}[kind], x)

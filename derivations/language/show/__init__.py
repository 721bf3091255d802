"""Formulas as people read them: as plain text and as LaTeX.

The printer of terms, of trees that the LaTeX reader makes, of words, of sums, and of the formulas of statements. It
works on the plain data that certificates hold, so it imports nothing that decides. What is written stands in
`phrases.toml`. The sentence of a statement is the checker's (`derivations/recheck/ledgers/reading.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from derivations.language import names
from derivations.language.show import tubes
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

DECIMAL = re.compile(r"-?\d+\.\d+")
LONG_NUMBER = 24  # characters; a longer decimal is cut
DIGITS = 12
NUMBERS = {"pi", "e", "oo"}  # names that look like numbers
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


def formulas(statement: Json) -> list[str]:
    r"""The formulas of a statement as LaTeX, a line for each; parts that say something in words have none.

    Neither has a statement in which two names would look the same, or one like a number.

    >>> formulas({"kind": "identity", "left": ("s", "x"), "right": ("^", ("s", "y"), ("q", "2"))})
    ['x = y^{2}']
    >>> formulas({"kind": "identity", "left": ("s", "x1"), "right": ("s", "x_1")})
    []
    """
    known = {*_names(statement)}
    is_clear = len({*map(names.latex, known)}) == len(known) and not known & NUMBERS
    return list(_lines(statement)) if is_clear else []


def _names(data: Json) -> Iterator[str]:
    """The names of symbols and of matrices in formulas."""
    match data:
        case ("s" | "L", str() as name) | ["s" | "L", str() as name]:
            yield name
        case dict():
            yield from _names([*data.values()])
        case tuple() | list():
            for part in data:
                yield from _names(part)


def _lines(statement: Json) -> Iterator[str]:
    match statement["kind"]:
        case "limit":
            yield filled(PHRASES["limits"]["latex"], statement, LATEX)
        case "solves":
            yield from (rf"\dot{{{names.latex(x)}}}={LATEX(rate)}" for x, rate in statement["flow"].items())
            yield from (f"{names.latex(x)} = {LATEX(value)}" for x, value in statement["solution"].items())
        case "average":
            yield _average(statement)
        case "trajectory":
            yield from _system(statement)
        case "by":
            yield from _lines(statement["concludes"])
        case "enclosure" | "not" | "concluded":
            return
        case kind:
            parts = statement.get("parts", statement.get("needs", {}).values())
            for part in parts:
                yield from _lines(part)
            if not parts and kind != "argued":
                yield _equation(statement)


def _system(statement: Json) -> Iterator[str]:
    """The rates or the next values of what moves."""
    is_flow, next_time = statement["form"] == "flow", f"({names.latex(statement['time'])}+1)"
    for x, f in sorted(statement["states"].items()):
        if not tubes.is_constant(statement, x):
            left = rf"\dot{{{names.latex(x)}}}" if is_flow else names.latex(x) + next_time
            yield f"{left}={LATEX(f)}"


@writer
def goes(slot: Slot) -> str:
    """Where the variables of a limit go."""
    side, *value = slot.table.get("towards", ("", ("q", "0")))
    goal, side = (slot.write(value[0]), side) if value else (slot.write((side,)), "")
    return ", ".join(rf"{names.latex(variable)}\to {goal}{SIDES[side]}" for variable in slot.part)


def _equation(statement: Json) -> str:
    left, right = statement["left"], statement["right"]
    number_sign, matrix_sign = PHRASES["signs"][statement.get("relation", "=")]
    match statement["kind"]:
        case "words" | "loewner":
            sign = number_sign if list(left["shape"]) == [1, 1] else matrix_sign
            return f"{WORDS_LATEX(left)} {sign} {WORDS_LATEX(right)}"
        case "sums":
            return f"{_of_sums(SUMS_LATEX, left)} {number_sign} {_of_sums(SUMS_LATEX, right)}"
    return f"{LATEX(left)} {number_sign} {LATEX(right)}"


# --- Gaussian averages ------------------------------------------------------------------------------------------------


def _average(statement: Json) -> str:
    named = [(name, _mean(statement, [[("q", "1"), of]])) for name, of in statement.get("given", {}).items()]
    mean = _mean(statement, statement["integrand"])
    left = ("D", mean, statement["rate"]) if "rate" in statement else mean
    formula = [f"{LATEX(left)} = {LATEX(statement['right'])}", *(f"{names.latex(n)}={LATEX(t)}" for n, t in named)]
    return r",\quad ".join(formula)


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

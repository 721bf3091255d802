"""Formulas as text, of numbers, of matrices and of sums: each sort of formula is a table from signs to what is written.

Every part of a formula appears: one that no line of its table fits is written as data.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from derivations.recheck.core.load import Data

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*'?", re.ASCII)
LOOSE = ("+", "*", "=", "!=", ">", ">=")  # what needs brackets inside a product
SUM, PRODUCT, WHOLE = range(3)  # how tightly a formula of matrices holds together
MISFITS = (TypeError, ValueError, AttributeError, IndexError)  # of what has other parts than a line of a table takes
Write = Callable[[Data], str]


def plain(name: Data) -> str:
    """A name as it is, or in quotes where it could be taken for more than a name."""
    return name if isinstance(name, str) and NAME.fullmatch(name) else json.dumps(name)


def data(given: Data) -> str:
    """Data as it is, with the keys of tables in order; names stand without quotes."""
    if isinstance(given, list | tuple):
        return f"[{listed(given, data)}]"
    if isinstance(given, dict):
        return f"{{{', '.join(f'{plain(key)}: {data(given[key])}' for key in sorted(given))}}}"
    return plain(given)


def listed(parts: Iterable[Data], write: Write) -> str:
    return ", ".join(map(write, parts))


def paired(table: Data, form: str, write: Write, join: str = ", ") -> str:
    """The pairs of a table, or of a list of pairs, each in one form."""
    pairs = sorted(table.items()) if isinstance(table, dict) else table
    return join.join(form.format(plain(name), write(value)) for name, value in pairs)


def _by_table(table: Mapping[str, Callable[..., str]], formula: Data, other: Callable[..., str]) -> str:
    """What the line of a table writes for the sign of a formula; `other`, where there is none or it has other parts."""
    if not isinstance(formula, list | tuple) or not formula or not isinstance(formula[0], str):
        return data(formula)
    try:
        return table[formula[0]](*formula[1:])
    except (KeyError, *MISFITS):
        return other(*formula)


# --- numbers ----------------------------------------------------------------------------------------------------------


def term(formula: Data) -> str:
    """A formula of numbers; a head that has no sign of its own is written like a function."""
    return _by_table(TERMS, formula, _function)


def _function(head: str, *parts: Data) -> str:
    return f"{plain(head)}({listed(parts, term)})" if parts else plain(head)


def added(texts: Iterable[str]) -> str:
    first, *others = texts
    return first + "".join(f" - {text[1:]}" if text.startswith("-") else f" + {text}" for text in others)


def _product(*factors: Data) -> str:
    """Factors in their order, those with negative powers behind a bar."""
    sign = "-" if list(factors[0]) == ["q", "-1"] and len(factors) > 1 else ""
    above = factors[1:] if sign else factors
    text = "1" if _power(above[0]) else ""
    for place, factor in enumerate(above):
        if power := _power(factor):
            text += f"/{in_product(factor[1] if power == '1' else ['^', factor[1], ['q', power]])}"
        else:
            text += f"{'*' if place else ''}{in_product(factor)}"
    return sign + text


def _power(factor: Data) -> str:
    """The power of a divisor, without its sign; nothing for any other factor."""
    match factor:
        case ("^", _, ("q", str() as power)) if power.startswith("-"):
            return power[1:]
    return ""


def in_product(formula: Data, base: bool = False) -> str:
    """A formula inside a product, or as a base or an exponent: in brackets where it would be read otherwise."""
    text, head = term(formula), formula[0] if isinstance(formula, list | tuple) and formula else ""
    is_loose = head in LOOSE or (base and head == "^") or (head == "q" and "/" in text) or text.startswith("-")
    return f"({text})" if is_loose else text


TERMS: dict[str, Callable[..., str]] = {
    "s": plain,
    "q": str,
    "+": lambda *parts: added(map(term, parts)),
    "*": _product,
    "^": lambda base, power: f"{in_product(base, base=True)}^{in_product(power, base=True)}",
    "D": lambda inner, by: f"d/d{plain(by)}({term(inner)})",
    "at": lambda inner, pairs: f"({term(inner)} at {paired(pairs, '{} = {}', term)})",
    **{
        sign: partial(lambda sign, left, right: f"{term(left)} {sign} {term(right)}", sign)
        for sign in ("=", "!=", ">", ">=")
    },
}


# --- matrices ---------------------------------------------------------------------------------------------------------


def words(side: Data) -> str:
    """A formula about matrices, with ' for the transpose."""
    match side:
        case {"shape": _, "formula": formula, **rest} if not rest:
            return _matrix(formula)
    return data(side)


def _matrix(formula: Data, tight: int = SUM) -> str:
    """A formula of matrices, in brackets where its parts hold together less tightly than what is around it."""
    text = _by_table(MATRICES, formula, lambda *_: data(formula))
    head = formula[0] if isinstance(formula, list | tuple) and formula else ""
    is_number = (head == "q" and text.isdigit()) or text == data(formula)
    holds = WHOLE if is_number else {"q": SUM, "+": SUM, "@": PRODUCT, "*": PRODUCT, "^": PRODUCT}.get(head, WHOLE)
    return text if holds >= tight else f"({text})"


def _joined(sign: str, tight: int, *parts: Data) -> str:
    if not parts:
        raise ValueError
    return sign.join(_matrix(part, tight) for part in parts)


def _table(pairs: Data, form: str) -> str:
    if not isinstance(pairs, list | tuple):
        return data(pairs)
    said = [form.format(data(pair[0]), _matrix(pair[1])) if len(pair) == 2 else data(pair) for pair in pairs]
    return ", ".join(said) or "nothing changes"


MATRICES: dict[str, Callable[..., str]] = {
    "L": data,
    "q": str,
    "I": lambda size: f"I({data(size)})",
    "0": lambda rows, cols: f"0({data(rows)} x {data(cols)})",
    "+": partial(_joined, " + ", PRODUCT),
    "@": partial(_joined, " ", WHOLE),
    "*": partial(_joined, " * ", WHOLE),
    "T": lambda inner: f"{_matrix(inner, WHOLE)}'",
    "^": lambda base, power: f"{_matrix(base, WHOLE)}^{data(power)}",
    "tr": lambda inner: f"tr({_matrix(inner)})",
    "norm2": lambda inner: f"norm2({_matrix(inner)})",
    "along": lambda inner, rates: f"d/dt({_matrix(inner)} while {_table(rates, 'd{}/dt = {}')})",
    "gradient": lambda inner, by: f"grad_{data(by)}({_matrix(inner)})",
    "at": lambda inner, values: f"({_matrix(inner)} at {_table(values, '{} = {}')})",
}


# --- sums -------------------------------------------------------------------------------------------------------------


def sums(side: Data) -> str:
    """A formula about sums, or a polynomial in entries: a summed index is named after its range."""
    match side:
        case {"formula": formula, **rest} if not rest:
            return _indexed(formula)
        case list() | tuple():
            return _polynomial(side)
    return data(side)


def _summed(ranges: Data, entries: Data) -> list[str]:
    names = [f"{data(of).lower()}{place}" for place, of in enumerate(ranges, 1)]
    over = [f"sum_({', '.join(f'{name} of {data(of)}' for name, of in zip(names, ranges, strict=True))})"]
    return [*over * bool(names), *(_entry(item, names) for item in entries)]


def _entry(item: Data, names: Data = ()) -> str:
    if not isinstance(item, list | tuple) or not item or not isinstance(item[0], str):
        return data(item)
    places = [names[at] if isinstance(at, int) and 0 <= at < len(names) else data(at) for at in item[1:]]
    return f"{plain(item[0])}[{', '.join(places)}]" if places else plain(item[0])


def _indexed(formula: Data) -> str:
    return _by_table(INDEXED, formula, lambda *_: data(formula))


def _rate(pair: Data) -> str:
    match pair:
        case (name, (*places,), rate):
            return f"d{_entry([name, *places])}/dt = {_indexed(rate)}"
    return data(pair)


INDEXED: dict[str, Callable[..., str]] = {
    "A": lambda name, *places: _entry([name, *places]),
    "delta": lambda *places: _entry(["delta", *places]),
    "size": lambda *places: _entry(["size", *places]),
    "q": lambda number: number if number.isdigit() else f"({number})",
    "+": lambda first, *others: f"({' + '.join(map(_indexed, (first, *others)))})",
    "*": lambda first, *others: f"({' * '.join(map(_indexed, (first, *others)))})",
    "^": lambda base, power: f"{_indexed(base)}^{data(power)}",
    "sum": lambda inner, index, of: f"sum_({data(index)} of {data(of)}) {_indexed(inner)}",
    "derivative": lambda inner, rates: f"d/dt({_indexed(inner)} while {listed(rates, _rate) or 'nothing changes'})",
    "terms": lambda *terms: f"({sums(terms)})",
}


def _polynomial(terms: Data) -> str:
    texts = []
    for item in terms:
        match item:
            case (str() as number, ranges, entries):
                body = " ".join(_summed(ranges, entries))
                texts.append({"1": "", "-1": "-"}.get(number, f"{number} ") + body if body else number)
            case _:
                texts.append(data(item))
    return added(texts) if texts else "0"

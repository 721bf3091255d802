"""Formulas as text, of numbers, of matrices and of sums: `phrases.toml` has what is written for each head.

Every part of a formula appears: one that no phrase fits is written as data.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import chain, count
from math import prod
from pathlib import Path

from derivations.recheck.core.load import Data

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*'?", re.ASCII)
CONSTANTS = ("pi", "oo")  # a symbol of such a name stands in quotes
SLOT = re.compile(r"\{(\.\.\.|)([^{}:]*):(\w+)\}")
LOOSE, PRODUCT, PREFIX, POWER, WHOLE = range(5)  # how tightly a formula holds together; slots of phrases ask for it
HOLDS = dict.fromkeys(("q", "+", "=", "!=", ">", ">=", "terms"), LOOSE) | {"*": PRODUCT, "@": PRODUCT, "^": POWER}
HOLDS |= dict.fromkeys(("sum", "D", "along", "derivative", "gradient", "at"), PREFIX)
MISFITS = (KeyError, TypeError, ValueError, AttributeError, IndexError, ZeroDivisionError)
"""Errors where something has other parts than a phrase takes."""
Write = Callable[[Data], str]
WRITERS: dict[str, Callable[..., str]] = {"text": str}


class Phrase:
    """Text with slots for parts; where their keys are numbers, it takes so many parts and no other number."""

    def __init__(self, text: str) -> None:
        self.start, *pieces = SLOT.split(text)
        self.slots = [*zip(*[iter(pieces)] * 4, strict=True)]
        self.keys = {key.rstrip("?") for _, keys, _, _ in self.slots for key in keys.split(",")}
        self.count = sum(map(str.isdigit, self.keys))

    def filled(self, parts: Mapping[str, Data], sort: str = "") -> str:
        text = self.start
        for one_by_one, keys, name, after in self.slots:
            write = partial(written, sort, tight=int(name)) if name.isdigit() else WRITERS[name]
            if one_by_one:
                text += keys.join(map(write, parts.values())) + after
            elif keys == "*":
                text += write(*parts.values()) + after
            else:
                text += write(*(parts[k] if k[-1] != "?" else parts.get(k[:-1]) for k in keys.split(","))) + after
        return text


LISTS = tomllib.loads(Path(__file__).with_name("phrases.toml").read_text(encoding="utf-8"))
TABLES: dict[str, list[str]] = LISTS.pop("tables")
PHRASES: dict[str, dict[str, Phrase]] = {
    sort: {head: Phrase(text) for head, text in phrases.items()} for sort, phrases in LISTS.items()
}


def writer(write: Callable[..., str]) -> Callable[..., str]:
    """A function that phrases name."""
    WRITERS[write.__name__] = write
    return write


def written(sort: str, formula: Data, tight: int = LOOSE) -> str:
    """A formula by the phrase of its head, in brackets where its parts hold together less tightly than what is around.

    Where no phrase fits, it is a function of numbers, or data.
    """
    if not _is_entry(formula):
        return data(formula)
    head, *parts = formula
    try:
        phrase = PHRASES[sort][head]
        if not parts or phrase.count not in (0, len(parts)):
            raise ValueError
        text = phrase.filled(dict(zip(map(str, count()), parts, strict=False)), sort)
    except MISFITS:
        return _function(*formula) if sort == "numbers" else data(formula)
    return f"({text})" if _holds(formula, text) < tight else text


def _holds(formula: Data, text: str) -> int:
    """How tightly a formula holds together that is written like this."""
    match formula:
        case _ if text.startswith("-"):
            return LOOSE
        case ("q", _) if text.isdigit():
            return WHOLE
        case ("^", _, ("q", str() as number)) if number.startswith("-"):
            return PRODUCT  # it is one over something
    return HOLDS.get(formula[0], WHOLE)


@writer
def plain(name: Data) -> str:
    """A name as it is, or in quotes where it could be taken for more than a name."""
    is_plain = isinstance(name, str) and NAME.fullmatch(name) and name not in CONSTANTS
    return name if is_plain else json.dumps(name)


@writer
def data(given: Data) -> str:
    """Data as it is, with the keys of tables in order; names stand without quotes."""
    if isinstance(given, list | tuple):
        return f"[{listed(given, data)}]"
    if isinstance(given, dict):
        return f"{{{', '.join(f'{plain(key)}: {data(given[key])}' for key in sorted(given))}}}"
    return plain(given)


def listed(parts: Iterable[Data], write: Write) -> str:
    return ", ".join(map(write, parts))


def _paired(form: str, join: str, write: str, table: Data, time: str = "") -> str:
    """The pairs of a table, or of a list of pairs, each in one form."""
    pairs = sorted(table.items()) if isinstance(table, dict) else table
    return join.join(form.format(plain(name), WRITERS[write](value), plain(time)) for name, value in pairs)


WRITERS |= {name: partial(_paired, *how) for name, how in TABLES.items()}


# --- sums and products, of numbers, of matrices and of entries --------------------------------------------------------


def added(sort: str, *parts: Data) -> str:
    return _signed(written(sort, part) for part in parts)


def _signed(texts: Iterable[str]) -> str:
    first, *others = texts
    return first + "".join(f" - {text[1:]}" if text.startswith("-") else f" + {text}" for text in others)


def product(sort: str, *parts: Data) -> str:
    """Numbers as one in front, then the factors in their order, and behind a bar what they are divided by."""
    numbers, above, below = [], list[Data](), list[Data]()
    for head, *rest in _factors(parts):
        match head, rest:
            case "q", [number]:
                numbers.append(Fraction(number))
            case "^", [("q", number), ("q", "-1")]:
                numbers.append(1 / Fraction(number))
            case "^", [base, ("q", "1")]:
                above.append(base)
            case "^", [base, ("q", str() as power)] if sort == "numbers" and power.startswith("-"):
                below.append(base if power == "-1" else ["^", base, ["q", power[1:]]])
            case _:
                above.append([head, *rest])
    number, star = prod(numbers, start=Fraction(1)), "*" if sort == "numbers" else " "
    over = [str(number.denominator)] * (number.denominator != 1) + [written(sort, factor, POWER) for factor in below]
    is_last = [place == len(above) and not over for place in range(1, len(above) + 1)]
    texts = [written(sort, factor, PREFIX if last else POWER) for factor, last in zip(above, is_last, strict=True)]
    top = star.join([str(abs(number.numerator))] * (abs(number.numerator) != 1 or not texts) + texts)
    bottom = f"/({'*'.join(over)})" if len(over) > 1 else f"/{over[0]}" if over else ""
    return "-" * (number < 0) + top + bottom


def _factors(parts: Iterable[Data]) -> Iterator[Data]:
    """The factors of a product, those of products inside among them."""
    for part in parts:
        if _is_entry(part) and part[0] in ("*", "@") and len(part) > 1:
            yield from _factors(part[1:])
        elif _is_entry(part):
            yield part
        else:
            raise ValueError


for _sort in ("numbers", "matrices", "sums"):
    WRITERS |= {f"{_sort}_added": partial(added, _sort), f"{_sort}_product": partial(product, _sort)}


# --- numbers ----------------------------------------------------------------------------------------------------------


@writer
def term(formula: Data) -> str:
    """A formula of numbers."""
    return written("numbers", formula)


def _function(head: str, *parts: Data) -> str:
    if not parts and head in CONSTANTS:
        return head
    return f"{plain(head)}({listed(parts, term)})" if parts else plain(head)


@writer
def power(base: Data, exponent: Data) -> str:
    """A power, a root, or one over a power."""
    match exponent:
        case ("q", "1/2"):
            return f"sqrt({term(base)})"
        case ("q", str() as number) if number.startswith("-"):
            return product("numbers", ["^", base, exponent])
    return f"{written('numbers', base, WHOLE)}^{written('numbers', exponent, WHOLE)}"


# --- matrices ---------------------------------------------------------------------------------------------------------


def words(side: Data) -> str:
    """A formula about matrices, with ' for the transpose."""
    return matrix(side["formula"]) if isinstance(side, dict) and side.keys() == {"shape", "formula"} else data(side)


@writer
def matrix(formula: Data) -> str:
    return written("matrices", formula)


@writer
def along(formula: Data, *rates: Data) -> str:
    """A derivative in time, with the rates of what moves unless these follow for all of an equation."""
    return f"d/dt [{matrix(formula)}{' while ' * bool(rates)}{''.join(map(matrix_rates, rates))}]"


def _table(pairs: Data, form: str) -> str:
    if not isinstance(pairs, list | tuple):
        return data(pairs)
    said = [form.format(data(pair[0]), matrix(pair[1])) if len(pair) == 2 else data(pair) for pair in pairs]
    return ", ".join(said) or "nothing changes"


@writer
def matrix_values(pairs: Data) -> str:
    return _table(pairs, "{} = {}")


@writer
def matrix_rates(pairs: Data) -> str:
    return _table(pairs, "d{}/dt = {}")


# --- sums -------------------------------------------------------------------------------------------------------------


def sums(side: Data) -> str:
    """A formula about sums, or a polynomial in entries: a summed index is named after its range."""
    if isinstance(side, dict) and side.keys() == {"formula"}:
        return indexed(side["formula"])
    return polynomial(*side) if isinstance(side, list | tuple) else data(side)


@writer
def indexed(formula: Data) -> str:
    return written("sums", formula)


@writer
def entry(*item: Data) -> str:
    name, *places = item
    if not isinstance(name, str):
        return data(item)
    return f"{plain(name)}[{listed(places, data)}]" if places else plain(name)


@writer
def sum_over(inner: Data, index: Data, of: Data) -> str:
    """A sum, or several of them as one."""
    over = [(index, of)]
    while _is_entry(inner) and inner[0] == "sum" and len(inner) == 4:
        inner, *further = inner[1:]
        over.append((further[0], further[1]))
    indices = ", ".join(f"{data(name)} of {data(where)}" for name, where in over)
    return f"sum_({indices}) {written('sums', inner, PRODUCT)}"


@writer
def entry_rates(pairs: Data) -> str:
    return listed(pairs, _rate) or "nothing changes"


def _rate(pair: Data) -> str:
    match pair:
        case (name, (*places,), rate):
            return f"d{entry(name, *places)}/dt = {indexed(rate)}"
    return data(pair)


@writer
def polynomial(*terms: Data) -> str:
    texts = [_summed(*item) if _is_summand(item) else data(item) for item in terms]
    return _signed(texts) if texts else "0"


def _is_entry(item: Data) -> bool:
    return isinstance(item, list | tuple) and bool(item) and isinstance(item[0], str)


def _is_summand(item: Data) -> bool:
    return isinstance(item, list | tuple) and len(item) == 3 and isinstance(item[0], str)


def _numbered(name: str) -> Iterator[str]:
    """The name, and others that begin with it."""
    return chain([name], (f"{name}_{number}" for number in count(1)))


def _summed(number: str, ranges: Data, entries: Data) -> str:
    """A coefficient, the indices that are summed over, and entries of arrays, in which indices have numbers."""
    names: list[str] = []
    free = {at for each in entries if _is_entry(each) for at in each[1:] if isinstance(at, str)}
    for place, of in enumerate(ranges, 1):
        names.append(next(n for n in _numbered(f"{data(of).lower()}{place}") if n not in free.union(names)))

    def named(head: Data, *places: Data) -> Data:
        shown = [names[at] if isinstance(at, int) and 0 <= at < len(names) else at for at in places]
        return [head, *shown] if head in ("delta", "size") else ["A", head, *shown]

    body: Data = ["*", *(named(*each) if _is_entry(each) else each for each in entries)] if entries else ["q", "1"]
    for name, of in zip(reversed(names), reversed(ranges), strict=True):
        body = ["sum", body, name, of]
    return product("sums", ["q", number], body)

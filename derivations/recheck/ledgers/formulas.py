"""Formulas as text, of numbers, of matrices and of sums: `phrases.toml` has what is written for each head.

Every part of a formula appears: one that no phrase fits is written as data.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, count
from pathlib import Path

from derivations.recheck.core.load import Data

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*'?", re.ASCII)
CONSTANTS = ("pi", "oo")  # a symbol of such a name stands in quotes
SLOT = re.compile(r"\{(\.\.\.|)([^{}:]*):(\w+)\}")
LOOSE, PRODUCT, WHOLE = range(3)  # how tightly a formula holds together; slots of phrases ask for it
SIGNS = dict.fromkeys(("q", "+", "=", "!=", ">", ">="), LOOSE)
HOLDS: dict[str, dict[str, int]] = {
    "numbers": SIGNS | {"*": LOOSE, "^": PRODUCT},
    "matrices": SIGNS | {"@": PRODUCT, "*": PRODUCT, "^": PRODUCT},
    "sums": {},
    "fields": {},
}
MISFITS = (KeyError, TypeError, ValueError, AttributeError, IndexError)  # of what has other parts than a phrase takes
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
    is_loose = HOLDS[sort].get(head, WHOLE) < tight and not (head == "q" and text.isdigit())
    return f"({text})" if is_loose else text


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


# --- numbers ----------------------------------------------------------------------------------------------------------


@writer
def term(formula: Data) -> str:
    """A formula of numbers."""
    return written("numbers", formula)


def _function(head: str, *parts: Data) -> str:
    if not parts and head in CONSTANTS:
        return head
    return f"{plain(head)}({listed(parts, term)})" if parts else plain(head)


def _signed(texts: Iterable[str]) -> str:
    first, *others = texts
    return first + "".join(f" - {text[1:]}" if text.startswith("-") else f" + {text}" for text in others)


@writer
def added(*parts: Data) -> str:
    return _signed(map(term, parts))


@writer
def product(*factors: Data) -> str:
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


@writer
def in_product(formula: Data) -> str:
    return written("numbers", formula, PRODUCT)


# --- matrices ---------------------------------------------------------------------------------------------------------


def words(side: Data) -> str:
    """A formula about matrices, with ' for the transpose."""
    return matrix(side["formula"]) if isinstance(side, dict) and side.keys() == {"shape", "formula"} else data(side)


@writer
def matrix(formula: Data) -> str:
    return written("matrices", formula)


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
def factor(number: Data) -> str:
    return str(number if number.isdigit() else f"({number})")


@writer
def entry(*item: Data, names: Sequence[str] = ()) -> str:
    """An entry of an array, in which summed indices are called by their numbers."""
    name, *places = item
    if not isinstance(name, str):
        return data(item)
    places = [names[at] if isinstance(at, int) and 0 <= at < len(names) else data(at) for at in places]
    return f"{plain(name)}[{', '.join(places)}]" if places else plain(name)


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
    """A coefficient, the indices that are summed over, and entries of arrays."""
    names: list[str] = []
    free = {at for each in entries if _is_entry(each) for at in each[1:] if isinstance(at, str)}
    for place, of in enumerate(ranges, 1):
        names.append(next(n for n in _numbered(f"{data(of).lower()}{place}") if n not in free.union(names)))
    over = [f"sum_({', '.join(f'{name} of {data(of)}' for name, of in zip(names, ranges, strict=True))})"]
    factors = [entry(*each, names=names) if _is_entry(each) else data(each) for each in entries]
    body = " ".join([*over * bool(names), *factors])
    return {"1": "", "-1": "-"}.get(number, f"{number} ") + body if body else number

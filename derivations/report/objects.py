"""Statements line by line, each as text and as LaTeX: scalars, matrices and sums."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from derivations.language import show
from derivations.language.sums.algebra import DELTA, SIZE
from derivations.latex.mathml.letters import CAPITALS, GREEK

NAME = re.compile(r"([A-Za-z]+?)(\d*)(?:_(\w+))?")


def lines(statement: Any) -> Iterator[tuple[str, str]]:
    """What a statement says; the second text is empty where there is no formula."""
    match statement["kind"]:
        case "words":
            yield _both(statement, show.words, _words)
        case "sums":
            yield _both(statement, show.sums, _sums)
        case "all":
            for part in statement["parts"]:
                yield from lines(part)
        case "chain":
            for part in statement["needs"].values():
                yield from lines(part)
        case "contrary":
            yield from ((f"excluded by: {text}", "") for text, _ in lines(statement["claim"]))
        case _:
            yield from show.readings(statement)


def _both(statement: Any, text: Any, latex: Any) -> tuple[str, str]:
    left, right = statement["left"], statement["right"]
    return f"{text(left)} = {text(right)}", f"{latex(left)} = {latex(right)}"


def _words(side: Any) -> str:
    terms = []
    for coefficient, scalars, word in side["terms"]:
        numbers = [rf"\left({_product(s)}\right)" if len(s) > 1 else _product(s) for s in scalars]
        terms.append((coefficient, " ".join([*numbers, _product(word)]).strip()))
    return _added(terms)


def _product(word: list[str]) -> str:
    return " ".join(map(_matrix, word))


def _matrix(letter: str) -> str:
    """A letter of a word; ' is the transpose."""
    name = letter.rstrip("'")
    stem, below = _parts(name)
    transposed = "^{T}" if len(letter) > len(name) else ""
    return rf"\mathbf{{{stem}}}{f'_{{{below}}}' if below else ''}{transposed}"


def _sums(terms: Any) -> str:
    return _added([(coefficient, _sum(ranges, factors)) for coefficient, ranges, factors in terms])


def _sum(ranges: list[str], factors: list[Any]) -> str:
    names = [f"{of.lower()}_{{{k + 1}}}" for k, of in enumerate(ranges)]
    entries = [_entry(head, [names[p] if isinstance(p, int) else str(p) for p in places]) for head, *places in factors]
    over = rf"\sum_{{{', '.join(names)}}}" if names else ""
    return " ".join([over, *entries]).strip()


def _entry(head: str, places: list[str]) -> str:
    """An entry of an array with its indices below, and the words of its name above."""
    if head == SIZE:
        return places[0]
    stem, word = (r"\delta", "") if head == DELTA else _parts(head)
    above = f"^{{{word}}}" if word and places else ""
    below = " ".join(places) if places else word
    return f"{stem}{f'_{{{below}}}' if below else ''}{above}"


def _parts(name: str) -> tuple[str, str]:
    """The LaTeX of a name's letter, and of the index after it."""
    found = NAME.fullmatch(name)
    if not found:
        return rf"\text{{{name}}}", ""
    stem, digits, index = found.groups()
    is_letter = len(stem) == 1 or stem in GREEK or stem in CAPITALS
    if not is_letter:
        return rf"\text{{{name.replace('_', ' ')}}}", ""
    head = stem if len(stem) == 1 else rf"\{stem}"
    if index == "hat":
        return rf"\hat{{{head}}}", digits
    word = (index or "").replace("_", " ")
    told = word if len(word) <= 1 else rf"\text{{{word}}}"
    return head, ",".join(filter(None, (digits, told)))


def _added(terms: list[tuple[str, str]]) -> str:
    shown = []
    for coefficient, body in terms:
        value = Fraction(coefficient)
        size = abs(value)
        number = str(size.numerator) if size.denominator == 1 else rf"\frac{{{size.numerator}}}{{{size.denominator}}}"
        sign = "-" if value < 0 else "+"
        shown.append(f"{sign}{body}" if size == 1 and body else f"{sign}{number} {body}")
    return " ".join(shown).removeprefix("+").strip() or "0"

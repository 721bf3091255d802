"""Formulas written by phrases: `phrases.toml` has the text for each head, and how tightly that holds together."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any

from derivations.language import names

Json = Any  # a certificate's data, or the same data with tuples in place of lists
Write = Callable[[Any], str]
PHRASES: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("phrases.toml").read_text(encoding="utf-8"))
SUM, FACTOR, POWER, WHOLE = 1, 2, 3, 4
MATRICES = ("T", "matrix", "kron", "pinv")
NONE = ("none",)


@dataclass(frozen=True)
class Style:
    """One way to write formulas: a section of the phrases, and how names, numbers and brackets look."""

    section: str
    name: Write = str
    number: Callable[[Fraction], str] = str
    brackets: str = "({})"
    index: str = "{}{}"  # of a summed index: its range and its number

    @cached_property
    def phrases(self) -> dict[str, tuple[int, str]]:
        return {head: (int(text[0]), text[2:]) for head, text in PHRASES[self.section].items()}

    def __call__(self, formula: Any, tight: int = 0) -> str:
        """Return a formula as text, in brackets where it holds together less tightly than is asked for."""
        if isinstance(formula, Mapping):
            formula = formula["formula"] if "formula" in formula else of_words(formula["terms"])
        if not isinstance(formula, tuple | list):
            return str(formula)
        if not formula or not isinstance(formula[0], str):
            return f"[{', '.join(map(self, formula))}]"
        head, *parts = self.shaped(formula)
        level, phrase = self.phrases.get(head) or self.phrases["function"]
        text = phrase.format(*(Slot(self, part) for part in parts), all=Slot(self, parts), head=head)
        level = WHOLE if head == "q" and text.isdigit() else min(level, SUM) if text.startswith("-") else level
        return text if level >= tight else self.brackets.format(text)

    def shaped(self, formula: Any) -> Any:
        """Return a formula with the head of the phrase that fits: some have one of their own for special parts."""
        match formula:
            case ("^", base, ("q", "1/2")) if "root" in self.phrases:
                return "root", base
            case ("^", _, ("q", str() as power)) if power.startswith("-") and "reciprocal" in self.phrases:
                return "reciprocal", inverted(formula)
            case ("D" | "dt", ("s", name), by) if "rate" in self.phrases:
                return "rate", name, by
            case ("sum" | "prod", body, *bounds) if "over" in self.phrases and all(b[0] == "index" for b in bounds):
                return "over", formula[0], body, bounds
            case ("call", name, *arguments):
                return "call", name, arguments
            case ("along", of, rates) if rates:
                return "along flow", of, rates
            case ("sum", inner, name, _):
                names = [name]
                while inner[0] == "sum":
                    inner, names = inner[1], [*names, inner[2]]
                return "sum", inner, names
            case ("derivative", of, rates):
                return "derivative", of, [(("A", array, *at), rate) for array, at, rate in rates]
            case ("terms", *terms):
                return of_sums(terms, self.index)
        return formula


class Slot:
    """A part in the place that a phrase gives it, which says as what it is shown; a table has all parts."""

    def __init__(self, write: Style, part: Any, table: Any = None) -> None:
        self.write, self.part, self.table = write, part, table

    def __format__(self, kind: str) -> str:
        if not kind or kind.isdigit():
            return self.write(self.part, int(kind or 0))
        writer, *more = kind.split(",", 2)
        return WRITERS[writer](self, *more)


def filled(phrase: str, table: Mapping[str, Any], write: Style) -> str:
    """A phrase with the parts of a table in its slots."""
    return phrase.format(**{key: Slot(write, part, table) for key, part in table.items()})


def writer(write: Callable[..., str]) -> Callable[..., str]:
    """A function that phrases name."""
    WRITERS[write.__name__] = write
    return write


WRITERS: dict[str, Callable[..., str]] = {
    "name": lambda slot: slot.write.name(slot.part),
    "number": lambda slot: slot.write.number(Fraction(slot.part)),
}


@writer
def join(slot: Slot, tight: str, sign: str) -> str:
    texts = (slot.write(part, int(tight)) for part in slot.part)
    return sign.join(texts).replace("+ -", "- ").replace("+-", "-")


@writer
def each(slot: Slot, head: str) -> str:
    """Rows of a table, each as a formula with this head."""
    rows = slot.part.items() if isinstance(slot.part, Mapping) else slot.part
    return ", ".join(slot.write((head, *row)) for row in rows)


@writer
def after(slot: Slot, sign: str) -> str:
    """A part after a sign; nothing where it is none."""
    return "" if tuple(slot.part) == NONE else sign + slot.write(slot.part)


@writer
def chain(slot: Slot) -> str:
    """Members of a chain with the relations between them."""
    text = slot.write(slot.part[0], SUM)
    for relation, member in zip(slot.part[1::2], slot.part[2::2], strict=True):
        text = slot.write((relation, text, member))
    return text


@writer
def entry(slot: Slot) -> str:
    head, *at = slot.part
    return f"{head}[{', '.join(at)}]" if at else str(head)


@writer
def entry_below(slot: Slot) -> str:
    """An entry of an array in LaTeX, with its indices below, and the words of its name above."""
    (letter, word), at = names.latex_parts(slot.part[0]), " ".join(slot.part[1:])
    below = f"_{{{at or word}}}" if at or word else ""
    return letter + below + (f"^{{{word}}}" if word and at else "")


# --- products ---------------------------------------------------------------------------------------------------------


@writer
def product(slot: Slot, last: str, order: str = "") -> str:
    """The numbers that come first as one, then the other factors; the last one may hold together less tightly."""
    factors = sorted(slot.part, key=lambda f: bool(order) and f[0] != "q")
    count = next((k for k, f in enumerate(factors) if f[0] != "q"), len(factors))
    number, others = prod((Fraction(f[1]) for f in factors[:count]), start=Fraction(1)), factors[count:]
    texts = [slot.write(f, POWER if place < len(others) else int(last)) for place, f in enumerate(others, 1)]
    first = [slot.write.number(abs(number))] if abs(number) != 1 or not texts else []
    return "-" * (number < 0) + " ".join([*first, *texts])


@writer
def divided(slot: Slot) -> str:
    """Factors with a star between them, and divisors behind a slash; matrices keep their order."""
    style, factors = slot.write, slot.part
    sign = "-" if factors[0][0] == "q" and factors[0][1].startswith("-") and len(factors) > 1 else ""
    if sign:
        size = factors[0][1].removeprefix("-")
        factors = [("q", size)] * (size != "1") + factors[1:]
    above, below = parted(factors)
    texts = [style(f, FACTOR) for f in above]
    if above and above[0][0] == "*" and not sign:
        texts[0] = style(above[0])  # a product goes on by itself
    return sign + ("*".join(texts) or "1") + "".join(f"/{style(f, FACTOR)}" for f in below)


@writer
def fraction(slot: Slot) -> str:
    """Numbers first, in one fraction with what is divided by; a lone sum above or below the bar needs no brackets."""
    number = prod((Fraction(f[1]) for f in slot.part if f[0] == "q"), start=Fraction(1))
    others = [f for f in slot.part if f[0] != "q"]
    style, sizes = slot.write, (abs(number.numerator), number.denominator)
    above, below = ([("q", str(n))] * (n != 1) + part for n, part in zip(sizes, parted(others), strict=True))

    def joined(part: Json) -> str:
        texts = [style(f, FACTOR) for f in part]
        dotted = "".join(rf" \cdot {text}" if text[0].isdigit() else f" {text}" for text in texts)
        return dotted.removeprefix(r" \cdot").strip() or "1"

    bar = [style(part[0]) if len(part) == 1 else joined(part) for part in (above, below)]
    return "-" * (number < 0) + (rf"\frac{{{bar[0]}}}{{{bar[1]}}}" if below else joined(above))


def parted(factors: Json) -> tuple[list[Any], list[Any]]:
    """Return what stands above the bar of a fraction, and what stands below; matrices keep their order."""
    if any(map(holds_matrices, factors)):
        return factors, []
    is_below = [f[0] == "^" and f[2][0] == "q" and f[2][1].startswith("-") for f in factors]
    pairs = list(zip(factors, is_below, strict=True))
    return [f for f, below in pairs if not below], [inverted(f) for f, below in pairs if below]


def inverted(term: Any) -> Any:
    power = -Fraction(term[2][1])
    return term[1] if power == 1 else ("^", term[1], ("q", str(power)))


def holds_matrices(tree: Any) -> bool:
    return isinstance(tree, tuple | list) and bool(tree) and (tree[0] in MATRICES or any(map(holds_matrices, tree)))


# --- polynomials in normal form ---------------------------------------------------------------------------------------


def of_words(terms: Json) -> Any:
    """A polynomial in words as a formula."""
    return added([[coefficient, *map(_scalar, scalars), *map(_letter, word)] for coefficient, scalars, word in terms])


def _scalar(scalar: Json) -> Any:
    """A 1x1 word, a trace or the size of a dimension."""
    first, *others = scalar
    if first.endswith("("):  # the marks of traces and dimensions
        return (first[:-1], others[0] if first == "dim(" else ("*", *map(_letter, others)))
    return ("*", *map(_letter, scalar)) if others else _letter(first)


def _letter(factor: str) -> Any:
    return ("T", ("L", factor[:-1])) if factor.endswith("'") else ("L", factor)


def of_sums(terms: Json, index: str) -> Any:
    """A polynomial with sums as a formula; a summed index is named after its range."""
    return added([[coefficient, *_summed(ranges, factors, index)] for coefficient, ranges, factors in terms])


def _summed(ranges: Json, factors: Json, index: str) -> list[Any]:
    names = [index.format(of.lower(), k) for k, of in enumerate(ranges, 1)]
    named = [(head, *(names[p] if isinstance(p, int) else p for p in places)) for head, *places in factors]
    entries: list[Any] = [factor if factor[0] in ("delta", "size") else ("A", *factor) for factor in named]
    body: Any = ("*", *entries)
    for name in reversed(names):
        body = ("sum", body, name, "")
    return [body] if names else entries


def added(terms: list[list[Any]]) -> Any:
    """A sum of products, each of which begins with its coefficient."""
    products = [("*", ("q", c), *factors) for c, *factors in terms]
    return ("+", *products) if len(products) > 1 else products[0] if products else ("q", "0")


# --- the styles -------------------------------------------------------------------------------------------------------


def _number_in_latex(value: Fraction) -> str:
    sign, size = "-" * (value < 0), abs(value)
    return sign + (str(size) if size.denominator == 1 else rf"\frac{{{size.numerator}}}{{{size.denominator}}}")


def _bold(letter: str) -> str:
    head, below = names.latex_parts(letter)
    return rf"\mathbf{{{head}}}{f'_{{{below}}}' if below else ''}"


BRACKETS = r"\left({}\right)"
TEXT, LATEX = Style("text"), Style("latex", names.latex, _number_in_latex, BRACKETS)
WORDS, WORDS_LATEX = Style("words"), Style("words_latex", _bold, _number_in_latex, BRACKETS)
SUMS = Style("sums")
SUMS_LATEX = Style("sums_latex", str, _number_in_latex, BRACKETS, "{}_{{{}}}")

"""Words in matrices as data of a program: blocks, inverses and exponentials."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from derivations.kernels.lowering.operations import added, multiple
from derivations.kernels.program import Operation, Statement, Value
from derivations.language.words import Words
from derivations.language.words.algebra import PRIME, name_of, order
from derivations.language.words.blocks import Blocks


def typed(name: str, rows: object, columns: object, assumptions: Sequence[str] = ()) -> Value:
    """A matrix of these dimensions; one of shape 1 x 1 is a number."""
    axes = (str(rows), str(columns))
    is_number = axes == ("1", "1")
    return Value(name, "number" if is_number else "matrix", () if is_number else axes, tuple(assumptions))


def statement(names: Sequence[str], target: Blocks, value: Blocks, kind: str, *time: Words) -> Statement:
    """A matrix cut into named blocks; a number is an ordinary assignment."""
    heights, widths = tuple(map(str, target.heights)), tuple(map(str, target.widths))
    if kind == "blocks" and (heights, widths) == (("1",), ("1",)):
        return ("=", names[0], ((None, number(value.only)),))
    return ("matrix", tuple(names), heights, widths, value_of(value, kind, *time))


def value_of(blocks: Blocks, kind: str, *time: Words) -> tuple[Any, ...]:
    rows = tuple(tuple(words_of(words) for words in row) for row in blocks.rows)
    return (kind, rows, *map(number, time))


def words_of(words: Words) -> tuple[Any, ...]:
    """Positive terms first, so that a line rarely starts with a minus sign."""
    rows, columns = map(str, words.shape)
    terms = sorted(words.terms.items(), key=lambda term: (term[1] < 0, order(term[0])))
    return (
        rows,
        columns,
        tuple(
            (str(coefficient), tuple(scalar[0] for scalar in scalars), tuple(map(_factor, outer)))
            for (scalars, outer), coefficient in terms
        ),
    )


def _factor(factor: str) -> str:
    return name_of(factor) + "'" * factor.endswith(PRIME)


def number(words: Words) -> Operation:
    """Words of shape 1 x 1 as an operation on numbers."""
    _, _, terms = words_of(words)
    named = [(Fraction(c), (*numbers, *(f.removesuffix("'") for f in factors))) for c, numbers, factors in terms]
    return added([multiple(c, [("s", name) for name in names]) for c, names in named])

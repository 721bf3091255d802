"""Steps in words as statements of a program: blocks of matrices, inverses and exponentials."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from derivations.kernels.matrix_kernel import MatrixKernel, Primitive
from derivations.kernels.program import Operation, Program, Statement, Value
from derivations.language.words import Letter, Words
from derivations.language.words.algebra import PRIME, name_of, order
from derivations.language.words.blocks import Blocks


def lowered_matrices(kernel: MatrixKernel) -> Program:
    """The program of a kernel of matrices; a return is a matrix of its own, put together from blocks."""
    body = [statement([x.name for x in step.letters], step.target, step.value) for step in kernel.steps]
    body += [
        statement([name], Blocks([[value.only]]) if _single(value) else value, value)
        for name, value in kernel.returns.items()
    ]
    returns = tuple(
        Value(name, *_type(" + ".join(map(str, value.heights)), " + ".join(map(str, value.widths))))
        for name, value in kernel.returns.items()
    )
    return Program(tuple(input_of(letter) for letter in kernel.inputs), tuple(body), returns, {})


def input_of(letter: Letter) -> Value:
    return Value(letter.name, *_type(*map(str, letter.shape)))


def _type(rows: str, columns: str) -> tuple[str, tuple[str, ...]]:
    return ("number", ()) if (rows, columns) == ("1", "1") else ("matrix", (rows, columns))


def _single(value: Blocks) -> bool:
    return len(list(value)) == 1


def statement(names: list[str], target: Blocks, value: Blocks | Primitive) -> Statement:
    """A matrix cut into named blocks; a number is an ordinary assignment."""
    heights, widths = tuple(map(str, target.heights)), tuple(map(str, target.widths))
    if isinstance(value, Blocks) and (heights, widths) == (("1",), ("1",)):
        return ("=", names[0], ((None, number(value.only)),))
    return ("matrix", tuple(names), heights, widths, value_of(value))


def value_of(value: Blocks | Primitive) -> tuple[Any, ...]:
    if isinstance(value, Blocks):
        return ("blocks", rows_of(value))
    time = () if value.time is None else (number(value.time),)
    return (value.name, rows_of(value.of), *time)


def rows_of(blocks: Blocks) -> tuple[tuple[Any, ...], ...]:
    return tuple(tuple(words_of(words) for words in row) for row in blocks.rows)


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
    parts = [_term(Fraction(c), (*numbers, *(f.removesuffix("'") for f in factors))) for c, numbers, factors in terms]
    return ("+", *parts) if len(parts) > 1 else parts[0] if parts else ("q", "0")


def _term(coefficient: Fraction, names: tuple[str, ...]) -> Operation:
    if not names:
        return ("q", str(coefficient))
    symbols = tuple(("s", name) for name in names)
    return symbols[0] if coefficient == 1 and len(names) == 1 else ("*", str(coefficient), symbols, ())

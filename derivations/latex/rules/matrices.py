"""Matrix notation, read as words: block matrices, and letters declared as inverses, exponentials and the like."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from operator import matmul
from typing import Any

from derivations.language.words import Letter, Words, along, trace, zero
from derivations.language.words.algebra import Dimension
from derivations.language.words.blocks import Blocks
from derivations.latex.fold import NotThisKind

Table = Sequence[tuple[Words, Words]]


def block_matrix(rows: Sequence[Sequence[Words | Fraction]]) -> Blocks:
    """The rule for a printed rectangle of words; a printed 0 is as high as its row and as wide as its column.

    Refuses other numbers, and rows or columns of numbers alone (`NotThisKind`).

    >>> from derivations.language.words import Letter
    >>> block_matrix([[Letter("A", "n", "m"), Fraction(0)], [Fraction(0), Letter("S", "k", "k")]]).widths
    ('m', 'k')
    """
    heights = [_size(row, 0) for row in rows]
    widths = [_size(column, 1) for column in zip(*rows, strict=True)]
    return Blocks(
        [
            [_block(block, height, width) for block, width in zip(row, widths, strict=True)]
            for row, height in zip(rows, heights, strict=True)
        ]
    )


def _size(blocks: Sequence[Words | Fraction], side: int) -> Dimension:
    sizes = [block.shape[side] for block in blocks if isinstance(block, Words)]
    if not sizes:
        raise NotThisKind("a row or a column of a block matrix holds numbers alone, so its size is not known")
    return sizes[0]


def _block(block: Words | Fraction, height: Dimension, width: Dimension) -> Words:
    if isinstance(block, Words):
        return block
    if block:
        raise NotThisKind(f"the block {block} of a matrix is a number: only 0 stands for a matrix, the zero matrix")
    return zero(height, width)


def declared(kind: str, table: Table) -> Callable[[Words], Words]:
    """The rule that knows the inverse (or another kind) of certain words, and of their transposes, by a letter.

    kind: what the letters are, for the message. table: pairs of words and letters. Other words are refused
    (`NotThisKind`).

    >>> from derivations.language.words import Letter
    >>> A, K = Letter("A", "n", "n"), Letter("K", "n", "n")
    >>> declared("inverse", [(A, K)])(A.T)
    K'
    """

    def rule(words: Words) -> Words:
        for known, letter in table:
            if words == known:
                return letter
            if words == known.T:
                return letter.T
        raise NotThisKind(f"no letter is declared for the {kind} of {words!r}")

    return rule


def exponentials(table: Table) -> Callable[[Words], Words]:
    """The rule for exp: the exponential of k times a known exponent is the k-th power of its letter, k = 1, 2, ...

    table: pairs of an exponent and its letter. Other exponents are refused (`NotThisKind`).

    >>> from derivations.language.words import Letter
    >>> S, E = Letter("S", "n", "n"), Letter("E", "n", "n")
    >>> exponentials([(S, E)])(2 * S)
    E E
    """

    def rule(exponent: Words) -> Words:
        for known, letter in table:
            k = _multiple(exponent, known)
            if k is not None and k >= 1 and k.denominator == 1:
                return letter ** int(k)
        raise NotThisKind(f"no letter is declared for the exponential of {exponent!r}")

    return rule


def _multiple(words: Words, of: Words) -> Fraction | None:
    """The k with words = k of, if there is one."""
    some, coefficient = next(iter(of.terms.items()))
    ratio = words.terms.get(some, Fraction(0)) / coefficient
    return ratio if words == ratio * of else None


def along_flow(flow: Mapping[Letter, Words]) -> Callable[[Words, str], Words]:
    """The rule for d/dt along a flow; derivatives by others than t are refused (`NotThisKind`)."""

    def rule(of: Words, by: str) -> Words:
        if by != "t":
            raise NotThisKind(f"the flow says how letters move in t, and not in {by}")
        return along(of, flow)

    return rule


def sums_of_columns(columns: Mapping[Letter, Letter], over: tuple[str, Any, Any]) -> Callable[..., Words]:
    """The rule for sums, over all columns, of something in which every term holds two of these letters for columns.

    columns: the matrix in which each stands. over: the printed index with its limits. A product x y' sums to X Y', and
    a number x' M y to tr(X'M Y); other sums are refused (`NotThisKind`).

    >>> from derivations.language.words import letters
    >>> x, y, X, Y = letters("x: n, y: m, X: n x P, Y: m x P")
    >>> sums_of_columns({x: X, y: Y}, ("k", 1, "P"))(x @ y.T)
    X Y'
    """
    matrices: dict[str, Words] = {letter.name: whole for letter, whole in columns.items()}
    matrices |= {f"{name}'": whole.T for name, whole in matrices.items()}

    def column(factor: str, body: Words) -> Words:
        if factor in matrices:
            return matrices[factor]
        letter = body.letters[factor.removesuffix("'")]
        return letter.T if factor.endswith("'") else letter

    def rule(body: Words, index: tuple[str, Any, Any] = over) -> Words:
        if index != over:
            raise NotThisKind(f"only sums over all columns are known, not one over {index}")
        summed = zero(*body.shape)
        for (scalars, outer), coefficient in body.terms.items():
            words = [*scalars, *[outer] * bool(outer)]
            if len(words) != 1 or sum(factor in matrices for factor in words[0]) != 2:
                raise NotThisKind(f"({body!r}) is not of second degree in what is summed, so its sum is not known")
            product = reduce(matmul, (column(factor, body) for factor in words[0]))
            summed = summed + coefficient * (product if outer else trace(product))
        return summed

    return rule


def acts_on(stacked: Words) -> Callable[[Words, Words], Words]:
    """The rule for the Kronecker product A (x) B: applied to the stacked rows of E it gives the rows of A E B'.

    >>> from derivations.language.words import Letter
    >>> A, B, E = Letter("A", "n", "n"), Letter("B", "m", "m"), Letter("E", "n", "m")
    >>> acts_on(E)(A, B)
    A E B'
    """
    return lambda left, right: left @ stacked @ right.T

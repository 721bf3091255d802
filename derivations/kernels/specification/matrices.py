"""Matrices of any size: steps in words, inverses and exponentials.

Kernel(
    "decay",
    says="A vector after a time t of linear decay.",
    inputs=[x, K, t],
    steps=[(E, exponential(-K * t))],
    returns={"x_t": E @ x},
    rests_on=["linear_decay"],
)

A step defines a letter, or a block matrix of letters, by words in the inputs and in the letters defined before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from derivations.kernels.lowering.words import statement, typed, value_of
from derivations.kernels.program import Line, Program, Value
from derivations.kernels.specification.names import KernelError, check_names
from derivations.language.words import Letter, Words, as_json
from derivations.language.words.algebra import by, name_of
from derivations.language.words.blocks import Blocks
from derivations.text.doors import shown

Matrix = Words | Blocks

ASSERTED = ("orthonormal_columns", "positive", "nonzero", "commutes_with")  # what no step can be seen to satisfy
SAID = {
    "diagonal": "is diagonal",
    "symmetric": "is symmetric",
    "orthonormal_columns": "has orthonormal columns",
    "positive": "> 0",
    "nonzero": "!= 0",
}


DRAWN = ("symmetric", "diagonal", "orthonormal_columns", "positive", "nonzero")
"""The entries of random matrices at which programs are tested."""


@dataclass(frozen=True)
class Primitive:
    """A matrix made from a square one by one of the programs that are known by name."""

    name: str
    of: Blocks
    time: Letter | None = None


def inverse(matrix: Matrix) -> Primitive:
    return Primitive("inverse", as_blocks(matrix))


def exponential(matrix: Matrix) -> Primitive:
    """e^A of a symmetric matrix, for which there are accurate programs."""
    return Primitive("exponential", as_blocks(matrix))


def exponential_integral(matrix: Matrix, time: Letter) -> Primitive:
    """The integral of e^(A s) over s from 0 to the time, for a symmetric matrix."""
    return Primitive("exponential_integral", as_blocks(matrix), time)


@dataclass(frozen=True)
class Step:
    """Letters in blocks, and the matrix or primitive that they are cut from."""

    target: Blocks
    value: Blocks | Primitive

    @property
    def letters(self) -> list[Letter]:
        return [block for block in self.target if isinstance(block, Letter)]

    @property
    def words(self) -> list[Words]:
        """The words that the step computes with."""
        if isinstance(self.value, Blocks):
            return list(self.value)
        return [*self.value.of, *([self.value.time] if self.value.time is not None else [])]


@dataclass(frozen=True)
class Matrices:
    """Matrices computed step by step from ordered letters."""

    name: str
    letters: tuple[Letter, ...]
    steps: tuple[Step, ...]
    returns: Mapping[str, Blocks] = field(hash=False)
    stated: str
    kind = "of matrices of any size"
    called: tuple[Any, ...] = ()
    relations: tuple[Any, ...] = ()
    domain_terms: tuple[Any, ...] = ()

    @classmethod
    def of(
        cls,
        name: str,
        letters: Sequence[Letter],
        steps: Iterable[tuple[Matrix, Matrix | Primitive]],
        returns: Mapping[str, Matrix],
        stated: str,
    ) -> Matrices:
        pairs: tuple[Any, ...] = tuple(steps)
        if strange := [pair for pair in pairs if not (isinstance(pair, tuple | list) and len(pair) == 2)]:
            raise KernelError(f"a step of the kernel {name} is a matrix and what it is, not {shown(strange[0])}")
        made = tuple(Step(as_blocks(t), v if isinstance(v, Primitive) else as_blocks(v)) for t, v in pairs)
        content = cls(name, tuple(letters), made, {key: as_blocks(value) for key, value in returns.items()}, stated)
        content.check()
        return content

    # --- what emission reads ------------------------------------------------------------------------------------------

    @property
    def inputs(self) -> tuple[Value, ...]:
        return tuple(
            typed(letter.name, letter.rows, letter.cols, [key for key in DRAWN if getattr(letter, key)])
            for letter in self.letters
        )

    @property
    def results(self) -> tuple[Value, ...]:
        return tuple(
            typed(name, " + ".join(map(str, value.heights)), " + ".join(map(str, value.widths)))
            for name, value in self.returns.items()
        )

    @cached_property
    def program(self) -> Program:
        """Steps and returns; a return is a matrix of its own, put together from blocks."""
        body = [statement([x.name for x in step.letters], step.target, *_value(step.value)) for step in self.steps]
        body += [statement([name], value, *_value(value)) for name, value in self.returns.items()]
        return Program(self.inputs, tuple(body), self.results, {})

    @property
    def formulas(self) -> Program:
        return self.program

    @property
    def equations(self) -> list[Line]:
        shown = [(value_of(step.target, "blocks"), value_of(*_value(step.value))) for step in self.steps]
        shown += [(("s", name), value_of(value, "blocks")) for name, value in self.returns.items()]
        return [Line(head, ((None, value),)) for head, value in shown]

    @property
    def dimensions(self) -> list[str]:
        """The names of the inputs' dimensions, in the order in which they appear."""
        return list(dict.fromkeys(d for letter in self.letters for d in letter.shape if isinstance(d, str)))

    @property
    def declared(self) -> tuple[tuple[str, str], ...]:
        """The declarations of the inputs."""
        return tuple(
            (letter.name, SAID[key])
            for letter in self.letters
            for key in letter.declared()
            if key in SAID and not (key == "symmetric" and letter.diagonal) and not _obvious(key, letter)
        )

    @property
    def normal_form(self) -> dict[str, Any]:
        """The steps as JSON data; words are in the normal form of their algebra."""
        return {
            "inputs": [[letter.name, letter.declared()] for letter in self.letters],
            "steps": [[_serial(step.target), _serial(step.value)] for step in self.steps],
            "returns": [[name, _serial(value)] for name, value in self.returns.items()],
            "domain": self.stated,
        }

    # --- checks -------------------------------------------------------------------------------------------------------

    def check(self) -> None:
        if not (self.letters and self.returns):
            raise KernelError(f"the kernel {self.name} needs at least one input and one matrix that it returns")
        known = {letter.name: letter for letter in self.letters}
        for step in self.steps:
            self._check_step(step)
            for words in step.words:
                self._check_words(step.letters[0].name, words, known)
            known |= {letter.name: letter for letter in step.letters}
        for name, value in self.returns.items():
            for words in value:
                self._check_words(name, words, known)
        letters = [letter.name for part in (self.letters, *(step.letters for step in self.steps)) for letter in part]
        check_names(self.name, [*letters, *self.returns, *self.dimensions], "inputs, dimensions, steps and returns")

    def _check_words(self, name: str, words: Words, known: Mapping[str, Letter]) -> None:
        where = f"the formula of {name} in the kernel {self.name}"
        for letter in words.letters.values():
            if letter.name not in known:
                raise KernelError(
                    f"{where} uses {letter.name}, which is no input and not yet defined (known: {', '.join(known)})"
                )
            if letter.declared() != known[letter.name].declared():
                raise KernelError(f"{where} uses another letter {letter.name} than the one declared")
        for dimension in words.shape:
            if dimension != 1 and dimension not in self.dimensions:
                raise KernelError(f"{where} has the dimension {dimension}, which no input has")
        for scalars, _ in words.terms:
            for scalar in scalars:
                if len(scalar) > 1 or name_of(scalar[0]) not in known:
                    raise KernelError(f"{where} holds an inner product or a trace, for which there is no program here")

    def _check_step(self, step: Step) -> None:
        if len(step.letters) < len(list(step.target)):
            raise KernelError(f"{step.target!r} in the kernel {self.name} is no letter and no block matrix of letters")
        value = step.value.of if isinstance(step.value, Primitive) else step.value
        names = ", ".join(letter.name for letter in step.letters)
        if (step.target.heights, step.target.widths) != (value.heights, value.widths):
            raise KernelError(
                f"{names} in the kernel {self.name} has the shape {_shape(step.target)}, "
                f"but what defines it has {_shape(value)}"
            )
        if isinstance(step.value, Primitive):
            self._check_primitive(step.value, names)
        for i, row in enumerate(step.target.rows):
            for j, letter in enumerate(row):
                assert isinstance(letter, Letter)
                self._check_declaration(letter, step.value, value.rows[i][j], on_diagonal=i == j)

    def _check_primitive(self, value: Primitive, names: str) -> None:
        where = f"the {value.name} that defines {names} in the kernel {self.name}"
        if value.of.heights != value.of.widths:
            raise KernelError(f"{where} is of a matrix that is not square, or whose blocks are not")
        if 1 in value.of.heights:
            raise KernelError(
                f"{where} is of a number or has a block of one row: only larger matrices have programs here"
            )
        if value.name != "inverse" and value.of != value.of.T:
            raise KernelError(f"{where} is of a matrix that does not equal its transpose, as it stands")
        if value.time is not None and value.time.shape != (1, 1):
            raise KernelError(f"{where} ends at {value.time.name}, which is {by(value.time.shape)} and no number")

    def _check_declaration(self, letter: Letter, value: Blocks | Primitive, block: Words, on_diagonal: bool) -> None:
        """Check that a letter's declaration follows from its definition, since proofs rest on the declaration."""
        words = isinstance(value, Blocks)
        alone = isinstance(value, Primitive) and len(value.of.heights) == 1
        inverted = isinstance(value, Primitive) and value.name == "inverse"
        agrees = {
            "equals": letter.equals is None or (words and letter.equals == block),
            "inverse_of": letter.inverse_of is None or (inverted and value == inverse(letter.inverse_of)),
            "symmetric": not letter.symmetric or ((words or on_diagonal) and block == block.T),
            "diagonal": not letter.diagonal or ((words or alone) and is_diagonal(block)),
        }
        agrees |= {key: not getattr(letter, key) or _inherited(key, letter) for key in ASSERTED}
        for key, holds in agrees.items():
            if not holds:
                raise KernelError(
                    f"{letter.name} in the kernel {self.name} is declared {key}, which its step does not show"
                )


def as_blocks(matrix: Matrix) -> Blocks:
    if not isinstance(matrix, Blocks | Words):
        raise KernelError(f"a matrix of a kernel is made of letters, and {shown(matrix)} is not: give Words or Blocks")
    return matrix if isinstance(matrix, Blocks) else Blocks([[matrix]])


def is_diagonal(words: Words) -> bool:
    """Return whether every term is a product of diagonal letters."""
    return words.shape[0] == words.shape[1] and all(
        words.letters[name_of(factor)].diagonal for _, outer in words.terms for factor in outer
    )


def _inherited(key: str, letter: Letter) -> bool:
    """An inverse of a positive number is declared positive with it."""
    return key == "positive" and isinstance(letter.inverse_of, Letter) and letter.inverse_of.positive


def _obvious(key: str, letter: Letter) -> bool:
    return key == "symmetric" and letter.shape == (1, 1)


def _shape(blocks: Blocks) -> str:
    return f"{'+'.join(map(str, blocks.heights))} x {'+'.join(map(str, blocks.widths))}"


def _serial(value: Blocks | Primitive) -> Any:
    if isinstance(value, Primitive):
        return [value.name, _serial(value.of), *([value.time.name] if value.time is not None else [])]
    return [[as_json(block) for block in row] for row in value.rows]


def _value(value: Blocks | Primitive) -> tuple[Any, ...]:
    """The blocks, the name of what is done with them, and the end of an integral."""
    if isinstance(value, Blocks):
        return value, "blocks"
    if value.name == "exponential" and len(list(value.of)) == 1 and is_diagonal(value.of.only):
        return value.of, "diagonal_exponential"
    return (value.of, value.name) if value.time is None else (value.of, value.name, value.time)

"""Kernels of matrices against solutions of matrix flows: steps put back, exponentials for the letters that move so.

A solution speaks of letters for matrices of any size, which a kernel may cut into blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, reduce
from itertools import chain
from operator import add, matmul
from typing import Any

from derivations import prove
from derivations.kernels.specification.matrices import Matrices, Primitive, as_blocks, is_diagonal
from derivations.language.words import Letter, Words, along, as_written, identity, number, substitute, zero
from derivations.language.words.blocks import Blocks, block_diagonal, paired
from derivations.language.words.formulas import Reader
from derivations.prove.certificate import Certificate
from derivations.recheck.ledgers.givens import asserted
from derivations.text import DerivationError

SHAPE, LINKS = {"rows", "cols"}, {"inverse_of", "equals"}


@dataclass(frozen=True)
class EqualWords:
    """Matrices that a kernel returns, and the solution of a flow that a claim states.

    claim: whose certificate states the solution. returns: of each matrix, the name of a variable of the flow, or rows
    of them. time: the kernel's. exponents: of letters of the solution that are the exponential of a matrix times the
    time, or the integral of one, that matrix. letters: what a letter of the solution is in the kernel's inputs and
    steps; it is the letter of its own name otherwise.
    """

    claim: Any
    returns: Mapping[str, Any]
    time: Letter
    exponents: Mapping[str, Words] = field(default_factory=dict)
    letters: Mapping[str, Words | Blocks] = field(default_factory=dict)
    holds: Mapping[Any, bool] = field(default_factory=dict)

    @property
    def formulas(self) -> Mapping[str, Any]:
        return self.returns

    def about(self, kernel: Any) -> dict[str, Any]:
        """The lines of the program that are inverses, exponentials and integrals of these, without their arguments."""
        lines = [(value[0], *line, *value[2:]) for _, *line, value in kernel.program.body if value[0] != "blocks"]
        return {"functions": lines}

    def decided(self, kernel: Any) -> Iterator[Certificate]:
        """Every return is the solution, and every letter in that is what the kernel takes or computes for it."""
        if not isinstance(kernel.content, Matrices):
            raise DerivationError(f"{kernel.name} is no kernel of matrices: give it another kind of equality")
        one = _Case(kernel.content, self)
        for name, variables in self.returns.items():
            yield prove.words(one.put_back(kernel.content.returns[name]), one.wanted(variables))
        further = list(one.shown())
        yield from chain(
            *(one.arguments[name] for step in kernel.content.steps if (name := step.letters[0].name) in one.arguments)
        )
        yield from further


class _Case:
    """A solution in the letters of a kernel, and what has to be shown of these letters."""

    def __init__(self, content: Matrices, case: EqualWords) -> None:
        self.content, self.case = content, case
        every = [c for c in asserted(case.claim().statement) if c.get("form") == "only solution"]
        if len(every) != 1:
            raise DerivationError(f"{case.claim.id} states {len(every)} solutions: name a claim that states one")
        self.solution = every[0]
        self.declared: dict[str, Any] = self.solution["letters"]
        self.reader = Reader(self.declared)
        self.motion = {name: self.reader.side(side) for name, side in self.solution["motion"].items()}
        self.begin = {name: self.reader.side(side) for name, side in self.solution["begin"].items()}
        self.read: dict[str, Blocks] = {}
        self.arguments: dict[str, list[Certificate]] = {}  # by the first letter that a step makes

    # --- the solution in the kernel's letters -------------------------------------------------------------------------

    def wanted(self, variables: str | Sequence[Sequence[str]]) -> Blocks:
        """The solution for a variable, or for variables in rows."""
        rows = [[variables]] if isinstance(variables, str) else variables
        stated = self.solution["solution"]
        strange = {name for row in rows for name in row} - set(stated)
        if strange:
            raise DerivationError(f"{self.case.claim.id} states no solution for {', '.join(sorted(strange))}")
        parts = [[self.translated(stated[name]["formula"]) for name in row] for row in rows]
        return parts[0][0] if isinstance(variables, str) else Blocks([[part.only for part in row] for row in parts])

    def translated(self, formula: Any) -> Any:
        """A formula of the claim in the kernel's letters; numbers stay numbers."""
        head, *parts = formula
        match head:
            case "L":
                return self.letter(parts[0])
            case "q":
                return Fraction(parts[0])
            case "I":
                return block_diagonal(*map(identity, self._cut(parts[0])))
            case "0":
                return Blocks([[zero(row, column) for column in self._cut(parts[1])] for row in self._cut(parts[0])])
            case "T":
                return self.translated(parts[0]).T
            case "^":
                return reduce(matmul, [self.translated(parts[0])] * int(parts[1]))
            case "+":
                return reduce(add, map(self.translated, parts))
            case "@":
                return reduce(matmul, map(self.translated, parts))
            case "*":
                *factors, last = map(self.translated, parts)
                return reduce(lambda whole, f: whole * (f.only if isinstance(f, Blocks) else f), factors, last)
            case "at":
                return self.translated(_placed(parts[0], dict(parts[1])))
        raise DerivationError(f"{self.case.claim.id} states a solution with {head} in it: write that out")

    def letter(self, name: str) -> Blocks:
        """A letter of the claim, with what defines it and with the kernel's steps put back."""
        if name not in self.read:
            declared = self.declared[name]
            own = self.translated(declared["equals"]["formula"]) if "equals" in declared else self._own(name)
            self.read[name] = self.put_back(own)
        return self.read[name]

    def _own(self, name: str) -> Blocks:
        """Return what a letter of the claim is in the kernel."""
        if name in self.case.letters:
            return as_blocks(self.case.letters[name])
        if name not in self.named:
            raise DerivationError(f"{name} in the solution of {self.case.claim.id} is nothing in {self.content.name}")
        return as_blocks(self.named[name])

    def _cut(self, size: Any) -> tuple[Any, ...]:
        """How the kernel cuts a dimension of the claim."""
        for name, blocks in self.case.letters.items():
            whole = as_blocks(blocks)
            for side, sizes in (("rows", whole.heights), ("cols", whole.widths)):
                if self.declared[name][side] == size:
                    return sizes
        return (size,)

    @cached_property
    def named(self) -> dict[str, Letter]:
        """The letters of the kernel."""
        made = (letter for step in self.content.steps for letter in step.letters)
        return {letter.name: letter for letter in (*self.content.letters, *made)}

    def put_back(self, value: Blocks) -> Blocks:
        """Blocks in inputs, inverses, exponentials and integrals: what no words define."""
        return value.map(lambda block: substitute(block, self._table))

    @cached_property
    def _table(self) -> dict[Letter, Words]:
        """The letters of steps that words define, with these words."""
        table: dict[Letter, Words] = {}
        for step in self.content.steps:
            if isinstance(step.value, Blocks):
                values = [substitute(block, table) for block in step.value]
                table |= dict(zip(step.letters, values, strict=True))
        return table

    # --- what the letters are -----------------------------------------------------------------------------------------

    def shown(self) -> Iterator[Certificate]:
        """Each letter that was read, and those that are read to show what it is."""
        done: set[str] = set()
        while waiting := [name for name in self.read if name not in done]:
            for name in waiting:
                done.add(name)
                yield from self._shown(name, self.declared[name])

    def _shown(self, name: str, declared: Any) -> Iterator[Certificate]:
        if "equals" in declared:
            return
        if "inverse_of" in declared:
            made = self._primitive(name, "inverse")
            self._argument(name, made, self.translated(declared["inverse_of"]["formula"]))
            self._require_properties(name, set(self._own(name).only.letters[self._alone(name)].declared()))
        elif name in self.case.exponents:
            yield from self._grown(name, self.case.exponents[name])
        elif name in self.motion:
            if self._own(name) != as_blocks(self.case.time):
                raise DerivationError(f"{name} moves in {self.case.claim.id}: give its exponent, or the time for it")
            yield prove.words(self.motion[name], number(1))
            yield prove.words(self.begin[name], 0)
        else:
            yield from self._constant(name)

    def _argument(self, name: str, made: Primitive, wanted: Blocks) -> None:
        """Show every block of what is inverted or exponentiated, also where it is literally the one that is wanted."""
        step = next(step for step in self.content.steps if step.target == self._own(name))
        self.arguments[step.letters[0].name] = [prove.words(*block) for block in paired(self.put_back(made.of), wanted)]

    def _alone(self, name: str) -> str:
        return next(iter(self._own(name).only.letters))

    def _constant(self, name: str) -> Iterator[Certificate]:
        """A constant is of what the kernel takes, but the time, and is symmetric if the claim says so."""
        inputs = {x.name for x in self.content.letters} - {self.case.time.name}
        value = self.read[name]
        if not {letter for block in value for letter in block.letters} <= inputs:
            raise DerivationError(f"{name} is a constant of {self.case.claim.id}: give it in inputs without the time")
        if name in self.case.letters:
            self._require_properties(name, {"symmetric"})
            if "symmetric" in self.declared[name]:
                yield prove.words(value.T, value)
        elif self.declared[name] != self.named[name].declared():
            raise DerivationError(f"{name} is declared otherwise in {self.case.claim.id} than in {self.content.name}")

    def _grown(self, name: str, exponent: Words) -> Iterator[Certificate]:
        """A letter that moves as an exponential does, or as the integral of one, and which the kernel computes so."""
        if set(exponent.letters) & {*self.motion, *self.solution["solution"]}:
            raise DerivationError(f"the exponent {exponent} of {name} moves: give one that does not")
        flow = {self.reader.letter(key): rate for key, rate in self.motion.items()}
        begin = {self.reader.letter(key): start for key, start in self.begin.items()}
        rate, letter, one = self.motion[name], self.reader.letter(name), identity(exponent.shape[0])
        matrix = self.translated(as_written(exponent)["formula"])
        integral = self._defined(name).name == "exponential_integral"
        made = self._primitive(name, "exponential_integral" if integral else "exponential")
        if integral:
            if made.time != self.case.time:
                raise DerivationError(f"the integral {name} does not end at {self.case.time}")
            yield prove.words(along(rate, flow), exponent @ rate)
            yield prove.words(substitute(rate, begin), one)
            yield prove.words(self.begin[name], 0)
            self._argument(name, made, matrix)
        else:
            yield prove.words(rate, exponent @ letter)
            yield prove.words(self.begin[name], one)
            self._argument(name, made, matrix * self.case.time)
        self._require_properties(name, {"symmetric", "commutes_with", *["diagonal"] * is_diagonal(exponent)})
        if not set(self.declared[name].get("commutes_with", ())) <= _factors(exponent):
            raise DerivationError(f"{name} is declared to commute with more than its exponent {exponent}")

    def _require_properties(self, name: str, known: set[str]) -> None:
        """The claim says no more of a letter than is known of what the kernel has for it."""
        more = set(self.declared[name]) - SHAPE - LINKS - known
        if more:
            raise DerivationError(
                f"{name} in {self.case.claim.id} is {', '.join(sorted(more))}, which is not known here"
            )

    def _defined(self, name: str) -> Any:
        """Return what the step computes that makes all blocks of a letter."""
        return next((step.value for step in self.content.steps if step.target == self._own(name)), None)

    def _primitive(self, name: str, kind: str) -> Primitive:
        made = self._defined(name)
        if not isinstance(made, Primitive) or made.name != kind:
            raise DerivationError(
                f"{name} in {self.case.claim.id} is an {kind}, which {self.content.name} does not take"
            )
        return made


def _placed(formula: Any, values: Mapping[str, Any]) -> Any:
    """A formula with others in the place of letters."""
    head, *parts = formula
    if head == "L":
        return values.get(parts[0], formula)
    if head == "at":
        inner = _placed(parts[0], dict(parts[1]))
        return _placed(inner, values)
    return (head, *(_placed(part, values) if isinstance(part, list | tuple) else part for part in parts))


def _factors(exponent: Words) -> set[str]:
    """The letter with which everything commutes that commutes with a multiple of it."""
    alone = {outer for _, outer in exponent.terms}
    return set(exponent.letters) if len(alone) == 1 and len(next(iter(alone))) == 1 else set()

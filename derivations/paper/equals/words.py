"""Kernels of matrices against solutions of matrix flows, which a kernel may cut into blocks.

The checker's reader of such programs writes both sides, and says whether letters are what the claim says of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from derivations import prove
from derivations.kernels.specification.matrices import Matrices, as_blocks
from derivations.language.terms import as_tuples
from derivations.language.words import Letter, Words, as_written
from derivations.language.words.blocks import Blocks
from derivations.paper.equals.stated import Unequal, proved
from derivations.prove.certificate import Certificate, Verdict
from derivations.recheck.core.errors import Rejected
from derivations.recheck.ledgers.matrices import MatrixProgram


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

    def about(self, _: Any) -> dict[str, Any]:
        """Return what the checker needs to write the solution in the letters of the program."""
        rows = {name: [[v]] if isinstance(v, str) else [list(row) for row in v] for name, v in self.returns.items()}
        blocks = {name: as_blocks(value).rows for name, value in self.letters.items()}
        return {
            "solution": [[name, variables] for name, variables in rows.items()],
            "letters": [[name, [list(map(as_written, row)) for row in grid]] for name, grid in blocks.items()],
            "exponents": [[name, as_written(matrix)] for name, matrix in self.exponents.items()],
            "time": self.time.name,
        }

    def decided(self, kernel: Any) -> Iterator[Certificate]:
        """Every block of a return is what the solution has there, of letters that are what the claim says."""
        if not isinstance(kernel.content, Matrices):
            raise Unequal(f"{kernel.name} is no kernel of matrices: give it another kind of equality")
        table = _declared(kernel.content)
        claim = as_tuples(proved(self.claim).statement)
        try:
            program = MatrixProgram(_row(kernel), as_tuples(self.about(kernel)), claim)
            pairs = [pair for name in self.returns for pair in program.compared(name)]
            found = [_same(pair, table) for pair in pairs]
            for name in self.exponents:
                size = program.letters[name]["rows"], program.letters[name]["cols"]
                sides = [tuple({"shape": size, "formula": f} for f in pair) for pair in program.motions(name)]
                found += [_same(pair, program.letters) for pair in sides]
            yield from found
            if any(part.verdict is not Verdict.PROVED for part in found):
                return
            program.require_letters([part.statement for part in found[len(pairs) :]])
        except (Rejected, LookupError, ValueError) as trouble:
            raise Unequal(f"{kernel.name} is not compared with {self.claim.id}: {trouble}") from None


def _row(kernel: Any) -> dict[str, Any]:
    content = kernel.content
    told = [f"{name} {what}" for name, what in content.declared]
    body = as_tuples(content.program.data["body"])
    return {"inputs": [value.row for value in content.inputs], "domain": told, "program": {"body": body}}


def _declared(content: Matrices) -> dict[str, Any]:
    """The letters of a kernel as they are declared."""
    made = (letter for step in content.steps for letter in step.letters)
    return {letter.name: letter.declared() for letter in (*content.letters, *made)}


def _same(sides: Any, table: Mapping[str, Any]) -> Certificate:
    """The certificate that two sides are the same, in letters of a table."""
    letters = {letter: table[letter] for letter in sorted(_spoken(sides, table))}
    left, right = map(dict, sides)
    return prove.decide({"kind": "words", "letters": letters, "rules": [], "left": left, "right": right})


def _spoken(data: Any, table: Mapping[str, Any]) -> set[str]:
    """The letters of formulas, and those by which they are defined."""
    if isinstance(data, tuple | list) and data[:1] in (("L",), ["L"]):
        return {data[1]} | _spoken(table[data[1]], table)
    if isinstance(data, Mapping):
        others = (("L", name) for name in data.get("commutes_with", ()))
        return set().union(*(_spoken(part, table) for part in (*data.values(), *others)))
    return set().union(*(_spoken(part, table) for part in data)) if isinstance(data, tuple | list) else set()

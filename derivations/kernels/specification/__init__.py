"""A kernel as an author specifies it, checked: sentence, formulas, domain, and the claims it rests on.

`derivations.kernels.kernel.Kernel` adds to it what a user asks for. The formulas are of one of three kinds: expressions
of numbers, sums over indices of arrays, and words in matrices; all of them tell the same things, so that nothing else
asks for the kind.
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Self

from derivations.kernels.program import Program, Value
from derivations.kernels.specification.matrices import Matrices
from derivations.kernels.specification.names import KernelError, check_texts
from derivations.kernels.specification.numbers import Numbers
from derivations.kernels.specification.sums import LoopedSums
from derivations.language.sums import Array
from derivations.language.words import Letter
from derivations.text.doors import at_door, shown

Content = Numbers | LoopedSums | Matrices


@dataclass(frozen=True, init=False)
class Specification:
    """A named program with typed inputs and results, on the claims that prove it."""

    name: str
    says: str
    content: Content
    rests_on: tuple[str, ...]
    cites: str
    lost_digits: int

    @at_door(KernelError)
    def __init__(
        self,
        name: str,
        *,
        returns: Annotated[Mapping[str, Any] | Sequence[Any], "a dict {'name': formula}, or a list of arrays"],
        says: str | None = None,
        state: Sequence[Any] = (),
        params: Sequence[Any] = (),
        inputs: Sequence[Any] = (),
        shared: Iterable[tuple[Any, Any]] = (),
        steps: Iterable[Any] = (),
        domain: Iterable[Any] | str = (),
        rests_on: Iterable[str] = (),
        cites: str = "",
        lost_digits: int = 0,
    ) -> None:
        sentence = " ".join((f"The kernel {name}." if says is None else says).split())
        in_words = " ".join(domain.split()) if isinstance(domain, str) else ""
        claims = tuple(rests_on)
        check_texts(name, sentence, in_words, cites, *claims)
        strangers = [given for given in inputs if not isinstance(given, Array | Letter)]
        if strangers or len({type(given) for given in inputs}) > 1:
            raise KernelError(
                f"the kernel {name} takes {', '.join(map(repr, strangers or inputs))}: its inputs are either arrays "
                "over ranges or letters for matrices; numbers stand in state and params"
            )
        content: Content
        if inputs and isinstance(inputs[0], Array):
            content = LoopedSums.of(name, inputs, steps, list(_arrays(returns)), in_words)
        elif inputs:
            content = Matrices.of(name, inputs, steps, _named(name, returns), in_words)
        else:
            content = Numbers.of(name, state, params, shared, _named(name, returns), () if in_words else domain)
        proved = [claim for called in content.called for claim in called.rests_on]
        values = {
            "name": name,
            "says": sentence,
            "content": content,
            "rests_on": tuple(dict.fromkeys([*claims, *proved])),
            "cites": " ".join(cites.split()),
            "lost_digits": max([lost_digits, *(called.lost_digits for called in content.called)]),
        }
        for key, value in values.items():
            object.__setattr__(self, key, value)

    def resting_on(self, claims: Iterable[str]) -> Self:
        """Return a copy with these claims added to its premises."""
        based = copy.copy(self)
        object.__setattr__(based, "rests_on", tuple(dict.fromkeys([*claims, *self.rests_on])))
        return based

    @property
    def inputs(self) -> tuple[Value, ...]:
        """The arguments in order, with kinds and shapes."""
        return self.content.inputs

    @property
    def results(self) -> tuple[Value, ...]:
        """The results in order, with kinds and shapes."""
        return self.content.results

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of the inputs."""
        return tuple(value.name for value in self.inputs)

    @property
    def returns(self) -> Mapping[str, Any]:
        """The formulas of the results by name: expressions, arrays, or matrices in blocks."""
        return self.content.returns

    @property
    def program(self) -> Program:
        """The program that is printed and carried out."""
        return self.content.program

    @property
    def normal_form(self) -> dict[str, Any]:
        """The kernel as JSON data, the same for equal formulas under any version of SymPy."""
        return {"name": self.name} | self.content.normal_form

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(json.dumps(self.normal_form, separators=(",", ":")).encode()).hexdigest()


def _named(name: str, returns: Any) -> Mapping[str, Any]:
    if not isinstance(returns, Mapping):
        raise KernelError(f"the kernel {name} returns {returns!r}: give returns={{'name': formula}}")
    return returns


def _arrays(returns: Any) -> Iterable[Array]:
    arrays: list[Any] = list(returns.values() if isinstance(returns, Mapping) else returns)
    if strange := [array for array in arrays if not isinstance(array, Array)]:
        raise KernelError(f"a kernel of arrays returns arrays, and {shown(strange[0])} is none: define it in a step")
    return arrays

"""Operations as text in the targets' languages.

All of them print the same operations, in the order of the kernel's program and with the same care: whole numbers are
floats, small powers are products, and a*b - c*d goes through `minor`, which does not cancel. What a language spells
differently is said here once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from derivations.kernels.program import CALLS, Operation
from derivations.kernels.targets.printing import ATOM, GLUE, INNER, Floats, Printer, is_short_product, position

SAME = {name: name for name in CALLS}
PI = "3.141592653589793"


@dataclass(frozen=True)
class Numba(Floats):
    """Python on floats, compiled by Numba."""


@dataclass(frozen=True)
class PowersAsCalls(Floats):
    """Whole powers go through `power`, which files carry, and other ones through a function of the language."""

    pow: str = "pow"

    def whole_power(self, base: Operation, exponent: int) -> tuple[str, int]:
        if is_short_product(("^", base, exponent)):
            return super().whole_power(base, exponent)
        return f"power({self.text(base).replace(' ', INNER)},{INNER}{exponent})", ATOM

    def _print(self, operation: Operation, *, alone: bool = True) -> tuple[str, int]:
        if operation[0] == "**":
            base, exponent = (self.text(part).replace(" ", INNER) for part in operation[1:])
            return f"{self.pow}({base},{INNER}{exponent})", ATOM
        return super()._print(operation, alone=alone)


@dataclass(frozen=True)
class C(PowersAsCalls):
    """C: doubles only."""

    spelling: dict[str, str] = field(default_factory=lambda: SAME | {"abs": "fabs"})
    pi: str = PI
    axes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The ranges of every array, whose entries stand row by row."""
    returned: frozenset[str] = frozenset()
    """Numbers that are returned beside arrays, through pointers."""

    def name(self, name: str) -> str:
        return f"{name}[0]" if name in self.returned else name

    def entry(self, array: str, positions: Sequence[Sequence[str]]) -> str:
        at, *others = map(position, positions)
        for inner, size in zip(others, self.axes[array][1:], strict=True):
            at = f"{f'({at})' if '+' in at else at}*{size}{GLUE}+{GLUE}{inner}"
        return f"{array}[{at}]"

    def size(self, name: str) -> str:
        return f"(double){name}"


@dataclass(frozen=True)
class Guarded(Printer):
    """Where programs have branches, parts of those that are not taken may divide by zero: `quotient` bears it."""

    guarded: bool = False

    def _product(self, operation: Operation) -> tuple[str, int]:
        below = [part for part in operation[3] if part[0] not in ("q", "pi")]
        if not self.guarded or not below:
            return super()._product(operation)
        others = tuple(part for part in operation[3] if part not in below)
        if operation[2] or others:
            above = self.text(("*", operation[1], operation[2], others))
        else:  # a number of the target's own kind: 1/3 in Python would be a float
            above, _ = self._print(("q", operation[1]), alone=False)
        return f"quotient({above},{INNER}{self.text(('*', '1', tuple(below), ()))})".replace(" ", INNER), ATOM


def _in_module(module: str, **others: str) -> dict[str, str]:
    """Functions by their names in a module, but for those that emitted files carry with them."""
    carried = {"relexp", "relexp1", "erf"}
    return {name: name if name in carried else f"{module}.{others.get(name, name)}" for name in CALLS}


@dataclass(frozen=True)
class NumPy(Floats):
    """NumPy on arrays; it has no error function."""

    spelling: dict[str, str] = field(default_factory=lambda: _in_module("np", asin="arcsin"))
    pi: str = "np.pi"
    times: str = f" @{GLUE}"
    transpose: str = ".T"
    join: str = "np.block"
    module: str = "np"

    def identity(self, dimension: str) -> str:
        return f"{self.module}.eye({dimension})"

    def zeros(self, rows: str, columns: str) -> str:
        return f"{self.module}.zeros(({rows}, {columns}))"

    def matrix(self, value: Sequence[Any]) -> str:
        """A readable program on floats, without precautions against overflow."""
        kind, rows, *time = value
        text = self.blocks(rows)
        match kind:
            case "inverse":
                return f"{self.module}.linalg.inv({text})"
            case "exponential":
                return f"spectral({self.module}.exp, {text})"
            case "diagonal_exponential":
                return f"{self.module}.diag({self.module}.exp({self.module}.diagonal({text})))"
            case "exponential_integral":
                until = self.text(time[0])
                return f"spectral(lambda values: {until}*relexp_of({until}*values), {text})"
        return text


@dataclass(frozen=True)
class Jax(NumPy, Guarded):
    """JAX on arrays of doubles."""

    spelling: dict[str, str] = field(default_factory=lambda: _in_module("jnp", asin="arcsin"))
    pi: str = "jnp.pi"
    join: str = "jnp.block"
    module: str = "jnp"

    def matrix(self, value: Sequence[Any]) -> str:
        """Through expm, which has derivatives where eigenvalues coincide too."""
        kind, rows, *time = value
        if kind == "exponential":
            return f"expm({self.blocks(rows)})"
        if kind == "exponential_integral":
            return f"exponential_integral({self.blocks(rows)}, {self.text(time[0])})"
        return super().matrix(value)

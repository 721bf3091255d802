"""A kernel of derivatives returns the derivatives of another kernel's returns: an identity in every branch.

The chain rule is followed line by line: of each shared part and each argument, the slope that the derived kernel
computes is the sum of the derivatives by earlier parts, each times the slope of that part, and of the derivative by the
argument. The derivatives stand inside the statements, so that the prover and the checker carry them out, each by rules
of its own. Where branches meet, nothing is said: a formula with branches need not have a derivative there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy as sp

from derivations import prove
from derivations.kernels.kernel import Kernel
from derivations.language.terms import as_expression
from derivations.paper.equals.cases import REMOVABLE
from derivations.paper.equals.stated import Unequal
from derivations.prove.certificate import Certificate, Verdict


def equality(kernel: Kernel, derived: Kernel) -> Certificate:
    """The certificate that `kernel.along()` or `kernel.against()` returns derivatives of the kernel's formulas.

    kernel: whose formulas are differentiated. derived: takes the same arguments first, and a number for each of them,
    or for each return.

    Returns a certificate with the chain rule for each shared part, return and argument in each branch; refuses
    (`Unequal`) with the first that is not proved.

    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> wave = Kernel("wave", state=[x], returns={"a": sp.sin(x) ** 2})
    >>> equality(wave, wave.along()).verdict.value
    'proved'
    """
    found = []
    for name, left, right in _Lines(kernel, derived).identities():
        certificate = _decided(left, right)
        if certificate.verdict is not Verdict.PROVED:
            raise Unequal(
                f"it is not proved that {name} of the kernel {derived.name} is a derivative of {kernel.name}: "
                f"{certificate.reason or certificate.verdict.value}"
            )
        found.append(certificate)
    joined = prove.every(*found)
    return replace(joined, statement={**joined.statement, "kernel": {"program": derived.program.sha256, "cases": []}})


def _decided(left: Any, right: Any) -> Certificate:
    """The certificate of an identity, if need be at squares in the place of what stands in a root by itself."""
    found = prove.identity(left, right)
    roots = left.atoms(sp.Pow) | right.atoms(sp.Pow)
    alone = {e.base for e in roots if e.exp == sp.S.Half and isinstance(e.base, sp.Symbol) and e.base.is_nonnegative}
    if found.verdict is Verdict.PROVED or not alone:
        return found
    squares = {s: sp.Symbol(f"root_of_{s.name}", positive=True) ** 2 for s in sorted(alone, key=str)}
    return prove.identity(sp.Subs(left, tuple(squares), tuple(squares.values())), right.subs(squares))


class _Lines:
    """The lines of a kernel beside those of the derived one; a slope that this has not is zero where it is needed."""

    def __init__(self, kernel: Kernel, derived: Kernel) -> None:
        self.own, self.derived = kernel.of_numbers.without_sizes(), derived.of_numbers
        self.parts = dict(self.own.shared)
        self.slopes = {s.name: (s, e) for s, e in self.derived.shared}
        self.further = self.derived.symbols[len(self.own.symbols) :]
        self.along = derived.name.endswith("_jvp")
        self.needed: dict[tuple[Any, Any], None] = {}

    def identities(self) -> Iterator[tuple[str, Any, Any]]:
        """By line of the derived kernel, both sides in arguments, parts and their slopes."""
        for part, expression in self.parts.items():
            if self.slopes.get(part.name, (part, expression))[1] != expression:
                raise Unequal(f"{part.name} of the derived kernel is not that of the kernel")
        slopes = {}
        for name, expression in self.own.returns.items():
            for v in self.own.symbols:
                slopes[name, v], shown = self._of_return(name, expression, v)
                yield from shown
        wanted = self._along(slopes) if self.along else self._against(slopes)
        for (name, value), derivative in zip(self.derived.returns.items(), wanted, strict=True):
            yield name, derivative, _plainly(value)
        done: set[tuple[Any, Any]] = set()
        while waiting := [pair for pair in self.needed if pair not in done]:
            for part, v in waiting:
                done.add((part, v))
                yield from self._branches(f"d{part.name}_d{v.name}", self.parts[part], v)

    def _along(self, slopes: dict[Any, Any]) -> list[Any]:
        pairs = list(zip(self.own.symbols, self.further, strict=True))
        return [sp.Add(*(slopes[name, v] * part for v, part in pairs)) for name in self.own.returns]

    def _against(self, slopes: dict[Any, Any]) -> list[Any]:
        pairs = list(zip(self.own.returns, self.further, strict=True))
        return [sp.Add(*(slopes[name, v] * weight for name, weight in pairs)) for v in self.own.symbols]

    def _of_return(self, name: str, expression: Any, v: Any) -> tuple[Any, list[tuple[str, Any, Any]]]:
        """The slope of a return, under its name where it has one, and what shows that its branches have it."""
        line = f"d{name}_d{v.name}"
        if line in self.slopes:
            return self.slopes[line][0], list(self._branches(line, expression, v))
        first, *others = [self._chain(value, v) for _, value in _branches(expression)]
        return first, [(line, other, first) for other in others if other != first]

    def _branches(self, line: str, expression: Any, v: Any) -> Iterator[tuple[str, Any, Any]]:
        """Yield what the derived kernel has for the slope of a line, in each branch of that."""
        slope = self.slopes[line][1] if line in self.slopes else sp.S.Zero
        for condition, value in _branches(expression):
            chained, found = self._chain(value, v), _plainly(_branch(slope, condition))
            if chained != found:
                yield line, chained, found

    def _chain(self, expression: Any, v: Any) -> Any:
        """The derivative of a formula without branches, through the parts that it uses."""
        whole = _plainly(expression)
        terms = [sp.Derivative(whole, v)] if v in whole.free_symbols else []
        for part in self.parts:
            if part in whole.free_symbols:
                self.needed[part, v] = None
                slope = self.slopes.get(f"d{part.name}_d{v.name}")
                terms += [sp.Derivative(whole, part) * slope[0]] if slope else []
        return sp.Add(*terms)


def _branches(expression: Any) -> list[tuple[Any, Any]]:
    """Conditions and values; a formula without branches has one condition, which always holds."""
    if not isinstance(expression, sp.Piecewise):
        return [(sp.true, expression)]
    return [(condition, value) for value, condition in expression.args]


def _branch(slope: Any, condition: Any) -> Any:
    """The value of a slope in the branch of its line; a slope that is the same in several branches has one of them."""
    slope = as_expression(slope)
    if not isinstance(slope, sp.Piecewise):
        return slope
    for value, own in slope.args:
        if own in (condition, sp.true) or (isinstance(own, sp.Or) and condition in own.args):
            return as_expression(value)
    raise Unequal(f"a slope of the kernel has other branches than what it is the slope of: {slope}")


def _plainly(expression: Any) -> Any:
    """A formula with fractions of exponentials as such."""
    found = as_expression(expression)
    return found.replace(lambda e: isinstance(e, REMOVABLE), lambda e: e.rewrite(sp.exp))

"""What a kernel of derivatives returns is the derivative of another kernel's returns: an identity in every branch.

The derivative stands inside the statement, so that the prover and the checker carry it out, each by rules of its own.
Where branches meet, nothing is said: a formula with branches need not have a derivative there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import sympy as sp

from derivations import prove
from derivations.kernels.kernel import Kernel
from derivations.language.functions import expm1, relexp, relexp1
from derivations.language.parts import put_back
from derivations.language.terms import as_expression
from derivations.paper.equals import Unequal
from derivations.prove.certificate import Certificate, Verdict

MOST_CONDITIONS = 5  # of branches, which are all combined
ENTIRE = (expm1, relexp, relexp1)  # judged as the fractions of exponentials that they are


def equality(kernel: Kernel, derived: Kernel) -> Certificate:
    """The certificate that `kernel.along()` or `kernel.against()` returns derivatives of the kernel's formulas.

    kernel: whose formulas are differentiated. derived: takes the same arguments first, and a number for each of them,
    or for each return.

    Returns a certificate with one identity for each return of `derived` in each branch; refuses (`Unequal`) with the
    first that is not proved.

    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> wave = Kernel("wave", state=[x], returns={"a": sp.sin(x) ** 2})
    >>> equality(wave, wave.along()).verdict.value
    'proved'
    """
    found = []
    for name, left, right in _identities(kernel, derived):
        certificate = prove.identity(left, right)
        if certificate.verdict is not Verdict.PROVED:
            raise Unequal(
                f"it is not proved that {name} of the kernel {derived.name} is a derivative of {kernel.name}: "
                f"{certificate.reason or certificate.verdict.value}"
            )
        found.append(certificate)
    joined = prove.every(*found)
    return replace(joined, statement={**joined.statement, "kernel": derived.sha256})


def _identities(kernel: Kernel, derived: Kernel) -> Iterator[tuple[str, Any, Any]]:
    """By return of the derived kernel, the derivative, and the formula, both in the arguments alone."""
    own, numbers = kernel.of_numbers, derived.of_numbers
    further = numbers.symbols[len(own.symbols) :]
    for holds in _branches(derived):
        whole = {name: _put(value, own.shared, holds) for name, value in kernel.returns.items()}
        if len(further) == len(own.symbols) and derived.name.endswith("_jvp"):
            pairs = list(zip(own.symbols, further, strict=True))
            wanted = [sp.Add(*(sp.Derivative(value, v) * part for v, part in pairs)) for value in whole.values()]
        else:
            weighted = sp.Add(*(value * weight for value, weight in zip(whole.values(), further, strict=True)))
            wanted = [sp.Derivative(weighted, v) for v in own.symbols]
        for (name, value), derivative in zip(derived.returns.items(), wanted, strict=True):
            yield name, derivative, _put(value, numbers.shared, holds)


def _branches(kernel: Kernel) -> Iterator[dict[Any, bool]]:
    """Every combination of the conditions of a kernel's branches."""
    expressions = [as_expression(e) for _, e in kernel.of_numbers.expressions]
    pieces = [e for e in expressions if isinstance(e, sp.Piecewise)]
    conditions = list(dict.fromkeys(c for piece in pieces for _, c in piece.args if c != sp.true))
    if len(conditions) > MOST_CONDITIONS:
        raise Unequal(
            f"the kernel {kernel.name} has {len(conditions)} conditions: too many branches to prove one by one"
        )
    for values in product((True, False), repeat=len(conditions)):
        yield dict(zip(conditions, values, strict=True))


def _put(expression: Any, shared: Any, holds: dict[Any, bool]) -> Any:
    """A formula in a branch, with its parts written out, and fractions of exponentials as such."""
    whole = put_back(expression, shared, holds)
    return whole.replace(lambda e: isinstance(e, ENTIRE), lambda e: e.rewrite(sp.exp))

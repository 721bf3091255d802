"""A kernel before it is emitted: where a formula fails in doubles, an equal one takes its place.

A kernel for which no form is found that holds over the whole domain is refused, with the arguments at which it fails.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from derivations import prove
from derivations.kernels.hunting import Failure, has_values_of, hunt
from derivations.kernels.kernel import Kernel
from derivations.kernels.rewriting import forms
from derivations.kernels.specification import Specification
from derivations.kernels.specification.names import KernelError
from derivations.kernels.specification.numbers import Numbers
from derivations.prove.certificate import Verdict


def safe(kernel: Specification, tell: Callable[[str], object]) -> Specification:
    """The kernel, or an equal one that does not fail where it does; `tell` is told what was changed, and why.

    >>> t = sp.Symbol("t", positive=True)
    >>> rising = Kernel("rising", state=[t], returns={"a": sp.exp(t) / (1 + sp.exp(t))})
    >>> safe(rising, print).returns["a"]
    the kernel rising is written as a = 1/(1 + exp(-t)), proved equal, as its formula fails in doubles: at t = 1000 it gives a = nan, as exp(t) overflows; the value is 1.000000000
    1/(1 + exp(-t))
    """  # noqa: E501
    if not isinstance(kernel.content, Numbers) or (failure := hunt(kernel)) is None:
        return kernel
    first, changed = failure, dict[str, Any]()
    for _ in kernel.returns:
        better = _mended(kernel, failure.result)
        if better is None:
            raise _refused(kernel, failure)
        kernel, form = better
        changed[failure.result] = form
        left = hunt(kernel)
        if left is None:
            told = ", ".join(f"{name} = {form}" for name, form in changed.items())
            tell(
                f"the kernel {kernel.name} is written as {told}, proved equal, as its formula fails in doubles: {first}"
            )
            return kernel
        failure = left
    raise _refused(kernel, failure)


def _refused(kernel: Specification, failure: Failure) -> KernelError:
    return KernelError(
        f"the kernel {kernel.name} fails in doubles: {failure}; give it a formula that does not, a domain without "
        "such arguments, or, where only digits cancel, lost_digits"
    )


def _mended(kernel: Specification, result: str) -> tuple[Specification, Any] | None:
    """The kernel with another form of one result that is proved equal and does not fail, and the form."""
    numbers = kernel.content
    assert isinstance(numbers, Numbers)
    formula = _whole(numbers, result)
    for form in forms(formula):
        try:
            changed = _with(kernel, numbers, result, form)
        except KernelError:  # a form that no language can print
            continue
        failure = hunt(changed)
        if failure is not None and failure.result == result:
            continue
        if has_values_of(changed, kernel) and _is_proved(formula, form, numbers.domain):
            return changed, form
    return None


def _whole(numbers: Numbers, result: str) -> Any:
    """The formula of a result in the arguments alone."""
    formula = sp.sympify(numbers.returns[result])
    for symbol, shared in reversed(numbers.shared):
        formula = formula.subs(symbol, shared)
    return formula


def _with(kernel: Specification, numbers: Numbers, result: str, form: Any) -> Kernel:
    return Kernel(
        kernel.name,
        says=kernel.says,
        state=numbers.state,
        params=numbers.params,
        shared=numbers.shared,
        returns={**numbers.returns, result: form},
        domain=numbers.domain,
        rests_on=kernel.rests_on,
        cites=kernel.cites,
        units=kernel.units,
        lost_digits=kernel.lost_digits,
    )


def _is_proved(formula: Any, form: Any, domain: tuple[Any, ...]) -> bool:
    """Whether a form equals the formula in the domain, in each of its cases; the last case holds everywhere else."""
    cases = form.args if isinstance(form, sp.Piecewise) else [(form, sp.true)]
    return all(
        prove.identity(
            formula, value.rewrite(sp.exp), [*domain, *([condition] if condition != sp.true else [])]
        ).verdict
        is Verdict.PROVED
        for value, condition in cases
    )

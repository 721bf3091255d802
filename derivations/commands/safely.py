"""A kernel before it is emitted: where a formula fails in doubles, an equal one takes its place.

A kernel for which no form is found that holds over the whole domain is refused, with the arguments at which it fails.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import sympy as sp

from derivations import prove
from derivations.kernels.hunting import Failure, has_values_of, hunt
from derivations.kernels.kernel import Kernel
from derivations.kernels.rewriting import forms
from derivations.kernels.specification.names import KernelError
from derivations.kernels.specification.numbers import Numbers
from derivations.prove.certificate import Verdict

LOSSES = (3, 6, 9, 12, 15)  # digits that a kernel of derivatives is said to lose, the fewest that do
HUNTED = 250  # points at which a kernel of derivatives is tried
MOST_REWRITTEN = 150  # operations of formulas for which other forms are looked for


def safe(kernel: Kernel, tell: Callable[[str], object]) -> Kernel:
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
        losing_at = hunt(kernel)
        if losing_at is None:
            forms = ", ".join(f"{name} = {form}" for name, form in changed.items())
            written = f"the kernel {kernel.name} is written as {forms}, proved equal"
            tell(f"{written}, as its formula fails in doubles: {first}")
            return kernel
        failure = losing_at
    raise _refused(kernel, failure)


def as_accurate(kernel: Kernel, tell: Callable[[str], object]) -> Kernel:
    """A kernel of derivatives, or an equal one that does not fail, or the same with what is lost; it is never refused.

    `tell` is told what was changed, and where digits are lost or no number is found, of which the file says the digits.

    >>> t = sp.Symbol("t", positive=True)
    >>> decay = Kernel("decay", state=[t], returns={"a": sp.exp(-t)})
    >>> as_accurate(decay.along(), print).lost_digits
    0
    """
    failure = hunt(kernel, HUNTED)
    if failure is None:
        return kernel
    if sum(sp.count_ops(formula) for _, formula in kernel.of_numbers.expressions) <= MOST_REWRITTEN:
        try:
            return safe(kernel, tell)
        except KernelError:  # no form is found that does better
            pass
    for digits in LOSSES:
        if kernel.lost_digits < digits:
            losing = _losing(kernel, digits)
            losing_at = hunt(losing, HUNTED)
            if losing_at is None or not math.isfinite(losing_at.computed):
                break
    tell(f"the kernel {kernel.name} may lose {losing.lost_digits} digits beyond what rounding costs, as {failure}")
    return losing


def _losing(kernel: Kernel, digits: int) -> Kernel:
    """Return the same kernel, of which floats may lose so many digits."""
    numbers = kernel.of_numbers
    return _with(kernel, numbers, dict(numbers.returns), digits)


def _refused(kernel: Kernel, failure: Failure) -> KernelError:
    return KernelError(
        f"the kernel {kernel.name} fails in doubles: {failure}; give it a formula that does not, a domain without "
        "such arguments, or, where only digits cancel, lost_digits"
    )


def _mended(kernel: Kernel, result: str) -> tuple[Kernel, Any] | None:
    """The kernel with another form of one result that is proved equal and does not fail, and the form."""
    numbers = kernel.content
    assert isinstance(numbers, Numbers)
    formula = _whole(numbers, result)
    for form in forms(formula):
        try:
            changed = _with(kernel, numbers, {**numbers.returns, result: form}, kernel.lost_digits)
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


def _with(kernel: Kernel, numbers: Numbers, returns: dict[str, Any], lost_digits: int) -> Kernel:
    return Kernel(
        kernel.name,
        says=kernel.says,
        state=numbers.state,
        params=numbers.params,
        shared=numbers.shared,
        returns=returns,
        domain=numbers.domain,
        rests_on=kernel.rests_on,
        cites=kernel.cites,
        lost_digits=lost_digits,
    )


def _is_proved(formula: Any, form: Any, domain: tuple[Any, ...]) -> bool:
    """Check that a form equals the formula in the domain, in each of its cases; the last case holds everywhere else."""
    cases = form.args if isinstance(form, sp.Piecewise) else [(form, sp.true)]
    return all(
        prove.identity(
            formula, value.rewrite(sp.exp), [*domain, *([condition] if condition != sp.true else [])]
        ).verdict
        is Verdict.PROVED
        for value, condition in cases
    )

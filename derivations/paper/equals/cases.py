"""Hypotheses of a case of a kernel's equality: its conditions and the kernel's domain, in the kernel's arguments.

A case may leave something out or put something in only because of that: what it excludes contradicts its conditions,
what it puts in follows from them, and the way back to the claim's symbols leads to values that these may have.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.functions import expm1, relexp, relexp1
from derivations.language.terms import as_expression
from derivations.prove.certificate import Certificate

REMOVABLE = (expm1, relexp, relexp1)
CONTRARY = {sp.Gt: sp.Le, sp.Ge: sp.Lt, sp.Lt: sp.Ge, sp.Le: sp.Gt}


def in_arguments(kernel: Any, expression: Any) -> Any:
    """An expression with the parts put back, but for those that have branches, or only a limit at one point."""
    whole = as_expression(expression)
    names = whole.free_symbols
    for part, value in reversed(kernel.of_numbers.shared):
        if part in names and not as_expression(value).has(sp.Piecewise, *REMOVABLE):
            whole = whole.xreplace({part: as_expression(value)})
            names = whole.free_symbols
    return whole


def known(kernel: Any, holds: dict[Any, bool], but: Any = None) -> list[Any]:
    """The domain of a kernel and the conditions of a case as hypotheses, but for one of them.

    >>> from derivations.kernels.kernel import Kernel
    >>> x, y = sp.symbols("x y", nonnegative=True)
    >>> made = Kernel("k", says="K.", state=[x, y], returns={"u": x}, shared=[], domain=[x >= y])
    >>> known(made, {x > y: False, sp.Eq(y, 0): False})
    [x >= y, x <= y, Eq(x - y, 0), y > 0]
    """
    domain = [relation for relation in kernel.of_numbers.domain if relation != but]
    found = list(domain)
    for condition, value in holds.items():
        if condition != but:
            found += _told(_put_back(kernel, condition), value, [r for r in domain if isinstance(r, sp.Ge | sp.Gt)])
    return found


def _put_back(kernel: Any, condition: Any) -> Any:
    return condition.func(*(in_arguments(kernel, side) for side in condition.args), evaluate=False)


def _told(condition: Any, value: bool, domain: list[Any]) -> Iterator[Any]:
    """Yield what a condition says if it holds, or if it does not; with the domain it may leave only equality."""
    gap = condition.lhs - condition.rhs
    if isinstance(condition, sp.Eq):
        yield (
            sp.Eq(gap, 0, evaluate=False) if value else sp.Gt(gap if gap.is_nonnegative else gap**2, 0, evaluate=False)
        )
        return
    yield condition if value else CONTRARY[type(condition)](*condition.args, evaluate=False)
    if isinstance(condition, sp.Gt) and not value and any(sp.expand(r.lhs - r.rhs - gap) == 0 for r in domain):
        yield sp.Eq(gap, 0, evaluate=False)


def impossible(kernel: Any, holds: dict[Any, bool], never: Any) -> Certificate:
    """The certificate that a condition of a case, or of the domain, fails where the others hold."""
    value = holds.get(never, True)
    condition = _put_back(kernel, never)
    others = known(kernel, holds, but=never)
    if isinstance(condition, sp.Eq):
        return prove.identity(condition.lhs, condition.rhs, assuming=others)
    wanted = CONTRARY[type(condition)] if value else type(condition)
    return prove.inequality(wanted(*condition.args, evaluate=False), others)


def follows(kernel: Any, case: Any) -> Iterator[Certificate]:
    """That what a case puts in for arguments follows from its conditions, if no way back shows it."""
    equations = [relation for relation in known(kernel, case.holds) if isinstance(relation, sp.Eq)]
    for name, value in case.fix.items():
        alone = [relation for relation in equations if relation.lhs == name and relation.rhs == value]
        yield prove.identity(name, as_expression(value), assuming=alone or equations)


def admitted(kernel: Any, case: Any, symbols: dict[str, Any], translation: dict[Any, Any]) -> Iterator[Certificate]:
    """That the values which the claim's symbols take have their signs, or are at the end of it if they are inside."""
    back = {value: argument for argument, value in translation.items() if isinstance(value, sp.Symbol)}
    hypotheses = [relation.xreplace(back) for relation in known(kernel, case.holds)]
    for name, value in {**case.reached, **case.at}.items():
        told = (name, symbols.get(str(name), name))
        if any(symbol.is_nonnegative for symbol in told) and not case.signs:
            taken = in_arguments(kernel, value).xreplace(back)
            is_strict = any(symbol.is_positive for symbol in told) and not taken.free_symbols & set(case.inside)
            yield prove.inequality((sp.Gt if is_strict else sp.Ge)(taken, 0, evaluate=False), hypotheses)

"""Functions for formulas with a removable singularity, so that a kernel stays accurate on both sides of it and on it.

`relexp(x)` is the integral of exp(s x) over s from 0 to 1: (exp(x) - 1)/x, and 1 at x = 0. Its derivative `relexp1(x)`
is the integral of s exp(s x): (exp(x) (x - 1) + 1)/x^2, and 1/2 at x = 0. `expm1(x)` is exp(x) - 1. All three are
positive or take the sign of x for every real x, and `.rewrite(exp)` gives the form that claims are judged in.
"""

from __future__ import annotations

from typing import Any

import sympy as sp


class _OfOneNumber(sp.Function):  # type: ignore[misc]
    """A function with a known value at zero."""

    at_zero: Any = None

    @classmethod
    def eval(cls, x: Any) -> Any:
        return cls.at_zero if x.is_zero else None


class expm1(_OfOneNumber):
    """exp(x) - 1, without cancellation near 0."""

    at_zero = sp.S.Zero

    def fdiff(self, argindex: int = 1) -> Any:
        return sp.exp(self.args[0])

    def _eval_rewrite_as_exp(self, x: Any, **_: Any) -> Any:
        return sp.exp(x) - 1

    def _eval_is_extended_real(self) -> Any:
        return self.args[0].is_extended_real


class _Positive(_OfOneNumber):
    def _eval_is_positive(self) -> Any:
        return self.args[0].is_extended_real


class relexp(_Positive):
    """(exp(x) - 1)/x, and 1 at x = 0."""

    at_zero = sp.S.One

    def fdiff(self, argindex: int = 1) -> Any:
        return relexp1(self.args[0])

    def _eval_rewrite_as_exp(self, x: Any, **_: Any) -> Any:
        return (sp.exp(x) - 1) / x


class relexp1(_Positive):
    """The derivative of relexp: (exp(x) (x - 1) + 1)/x^2, and 1/2 at x = 0."""

    at_zero = sp.S.Half

    def fdiff(self, argindex: int = 1) -> Any:
        raise ValueError(
            "relexp can be differentiated once: its second derivative has no name and no accurate program here"
        )

    def _eval_rewrite_as_exp(self, x: Any, **_: Any) -> Any:
        return (sp.exp(x) * (x - 1) + 1) / x**2

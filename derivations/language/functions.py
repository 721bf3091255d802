"""Functions for formulas with a removable singularity, so that a kernel stays accurate on both sides of it and on it.

`relexp(x)` is the integral of exp(s x) over s from 0 to 1: (exp(x) - 1)/x, and 1 at x = 0. Its derivative `relexp1(x)`
is the integral of s exp(s x): (exp(x) (x - 1) + 1)/x^2, and 1/2 at x = 0. `expm1(x)` is exp(x) - 1. All three are
positive or take the sign of x for every real x, and `.rewrite(exp)` gives the form that claims are judged in.
"""

from __future__ import annotations

from typing import Any

import sympy as sp


class expm1(sp.Function):  # type: ignore[misc]
    """exp(x) - 1, without cancellation near 0."""

    nargs = 1

    @classmethod
    def eval(cls, x: Any) -> Any:
        return sp.S.Zero if x.is_zero else None

    def fdiff(self, argindex: int = 1) -> Any:
        return sp.exp(self.args[0])

    def _eval_rewrite_as_exp(self, x: Any, **_: Any) -> Any:
        return sp.exp(x) - 1

    def _eval_is_extended_real(self) -> Any:
        return self.args[0].is_extended_real


class relexp(sp.Function):  # type: ignore[misc]
    """(exp(x) - 1)/x, and 1 at x = 0."""

    nargs = 1

    @classmethod
    def eval(cls, x: Any) -> Any:
        return sp.S.One if x.is_zero else None

    def fdiff(self, argindex: int = 1) -> Any:
        return relexp1(self.args[0])

    def _eval_rewrite_as_exp(self, x: Any, **_: Any) -> Any:
        return (sp.exp(x) - 1) / x

    def _eval_is_positive(self) -> Any:
        return self.args[0].is_extended_real


class relexp1(sp.Function):  # type: ignore[misc]
    """The derivative of relexp: (exp(x) (x - 1) + 1)/x^2, and 1/2 at x = 0."""

    nargs = 1

    @classmethod
    def eval(cls, x: Any) -> Any:
        return sp.S.Half if x.is_zero else None

    def fdiff(self, argindex: int = 1) -> Any:
        raise ValueError(
            "relexp can be differentiated once: its second derivative has no name and no accurate program here"
        )

    def _eval_rewrite_as_exp(self, x: Any, **_: Any) -> Any:
        return (sp.exp(x) * (x - 1) + 1) / x**2

    def _eval_is_positive(self) -> Any:
        return self.args[0].is_extended_real

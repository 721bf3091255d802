"""Recurrences of Taylor coefficients: which series a flow is split into, and what is refused."""

from __future__ import annotations

import sympy as sp
from case_files import Cases

from derivations.kernels.jets import jets_of
from derivations.kernels.kernel import Kernel
from derivations.papers.van_rossem_saxe_2024.emitted import signed_flow_kernel

FAMILIES = Cases(__file__, globals())

x, y, c = sp.symbols("x y c", positive=True)


def flow(*rates: sp.Expr, **options: object) -> Kernel:
    """A kernel whose state is x, or x and y, with one parameter."""
    returns = {f"rate_{k}": rate for k, rate in enumerate(rates)}
    return Kernel("flow", says="A flow.", state=[x, y][: len(rates)], params=[c], returns=returns, **options)  # type: ignore[arg-type]


def derived(kernel: Kernel) -> list[tuple[str, tuple[str, ...]]]:
    return [(series.kind, series.parts) for series in jets_of(kernel).series.values() if series.kind != "state"]


def test_the_signed_flow_costs_four_products_per_order() -> None:
    assert [kind for kind, _ in derived(signed_flow_kernel())] == ["product"] * 4


test_statements_have_their_verdicts = FAMILIES.verdicts()

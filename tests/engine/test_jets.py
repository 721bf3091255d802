"""Recurrences of Taylor coefficients: which series a flow is split into, and what is refused."""

from __future__ import annotations

import sympy as sp
from case_files import Cases

from derivations.kernels.jets import jets_of
from derivations.kernels.jets.text import jets_module
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


def test_products_share_the_parts_that_others_need() -> None:
    assert derived(flow(x * x * y, x * y)) == [("product", ("x", "y")), ("product", ("x", "x_y"))]


def test_whole_powers_are_squared_again() -> None:
    assert derived(flow(x**4)) == [("product", ("x", "x")), ("product", ("x_x", "x_x"))]


def test_what_stays_the_same_is_computed_once_and_without_its_sign() -> None:
    found = jets_of(flow(c * x / 3 - c * y / 3, y))
    assert len(found.fixed) == 2
    text = jets_module(flow(c * x / 3 - c * y / 3, y), "p", "", "")
    assert "rate = fixed_0*(x - y)" in text


def test_shared_parts_become_series_where_they_are_factors() -> None:
    total = sp.Symbol("total", real=True)
    assert derived(flow(total**2, shared=[(total, x + c)])) == [("sum", ("x",)), ("product", ("sum_x", "sum_x"))]


def test_names_of_series_and_symbols_never_meet() -> None:
    a, b, ab = sp.symbols("a b a_b", real=True)
    kernel = Kernel("k", says="Says.", state=[a, b, ab], returns={"p": a * b * ab, "q": a * b, "r": ab})
    series = jets_of(kernel).series
    assert len(series) == 5
    assert series["a_b"].kind == "state"


test_flows_without_jets_are_refused_with_the_reason = FAMILIES.verdicts()

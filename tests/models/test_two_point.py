"""Two points: the flow is the gradient of the loss, and the scalar flows hold where the model says they do."""

from __future__ import annotations

from typing import Any

import sympy as sp
from each import each

from derivations.models import two_point as m
from derivations.models.sampling import Instance, speed, square_sum

SEEDS = range(12)
every_kind = each("kind", m.KINDS.keys())


def numbers(at: Instance) -> dict[sp.Symbol, sp.Rational]:
    symbols = {symbol.name: symbol for symbol in (m.h, m.y, m.w, m.X, m.s, m.tau_h, m.tau_y, m.tau_b, m.a, m.b, m.n)}
    return {symbols[name]: sp.Rational(str(value)) for name, value in m.scalars(at).items()}


def holds_at(flow: dict[sp.Symbol, sp.Expr], at: Instance) -> bool:
    rates, known = m.reduced_rates(at), numbers(at)
    return all(rate.subs(known) == sp.Rational(str(rates[symbol.name])) for symbol, rate in flow.items())


def mean_error(at: Instance) -> Any:
    """Half the mean squared error of the outputs at the two points."""
    middle = (at["x1"] + at["x2"]) / 2
    points = ((at["x1"], at["y1"]), (at["x2"], at["y2"]))
    outputs = [at["ybar"] + at["D_y"] * (at["D_h"] * (x - middle)) for x, _ in points]
    return sum(square_sum(output - y) for output, (_, y) in zip(outputs, points, strict=True)) / 4


@every_kind
def test_the_flow_is_the_exact_gradient_of_the_loss(kind: str) -> None:
    for seed in SEEDS:
        at = m.instance(kind, seed)
        moves = m.rates(at)
        assert m.loss_at(at) == mean_error(at)
        for letter in m.flow:
            assert moves[letter.name] == at.value(m.flow[letter]) == at.value(m.c_flow[letter]), seed
        assert speed(m.loss_at, at, moves) <= 0


@every_kind
def test_scalars_are_what_the_table_says(kind: str) -> None:
    for seed in SEEDS:
        at = m.instance(kind, seed)
        known = numbers(at)
        for words, scalar in m.TABLE:
            letters = set(words.letters) - set(at.values.as_json()["matrices"])
            if not letters:
                assert sp.Rational(str(at.value(words)[0, 0])) == scalar.subs(known), scalar


@each("kind", ["straight", "size_one"])
def test_the_scalar_flows_hold_where_representations_stay_on_a_line(kind: str) -> None:
    for seed in SEEDS:
        at = m.instance(kind, seed)
        assert holds_at(m.derived_flow, at), seed
        assert holds_at(m.signed_flow, at), seed


def test_the_scalar_flow_does_not_hold_for_all_slopes() -> None:
    assert not all(holds_at(m.derived_flow, m.instance("generic", seed)) for seed in SEEDS)

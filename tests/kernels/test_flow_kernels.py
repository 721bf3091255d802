"""The emitted flows of order parameters against their ball twins; that they equal the printed ones has certificates."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from each import each
from flint import arb, ctx
from theory.flat_flows import arguments, flat, largest_ratio, on_flat_balls, on_flat_floats, point

from numerics.accuracy.sheet import subjects
from numerics.kernels import ball as twin_of
from numerics.kernels import index, kernel
from numerics.kernels.balls import Twin, sharing

PAPER = "carrasco_davis_grant_2025"
STEP = Fraction(1, 10**40)
NAMES = ["order_parameter_flow", "two_layer_flow", "generalisation_error"]


def test_a_perfect_student_stands_still_but_for_the_noise() -> None:
    T = [["4/3", "1/2", "-1/5"], ["1/2", "1", 0], ["-1/5", 0, "3/2"]]
    for noise, stands in ((0, True), ("1/10", False)):
        dQ, dR = twin_of(f"{PAPER}:order_parameter_flow")(T, T, T, "1/2", noise, 2)
        (error,) = twin_of(f"{PAPER}:generalisation_error")(T, T, T, noise)
        with ctx.workdps(50):
            assert all(abs(rate) < 1e-40 for rate in flat(dR))
            assert all((abs(dQ[i][i]) < 1e-40) is stands for i in range(3))
            assert abs(error - (0 if stands else arb(1) / 200)) < 1e-40


# --- floats -----------------------------------------------------------------------------------------------------------


@each("name", NAMES, one_of=3)
def test_floats_stay_within_the_criterion_as_whole_answers(name: str) -> None:
    second = name == "two_layer_flow"
    for K, M, scale in ((2, 1, 0.5), (1, 2, 5.0), (2, 2, 1.0)):
        at = point(K, M, seed=K + M, scale=scale, second=second)
        at = at[:-3] + at[-2:-1] if name == "generalisation_error" else at
        twin = on_flat_balls(twin_of(f"{PAPER}:{name}"), K, M, second=second)
        computed = on_flat_floats(kernel(f"{PAPER}:{name}"), K, M, second=second)(*at)
        assert largest_ratio(computed, twin, at) <= 1


@each("name", NAMES)
def test_transposed_overlaps_are_refused(name: str) -> None:
    second = name == "two_layer_flow"
    at = point(2, 3, seed=1, second=second)
    Q, R, T, *rest = arguments(at[:-3] + at[-2:-1] if name == "generalisation_error" else at, 2, 3, second=second)
    turned = [list(row) for row in zip(*R, strict=True)]
    for function, made in ((twin_of, list), (kernel, np.array)):
        call = function(f"{PAPER}:{name}")
        layers = [made(part) if isinstance(part, list) else part for part in rest]
        with pytest.raises(
            ValueError, match=r"Q is not an array of K x K|R is not an array of K x M|T is not an array"
        ):
            call(made(Q), made(turned), made(T), *layers)
        with pytest.raises(ValueError, match="Q is not symmetric"):
            call(made([[Q[0][0], Q[0][1] + 1], Q[1]]), made(R), made(T), *layers)


def test_the_index_says_over_which_units_arrays_run() -> None:
    entry = index()[f"{PAPER}:two_layer_flow"]
    shapes = {value.name: value.axes for value in entry.inputs[:5]}
    assert shapes == {"Q": ("K", "K"), "R": ("K", "M"), "T": ("M", "M"), "v": ("K",), "v_teacher": ("M",)}
    assert [value.kind for value in entry.inputs[:4]] == ["symmetric", "array", "symmetric", "array"]
    assert {value.name: value.axes for value in entry.results} == {"dQ": ("K", "K"), "dR": ("K", "M"), "dv": ("K",)}


@pytest.mark.parametrize("name", NAMES)
def test_evaluations_that_share_give_the_same_balls_and_call_less(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside each other and at two precisions; what differs in one number shares all that does not see it."""
    calls = [0]
    run = Twin.run

    def counted(twin: Twin, known: Any) -> None:
        calls[0] += 1
        run(twin, known)

    monkeypatch.setattr(Twin, "run", counted)
    subject = subjects()[f"{PAPER}:{name} (K = M = 2)"]
    first = subject.region.drawn(np.random.default_rng(3))
    points = [(*first[:i], Fraction(x) + STEP, *first[i + 1 :]) for i, x in enumerate(first)]
    plain = [subject.twin(*at, digits=digits) for at in points for digits in (20, 60)]
    counts = [calls[0]]
    with sharing():
        shared = [subject.twin(*at, digits=digits) for at in points for digits in (20, 60)]
    counts.append(calls[0] - counts[0])
    assert [[(x.mid(), x.rad()) for x in values] for values in shared] == [
        [(x.mid(), x.rad()) for x in values] for values in plain
    ]
    assert counts[1] < 0.7 * counts[0]

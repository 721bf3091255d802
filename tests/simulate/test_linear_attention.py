"""Gradient descent of linear attention: each step is the one of the written loss, on contexts as they should be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from case_files import Cases
from each import each
from numpy.typing import NDArray

from numerics.machine.specialise import specialise
from numerics.machine.streams import LEARNING, eight_for_one
from numerics.simulate.linear_attention import Merged, Separate, estimate, learn, loss

FAMILIES = Cases(__file__, globals())

Array = NDArray[Any]
COVARIANCE = np.array([[2.0, 0.5, 0.1], [0.5, 1.0, -0.2], [0.1, -0.2, 0.4]])
TOKENS, RATE = 5, 0.01
NORMAL = ("numerics.machine.lanes", "numerics.machine.lanes.functions", "numerics.machine.lanes.normal")


def parts(kind: str, heads: int = 2, D: int = 3) -> list[Array]:
    rng = np.random.default_rng(1)
    shapes = [(heads,), (heads, D, D)] if kind == "merged" else [(heads,), (heads, D), (heads, D)]
    return [0.5 * rng.standard_normal(shape) for shape in shapes]


def made(kind: str, pieces: list[Array]) -> Merged | Separate:
    return Merged(*pieces) if kind == "merged" else Separate(*pieces)


def total(pieces: list[Array]) -> Array:
    """The matrix P of all heads."""
    form = "h,hij->ij" if len(pieces) == 2 else "h,hi,hj->ij"
    return np.asarray(np.einsum(form, *pieces))


def mean_loss(pieces: list[Array]) -> Any:
    """<(w'x_q - w'C P x_q)^2>/2 with the moments of the context's covariance C."""
    L, P = COVARIANCE, total(pieces)
    second = L @ L + (L @ L + np.trace(L) * L) / TOKENS
    return (np.trace(L) - 2.0 * np.trace(L @ P @ L) + np.trace(second @ P @ L @ P.T)) / 2.0


def slopes(of: Any, pieces: list[Array]) -> list[Array]:
    """Exact derivatives by all entries, from imaginary steps: the loss is a polynomial."""
    found = []
    for k, piece in enumerate(pieces):
        slope = np.empty_like(piece)
        for at in np.ndindex(piece.shape):
            moved = [one.astype(complex) for one in pieces]
            moved[k][at] += 1e-100j
            slope[at] = of(moved).imag / 1e-100
        found.append(slope)
    return found


def contexts(count: int, seed: int) -> tuple[Array, Array, Array]:
    """The tokens, queries and tasks that the first step draws, as white numbers from the streams, in chunks of 64."""
    fill, D = specialise("fill", NORMAL), 3
    room = np.empty(-(-(TOKENS + 2) * D // 16) * 16)
    rows = []
    for chunk in range(-(-count // 64)):
        stream = eight_for_one(seed, chunk, LEARNING)
        for _ in range(min(64, count - 64 * chunk)):
            fill(stream, room, 0, room.size)
            rows.append(room[: (TOKENS + 2) * D].reshape(-1, D).copy())
    table = np.stack(rows)
    values, axes = np.linalg.eigh(COVARIANCE)
    root = axes * np.sqrt(values)
    return table[:, :TOKENS] @ root.T, table[:, TOKENS] @ root.T, table[:, -1]


def attention(embedded: Array, pieces: list[Array]) -> Any:
    """The last entry of sum_i V_i E E' K_i E/tokens; V_i reads the targets alone, and K_i compares the tokens alone."""
    size = len(embedded)
    answer = np.zeros((), dtype=complex)
    for k, value in enumerate(pieces[0]):
        compare = np.zeros((size, size), dtype=complex)
        compare[:-1, :-1] = pieces[1][k] if len(pieces) == 2 else np.outer(pieces[1][k], pieces[2][k])
        read = np.zeros((size, size), dtype=complex)
        read[-1, -1] = value
        answer = answer + (read @ embedded @ embedded.T @ compare @ embedded)[-1, -1] / TOKENS
    return answer


def loss_of(drawn: tuple[Array, Array, Array], pieces: list[Array]) -> Any:
    """Half the mean square of what attention lacks on contexts, each written as one matrix of tokens and targets."""
    lacking = []
    for tokens, query, task in zip(*drawn, strict=True):
        columns = np.vstack([tokens, query]).T
        embedded = np.vstack([columns, np.append(tokens @ task, 0.0)])
        lacking.append(query @ task - attention(embedded, pieces))
    return (np.array(lacking) ** 2).mean() / 2.0


@each("kind", ["merged", "separate"])
def test_every_step_is_the_gradient_of_the_loss_of_all_contexts(kind: str) -> None:
    pieces = parts(kind)
    run = learn(made(kind, pieces), COVARIANCE, tokens=TOKENS, rate=RATE, steps=range(4))
    for record in range(4):
        assert run.loss[record] == pytest.approx(mean_loss(pieces), rel=1e-13)
        assert run.product[record] == pytest.approx(total(pieces), rel=1e-13, abs=1e-15)
        for found, expected in zip(run.heads, pieces, strict=True):
            assert found[record] == pytest.approx(expected, rel=1e-13, abs=1e-15)
        pieces = [one - RATE * slope for one, slope in zip(pieces, slopes(mean_loss, pieces), strict=True)]
    assert loss(made(kind, parts(kind)), COVARIANCE, tokens=TOKENS) == run.loss[0]


@each("kind", ["merged", "separate"])
def test_a_sampled_step_is_the_gradient_of_attention_on_its_contexts(kind: str) -> None:
    pieces = parts(kind)
    run = learn(made(kind, pieces), COVARIANCE, tokens=TOKENS, rate=RATE, steps=[1], batch=70, seed=3)
    drawn = contexts(70, seed=3)
    moved = slopes(lambda given: loss_of(drawn, given), pieces)
    for found, start, slope in zip(run.heads, pieces, moved, strict=True):
        assert found[0] == pytest.approx(start - RATE * slope, rel=1e-12, abs=1e-15)


@each("kind", ["merged", "separate"])
def test_sampled_contexts_have_the_loss_of_all_and_its_slope(kind: str) -> None:
    pieces = parts(kind)
    found = estimate(made(kind, pieces), COVARIANCE, tokens=TOKENS, contexts=4_000_000)
    L, P = COVARIANCE, total(pieces)
    second = L @ L + (L @ L + np.trace(L) * L) / TOKENS
    scores = np.append((found.slope - (second @ P @ L - L @ L)) / found.slope_error, 0.0)
    scores[-1] = (found.loss - mean_loss(pieces)) / found.loss_error
    assert np.abs(scores).max() < 4.0
    assert found.loss_error < 0.01 * found.loss
    wrong = (second - np.trace(L) * L / TOKENS) @ P @ L - L @ L  # without the term of tr(L)
    assert np.abs((found.slope - wrong) / found.slope_error).max() > 10.0


def test_the_bits_are_the_same_on_any_number_of_threads_and_after_a_break() -> None:
    heads, asked = Separate(*parts("separate")), {"tokens": TOKENS, "rate": RATE, "batch": 200, "seed": 1}
    alone = learn(heads, COVARIANCE, steps=[3, 10], threads=1, **asked)  # type: ignore[arg-type]
    together = learn(heads, COVARIANCE, steps=[10], threads=2, **asked)  # type: ignore[arg-type]
    assert np.array_equal(alone.product[1], together.product[0])
    other = learn(heads, COVARIANCE, steps=[10], **{**asked, "seed": 2})  # type: ignore[arg-type]
    assert not np.array_equal(alone.product[1], other.product[0])
    one, two = (estimate(heads, COVARIANCE, tokens=TOKENS, contexts=1000, threads=k) for k in (1, 2))
    assert np.array_equal(one.slope, two.slope)


HEADS: dict[str, Any] = {"heads": Merged([1.0], [np.eye(2)])}
test_statements_have_their_verdicts = FAMILIES.verdicts()

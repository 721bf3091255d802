"""The command `numerics bench`: its mistakes, how it measures, and that all candidates compute the same."""

from __future__ import annotations

import numpy as np
import pytest

from numerics import bench
from numerics.__main__ import main
from numerics.bench import deep_linear


@pytest.mark.parametrize("arguments", [["bench"], ["bench", "no_such_benchmark"]])
def test_a_missing_or_wrong_name_ends_with_two_and_one_sentence(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith("numerics: ")
    assert len(error.splitlines()) == 1
    assert all(name in error for name in bench.names())


def test_benchmarks_are_found_by_scanning() -> None:
    assert "deep_linear" in bench.names()


def test_a_benchmark_prints_a_table_for_every_kind_of_start(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deep_linear, "SIDES", (5,))
    monkeypatch.setattr(deep_linear, "ROUNDS", 1)
    monkeypatch.setattr(deep_linear, "jax_at_all_times", lambda: None)
    assert main(["bench", "deep_linear"]) == 0
    out = capsys.readouterr().out
    assert "JAX is not installed" in out
    assert out.index("B well conditioned") < out.index("B singular")
    assert "BLAS" in out


def test_every_candidate_computes_the_same_on_a_well_conditioned_start() -> None:
    net = deep_linear.network(5, hard=False)
    assert max(deep_linear.errors(net, deep_linear.candidates(net)).values()) <= 1e-12


def test_what_is_computed_here_is_right_on_a_hard_start() -> None:
    net = deep_linear.network(5, hard=True)
    with np.errstate(all="ignore"):
        error = deep_linear.errors(net, deep_linear.candidates(net))
    assert error[deep_linear.OURS] <= 1e-12


def test_candidates_take_turns_and_a_refusal_has_no_error() -> None:
    turns = []
    times = bench.seconds({"a": lambda: turns.append("a"), "b": lambda: turns.append("b")}, rounds=2, least=0.0)
    assert set(times) == {"a", "b"}
    assert "".join(turns) == "aabb" + "abab"

    def refuses() -> None:
        raise np.linalg.LinAlgError

    assert deep_linear.errors(deep_linear.network(5, hard=False), {"c": refuses}) == {}

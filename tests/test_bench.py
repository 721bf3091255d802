"""The command `python -m benchmarks`: its mistakes, how it measures, and that all candidates compute the same."""

from __future__ import annotations

import re
from contextlib import nullcontext
from types import SimpleNamespace

import numba
import numpy as np
import pytest
from numba import njit

import benchmarks as bench
from benchmarks import calm, deep_linear, linear_network, teacher_student
from benchmarks.__main__ import main
from benchmarks.linear_network import NEEDS
from numerics.machine.lanes import LANES
from numerics.machine.lanes.registers import MIDDLE, WIDE, Registers, registers


@pytest.mark.parametrize("arguments", [[], ["no_such_benchmark"], ["mlp", "calm"]])
def test_a_missing_or_wrong_name_ends_with_two_and_one_sentence(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith("benchmarks: ")
    assert len(error.splitlines()) == 1
    assert all(name in error for name in bench.names())


def test_benchmarks_are_found_by_scanning() -> None:
    assert "deep_linear" in bench.names()


def test_a_benchmark_prints_a_table_for_every_kind_of_start(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deep_linear, "SIDES", (5,))
    monkeypatch.setattr(deep_linear, "ROUNDS", 1)
    monkeypatch.setattr(deep_linear, "jax_is_there", lambda: False)
    assert main(["deep_linear"]) == 0
    out = capsys.readouterr().out
    assert "JAX is not installed" in out
    assert out.index("B well conditioned") < out.index("B singular")
    assert out.index("B singular") < out.index("balance 0.5") < out.index("levels 0.3 and 0.8")
    assert "BLAS" in out


def test_calm_has_a_row_for_every_job_and_sees_one_that_waits(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before, now = numba.get_num_threads(), [0.0]

    def waits() -> None:
        now[0] += 0.001 if numba.get_num_threads() == 1 else 0.02

    clock = SimpleNamespace(perf_counter=lambda: now[0], process_time=lambda: 0.0)
    monkeypatch.setattr(calm, "time", clock)
    monkeypatch.setattr(calm, "jobs", lambda: {"waits": waits})
    monkeypatch.setattr(calm, "ROUNDS", 1)
    monkeypatch.setattr(calm, "TURN", 0.001)
    assert main(["calm"]) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if "waits" in line)
    assert (float(row.split()[-2]) > 5.0) == (before > 1)
    assert numba.get_num_threads() == before


def test_the_competitor_ends_with_its_block() -> None:
    with calm.competitor() as child:
        assert child.poll() is None
    assert child.poll() is not None


def test_every_candidate_computes_the_same_on_a_well_conditioned_start() -> None:
    net = deep_linear.network(5, hard=False)
    assert max(deep_linear.errors(net, deep_linear.candidates(net)).values()) <= 1e-12


def test_what_is_computed_here_is_right_on_a_hard_start() -> None:
    net = deep_linear.network(5, hard=True)
    with np.errstate(all="ignore"):
        error = deep_linear.errors(net, deep_linear.candidates(net))
    assert error[deep_linear.OURS] <= 1e-12


@pytest.mark.parametrize(("a", "b"), [(0.0, 0.5), (0.3, 0.8)])
def test_what_is_computed_here_is_right_between_levels(a: float, b: float) -> None:
    for side in (5, 20):
        net = deep_linear.of_levels(side, a, b)
        ways = deep_linear.candidates_between_levels(net)
        assert (
            max(deep_linear.errors(net, {k: ways[k] for k in (deep_linear.OURS, deep_linear.WHOLE)}).values()) <= 1e-12
        )
    wrong = net._replace(levels=(a, b * (1.0 + 1e-9)))
    assert deep_linear.errors(wrong, {"here": ways[deep_linear.OURS]})["here"] > 1e-12


def test_candidates_take_turns_and_a_refusal_has_no_error() -> None:
    turns = []
    times = bench.seconds({"a": lambda: turns.append("a"), "b": lambda: turns.append("b")}, rounds=2, least=0.0)
    assert set(times) == {"a", "b"}
    assert "".join(turns) == "aabb" * 3  # in every turn a run that does not count, and one that does

    def refuses() -> None:
        raise np.linalg.LinAlgError

    assert deep_linear.errors(deep_linear.network(5, hard=False), {"c": refuses}) == {}


def test_the_trajectories_have_a_row_for_every_candidate_and_the_rates_one_for_c(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"SIZES": (1,), "ROUNDS": 1, "REPEATS": 2, "TIMES": np.arange(6.0), "END": 5}.items():
        monkeypatch.setattr(teacher_student, name, value)
    monkeypatch.setattr(teacher_student, "find_spec", lambda name: None)
    monkeypatch.setattr("benchmarks.online_sgd.comparisons", lambda: iter(()))
    assert main(["teacher_student"]) == 0
    out = capsys.readouterr().out
    assert "BLAS" in out
    assert "diffrax is not installed" in out
    assert out.count("SciPy") == 2
    assert "no C compiler" in out or "beside C written by hand" in out


@pytest.mark.parametrize("K", [1, 2, 3])
def test_every_candidate_integrates_the_same_flow(K: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"TIMES": np.arange(11.0), "END": 10}.items():
        monkeypatch.setattr(teacher_student, name, value)
    state, params = teacher_student.start(K)
    exact = teacher_student.run(state, params, 1e-13)
    for name, make in teacher_student.makers().items():
        assert np.abs(make(K, state, params)() - exact).max() < 1e-6, name


def test_the_rates_in_c_are_those_of_the_kernel() -> None:
    library = teacher_student.compiled_c()
    if library is None:
        pytest.skip("there is no C compiler")
    for K in (1, 2, 5):
        numba, c = teacher_student.right_sides(K, library)
        assert np.allclose(numba(), c(), rtol=0, atol=1e-15)


def test_a_tolerance_for_an_error_is_the_loosest_that_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    errors = {1e-5: 3e-4, 1e-6: 2e-5, 1e-7: 1e-6}
    monkeypatch.setattr(teacher_student, "LOOSER", list(errors))
    monkeypatch.setattr(teacher_student, "run", lambda state, params, rtol: np.array([errors[rtol]]))
    nothing = np.zeros(1)
    assert teacher_student.tolerance_for(2e-5, nothing, nothing, nothing) == 1e-6
    with pytest.raises(ValueError, match="no tolerance has an error of 1e-09"):
        teacher_student.tolerance_for(1e-9, nothing, nothing, nothing)


def test_a_peer_that_dies_is_a_line_and_the_others_stay() -> None:
    broken = linear_network.Setting({"PYTHONHOME": "/nowhere"}, 1)
    with linear_network.Elsewhere("2 to 50", 1, broken) as peer:
        ways, dead = linear_network.living({"broken": peer, "here": lambda: None})
    assert list(ways) == ["here"]
    assert dead == {"broken": "ended with status 1"}


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("found", [WIDE, MIDDLE], ids=str)
def test_peers_get_no_instructions_that_the_processor_lacks_or_that_compiled_code_may_not_use(
    monkeypatch: pytest.MonkeyPatch, there: bool, found: Registers
) -> None:
    monkeypatch.setattr(linear_network, "get_host_cpu_features", lambda: dict.fromkeys(NEEDS, there))
    monkeypatch.setattr(linear_network, "registers", lambda: found)
    ways = linear_network.numpys.__wrapped__()
    assert any("SkylakeX" in name for name in ways) == (there and found == WIDE)
    assert any("parallel" in name for name in ways)


def test_the_peak_has_as_many_chains_as_registers_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    for found, most in ((WIDE, 30), (MIDDLE, 7)):
        monkeypatch.setattr(linear_network, "registers", lambda found=found: found)
        count, loop = linear_network.chains()
        assert 4 <= count <= most
        assert loop(1) > 0.0


def test_of_the_pieces_of_the_peak_the_shortest_counts_on_each_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([9.0, 2.0, 7.0, 8.0, 4.0, 5.0])
    monkeypatch.setattr(linear_network, "PIECES", 3)
    monkeypatch.setattr(linear_network, "TURNS", 300)
    monkeypatch.setattr(linear_network, "chains", lambda: (5, lambda _turns: 0.0))
    monkeypatch.setattr(linear_network, "time_of", lambda _piece: next(times))
    monkeypatch.setattr(linear_network, "ThreadPoolExecutor", lambda _count: nullcontext(SimpleNamespace(map=map)))
    assert linear_network.peak(2) == 2 * 5 * LANES * 100 * (1 / 2.0 + 1 / 4.0)


def test_no_chain_of_the_peak_is_left_out_by_the_compiler() -> None:
    for loop, count in ((linear_network._five_chains, 5), (linear_network._twelve_chains, 12)):
        compiled = njit(loop.py_func)
        compiled(1, 0.5, 0.25)
        blocks = re.split(r"^\.?L\w+:", compiled.inspect_asm(compiled.signatures[0]), flags=re.MULTILINE)
        done = max(len(re.findall(r"\bv?fn?m(?:add|la)", block)) for block in blocks)
        wanted = count * LANES // registers().doubles
        if done == 0:
            pytest.skip("this processor has no fused multiply-add that is told by its name")
        assert done % wanted == 0, f"{done} multiply-adds in a loop of {wanted}"

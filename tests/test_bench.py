"""The benchmarks: how they measure, and that all candidates compute the same."""

from __future__ import annotations

import re

import numpy as np
import pytest
from case_files import Cases
from each import each
from numba import njit

import benchmarks as bench
from benchmarks import deep_linear, linear_network, teacher_student
from benchmarks.__main__ import main
from benchmarks.linear_network import NEEDS
from numerics.machine.lanes import LANES
from numerics.machine.lanes.registers import MIDDLE, WIDE, Registers, registers

FAMILIES = Cases(__file__, globals())

pytestmark = pytest.mark.laws  # nothing that is shipped depends on them


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


def test_what_is_computed_here_is_right_on_a_hard_start() -> None:
    net = deep_linear.network(5, hard=True)
    with np.errstate(all="ignore"):
        error = deep_linear.errors(net, deep_linear.candidates(net))
    assert error[deep_linear.OURS] <= 1e-12


@each(("a", "b"), [(0.0, 0.5), (0.3, 0.8)])
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


test_statements_have_their_verdicts = FAMILIES.verdicts()

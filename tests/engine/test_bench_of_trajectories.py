"""The bench of trajectories: narrow boxes that the checker accepts, where Euler's method in balls is lost."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from case_files import Cases

from benchmarks.flows import measured as of
from benchmarks.flows.bench import main
from benchmarks.flows.euler import STEP, time_of_width_one
from benchmarks.flows.systems import SYSTEMS, NoSuchFlow, systems
from derivations.recheck import Rejected

FAMILIES = Cases(__file__, globals())

GROWS = {"x": ("s", "x")}


def test_euler_loses_growth_when_its_first_error_has_grown_to_one() -> None:
    """The side of e^t is about t e^t times a step, as each step adds its square and all grow with the solution."""
    lost = time_of_width_one(GROWS, {"x": Fraction(1)}, Fraction(20))
    assert lost is not None
    assert Fraction(4) < lost < Fraction(6)
    assert time_of_width_one(GROWS, {"x": Fraction(1)}, lost - STEP) is None


def test_what_the_checker_refuses_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def refuse(_: object) -> None:
        raise Rejected("this is a lie")

    monkeypatch.setattr(of, "check", refuse)
    assert main(["--flow", "oscillator"]) == 1
    written = capsys.readouterr().out
    assert "oscillator\t2\t10\trefused" in written
    assert "this is a lie" in written


def test_the_table_is_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bench.json"
    assert main(["--flow", "oscillator", "--digits", "8", "--json", str(file)]) == 0
    assert "oscillator\t2\t10\tcertified" in capsys.readouterr().out
    (run,) = json.loads(file.read_text())["runs"]
    assert run["checked"]


def test_a_flow_that_is_not_known_is_named() -> None:
    with pytest.raises(NoSuchFlow, match="no flow 'Lorentz' in the bench: did you mean Lorenz"):
        systems(["Lorentz"])
    assert len({system.name for system in SYSTEMS}) == len(SYSTEMS)


test_statements_have_their_verdicts = FAMILIES.verdicts()

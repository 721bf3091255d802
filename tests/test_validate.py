"""Theory and simulation meet to the last digits, and a theory that is wrong is told from one that is right."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import islice, takewhile

import numpy as np
import pytest
from case_files import Cases
from each import each

from numerics.__main__ import main
from numerics.theory import deep_linear
from numerics.validate import ValidateError, extrapolation, linear_attention, linear_networks, run
from numerics.validate.rationals import Matrix, fractions

FAMILIES = Cases(__file__, globals())


@each("law", ["linear_networks", "shallow_networks", "modes", "linear_attention", "two_point"], one_of=2)
def test_extrapolated_gradient_descent_is_the_theory(law: str) -> None:
    found = list(run([law]))
    assert found
    assert not [outcome for outcome in found if not outcome.holds]


def test_a_theory_that_is_off_by_a_little_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = deep_linear.qqt

    def late(*given: object, **more: object) -> np.ndarray:
        found: np.ndarray = honest(*given, **more) * (1 + 1e-11)  # type: ignore[arg-type]
        return found

    monkeypatch.setattr(deep_linear, "qqt", late)
    in_doubles = takewhile(lambda outcome: outcome.case.endswith(", doubles"), linear_networks.outcomes())
    verdicts = [outcome.holds for outcome in in_doubles]
    assert len(verdicts) > 10
    assert not any(verdicts)


def test_a_wrong_moment_of_contexts_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = linear_attention.theory.directions

    def without_trace(*given: object, **more: object) -> linear_attention.theory.Directions:
        found = honest(*given, **more)  # type: ignore[arg-type]
        return replace(found, spreads=1.0 + 1.0 / linear_attention.TOKENS + 0.0 * found.spreads)

    monkeypatch.setattr(linear_attention.theory, "directions", without_trace)
    verdicts = {outcome.case: outcome.holds for outcome in islice(linear_attention.outcomes(), 8)}
    assert [case for case, holds in verdicts.items() if holds] == [
        "one merged head, doubles",
        "four merged heads, balanced, doubles",
    ]


def test_richardson_finds_the_constant_term_of_every_polynomial() -> None:
    def value(step: Fraction) -> Matrix:
        return fractions([[3 - 2 * step + 5 * step**3 - step**5, 1 / (7 + 0 * step)]])

    found = extrapolation.extrapolated([value(Fraction(1, 2**k)) for k in range(6)])
    assert found.tolist() == [[3, Fraction(1, 7)]]


def test_an_unknown_law_is_refused_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValidateError, match="no law is called 'twopoint'; there is linear_networks, "):
        list(run(["twopoint"]))
    assert main(["validate", "twopoint"]) == 2
    assert "no law is called 'twopoint'" in capsys.readouterr().err


def test_all_names_are_looked_at_before_anything_is_measured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numerics.validate.two_point.outcomes", pytest.fail)
    assert main(["validate", "two_point", "twopoint"]) == 2
    assert "no law is called 'twopoint'" in capsys.readouterr().err


def test_the_command_prints_a_verdict_for_every_case(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "shallow_networks"]) == 0
    assert capsys.readouterr().out.count("holds") == 3


test_statements_have_their_verdicts = FAMILIES.verdicts()

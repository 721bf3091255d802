"""Lies about the library: a file with one place changed is noticed by what the papers say."""

from __future__ import annotations

import ast

import pytest
from case_files import Cases

from benchmarks.mutants import LINEAR, VOUCHED, chosen, fates
from benchmarks.mutants.equivalent import ELSEWHERE, EQUIVALENT
from benchmarks.mutants.judge import KERNELS, VERDICT, judge, judge_by_tests
from benchmarks.mutants.mutations import source
from benchmarks.mutants.processes import apart, file_of

FAMILIES = Cases(__file__, globals())

LINEAR_MODEL = "derivations.models.two_layer_linear.definitions"


def test_a_share_is_drawn_by_its_seed_and_every_module_has_mutants() -> None:
    every = chosen([], 1, "")
    assert {mutant.module for mutant in every} == set(VOUCHED)
    assert len(every) >= 300
    drawn = chosen([], 0.1, "one")
    assert drawn == chosen([], 0.1, "one") != chosen([], 0.1, "two")
    assert len(drawn) == round(0.1 * len(every))


def test_a_wrong_factor_in_the_loss_of_a_model_is_noticed() -> None:
    wrong = next(
        m for m in chosen(["derivations.models.two_point.definitions"], 1, "") if m.text == "HALF = Fraction(1, 2)"
    )
    (fate,) = fates([wrong])
    assert fate.noticed
    assert fate.noticed[0] == VERDICT


@pytest.mark.laws
def test_nothing_notices_a_library_that_means_the_same() -> None:
    written_anew = {LINEAR_MODEL: ast.unparse(ast.parse(file_of(LINEAR_MODEL).read_text(encoding="utf-8")))}
    likely = [(LINEAR, name, 3.0) for name in ("network_output", KERNELS)]
    assert apart(judge, written_anew, likely, ()) is None


@pytest.mark.laws
def test_a_named_test_that_does_not_fail_has_noticed_nothing() -> None:
    depth = next(m for m in chosen([LINEAR_MODEL], 1, "") if m.text == "if depth < 1:" and m.what == "1 becomes 2")
    changed = {depth.module: source(file_of(depth.module), depth.place)}
    assert apart(judge_by_tests, changed, ELSEWHERE[LINEAR_MODEL])
    assert apart(judge_by_tests, changed, ["tests/test_house.py::test_that_is_not_there"]) is None
    assert apart(judge_by_tests, {}, ELSEWHERE[LINEAR_MODEL]) is None


def test_every_mutant_that_is_listed_is_one() -> None:
    assert EQUIVALENT.keys() <= {mutant.key for mutant in chosen([], 1, "")}
    assert ELSEWHERE.keys() <= VOUCHED.keys()


def test_mutants_have_names_of_their_own() -> None:
    every = chosen([], 1, "")
    assert len({mutant.name for mutant in every}) == len(every)
    assert len({mutant.key for mutant in every}) > len(every) - 20


test_statements_have_their_verdicts = FAMILIES.verdicts()

"""Lies about the library: a file with one place changed is noticed by what the papers say."""

from __future__ import annotations

import pytest

from derivations.audit.lies.library import VOUCHED, Mutant, chosen, fates
from derivations.text import DerivationError


def test_a_share_is_drawn_by_its_seed_and_every_module_has_mutants() -> None:
    every = chosen([], 1, "")
    assert {mutant.module for mutant in every} == set(VOUCHED)
    assert len(every) >= 300
    drawn = chosen([], 0.1, "one")
    assert drawn == chosen([], 0.1, "one") != chosen([], 0.1, "two")
    assert len(drawn) == round(0.1 * len(every))


def test_a_module_for_which_the_ledger_does_not_vouch_is_refused() -> None:
    with pytest.raises(DerivationError, match="vouches for no module"):
        chosen(["derivations.models.two_points"], 1, "")


def test_a_wrong_factor_in_the_loss_of_a_model_is_noticed() -> None:
    wrong = next(m for m in chosen(["derivations.models.two_point"], 1, "") if m.what == "1 becomes 2" and m.line < 75)
    (fate,) = fates([wrong])
    assert not fate.survived, fate.mutant.name


def test_mutants_have_names_of_their_own() -> None:
    names = [(mutant.module, mutant.place) for mutant in chosen([], 1, "")]
    assert len(set(names)) == len(names)
    assert all(isinstance(mutant, Mutant) for mutant in chosen([], 1, ""))

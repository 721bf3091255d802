"""No mutant of the code that the ledger vouches for survives the papers."""

from __future__ import annotations

import pytest

from derivations.audit.lies.library import Mutant, chosen, fates

pytestmark = pytest.mark.laws


@pytest.mark.parametrize("mutant", chosen([], 1, ""), ids=lambda mutant: mutant.name.replace(" ", "_"))
def test_a_mutant_is_noticed(mutant: Mutant) -> None:
    (fate,) = fates([mutant])
    assert not fate.survived

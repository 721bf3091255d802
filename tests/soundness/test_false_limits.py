"""False limits of every kind that a series, a side, a sign or an oscillation invites: none is proved."""

from __future__ import annotations

from case_files import Cases
from each import each
from soundness.judged import judged

from derivations import prove
from derivations.text import DerivationError

FAMILIES = Cases(__file__, globals())


LIES = FAMILIES["lies"]
WITHOUT_REFUTATION = {"no value near", "no value for any b"}


@each("name", [*LIES])
def test_no_false_limit_is_proved(name: str) -> None:
    expression, to, claimed, assuming = LIES[name]
    try:
        found = judged(prove.limit(expression, to, claimed, assuming))
    except DerivationError:
        return
    assert found in ("open", "refuted")
    assert found == "open" or name not in WITHOUT_REFUTATION


test_statements_have_their_verdicts = FAMILIES.verdicts()

"""Formulas and numbers of a sentence are tied to what was judged, and what a lie changes in them is not."""

from __future__ import annotations

from typing import Any

from case_files import Cases

from derivations.audit.lies.sentences import Fates, lies, tell
from derivations.audit.sentences import Sentences
from derivations.audit.sentences.ties import Judged, tied
from derivations.author import Symbol, letters
from derivations.commands.main import main
from derivations.prove import identity
from derivations.prove.certificate import Certificate

FAMILIES = Cases(__file__, globals())

a, b = Symbol("a", positive=True), Symbol("b", positive=True)
SQUARE = identity((a + b) ** 2, a**2 + 2 * a * b + b**2)
W, V = letters("W_1: n x m, V: n x n")


def entry(certificate: Certificate, says: str, **others: Any) -> dict[str, Any]:
    told = {"id": "mine:one", "kind": "claim", "says": says, "rests_on": [], "inherits": [], "where": ["Eq. 7"]}
    told |= {"latex": None, "sha256": says, "certificate": certificate.as_json(), "reading": None}
    return told | others


def shown(certificate: Certificate, says: str, **others: Any) -> list[str]:
    one = entry(certificate, says, **others)
    return [says[start:end] for start, end in Sentences([one]).tied(one)]


def test_every_lie_about_a_tied_formula_is_refused_and_other_words_are_a_persons() -> None:
    one, fates = entry(SQUARE, "For every a and b, (a + b)^2 is at least 4 a b, with the term 2 a b."), Fates()
    tell(one, Sentences([one]), fates)
    assert not fates.survived
    assert fates.row("signs") == (1, 0, 0)
    assert fates.row("quantifiers") == fates.row("comparisons") == (0, 1, 0)
    assert fates.row("numbers") == (2, 1, 0)
    assert fates.row("conditions dropped")[0] == 0


def test_a_tie_that_holds_for_two_formulas_is_none() -> None:
    both = identity(a * b + 2 * a * b + 3 * a * b, 6 * a * b)
    assert not tied("There is 2 a b.", Judged(both.statement))
    assert next(lie for _, lie, _, _ in lies("There is 2 a b.")) == "There is 3 a b."


def _turned(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _turned(data[key]) for key in reversed(data)}
    return [_turned(part) for part in data] if isinstance(data, list | tuple) else data


def test_a_lie_about_words_is_told_by_the_command(capsys: Any) -> None:
    assert main(["lies", "--words", "van_rossem_saxe_2024:encoder_link6"]) == 0
    assert "survived" not in capsys.readouterr().out


test_statements_have_their_verdicts = FAMILIES.verdicts()

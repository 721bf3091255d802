"""Formulas and numbers of a sentence are tied to what was judged, and what a lie changes in them is not."""

from __future__ import annotations

from typing import Any

from each import each
from sympy import Eq

from derivations.audit.lies.sentences import Fates, lies, tell
from derivations.audit.sentences import Sentences
from derivations.audit.sentences.formula import relations
from derivations.audit.sentences.ties import Judged, meanings_of, tied
from derivations.author import Symbol, letters
from derivations.commands.main import main
from derivations.prove import identity, positive, words
from derivations.prove.certificate import Certificate

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


@each(
    ("says", "expected"),
    [
        ("The square of a + b has the term 2 a b.", ["a + b", "2 a b"]),
        ("The square of a - b has the term 3 a b.", []),
        ("(a + b)^2 = a^2 + 2 a b + b^2, for all of them.", ["(a + b)^2 = a^2 + 2 a b + b^2"]),
        ("(a + b)^2 = a^2 + a b + b^2.", []),
        ("a^2 + b^2 + 2 a b > 0, not a^2 + b^2 + 2 a b < 0.", []),
        ("b is a letter, and a^2 + b^2 a part.", ["a^2 + b^2"]),
        ("With c = a b it is a^2 + b^2 + 2 c, and not a^2 + b^2 + c.", ["a^2 + b^2 + 2 c"]),
        ("It is equation 7, and not equation 9.", ["7"]),
        ("A student's exponent is 5.", []),
    ],
)
def test_a_formula_is_tied_if_the_statement_has_it(says: str, expected: list[str]) -> None:
    assert shown(SQUARE, says) == expected


def test_products_of_matrices_are_tied_in_their_order() -> None:
    certificate = words((V @ W).T @ V, W.T @ V.T @ V)
    assert shown(certificate, "(V W1)' V is W1' V' V, and not V' V W1 or W1' V V.") == ["(V W1)' V", "W1' V' V"]


def test_an_order_is_tied_the_way_round_that_it_holds() -> None:
    certificate = positive(a + b - a / 2)
    assert shown(certificate, "a + b - a/2 > 0, so never a + b - a/2 < 0.") == ["a + b - a/2 > 0"]


def test_names_of_the_print_stand_for_what_they_are_read_as() -> None:
    reading = {"letters": {"|| d h || ^ { 2 }": ["h", ["s", "a"]], r"\tau _ { y }": ["tau_y", ["s", "b"]]}}
    assert shown(SQUARE, "2 |dh|^2 tau_y is a term, |dh|^2 + 2 tau_y is none.", reading=reading) == ["2 |dh|^2 tau_y"]
    assert meanings_of([{"reading": reading}])[relations(["|", "dh", "|", "^", "2"])[0][0]] == (
        "stands for",
        ("s", "a"),
    )


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


def test_ties_are_the_same_however_a_ledger_orders_its_keys() -> None:
    """A ledger that was written to a file may be sorted, and the pages of both are compared."""
    reading = {"letters": {"U": ["U", ["s", "b"]], r"\mathbf{U}": ["U", ["s", "a"]], "U_t": ["U_t", ["s", "b"]]}}
    root = identity(a * b + 2 * a * b, 3 * a * b, [Eq(a, b**2)])
    says = "(a + b)^2 is a^2 + b^2 + 2 a b, U^2 + b^2 + 2 U b, and 2 a b is 2 U b."
    for certificate in (SQUARE, root, words((V @ W).T @ V, W.T @ V.T @ V)):
        one = entry(certificate, says, reading=reading)
        turned = _turned(one) | {"id": "mine:turned"}
        assert Sentences([one]).tied(one) == Sentences([turned]).tied(turned)


def _turned(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _turned(data[key]) for key in reversed(data)}
    return [_turned(part) for part in data] if isinstance(data, list | tuple) else data


def test_sentences_that_nobody_wrote_and_experiments_have_no_ties() -> None:
    assert shown(SQUARE, "What the same implies without the hypothesis: a + b.") == []
    assert shown(SQUARE, "The square of a + b.", kind="experiment") == []
    assert shown(SQUARE, "The square of a + b.") == ["a + b"]


def test_a_lie_about_words_is_told_by_the_command(capsys: Any) -> None:
    assert main(["lies", "--words", "van_rossem_saxe_2024:encoder_link6"]) == 0
    assert "survived" not in capsys.readouterr().out

"""A person's words beside a computed sentence: which of them nothing judged has, and lies about both."""

from __future__ import annotations

from typing import Any

from each import each
from sympy import Symbol, cos, sin, sqrt

from derivations.audit.glosses import free_words
from derivations.audit.ledger import plain
from derivations.audit.lies.sentences import MOST, about, lies, spread
from derivations.audit.mistakes import ARITHMETIC, Mistakes
from derivations.commands.main import main
from derivations.models import committee, two_layer_linear, two_point
from derivations.paper.second import compared
from derivations.prove import identity, inequality
from derivations.prove.certificate import Certificate
from derivations.report.written.claims import _gloss, read_again

a, b = Symbol("a", positive=True), Symbol("b", positive=True)
root = Symbol("r", real=True)
SQUARE = identity((a + b) ** 2, a**2 + 2 * a * b + b**2)


def entry(certificate: Certificate, says: str, **others: Any) -> dict[str, Any]:
    told = {"id": "mine:one", "kind": "claim", "says": says, "rests_on": [], "inherits": [], "where": ["Eq. 7"]}
    told |= {"latex": None, "sha256": says, "certificate": plain(certificate), "verdict": certificate.verdict.value}
    return told | {"trusts": ["ring"]} | others


def free(says: str, **others: Any) -> list[str]:
    return [says[start:end] for start, end in free_words(entry(SQUARE, says, **others))]


@each(
    ("says", "expected"),
    [
        ("The square of a + b has the term 2 a b.", []),
        ("The square of a - b has the term 3 a b.", ["3"]),
        ("For all of them it is negative, and never below 4 a b.", ["negative", "never", "below", "4"]),
        ("Every square of two positive numbers, whatever they are.", []),
        ("By lines 2 and 5 equation 7 is half of equation 9: zero, not 9.", ["half", "zero", "not", "9"]),
        ("Small steps leave every saddle slowly.", ["Small", "saddle", "slowly"]),
        ("Most students learn faster, unless balanced.", ["Most", "learn", "faster", "unless", "balanced"]),
    ],
)
def test_numbers_comparisons_quantifiers_and_notions_that_nothing_has_are_free(says: str, expected: list[str]) -> None:
    assert free(says) == expected
    (shown,) = _gloss(entry(SQUARE, says))
    assert shown.startswith("In words (a person's): ")
    assert all(f"*{word}*" in shown for word in expected)


def test_sentences_that_nobody_wrote_and_experiments_are_no_glosses() -> None:
    assert free("What the same implies without the hypothesis: every one.") == []
    assert free("No square.", kind="experiment") == []
    assert free("No square.") == ["No"]


@each("certificate", [SQUARE, inequality((a + b) ** 2 > 4 * a * b - 1)])
def test_no_lie_about_a_computed_sentence_survives_and_other_words_are_a_persons(certificate: Certificate) -> None:
    says = "For every a and b, (a + b)^2 is at least 4 a b."
    fates = about([entry(certificate, says)])
    assert not fates.survived
    assert sum(fates.refused.values()) >= 10
    assert fates.free == {
        "quantifiers": 1,
        "comparisons": 1,
        "numbers": 2,
        "signs": 1,
        "conditions dropped": 1,
    }


def test_lies_are_spread_over_a_long_sentence() -> None:
    every = list(lies(" + ".join(f"{k} x" for k in range(100))))
    assert len(spread(every, MOST)) <= MOST
    assert spread(every, MOST)[-1] in every[-len(every) // MOST - 1 :]


def test_a_lie_about_words_is_told_by_the_command(capsys: Any) -> None:
    assert main(["lies", "--words", "van_rossem_saxe_2024:encoder_link6"]) == 0
    told = capsys.readouterr().out
    assert "refused" in told
    assert "survived" not in told


def test_a_statement_without_a_quantity_of_the_model_is_an_arithmetic_step() -> None:
    turn, weight = Symbol("turn", real=True), Symbol("w1", real=True)
    circle, scaled = (
        identity(cos(turn) ** 2 + sin(turn) ** 2, 1),
        identity((weight + 1) ** 2 - 1, weight**2 + 2 * weight),
    )
    named = [entry(circle, "No noise helps.", id="mine:circle"), entry(scaled, "It grows.", id="mine:scaled")]
    told = [one | {"printed": False, "corrected_by": None, "asserted": False, "expected": "proved"} for one in named]
    known = Mistakes(told, quantities=two_layer_linear.QUANTITIES)
    assert known.classes["mine:circle"] == ARITHMETIC != known.classes["mine:scaled"]
    assert ARITHMETIC not in Mistakes(told).classes.values()
    assert all(len(model.QUANTITIES) > 20 for model in (committee, two_layer_linear, two_point))


def test_a_second_reading_stands_beside_the_quotation_with_what_the_prover_says() -> None:
    wide, narrow = (
        identity(sqrt(root**2), root, assuming=[root >= 0]),
        identity(sqrt(root**2), root, assuming=[root > 1]),
    )
    first, second = (plain(each)["statement"] for each in (wide, narrow))
    assert [compared(first, second), compared(second, first)] == ["stronger", "weaker"]
    quoted = entry(wide, "A root.", quote="The root of a square is the number.")
    (told,) = read_again(quoted, {"relation": compared(first, second), "statement": second})
    assert told.startswith(
        'The source: "The root of a square is the number." *Read again* from these words alone: For all '
    )
    assert told.endswith("`sqrt(r^2) = r`. What was judged is stronger.")
    assert read_again(quoted, None) == ['The source: "The root of a square is the number."']
    assert read_again(quoted | {"quote": ""}, None) == []

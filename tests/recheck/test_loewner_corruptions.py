"""The checker of inequalities between matrices accepts what is proved or refuted, and none of its corruptions."""

from __future__ import annotations

from typing import Any

from case_files import Cases
from each import each
from loewner_statements import A, I, X
from recheck.certificates import orders
from recheck.corrupt import placed, refusal

from derivations import prove
from derivations.audit.ledger import plain
from derivations.language.words import Letter

FAMILIES = Cases(__file__, globals())

MADE = {name.removeprefix("orders, "): certificate for name, certificate in orders().items()}


def test_a_definite_matrix_needs_a_piece_that_vanishes_at_zero_only() -> None:
    for name in ("more than the identity", "the identity times a positive number", "a bracket of any shape"):
        made = MADE[name]
        pieces = made["payload"]["pieces"]
        for k, piece in enumerate(pieces):
            square = ["tr", ["@", ["T", ["L", "A"]], ["L", "A"]]]
            assert "I" not in str(piece) or refusal(placed(made, ("payload", "pieces", k), ["*", square, piece]))
        weak = [piece for piece in pieces if "order" in str(piece)]
        assert refusal(placed(made, ("payload", "pieces"), weak))


ONE, A_LETTER = ["I", "n"], ["L", "A"]


@each("piece", FAMILIES["pieces that may be negative are rejected"])  # fmt: skip
def test_pieces_that_may_be_negative_are_refused(piece: Any) -> None:
    """The rest of the sum is what makes it right: only the sign is a lie."""
    n = Letter("X", "n", "n")
    made = plain(prove.loewner(n.T @ n + A @ A >= 0, []))
    assert not refusal(made)
    assert refusal(placed(made, ("payload", "pieces", 0), piece))
    assert refusal(placed(made, ("payload", "pieces"), [*made["payload"]["pieces"], piece, ["*", ["q", "-1"], piece]]))


def test_a_hypothesis_must_be_symmetric_as_it_stands() -> None:
    made = plain(prove.loewner(X.T @ A @ X + X.T @ X >= 0, [A >= 0, I > 0]))
    assert not refusal(made)
    turned = Letter("M", "n", "n")
    made["statement"]["letters"]["M"] = turned.declared()
    made["statement"]["orders"][1]["left"]["formula"] = ["L", "M"]
    assert refusal(made)


test_statements_have_their_verdicts = FAMILIES.verdicts()


@each("name", [*MADE])
def test_parts_of_a_statement_are_of_their_own_kind(name: str) -> None:
    """An object in the place of an empty list, or a list in the place of false, says the same and is refused."""
    made = MADE[name]
    rules = made["statement"]["rules"]
    changes: list[tuple[tuple[Any, ...], Any]] = [(("statement", key), {}) for key in ("orders", "rules")]
    changes += [(("statement", "rules", 0, "oriented"), wrong) for wrong in ([], 0, None, {}, "")] if rules else []
    for path, wrong in changes:
        assert refusal(placed(made, path, wrong)), (path, wrong)

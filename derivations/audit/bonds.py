"""The bond of a print with what was judged: the checker's reader finds it there, and its left side is told."""

from __future__ import annotations

from typing import Any

from derivations.language.terms import as_tuples, in_one_order
from derivations.latex.fold import NotThisKind
from derivations.latex.formula import Formula
from derivations.latex.rules.recorded import record
from derivations.prove.certificate import Json, Verdict
from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.ledgers.givens import asserted
from derivations.recheck.reader.agree import MALFORMED, STANDS_FOR_IT, Judged

EQUALITIES = frozenset(("identity", "words", "sums", "average", "sign"))
SUPPOSED = frozenset(("assuming", "rules", "symbols", "letters", "arrays", "squares", "among", "flow", "start"))
"""Parts of a statement that are supposed, or hints for a prover: they assert nothing."""
HYPOTHESES = SUPPOSED - {"flow", "start"}
EMPTY: Json = {"kind": "empty"}


def speaks_of(formula: Formula, statement: Json) -> bool:
    """Check whether the checker's reader finds both sides of every printed relation in a statement.

    >>> import sympy as sp
    >>> from derivations import prove
    >>> from derivations.latex import Notation
    >>> from derivations.latex.printed import Vocabulary
    >>> a, b = sp.symbols("a b", real=True)
    >>> printed = Formula("a^2-b^2=(a+b)(a-b)", Vocabulary(Notation(letters="a b"), meanings={"a": a, "b": b}))
    >>> speaks_of(printed, prove.identity((a - b) * (a + b), a**2 - b**2).statement)
    True
    >>> speaks_of(printed, prove.identity((a + b) ** 2, a**2 + 2 * a * b + b**2).statement)
    False
    """
    notes = bond(formula, statement)
    return notes is not None and not any(note.endswith(STANDS_FOR_IT) for note in notes)


def stated_by_proved_parts(formula: Formula, certificate: Json) -> bool:
    """Check that a part of a conjunction is proved that is the printed relation, so that another part was refuted."""
    if certificate["verdict"] == Verdict.PROVED.value:
        has_sides = all(_has_left(part) for part in formula.relations() if part.relation)
        return has_sides and speaks_of(formula, certificate["statement"])
    return any(stated_by_proved_parts(formula, part) for part in certificate["payload"].get("parts", ()))


# --- what left sides stand for ----------------------------------------------------------------------------------------


def bond(formula: Formula, statement: Json, reading: Json | None = None) -> list[str] | None:
    """Return what a page has to tell of left sides for a statement to speak of a printed formula; None where it does
    not.

    >>> import sympy as sp
    >>> from derivations import prove
    >>> from derivations.latex import Notation
    >>> from derivations.latex.printed import Vocabulary
    >>> a, b = sp.symbols("a b", real=True)
    >>> printed = Formula("c=a^2-b^2", Vocabulary(Notation(letters="a b c"), meanings={"a": a, "b": b}))
    >>> bond(printed, prove.identity((a - b) * (a + b), printed.right).statement)
    ['the left side, c, stands for what is judged to be equal to the right one']
    >>> bond(printed, prove.identity((a - b) * a, a**2 - a * b).statement)
    """
    made = reading or record(formula)
    if made["kind"] == "unread":
        raise NotThisKind(made["why"])
    try:
        with budget():
            return Judged(made, _without_empty(statement)).told([*formula.notes(), *formula.told()])
    except (Rejected, *MALFORMED):
        return None


def _has_left(part: Formula) -> bool:
    try:
        return part.left is not None
    except NotThisKind:
        return False


def _is_supposed(leaf: Json) -> bool:
    order, sides = leaf.get("relation", "="), [as_tuples(leaf.get(side)) for side in ("left", "right")]
    supposed = [as_tuples(r) for r in leaf.get("assuming", ())]
    supposed += [(order, as_tuples(r["left"]), as_tuples(r["right"])) for r in leaf.get("rules", ())]
    return (order, *sides) in supposed or (order == "=" and (order, *sides[::-1]) in supposed)


# --- statements -------------------------------------------------------------------------------------------------------


def is_part_of(statement: Json, whole: Json) -> bool:
    """Check whether a statement asserts nothing that another one does not, whatever either of them supposes.

    >>> from derivations import prove
    >>> import sympy as sp
    >>> a, b = sp.symbols("a b", real=True)
    >>> whole = prove.every(prove.identity(a, b, [sp.Eq(a, b)]), prove.identity(a + a, 2 * a)).statement
    >>> is_part_of(prove.identity(a, b).statement, whole), is_part_of(prove.identity(a, 2 * b).statement, whole)
    (True, False)
    """
    known = [_without_hypotheses(part) for part in asserted(whole)]
    return all(_without_hypotheses(part) in known for part in asserted(statement))


def _without_hypotheses(statement: Json) -> Json:
    return {key: as_tuples(value) for key, value in statement.items() if key not in HYPOTHESES}


def is_empty(statement: Json) -> bool:
    """Check whether a statement equates a formula with itself, and so says nothing.

    >>> import sympy as sp
    >>> from derivations import prove
    >>> a, b = sp.symbols("a b", real=True)
    >>> is_empty(prove.identity(a * b, b * a).statement), is_empty(prove.identity((a + b) ** 2, (a + b) * a).statement)
    (True, False)
    """
    return bool(_without_empty(statement) == EMPTY)


def _without_empty(statement: Any) -> Any:
    """A statement without what says nothing: parts that equate a formula with itself, or state what they suppose."""
    if isinstance(statement, list | tuple):
        return [_without_empty(part) for part in statement]
    if not isinstance(statement, dict):
        return statement
    if statement.get("kind") in EQUALITIES and "left" in statement:
        left, right = (in_one_order(_listed(statement[side])) for side in ("left", "right"))
        return EMPTY if left == right or _is_supposed(statement) else statement
    return {key: _without_empty(part) for key, part in statement.items()}


def _listed(data: Any) -> Any:
    """JSON with its objects as lists of their values."""
    if isinstance(data, dict):
        return [_listed(value) for value in data.values()]
    return [_listed(part) for part in data] if isinstance(data, list | tuple) else data

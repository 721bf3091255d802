"""The bond of a print with what was judged: the checker's reader finds it there, and its left side is told."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from derivations.language.sums import Sums
from derivations.language.sums import as_json as sums_json
from derivations.language.terms import as_tuples, in_one_order
from derivations.language.words import Words
from derivations.language.words import as_json as words_json
from derivations.language.words.blocks import Blocks
from derivations.latex.fold import NotThisKind
from derivations.latex.formula import Formula
from derivations.latex.rules.recorded import record
from derivations.paper.equals.stated import asserted
from derivations.prove.certificate import Json, Verdict
from derivations.prove.stating import from_sympy
from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import normal
from derivations.recheck.ledgers import formulas
from derivations.recheck.reader.agree import ALSO, STANDS_FOR, TOLD, Judged, branches, require_agreement
from derivations.recheck.reader.facts import VARIABLE
from derivations.recheck.reader.parse import Relation

EQUALITIES = frozenset(("identity", "words", "sums", "average", "sign"))
SUPPOSED = frozenset(("assuming", "rules", "symbols", "letters", "arrays", "squares", "among", "flow", "start"))
"""What a statement supposes, or gives a prover as a hint: what stands there is not asserted."""
HYPOTHESES = SUPPOSED - {"flow", "start"}
EMPTY: Json = {"kind": "empty"}


def speaks_of(formula: Formula, statement: Json, notes: Collection[str] = (), reading: Json | None = None) -> bool:
    """Check whether the checker's reader finds every printed relation in a statement, with what the page tells besides.

    reading: the record of the formula, where it is known.

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
    made = reading or record(formula)
    if made["kind"] == "unread":
        raise NotThisKind(made["why"])
    try:
        with budget():
            told = [*formula.notes(), *formula.told(), *notes]
            require_agreement(made, made["reads"], {"statement": _without_empty(statement)}, told)
    except Rejected:
        return False
    return True


def stated_by_proved_parts(formula: Formula, certificate: Json) -> bool:
    """Check that a part of a conjunction is proved that is the printed relation, so that another part was refuted."""
    if certificate["verdict"] == Verdict.PROVED.value:
        has_sides = all(_lefts(part) for part in formula.relations() if part.relation)
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
    ['the left side, c, stands for (a + b)*(a - b)']
    >>> bond(printed, prove.identity((a - b) * a, a**2 - a * b).statement)
    """
    made, stated = reading or record(formula), _without_empty(statement)
    if speaks_of(formula, statement, reading=made):
        return []
    known = [formulas.term(t) for part in formula.relations() if part.kind == "scalars" for t in _data(part.right)]
    with budget():
        judged = Judged(normal(made), normal(stated), [*formula.notes(), *formula.told()])
        made_of = [_note(judged, relation, upper, known) for relation in judged.printed for upper in branches(relation)]
    notes = list(dict.fromkeys(filter(None, made_of)))
    return notes if speaks_of(formula, statement, notes, made) else None


def _note(judged: Judged, relation: Relation, upper: bool, known: Collection[str]) -> str:
    """A note that tells a left side which the statement does not speak of; nothing where there is none to tell.

    known: how right sides are written, which a page need not tell where there is anything else to tell.
    """
    pairs, spoken = judged.pairs(relation, upper), judged.spoken(relation.left)
    if not spoken or judged.place(relation, pairs) is not None:
        return ""
    said = [[text for f in p.facts if p.tells(f) and (text := f.told())] for near in pairs for p in near]
    solved = [text for texts in said for text in texts if text.endswith(VARIABLE.format(""))]
    first = [next((text for text in texts if text not in known), texts[0]) for texts in said if texts]
    return f"{TOLD}{spoken}{STANDS_FOR}{ALSO.join(dict.fromkeys(solved or first))}" if first else ""


def _lefts(part: Formula) -> list[Any]:
    try:
        return _data(part.left)
    except NotThisKind:
        return []


def _is_supposed(leaf: Json) -> bool:
    order, sides = leaf.get("relation", "="), [as_tuples(leaf.get(side)) for side in ("left", "right")]
    supposed = [as_tuples(r) for r in leaf.get("assuming", ())]
    supposed += [(order, as_tuples(r["left"]), as_tuples(r["right"])) for r in leaf.get("rules", ())]
    return (order, *sides) in supposed or (order == "=" and (order, *sides[::-1]) in supposed)


def _data(side: Any) -> list[Any]:
    """A side as the data that statements hold."""
    if isinstance(side, Blocks):
        return [words_json(entry) for row in side.rows for entry in row]
    if isinstance(side, Words):
        return [words_json(side)]
    if isinstance(side, Sums):
        return [sums_json(side)]
    if isinstance(side, tuple):
        return [part for entry in side for part in _data(entry)]
    return [from_sympy(side)]


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

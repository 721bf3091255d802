"""The bond of a print with what was judged: the checker's reader finds it there, and its left side is told."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from derivations.language.sums import Sums
from derivations.language.sums import as_json as sums_json
from derivations.language.sums.formulas import in_normal_form as sums_in_normal_form
from derivations.language.terms import as_tuples, in_one_order
from derivations.language.words import Words
from derivations.language.words import as_json as words_json
from derivations.language.words.blocks import Blocks
from derivations.language.words.formulas import Reader, in_normal_form
from derivations.latex.agree import same
from derivations.latex.fold import NotThisKind
from derivations.latex.formula import Formula
from derivations.latex.rules.recorded import record
from derivations.paper.equals.stated import asserted
from derivations.prove.certificate import Json, Verdict
from derivations.prove.stating import from_sympy
from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.ledgers import formulas
from derivations.recheck.ledgers.reading import average
from derivations.recheck.reader.agree import require_agreement

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
    lefts = [(part, _lefts(part)) for part in formula.relations() if part.relation and not part.supposed]
    reading = reading or record(formula)
    if all(left for _, left in lefts) and speaks_of(formula, statement, reading=reading):
        return []
    notes: dict[str, None] = {}
    for part, left in lefts:
        is_said = part.left_is or part.computes_on_the_left
        if not is_said and not (left and len(lefts) > 1 and speaks_of(part, statement)):
            meant = dict.fromkeys(_meant(left, part, _without_empty(statement)))
            notes |= dict.fromkeys(
                [f"the left side, {part.left_text}, stands for {'; for '.join(meant)}"] if meant else []
            )
    return [*notes] if speaks_of(formula, statement, notes, reading) else None


def _lefts(part: Formula) -> list[Any]:
    try:
        return _data(part.left)
    except NotThisKind:
        return []


def _meant(lefts: list[Any], part: Formula, statement: Json) -> list[str]:
    """As text, what a statement says that the right side is, where the left one has no meaning of its own."""
    written = list(_records(statement))
    pairs = list(zip(written, _records(sums_in_normal_form(in_normal_form(statement))), strict=True))
    rights = _data(part.right)
    solved = [text for right in rights for _, said in pairs for text in _solved(said, right)]
    others = [(said, normal) for said, normal in pairs if not any(_has_name(left, normal) for left in lefts)]
    return solved or [text for right in rights for pair in others for text in _equated(*pair, right)]


def _has_name(left: Any, said: Json) -> bool:
    """Check whether a side is a name that stands in what a statement equates."""
    return bool(_name(left)) and repr(as_tuples(left)) in repr(as_tuples([said.get("left"), said.get("right")]))


def _solved(said: Json, right: Any) -> Iterator[str]:
    """Find the variable of its flow whose solution a statement says that a side is."""
    if isinstance(solution := said.get("solution"), dict):
        yield from (f"{name}, a variable of the flow" for name, v in solution.items() if _alike(right, _value(said, v)))


def _equated(written: Json, said: Json, right: Any) -> Iterator[str]:
    """Return what a statement says that a side is equal to, or which of its names it defines so."""
    if _is_supposed(said):
        return
    yield from (f"{_name(name)}, which is defined so" for name, value in _definitions(said) if _alike(right, value))
    if said.get("kind") == "average" and _alike(right, said["right"]):
        yield f"an average, {average(written)}"
    elif said.get("kind") in EQUALITIES - {"average"} and said.get("relation", "=") == "=":
        others = {"right": "left", "left": "right"}
        alike = [side for is_so in (_is_written_alike, _alike) for side in others if is_so(right, said[side])]
        if alike:
            yield _text(written[others[alike[0]]])


def _value(said: Json, side: Any) -> Any:
    """A matrix that solves a flow, in normal form."""
    if isinstance(side, dict) and "formula" in side and "letters" in said:
        return words_json(Reader(said["letters"]).side(side))
    return side


def _text(side: Any) -> str:
    """A side as the checker writes it, whose reader compares what is told."""
    if isinstance(side, dict):
        return formulas.words(side) if "shape" in side else formulas.sums(side)
    return formulas.term(side) if side and isinstance(side[0], str) else formulas.sums(side)


def _is_written_alike(one: Any, other: Any) -> bool:
    return bool(in_one_order(_listed(one)) == in_one_order(_listed(other)))


def _alike(one: Any, other: Any) -> bool:
    """Check whether two sides are written alike, in any order, or are scalar terms of one normal form."""
    if _is_written_alike(one, other):
        return True
    term = as_tuples(one)
    try:
        return isinstance(term, tuple) and isinstance(term[0], str) and same(term, as_tuples(other))
    except ValueError:
        return False  # what it cannot compare is taken as different


def _records(statement: Any) -> Iterator[Json]:
    """Every statement inside a statement that is asserted there, in its order."""
    if isinstance(statement, dict):
        if statement.get("kind") in ("by", "not"):
            yield from _records(statement.get("concludes"))
            return
        if "kind" in statement:
            yield statement
        for key, part in statement.items():
            if key not in SUPPOSED:
                yield from _records(part)
    elif isinstance(statement, list | tuple):
        for part in statement:
            yield from _records(part)


def _definitions(leaf: Json) -> list[Any]:
    """The hypotheses that say what a name in one of the sides is."""
    sides = repr((leaf.get("left"), leaf.get("right"), leaf.get("integrand")))
    relations = [(left, right) for order, left, right in leaf.get("assuming", ()) if order == "="]
    relations += [(rule["left"], rule["right"]) for rule in leaf.get("rules", ())]
    both = [pair for a, b in relations for pair in ((a, b), (b, a))]
    return [[name, value] for name, value in both if (text := _name(name)) and repr(text) in sides]


def _name(side: Any) -> str:
    """The name of which a side consists, or nothing."""
    if isinstance(side, dict):  # a polynomial of one letter
        match side.get("terms"):
            case [["1", [], [name]]]:
                return str(name)
        return ""
    return str(side[1]) if side and side[0] == "s" else ""


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

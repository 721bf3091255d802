"""What ties a printed formula to what was judged: its right side stands there, and what the left one is is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from derivations.language.show import average, plain
from derivations.language.show import sums as show_sums
from derivations.language.show import words as show_words
from derivations.language.sums import Sums
from derivations.language.sums import as_json as sums_json
from derivations.language.sums import as_written as sums_as_written
from derivations.language.sums.formulas import in_normal_form as sums_in_normal_form
from derivations.language.terms import ZERO, Term, as_tuples, in_one_order
from derivations.language.words import Words
from derivations.language.words import as_json as words_json
from derivations.language.words import as_written as words_as_written
from derivations.language.words.blocks import Blocks, paired
from derivations.language.words.formulas import Reader, in_normal_form
from derivations.latex.agree import same
from derivations.latex.fold import NotThisKind
from derivations.latex.formula import Formula
from derivations.prove.certificate import Json, Verdict
from derivations.prove.stating import from_sympy

STATES, CONTAINS = "the statement is the printed relation", "the statement contains the printed formula"
EQUALITIES = frozenset(("identity", "words", "sums", "average", "sign"))
ORDERS = frozenset((">", ">="))
UNBOUND = frozenset(("!=", *ORDERS))  # printed relations that no formula alone can speak of
SUPPOSED = frozenset(("assuming", "rules", "symbols", "letters", "arrays", "squares", "among", "flow", "start"))
"""What a statement supposes, or gives a prover as a hint: what stands there is not asserted."""
SIGNS = {"positive": ">", "nonnegative": ">="}  # what a statement may suppose of a symbol, as a relation to zero
EMPTY: Json = {"kind": "empty"}
HYPOTHESES = SUPPOSED - {"flow", "start"}


def bond(formula: Formula, statement: Json) -> str | None:
    """How a statement speaks of a printed formula: it is that relation, or contains its right side; None if neither.

    >>> import sympy as sp
    >>> from derivations import prove
    >>> from derivations.latex import Notation
    >>> from derivations.latex.printed import Vocabulary
    >>> a, b = sp.symbols("a b", real=True)
    >>> printed = Formula("a^2-b^2", Vocabulary(Notation(letters="a b"), meanings={"a": a, "b": b}))
    >>> bond(printed, prove.identity((a - b) * (a + b), printed.right).statement)
    'the statement contains the printed formula'
    >>> bond(printed, prove.identity((a + b) ** 2, a**2 + 2 * a * b + b**2).statement)
    """
    statement = _without_empty(statement)
    printed = formula.relations()
    given = [part for part in printed if part.supposed]
    leaves = list(_leaves(statement))
    if not all(_in_the_limit(part, statement) or any(_supposes(part, leaf) for leaf in leaves) for part in given):
        return None
    kept = _where(statement, lambda leaf: all(_supposes(part, leaf) for part in given))
    found = [_bond(part, kept) for part in printed if not part.supposed]
    if None in found:
        return None
    return CONTAINS if CONTAINS in found else STATES


def _bond(formula: Formula, statement: Json) -> str | None:
    """How a statement speaks of one printed relation that is asserted."""
    if _is_written_in(formula, _asserted(statement)) or _in_the_limit(formula, statement):
        return STATES
    said = _asserted(_in_normal_form(statement))
    leaves = list(_leaves(said))
    pairs = _pairs(formula)
    if pairs and all(any(_is(leaf, formula.relation, *pair) for leaf in leaves) for pair in pairs):
        return STATES
    rights = _rights(formula)
    if formula.relation in UNBOUND or (formula.relation and any(map(_is_bare, rights))):
        return None
    return CONTAINS if _stand_in(rights, said) and _of_the_left(formula, statement, said) is not None else None


def _where(statement: Any, keeps: Callable[[Json], bool]) -> Any:
    """A statement without those of its equalities and inequalities that do not suppose what they should."""
    if isinstance(statement, list | tuple):
        return [_where(part, keeps) for part in statement]
    if not isinstance(statement, dict):
        return statement
    if statement.get("kind") in EQUALITIES:
        return statement if keeps(statement) else EMPTY
    return {key: _where(part, keeps) for key, part in statement.items()}


def _supposes(formula: Formula, leaf: Json) -> bool:
    """Whether an equality or inequality has a printed relation among its hypotheses."""
    given = [{"kind": "identity", "relation": order, "left": a, "right": b} for order, a, b in leaf.get("assuming", ())]
    given += [{"kind": leaf["kind"], "left": r["left"], "right": r["right"]} for r in leaf.get("rules", ())]
    given += [
        {"kind": "identity", "relation": order, "left": ("s", name), "right": ZERO}
        for name, flags in leaf.get("symbols", {}).items()
        for flag, order in SIGNS.items()
        if flag in flags
    ]
    pairs = _pairs(formula)
    return bool(pairs) and all(any(_is(one, formula.relation, *pair) for one in given) for pair in pairs)


def _in_the_limit(formula: Formula, statement: Json) -> bool:
    """Whether a is printed to be far above b, and a statement says that b/a goes to zero."""
    if formula.relation != ">>":
        return False
    ratio = from_sympy(formula.right / formula.left)
    limits = [record for record in _records(statement) if record.get("kind") == "limit"]
    return any(_same(ratio, as_tuples(one["expression"])) and as_tuples(one["value"]) == ZERO for one in limits)


def stands_for(formula: Formula, statement: Json) -> list[str]:
    """What the left side of a printed formula is in a statement that only contains the right one, as a page tells it.

    >>> import sympy as sp
    >>> from derivations import prove
    >>> from derivations.latex import Notation
    >>> from derivations.latex.printed import Vocabulary
    >>> a, b = sp.symbols("a b", real=True)
    >>> printed = Formula("c=a^2-b^2", Vocabulary(Notation(letters="a b c"), meanings={"a": a, "b": b}))
    >>> stands_for(printed, prove.identity((a - b) * (a + b), printed.right).statement)
    ['the left side, c, stands for (a + b)*(a - b)']
    """
    if bond(formula, statement) != CONTAINS:
        return []
    statement = _without_empty(statement)
    said = _asserted(_in_normal_form(statement))
    parts = [part for part in formula.relations() if not part.supposed and _bond(part, statement) == CONTAINS]
    told = [(part.left_text, _of_the_left(part, statement, said)) for part in parts]
    notes = [f"the left side, {left}, stands for {'; for '.join(meant)}" for left, meant in told if meant]
    return list(dict.fromkeys(notes))


def _in_normal_form(statement: Any) -> Any:
    return sums_in_normal_form(in_normal_form(statement))


def _rights(formula: Formula) -> list[Any]:
    """The right side as data, block by block where the left side has blocks too."""
    return [right for _, right in _pairs(formula)] or _data(formula.right)


def _of_the_left(formula: Formula, statement: Json, said: Any) -> list[str] | None:
    """What a statement with the right side puts in the place of the left one; None where it says nothing of it.

    Nothing has to be told of a left side that stands there itself, or of one that the author tells in words. A letter
    that has a meaning of its own in what is equated stands for nothing else, and neither does what is computed.
    """
    if not formula.relation or formula.left_is:
        return []
    try:
        lefts = _data(formula.left)
    except NotThisKind:
        lefts = []
    rights, records = _rights(formula), list(_records(_in_normal_form(statement)))
    if lefts and any(_gives(record, lefts, rights) for record in records):
        return []
    if formula.computes_on_the_left:
        return None
    if lefts and _stand_written(lefts, said):
        return []
    written = [
        (record, normal)
        for record, normal in zip(_records(statement), records, strict=True)
        if not any(_name(left) and _stands_in(left, _listed_sides(record)) for left in lefts)
    ]
    solved = [text for right in rights for record in records for text in _solved(record, right)]
    found = solved or [text for right in rights for pair in written for text in _equated(*pair, right)]
    return list(dict.fromkeys(found)) or None


def _listed_sides(record: Json) -> Any:
    return as_tuples([record.get("left"), record.get("right")])


def _stand_written(sides: list[Any], said: Any) -> bool:
    return not any(map(_is_bare, sides)) and not any(map(_name, sides)) and _stand_in(sides, said)


def _gives(record: Json, lefts: list[Any], rights: list[Any]) -> bool:
    """Whether a solution, a definition, or both sides of a record say that the left side is the right one."""
    given = list(_definitions(record))
    if isinstance(solution := record.get("solution"), dict):
        given += [(left, value) for name, value in solution.items() for left in lefts if _name(left) == name]
    given += [(("s", name), value) for name, value in _put_in([record.get("left"), record.get("right")])]
    for one, other in (("left", "right"), ("expression", "value")):
        if one in record and other in record:
            given += [(record[one], record[other]), (record[other], record[one])]
    if not given or not lefts or len(lefts) != len(rights):
        return False
    pairs = zip(lefts, rights, strict=True)
    return all(any(_is_meant(left, a) and _alike(right, b) for a, b in given) for left, right in pairs)


def _put_in(term: Any) -> Iterator[tuple[str, Any]]:
    """What the substitutions in the sides of a statement put in, and for which names."""
    if isinstance(term, list | tuple):
        if len(term) == 3 and term[0] == "at":
            yield from ((name, as_tuples(value)) for name, value in term[2])
        for part in term:
            yield from _put_in(part)


def _is_meant(left: Any, side: Any) -> bool:
    """Whether a side is the left one, or a letter of its name, which may have another size in the statement."""
    return (_name(left) != "" and _name(left) == _name(side)) or _alike(left, side)


def _solved(record: Json, right: Any) -> Iterator[str]:
    """Of which variable of its flow a statement says that a side is the solution."""
    if isinstance(solution := record.get("solution"), dict):
        yield from (
            f"{name}, a variable of the flow" for name, v in solution.items() if _alike(right, _value(record, v))
        )


def _equated(written: Json, record: Json, right: Any) -> Iterator[str]:
    """As text, what a statement says that a side is equal to, or which of its names it defines so."""
    if _is_supposed(record):
        return
    yield from (f"{_name(name)}, which is defined so" for name, value in _definitions(record) if _alike(right, value))
    if record.get("kind") == "average" and _alike(right, record["right"]):
        yield f"an average, {plain(average(record))}"
    elif record.get("kind") in EQUALITIES - {"average"} and record.get("relation", "=") == "=":
        sides = [record["right"], record["left"]]
        same = [_is_alike(right, side) for side in sides]
        if not any(same):
            same = [_same(right, as_tuples(side)) for side in sides]
        if any(same):
            yield _text(written["left" if same[0] else "right"])


def _value(record: Json, side: Any) -> Any:
    """A matrix that solves a flow, in normal form."""
    if isinstance(side, dict) and "formula" in side and "letters" in record:
        return words_json(Reader(record["letters"]).side(side))
    return side


def _text(side: Any) -> str:
    if isinstance(side, dict):
        return show_words(side)
    side = as_tuples(side)
    return plain(side) if side and isinstance(side[0], str) else show_sums(side)


def _alike(one: Any, other: Any) -> bool:
    """Whether two sides are written alike, in any order, or are scalar terms of one normal form."""
    return _is_alike(one, other) or _same(one, as_tuples(other))


def _is_alike(one: Any, other: Any) -> bool:
    return bool(in_one_order(_listed(one)) == in_one_order(_listed(other)))


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


def _stand_in(sides: list[Any], said: Any) -> bool:
    """Whether each of the sides stands somewhere in what is asserted."""
    whole = in_one_order(_listed(said))
    return all(
        _stands_in(in_one_order(_listed(side)), whole) or any(_same(side, t) for t in _scalars(said)) for side in sides
    )


def _is_written_in(formula: Formula, statement: Json) -> bool:
    """Whether an equality of words or sums has the two sides as they are written: nothing is multiplied out."""
    if not formula.relation:
        return False
    try:
        sides = formula.sides
    except NotThisKind:
        return False
    for kind, written in ((Words, words_as_written), (Sums, sums_as_written)):
        if all(isinstance(side, kind) for side in sides):
            wanted = [_asserted(written(side)) for side in sides]
            return any([leaf.get("left"), leaf.get("right")] in (wanted, wanted[::-1]) for leaf in _leaves(statement))
    return False


def is_part_of(statement: Json, whole: Json) -> bool:
    """Whether a statement asserts nothing that another one does not, whatever either of them supposes.

    >>> from derivations import prove
    >>> import sympy as sp
    >>> a, b = sp.symbols("a b", real=True)
    >>> whole = prove.every(prove.identity(a, b, [sp.Eq(a, b)]), prove.identity(a + a, 2 * a)).statement
    >>> is_part_of(prove.identity(a, b).statement, whole), is_part_of(prove.identity(a, 2 * b).statement, whole)
    (True, False)
    """
    known = [_without_hypotheses(part) for part in _parts(whole)]
    return all(_without_hypotheses(part) in known for part in _parts(statement))


def _parts(statement: Json) -> Iterator[Json]:
    """The statements of which a conjunction consists; a theorem states its conclusion."""
    if statement["kind"] == "all":
        for part in statement["parts"]:
            yield from _parts(part)
    elif statement["kind"] == "by":
        yield from _parts(statement["concludes"])
    else:
        yield statement


def _without_hypotheses(statement: Json) -> Json:
    return {key: as_tuples(value) for key, value in statement.items() if key not in HYPOTHESES}


def stated_by_proved_parts(formula: Formula, certificate: Json) -> bool:
    """Whether a part of a conjunction is proved that is the printed relation, so that another part was refuted."""
    if certificate["verdict"] == Verdict.PROVED.value:
        return bond(formula, certificate["statement"]) == STATES
    return any(stated_by_proved_parts(formula, part) for part in certificate["payload"].get("parts", ()))


def _asserted(statement: Any) -> Any:
    """What a statement asserts: no hypotheses but definitions of names in it, and nothing that it also supposes."""
    if isinstance(statement, list | tuple):
        return [_asserted(part) for part in statement]
    if not isinstance(statement, dict):
        return statement
    kind = statement.get("kind")
    if kind == "by":  # its slots are what the conclusion is made of
        return _asserted(statement["concludes"])
    if kind == "not" or (kind in EQUALITIES and _is_supposed(statement)):
        return {}
    kept = {key: _asserted(value) for key, value in statement.items() if key not in SUPPOSED}
    return kept | {"names": _definitions(statement)} if kind in EQUALITIES else kept


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


def is_empty(statement: Json) -> bool:
    """Whether a statement equates a formula with itself, and so says nothing.

    >>> import sympy as sp
    >>> from derivations import prove
    >>> a, b = sp.symbols("a b", real=True)
    >>> is_empty(prove.identity(a * b, b * a).statement), is_empty(prove.identity((a + b) ** 2, (a + b) * a).statement)
    (True, False)
    """
    return bool(_without_empty(statement) == EMPTY)


def _without_empty(statement: Any) -> Any:
    """A statement without the parts that equate what is written with itself: a definition was put into itself there."""
    if isinstance(statement, list | tuple):
        return [_without_empty(part) for part in statement]
    if not isinstance(statement, dict):
        return statement
    if statement.get("kind") in EQUALITIES and "left" in statement:
        left, right = (in_one_order(_listed(statement[side])) for side in ("left", "right"))
        return EMPTY if left == right else statement
    return {key: _without_empty(part) for key, part in statement.items()}


def _is_bare(side: Any) -> bool:
    """A number or a symbol, which stands in many a statement that has nothing to do with the print."""
    return isinstance(side, tuple) and side[:1] in (("s",), ("q",), ("pi",))


def _pairs(formula: Formula) -> list[tuple[Any, Any]]:
    """The two sides as data, block by block; nothing when the left side has no meaning of its own."""
    if not formula.relation:
        return []
    try:
        left, right = formula.sides
    except NotThisKind:
        return []
    if isinstance(left, Blocks) or isinstance(right, Blocks):
        return [(words_json(a), words_json(b)) for a, b in paired(left, right) if isinstance(b, Words)]
    sides = _data(left), _data(right)
    if len(sides[0]) != len(sides[1]):
        return []
    return [pair for pair in zip(*sides, strict=True) if pair[0] != pair[1] or len(sides[0]) == 1]


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


def _leaves(statement: Any) -> Iterator[Json]:
    """Every statement inside a statement that is an equality or an inequality."""
    if isinstance(statement, dict):
        if statement.get("kind") in EQUALITIES:
            yield statement
        for part in statement.values():
            yield from _leaves(part)
    elif isinstance(statement, list | tuple):
        for part in statement:
            yield from _leaves(part)


def _is(leaf: Json, relation: str, left: Any, right: Any) -> bool:
    """Whether a leaf relates these two sides so; those of an equality in either order."""
    order = leaf.get("relation", "=")
    if (order if order in ORDERS else "=") != (relation if relation in {*ORDERS, "!="} else "="):
        return False
    sides = [as_tuples(leaf.get("left")), as_tuples(leaf.get("right"))]
    wanted = [as_tuples(left), as_tuples(right)]
    turns = (sides,) if order in ORDERS else (sides, sides[::-1])
    if wanted in turns:
        return True
    if leaf["kind"] not in ("identity", "sign"):
        return False
    return any(all(map(_same, pair, wanted)) for pair in turns)


def _same(term: Any, other: Any) -> bool:
    """Whether two scalar terms have one normal form; what it cannot compare is taken as different."""
    try:
        return isinstance(term, tuple) and isinstance(term[0], str) and same(term, other)
    except ValueError:
        return False


def _scalars(statement: Any) -> Iterator[Term]:
    """The scalar terms that a statement gives a name of their own: sides, solutions, values of limits."""
    if isinstance(statement, dict):
        for part in statement.values():
            if isinstance(part, list | tuple) and part and isinstance(part[0], str):
                yield as_tuples(part)
            else:
                yield from _scalars(part)
    elif isinstance(statement, list | tuple):
        for part in statement:
            yield from _scalars(part)


def _stands_in(part: Any, whole: Any) -> bool:
    if part == whole:
        return True
    return isinstance(whole, tuple) and any(_stands_in(part, inner) for inner in whole)


def _listed(data: Any) -> Any:
    """JSON with its objects as lists of their values."""
    if isinstance(data, dict):
        return [_listed(value) for value in data.values()]
    return [_listed(part) for part in data] if isinstance(data, list | tuple) else data

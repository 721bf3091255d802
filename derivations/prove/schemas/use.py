"""Theorems in use: a schema's slots filled in, its hypotheses shown, and the conclusion that it computes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import sympy as sp

from derivations.language.terms import Expression, Relation, Variable
from derivations.language.words import Letter, Words, as_written, declarations
from derivations.language.words.blocks import paired
from derivations.language.words.core import beside
from derivations.prove.certificate import Certificate, Json, Verdict, undecided_at
from derivations.prove.schemas.table import SlotError, theorem_named, use_of
from derivations.recheck.core.load import normal
from derivations.recheck.core.slots import KINDS, about_matrices
from derivations.recheck.core.statements import says
from derivations.recheck.core.theorems import Theorem
from derivations.text.doors import kind_of
from derivations.text.doors import shown as shown_short

FILLED: dict[str, Any] = {
    "term": Expression,
    "end": Expression,
    "symbol": Variable,
    "name": Variable,
    "plain": Expression,
    "word": Words,
    "product": Iterable[Iterable[Words]],
    "integral": Sequence[Expression],
    "interval": Sequence[Expression],
    "relation": Relation | Certificate,
}
"""Types of the things that fill a slot, by its sort."""
HINTS = ("squares", "among")  # they help a prover and change nothing in a statement
Decide = Callable[[Json], Certificate]
Hypotheses = Callable[..., Json]
ToTerm = Callable[[Any], Any]


def decided(
    statement: Json, steps: Mapping[str, Certificate], decide: Decide, hints: Json | None = None
) -> Certificate:
    """The certificate of a statement `by` a schema: given steps are used, all others are decided."""
    use = use_of(statement["schema"], statement["slots"])
    hints = {"among": statement["among"]} if "among" in statement else hints or {}
    offered = {"among": hints["among"]} if hints.get("among") else {}
    statement = {**statement, "concludes": use.concludes, **offered}
    strange = sorted(set(steps) - set(use.needs))
    if strange:
        raise SlotError(f"'{statement['schema']}' has no step '{strange[0]}': its steps are {', '.join(use.needs)}")
    found: dict[str, Certificate] = {}
    for role, needed in use.needs.items():
        given = steps.get(role)
        if given is not None and not same(shown(given), needed):
            raise SlotError(f"the step '{role}' of '{statement['schema']}' shows another statement than is needed")
        found[role] = given if given is not None else decide({**needed, **_fitting(hints, needed)})
    payload: Json = {"steps": {role: c.as_json() for role, c in found.items()}}
    weak = [r for r, c in found.items() if c.verdict not in (Verdict.PROVED, Verdict.CERTIFIED)]
    decisive = theorem_named(statement["schema"]).written.get("decides")
    if weak == [decisive] and found[decisive].verdict is Verdict.REFUTED:
        payload["witness"] = found[decisive].witness
        return Certificate(statement, Verdict.REFUTED, f"by {statement['schema']}", payload)
    if weak:
        return undecided_at(statement, payload, weak[0], found[weak[0]])
    certified = any(c.verdict is Verdict.CERTIFIED for c in found.values())
    verdict = Verdict.CERTIFIED if certified else Verdict.PROVED
    return Certificate(statement, verdict, f"by {statement['schema']}", payload)


def _fitting(hints: Json, needed: Json) -> Json:
    """The hints that a prover of this kind of statement takes."""
    kinds = {"squares": ("sign", "limit"), "among": ("words", "loewner", "sums")}
    return {key: value for key, value in hints.items() if needed["kind"] in kinds[key] and value}


def shown(certificate: Certificate) -> Json:
    """The statement that a certificate shows: for one by a schema, the conclusion."""
    return concluded_by(certificate.statement)


def same(left: Json, right: Json) -> bool:
    """Check whether two statements are the same data, hints left out."""
    return says(normal(left), normal(right))


def concluded_by(statement: Json) -> Json:
    found: Json = statement["concludes"] if statement["kind"] == "by" else statement
    return found


# --- slots ------------------------------------------------------------------------------------------------------------


def slots_of(theorem: Theorem, given: Mapping[str, Any], setting: Json, term: ToTerm) -> Json:
    """The slots as data, with the hypotheses under which they stand."""
    return {**setting, **{name: _filled(kind, given[name], term) for name, kind in theorem.letters.items()}}


def _filled(kind: str, value: Any, term: ToTerm) -> Any:
    sort, many, _ = KINDS[kind]
    if many == "table":
        in_order = (
            sorted(value.items(), key=lambda item: str(item[0].name)) if sort in ("term", "word") else value.items()
        )
        return {str(x.name): _one(sort, item, term) for x, item in in_order}
    return [_one(sort, item, term) for item in value] if many else _one(sort, value, term)


def _one(sort: str, value: Any, term: ToTerm) -> Any:
    match sort:
        case "relation" if isinstance(value, Certificate):
            said = shown(value)
            return said["relation"], said["left"], said["right"]
        case "term" | "plain" | "relation":
            return term(value)
        case "end":
            return (str(value),) if value in (sp.oo, -sp.oo) else term(value)
        case "symbol" | "name":
            return str(value.name)
        case "short":
            return str(value)
        case "word":
            return as_written(value)
        case "product":
            return [[_letter(factor) for factor in side] for side in value]
        case "integral":
            return [term(value[0]), *(_one("end", end, term) for end in value[1:])]
        case "interval":
            return [str(term(end)[1]) for end in value]
    raise SlotError(f"no slot is of the kind {sort}")


def setting_of(
    name: str, theorem: Theorem, given: Mapping[str, Any], assuming: Iterable[Any], hypotheses: Hypotheses
) -> Json:
    """The symbols with their assumptions, or the letters with their declarations, and the hypotheses."""
    if set(given) != set(theorem.letters):
        raise SlotError(f"'{name}' has the slots {', '.join(theorem.letters)}, got {', '.join(given) or 'none'}")
    for slot, kind in theorem.letters.items():
        if not (wanted := kind_of(_wanted(kind))).holds(given[slot]):
            raise SlotError(f"the slot {slot} of '{name}' must be {wanted.says}, not {shown_short(given[slot])}")
    values = [v for slot, kind in theorem.letters.items() for v in _expressions(kind, given[slot])]
    if not about_matrices(theorem.letters):
        return hypotheses(assuming, *values)
    values = [v for v in values if isinstance(v, Words)]
    rules = [pair for rule in assuming for pair in paired(*rule)]
    sides = [(a, beside(b, a)) for a, b in rules]
    data = [{"left": as_written(a), "right": as_written(b), "oriented": False} for a, b in sides]
    return {"letters": declarations([*values, *(side for pair in sides for side in pair)]), "rules": data}


def _wanted(kind: str) -> Any:
    """Return what is given for a slot of a kind."""
    sort, many, may_be_empty = KINDS[kind]
    one: Any = FILLED.get(sort, Any)
    tables: Any = Mapping
    lists: Any = Iterable
    if many == "table":
        return Any if may_be_empty and sort == "term" else tables[Letter if sort == "word" else Variable, one]
    return lists[one] if many and one is not Any else one


def _letter(factor: Words) -> str:
    """A letter or its transpose by its name."""
    match factor.formula:
        case ("L", name):
            return str(name)
        case ("T", ("L", name)):
            return f"{name}'"
    raise SlotError(f"a factor must be a letter or its transpose, got ({factor!r}): declare a letter that equals it")


def _expressions(kind: str, value: Any) -> list[Any]:
    """The expressions, or words, in a slot."""
    sort, many, _ = KINDS[kind]
    if many == "table":
        return [*value, *(e for item in value.values() for e in _spoken(sort, item))]
    return [e for item in value for e in _spoken(sort, item)] if many else _spoken(sort, value)


def _spoken(sort: str, value: Any) -> list[Any]:
    match sort:
        case "term" | "plain" | "symbol" | "word":
            return [value]
        case "end":
            return [] if value in (sp.oo, -sp.oo) else [value]
        case "integral":
            return [e for e in value if e not in (sp.oo, -sp.oo)]
        case "product":
            return [factor for side in value for factor in side]
    return []

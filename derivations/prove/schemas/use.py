"""Theorems in use: a schema's slots filled in, its hypotheses shown, and the conclusion that it computes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import sympy as sp

from derivations.language.terms import Expression, Relation, Variable
from derivations.language.words import Letter, Words, as_written, declarations
from derivations.language.words.blocks import paired
from derivations.language.words.core import beside
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.schemas import SCHEMAS, Schema
from derivations.prove.schemas.schema import MATRICES, SCALARS, SlotError
from derivations.text import did_you_mean
from derivations.text.doors import kind_of
from derivations.text.doors import shown as shown_short

FILLED: dict[str, Any] = {
    "term": Expression,
    "end": Expression,
    "terms": Iterable[Expression],
    "symbol": Variable,
    "fresh": Variable,
    "flow": Mapping[Variable, Expression],
    "statement": Certificate,
    "statements": Iterable[Certificate],
    "facts": Iterable[Certificate],
    "word": Words,
    "words": Iterable[Words],
    "motion": Mapping[Letter, Words],
    "table": Mapping[Letter, Words],
    "products": Iterable[Iterable[Iterable[Words]]],
    "integrals": Mapping[Variable, Sequence[Expression]],
    "rates": Mapping[Variable, Iterable[Variable]],
    "box": Mapping[Variable, Sequence[Expression]],
    "relation": Relation,
    "relations": Iterable[Relation],
}
"""What stands in a slot of a kind."""
HINTS = ("squares", "among")  # they help a prover and change nothing in a statement
Decide = Callable[[Json], Certificate]
Hypotheses = Callable[..., Json]
ToTerm = Callable[[Any], Any]


def schema_named(name: str) -> Schema:
    if name not in SCHEMAS:
        hint = did_you_mean(name, SCHEMAS) or ":"
        raise SlotError(f"no theorem is called {shown_short(name)}{hint} docs/trusted.md lists all {len(SCHEMAS)}")
    return SCHEMAS[name]


def decided(
    statement: Json, steps: Mapping[str, Certificate], decide: Decide, hints: Json | None = None
) -> Certificate:
    """The certificate of a statement `by` a schema: given steps are used, all others are decided."""
    use = schema_named(statement["schema"]).use(statement["slots"])
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
    payload = {"steps": {role: c.as_json() for role, c in found.items()}}
    weak = [r for r, c in found.items() if c.verdict not in (Verdict.PROVED, Verdict.CERTIFIED)]
    if weak:
        step = found[weak[0]]
        reason = f"its step '{weak[0]}' is {step.verdict.value}: {step.reason or step.method}"
        return Certificate(statement, Verdict.OPEN, "none", payload, reason)
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


def concluded_by(statement: Json) -> Json:
    found: Json = statement["concludes"] if statement["kind"] == "by" else statement
    return found


def same(left: Json, right: Json) -> bool:
    """Whether two statements are the same data, hints left out."""
    return _written(left) == _written(right)


def _written(statement: Json) -> str:
    return json.dumps({k: v for k, v in statement.items() if k not in HINTS}, sort_keys=True)


# --- slots ------------------------------------------------------------------------------------------------------------


def slots_of(schema: Schema, given: Mapping[str, Any], setting: Json, term: ToTerm) -> Json:
    """The slots as data, with the hypotheses under which they stand."""
    return {**setting, **{name: _filled(kind, given[name], term) for name, kind in schema.slots.items()}}


def _filled(kind: str, value: Any, term: ToTerm) -> Any:
    match kind:
        case "term":
            return term(value)
        case "end":
            return _end(term)(value)
        case "terms":
            return [term(item) for item in value]
        case "symbol" | "fresh":
            return str(value.name)
        case "flow" | "flow or none":
            return {str(x.name): term(rate) for x, rate in sorted(value.items(), key=lambda item: str(item[0].name))}
        case "text":
            return str(value)
        case "texts":
            return [str(item) for item in value]
        case "statement":
            return concluded_by(value.statement)
        case "statements":
            return [concluded_by(item.statement) for item in value]
        case "word":
            return as_written(value)
        case "words":
            return [as_written(item) for item in value]
        case "motion" | "table":
            return {x.name: as_written(rate) for x, rate in sorted(value.items(), key=lambda item: str(item[0].name))}
        case "products":
            return [[[_letter(factor) for factor in side] for side in sides] for sides in value]
        case "facts":
            return [concluded_by(item.statement) for item in value]
        case "integrals":
            return {str(x.name): [term(f), *map(_end(term), ends)] for x, (f, *ends) in value.items()}
        case "rates":
            return {str(rate.name): [str(s.name) for s in told] for rate, told in value.items()}
        case "box":
            return {str(x.name): [str(term(end)[1]) for end in ends] for x, ends in value.items()}
        case "relation":
            return term(value)
        case "relations":
            return [term(relation) for relation in value]
    raise SlotError(f"no slot is of the kind {kind}")


def setting_of(schema: Schema, given: Mapping[str, Any], assuming: Iterable[Any], hypotheses: Hypotheses) -> Json:
    """The symbols with their assumptions, or the letters with their declarations, and the hypotheses."""
    if set(given) != set(schema.slots):
        raise SlotError(f"'{schema.name}' has the slots {', '.join(schema.slots)}, got {', '.join(given) or 'none'}")
    for name, kind in schema.slots.items():
        if not (wanted := kind_of(FILLED.get(kind, Any))).holds(given[name]):
            raise SlotError(f"the slot {name} of '{schema.name}' must be {wanted.says}, not {shown_short(given[name])}")
    values = [v for name, kind in schema.slots.items() for v in _expressions(kind, given.get(name))]
    if schema.about == SCALARS:
        return hypotheses(assuming, *values)
    if schema.about == MATRICES:
        values = [v for v in values if isinstance(v, Words)]
        rules = [pair for rule in assuming for pair in paired(*rule)]
        sides = [(a, beside(b, a)) for a, b in rules]
        data = [{"left": as_written(a), "right": as_written(b), "oriented": False} for a, b in sides]
        return {"letters": declarations([*values, *(side for pair in sides for side in pair)]), "rules": data}
    return {}


def _end(term: ToTerm) -> ToTerm:
    """An end of an integral, which may be infinite."""
    return lambda end: (str(end),) if end in (sp.oo, -sp.oo) else term(end)


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
    if kind in ("flow", "flow or none", "motion", "table"):
        return [*value, *value.values()] if isinstance(value, Mapping) else []
    if kind == "products":
        return [factor for sides in value for side in sides for factor in side]
    if kind == "integrals":
        return [*value, *(e for entry in value.values() for e in entry if e not in (sp.oo, -sp.oo))]
    if kind in ("box", "rates"):
        return [*value, *(s for told in value.values() for s in told if kind == "rates")]
    if kind == "end":
        return [] if value in (sp.oo, -sp.oo) else [value]
    if kind in ("term", "symbol", "word"):
        return [value]
    return list(value) if kind in ("terms", "words") else []

"""Corruptions of certificates: one part after the other is left out, exchanged, or changed as its type allows.

Evidence that was changed is refused, unless it is as good as before: `HARMLESS` says in which places. A statement that
was changed is refused, unless the prover finds that it has the verdict too.
"""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import islice, zip_longest
from operator import getitem
from typing import Any, NamedTuple

from flint import fmpq, fmpq_mat

from derivations.audit.probe import instances, matrices
from derivations.audit.probe.trajectories import confront
from derivations.prove.dispatch import settled
from derivations.recheck import Rejected, check
from derivations.recheck.core.load import normal
from derivations.recheck.core.theorems import averages
from derivations.recheck.ways import KINDS, WAYS

Json = dict[str, Any]
Path = tuple[str | int, ...]
Place = tuple[str, Path, Any]  # a part, with the way to it, and the kind of the certificate that it is in
ONE = ["q", "1"]
RELATIONS = [">", ">=", "=", "!="]
HEADS = {"s", "q", "pi", "oo", "-oo", "+", "*", "^", "exp", "log", "abs", "sin", "cos", "erf", "D", "at", "L", "@", "T"}
NAMES: dict[str | int, list[str]] = {
    "verdict": ["proved", "certified", "refuted", "argued"],
    "method": sorted({way.method for way in WAYS if way.method.replace(" ", "").isalpha()}),
    "kind": sorted(KINDS),
    "rule": sorted(averages()),
}

HARMLESS = {
    "other numbers of a point, or of a vector, may do as well": (
        r"(inhabited|point|vector|matrices|witness\.arrays)\S*: (number|in place|without|.*change places)"
    ),
    "the same number in other digits": r"witness\S*: malformed '-?\d+\.0'",
    "rows of one number stand for their number": r"witness\.(left|right): in place",
    "steps and parts of a sum have no order": r"(generators|steps|sum|times|pieces|form|d)\S*: \d+ and \d+ change",
    "what is shown twice": (
        r"^(?!words|loewner)\S+ \S*"
        r"(generators|steps|signs\S*|form|d|derivation(\.\d+\.parts)*|-(factor|line)\.[23]|sum\.\d+\.1): doubled"
    ),
    "another relation that a polynomial of one variable keeps": r"steps\.\d+-line\.2: called",
    "another given that is enough too": r"steps\.\d+-given\.1: number",
    "a factor that is not zero, with the other sign": r"steps\.\d+-factor\.1\S*: number",
    "a letter that is shown and not used": r"steps: without \[.generator., |generators\.\S+: in place",
    "a piece whose sum with the others is the same": (
        r"^(words|loewner) \S*((pieces|steps)\S*: (in place|without \[.q.,)|pieces\.\S+: doubled)"
    ),
    "an array more, of which nothing is said": r"statement\.arrays: with a stranger",
    "other evidence, which shows a part as well": r"payload\S*\.payload: in place of it \{",
    "a factor without a denominator": r"steps\.\d+-denominator\S*: without",
    "a side that only one other word would change": r"parameters\.side: (called|in place)",
    "a step for what nothing uses": r"steps\.\d+-(sign|exponential\.[23]\S*): in place",
    "another accuracy": r"(bits|pieces|order): number",
    "a wider box, and any frame that can be turned back": (
        r"^trajectory \S*(steps\.\d+\.[12]\S*|centre\S*|frame\S*|radius): (number|in place|.*change places)"
    ),
    "what is computed where it is not said": r"statement\S*: without '(shape|oriented|free', which)",
    "what is offered to a prover is no part of what is said": r"statement(\.parts\.\d+)*\.among\S*: ",
    "evidence of what needs none": r"shows\.\d+: malformed|^all payload: without 'witness'",
}
"""Changes of evidence that may be accepted, by the reason why."""


class Corruption(NamedTuple):
    """A certificate that was changed in one place."""

    kind: str  # of the innermost statement around it
    path: Path
    change: str
    whole: Json
    value: Any

    @property
    def broken(self) -> Json:
        """The certificate with the change, made when it is asked for: a large one has half a million changes."""
        changed: Json = placed(self.whole, self.path, self.value)
        return changed

    @property
    def name(self) -> str:
        return f"{self.kind} {_words(self.broken, self.path)}: {self.change}"


def _words(data: Any, path: Path) -> str:
    """The way to a part, with the heads of the lists that it passes."""
    words = []
    for key, following in zip(path, (*path[1:], None), strict=True):
        data = data[key]
        head = data[0] if isinstance(data, list) and data and following != 0 else None
        words.append(f"{key}-{head}" if isinstance(head, str) and (head.isalpha() or head in HEADS) else str(key))
    return ".".join(words).replace(" ", "_")


def corruptions(certificate: Json, rng: random.Random, most: int | None = None) -> list[Corruption]:
    """All corruptions, or so many of them, of as many different places as there are."""
    forms = _parts_by_form(certificate)
    everywhere = [*places(certificate)][1:]
    if most is None:
        return [one for place in everywhere for one in _changes_of(certificate, place, forms, rng)]
    alike: dict[str, list[Place]] = defaultdict(list)
    for kind, path, part in everywhere:
        alike[re.sub(r"\d+", "#", f"{kind} {_words(certificate, path)}")].append((kind, path, part))
    groups = rng.sample(list(alike.values()), min(most, len(alike)))
    drawn = [_one_of_each_in_turn(certificate, group, forms, rng) for group in groups]
    in_turn = (one for row in zip_longest(*drawn) for one in row if one is not None)
    return [*islice(in_turn, most)]


def _one_of_each_in_turn(
    certificate: Json, group: list[Place], forms: dict[str, list[Any]], rng: random.Random
) -> Iterator[Corruption]:
    """One change of each place, then another one of each: made when asked for, as a large group has millions."""
    changes: list[list[Corruption]] = []
    for place in rng.sample(group, len(group)):
        here = [*_changes_of(certificate, place, forms, rng)]
        rng.shuffle(here)
        yield from here[:1]
        changes.append(here[1:])
    yield from (one for row in zip_longest(*changes) for one in row if one is not None)


def _parts_by_form(data: Any) -> dict[str, list[Any]]:
    forms: dict[str, dict[str, Any]] = defaultdict(dict)
    for _, _, part in places(data):
        if form := _form(part):
            forms[form].setdefault(json.dumps(part), part)
    return {form: [*parts.values()] for form, parts in forms.items()}


def _form(part: Any) -> str:
    """Return what parts have in common that may stand in each other's places."""
    if isinstance(part, list):
        return "formula" if part and isinstance(part[0], str) and part[0] in HEADS else f"list of {len(part)}"
    if isinstance(part, dict):
        return f"table of {', '.join(part)}"
    return "word" if isinstance(part, str) and not _is_number(part) else ""


def places(data: Any, kind: str = "", path: Path = ()) -> Iterator[Place]:
    """Every part of some data, with the way to it, and the kind of the certificate that it is in."""
    if isinstance(data, dict) and "payload" in data:
        kind = data["statement"]["kind"]
    yield kind, path, data
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from places(value, kind, (*path, key))


def leaves(data: Any) -> list[Path]:
    """The ways to all parts that have no parts."""
    return [path for _, path, part in places(data) if not isinstance(part, dict | list)]


def at(data: Any, path: Path) -> Any:
    return reduce(getitem, path, data)


def placed(data: Any, path: Sequence[str | int], value: Any) -> Any:
    """A copy with another value in one place."""
    key, *further = path
    copied = data.copy()
    copied[key] = placed(data[key], further, value) if further else value
    return copied


def _changes_of(
    certificate: Json, place: Place, forms: dict[str, list[Any]], rng: random.Random
) -> Iterator[Corruption]:
    kind, path, part = place
    others = forms.get(_form(part), [])
    strangers = [(f"in place of it {_text(other)}", other) for other in rng.sample(others, min(2, len(others)))]
    for change, value in (*_changes(part, path), *strangers):
        if json.dumps(value) != json.dumps(part):
            yield Corruption(kind, path, change, certificate, value)


def _changes(part: Any, path: Path) -> Iterator[tuple[str, Any]]:
    match part:
        case bool():
            yield "turned", not part
        case int():
            yield from ((f"number {value!r}", value) for value in (part + 1, -1 - part, 10**9))
            yield from ((f"malformed {value!r}", value) for value in (str(part), float(part), None))
        case str() if _is_number(part):
            number = Fraction(part)
            others = number + 1, -number or Fraction(-1, 3), number * Fraction(5, 7) + Fraction(1, 10**9)
            yield from ((f"number {value}", str(value)) for value in others)
            yield from (
                (f"malformed {value!r}", value) for value in (f"{part}.0", f"{part}/0", float(number), "", None)
            )
        case str():
            names = RELATIONS if part in RELATIONS else NAMES.get(path[-1], ())
            yield from ((f"called {name!r}", name) for name in ("nobody", f"{part}'", *names))
            yield from ((f"malformed {value!r}", value) for value in ([part], None))
        case list():
            for k, one in enumerate(part):
                yield f"without {_text(one)}", part[:k] + part[k + 1 :]
                if k:
                    yield f"{k - 1} and {k} change places", [*part[: k - 1], one, part[k - 1], *part[k + 1 :]]
            yield from (("emptied", []), ("doubled at its end", part + (part[-1:] or [None])), ("malformed 'x'", "x"))
            if _form(part) == "formula":
                yield "plus one", ["+", part, ONE]
        case dict():
            for name in part:
                change = f"without {name!r}{', which is empty' if part[name] == {} else ''}"
                yield change, {other: value for other, value in part.items() if other != name}
            yield "malformed 'x'", "x"
            if "statement" in path or path[-1] in ("needs", "steps", "parameters"):
                yield "with a stranger", part | {"nobody": next(iter(part.values()), "1")}
        case _:
            yield "called 'nobody'", "nobody"


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d+(/[1-9]\d*)?", text) is not None


def _text(part: Any) -> str:
    return json.dumps(part)[:60]


def harmless(one: Corruption) -> bool:
    """Check whether evidence that was changed may be as good as it was, or a statement that was changed holds too."""
    if any(re.search(pattern, one.name) for pattern in HARMLESS.values()):
        return True
    both = at(one.whole, one.path), one.value
    said, instead = (part.get("statement") if isinstance(part, dict) else None for part in both)
    if said is not None and said == instead:
        return True  # other evidence of the same
    whole = one.broken
    for key in one.path:
        if key == "statement" and "verdict" in whole:
            return _holds(whole["statement"], whole["verdict"], whole.get("payload"))
        whole = whole[key]
    return False


def _holds(statement: Json, verdict: str, payload: Any) -> bool:
    """Ask the prover; where it has no answer, no run and no matrices may contradict what is said, and those of a
    refutation do.
    """
    try:
        if "rules" in statement:  # it refuses a hypothesis that says nothing, as 1 = 1
            statement = statement | {"rules": [rule for rule in statement["rules"] if rule["left"] != rule["right"]]}
        said = normal(statement)
        answer = settled(said).verdict.value
    except Exception:  # whatever the prover says of what is malformed
        return verdict == "refuted"  # what cannot be stated does not hold
    if answer == "open" and statement["kind"] == "trajectory":
        return not any(confront(statement, random.Random(0), 4))
    if answer == "open" and statement["kind"] == "loewner":
        return verdict == "refuted" or not any(matrices.confront(said, instances.for_matrices(said, [], 8)))
    witness = payload.get("witness") if isinstance(payload, dict) else None
    if answer == "open" and verdict == "refuted" and statement["kind"] == "words" and witness:
        return any(matrices.confront(said, [_shown(witness)]))
    return answer == verdict


def _shown(witness: Json) -> tuple[dict[str, int], dict[str, fmpq_mat], str]:
    """The matrices of a refutation, for numbers that know nothing of the checker."""
    exact = {
        name: fmpq_mat([[fmpq(*Fraction(entry).as_integer_ratio()) for entry in row] for row in rows])
        for name, rows in witness["matrices"].items()
    }
    return witness["dims"], exact, "the witness"


def taken(certificate: Json, rng: random.Random, most: int | None = None) -> list[str]:
    """The corruptions that the checker takes though they make a certificate worse, and sentences of several lines."""
    names = []
    for one in corruptions(certificate, rng, most):
        sentence = refusal(one.broken)
        if (sentence is None and not harmless(one)) or "\n" in (sentence or ""):
            names.append(one.name)
    return names


def worse(certificate: Json, rng: random.Random, most: int, spare: int) -> list[str]:
    """Return the changes that the checker takes of a statement or a verdict; those of evidence, if they are more than
    the few that may concern a step that nothing uses.
    """
    names = taken(certificate, rng, most)
    of_evidence = [name for name in names if name.split()[1].startswith("payload")]
    return [name for name in names if name not in of_evidence] + of_evidence * (len(of_evidence) > spare)


def refusal(certificate: Json) -> str | None:
    """The sentence with which a certificate is refused."""
    try:
        check(certificate)
    except Rejected as reason:
        return str(reason)
    return None

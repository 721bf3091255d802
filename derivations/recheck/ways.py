"""One table: by which method a statement of a kind gets a verdict, and the function that concludes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import wraps
from typing import NamedTuple

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.limits import check_limit, check_other_limit
from derivations.recheck.core.load import HOLDING, Check, Data, require, shown
from derivations.recheck.core.ring import check_proof
from derivations.recheck.core.ring.point import check_refutation
from derivations.recheck.core.table import averages, boxes, by, integrals
from derivations.recheck.core.table.structure import check_all, check_contrary
from derivations.recheck.core.words.claims import check_equation, refute_equation
from derivations.recheck.core.words.orders import check_order, refute_order
from derivations.recheck.kinds.flows import trajectories

EVIDENCE = {"statement", "verdict", "method", "payload"}
LINE = {"rule", "letters"}  # of a derivation of an average, or of a limit
CORE = "derivations.recheck.core."


class Way(NamedTuple):
    """How a statement of a kind gets one of some verdicts: the pattern of its method, the evidence, and what concludes.

    The method "by NAME" names a rule where two sides are compared, and a theorem for the kind "by".
    """

    kind: str
    verdicts: str
    method: str
    primitive: str
    evidence: str  # its shape
    check: Callable[[Data, Check], object]


def _payload(check: Callable[[Data, Data], object]) -> Callable[[Data, Check], object]:
    """A check of a statement and its evidence."""

    @wraps(check)
    def of_certificate(certificate: Data, _: Check) -> object:
        return check(certificate["statement"], certificate["payload"])

    return of_certificate


ANY = ".*"
SHOWN = "proved|certified"
WAYS = (
    Way("identity", "proved", "normal form", "ring", "steps", _payload(check_proof)),
    Way("identity", SHOWN, "by .+", "rule", "by a rule", by.check_rule),
    Way("identity", "refuted", "exact point", "point", "a point", _payload(check_refutation)),
    Way("sign", "proved", "positive combination", "sign", "steps", _payload(check_proof)),
    Way("sign", SHOWN, "by .+", "rule", "by a rule", by.check_rule),
    Way("sign", "refuted", "exact point", "point", "a point", _payload(check_refutation)),
    Way("limit", "proved", "small quantities", "limits", "small quantities", check_limit),
    Way("limit", "refuted", "another limit", "limits", "another limit", check_other_limit),
    Way("enclosure", "certified", "ball enclosure", "balls", "pieces", _payload(boxes.check_certified)),
    Way("enclosure", "refuted", "exact point", "balls", "a bound that fails", _payload(boxes.check_refuted)),
    Way("words", "proved", "rewriting", "words and sums", "zero terms", _payload(check_equation)),
    Way("words", "refuted", "exact matrices", "point", "exact matrices", _payload(refute_equation)),
    Way("sums", "proved", "normal form", "words and sums", "zero terms", _payload(check_equation)),
    Way("sums", "refuted", "exact arrays", "point", "exact matrices", _payload(refute_equation)),
    Way("loewner", "proved", "sum of forms", "words and sums", "terms that are not negative", _payload(check_order)),
    Way("loewner", "refuted", "exact matrices", "point", "exact matrices", _payload(refute_order)),
    Way("solves", SHOWN, "residual and start", "solutions", "what it needs", by.check_defined),
    Way("solves", "refuted", "the .+ at an exact point", "solutions", "what fails", by.check_defined),
    Way("trajectory", "certified", "enclosed solutions", "step", "a tube", trajectories.check_trajectory),
    Way("trajectory", "refuted", "enclosed solutions", "step", "a tube", trajectories.check_trajectory),
    Way("average", "proved", "rules of averages", "averages", "derivation", averages.check_average),
    Way("average", "refuted", "exact point", "averages", "derivation", averages.check_average),
    Way("by", f"{SHOWN}|refuted", "by .+", "theorem", "its needs", by.check_by),
    Way("argued", "argued", "a person's last step", "argument", "its needs", by.check_argued),
    Way("all", ANY, ANY, "", "its parts", check_all),
    Way("concluded", "refuted", "exact point", "balls", "over cells", _payload(integrals.check_fails)),
    Way("not", "refuted", "contrary", "contrary", "the contrary", check_contrary),
)
"""Only its theorem shows a conclusion, and only a contrary says anything of what is "not" so."""


KINDS = {way.kind for way in WAYS}


def way_to(verdict: str, method: str, kind: str) -> Way:
    """How a statement of the kind gets the verdict by the method, or a refusal."""
    ways = [way for way in WAYS if way.kind == kind and _fits(way.verdicts, verdict)]
    require(ways, f"no evidence makes a statement of kind {kind} {verdict}")
    for way in ways:
        if _fits(way.method, method):
            return way
    said = " or ".join(f"'{way.method}'" for way in ways)
    raise Rejected(f"a statement of kind {kind} is {verdict} by the method {said}, got {shown(method)}")


def _fits(pattern: str, text: str) -> bool:
    return re.fullmatch(pattern, text, re.ASCII) is not None


def primitive(statement: Data, verdict: str, method: str) -> str:
    """The primitive that concludes, a theorem or a rule by its name; "" where parts are joined or nothing is shown."""
    if verdict == "open":
        return ""
    named = {"theorem": statement.get("schema"), "rule": method.removeprefix("by ")}
    name = way_to(verdict, method, str(statement["kind"])).primitive
    return f"{name} {named[name]!r}" if name in named else name


def primitives(certificate: Data) -> list[str]:
    """The primitives of all evidence that a certificate holds: nothing else can be used to check it.

    >>> statement = {"kind": "identity", "symbols": {}, "assuming": [], "left": ["q", "1"], "right": ["q", "1"]}
    >>> primitives({"statement": statement, "verdict": "proved", "method": "normal form", "payload": {}})
    ['ring']
    """
    tables, waiting = list[Data](), [certificate]
    while waiting:
        here = waiting.pop()
        if isinstance(here, dict):
            tables.append(here)
        parts = here.values() if isinstance(here, dict) else here
        waiting += [part for part in parts if isinstance(part, HOLDING)]
    return sorted(primitives_in(tables))


def primitives_in(tables: Iterable[Data]) -> set[str]:
    """The primitives of evidence, given every object in a certificate."""
    names = set[str]()
    for table in tables:
        statement = table.get("statement")
        if table.keys() >= EVIDENCE and isinstance(statement, dict) and "kind" in statement:
            names.add(primitive(statement, str(table["verdict"]), str(table["method"])))
        if table.keys() >= LINE and table["rule"] != "given":
            names.add(f"theorem {table['rule']!r}")
    return names - {""}


HOMES = {way.primitive: way.check for way in reversed(WAYS) if way.primitive}
"""Where each primitive is carried out."""


def in_core(primitive: str) -> bool:
    """Check whether the code of a primitive stands in the core of the checker.

    >>> in_core("theorem 'zero stays zero'"), in_core("step")
    (True, False)
    """
    name = primitive if primitive in HOMES else primitive.partition(" ")[0]
    return f"{HOMES[name].__module__}.".startswith(CORE)

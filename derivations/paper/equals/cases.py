"""Relations between numbers that are decided under hypotheses, signs among them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from derivations import prove
from derivations.kernels.specification.numbers import RANGES
from derivations.language.functions import expm1, relexp, relexp1
from derivations.language.terms import Term, symbol, symbols_in
from derivations.prove.certificate import Certificate

REMOVABLE = (expm1, relexp, relexp1)
WEAKER = {"positive": ["nonnegative", "nonzero"], "negative": ["nonpositive", "nonzero"]}


def words_of(relations: Iterable[Term]) -> dict[Term, tuple[str, str]]:
    """The relations that say a sign of a symbol: the symbol's name, and the word."""
    names = {side[1] for relation in relations for side in relation[1:] if side[0] == "s"}
    said = {write(symbol(name)): (name, word) for name in names for word, write in RANGES.items()}
    return {relation: said[relation] for relation in relations if relation in said}


def decided(relation: Term, supposed: Iterable[Term]) -> Certificate:
    """The certificate of a relation under hypotheses, of which signs of symbols are told beside these.

    >>> x, zero = ("s", "x"), ("q", "0")
    >>> decided((">", ("^", x, ("q", "2")), zero), [(">", x, zero)]).verdict.value
    'proved'
    """
    return _decided(relation, tuple(dict.fromkeys(supposed)))


@lru_cache(maxsize=2000)
def _decided(relation: Term, supposed: tuple[Term, ...]) -> Certificate:
    """Cases of a kernel ask for the same again and again."""
    head, left, right = relation
    words = words_of(supposed)
    assuming = [r for r in supposed if r not in words]
    used = set().union(*(symbols_in(side) for r in (relation, *assuming) for side in r[1:]))
    told: dict[str, list[str]] = {name: [] for name in sorted(used)}
    for name, word in words.values():
        if name in told:
            told[name] += [word, *WEAKER.get(word, [])]
    for said in told.values():
        said += [strict for strict, weaker in WEAKER.items() if strict not in said and {*weaker} <= {*said}]
    kind: dict[str, Any] = {"kind": "identity"} if head == "=" else {"kind": "sign", "relation": head}
    return prove.decide({**kind, "symbols": told, "assuming": assuming, "left": left, "right": right})

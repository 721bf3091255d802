"""The words in which a paper writes: how it spells letters and operators, and what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from derivations.latex import CannotRead, Notation
from derivations.text.doors import require_fields


@dataclass(frozen=True)
class Vocabulary:
    """How a paper writes: notations for scalars and for objects, and what letters and operators mean as objects.

    scalars: the notation of formulas in symbols. objects: the notation of formulas in words or sums.
    letters: the object of every symbol of the second notation. rules: meanings of operators, as `to_words` takes them.
    meanings: the SymPy symbol or expression of every name of the first notation, as `to_sympy` takes them.
    settle: brings objects to the letters in which claims are written, before they are compared.

    >>> from derivations.latex import Notation
    >>> Vocabulary(Notation(letters="a b")).scalars.letters
    'a b'
    """

    scalars: Notation
    objects: Notation | None = None
    letters: Mapping[str, Any] = field(default_factory=dict)
    rules: Mapping[str, Any] = field(default_factory=dict)
    settle: Any = None
    meanings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        require_fields(self, CannotRead)


def symbols_of(*symbols: Any) -> dict[str, sp.Symbol]:
    """Symbols by their names, as the meanings of a vocabulary.

    >>> symbols_of(sp.Symbol("a"))
    {'a': a}
    """
    return {str(symbol): symbol for symbol in symbols}

"""The meaning of a paper's letters: LaTeX atoms, functions and operators, matched by the longest run of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from derivations.language.terms import Term, symbol
from derivations.text.doors import at_door, require_fields

from .tokens import CannotRead, Token, tokenise

Entry = dict[str, str | Term]  # what a spelling may be: "atom", "norm" (value: its square), "function", "operator"


def spelling(latex: str) -> tuple[str, ...]:
    """The tokens of a LaTeX spelling, as formulas have them."""
    return tuple(t.text for t in tokenise(latex)[:-1])


@dataclass(frozen=True)
class Notation:
    r"""The meaning of a paper's letters.

    atoms       LaTeX spelling -> symbol name or term.  From the square of a norm, ``||x||^{2}``, follow all its powers.
    letters     spellings that stand for themselves, separated by spaces (``\tau`` is called ``tau``)
    functions   spelling -> name; a function is always followed by its arguments in parentheses.  A spelling that is
                both function and atom is a function exactly where a parenthesis follows.
    operators   spelling -> name; an operator acts on the one factor after it
    averages    the subscripts that an average <...> may carry
    transposes  letters of the notation that mean a transpose where they stand alone as a superscript

    Refuses an empty spelling, and one spelling with two meanings (`CannotRead`).

    >>> from derivations.latex import read
    >>> read(r"\tau_{h}w(t)", Notation({r"\tau_{h}": "tau_h"}, letters="t", functions={"w": "w"})).tree
    ('*', ('s', 'tau_h'), ('call', 'w', ('s', 't')))
    """

    atoms: Mapping[str, str | Term] = field(default_factory=dict)
    letters: str = ""
    functions: Mapping[str, str] = field(default_factory=dict)
    operators: Mapping[str, str] = field(default_factory=dict)
    averages: tuple[str, ...] = ("", r"\mathcal{D}")
    transposes: tuple[str, ...] = ()
    table: dict[tuple[str, ...], Entry] = field(init=False, repr=False, compare=False, default_factory=dict)
    by_first: dict[str, list[tuple[str, ...]]] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        require_fields(self, CannotRead)
        for latex, meaning in self.atoms.items():
            self._add(latex, "atom", symbol(meaning) if isinstance(meaning, str) else meaning)
        for letter in self.letters.split():
            self._add(letter, "atom", symbol(letter.lstrip("\\")))
        for latex, name in self.functions.items():
            self._add(latex, "function", name)
        for latex, name in self.operators.items():
            self._add(latex, "operator", name)
        self._add_roots_of_squared_norms()
        for key in sorted(self.table, key=lambda k: (-len(k), k)):
            self.by_first.setdefault(key[0], []).append(key)

    def _add(self, latex: str, kind: str, value: str | Term) -> None:
        key = spelling(latex)
        if not key:
            raise CannotRead("the notation has an entry with an empty spelling")
        entry = self.table.setdefault(key, {})
        if entry.get(kind, value) != value:
            raise CannotRead(f"the notation gives {latex} two meanings, {entry[kind]} and {value}")
        entry[kind] = value

    def _add_roots_of_squared_norms(self) -> None:
        for key, entry in list(self.table.items()):
            if key[0] == "||" and key[-4:] == ("^", "{", "2", "}") and key.count("||") == 2 and "atom" in entry:
                self.table.setdefault(key[:-4], {}).setdefault("norm", entry["atom"])

    @at_door(CannotRead)
    def extended(
        self,
        atoms: Mapping[str, str | Term] | None = None,
        letters: str = "",
        functions: Mapping[str, str] | None = None,
        operators: Mapping[str, str] | None = None,
    ) -> Notation:
        """Return the same notation with further entries; an entry given here wins over an older one of the same
        spelling.

        atoms, letters, functions, operators: as of `Notation`.

        >>> from derivations.latex import read
        >>> read(r"a+b", Notation(letters="a").extended(letters="b")).tree
        ('+', ('s', 'a'), ('s', 'b'))
        """
        new = {spelling(latex) for latex in (*(atoms or {}), *letters.split())}
        older = {latex: meaning for latex, meaning in self.atoms.items() if spelling(latex) not in new}
        return Notation(
            {**older, **(atoms or {})},
            " ".join([*(v for v in self.letters.split() if spelling(v) not in new), letters]),
            {**self.functions, **(functions or {})},
            {**self.operators, **(operators or {})},
            self.averages,
            self.transposes,
        )

    def match(self, tokens: Sequence[Token], at: int) -> tuple[int, Entry]:
        """How many tokens the longest entry at this place covers, and the entry; (0, {}) where there is none."""
        for key in self.by_first.get(tokens[at].text, ()):
            if len(key) <= len(tokens) - at and all(tokens[at + i].text == text for i, text in enumerate(key)):
                entry = self.table[key]
                if set(entry) != {"function"} or tokens[at + len(key)].text == "(":
                    return len(key), entry
        return 0, {}

    def is_average(self, subscript: Iterable[str]) -> bool:
        return tuple(subscript) in {spelling(s) for s in self.averages}

    def near(self, text: str) -> str:
        """The entries that share a first token, for a message."""
        keys = ["".join(key) for key in self.by_first.get(text, ())]
        return ", ".join(keys[:6]) if keys else "none that begins like this"

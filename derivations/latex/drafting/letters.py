r"""The letters of formulas: which spellings are names, what they can be called, and how they seem to be used.

A name is a letter with its accent and subscript, and with a superscript that is no power, such as a star. Everything
here is a proposal: the author of a draft declares what each letter means.
"""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from derivations.latex.notation import Notation
from derivations.latex.tokens import (
    BUILT_IN,
    INFIX,
    ONE_ARGUMENT,
    RELATION_SIGNS,
    TABLE,
    TRANSPOSES,
    CannotRead,
    Token,
    closing,
    tokenise,
)

DRAFTS = TABLE["drafts"]
DOTTED = frozenset((r"\dot", r"\ddot"))  # derivatives, unless a subscript makes them names
ACCENTS = ONE_ARGUMENT - {r"\sqrt"} - DOTTED
MARKS: dict[str, str] = DRAFTS["marks"]
WORDS: dict[str, str] = DRAFTS["words"]  # of names
ARGUMENT = re.compile(
    r"(?:\\[A-Za-z]+(?:\{[^{}]*\}+)?|[A-Za-z]|\d+(?:\.\d+)?)(?:_\{[^{}]*\})?(?:\^\{(?:\*|\\prime|\\star)\})?"
)  # a number, or a name with its subscript and mark


@dataclass
class LetterFound:
    """A name in the formulas of a paper, and how it is used there."""

    spelling: str
    name: str
    first: int  # the display in which it stands first
    count: int = 0
    arguments: Counter[str] = field(default_factory=Counter)  # what stands in parentheses after it
    is_transposed: bool = False
    stands_alone: bool = False  # whether nothing that it could act on follows it somewhere

    @property
    def is_function(self) -> bool:
        """Check whether what follows it in parentheses reads as its arguments rather than as a factor."""
        return bool(self.arguments) and (
            self.is_operator or any(map(_looks_like_arguments, self.arguments)) or self._is_usual
        )

    @property
    def _is_usual(self) -> bool:
        return self.spelling.split("_")[0].split("^")[0] in DRAFTS["functions"] or self.spelling.startswith(r"\mathcal")

    @property
    def is_operator(self) -> bool:
        """Check whether it is printed as an operator, and acts on what follows."""
        head = re.match(r"\\[A-Za-z]+", self.spelling)
        is_one = self.spelling.startswith((r"\operatorname", r"\text", r"\partial", r"\nabla"))
        return (is_one or bool(head and head[0][1:] in DRAFTS["heads"])) and not self.stands_alone

    @property
    def is_matrix(self) -> bool:
        """Check whether it is transposed somewhere, or printed as a bold capital."""
        return self.is_transposed or bool(re.search(r"\\(?:mathbf|boldsymbol|bm)\{\\?[A-Z]", self.spelling))


def _looks_like_arguments(inside: str) -> bool:
    """Check whether parentheses after a letter hold arguments: a number, one name, or a list of them."""
    return all(ARGUMENT.fullmatch(part) for part in re.split("[,;]", inside))


def letters(formulas: Iterable[str]) -> list[LetterFound]:
    r"""The names in formulas, in the order of their first use.

    >>> [(found.spelling, found.name) for found in letters([r"\mathbf{W}_1 = \tau_{h} a(t) + e^{-st}"])]
    [('\\mathbf{W}_{1}', 'W_1'), ('\\tau_{h}', 'tau_h'), ('a', 'a'), ('t', 't'), ('s', 's')]
    """
    found: dict[str, LetterFound] = {}
    taken: set[str] = set()
    every = [_tokens(latex) for latex in formulas]
    bare = any(a.text == r"\nabla" and b.text != "_" for tokens in every for a, b in pairwise(tokens))
    for place, tokens in enumerate(every):
        for start, end in _names(tokens, bare):
            spelling = "".join(_spaced(tokens[start:end]))
            if spelling not in found:
                found[spelling] = LetterFound(spelling, _called(tokens[start:end], taken), place)
                taken.add(found[spelling].name)
            one = found[spelling]
            one.count += 1
            one.is_transposed |= _script(tokens, end, "^") in TRANSPOSES
            one.stands_alone |= tokens[end].kind not in ("letter", "command", "text") and tokens[end].text != "("
            one.stands_alone |= tokens[end].text in INFIX
            if tokens[end].text == "(" and (inside := _inside(tokens, end)) is not None:
                one.arguments[inside] += 1
    return list(found.values())


def notation_of(found: Sequence[LetterFound], formulas: Iterable[str]) -> Notation:
    """A notation in which every name that was found can be read."""
    functions = {letter.spelling: letter.name for letter in found if letter.is_function}
    operators = {letter.spelling: letter.name for letter in found if letter.is_operator}
    atoms = {letter.spelling: letter.name for letter in found if letter.spelling not in operators}
    averages = {"", *(mean for latex in formulas for mean in _averages(latex))}
    both = tuple(sorted(TRANSPOSES & {*atoms}))
    return Notation(atoms, "", functions, operators, averages=tuple(sorted(averages)), transposes=both)


def _tokens(latex: str) -> list[Token]:
    """The tokens of a formula; the last one alone where it cannot be read at all."""
    try:
        return tokenise(latex)
    except CannotRead:
        return [Token("stop", "", 0)]


# --- names ------------------------------------------------------------------------------------------------------------


def _names(tokens: Sequence[Token], bare: bool) -> Iterator[tuple[int, int]]:
    """Where names begin and end; gradients are names where some stand `bare`, without saying by what."""
    i = 0
    while tokens[i].kind != "stop":
        if tokens[i].text == "^" and _script(tokens, i, "^") in TRANSPOSES:
            i = _closing(tokens, i + 1)
            continue
        end = _end_of_name(tokens, i, bare)
        if end and not _means_something_else(tokens, i, end):
            yield i, end
        i = end or i + 1


def _end_of_name(tokens: Sequence[Token], i: int, bare: bool) -> int:
    """Where the name that begins at a place ends; 0 where none begins."""
    if tokens[i].text in ("||", "{"):
        return _end_of_marked_group(tokens, i)
    if tokens[i].text in DRAFTS["dots"]:
        return i + 1
    if end := _end_of_operator(tokens, i, bare):
        return end
    if tokens[i].text in BUILT_IN or tokens[i].text in DRAFTS["unread"]:
        return 0
    if _is_accented(tokens, i):
        end = _closing(tokens, i + 1) + 1
    elif tokens[i].kind == "letter" or tokens[i].text in DRAFTS["greek"]:
        end = i + 1
    else:
        return 0
    if tokens[end].text == "(" and (after := _after_parenthesis(tokens, end)) and tokens[after].text == "_":
        end = after
    end = _after_script(tokens, end)
    if tokens[end].text == "^" and _is_mark(tokens, end + 1):
        end = _closing(tokens, end + 1) + 1
    return end


def _after_script(tokens: Sequence[Token], at: int) -> int:
    """The place after a subscript that may stand at a place."""
    return _closing(tokens, at + 1) + 1 if tokens[at].text == "_" else at


def _is_accented(tokens: Sequence[Token], i: int) -> bool:
    """Check whether an accent over a letter begins here that is part of its name."""
    if tokens[i + 1].text != "{":
        return False
    is_indexed = tokens[i].text in DOTTED and tokens[_closing(tokens, i + 1) + 1].text == "_"
    return is_indexed or tokens[i].text in ACCENTS


def _end_of_operator(tokens: Sequence[Token], i: int, bare: bool) -> int:
    """Where an operator that is printed in words, or a derivative with its variable as a subscript, ends; 0 if none."""
    text = tokens[i].text
    if text[:1] == "\\" and text[1:] in DRAFTS["heads"]:
        end = i + 1
        while tokens[end].text[1:] in DRAFTS["heads"]:
            end += 1
        return _after_script(tokens, end)
    if text == r"\partial" and tokens[i + 1].text == "_":
        return _closing(tokens, i + 2) + 1
    if text == r"\nabla":
        end = _after_script(tokens, i + 1)
        if tokens[end].text == r"\cdot":
            return end + 1
        return end if bare else 0  # the reader knows a gradient by its subscript
    return 0


def _end_of_marked_group(tokens: Sequence[Token], i: int) -> int:
    """Where a norm with a subscript, or a group with a prime, ends: such a whole is a name."""
    if tokens[i].text == "{":
        end = _closing(tokens, i) + 1
    else:
        end = next((k + 1 for k in range(i + 1, len(tokens)) if tokens[k].text == "||"), 0)
        if end and tokens[end].text == "_" and _script(tokens, end, "_") != "F":
            return _closing(tokens, end + 1) + 1
    is_primed = end and tokens[end].text == "^" and _script(tokens, end, "^") in MARKS
    return _closing(tokens, end + 1) + 1 if is_primed else 0


def _is_mark(tokens: Sequence[Token], opening: int) -> bool:
    """Check whether a superscript belongs to the name: a star, a prime, a word, several letters, an index in
    parentheses.
    """
    inside = tokens[opening + 1 : _closing(tokens, opening)]
    texts = [token.text for token in inside]
    if not texts or texts[0] in TRANSPOSES or (len(texts) == 1 and texts[0] == "+"):
        return False
    if all(text in MARKS for text in texts) or inside[0].kind == "text":
        return True
    if texts[0] == "(" and texts[-1] == ")":
        return True
    if texts[-1] in TRANSPOSES and len(texts) > 1 and not set(texts) & INFIX:
        return True
    return len(texts) > 1 and all(token.kind == "letter" for token in inside)


def _means_something_else(tokens: Sequence[Token], i: int, end: int) -> bool:
    """Check whether a letter is part of a derivative, an exponential, an index of a sum, or a probability."""
    text, after = tokens[i].text, tokens[end].text
    if text == "e" and end == i + 1:
        return after == "^"
    if text in ("d", r"\mathrm{d}") and end == i + 1:
        opens = i and tokens[i - 1].text == "{" and i > 1 and tokens[i - 2].text in (r"\frac", "}")
        return bool(opens) or (tokens[end].kind in ("letter", "command") and text == r"\mathrm{d}")
    if text == "P" and after == "(":
        inside = _inside(tokens, end) or ""
        return any(sign in inside for sign in RELATION_SIGNS)
    return False


def _script(tokens: Sequence[Token], at: int, mark: str) -> str:
    """Return what stands in the script at a place."""
    if tokens[at].text != mark:
        return ""
    return "".join(token.text for token in tokens[at + 2 : _closing(tokens, at + 1)])


def _inside(tokens: Sequence[Token], opening: int) -> str | None:
    """Return what stands between a parenthesis and the one that closes it."""
    after = _after_parenthesis(tokens, opening)
    return "".join(token.text for token in tokens[opening + 1 : after - 1]) if after else None


def _after_parenthesis(tokens: Sequence[Token], opening: int) -> int:
    """The place after the parenthesis that closes the one at a place; 0 where none does."""
    return closing(tokens, opening, "()") + 1


def _closing(tokens: Sequence[Token], opening: int) -> int:
    """The brace that closes the one at a place; tokens have braces around every script."""
    return closing(tokens, opening) % len(tokens)


def _spaced(tokens: Sequence[Token]) -> Iterator[str]:
    """The texts of tokens, with a space where a command would run into a letter."""
    for k, token in enumerate(tokens):
        follows = tokens[k + 1].text if k + 1 < len(tokens) else ""
        yield token.text + (" " if re.fullmatch(r"\\[A-Za-z]+", token.text) and follows[:1].isalpha() else "")


def _called(tokens: Sequence[Token], taken: set[str]) -> str:
    """A Python name that no other letter has."""
    accents = [f"_{token.text[1:]}_" for token in tokens if token.text in ACCENTS | DOTTED]
    words = [_word(token) for token in tokens if token.text not in ACCENTS | DOTTED]
    base = next((k + 1 for k, word in enumerate(words) if word.strip("_")), 0)
    parts = [*words[:base], *accents, *words[base:]]
    name = re.sub(r"_+", "_", "".join(parts)).strip("_") or "x"
    name = f"x{name}" if name[0].isdigit() else name
    name = f"{name}_" if keyword.iskeyword(name) else name
    return next(free for free in (name, *(f"{name}_{k}" for k in range(2, 10_000))) if free not in taken)


def _word(token: Token) -> str:
    if token.text in MARKS:
        return f"_{MARKS[token.text]}"
    if token.text in ("_", "^"):
        return "_"
    if token.text in WORDS:
        return WORDS[token.text]
    inside = re.sub(r"\\[a-z]+(?=\{)", "", token.text)
    return re.sub(r"\W+", "_", inside.replace("\\", ""), flags=re.ASCII).strip("_")


def _averages(latex: str) -> Iterator[str]:
    """The subscripts of averages in a formula, in the spelling that a notation takes."""
    tokens = _tokens(latex)
    for k, token in enumerate(tokens):
        if token.text == r"\rangle" and tokens[k + 1].text == "_":
            yield _script(tokens, k + 1, "_")

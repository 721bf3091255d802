"""LaTeX source to tokens in one normal spelling, so that two ways of typing the same formula give the same tokens.

Every script and argument gets braces; subscripts come before superscripts; a prime becomes ^{\\prime}. `tokenise`
serves the reader of meanings and drops spaces, sizes of brackets and alignment marks; a line break stays only where a
new statement may begin. `visible_tokens` serves the pages and keeps all that is seen.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

from derivations.text import DerivationError

DEEPEST = 60  # formulas that people print nest far less; the reader is recursive
TABLE: dict[str, Any] = tomllib.loads(Path(__file__).with_name("signs.toml").read_text(encoding="utf-8"))
KINDS: dict[str, frozenset[str]] = {kind: frozenset(commands) for kind, commands in TABLE["kinds"].items()}
SYNONYMS: dict[str, str] = TABLE["synonyms"]
PAIRS: dict[str, str] = TABLE["pairs"]
CLOSING = frozenset(PAIRS.values())
RELATION_SIGNS: dict[str, str] = TABLE["relations"]
BUILT_IN: dict[str, str] = {
    form.format(name): meaning
    for name, meaning in TABLE["functions"].items()
    for form in (r"\{}", r"\text{{{}}}", r"\mathrm{{{}}}", r"\operatorname{{{}}}")
}
ROWS, MATRICES, ONE_ARGUMENT = KINDS["rows"], KINDS["matrices"], KINDS["one_argument"]
SIGNS, TRANSPOSES = KINDS["signs"], KINDS["transposes"]
GREEK = frozenset(TABLE["drafts"]["greek"])
USUAL_FUNCTIONS = frozenset((*TABLE["drafts"]["functions"], r"\pi"))
INFIX = KINDS["infix"] | RELATION_SIGNS.keys()


class CannotRead(DerivationError):
    """The LaTeX source is not understood; the message says where, what stands there and what was expected."""


class Ambiguous(CannotRead):
    """Two readers could read the LaTeX source differently; the message has both readings, and how to write one."""


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of a formula, and where it stands in the source."""

    kind: str  # number, letter, command, text, mark, begin, end, break, stop; space and size only for pictures
    text: str  # in the normal spelling
    at: int
    spelled: str = ""  # as the source has it, where that looks different


def complain(source: str, at: int, what: str, kind: type[CannotRead] = CannotRead) -> CannotRead:
    """The error about a place in the source, which it shows with what stands around it."""
    before, after = source[max(0, at - 20) : at], source[at : at + 40]
    place = (
        " ".join((before + " >>> " + after).split()) if after.strip() else "the end, after " + " ".join(before.split())
    )
    return kind(f"at character {at} ({place}): {what}")


def ambiguous(source: str, at: int, case: str, **names: str) -> CannotRead:
    """The error about a place that can be read in two ways: a line of the table of ambiguous prints."""
    what, one, other, write = (text.format(**names) for text in TABLE["ambiguous"][case])
    return complain(source, at, f"{what} may be read as {one} or as {other}: {write}", Ambiguous)


def tokenise(source: str) -> list[Token]:
    r"""The tokens of a formula's meaning in their normal spelling, closed by a "stop" token.

    Refuses characters without a meaning and groups that are not closed (`CannotRead`).

    >>> [token.text for token in tokenise(r"\left(x'\right)^2")]
    ['(', 'x', '^', '{', '\\prime', '}', ')', '^', '{', '2', '}', '']
    """
    spaced = _with_wide_spaces(_lex(source))
    sized = [_sized(before, token) for before, token in pairwise([*spaced[:1], *spaced])]
    plain = [token for token in sized if token.kind not in ("space", "size")]
    return [*_layout(source, _Normal(source, plain).everything()), Token("stop", "", len(source))]


def _sized(before: Token, token: Token) -> Token:
    """A bar behind \\left or \\right, which tells whether it opens or closes something, with that as its spelling."""
    return replace(token, spelled=before.text + token.text) if before.kind == "size" and "|" in token.text else token


def visible_tokens(source: str) -> list[Token]:
    r"""The tokens of a formula's look: the same with spaces, sizes of brackets, alignment marks and line breaks.

    >>> [token.text for token in visible_tokens(r"\left(x\right)\,y")]
    ['\\left', '(', 'x', '\\right', ')', '\\,', 'y', '']
    """
    return [*_Normal(source, _lex(source)).everything(), Token("stop", "", len(source))]


_TOKEN = re.compile(
    r"""(?P<nothing>(?:\s|%[^\n]*(?:\n|$))+)
    |(?P<space>~)
    |(?P<line>\\\\(?:\s*\[\s*-?[\d.]+\s*(?:pt|em|ex|cm|mm|in)\s*\])?)
    |(?P<command>\\(?:[A-Za-z]+|.))
    |(?P<number>\d+(?:\.\d+)?)
    |(?P<primes>'+)
    |(?P<mark>:=|:|\|\||[()\[\]{}|+\-*/=<>^_,;.&!])
    |(?P<letter>[A-Za-z])""",
    re.S | re.X | re.A,
)
_POWER_OF_TEN = re.compile(r"\d+(?:\.\d+)?\s*[eE]\s*[-+]?\s*\d", re.A)
_BARE_ARGUMENT = re.compile(r"\s*(\\[A-Za-z]+|[A-Za-z0-9])")
_BAR = re.compile(r"\s*\|")
_DELIMITER = re.compile(r"\s*(\\?[<>]|\.)")


def _lex(source: str) -> list[Token]:
    tokens: list[Token] = []
    at = 0
    while at < len(source):
        match = _TOKEN.match(source, at)
        if match is None:
            raise complain(source, at, f"the character {source[at]!r} has no meaning here")
        kind, text = str(match.lastgroup), match.group()
        if kind == "command":
            at = _lex_command(source, at, match, tokens)
            continue
        if kind == "number" and _POWER_OF_TEN.match(source, at):
            raise ambiguous(source, at, "power of ten")
        if kind == "primes":
            signs = ("^", "{", *[r"\prime"] * len(text), "}")
            tokens += [Token("command" if sign == r"\prime" else "mark", sign, at) for sign in signs]
        elif kind == "line":
            tokens.append(Token("mark", r"\\", at))
        elif kind != "nothing":
            tokens.append(Token(kind, text, at))
        at = match.end()
    return tokens


def _lex_command(source: str, at: int, match: re.Match[str], tokens: list[Token]) -> int:
    name, end = match.group()[1:], match.end()
    if name in KINDS["silent"]:
        return end
    if name in KINDS["spaces"]:
        tokens.append(Token("space", match.group(), at))
        return end
    if name in KINDS["sizes"]:
        tokens.append(Token("size", match.group(), at))
        if bar := _BAR.match(source, end):
            tokens.append(Token("mark", "|", bar.end() - 1))
            return bar.end()
        bracket = _DELIMITER.match(source, end)
        if not bracket or bracket.group(1).startswith("\\"):
            return end
        drawn = {".": ("size", "."), "<": ("command", r"\langle"), ">": ("command", r"\rangle")}[bracket.group(1)]
        tokens.append(Token(*drawn, bracket.start(1)))
        return bracket.end()
    if name in KINDS["ignored_with_argument"]:
        if name == "hspace":
            tokens.append(Token("space", match.group(), at))
        return _braces(source, end)[1]
    if name in ("begin", "end"):
        inside, end = _braces(source, end)
        environment = inside.strip().rstrip("*")
        if name == "begin" and environment in ("array", "alignat"):
            end = _column_specification(source, end)
        tokens.append(Token(name, environment, at))
        return end
    if name in KINDS["texts"] | KINDS["styles"]:
        bare = _BARE_ARGUMENT.match(source, end)
        inside, end = (bare.group(1), bare.end()) if bare else _braces(source, end)
        text = " ".join(inside.split()) if name in KINDS["texts"] else "".join(inside.split())
        family = "text" if name in KINDS["texts"] else name
        tokens.append(Token("text" if name in KINDS["texts"] else "letter", f"\\{family}{{{text}}}", at, inside))
        return end
    text = SYNONYMS.get(match.group(), match.group())
    tokens.append(Token("command" if text.startswith("\\") else "mark", text, at, match.group()))
    return end


def _braces(source: str, at: int) -> tuple[str, int]:
    """Return what stands between the braces that open after position `at`, and where they end."""
    start = at + len(source[at:]) - len(source[at:].lstrip())
    if start >= len(source) or source[start] != "{":
        raise complain(source, start, "an opening brace was expected")
    depth = 0
    for i in range(start, len(source)):
        depth += {"{": 1, "}": -1}.get(source[i], 0)
        if depth == 0:
            return source[start + 1 : i], i + 1
    raise complain(source, start, "this brace is never closed")


def _column_specification(source: str, at: int) -> int:
    optional = re.compile(r"\s*\[[^\]]*\]").match(source, at)
    return _braces(source, optional.end() if optional else at)[1]


class _Normal:
    """Puts braces around every script and argument, and subscripts before superscripts."""

    def __init__(self, source: str, tokens: list[Token]) -> None:
        self.source, self.tokens, self.i = source, tokens, 0

    def everything(self) -> list[Token]:
        done: list[Token] = []
        while self.i < len(self.tokens):
            if self.tokens[self.i].text == "}":
                raise complain(self.source, self.tokens[self.i].at, "this closing brace closes nothing")
            done += self.piece(0)
        return done

    def piece(self, depth: int) -> list[Token]:
        """One token with its arguments, one group in braces, or one run of scripts."""
        token = self.tokens[self.i]
        if depth > DEEPEST:
            raise complain(self.source, token.at, f"groups are nested more than {DEEPEST} deep")
        if token.text in ("^", "_"):
            return self.scripts(depth)
        if token.text == "{":
            group = self.group(depth)
            has_script = self.i < len(self.tokens) and self.tokens[self.i].text in ("^", "_")
            return group if len(group) > 2 or has_script else []
        self.i += 1
        if token.text == r"\frac":
            return [token, *self.argument(depth, token), *self.argument(depth, token)]
        if token.text in ONE_ARGUMENT:
            option: list[Token] = []
            if token.text == r"\sqrt" and self.i < len(self.tokens) and self.tokens[self.i].text == "[":
                while not (option and option[-1].text == "]"):
                    option += self.argument(depth, token, bare=True)
            return [token, *option, *self.argument(depth, token)]
        return [token]

    def not_a_digit(self, after: Token) -> None:
        """Refuses a digit where TeX takes only the one before it as an argument."""
        following = self.tokens[self.i] if self.i < len(self.tokens) else None
        if following is not None and following.kind == "number":
            raise ambiguous(self.source, after.at, "digits", together=after.text + following.text, alone=after.text)

    def group(self, depth: int) -> list[Token]:
        opening = self.tokens[self.i]
        self.i += 1
        inside = [opening]
        while self.i < len(self.tokens) and self.tokens[self.i].text != "}":
            inside += self.piece(depth + 1)
        if self.i == len(self.tokens):
            raise complain(self.source, opening.at, "this brace is never closed")
        self.i += 1
        return [*inside, self.tokens[self.i - 1]]

    def argument(self, depth: int, owner: Token, bare: bool = False) -> list[Token]:
        if self.i >= len(self.tokens) or self.tokens[self.i].text == "}":
            raise complain(self.source, owner.at, f"{owner.text} lacks what belongs to it")
        token = self.tokens[self.i]
        split = len(token.text)
        if token.kind == "number" and split > 1 and not bare:  # TeX takes one digit: \frac12 is a half
            self.tokens[self.i : self.i + 1] = [
                Token("number", token.text[0], token.at),
                *_lex_rest(token),
            ]
        taken = self.group(depth + 1) if token.text == "{" else self.piece(depth + 1)
        if bare or taken[0].text == "{":
            return taken
        if token.kind == "number" and not (owner.text == r"\frac" and split == 2):
            self.not_a_digit(self.tokens[self.i - 1])
        return [Token("mark", "{", taken[0].at), *taken, Token("mark", "}", taken[-1].at)]

    def scripts(self, depth: int) -> list[Token]:
        below: list[Token] = []
        above: list[Token] = []
        while self.i < len(self.tokens) and self.tokens[self.i].text in ("^", "_"):
            mark = self.tokens[self.i]
            self.i += 1
            script = [mark, *self.argument(depth, mark)]
            if mark.text == "_":
                below += script
            else:
                above += script
        return below + above


def _lex_rest(token: Token) -> list[Token]:
    """The digits of a number after its first one, as tokens of their own."""
    rest = token.text[1:]
    if not rest[0].isdigit():
        return [Token("mark", ".", token.at + 1), Token("number", rest[1:], token.at + 2)]
    return [Token("number", rest, token.at + 1)]


def _with_wide_spaces(tokens: list[Token]) -> list[Token]:
    """Wide spaces, which end a statement, as breaks: a quad, or several spaces beside each other."""
    spaced: list[Token] = []
    for token in tokens:
        is_wide = token.kind == "space" and (token.text in KINDS["wide"] or (spaced and spaced[-1].kind == "space"))
        if token.kind == "space" and token.text == r"\!":
            continue
        spaced.append(Token("break", r"\quad", token.at) if is_wide else token)
    return spaced


def _layout(source: str, tokens: list[Token]) -> list[Token]:
    """Environments of rows dissolve into one stream in which "break" tokens stand where a statement may begin."""
    done: list[Token] = []
    environments: list[tuple[Token, list[str]]] = []
    brackets: list[str] = []
    columns = 0  # how many alignment marks a row has had: every second one stands between two columns
    for token in tokens:
        if token.kind == "begin":
            if token.text not in ROWS | MATRICES:
                raise complain(source, token.at, f"the environment {token.text} is not known")
            environments.append((token, brackets))
            brackets = []
        elif token.kind == "end":
            if not environments or environments[-1][0].text != token.text:
                raise complain(source, token.at, f"\\end{{{token.text}}} has no \\begin of the same name")
            brackets = environments.pop()[1]
        elif token.text in PAIRS:
            brackets.append(PAIRS[token.text])
        elif brackets and token.text == brackets[-1]:
            brackets.pop()
        in_matrix = bool(environments) and environments[-1][0].text in MATRICES
        if token.kind in ("begin", "end"):
            if token.text in MATRICES:
                done.append(token)
        elif (token.text == r"\\" or token.kind == "break") and not in_matrix:
            columns = columns if token.kind == "break" else 0
            if not brackets:
                inside = environments[-1][0].text if environments else ""
                done.append(Token("break", inside if inside == "multline" else token.text, token.at))
        elif token.text == "&" and not in_matrix:
            columns += 1
            if columns % 2 == 0 and not brackets and environments and environments[-1][0].text != "eqnarray":
                done.append(Token("break", r"\quad", token.at))
        elif token.kind != "break":
            done.append(token)
    if environments:
        raise complain(source, environments[-1][0].at, f"\\begin{{{environments[-1][0].text}}} is never ended")
    return _without_breaks_inside_statements(source, done)


def _without_breaks_inside_statements(source: str, tokens: list[Token]) -> list[Token]:
    """A line that begins or ends with an infix sign goes on, so the break at that place means nothing.

    A line that begins with the sign of a term and has a relation of its own may go on, or state something itself, and
    so may one of a multline that begins with anything else.
    """
    done: list[Token] = []
    for i, token in enumerate(tokens):
        if token.kind == "break":
            if i and tokens[i - 1].kind == "break" and tokens[i - 1].text != r"\quad":
                continue  # how far a line is moved in
            following = next((t for t in tokens[i + 1 :] if t.kind != "break"), None)
            before = done[-1] if done else None
            if before is None or following is None or before.kind == "break":
                continue
            if before.text in INFIX | KINDS["joining"] or (following.text in INFIX and following.text not in SIGNS):
                continue
            if token.text == "multline":
                if following.text in SIGNS or before.text in (",", ";"):
                    continue
                raise ambiguous(source, following.at, "line")
            if following.text in SIGNS:
                if token.text == r"\quad" or _has_relation(tokens[i + 1 :]):
                    raise ambiguous(source, following.at, "line")
                continue
        done.append(token)
    return done


def _has_relation(line: list[Token]) -> bool:
    """Check whether a relation stands in what comes before the next break, outside all brackets."""
    for token in outside(takewhile(lambda token: token.kind != "break", line)):
        if token.text in (",", ";", *RELATION_SIGNS):
            return token.text in RELATION_SIGNS
    return False


def outside(tokens: Iterable[Token]) -> Iterator[Token]:
    """The tokens that stand in no brackets."""
    depth = 0
    for token in tokens:
        depth += (token.text in PAIRS) - (token.text in CLOSING)
        if depth == 0:
            yield token


def closing(tokens: Sequence[Token], opening: int, marks: str = "{}") -> int:
    """The place of the mark that closes the one at a place; -1 where none does."""
    depth = 0
    for k in range(opening, len(tokens)):
        depth += (tokens[k].text == marks[0]) - (tokens[k].text == marks[1])
        if depth == 0:
            return k
    return -1


def needs_brackets(tokens: list[Token]) -> bool:
    """Check whether a matrix, a bracket among factors, or a sum stands there, which no braces hold together."""
    begins = tokens and (tokens[0].kind == "begin" or tokens[0].text in KINDS["over"])
    if not tokens or begins or any(token.text in ("(", "[") for token in tokens[1:]):
        return bool(tokens)
    return any(token.text in SIGNS and before.text not in SIGNS for before, token in pairwise(outside(tokens)))

r"""The text of a paper, from LaTeX or Markdown: without comments, with its macros, and with the files that it inputs.

Nothing of it is run: macros are put in as text, so many times at most.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from derivations.text import DerivationError

LATEX, MARKDOWN = (".tex", ".ltx"), (".md", ".markdown")
LARGEST = 5_000_000  # characters of all files together
DEEPEST = 12  # files that input each other, and macros inside macros
LONGEST = 20_000  # characters of a formula once its macros are put in

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%.*")
_INPUT = re.compile(r"\\(?:input|include|subfile)\s*\{([^{}\n]+)\}")
_WORDS_AS_THEY_ARE = re.compile(
    r"\\begin\{(verbatim\*?|lstlisting|minted|comment)\}.*?\\end\{\1\}|^(```|~~~).*?^\2", re.S | re.M
)
_DEFINED = re.compile(
    r"\\(?:re)?newcommand\*?\s*\{?\s*(\\[A-Za-z]+)\s*\}?\s*(?:\[(\d)\])?\s*(?:\[([^\]]*)\])?\s*(?=\{)"
    r"|\\def\s*(\\[A-Za-z]+)((?:#\d)*)\s*(?=\{)"
    r"|\\DeclareMathOperator\*?\s*\{?\s*(\\[A-Za-z]+)\s*\}?\s*(?=\{)"
)


class CannotDraft(DerivationError):
    """A paper's text that cannot be used; the message says which file, and why."""


@dataclass(frozen=True)
class Macro:
    """The text that a command stands for: a text with #1, #2 for its arguments, of which the first may have a
    default.
    """

    body: str
    arguments: int = 0
    default: str | None = None
    is_one_of_several: bool = False  # definitions of the same command


@dataclass(frozen=True)
class Source:
    """One file of a paper: its text with comments blanked, so that every line keeps its number."""

    path: Path
    text: str

    @property
    def is_markdown(self) -> bool:
        return self.path.suffix.lower() in MARKDOWN


def sources(path: Path) -> list[Source]:
    """The files of a paper in the order in which they are read: a file with what it inputs, or those of a folder.

    Of a folder it is the file with \\documentclass, or, without one, every LaTeX and Markdown file.
    """
    if path.is_file() and path.suffix.lower() not in LATEX + MARKDOWN:
        raise CannotDraft(
            f"{path} is neither LaTeX nor Markdown: its name ends with none of {', '.join(LATEX + MARKDOWN)}"
        )
    root = path if path.is_dir() else path.parent
    first = [path] if not path.is_dir() else _first(path)
    found: list[Source] = []
    for file in first:
        found += _with_inputs(file, root.resolve(), 0)
    if sum(len(source.text) for source in found) > LARGEST:
        raise CannotDraft(f"{path} is longer than {LARGEST:,} characters: name the files with equations one by one")
    return found


def _first(folder: Path) -> list[Path]:
    files = sorted(f for f in folder.iterdir() if f.suffix.lower() in LATEX + MARKDOWN and f.is_file())
    if not files:
        raise CannotDraft(f"the folder {folder} has no LaTeX and no Markdown file: name one")
    whole = [f for f in files if f.suffix.lower() in LATEX and "\\documentclass" in _text(f)]
    return whole or files


def _with_inputs(file: Path, root: Path, depth: int) -> list[Source]:
    """A file, followed by those that it inputs from the same folder or below; others are left out."""
    if depth > DEEPEST:
        raise CannotDraft(f"{file} is input more than {DEEPEST} files deep: does a file input itself?")
    text = _text(file)
    if file.suffix.lower() in LATEX:
        text = _COMMENT.sub(r"\1", text)
    text = _WORDS_AS_THEY_ARE.sub(lambda found: "\n" * found.group().count("\n"), text)
    found = [Source(file, text)]
    for named in _INPUT.findall(text) if file.suffix.lower() in LATEX else ():
        inner = (root / named.strip()).resolve()
        inner = inner if inner.suffix.lower() in LATEX else inner.with_name(f"{inner.name}.tex")
        if inner.is_file() and root in inner.parents:
            found += _with_inputs(inner, root, depth + 1)
    return found


def _text(file: Path) -> str:
    try:
        if file.stat().st_size > LARGEST:
            raise CannotDraft(f"{file} has more than {LARGEST:,} bytes: name the file with the equations")
        return file.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    except OSError as trouble:
        raise CannotDraft(f"{file} cannot be read: {trouble.strerror}") from None


# --- macros -----------------------------------------------------------------------------------------------------------


def macros_in(text: str) -> dict[str, Macro]:
    r"""The commands that a text defines.

    >>> macros_in(r"\newcommand{\norm}[1]{||#1||} \def\W{\mathbf{W}}")["\\norm"].body
    '||#1||'
    """
    macros: dict[str, Macro] = {}
    for match in _DEFINED.finditer(text):
        group = braces(text, match.end())
        if group is None:
            continue
        new, count, default, defined, marks, operator = match.groups()
        if operator:
            macro = Macro(rf"\operatorname{{{group[0]}}}")
        elif defined:
            macro = Macro(group[0], marks.count("#"))
        else:
            macro = Macro(group[0], int(count or 0), default)
        name = operator or defined or new
        macros[name] = macro if macros.get(name, macro) == macro else replace(macro, is_one_of_several=True)
    return macros


def expanded(latex: str, macros: dict[str, Macro]) -> str:
    r"""A formula with what its macros stand for in their places.

    >>> expanded(r"\norm{x}+\W", macros_in(r"\newcommand{\norm}[1]{||#1||}\def\W{\mathbf{W}}"))
    '||x||+\\mathbf{W}'
    """
    for _ in range(DEEPEST):
        text = "".join(_once(latex, macros))
        if len(text) > LONGEST:
            raise CannotDraft("a macro grows without end")
        if text == latex:
            return text
        latex = text
    return latex


def _once(latex: str, macros: dict[str, Macro]) -> Iterator[str]:
    at = 0
    for match in re.finditer(r"\\(?:[A-Za-z]+|.)", latex):
        macro = macros.get(match.group())
        if macro is None or match.start() < at:
            continue
        if macro.is_one_of_several:
            raise CannotDraft(f"{match.group()} is defined twice, and not alike: give the second one another name")
        given, end = _arguments(latex, match.end(), macro)
        if given is None:
            continue
        body = _filled(macro.body, given)
        follows = latex[end : end + 1]
        yield latex[at : match.start()] + body
        yield " " if re.search(r"\\[A-Za-z]+$", body) and follows.isalpha() else ""
        at = end
    yield latex[at:]


def _filled(body: str, given: list[str]) -> str:
    """The text of a macro with its arguments in their places; an argument that is not given is empty."""
    return re.sub("#([1-9])", lambda mark: given[int(mark[1]) - 1] if int(mark[1]) <= len(given) else "", body)


def _arguments(latex: str, at: int, macro: Macro) -> tuple[list[str] | None, int]:
    given: list[str] = []
    if macro.default is not None:
        option = re.compile(r"\s*\[([^\]]*)\]").match(latex, at)
        given.append(option[1] if option else macro.default)
        at = option.end() if option else at
    while len(given) < macro.arguments:
        one = re.compile(r"\s*(?:(?=\{)|(\\[A-Za-z]+|[^\s{}]))").match(latex, at)
        if one is None:
            return None, at
        if one[1]:
            given.append(one[1])
            at = one.end()
        elif (group := braces(latex, one.end())) is not None:
            given.append(group[0])
            at = group[1]
        else:
            return None, at
    return given, at


def braces(text: str, at: int) -> tuple[str, int] | None:
    """Return what stands between the brace at a place and the one that closes it, and where that ends."""
    depth = 0
    for i in range(at, min(len(text), at + LONGEST)):
        if text[i] == "\\" or (i > at and text[i - 1] == "\\"):
            continue
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return text[at + 1 : i], i + 1
    return None

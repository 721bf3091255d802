r"""The displayed equations of a text, as they are printed, with their numbers, labels, sections and lines.

In LaTeX every row of an align has a number, in Markdown every display; a \tag is the number that it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from .sources import Macro, Source, expanded, macros_in

BY_ROWS = ("align", "gather", "eqnarray", "alignat", "flalign")
NAMES = "|".join(("equation", "multline", "displaymath", *BY_ROWS))
_DISPLAY = re.compile(
    rf"\\begin\{{(?P<name>{NAMES})(?P<star>\*?)\}}(?P<inside>.*?)\\end\{{(?P=name)(?P=star)\}}"
    r"|\$\$(?P<dollars>.*?)\$\$|(?<!\\)\\\[(?P<brackets>.*?)\\\]",
    re.S,
)
_INNER = re.compile(
    rf"\s*\\begin\{{(?P<name>{NAMES})(?P<star>\*?)\}}(?P<inside>.*?)\\end\{{(?P=name)(?P=star)\}}", re.S
)
_COLUMNS = re.compile(r"\s*\{\d+\}")
_HEADING = re.compile(
    r"\\(?:chapter|section|subsection|subsubsection|paragraph)\*?\s*\{([^{}\n]*)\}|^#{1,6}\s+(.+)$", re.M
)
_TAG, _LABEL = re.compile(r"\\tag\*?\{([^{}]*)\}"), re.compile(r"\\label\{([^{}]*)\}")
_UNNUMBERED = re.compile(r"\\(?:nonumber|notag)\b")
_AT_THE_END = re.compile(r"\\q?quad\s*\((\d+)\)\s*$")  # a number that a transcript has inside a display
_AFTERWARDS = re.compile(
    r"[^\S\n]*\n?[^\n$]*(?:\$[^\n$]*\$[^\n$]*)*\((\d+)\)[^\S\n]*$", re.M
)  # or on the line after it
_ROW = re.compile(r"\\begin\{[^}]*\}|\\end\{[^}]*\}|\\\\(?:\s*\[[^\]]*\])?|\\[{}]|[{}]")
_SHARED = re.compile(r"\\begin\{subequations\}.*?\\end\{subequations\}", re.S)


@dataclass(frozen=True)
class Display:
    """One displayed equation: its LaTeX as it stands in the file, and once more with macros put in."""

    latex: str
    written: str
    numbers: tuple[str, ...]  # none where it has no number
    labels: tuple[str, ...]
    section: str
    file: str
    line: int

    @property
    def place(self) -> str:
        return f"{self.file}, line {self.line}"


def displays(texts: Sequence[Source]) -> list[Display]:
    r"""The displayed equations of a paper, in their order.

    >>> from pathlib import Path
    >>> text = "\\section{Start}\n\\begin{equation} a=1 \\label{eq:a}\\end{equation}"
    >>> [(d.numbers, d.labels, d.section, d.latex, d.line) for d in displays([Source(Path("p.tex"), text)])]
    [(('1',), ('eq:a',), 'Start', 'a=1 \\label{eq:a}', 2)]
    """
    macros: dict[str, Macro] = {}
    for source in texts:
        macros |= macros_in(source.text)
    found = [display for source in texts for display in _in_one(source, macros)]
    tagged = any(display.numbers for display in found)
    return list(_numbered(found, tagged_alone=tagged and any(source.is_markdown for source in texts)))


@dataclass(frozen=True)
class _Found(Display):
    """A display before the equations are counted."""

    counted: int = 0  # how many numbers it takes
    shares: int = -1  # the group of subequations that it is in


def _in_one(source: Source, macros: dict[str, Macro]) -> Iterator[_Found]:
    headings = [(m.start(), " ".join((m[1] or m[2]).split())) for m in _HEADING.finditer(source.text)]
    shared = [match.span() for match in _SHARED.finditer(source.text)]
    for match in _DISPLAY.finditer(source.text):
        name, star, inside, at = match["name"], match["star"], match["inside"], match.start("inside")
        for group in ("dollars", "brackets"):
            if match[group] is not None:
                name, star, inside, at = "", "*", match[group], match.start(group)
                if inner := _INNER.match(inside):
                    name, star, inside, at = inner["name"], inner["star"], inner["inside"], at + inner.start("inside")
        if name == "alignat" and (columns := _COLUMNS.match(inside)):
            inside, at = inside[columns.end() :], at + columns.end()
        if "\\newcommand" in inside or not inside.strip():
            continue
        rows = rows_of(inside) if name in BY_ROWS and not source.is_markdown else [inside]
        plain = [row for row in rows if not _TAG.search(row)]
        counted = sum(not _UNNUMBERED.search(row) for row in plain) if not star and name != "displaymath" else 0
        at += len(inside) - len(inside.lstrip())
        written = inside.strip()
        tags = tuple(tag for row in rows for tag in _TAG.findall(row))
        yield _Found(
            expanded(_AT_THE_END.sub("", written).rstrip(), macros),
            written,
            tags or (_number_beside(written, source.text, match.end()) if source.is_markdown else ()),
            tuple(_LABEL.findall(inside)),
            next((title for where, title in reversed(headings) if where < match.start()), ""),
            source.path.name,
            source.text.count("\n", 0, at) + 1,
            counted,
            next((k for k, (start, end) in enumerate(shared) if start <= match.start() < end), -1),
        )


def _number_beside(written: str, text: str, end: int) -> tuple[str, ...]:
    """The number that a transcript has at the end of a display, or at the end of the line after it."""
    found = _AT_THE_END.search(written) or _AFTERWARDS.match(text, end)
    return (found[1],) if found else ()


def _numbered(found: Sequence[_Found], *, tagged_alone: bool) -> Iterator[Display]:
    """The displays with their numbers; where Markdown has tags, nothing else is numbered."""
    count, group = 0, -1
    for one in found:
        numbers = list(one.numbers)
        if one.counted and not tagged_alone:
            if one.shares < 0 or one.shares != group:
                first, count = count + 1, count + (1 if one.shares >= 0 else one.counted)
                numbers += [str(k) for k in range(first, count + 1)]
            else:
                numbers += [str(count)]
        group = one.shares
        yield replace(_plain(one), numbers=tuple(numbers))


def _plain(one: _Found) -> Display:
    return Display(one.latex, one.written, one.numbers, one.labels, one.section, one.file, one.line)


def rows_of(inside: str) -> list[str]:
    r"""The rows of an environment: split at the line breaks that stand in no other environment and in no braces.

    >>> rows_of(r"a&=1\\ b&=2")
    ['a&=1', ' b&=2']
    """
    rows, start, depth = [], 0, 0
    for match in _ROW.finditer(inside):
        text = match.group()
        if text.startswith("\\begin") or text == "{":
            depth += 1
        elif text.startswith("\\end") or text == "}":
            depth -= 1
        elif depth == 0 and text.startswith("\\\\"):
            rows.append(inside[start : match.start()])
            start = match.end()
    return [row for row in [*rows, inside[start:]] if row.strip()]

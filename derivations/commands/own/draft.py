"""`derivations draft`: from the LaTeX of a paper to a paper file with its equations, its letters, and claims to write.

What comes from the paper stands in the file as string literals and as comments of one line, never as code.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from derivations.latex import CannotRead, Notation, read
from derivations.latex.drafting import Display, LetterFound, Source, displays, letters, notation_of, sources
from derivations.latex.drafting.sources import braces
from derivations.paper.naming import PaperError
from derivations.text import counted

SUFFIX = ".py"
LONGEST_COMMENT = 160  # characters of a text of the paper in a comment
HEAD = '''"""KEY: drafted from SOURCE.

Every display of the source stands below, as a definition that claims nothing. To make one a claim, write the function
under it: its docstring says what the paper asserts there, and its body yields what is stated. Without a body, both
sides of the equation must be equal.

    derivations verify FILE --watch      judges what changes while you type

COUNTS
"""

from derivations.author import *
from derivations.latex import Notation
from derivations.latex.printed import Vocabulary

# 1. Letters, as they are printed, with the names under which they are read. Look through the list: what is one quantity
#    in the paper should have one name here, such as "a(t)": "a" and "a(0)": "a0".
'''


@dataclass(frozen=True)
class Draft:
    """The text of a paper file, and what became of each display."""

    text: str
    displays: list[tuple[Display, str]]  # each with why it cannot be read, or ""
    names: int

    @property
    def unread(self) -> list[tuple[Display, str]]:
        return [(display, why) for display, why in self.displays if why]


def write(path: Path, output: Path | None) -> str:
    """Write the draft of a paper and say what was found; an existing file is never touched."""
    file = output or Path(f"{key_of(path)}{SUFFIX}")
    if file.suffix != SUFFIX:
        raise PaperError(f"{file} is no Python file: give -o a name that ends with {SUFFIX}")
    if file.exists():
        raise PaperError(f"{file} exists already, and is left as it is: give another name with -o")
    if not file.parent.is_dir():
        raise PaperError(f"there is no folder {file.parent} to write {file.name} into: create it first")
    made = drafted(path, file)
    file.write_text(made.text, encoding="utf-8")
    lines = [f"{display.place}: {_place(display)}: not read: {why}" for display, why in made.unread]
    return "\n".join([*lines, f"wrote {file}: {_counts(made)}; next: derivations verify {file}"])


def key_of(path: Path) -> str:
    """A key for the paper in a file or folder.

    >>> key_of(Path("our-paper v2.tex"))
    'our_paper_v2'
    """
    name = re.sub(r"\W+", "_", path.resolve().stem, flags=re.ASCII).strip("_").lower()
    return name if re.match(r"[a-z]", name) and not keyword.iskeyword(name) else f"paper_{name}".rstrip("_")


def drafted(path: Path, file: Path) -> Draft:
    """The draft of the paper in a file or folder."""
    texts = sources(path)
    shown = displays(texts)
    if not shown:
        raise PaperError(f"{path} has no displayed equation: a draft begins with equation, align or $$")
    latex = [display.latex for display in shown]
    names = letters(latex)
    notation = notation_of(names, latex)
    outcomes = [(display, _unread(display, notation)) for display in shown]
    draft = Draft("", outcomes, len(names))
    key = key_of(file)
    head = HEAD.replace("KEY", key).replace("SOURCE", _line(path.name)).replace("FILE", _line(file.name))
    parts = [
        head.replace("COUNTS", f"Found: {_counts(draft)}."),
        *_vocabulary(names, notation, shown),
        *_paper(key, path, texts, shown),
        *_equations(outcomes),
    ]
    return Draft("\n".join([*parts, ""]), outcomes, len(names))


def _unread(display: Display, notation: Notation) -> str:
    """Why a display cannot be read; empty where it can."""
    try:
        read(display.latex, notation)
    except (CannotRead, RecursionError) as reason:
        return _line(str(reason)) or "nested too deep"
    return ""


def _counts(draft: Draft) -> str:
    numbered = [why for display, why in draft.displays if display.numbers]
    count, read = len(draft.displays), len(draft.displays) - len(draft.unread)
    return (
        f"{counted(count, 'display', 'displays')}, {len(numbered)} with numbers; {read} of {count} can be "
        f"read; {counted(draft.names, 'letter', 'letters')} to look through"
    )


# --- the parts of the file --------------------------------------------------------------------------------------------


def _vocabulary(names: Sequence[LetterFound], notation: Notation, shown: Sequence[Display]) -> Iterator[str]:
    plain = [letter for letter in names if letter.spelling in notation.atoms]
    called = [letter for letter in names if letter.spelling in notation.functions]
    yield "LETTERS = {"
    yield from (f"    {_literal(x.spelling)}: {_quoted(x.name)},  # {_remark(x, shown)}" for x in plain)
    yield "}"
    yield "# What has arguments in parentheses: leave out a letter that is multiplied by a parenthesis instead."
    yield "FUNCTIONS = {"
    for letter in called:
        some = ", ".join(f"({_line(inside)})" for inside, _ in letter.arguments.most_common(3))
        yield f"    {_literal(letter.spelling)}: {_quoted(letter.name)},  # {some}"
    yield "}"
    operators = (f"{_literal(x.spelling)}: {_quoted(x.name)}" for x in names if x.spelling in notation.operators)
    yield f"OPERATORS: dict[str, str] = {{{', '.join(operators)}}}"
    averages = ", ".join(map(_literal, notation.averages))
    also = f", transposes={notation.transposes!r}" if notation.transposes else ""  # letters, and transposes as scripts
    yield f"notation = Notation(LETTERS, functions=FUNCTIONS, operators=OPERATORS, averages=({averages},){also})"
    yield ""
    yield "# 2. What they are. Every letter begins as a real number: declare what holds in the model (positive=True,"
    yield "#    nonnegative=True), and matrices of any size as Letter(name, rows, columns)."
    yield "meanings = {name: Symbol(name, real=True) for name in LETTERS.values()}"
    yield ""


def _remark(letter: LetterFound, shown: Sequence[Display]) -> str:
    used = f"first in {_place(shown[letter.first])}, {counted(letter.count, 'time', 'times')}"
    return used + ("; transposed or a bold capital: a matrix?" if letter.is_matrix else "")


def _paper(key: str, path: Path, texts: Sequence[Source], shown: Sequence[Display]) -> Iterator[str]:
    numbers = [int(number) for display in shown for number in display.numbers if number.isdecimal()]
    title, authors = _titled(texts)
    yield "paper = Paper("
    yield f"    {_literal(key)},"
    yield f"    title={_literal(title or path.stem)},"
    yield f"    authors={_literal(authors or 'who wrote it')},"
    yield "    year=2000,  # when"
    yield f"    source={_literal(path.name)},"
    yield f"    numbered={max(numbers, default=0)},"
    yield "    vocabulary=Vocabulary(notation, meanings=meanings),"
    yield ")"


def _titled(texts: Sequence[Source]) -> tuple[str, str]:
    """The title and the authors, as far as the source says them in commands or in a heading."""
    whole = "\n".join(source.text for source in texts)
    heading = re.search(r"^#\s+(.+)$|^title:\s*(.+)$", texts[0].text, re.M) if texts[0].is_markdown else None
    return _said("title", whole) or (_line(heading[1] or heading[2]) if heading else ""), _said("author", whole)


def _said(command: str, text: str) -> str:
    """Return what a command such as \\title is given, on one line."""
    begins = re.search(rf"\\{command}\s*(?:\[[^\]\n]*\])?\s*(?=\{{)", text)
    group = braces(text, begins.end()) if begins else None
    return _line(group[0]) if group else ""


def _equations(outcomes: Sequence[tuple[Display, str]]) -> Iterator[str]:
    section, taken = "", set[str]()
    for display, why in outcomes:
        if display.section != section:
            section = display.section
            yield f"\n# --- {_line(section)} ---"
        number = display.numbers[0] if display.numbers else f"line_{display.line}"
        plain = re.sub(r"\W+", "_", f"eq_{number}", flags=re.ASCII).strip("_")
        name = next(n for n in (plain, *(f"{plain}_{k}" for k in range(2, 10_000))) if n not in taken)
        taken.add(name)
        yield ""
        yield f"# {_place(display)}, {_line(display.place)}" + "".join(f", {_line(label)}" for label in display.labels)
        if display.written != display.latex:
            yield f"# as written: {_line(display.written)}"
        yield from _unreadable(display, name, why) if why else _readable(display, name)


def _readable(display: Display, name: str) -> Iterator[str]:
    yield f"{name.upper()} = paper.equation("
    yield f"    {_places(display)},"
    yield from _lines(display.latex, "    ")
    yield f"    name={_quoted(name)},"
    yield '    says="What is defined here; leave out name and says where a claim below takes its place.",'
    yield ")"
    yield f"# @{name.upper()}.claim()"
    yield f"# def {name}_holds(eq):"
    yield f'#     """What the paper asserts with {_place(display)}, in one sentence."""'
    yield "#     yield same(eq.left, eq.right)"


def _unreadable(display: Display, name: str, why: str) -> Iterator[str]:
    yield f"# {why}"
    yield f"{name.upper()}_LATEX = ("
    yield from (line.removesuffix(",") for line in _lines(display.latex, "    "))
    yield ")"
    yield f'paper.definition({_places(display)}, {_quoted(name)}, "Not read yet.")'


# --- text of the paper as text ----------------------------------------------------------------------------------------


def _place(display: Display) -> str:
    """Return what a display is called: its numbers, or where it stands."""
    if display.numbers:
        return " and ".join(f"Eq. {_line(number)}" for number in display.numbers[:2])
    return f"Display at line {display.line}"


def _places(display: Display) -> str:
    places = [f"Eq. {_line(number)}" for number in display.numbers] or [f"Display at line {display.line}"]
    return _literal(places[0]) if len(places) == 1 else f"[{', '.join(map(_literal, places))}]"


def _lines(latex: str, indent: str) -> Iterator[str]:
    """LaTeX as string literals, a line of it on each line."""
    lines = latex.split("\n")
    for k, line in enumerate(lines):
        yield f"{indent}{_literal(line)}" + (' "\\n"' if k < len(lines) - 1 else ",")


def _literal(text: str) -> str:
    """Text as a Python string: a raw one where it can be, as LaTeX reads best so."""
    ends_well = (len(text) - len(text.rstrip("\\"))) % 2 == 0
    is_plain = '"' not in text and text.isprintable() and ends_well
    return f'r"{text}"' if is_plain and "\\" in text else _quoted(text)


def _quoted(text: str) -> str:
    return f'"{text}"' if '"' not in text and "\\" not in text and text.isprintable() else repr(text)


def _line(text: str) -> str:
    """Text for a comment or a docstring: one line, without quotes or backslashes that could end it."""
    words = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return words[:LONGEST_COMMENT].replace('"', "'")

"""Drafting a paper file from LaTeX: which equations there are, how they are numbered, and that no text becomes code."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from case_files import Cases
from each import each

from derivations.__main__ import main
from derivations.commands.own import draft
from derivations.latex import CannotRead, read
from derivations.latex.drafting import Display, Source, displays, letters, notation_of, sources
from derivations.latex.drafting.sources import CannotDraft, expanded, macros_in
from derivations.paper.files import load_file
from derivations.paper.naming import PaperError

FAMILIES = Cases(__file__, globals())

PRINTED = Path(__file__).parent / "engine" / "data"
KEYS = ("braun_2022", "carrasco_davis_grant_2025", "van_rossem_saxe_2024")


def of(text: str, name: str = "p.tex") -> list[Display]:
    return displays([Source(Path(name), text)])


def equation(inside: str) -> str:
    return rf"\begin{{equation}}{inside}\end{{equation}}"


# --- which equations --------------------------------------------------------------------------------------------------


@each(("text", "numbers"), FAMILIES["equations are numbered as latex does"])
def test_equations_are_numbered_as_latex_does(text: str, numbers: list[str]) -> None:
    assert [" ".join(display.numbers) for display in of(text)] == numbers


def test_a_transcript_has_numbers_as_tags_beside_displays_or_in_order() -> None:
    text = "# Start\n$$a=1,\\tag{4}$$\n$$b=2, \\qquad (5)$$\n$$c=3$$\n(6)\n$$d=4$$\n and $x$ . (7)\n$$e=5$$"
    assert [" ".join(display.numbers) for display in of(text, "p.md")] == ["4", "5", "6", "7", ""]
    assert of(text, "p.md")[1].latex == "b=2,"
    untagged = "$$ \\begin{align} a&=1\\\\b&=2 \\end{align} $$ and $$\\begin{equation}c=3\\end{equation}$$ and $$d=4$$"
    assert [" ".join(display.numbers) for display in of(untagged, "p.md")] == ["1", "2", ""]


def test_sections_labels_and_lines_are_kept(tmp_path: Path) -> None:
    text = "\\section{Flow of $W$}\n\n% \\begin{equation}no=1\\end{equation}\n" + equation("\\label{eq:a}\n a=1")
    (tmp_path / "p.tex").write_text(text)
    (found,) = displays(sources(tmp_path / "p.tex"))
    assert found.section == "Flow of $W$"
    assert (found.labels, found.line) == (("eq:a",), 4)


def test_comments_listings_and_files_that_are_input(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "one.tex").write_text(equation("b=2"))
    outside = tmp_path.parent / "outside.tex"
    outside.write_text(equation("c=3"))
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}% \\input{parts/one}\n"
        + equation("a=50\\%")
        + "\\begin{verbatim}\n"
        + equation("no=1")
        + "\n\\end{verbatim}\\input{parts/one} \\input{../outside} \\input{/etc/passwd} \\input{gone}"
    )
    for place in (tmp_path, tmp_path / "main.tex"):
        assert [display.latex for display in displays(sources(place))] == ["a=50\\%", "b=2"]
    (tmp_path / "main.tex").write_text("\\documentclass{article}\\input{main}")
    with pytest.raises(CannotDraft, match="input itself"):
        sources(tmp_path)


def test_what_cannot_be_read_at_all_is_told(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text(equation("a=1"))
    cases = (
        (tmp_path / "gone.tex", "cannot be read"),
        (tmp_path, "has no LaTeX"),
        (tmp_path / "code.py", "neither LaTeX"),
    )
    for path, said in cases:
        with pytest.raises(CannotDraft, match=said):
            sources(path)
    (tmp_path / "a.tex").write_text("no equation")
    with pytest.raises(PaperError, match="no displayed equation"):
        draft.write(tmp_path / "a.tex", tmp_path / "a.py")
    assert not (tmp_path / "a.py").exists()


# --- macros -----------------------------------------------------------------------------------------------------------


@each(("defined", "used", "read_as"), FAMILIES["macros are put in"])
def test_macros_are_put_in(defined: str, used: str, read_as: str) -> None:
    assert expanded(used, macros_in(defined)).replace(" ", "") == read_as.replace(" ", "")


def test_a_macro_that_is_defined_twice_is_read_where_both_are_alike() -> None:
    twice = r"\newcommand{\s}{-}\renewcommand{\s}{%s}"
    assert expanded(r"x\s y", macros_in(twice % "-")) == "x- y"
    with pytest.raises(CannotDraft, match="defined twice"):
        expanded(r"x\s y", macros_in(twice % "+"))
    assert expanded("x+y", macros_in(twice % "+")) == "x+y"


# --- letters ----------------------------------------------------------------------------------------------------------


@each(("latex", "names"), FAMILIES["names are found"])
def test_names_are_found(latex: str, names: list[str]) -> None:
    found = letters([latex])
    assert [letter.name for letter in found] == names
    read(latex, notation_of(found, [latex]))


def test_functions_are_told_from_factors() -> None:
    found = {x.name: x.is_function for x in letters([r"a(t)=s(1-a(0))f(x+y)g(x)+\mathbf{U}(\mathbf{B}^{T})^{-1}"])}
    assert found == {
        "a": True,
        "t": False,
        "s": False,
        "f": True,
        "x": False,
        "y": False,
        "g": True,
        "U": False,
        "B": False,
    }


@each("key", KEYS)
def test_nine_of_ten_printed_equations_can_be_read(key: str) -> None:
    printed = json.loads((PRINTED / f"{key}_equations.json").read_text(encoding="utf-8"))["equations"]
    found = of("\n".join(f"$$\n{latex}\n$$\n({number})\n" for number, latex in printed.items()), "p.md")
    assert [display.numbers[-1:] for display in found] == [(number,) for number in printed]
    latex = [display.latex for display in found]
    notation, unread = notation_of(letters(latex), latex), []
    for display in found:
        try:
            read(display.latex, notation)
        except CannotRead as reason:
            unread.append((display.numbers, str(reason)))
    assert len(unread) <= len(found) // 10, unread


# --- the file ---------------------------------------------------------------------------------------------------------

PAPER = r"""
\documentclass{article}
\title{Modes \\ of learning}\author{A. Reader}
\newcommand{\W}{\mathbf{W}}
\begin{document}
\section{Flow}
\begin{equation}\label{eq:flow} \tau \frac{da}{dt} = 2 a (s - a) \end{equation}
\begin{align} a(t) &= \frac{s}{1+e^{-2st/\tau}} \\ \W_2 &= \W_1^T \end{align}
\section{Words}
\begin{equation} x \oiint y \end{equation}
\end{document}
"""


def test_a_draft_runs_covers_every_equation_and_tells_what_is_not_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "modes.tex").write_text(PAPER)
    assert main(["draft", str(tmp_path / "modes.tex"), "-o", str(tmp_path / "modes.py")]) == 0
    told = capsys.readouterr().out
    assert "modes.tex, line 10: Eq. 4: not read: at character 2" in told
    assert "3 displays, 3 with numbers; 2 of 3 can be read" in told
    paper = load_file(tmp_path / "modes.py")
    assert (paper.key, paper.numbered, paper.missing, paper.authors) == ("modes", 4, [], "A. Reader")
    assert main(["verify", str(tmp_path / "modes.py")]) == 0
    text = (tmp_path / "modes.py").read_text()
    assert "# Eq. 1, modes.tex, line 7, eq:flow" in text
    assert r"# as written: a(t) &= \frac{s}{1+e^{-2st/\tau}} \\ \W_2 &= \W_1^T" in text
    uncommented = text.replace(
        "# @EQ_1.claim()\n# def eq_1_holds(eq):\n#     ", "@EQ_1.claim()\ndef eq_1_holds(eq):\n    "
    )
    (tmp_path / "modes.py").write_text(uncommented.replace("#     return prove", "    return prove", 1))
    assert main(["verify", str(tmp_path / "modes.py:eq_1_holds")]) == 1  # it asserts what is only a definition
    with pytest.raises(PaperError, match="left as it is"):
        draft.write(tmp_path / "modes.tex", tmp_path / "modes.py")


HOSTILE = [
    'x="""\nimport os\nos.abort()\n"""',
    "a=1\rimport os",
    "a=1 \x0c import os\x0bos.abort()",
    "a=1\u2028import os",
    "a=1 \\' + __import__('os').abort() + '",
    "a=1\\",
    "a=1\\\\\\",
    'a="+str(1)+"',
    "a=1 % \nimport os",
    "{" * 5000,
    "\\label{x\nimport os}a=1\\tag{1'+str(1)+'\n}",
]


@pytest.mark.parametrize("inside", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("name", ["p.tex", "p.md"])
def test_no_text_of_a_paper_becomes_code(tmp_path: Path, inside: str, name: str) -> None:
    titled = f"\\title{{{inside}}}\\author{{{inside}}}\n# {inside}\n\\section{{{inside}}}\n{equation(inside)}"
    (tmp_path / name).write_text(titled, encoding="utf-8")
    made = draft.drafted(tmp_path / name, tmp_path / "p.py")
    for node in ast.walk(ast.parse(made.text)):
        assert not isinstance(node, ast.Import)
        if isinstance(node, ast.ImportFrom):
            assert (node.module, [alias.name for alias in node.names]) in (
                ("derivations.author", ["*"]),
                ("derivations.latex", ["Notation"]),
                ("derivations.latex.printed", ["Vocabulary"]),
            )
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            assert called in {"Paper", "Notation", "Vocabulary", "Symbol", "values", "equation", "definition"}
    (tmp_path / "p.py").write_text(made.text, encoding="utf-8")
    load_file(tmp_path / "p.py")


test_statements_have_their_verdicts = FAMILIES.verdicts()

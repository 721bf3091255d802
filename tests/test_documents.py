"""Every relative link of every Markdown file and notebook leads to a file, and every anchor to a place in it."""

from __future__ import annotations

import json
import re
import shlex
import sys
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest
from each import each

from derivations.audit.pages import FOLDER
from derivations.commands import arguments as derivations_main
from derivations.paper.library import library
from derivations.report.written import PAGES
from numerics import __main__ as numerics_main

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^ *(```+|~~~+).*?^ *\1 *$", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)|\b(?:href|src)=\"([^\"]+)\"")
HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*$", re.MULTILINE)
NAMED = re.compile(r"<a\s[^>]*(?:id|name)=\"([^\"]+)\"")
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
LEFT_OUT = {".venv", ".git", ".pytest_cache", "build", "dist", "site", "results"}


def documents() -> list[Path]:
    every = [*ROOT.rglob("*.md"), *ROOT.rglob("*.ipynb")]
    return sorted(path for path in every if not LEFT_OUT & set(path.relative_to(ROOT).parts))


@cache
def words(path: Path) -> str:
    """The Markdown of a file; of a notebook, that of its cells of text."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return text
    cells = json.loads(text)["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def prose(path: Path) -> str:
    """Without what is code, in which brackets are no links."""
    return FENCE.sub("", words(path))


def links(path: Path) -> list[str]:
    found = LINK.findall(CODE.sub(lambda m: "`" if "](" not in m[0] else "", prose(path)))
    return [image_or_text or attribute for image_or_text, attribute in found]


@cache
def anchors(path: Path) -> set[str]:
    """Return what GitHub lets a link name on a page: its headings, a repeated one with a number, and named places."""
    text, seen, found = prose(path), dict[str, int](), set(NAMED.findall(prose(path)))
    for _, heading in HEADING.findall(text):
        shown = re.sub(r"<[^>]*>", "", re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading))
        slug = re.sub(r"[^\w\- ]", "", shown.strip().lower()).replace(" ", "-")
        count = seen[slug] = seen.get(slug, -1) + 1
        found.add(f"{slug}-{count}" if count else slug)
    return found


def dead(path: Path) -> list[str]:
    """The links of a document that lead nowhere."""
    found = []
    for link in links(path):
        if ELSEWHERE.match(link):
            continue
        file, _, anchor = link.partition("#")
        target = (path.parent / unquote(file)).resolve() if file else path
        if not target.exists() or ROOT not in [target, *target.parents]:
            found.append(f"{link}: there is no such file")
        elif anchor and target.suffix in {".md", ".ipynb"} and unquote(anchor) not in anchors(target):
            found.append(f"{link}: there is no such anchor")
    return found


@each("path", documents())
def test_every_relative_link_and_anchor_leads_somewhere(path: Path) -> None:
    assert dead(path) == []


@each("path", [ROOT / "README.md", ROOT / "docs" / "guide.md"])
def test_every_command_of_a_block_is_understood(path: Path) -> None:
    parsers = {"derivations": derivations_main.parser(), "numerics": numerics_main.parser()}
    blocks = [found[0].splitlines()[1:-1] for found in FENCE.finditer(words(path)) if found[0].startswith("```\n")]
    commands = [shlex.split(line, comments=True) for block in blocks for line in block]
    commands = [words for words in commands if len(words) > 1 and words[0] in parsers and "/" not in words[0]]
    assert len(commands) > 1
    for program, *arguments in commands:
        parsers[program].parse_args(arguments)


def test_dead_links_and_anchors_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    page = tmp_path / "page.md"
    lines = ["# A page, with `code`", "## Twice", "## Twice", '<a id="here"></a>', "`[no](link.md)`"]
    lines += ["```", "[no](link.md)", "# no heading", "```", "[0](#a-page-with-code) [1](#twice-1) [2](#here)"]
    lines += ["[3](page.md#twice) [4](https://example.org/x#y) [5](#twice-2) [6](#no-heading) ![7](gone.png)"]
    page.write_text("\n".join(lines), encoding="utf-8")
    assert [link.partition(":")[0] for link in dead(page)] == ["#twice-2", "#no-heading", "gone.png"]


def test_the_pages_of_papers_are_those_of_the_library() -> None:
    """That each is fresh is tested where the claims are judged."""
    there = {path.relative_to(ROOT).as_posix() for path in (ROOT / FOLDER).rglob("*") if path.is_file()}
    assert there == {f"{FOLDER}/{key}/{name}" for key in library() for name in PAGES}

"""The parts of their pages that papers keep: the kernels, the markup and the script of each, and a picture of it at
rest.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from derivations.paper.library import HOME, home
from derivations.paper.model import Paper
from derivations.text import DerivationError, did_you_mean
from derivations.text.doors import at_door

PARTS = re.compile(r"<!-- kernels: (?P<kernels>[\w ]+) -->\n(?P<markup>.*?)<script>\n(?P<script>.*)</script>\n?", re.S)
TITLE = re.compile(r"<h1>(.*?)</h1>", re.S)


class PageError(DerivationError):
    """A page that cannot be shown; the message says what was given and what to do."""


@dataclass(frozen=True)
class Page:
    """A page of a paper: its kernels by their ids, and what stands around them."""

    paper: Paper
    file: Path
    kernels: tuple[str, ...]
    markup: str
    script: str

    @property
    def name(self) -> str:
        return self.file.stem

    @property
    def still(self) -> str:
        """The picture of the page at rest, as SVG."""
        return self.file.with_suffix(".svg").read_text(encoding="utf-8")

    @property
    def title(self) -> str:
        """Its heading, as plain text."""
        found = TITLE.search(self.markup)
        return re.sub(r"<[^>]*>", "", found[1]) if found else self.name


@at_door(PageError)
def pages(paper: Paper) -> list[Page]:
    """The pages of a paper of this package, by name; others have none.

    >>> from derivations.paper.library import library
    >>> [page.name for page in pages(library()["van_rossem_saxe_2024"])]
    ['two_point_flow']
    """
    module = sys.modules.get(f"{HOME}.{paper.key}")
    if paper.file or module is None:
        return []
    folder = Path(inspect.getfile(module)).parent / "pages"
    return [_read(paper, file) for file in sorted(folder.glob("*.html"))]


@at_door(PageError)
def page_called(name: str) -> Page:
    """The page with this name, with or without its paper's key; a name that no page has is refused.

    >>> page_called("two_point_flow").kernels
    ('van_rossem_saxe_2024:two_point_flow',)
    """
    every = {f"{page.paper.key}:{page.name}": page for page in _every()}
    found = [page for known, page in every.items() if name in (known, page.name)]
    if len(found) != 1:
        hint = did_you_mean(name, [page.name for page in every.values()])
        raise PageError(f"no page is called {name}{hint}; there are {', '.join(every)}")
    return found[0]


def _every() -> Iterator[Page]:
    for paper in home().values():
        yield from pages(paper)


def _read(paper: Paper, file: Path) -> Page:
    found = PARTS.fullmatch(file.read_text(encoding="utf-8"))
    if found is None:
        raise PageError(f"{file} is no page: give it a first line <!-- kernels: ... -->, markup, and one <script>")
    kernels = tuple(f"{paper.key}:{name}" for name in found["kernels"].split())
    return Page(paper, file, kernels, found["markup"].strip(), found["script"])

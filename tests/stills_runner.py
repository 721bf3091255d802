"""Draws the pages that move at rest, beside their sources, for where nothing can move: notebooks that are read, cards.

    python tests/stills_runner.py

A browser opens each page; its plots, as they stand after the scripts have run, become one picture with the style of
the page.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from headless import browser_with, opened

from derivations.paper.library import home
from derivations.report import moving
from derivations.report.moving.writing import asset

PLOT = re.compile(r"(?:<figure>\s*<h2>(?P<head>.*?)</h2>\s*)?<svg(?P<about>[^>]*)>(?P<inside>.*?)</svg>", re.S)
HEAD, BETWEEN, NARROWEST = 26, 20, 400


def still(page: moving.Page, folder: Path) -> str:
    """The picture of a page."""
    file = folder / f"{page.name}.html"
    file.write_text(moving.html(page, moving.modules_of(page)), encoding="utf-8")
    return picture(opened(browser_with(folder / "profile"), file.as_uri()), page.title)


def picture(held: str, title: str) -> str:
    """The wide plots of a page that a browser holds, beside each other under their headings."""
    across, tall, parts = 0, 0, []
    for found in PLOT.finditer(held):
        box = re.search(r'viewBox="0 0 (\d+) (\d+)"', found["about"])
        wide, high = (int(size) for size in box.groups()) if box else (0, 0)
        if wide < NARROWEST:
            continue
        head = " ".join(re.sub(r"<[^>]*>", "", found["head"] or "").split())
        above = HEAD if head else 0
        parts += [f'<text x="{across + 4}" y="16" style="font-weight: 600">{head}</text>'] if head else []
        view = f'width="{wide}" height="{high}" viewBox="0 0 {wide} {high}"'
        parts.append(f'<svg x="{across}" y="{above}" {view}>{found["inside"]}</svg>')
        across, tall = across + wide + BETWEEN, max(tall, high + above)
    size = f'viewBox="0 0 {across - BETWEEN} {tall}"'
    style = asset("page.css").replace("body {", ".none {")
    back = '<rect width="100%" height="100%" fill="var(--paper)"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="moving" {size} font-family="Georgia, serif">'
    return f"{head}<title>{title}</title><style>{style}</style>{back}{''.join(parts)}</svg>\n"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for paper in home().values():
            for page in moving.pages(paper):
                page.file.with_suffix(".svg").write_text(still(page, Path(folder)), encoding="utf-8")
                print(f"{paper.key}:{page.name}: drawn", flush=True)


if __name__ == "__main__":
    main()

"""The gallery: a card for every figure that was repeated, with what came out, and the lines that draw it again."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from derivations.paper.library import home
from derivations.report import moving

ROOT = Path(__file__).resolve().parents[2]
PANEL = re.compile(
    r"^### (?P<title>[^\n]+): (?P<outcome>reproduced|differs)\n<!-- (?P<id>[\w:]+) [^\n]*-->\n(?P<rest>.*?)(?=^##|\Z)",
    re.M | re.S,
)
LINES = """import matplotlib.pyplot as plt
import numpy as np

data = np.load("results/{paper}/{name}.npz")  # numerics reproduce {paper}:{name} --out results
print({{name: values.shape for name, values in data.items()}})
along = next((data[name] for name in ("times", "epochs", "steps", "scales") if name in data), None)
figure, axes = plt.subplots()
for name, values in data.items():
    curves = np.atleast_2d(values)
    if along is not None and curves.shape[-1] == len(along) and values is not along and curves.ndim == 2:
        style = "k:" if name.startswith("theory") else "-"
        axes.plot(along, curves.T, style, label=None)
axes.set_title("{title}")
figure.savefig("{name}.pdf")"""


@dataclass(frozen=True)
class Card:
    """A figure of a source as it was repeated."""

    id: str
    title: str
    outcome: str
    found: str

    @property
    def paper(self) -> str:
        return self.id.partition(":")[0]

    @property
    def name(self) -> str:
        return self.id.partition(":")[2]


def cards(results: str) -> Iterator[Card]:
    """Every panel that `RESULTS.md` tells of."""
    for match in PANEL.finditer(results):
        parts = [part.strip() for part in match["rest"].split("\n\n")]
        told = [part for part in parts if part and not part.startswith(("!", "*", "[", "<"))]
        yield Card(match["id"], match["title"], match["outcome"], told[0] if told else "")


def write(folder: Path, introduction: str, results: Path | None) -> None:
    """The page of cards; pictures and data come from a folder that `numerics reproduce` wrote, or are committed."""
    text, paper = introduction + _moving(folder), ""
    for card in cards((ROOT / "RESULTS.md").read_text(encoding="utf-8")):
        if card.paper != paper:
            text += ("" if not paper else "\n::::\n") + f"\n## {card.paper}\n\n::::{{grid}} 1 1 2 2\n:gutter: 3\n"
            paper = card.paper
        text += _card(card, folder, results)
    (folder / "gallery.md").write_text(text + "\n::::\n", encoding="utf-8")


def _moving(folder: Path) -> str:
    """A card for every page that moves, with its picture at rest; the pages stand beside those of the papers."""
    text = "\n## Pages that move\n\nSliders around emitted kernels, each page in one file, computed where it is read.\n"
    text += "\n::::{grid} 1 1 2 2\n:gutter: 3\n"
    for key, paper in home().items():
        for page in moving.pages(paper):
            picture, address = f"figures/{key}/{page.name}.svg", f"audited/pages/{key}/{page.name}.html"
            (folder / picture).parent.mkdir(parents=True, exist_ok=True)
            (folder / picture).write_text(page.still, encoding="utf-8")
            text += (
                f"\n:::{{grid-item-card}} {page.title}\n\n![{page.title}, at rest]({picture})\n\n"
                f'<a href="{address}">Open it, with sliders</a>. In a notebook: `moving.show("{page.name}")`\n\n:::\n'
            )
    return text + "\n::::\n"


def _card(card: Card, folder: Path, results: Path | None) -> str:
    lines = LINES.format(paper=card.paper, name=card.name, title=card.title)
    said, _, found = card.found.partition(" Found: ")
    shown = [
        f"\n:::{{grid-item-card}} {card.title}: {card.outcome}\n",
        *_picture(card, folder, results),
        _plain(said),
        "",
        f"{{bdg-secondary}}`{card.id}`",
        "",
        f"```{{dropdown}} Found, and the lines that draw it\n{_plain(found)}\n\n~~~python\n{lines}\n~~~\n```",
        "",
        ":::",
    ]
    return "\n".join(shown) + "\n"


def _picture(card: Card, folder: Path, results: Path | None) -> list[str]:
    """The picture and the data beside each other, where they are there."""
    for place in filter(None, (results, ROOT / "docs" / "figures")):
        for kind in ("svg", "png"):
            file = place / card.paper / f"{card.name}.{kind}"
            if file.is_file():
                name = f"figures/{card.paper}/{file.name}"
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, folder / name)
                return [f"![{card.title}]({name})", "", *_data(card, folder, results)]
    return []


def _data(card: Card, folder: Path, results: Path | None) -> list[str]:
    file = results / card.paper / f"{card.name}.npz" if results else None
    if file is None or not file.is_file():
        return []
    place = folder / "_extra" / "data" / card.paper
    place.mkdir(parents=True, exist_ok=True)
    shutil.copy(file, place)
    return [f'<a href="data/{card.paper}/{file.name}">its data</a>', ""]


def _plain(text: str) -> str:
    return re.sub(r"([*_<|$\[\]\\{}])", r"\\\1", text)

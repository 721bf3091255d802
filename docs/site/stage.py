"""Stages the sources of the documentation site, builds it, and looks at every link of what was built.

    python docs/site/stage.py .site         # `make docs`

Nothing is written twice: the guide, the pages of papers, the notebooks and the docstrings are taken as they are, with
links that lead to where they stand on the site. The audited papers are the pages that `derivations report` writes.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from html import unescape
from itertools import zip_longest
from pathlib import Path
from urllib.parse import unquote

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

import cards  # noqa: E402
import reference  # noqa: E402

from derivations.paper.library import home  # noqa: E402
from derivations.report.prose import typeset  # noqa: E402

LINK = re.compile(r"(?P<picture>!?)\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<to>[^()\s]+)\)")
FENCED = re.compile(r"(^ *```.*?^ *```[^\n]*$)", re.M | re.S)
MOVING = re.compile(r"derivations/papers/(\w+)/pages/(\w+)\.html")
EXPLICIT = re.compile(r'<a id="([^"]+)">')
OWN = {"index": "index", "start": "start", "verdicts": "explanation/verdicts", "audited": "audited-papers"}
TAKEN = {
    "docs/trusted.md": "explanation/trusted",
    "docs/rocq.md": "explanation/rocq",
    "docs/decides.md": "explanation/decides",
    "docs/architecture.md": "explanation/architecture",
    "ACCURACY.md": "explanation/accuracy",
    "docs/solvable_networks.md": "atlas",
    "RESULTS.md": "results",
    "CHANGELOG.md": "changelog",
    "CONTRIBUTING.md": "contributing",
}
GUIDE = "docs/guide.md"
OWN_PAPER, FIRST_NOTEBOOK = "a-paper-of-your-own", "notebooks/start_here"  # come first among their like


def pages() -> dict[str, str]:
    """The name on the site of every document of the repository that is on it, by its path; the guide has many."""
    found = {f"docs/site/{name}.md": where for name, where in OWN.items()}
    found |= {"docs/site/reference.md": "reference/index", "docs/site/gallery.md": "gallery", "README.md": "index"}
    found |= {path: where for path, where in TAKEN.items() if (ROOT / path).is_file()}
    for path in sorted((ROOT / "docs").glob("*.md")):  # whatever else is explained has a page of its own
        name = path.relative_to(ROOT).as_posix()
        if name not in found and name != GUIDE:
            found[name] = f"how-to/{path.stem.replace('_', '-')}"
    for key in home():
        found |= {f"docs/papers/{key}/{name}.md": f"papers/{key}-{name}" for name in ("findings", "errata")}
    notebooks = sorted((ROOT / "notebooks").glob("*.ipynb"))
    return found | {f"notebooks/{path.name}": f"notebooks/{path.stem}" for path in notebooks}


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", re.sub(r"<[^>]*>|`", "", heading).strip().lower()).replace(" ", "-")


# --- links ------------------------------------------------------------------------------------------------------------


class Staging:
    """Writes pages below a folder, with links that lead to where things stand on the site."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names = pages()
        self.guide = dict(_sections((ROOT / GUIDE).read_text(encoding="utf-8")))

    def write(self, name: str, text: str, source: str) -> None:
        """A page from the text of a document of the repository."""
        path = self.folder / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.converted(text, source, name), encoding="utf-8")

    def converted(self, text: str, source: str, name: str) -> str:
        """The text with links and formulas as the site has them; blocks of code stay as they are."""
        parts = FENCED.split(text)
        return "".join(
            part if FENCED.fullmatch(part) else LINK.sub(lambda m: self._link(m, source, name), _formulas(part))
            for part in parts
        )

    def _link(self, match: re.Match[str], source: str, name: str) -> str:
        to, text = match["to"], match["text"]
        if re.match(r"[a-z]+:", to):
            return match[0]
        file, _, anchor = unquote(to).partition("#")
        target = (ROOT / source).parent.joinpath(file).resolve() if file else ROOT / source
        path = target.relative_to(ROOT).as_posix() if target.is_relative_to(ROOT) else ""
        up = "../" * name.count("/")
        if match["picture"]:
            place = self.folder / path.removeprefix("docs/")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(target, place)
            return f"![{text}]({up}{path.removeprefix('docs/')})"
        address = self._address(path, anchor)
        shown = re.sub(r"`([^`]*)`", r"<code>\1</code>", text)
        return f'<a href="{up}{address}">{shown}</a>' if address else text

    def _address(self, path: str, anchor: str) -> str:
        """Where a document stands on the site, from its top; nothing for what is not there, such as code."""
        if path == GUIDE:
            section = anchor if anchor in self.guide else next(iter(self.guide))
            return f"how-to/{section}.html"
        if found := re.fullmatch(r"docs/papers/(\w+)/claims\.md", path):
            return f"audited/{found[1]}.html" + (f"#{anchor}" if anchor else "")
        if found := MOVING.fullmatch(path):
            return f"audited/pages/{found[1]}/{found[2]}.html"
        if path == "README.md":
            return "index.html"
        where = self.names.get(path)
        return f"{where}.html" + (f"#{anchor}" if anchor else "") if where else ""


def _formulas(text: str) -> str:
    r"""Formulas inside a line as MyST reads them, and headings with anchors that are the ones of GitHub.

    >>> _formulas("at $`\\displaystyle x`$")
    'at $x$'
    """
    return re.sub(r"\$`(?:\\displaystyle )?([^`]*)`\$", lambda m: f"${m[1].strip()}$", text)


def _with_anchors(text: str) -> str:
    """Every heading with the anchor by which documents of the repository name it."""
    seen: dict[str, int] = {}

    def marked(match: re.Match[str]) -> str:
        name = slug(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match[2]))
        count = seen[name] = seen.get(name, -1) + 1
        return f'<a id="{name if not count else f"{name}-{count}"}"></a>\n\n{match[0]}'

    parts = FENCED.split(text)
    return "".join(p if FENCED.fullmatch(p) else re.sub(r"^(#{2,4}) (.+)$", marked, p, flags=re.M) for p in parts)


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """The sections of the guide, each as a page of its own."""
    for part in re.split(r"^(?=## )", text, flags=re.M)[1:]:
        title = part.splitlines()[0].removeprefix("## ")
        yield slug(title), re.sub(r"^#(#+ )", r"\1", part, flags=re.M)


# --- what is staged ---------------------------------------------------------------------------------------------------


def stage(folder: Path, results: Path | None) -> None:
    """Everything that Sphinx reads, in a folder that is made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(HERE / "conf.py", folder)
    (folder / "_static").mkdir()
    shutil.copy(HERE / "formulas.css", folder / "_static")
    staging = Staging(folder)
    for source, name in staging.names.items():
        if source.endswith(".md") and name not in ("index", "gallery", "reference/index") and source != "README.md":
            staging.write(name, _with_anchors(_own(source)), source)
    for title, text in staging.guide.items():
        staging.write(f"how-to/{title}", _with_anchors(text), GUIDE)
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        _notebook(path, staging)
    cards.write(folder, (HERE / "gallery.md").read_text(encoding="utf-8"), results)
    modules = reference.write(folder / "reference", (HERE / "reference.md").read_text(encoding="utf-8"))
    first = (HERE / "index.md").read_text(encoding="utf-8")
    staging.write("index", first + _contents(staging, modules), "docs/site/index.md")


def _own(source: str) -> str:
    text = (ROOT / source).read_text(encoding="utf-8")
    if source.startswith("docs/papers/"):
        return _typeset(text)
    if source != "docs/site/audited.md":
        return text
    listed = "\n".join(
        f'- <a href="audited/{key}.html">{paper.title}</a>, {paper.authors} ({paper.year}):'
        f" [findings](../papers/{key}/findings.md), [errata](../papers/{key}/errata.md)"
        for key, paper in home().items()
    )
    return text.replace("{{ papers }}", listed)


MARKUP = re.compile(
    r"(^\s*(?:- |\d+\. |#+ |\|.*)|`[^`]*`|\$`[^`]*`\$|\$[^$]*\$|<[^>]*>|(?<!\\)\*+|!?\[[^\]]*\]\([^)]*\))"
)


def _typeset(text: str) -> str:
    """The page of a paper, its sentences with letters as letters; markup, formulas and code stay as they are."""
    parts = FENCED.split(text)
    return "".join(part if FENCED.fullmatch(part) else "\n".join(map(_line, part.split("\n"))) for part in parts)


def _line(line: str) -> str:
    """A line with letters as letters; a citation has initials, which are none."""
    if re.search(r"\(20\d\d\)\.", line):
        return line
    pieces = MARKUP.split(line)
    said = (typeset(re.sub(r"\\([*<|])", r"\1", piece)).replace("*", r"\*") for piece in pieces[::2])
    return "".join(a + b for a, b in zip_longest(said, pieces[1::2], fillvalue=""))


def _notebook(path: Path, staging: Staging) -> None:
    """A notebook with what it found, and links as the site has them."""
    data = json.loads(path.read_text(encoding="utf-8"))
    name = f"notebooks/{path.stem}"
    for cell in data["cells"]:
        if cell["cell_type"] == "markdown":
            text = "".join(cell["source"])
            cell["source"] = staging.converted(text, f"notebooks/{path.name}", name)
    (staging.folder / "notebooks").mkdir(exist_ok=True)
    (staging.folder / f"{name}.ipynb").write_text(json.dumps(data), encoding="utf-8")


def _contents(staging: Staging, modules: list[str]) -> str:
    """The tables of contents below the first page."""
    rest = [name for name in staging.names.values() if name.startswith("how-to/")]
    keys = list(home())
    notebooks = [name for name in staging.names.values() if name.startswith("notebooks/")]
    groups = {
        "Start here": ["start"],
        "How to": [*(f"how-to/{title}" for title in (OWN_PAPER, *(t for t in staging.guide if t != OWN_PAPER))), *rest],
        "Notebooks": sorted(notebooks, key=lambda name: name != FIRST_NOTEBOOK),
        "Explanation": ["explanation/verdicts", "explanation/decides", "explanation/trusted",
                        "explanation/rocq", "explanation/accuracy",
                        "explanation/architecture"],
        "Audited papers": ["audited-papers", *(f"papers/{k}-{name}" for k in keys for name in ("findings", "errata"))],
        "Results": ["atlas", "gallery", "results"],
        "Reference": ["reference/index", *(f"reference/{module}" for module in modules)],
        "The project": ["contributing", "changelog"],
    }  # fmt: skip
    there = {str(path.relative_to(staging.folder).with_suffix("")) for kind in ("*.md", "*.ipynb")
             for path in staging.folder.rglob(kind)}  # fmt: skip
    text = ""
    for title, names in groups.items():
        listed = "\n".join(name for name in names if name in there)
        text += f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{listed}\n```\n"
    return text


# --- building, and looking at every link ------------------------------------------------------------------------------


def dead(site: Path) -> list[str]:
    """Links and anchors of built pages that lead nowhere, and whatever would be loaded from elsewhere."""
    texts = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    ids = {path: set(re.findall(r'\sid="([^"]+)"', text)) for path, text in texts.items()}
    found = []
    for path, text in texts.items():
        code = re.sub(r"<script\b.*?</script>", "", text, flags=re.S)
        for kind, link in re.findall(r'\s(href|src)="([^"]*)"', code):
            if re.match(r"(https?|mailto|data):", link):
                found += [f"{path.relative_to(site)} loads {link}"] if kind == "src" else []
                continue
            file, _, anchor = unescape(unquote(link)).partition("#")
            target = (path.parent / file.partition("?")[0]).resolve() if file else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                found.append(f"{path.relative_to(site)}: {link} is no file")
            elif anchor and target in ids and anchor not in ids[target]:
                found.append(f"{path.relative_to(site)}: {link} is no anchor")
    return found


def main(folder: Path, results: Path | None) -> int:
    started = time.perf_counter()
    source, site = folder / "source", folder / "html"
    report = [sys.executable, "-m", "derivations", "report", "--html", str(folder / "audited")]
    subprocess.run([*report, *(["--results", str(results)] if results else [])], check=True)
    stage(source, results)
    shutil.copytree(folder / "audited", source / "_extra" / "audited", ignore=shutil.ignore_patterns("ledger.json"))
    staged = time.perf_counter()
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "2", str(source), str(site)], check=False
    )
    wrong = dead(site) if built.returncode == 0 else []
    print(*wrong, sep="\n", end="\n" if wrong else "")
    ended = time.perf_counter()
    print(f"{site / 'index.html'}: staged in {staged - started:.0f} s, built and looked at in {ended - staged:.0f} s")
    return built.returncode or int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None))

"""The committed pages of papers, as Markdown: written from the data of a ledger alone.

`derivations update` writes them, and `derivations recheck --pages` compares them: byte by byte with what is written
here of the ledger, and, by code that writes nothing, verdict by verdict with the ledger itself.
`findings.md` tells on one page what an author would want to know, `errata.md` every refuted statement in full, and
`claims.md` every entry in the paper's order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from derivations import recheck
from derivations.audit.mistakes import Mistakes
from derivations.audit.pages import FOLDER, verdict_faults
from derivations.recheck import Rejected
from derivations.report.written.claims import claims_page
from derivations.report.written.errata import errata_page
from derivations.report.written.findings import findings_page
from derivations.report.written.places import covered

Paper = Mapping[str, Any]  # as a ledger has it
PAGES = {"findings.md": findings_page, "errata.md": errata_page, "claims.md": claims_page}
README = "README.md"
MARKS = ("<!-- counts -->\n", "<!-- end of counts -->")  # around the table in README.md
COUNTED_ON = {"proved": "claims", "refuted as printed": "errata"}  # the page that shows what is counted


def written(papers: Iterable[Paper]) -> dict[str, str]:
    """The pages of papers by file name, seen from the root of the checkout."""
    return {
        f"{FOLDER}/{paper['key']}/{name}": page(paper, errata)
        for paper, errata in ((paper, Mistakes(paper["entries"], quantities=paper["quantities"])) for paper in papers)
        for name, page in PAGES.items()
    }


def counted(readme: str, papers: Sequence[Paper]) -> str:
    """The README with the table of what each source got."""
    before, _, rest = readme.partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    return before + MARKS[0] + counts_table(papers) + MARKS[1] + after


def page_faults(root: Path, papers: Sequence[Paper]) -> list[tuple[str, str]]:
    """Return what the documents and kernels of a checkout show otherwise than a ledger: files, each with a sentence."""
    found = [*verdict_faults(root, papers), *recheck.kernel_faults(root, papers)]
    try:
        wanted = written(papers)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Rejected(f"no pages can be written of the ledger ({type(error).__name__}): write it again") from None
    if {path.name for path in (root / FOLDER).iterdir()} == {paper["key"] for paper in papers}:
        wanted[README] = counted((root / README).read_text("utf-8"), papers)  # its table has every paper
    different = ((file, _different(root / file, text)) for file, text in wanted.items())
    return [*((file, said) for file, said in different if said), *found]


def _different(path: Path, text: str) -> str:
    """Where a file differs from what is written of the ledger; empty where it does not."""
    if not path.is_file():
        return "there is no such page: run `derivations update`"
    there = path.read_bytes()
    if there == text.encode():
        return ""
    lines, wanted = there.decode("utf-8", "replace").split("\n"), text.split("\n")
    pairs = enumerate(zip([*lines, ""], [*wanted, ""], strict=False), 1)
    line = next((number for number, (one, other) in pairs if one != other), min(len(lines), len(wanted)))
    return f"line {line} is not what the ledger says: run `derivations update`, and see what changes"


def counts_table(papers: Iterable[Mapping[str, Any]]) -> str:
    """How many statements of each source got which verdict, with links to the pages of the paper."""
    rows = [(paper, Mistakes(paper["entries"], quantities=paper["quantities"]).counts) for paper in papers]
    heads = ["source", "equations covered", *(rows[0][1] if rows else ())]
    lines = [f"| {' | '.join(heads)} |", f"| --- |{' ---: |' * (len(heads) - 1)}"]
    lines += [f"| {' | '.join(_cells(paper, counts))} |" for paper, counts in rows]
    return "\n".join(lines) + "\n"


def _cells(paper: Mapping[str, Any], counts: dict[str, int]) -> list[str]:
    folder = f"docs/papers/{paper['key']}"
    linked = [f"[{n}]({folder}/{COUNTED_ON[head]}.md)" if head in COUNTED_ON else str(n) for head, n in counts.items()]
    numbered = paper["numbered"]
    part = f"{covered(paper['entries'], numbered)} of {numbered}" if numbered else "none has a number"
    return [f"[{paper['title']}]({folder}/findings.md)", part, *linked]

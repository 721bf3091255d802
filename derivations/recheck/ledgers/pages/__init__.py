"""The committed pages of papers, written from a ledger alone, and compared byte by byte with those of a checkout.

Pages are what `written` returns, of the data of a ledger and nothing else: `derivations update` writes them with it,
and `derivations recheck --pages` writes them again. `findings.md` tells on one page what an author would want to know,
`errata.md` every refuted statement in full, and `claims.md` every entry in the paper's order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from derivations.recheck.core.errors import Rejected
from derivations.recheck.ledgers.entries import seal
from derivations.recheck.ledgers.files import read_json
from derivations.recheck.ledgers.pages.claims import claims_page
from derivations.recheck.ledgers.pages.errata import errata_page
from derivations.recheck.ledgers.pages.findings import findings_page
from derivations.recheck.ledgers.pages.mistakes import Errata, counts_table
from derivations.recheck.ledgers.programs import check_program

__all__ = ["FOLDER", "KERNELS", "PAGES", "counted", "page_faults", "written"]

Paper = Mapping[str, Any]  # as a ledger has it
FOLDER, KERNELS = "docs/papers", "numerics/kernels"
PAGES = {"findings.md": findings_page, "errata.md": errata_page, "claims.md": claims_page}
README, INDEX = "README.md", "index.json"
MARKS = ("<!-- counts -->\n", "<!-- end of counts -->")  # around the table in README.md


def written(papers: Iterable[Paper]) -> dict[str, str]:
    """The pages of papers by file name, seen from the root of the checkout."""
    return {
        f"{FOLDER}/{paper['key']}/{name}": page(paper, errata)
        for paper, errata in ((paper, Errata(paper["entries"])) for paper in papers)
        for name, page in PAGES.items()
    }


def counted(readme: str, papers: Sequence[Paper]) -> str:
    """The README with the table of what each source got."""
    before, _, rest = readme.partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    return before + MARKS[0] + counts_table(papers) + MARKS[1] + after


def page_faults(root: Path, papers: Sequence[Paper]) -> list[tuple[str, str]]:
    """What the documents and kernels of a checkout show otherwise than a ledger: files, each with a sentence.

    What is written of the entries of a ledger is only worth what the ledger is: `recheck_ledger` checks that first.
    """
    if not papers:
        raise Rejected("pages are compared with a ledger, and this file holds one certificate: leave out --pages")
    if part := [paper["key"] for paper in papers if not paper["whole"]]:
        raise Rejected(f"a page shows a whole paper, and the ledger has a part of {part[0]}: verify it without a name")
    try:
        wanted = written(papers)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Rejected(f"no pages can be written of the ledger ({type(error).__name__}): write it again") from None
    if {path.name for path in (root / FOLDER).iterdir()} == {paper["key"] for paper in papers}:
        wanted[README] = counted((root / README).read_text("utf-8"), papers)  # its table has every paper
    different = ((file, _different(root / file, text)) for file, text in wanted.items())
    return [*((file, said) for file, said in different if said), *_kernels(root / KERNELS, papers)]


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


# --- kernels ----------------------------------------------------------------------------------------------------------


def _kernels(folder: Path, papers: Iterable[Paper]) -> Iterator[tuple[str, str]]:
    """The index has the rows and the files that the ledger names, and each row is what a certificate speaks of."""
    index = read_json(folder / INDEX)
    for paper in papers:
        rows = [row for row in index["kernels"] if row["paper"] == paper["key"]]
        emitted = paper["emitted"]
        if seal(rows) != emitted["index"]:
            yield f"{KERNELS}/{INDEX}", f"the kernels of {paper['key']} are not those of the ledger"
        yield from ((f"{KERNELS}/{INDEX}", said) for row in rows for said in _kernel(row, paper, rows))
        for file, digest in emitted["files"].items():
            path = folder / file
            if not path.is_file() or sha256(path.read_bytes()).hexdigest() != digest:
                yield f"{KERNELS}/{file}", "it is not the file that was emitted: run `derivations update`"
            if index["files"].get(file) != digest:
                yield f"{KERNELS}/{INDEX}", f"the sha256 of {file} is not that of the ledger"


def _kernel(row: Mapping[str, Any], paper: Paper, rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """What the index says of a kernel: its equality is proved, of this program, by this certificate."""
    identifier = f"{row['paper']}:{row['name']}_kernel"
    entry = next((e for e in paper["entries"] if e["id"] == identifier and e["kind"] == "kernel"), None)
    if entry is None:
        yield f"{row['name']} equals nothing in the ledger"
        return
    certificate = {key: value for key, value in entry["certificate"].items() if key != "about"}
    others = {claim for other in rows if other is not row for claim in other["rests_on"]}
    own, further = row["rests_on"][: len(entry["rests_on"])], row["rests_on"][len(entry["rests_on"]) :]
    if own != entry["rests_on"] or not others >= set(further):
        yield f"'rests_on' of {row['name']} is not that of its certificate"
    if entry["verdict"] != "proved":
        yield f"the equality of {row['name']} is {entry['verdict']}"
    if row.get("equality") != seal(certificate):
        yield f"'equality' of {row['name']} is not that of its certificate"
    if (
        seal({key: row[key] for key in ("inputs", "returns", "program")})
        != certificate["statement"]["kernel"]["program"]
    ):
        yield f"the program of {row['name']} is not that of its certificate"
    try:
        check_program(row, certificate["statement"], {e["id"]: e["statement"] for e in paper["entries"]})
    except Rejected as reason:
        yield f"the program of {row['name']} is not what its certificate speaks of: {reason}"

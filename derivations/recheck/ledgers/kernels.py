"""A check that the kernels of a checkout are those of which certificates of a ledger speak."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.ledgers.entries import seal
from derivations.recheck.ledgers.files import read_json
from derivations.recheck.ledgers.programs import check_program, edges_told

Paper = Mapping[str, Any]  # as a ledger has it
KERNELS, INDEX = "numerics/kernels", "index.json"


def kernel_faults(root: Path, papers: Sequence[Paper]) -> list[tuple[str, str]]:
    """Files that differ from what a ledger says of emitted kernels, each with a sentence."""
    return list(_kernels(root / KERNELS, papers))


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
    """Return what the index says of a kernel: its equality is proved, of this program, by this certificate."""
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
    if row.get("edges", []) != edges_told(certificate["statement"]["kernel"]):
        yield f"'edges' of {row['name']} are not those of its certificate"
    shown = [e for e in paper["entries"] if e["id"] in entry["rests_on"] and e["verdict"] in ("proved", "certified")]
    stated = {e["id"]: e["statement"] for e in shown}
    try:
        with budget():
            check_program(row, certificate["statement"], stated)
    except Rejected as reason:
        yield f"the program of {row['name']} is not what its certificate speaks of: {reason}"

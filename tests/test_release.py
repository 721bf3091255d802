"""The statements of a release about itself: one version everywhere, a changelog in one form, certificates that can be
cited.
"""

from __future__ import annotations

import json
import re
from configparser import ConfigParser
from datetime import date
from itertools import pairwise
from pathlib import Path

from each import each

import derivations
from derivations.audit import ledger
from derivations.audit.verify import verify_together
from derivations.paper.library import find, library
from derivations.recheck.ledgers.entries import seal

ROOT = Path(__file__).resolve().parent.parent
CLAIMS = ("van_rossem_saxe_2024:eq21_distance", "braun_2022:diagonal_of_small_starts")
RELEASE = re.compile(r"\[(\d+)\.(\d+)\.(\d+)\] - (\d{4}-\d\d-\d\d)")
SECTIONS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Verdicts"]


def faults(changelog: str, version: str) -> list[str]:
    """Return what keeps a changelog from being tagged: its form alone, whatever it says."""
    parts = re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]
    heads = [part.partition("\n")[0] for part in parts]
    found = [] if heads[:1] == ["[Unreleased]"] else ["what comes next has no heading [Unreleased] above all others"]
    releases = [RELEASE.fullmatch(head) for head in heads[1:]]
    found += [f"{head} is no [1.2.3] - 2025-12-31" for head, m in zip(heads[1:], releases, strict=True) if not m]
    numbers = [tuple(map(int, m.groups()[:3])) for m in releases if m]
    found += [f"{older} stands below {newer}" for newer, older in pairwise(numbers) if newer <= older]
    days = [date.fromisoformat(m[4]) for m in releases if m]
    found += [f"{older} stands below {newer}" for newer, older in pairwise(days) if newer < older]
    if numbers and numbers[0] > tuple(map(int, version.split("."))):
        found.append(f"the last release is {numbers[0]}, and the package is {version}")
    for head, part in zip(heads, parts, strict=True):
        names = re.findall(r"^### (.*)$", part, flags=re.MULTILINE)
        if names != [name for name in SECTIONS if name in names]:
            found.append(f"{head} has the sections {names}: of {SECTIONS}, each once and in this order")
        bodies = re.split(r"^### .*$", part, flags=re.MULTILINE)[1:]
        found += [f"{head} has an empty section" for body in bodies if not body.strip()]
    return found


def test_the_changelog_can_be_tagged() -> None:
    assert faults((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), derivations.__version__) == []


@each(
    "wrong",
    [
        "## [0.1.0] - 2025-01-01\n### Added\n- a\n",
        "## [Unreleased]\n## 0.1.0\n### Added\n- a\n",
        "## [Unreleased]\n## [0.0.9] - 2025-01-01\n## [0.1.0] - 2025-01-02\n",
        "## [Unreleased]\n## [0.1.0] - 2024-01-01\n## [0.0.9] - 2025-01-02\n",
        "## [Unreleased]\n## [9.1.0] - 2024-01-01\n",
        "## [Unreleased]\n### Fixed\n- a\n### Added\n- b\n",
        "## [Unreleased]\n### Added\n- a\n### Added\n- b\n",
        "## [Unreleased]\n### Novelties\n- a\n",
        "## [Unreleased]\n### Added\n\n### Fixed\n- a\n",
    ],
)
def test_a_changelog_out_of_form_is_noticed(wrong: str) -> None:
    assert faults(wrong, "0.1.0")


def test_the_citation_has_the_version_of_the_package() -> None:
    told = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert told
    assert told[1] == derivations.__version__


def test_every_kind_of_file_in_the_packages_goes_into_a_release() -> None:
    """By the patterns that are declared; the laws build the release and compare it file by file."""
    declared = ConfigParser()
    declared.read(ROOT / "setup.cfg", encoding="utf-8")
    patterns = declared["options.package_data"]["*"].split(", ")
    files = [f for package in ("derivations", "numerics") for f in (ROOT / package).rglob("*") if f.is_file()]
    kinds = {f.suffix or f.name for f in files if not {"__pycache__"} & set(f.parts)} - {
        ".py",
        ".typed",
        ".nbi",
        ".nbc",
    }
    assert kinds
    assert {f"**/*{kind}" for kind in kinds} <= {*patterns}
    assert "py.typed" in patterns


@each("name", CLAIMS)
def test_the_hash_of_a_certificate_is_the_one_in_a_ledger_and_changes_with_it(name: str) -> None:
    """The prover's code and the checker's compute it apart; the ledger adds a record, which is left out."""
    paper, claim = library()[name.partition(":")[0]], find(name)
    (report,) = verify_together([(paper, [claim])], 1)
    (certificate,) = [o.certificate for o in report.outcomes if o.entry is claim]
    assert certificate is not None
    written = json.loads(ledger.dumps(ledger.as_json([report])))
    (entry,) = [e for e in written["papers"][0]["entries"] if e["id"] == name]
    alone = {key: value for key, value in entry["certificate"].items() if key != "about"}
    assert seal(alone) == certificate.sha256
    assert seal({**alone, "verdict": "open"}) != certificate.sha256

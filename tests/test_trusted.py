"""The page about what has to be trusted names everything that the checker takes, and tests that are there."""

from __future__ import annotations

import json
from pathlib import Path

from case_files import Cases
from each import each

from derivations.audit.trusted import LARGER, trusted_page
from derivations.recheck.core.theorems import theorems

FAMILIES = Cases(__file__, globals())

ROOT = Path(__file__).resolve().parents[1]
PAGE = trusted_page([], ROOT)


@each("name", sorted(theorems()))
def test_every_theorem_names_its_conditions_its_places_and_a_test_that_breaks_it(name: str) -> None:
    part = PAGE.partition(f"### {name}\n")[2].partition("\n### ")[0]
    theorem = theorems()[name]
    assert theorem.text("says") in part
    assert theorem.text("conditions") in part
    assert all(
        " ".join(text.split()) in part for text in (*theorem.written["needs"].values(), theorem.written["concludes"])
    )
    broken = part.partition("broken in `")[2].partition("`")[0]
    assert f'\n"{name}", ' in (ROOT / broken).read_text(encoding="utf-8")


def test_the_guide_to_the_core_names_its_modules_and_no_other() -> None:
    core = ROOT / "derivations/recheck/core"
    guide = PAGE.partition("## The core of the checker\n")[2].partition("\n## ")[0]
    files = {".".join(path.relative_to(core).with_suffix("").parts) for path in core.rglob("*.py")}
    modules = {name.removesuffix(".__init__") for name in files} - {"__init__", "words"}
    assert {word for word in guide.split("`")[1::2] if not word.endswith(".py")} == modules


def test_every_large_part_of_the_checker_says_why() -> None:
    recheck = ROOT / "derivations/recheck"
    homes = {
        name: recheck.joinpath(*(name if name.startswith("core.") else f"kinds.{name}").split("."))
        for modules, _ in LARGER.values()
        for name in modules
    }
    files = {path / "__init__.py" if path.is_dir() else path.with_suffix(".py") for path in homes.values()}
    folders = (recheck / "core", recheck / "kinds")
    large = {path for folder in folders for path in folder.rglob("*.py") if len(path.read_text().splitlines()) > 300}
    assert large <= files
    assert all(f"**{title}**, " in PAGE for title in LARGER)


def test_every_file_on_the_page_exists() -> None:
    named = {word.partition(":")[0] for word in PAGE.split("`") if word.endswith((".py", ".txt")) or ".py:" in word}
    assert named
    assert not {name for name in named if not (ROOT / name).is_file()}


def test_mutants_of_the_library_are_told_if_they_were_tried(tmp_path: Path) -> None:
    (tmp_path / "tests" / "laws").mkdir(parents=True)
    data = {"date": "2026-11-23", "mutants": 5, "noticed": {"a verdict": 2, "a test": 1}, "same": 1, "survived": ["m"]}
    (tmp_path / "tests" / "laws" / "library_mutants.json").write_text(json.dumps(data), encoding="utf-8")
    page = trusted_page([], tmp_path)
    assert "3 of 5 variants" in page
    assert "1 mean the same as the code, and 1 survived (2026-11-23" in page
    assert "| a verdict | 2 |\n| a test | 1 |" in page


def test_the_rate_of_false_verdicts_is_told_if_it_was_measured(tmp_path: Path) -> None:
    assert "Not measured yet." in trusted_page([], tmp_path)
    (tmp_path / "tests" / "fuzz").mkdir(parents=True)
    data = {
        "date": "2026-11-22", "seeds": [[1, 200]], "statements": 50000, "unsound": [], "rejected": [],
        "by_kind": {"identity": {"proved": 30000, "refuted": 20000}},
    }  # fmt: skip
    (tmp_path / "tests" / "fuzz" / "outcome.json").write_text(json.dumps(data), encoding="utf-8")
    page = trusted_page([], tmp_path)
    assert "0 of 50000 random statements" in page
    assert "| identity | 30000 proved, 20000 refuted |" in page


test_statements_have_their_verdicts = FAMILIES.verdicts()

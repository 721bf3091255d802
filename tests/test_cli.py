"""The command line: exit status, one sentence for every mistake, nothing half-written, the same bytes always."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from case_files import Cases
from command_line import Told
from each import each

import derivations
from derivations.__main__ import main
from derivations.paper.entries import Claim
from derivations.paper.library import library
from derivations.recheck.ledgers.ledger import HEAD, SCHEMA

FAMILIES = Cases(__file__, globals())

ROOT = Path(derivations.__file__ or ".").parent.parent
PAPER = next(iter(library().values()))
PROVED = next(c for c in PAPER.claims if c.expect.value == "proved")
REFUTED = next(c for c in PAPER.claims if c.expect.value == "refuted" and c.printed is not None)
FEW = [c.id for c in PAPER.claims[::40]]

OWN = '''
import sympy as sp
from derivations import Paper, Verdict, prove

paper = Paper("mine", title="Mine", authors="Me", year=2025, source="my desk", numbered=1)
x = sp.Symbol("x", real=True)


@paper.claim("Eq. 1")
def square():
    """A square is a square."""
    return {certificate}
'''
GOOD = OWN.format(certificate="prove.identity((x + 1)**2, x**2 + 2*x + 1)")


def command(*arguments: object, code: str | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    start = [sys.executable, "-c", code] if code else [sys.executable, "-m", "derivations"]
    return subprocess.run(
        [*start, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def is_one_sentence(text: str) -> bool:
    return text.startswith("derivations: ") and len(text.strip().splitlines()) == 1 and "Traceback" not in text


# --- what goes well ---------------------------------------------------------------------------------------------------


def test_verifying_what_is_as_expected_ends_with_zero(told: Told, tmp_path: Path) -> None:
    status, out, _ = told("verify", PROVED.id, REFUTED.id, written(tmp_path / "mine.py", GOOD))
    assert status == 0
    assert PROVED.name[:8] in out
    assert "refuted" in out
    assert "fault" not in out


def test_an_unexpected_verdict_or_an_uncovered_equation_ends_with_one(told: Told, tmp_path: Path) -> None:
    wrong = OWN.format(certificate="prove.identity((x + 1)**2, x**2)")
    status, out, _ = told("verify", written(tmp_path / "wrong.py", wrong))
    assert status == 1
    assert "mine:square: expected proved, found refuted" in out
    status, out, _ = told("verify", written(tmp_path / "short.py", GOOD.replace("numbered=1", "numbered=2")))
    assert status == 1
    assert "Eq. 2 is covered by no" in out


def test_a_folder_that_is_not_there_is_told_before_any_work_is_done(told: Told, tmp_path: Path) -> None:
    status, out, err = told("verify", *FEW, "--json", tmp_path / "deep" / "ledger.json")
    assert status == 2
    assert not out
    assert "there is no folder" in err
    assert not (tmp_path / "deep").exists()


def test_the_json_has_the_promised_shape_and_is_accepted_by_recheck(told: Told, tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    assert told("verify", *FEW, "--json", path)[0] == 0
    data = json.loads(path.read_text())
    assert data["schema"] == SCHEMA
    assert set(data["versions"]) >= {"sympy", "python-flint"}
    (paper,) = data["papers"]
    assert set(paper) == {*HEAD, "entries", "sha256"}
    assert paper["whole"] is False
    keys = "id kind where says printed latex verdict expected method statement formula hypotheses certificate witness"
    for entry in paper["entries"]:
        assert set(entry) >= {*keys.split(), "corrected_by", "rests_on"}
        assert entry["verdict"] == entry["expected"]
        assert isinstance(entry["where"], list)
    status, out, _ = told("recheck", path)
    assert status == 0
    assert "rejected: 0" in out
    status, out, _ = told("recheck", "-v", path)
    assert status == 0
    shown = [line for entry in paper["entries"] for line in (*entry["formula"], *entry["hypotheses"])]
    assert shown
    assert all(line in out for line in shown)


def test_a_corrupted_ledger_ends_with_one_and_names_the_entry(told: Told, tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    assert told("verify", PROVED.id, "--json", path)[0] == 0
    data = json.loads(path.read_text())
    entry = data["papers"][0]["entries"][0]
    entry["verdict"] = entry["certificate"]["verdict"] = "refuted"
    status, out, _ = told("recheck", written(path, json.dumps(data)))
    assert status == 1
    assert PROVED.id in out


def test_list_and_show_tell_what_there_is(told: Told) -> None:
    status, out, _ = told("list")
    assert status == 0
    assert PAPER.key in out
    status, out, _ = told("show", REFUTED.id, "--latex")
    assert status == 0
    text = " ".join(out.split())
    for part in ("refuted", "judged", "correction", str(REFUTED.corrected_by)):
        assert part in text
    assert REFUTED.printed is not None
    assert "".join(REFUTED.printed.latex.split()) in "".join(out.split())


@each("kind", ["definition", "claim", "experiment"])
def test_show_works_for_every_kind_of_entry(told: Told, kind: str) -> None:
    entry = next(e for e in PAPER.entries.values() if e.kind == kind)
    status, out, _ = told("show", entry.id)
    assert status == 0
    assert entry.id in out


def test_impact_lists_what_inherits_a_claim(told: Told) -> None:
    used = next(r for c in PAPER.claims for r in c.rests_on)
    user = next(e.id for e in PAPER.entries.values() if used in e.rests_on)
    status, out, _ = told("show", used, "--impact")
    assert status == 0
    assert user in out


def test_list_shows_and_verify_judges_one_entry_of_a_file(told: Told, tmp_path: Path) -> None:
    path = written(tmp_path / "mine.py", GOOD)
    assert told("list", f"{path}:square")[1].startswith("mine:square\t")
    assert told("list", PROVED.id)[1].count("\n") == 1
    assert told("verify", f"{path}:square")[1].startswith("mine:square\tproved")
    status, out, _ = told("show", f"{path}:square")
    assert (status, "proved" in out) == (0, True)
    assert told("show", path)[1] == out


def test_a_ledger_cannot_be_written_into_a_folder_and_nothing_is_judged_for_it(told: Told, tmp_path: Path) -> None:
    status, out, error = told("verify", PROVED.id, "--json", tmp_path)
    assert (status, out) == (2, "")
    assert "is a folder" in error


def test_lies_are_counted(told: Told, tmp_path: Path) -> None:
    status, out, _ = told("lies", written(tmp_path / "mine.py", GOOD), "--per-claim", 5)
    assert status == 0
    assert "killed" in out


def test_help_is_no_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    assert left.value.code == 0
    assert "verify" in capsys.readouterr().out


# --- a user's mistakes ------------------------------------------------------------------------------------------------

FILES = {
    "none.py": "x = 1",
    "syntax.py": "def (:",
    "exits.py": "raise SystemExit(0)",
    "silent.py": GOOD.replace('"""A square is a square."""', "pass"),
    "twice.py": GOOD + GOOD.partition("\n\n\n")[2],
    "notes.txt": GOOD,
}
SAID = {
    "none.py": "holds no Paper",
    "syntax.py": "SyntaxError",
    "exits.py": "SystemExit",
    "silent.py": "has no docstring",
    "twice.py": "two entries are called mine:square",
    "notes.txt": "is not a Python file",
}


@pytest.mark.parametrize("name", sorted(FILES))
@pytest.mark.parametrize("what", ["verify", "lies"])
def test_a_file_with_a_mistake_ends_with_two_and_one_sentence(told: Told, tmp_path: Path, name: str, what: str) -> None:
    status, out, error = told(what, written(tmp_path / name, FILES[name]))
    assert (status, out) == (2, "")
    assert is_one_sentence(error)
    assert SAID[name] in error


BROKEN = {  # what a claim returns that cannot be judged, and what is said of it
    "prove.identity(x, x, assuming=[x > 1, x < 1])": "no common point",
    "prove.identity(0.5*x, x/2)": "is a float",
    "None": "must yield statements",
    "1/0": "ZeroDivisionError",
    "exit(0)": "SystemExit",
    "paper.equation('Eq. 1', 'x=').left": "has no vocabulary",
}


@pytest.mark.parametrize("certificate", sorted(BROKEN))
@pytest.mark.parametrize("what", ["verify", "lies", "probe", "recheck"])
def test_a_claim_that_cannot_be_judged_is_told_with_its_line_and_the_rest_is_judged(
    told: Told, tmp_path: Path, certificate: str, what: str
) -> None:
    other = GOOD.partition("\n\n\n")[2].replace("square():", "other():")
    path = written(tmp_path / "mine.py", OWN.format(certificate=certificate) + other)
    line = path.read_text().splitlines().index(f"    return {certificate}") + 1
    status, out, _ = told(what, path)
    (fault,) = [line for line in out.splitlines() if line.startswith("fault")]
    assert status == 1
    assert BROKEN[certificate] in fault
    assert "mine:square" in fault
    assert f"mine.py, line {line}" in fault or certificate == "None"
    assert {"verify": "1 proved", "lies": "mine:other", "probe": "1 claims met", "recheck": "1 proved"}[what] in out


@pytest.mark.parametrize("certificate", sorted(BROKEN))
def test_a_mistake_is_told_the_same_way_from_several_processes(told: Told, tmp_path: Path, certificate: str) -> None:
    path = written(tmp_path / "mine.py", OWN.format(certificate=certificate))
    assert told("verify", path, "--jobs", 2) == told("verify", path)


@each(
    ("arguments", "said"),
    [
        *FAMILIES["a mistake on the command line ends with two and one sentence"],
        (["verify", f"{PAPER.key[:-1]}x"], f"did you mean {PAPER.key}?"),
        (["verify", f"{PROVED.id}x"], f"did you mean {PROVED.id}"),
        (["show", f"{PROVED.id}x", "--impact"], f"did you mean {PROVED.id}"),
        (["show", f"{PROVED.name}x"], f"did you mean {PROVED.name}"),
    ],
)
def test_a_mistake_on_the_command_line_ends_with_two_and_one_sentence(
    told: Told, arguments: list[str], said: str
) -> None:
    status, out, error = told(*arguments)
    assert (status, out) == (2, "")
    assert is_one_sentence(error)
    assert said in error


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"schema": 5',
        '{"schema": SCHEMA, "papers": [NaN]}',
        '{"schema": SCHEMA, "schema": 1, "papers": []}',
        '{"schema": SCHEMA, "papers": [{"entries": [{}]}]}',
        '{"schema": 99, "papers": []}',
        "[" * 200_000,
        '{"schema": ' + "9" * 10_000 + "}",
        "__import__('os').abort()",
        "\x00\x01",
    ],
    ids=lambda text: text[:20] or "empty",
)
def test_a_hostile_ledger_ends_with_two_and_one_sentence(told: Told, tmp_path: Path, text: str) -> None:
    status, out, error = told("recheck", written(tmp_path / "ledger.json", text))
    assert (status, out) == (2, "")
    assert is_one_sentence(error)


def test_a_binary_an_endless_and_a_huge_ledger_end_with_two_and_one_sentence(told: Told, tmp_path: Path) -> None:
    binary, huge = tmp_path / "binary.json", tmp_path / "huge.json"
    binary.write_bytes(b"\xff\xfe{}")
    with huge.open("wb") as file:
        file.truncate(2**40)  # a hole: it takes no room on the disk
    for path in (binary, huge, tmp_path, Path("/dev/zero")):
        status, out, error = told("recheck", path)
        assert (status, out) == (2, "")
        assert is_one_sentence(error)


def test_hostile_certificates_are_rejected_one_by_one(told: Told, tmp_path: Path) -> None:
    deep: Any = ["s", "x"]
    for _ in range(900):
        deep = ["exp", deep]
    statement = {"kind": "identity", "symbols": {"x": []}, "assuming": [], "left": deep, "right": ["q", "1e9999"]}
    hostile = {"statement": statement, "verdict": "proved", "method": "normal form", "payload": {"generators": deep}}
    entries = [
        {"id": f"p:{k}", "verdict": "proved", "certificate": c} for k, c in enumerate([hostile, {}, {"verdict": []}])
    ]
    data = {"schema": SCHEMA, "versions": {}, "papers": [{"key": "p", "title": "", "numbered": 0, "entries": entries}]}
    status, out, _ = told("recheck", written(tmp_path / "ledger.json", json.dumps(data)))
    assert status == 1
    assert "rejected: 4" in out  # the entries, and the paper without a seal


def test_json_that_cannot_be_written_ends_with_two_and_leaves_nothing(told: Told, tmp_path: Path) -> None:
    blocked = written(tmp_path / "blocked", "a file, no folder")
    folder = tmp_path / "folder.json"
    folder.mkdir()
    for path in (blocked / "ledger.json", folder, Path("/proc/no_such_place/ledger.json")):
        status, _, error = told("verify", PROVED.id, "--json", path)
        assert status == 2
        assert is_one_sentence(error)
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["blocked", "folder.json"]


def test_a_mistake_writes_no_json_and_keeps_the_old_one(told: Told, tmp_path: Path) -> None:
    old = written(tmp_path / "ledger.json", "old")
    bad = written(tmp_path / "crash.py", OWN.format(certificate="1/0"))
    assert told("verify", PROVED.id, bad, "--json", old)[0] == 2
    assert old.read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["crash.py", "ledger.json"]


# --- the same bytes, always -------------------------------------------------------------------------------------------


def test_the_json_is_the_same_under_any_hash_seed_and_with_any_number_of_processes(tmp_path: Path) -> None:
    texts = []
    for seed, jobs in (("1", 1), ("271828", 2)):
        path = tmp_path / f"{seed}.json"
        done = command("verify", *FEW, "--json", path, "--jobs", jobs, PYTHONHASHSEED=seed)
        assert (done.returncode, "derivations:" in done.stderr) == (0, False)
        texts.append(path.read_bytes())
    assert texts[0] == texts[1]


@pytest.mark.laws  # by default the ledger is compared so
def test_lies_are_the_same_under_any_hash_seed() -> None:
    code = "import sys; from derivations.__main__ import main; sys.exit(main(sys.argv[1:]))"
    runs = [command("lies", FEW[0], FEW[1], code=code, PYTHONHASHSEED=seed) for seed in ("0", "31415")]
    assert runs[0].stdout == runs[1].stdout
    assert "killed" in runs[0].stdout


# --- a second process: no traceback, and what is loaded ---------------------------------------------------------------


def test_a_closed_pipe_is_no_mistake() -> None:
    start = f"{sys.executable} -m derivations theorems"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {start} | head -c 1"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == 0


@each(("program", "never"), FAMILIES["rooms that must not know each other do not load each other"])
def test_rooms_that_must_not_know_each_other_do_not_load_each_other(program: str, never: tuple[str, ...]) -> None:
    watch = (
        f"import sys\n{program}\nprint(*sorted(m for m in sys.modules if m.split('.')[0] in {never} or m in {never}))"
    )
    done = command(code=watch)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")


def test_the_selection_shows_more_than_one_verdict() -> None:
    chosen = [PAPER.entries[i.partition(":")[2]] for i in FEW]
    assert len({c.expect for c in chosen if isinstance(c, Claim)}) > 1


test_statements_have_their_verdicts = FAMILIES.verdicts()

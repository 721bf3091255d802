"""Papers of a user's own on the command line: files, folders and packages, short names, equations, the template."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import zipfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from textwrap import dedent

import pytest
from case_files import Cases
from command_line import Told

import derivations
from derivations.audit.verify import Report
from derivations.commands import terminal
from derivations.commands.own import new, watch
from derivations.commands.selection import chosen
from derivations.paper.library import library
from derivations.paper.naming import PaperError

FAMILIES = Cases(__file__, globals())

MINE = '''
import sympy as sp
from derivations import Paper, prove

paper = Paper("{key}", title="Mine", authors="Me", year=2025, source="my desk", numbered=2)
x = sp.Symbol("x", real=True)


@paper.claim("Eq. 1")
def square():
    """A square is a square."""
    return prove.identity((x + 1)**2, x**2 + 2*x + 1)


@paper.claim("Eq. 2")
def square_without_product():
    """A square is no sum of squares."""
    return prove.identity((x + 1)**2, x**2 + 1)
'''


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(MINE.format(key="mine"), encoding="utf-8")
    return path


# --- what is named ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["verify", "list", "show", "lies", "probe", "recheck"])
def test_a_file_a_folder_and_a_package_are_taken_where_an_id_is(told: Told, tmp_path: Path, what: str) -> None:
    flat, package = tmp_path / "flat", tmp_path / "of_mine"
    flat.mkdir()
    package.mkdir()
    (flat / "mine.py").write_text(MINE.format(key="mine"))
    (flat / "train.py").write_text("raise SystemExit('a script that nobody asked to run')")
    (package / "__init__.py").write_text("from of_mine import claims\nfrom of_mine.claims import paper")
    (package / "claims.py").write_text(MINE.format(key="mine"))
    answers = {told(what, path) for path in (flat, flat / "mine.py", package)}
    assert len({(status, out) for status, out, _ in answers}) == 1
    assert not any("derivations:" in err for _, _, err in answers)
    ((status, out),) = {(status, out) for status, out, _ in answers}
    assert status == (1 if what in ("verify",) else 0)
    assert out


def test_a_folder_without_papers_and_two_of_one_name_are_told(told: Told, tmp_path: Path) -> None:
    status, out, err = told("verify", tmp_path)
    assert (status, out) == (2, "")
    assert "no Python file in the folder" in err
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(MINE.format(key="mine"))
    assert "several files" in told("verify", tmp_path)[2]


def test_a_file_may_import_its_neighbours_and_a_broken_one_is_told_with_its_line(told: Told, tmp_path: Path) -> None:
    (tmp_path / "of_my_own.py").write_text("import sympy as sp\n")
    path = tmp_path / "mine.py"
    path.write_text(MINE.format(key="mine").replace("import sympy as sp", "from of_my_own import sp"))
    assert told("verify", f"{path}:square")[0] == 0
    path.write_text("import sympy\n\nwrong = undefined\n")
    assert "(mine.py, line 3)" in told("verify", path)[2]
    path.write_text("import sympy\nfrom derivations import Paper\nPaper(\n")
    assert "mine.py, line 3" in told("verify", tmp_path)[2]


def test_short_names_are_taken_where_they_are_unambiguous(told: Told, mine: Path) -> None:
    assert told("verify", f"{mine}:square_w")[1].startswith("mine:square_without_product\trefuted")
    assert told("verify", f"{mine}:square")[1].startswith("mine:square\tproved")
    status, _, err = told("verify", f"{mine}:squ")
    assert (status, "several entries have names that begin with squ" in err) == (2, True)
    key = next(iter(library()))
    assert told("list", key[:5])[1] == told("list", key)[1]
    name = next(n for n in library()[key].entries if sum(n in p.entries for p in library().values()) == 1)
    assert told("list", name)[1].startswith(f"{key}:{name}\t")


def test_an_equation_is_answered_for_one_paper_and_listed_for_several(told: Told, mine: Path) -> None:
    status, out, _ = told("show", "Eq. 7")
    assert status == 0
    assert all(f"derivations show {line.split(':')[0].split()[-1]}:Eq.7" in out for line in out.splitlines())
    assert len(out.splitlines()) > 1
    status, out, _ = told("show", "van_rossem_saxe_2024:Eq. 7")
    assert status == 0
    first = out.split("\n\n")[0]
    for word in ("eq21_distance (", "refuted", "witness", "corrected", "judged", "in words"):
        assert word in first
    assert "\\frac" not in first
    assert "\\frac" in told("show", "van_rossem_saxe_2024:Eq. 7", "--latex")[1]
    assert told("show", f"{mine}:Eq.1")[1] == told("show", f"{mine}:square")[1]
    assert "names Eq. 9" in told("show", f"{mine}:Eq.9")[2]


def test_lists_are_filtered(told: Told, mine: Path) -> None:
    for command in ("list", "verify"):
        names = [line.partition("\t")[0] for line in told(command, mine, "--refuted")[1].splitlines() if "\t" in line]
        assert names == ["mine:square_without_product"]
        assert "\t" not in told(command, mine, "--open")[1]
        names = [line.partition("\t")[0] for line in told(command, mine, "--eq", 1)[1].splitlines()]
        assert names == ["mine:square"]
    assert "Eq. 77" in told("list", mine, "--eq", 77)[2]
    refuted = [e.id for p in library().values() for e in p.claims if e.expect.value == "refuted"]
    assert [line.partition("\t")[0] for line in told("list", "--refuted")[1].splitlines()] == refuted


def test_words_are_found_in_names_places_sentences_and_latex(told: Told, mine: Path) -> None:
    assert told("find", "SUM", "squares", "--in", mine)[1].startswith("mine:square_without_product\t")
    assert len(told("find", "square", "--in", mine)[1].splitlines()) == 2
    assert told("find", "eq. 1", "--in", mine)[1].startswith("mine:square\t")
    status, out, err = told("find", "zebra", "--in", mine)
    assert (status, out) == (2, "")
    assert "zebra" in err


def test_every_line_of_a_list_is_whole_in_a_pipe(told: Told) -> None:
    lines = told("list")[1].splitlines()
    assert [line.partition("\t")[0] for line in lines] == [e.id for p in library().values() for e in p.entries.values()]


def test_a_refuted_claim_shows_what_was_judged_its_witness_and_both_sides(told: Told, mine: Path) -> None:
    out = told("verify", mine)[1]
    assert "judged mine:square_without_product: (1 + x)^2 = 1 + x^2" in out
    witness = next(line for line in out.splitlines() if line.startswith("witness"))
    assert witness.startswith("witness mine:square_without_product: At x = ")
    assert "the left side is" in witness
    assert "the right side is" in witness


def test_what_is_left_open_is_told_with_what_to_try(told: Told, mine: Path) -> None:
    text = mine.read_text().replace("prove.identity((x + 1)**2, x**2 + 1)", "{}")
    open_one = "prove.inequality(sp.digamma(x) >= sp.log(x) - 1/x, [x > 0])"
    mine.write_text(text.replace("{}", open_one))
    out = told("verify", f"{mine}:square_w", "--effort", 1)[1]
    (line,) = [line for line in out.splitlines() if line.startswith("try mine:square_without_product: ")]
    assert f"derivations verify {mine}:square_without_product --effort 30" in line
    assert "prove.enclosed" in line


def test_a_hypothesis_that_decides_is_told_as_a_claim_takes_it(told: Told, mine: Path) -> None:
    open_one = "prove.inequality(sp.sin(x) + sp.sin(sp.pi * x) < 2)"
    mine.write_text(mine.read_text().replace("prove.identity((x + 1)**2, x**2 + 1)", open_one))
    out = told("verify", f"{mine}:square_w")[1]
    assert "try mine:square_without_product: with the hypothesis " in out
    assert "it is decided: given=[" in out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            ('    """A square is a square."""\n', ""),
            "has no docstring: say in one sentence what the paper asserts there (mine.py",
        ),
        (("def square_without_product", "def square"), "another name (mine.py, line 1"),
        (("paper = Paper(", "paper = Paper(("), "SyntaxError"),
    ],
)
def test_a_file_that_cannot_be_run_is_told_with_its_line(
    told: Told, mine: Path, change: tuple[str, str], said: str
) -> None:
    mine.write_text(mine.read_text().replace(*change))
    status, out, err = told("verify", mine)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("(mine.py, line ") == 1


@pytest.mark.parametrize("key", ["a b", "", "class", "../up"])
def test_a_file_whose_paper_has_a_key_that_cannot_be_named_is_refused(told: Told, mine: Path, key: str) -> None:
    mine.write_text(mine.read_text().replace('Paper("mine"', f'Paper("{key}"'))
    status, out, err = told("verify", mine)
    assert (status, out) == (2, "")
    assert f"{key!r} cannot be the key of a paper" in err


# --- a paper to begin with, and judging while it is written -----------------------------------------------------------


def test_the_template_runs_holds_and_emits(told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert told("new", "my_paper")[0] == 0
    status, out, _ = told("verify", "my_paper.py")
    assert (status, "fault" in out, "2 of 2 equations covered" in out) == (0, False, True)
    assert told("lies", "my_paper.py")[0] == 0
    assert told("recheck", "my_paper.py")[0] == 0
    assert told("probe", "my_paper.py")[0] == 0
    assert told("report", "my_paper.py", "--html", "site")[0] == 0
    assert told("emit", "my_paper.py:sigmoid", "--target", "numpy", "-o", "code")[0] == 0
    done = subprocess.run([sys.executable, "code/sigmoid.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("3x", "cannot be the key"),
        ("class", "cannot be the key"),
        ("a b", "cannot be"),
        ("braun_2022", "known already"),
    ],
)
def test_a_name_that_no_paper_can_have_is_refused(told: Told, tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(PaperError, match=said):
        new.write(name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_an_existing_file_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("precious")
    with pytest.raises(PaperError, match="left as it is"):
        new.write("mine", tmp_path)
    assert path.read_text() == "precious"


def test_watching_tells_what_changed_and_what_rests_on_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new.write("mine", tmp_path)
    path = tmp_path / "mine.py"
    text = path.read_text()

    def judged(changed: str, known: dict[str, Report]) -> tuple[set[str], dict[str, Report]]:
        capsys.readouterr()
        path.write_text(changed)
        found = watch.judge_all([path], known)
        rows = [line.split("\t") for line in capsys.readouterr().out.splitlines() if "\t" in line]
        return {row[0].partition(":")[2] for row in rows}, found

    every, known = judged(text, {})
    assert "one_mode" in every
    assert judged(text + "# a remark\n", known)[0] == set()
    moment = text.replace("3 * s**2", "4 * s**2")
    assert judged(moment, known)[0] == {"fourth_moment"}
    flow = text.replace("=2a(s-a)", "=3a(s-a)")
    of_flow = {"one_mode", "rate_is_small", "rate_is_bounded", "sigmoid_kernel"}
    assert judged(flow, known)[0] == of_flow
    assert judged(flow, judged(flow, known)[1])[0] == set()
    broken, kept = judged("import nothing_of_that_name", known)
    assert not broken
    assert kept == known


def test_watching_needs_files(told: Told) -> None:
    assert "files of your own" in told("verify", "--watch")[2]
    assert "files of your own" in told("verify", "braun_2022", "--watch")[2]


# --- progress ---------------------------------------------------------------------------------------------------------


def test_long_work_is_told_on_standard_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with terminal.progress([("mine", 2)]) as step:
        step("mine", "quick")
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(terminal, "FIRST_LINE", 0)
    with terminal.progress([("mine", 2)]) as step:
        step("mine", "first")
        step("mine", "second")
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "mine: last first, 1 of 2 in 0 s\n"


def test_a_single_step_that_takes_long_is_told_while_it_does(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in processes of its own, whose results it waits for; afterwards the clock is as it was."""
    monkeypatch.setattr(terminal, "FIRST_LINE", 0.05)
    monkeypatch.setattr(terminal, "TICK", 0.05)
    before = signal.getsignal(signal.SIGALRM)
    with terminal.progress([("mine", 1)]) as step, ProcessPoolExecutor(1, mp_context=get_context("fork")) as pool:
        pool.submit(time.sleep, 0.3).result()
        assert capsys.readouterr().err == "0 of 1 in 0 s\n"
        step("mine", "long")
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    monkeypatch.setattr(terminal, "NEXT_LINE", 0.0)
    with pytest.raises(ZeroDivisionError), terminal.progress([("mine", None)]):
        raise ZeroDivisionError
    assert signal.getsignal(signal.SIGALRM) is before


# --- papers of other packages -----------------------------------------------------------------------------------------

PACKAGE = {
    "labpapers/__init__.py": "",
    "labpapers/ours.py": MINE.format(key="ours"),
    "labpapers-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: labpapers\nVersion: 1.0\n",
    "labpapers-1.0.dist-info/entry_points.txt": "[derivations.papers]\nours = labpapers.ours\n",
}


def installed(folder: Path, **changed: str) -> Path:
    """A package as pip lays it down, in a folder of its own."""
    for name, text in {**PACKAGE, **changed}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    return folder


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = installed(tmp_path / "site")
    monkeypatch.syspath_prepend(str(folder))
    for name in ("labpapers", "labpapers.ours"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return folder


def test_papers_of_an_installed_package_are_found_like_any_other(told: Told, lab: Path) -> None:
    assert "ours" in library()
    assert told("list", "ours")[1].startswith("ours:square\t")
    assert told("verify", "ours:square")[1].startswith("ours:square\tproved")
    assert "ours:square_without_product" in told("find", "no", "sum", "--in", "ours")[1]
    assert chosen(["ours"])[0][0].key == "ours"


@pytest.mark.parametrize(("changed", "said"), FAMILIES["a broken package is told in one sentence"])
def test_a_broken_package_is_told_in_one_sentence(told: Told, lab: Path, changed: dict[str, str], said: str) -> None:
    installed(lab, **changed)
    status, out, err = told("list")
    assert (status, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1
    assert told("list", "braun_2022:flow")[0] in (0, 2)  # what is not concerned goes on


def test_pip_installs_papers_that_are_then_found(tmp_path: Path) -> None:
    """As a laboratory would do it, offline, into a folder of its own; the wheel is written here."""
    info = "labpapers-1.0.dist-info"
    files = {
        **PACKAGE,
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in (*files, f"{info}/RECORD"))
    wheel, target = tmp_path / "labpapers-1.0-py3-none-any.whl", tmp_path / "target"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", target, wheel]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    if "No module named pip" in done.stderr:
        pytest.skip("pip is not installed")
    assert done.returncode == 0, done.stderr
    path = os.pathsep.join([str(Path(derivations.__file__ or "").parent.parent), str(target)])
    shown = subprocess.run(
        [sys.executable, "-m", "derivations", "verify", "ours:square"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
        cwd=tmp_path,
    )
    assert shown.stdout.startswith("ours:square\tproved"), shown.stderr


def test_pages_and_kernels_of_this_project_are_those_of_its_own_papers(lab: Path) -> None:
    from derivations.paper.library import home

    assert "ours" not in home()
    assert set(home()) == set(library()) - {"ours"}


test_statements_have_their_verdicts = FAMILIES.verdicts()

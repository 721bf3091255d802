"""A release: the source distribution, and the wheel made of it, installed where nothing else is."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import derivations

ROOT = Path(__file__).resolve().parents[2]
PYTHONS = ("3.11", "3.12", "3.13")
PACKAGES = ("derivations/", "numerics/")
BESIDE = ("LICENSE", "README.md", "pyproject.toml", "setup.cfg")  # what a source distribution has as well
CLAIM = "van_rossem_saxe_2024:eq21_distance"
PANEL = "braun_2022:fig_1b"
CALLED = """
from importlib.metadata import version
from importlib.resources import files
import derivations, numerics
from numerics.kernels import kernel
assert version("learning-dynamics-derivations") == derivations.__version__
assert all(files(package).joinpath("py.typed").is_file() for package in (derivations, numerics))
assert kernel("van_rossem_saxe_2024:closed_form")
assert derivations.prove.identity(1, 1).verdict.value == "proved"
"""

LABELLED = """
from numerics import theory
flow = theory.teacher_student.trajectory([[0.01]], [[0.0]], [[1.0]], eta=1.0, times=[0, 10, 20])
import xarray
made = flow.to_xarray()
assert made.error.sel(time=10).item() == flow.error[1] and made.time.attrs["units"]
flow.save("flow.nc")
with xarray.open_dataset("flow.nc") as read:
    assert all((read[name].values == made[name].values).all() for name in ("Q", "R", "v", "error", "time"))
"""


def tracked() -> list[str]:
    done = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("the files of a release are those that git knows, and this is no checkout")
    return [name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


def ran(*command: str | Path, cwd: Path) -> str:
    """The output of a command that knows nothing of this checkout."""
    left = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, env=left)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def fetched(pip: list[str | Path], cwd: Path) -> None:
    """Installs with pip; where no package can be had from anywhere, the test is left out."""
    done = subprocess.run(pip, cwd=cwd, capture_output=True, text=True, check=False)
    if "No matching distribution" in done.stderr or "Connection" in done.stderr:
        pytest.skip(f"pip finds no packages to install: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr


def interpreter(version: str) -> Path | None:
    """The Python of this version, wherever it is: this one, on the PATH, or among those of pyenv."""
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    known = sorted(home.glob(f"{version}.*/bin/python"))
    for python in (Path(sys.executable), Path(f"python{version}"), *known):
        try:
            asked = [python, "-c", "import sys, ensurepip; print('%d.%d' % sys.version_info[:2])"]
            done = subprocess.run(asked, capture_output=True, text=True, check=False)
        except OSError:
            continue
        if done.stdout.strip() == version:
            return python
    return None


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The source distribution of what git knows here, and the wheel that is built from it, not from the checkout."""
    folder = tmp_path_factory.mktemp("release")
    source = folder / "source"
    for name in tracked():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((ROOT / name).read_bytes())
    ran(sys.executable, "-m", "venv", folder / "builder", cwd=folder)
    python = folder / "builder" / "bin" / "python"
    tools = ["setuptools>=77", "build>=1.2"]
    fetched([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *tools], folder)
    ran(python, "-m", "build", "--no-isolation", "--outdir", folder / "dist", source, cwd=folder)
    (sdist,), (wheel,) = (folder / "dist").glob("*.tar.gz"), (folder / "dist").glob("*.whl")
    return sdist, wheel


def test_both_distributions_have_every_file_of_the_packages_and_no_other(built: tuple[Path, Path]) -> None:
    sdist, wheel = built
    wanted = {name for name in tracked() if name.startswith(PACKAGES)}
    with zipfile.ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if ".dist-info/" not in name}
        (metadata,) = (archive.read(n).decode() for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
    assert inside == wanted
    assert f"Version: {derivations.__version__}\n" in metadata
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert wanted | set(BESIDE) <= names


@pytest.mark.parametrize("version", PYTHONS)
def test_the_wheel_works_in_an_empty_folder(built: tuple[Path, Path], tmp_path: Path, version: str) -> None:
    """A claim, a paper of one's own, its kernel and a panel, with nothing but what pip has installed."""
    python = interpreter(version)
    if python is None:
        pytest.skip(f"Python {version} is not installed here")
    ran(python, "-m", "venv", tmp_path / "env", cwd=tmp_path)
    bin, empty = tmp_path / "env" / "bin", tmp_path / "empty"
    empty.mkdir()
    quiet = ["--quiet", "--disable-pip-version-check", "--no-compile"]
    fetched([bin / "python", "-m", "pip", "install", *quiet, "-c", ROOT / "constraints.txt", built[1]], tmp_path)
    ran(bin / "python", "-W", "error", "-c", CALLED, cwd=empty)
    assert ran(bin / "derivations", "verify", CLAIM, cwd=empty).startswith(f"{CLAIM}\trefuted")
    if python != Path(sys.executable):
        return  # the rest is the same code, and takes half a minute for every Python
    ran(bin / "derivations", "new", "my_paper", cwd=empty)
    ran(bin / "derivations", "verify", "my_paper.py", "--json", "ledger.json", cwd=empty)
    ran(bin / "derivations", "recheck", "ledger.json", cwd=empty)
    ran(bin / "derivations", "report", "my_paper.py", "--html", "site", cwd=empty)
    ran(bin / "derivations", "emit", "my_paper.py:sigmoid", "--target", "numpy", "-o", "code", cwd=empty)
    ran(bin / "python", empty / "code" / "sigmoid.py", cwd=empty)
    fetched([bin / "python", "-m", "pip", "install", *quiet, "xarray>=2024.7"], tmp_path)
    ran(bin / "python", "-W", "error", "-c", LABELLED, cwd=empty)
    ran(bin / "numerics", "reproduce", "--quick", PANEL, cwd=empty)

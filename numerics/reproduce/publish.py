"""Results of a folder as the page of a source checkout: RESULTS.md, with one picture per paper and the overview.

Panels that the folder has not stay on the page as they are, if the registry still configures them so, and so do their
committed pictures. All other pictures stay in the folder of results, whose own page shows every one: they are
megabytes, which a checkout would keep of each drawing for ever.
"""

from __future__ import annotations

from pathlib import Path

from numerics.reproduce import kept, results
from numerics.reproduce.experiments import papers, registry
from numerics.reproduce.figures.overview import SHOWN, overview
from numerics.reproduce.outcome import Outcome
from numerics.reproduce.page import page, read
from numerics.reproduce.results import ResultError

PAGE, PICTURES, OVERVIEW = "RESULTS.md", "docs/figures", "overview.png"
COMMITTED = (
    "braun_2022:fig_2a",
    "carrasco_davis_grant_2025:fig_2",
    "solvable_networks:fig_1",
    "van_rossem_saxe_2024:fig_3_dynamics",
)


def checkout() -> Path:
    """The source checkout that this package was imported from."""
    here = Path(__file__).resolve().parents[2]
    if not (here / "pyproject.toml").is_file():
        raise ResultError(
            "publish writes into a source checkout, and this is an installed package: clone the repository"
        )
    return here


def publish(folder: Path, root: Path) -> list[Outcome]:
    """Write all panels that the folder has into the page, and the committed pictures; remove all other pictures."""
    kept_results = [kept(experiment, folder) for paper in papers() for experiment in registry(paper)]
    outcomes = [outcome for outcome in kept_results if outcome is not None]
    if not outcomes:
        raise ResultError(f"{folder} has no results of a registered panel: run numerics reproduce --out {folder}")
    pictures = root / PICTURES
    shown = {
        f"{outcome.experiment.paper}/{outcome.experiment.name}.png"
        for outcome in outcomes
        if outcome.experiment.id in COMMITTED
    }
    for name, content in {name: _read(folder / name) for name in sorted(shown)}.items():
        results.write(pictures / name, content)
    before = read(_text(root / PAGE))
    stay = {section.experiment.id for section in before.sections if section.experiment.id in COMMITTED}
    stay -= {outcome.experiment.id for outcome in outcomes}
    for there in pictures.glob("*/*"):
        picture = there.relative_to(pictures)
        if picture.as_posix() not in shown and f"{picture.parent}:{picture.stem}" not in stay:
            there.unlink()
    data = {outcome.experiment.id: outcome.result.data for outcome in outcomes}
    if data.keys() >= SHOWN.keys():
        results.write(pictures / OVERVIEW, overview(data))
    results.write(root / PAGE, page(outcomes, f"{PICTURES}/", COMMITTED, before).encode())
    return outcomes


def _text(path: Path) -> str:
    """The page as it is, or nothing where there is none."""
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _read(picture: Path) -> bytes:
    try:
        return picture.read_bytes()
    except OSError as trouble:
        raise ResultError(
            f"{picture} cannot be read ({trouble.strerror}): numerics reproduce --out draws it again from what is kept"
        ) from None

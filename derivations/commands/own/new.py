"""`derivations new`: a paper file to begin with, which runs as it is."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from derivations.paper.library import keys, require_key
from derivations.paper.naming import PaperError

SUFFIX = ".py"


def write(name: str, folder: Path | None = None) -> str:
    """Write the file of a new paper into a folder (by default this one), and say what to do with it.

    An existing file is never touched.
    """
    path = (folder or Path()) / f"{name.removesuffix(SUFFIX)}{SUFFIX}"
    key = path.stem
    require_key(key)
    if key in keys():
        raise PaperError(f"{key} is the key of a paper that is known already: choose another name")
    if path.exists():
        raise PaperError(f"{path} exists already, and is left as it is: choose another name")
    if not path.parent.is_dir():
        raise PaperError(f"there is no folder {path.parent} to write {path.name} into: create it first")
    path.write_text(text_of(key), encoding="utf-8")
    return f"wrote {path}; next: derivations verify {path}"


def text_of(key: str) -> str:
    """The template as the file of a paper with this key."""
    return files(__package__).joinpath("template.txt").read_text(encoding="utf-8").replace("PAPER_KEY", key)

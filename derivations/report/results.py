"""The results of a reproduction of a paper's figures, read from the folder that it wrote."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from derivations.text import DerivationError
from derivations.text.doors import at_door, shown

FILE = "results.json"
PICTURES = {".svg": "image/svg+xml", ".png": "image/png"}


class ReportError(DerivationError):
    """A report that cannot be written; the message says what was given and what to do."""


@dataclass(frozen=True)
class Panel:
    """One figure or measurement that was repeated: what came out, in one sentence, and its picture as a data URI."""

    id: str
    outcome: str
    sentence: str
    picture: str = ""

    @property
    def paper(self) -> str:
        return self.id.partition(":")[0]


@at_door(ReportError)
def read(directory: Path) -> list[Panel]:
    """The panels of a directory that `numerics reproduce --out` wrote; one without results is refused.

    >>> read(Path("nowhere"))
    Traceback (most recent call last):
    derivations.report.results.ReportError: there is no nowhere/results.json: give the folder that ...
    """
    path = directory / FILE
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise ReportError(f"there is no {path}: give the folder that `numerics reproduce --out DIR` wrote") from None
    except OSError as trouble:
        where, why = shown(str(path)), trouble.strerror
        raise ReportError(f"{where} cannot be read ({why}): give a folder of `numerics reproduce --out DIR`") from None
    except (ValueError, RecursionError) as trouble:
        raise ReportError(f"{path} is not JSON ({trouble}): write it again with `numerics reproduce`") from None
    panels = data.get("panels") if isinstance(data, dict) else None
    if not isinstance(panels, list):
        raise ReportError(f'{path} has no list "panels": write it again with `numerics reproduce`')
    return list(_panels(panels, path))


def _panels(panels: list[Any], path: Path) -> Iterator[Panel]:
    for number, panel in enumerate(panels, 1):
        fields: dict[str, Any] = panel if isinstance(panel, dict) else {}
        texts: dict[str, Any] = {key: fields.get(key) for key in ("id", "outcome", "sentence")}
        wrong = [key for key, text in texts.items() if not isinstance(text, str)]
        if wrong:
            raise ReportError(f"panel {number} of {path} has no text {wrong[0]!r}")
        if ":" not in texts["id"]:
            raise ReportError(f"panel {number} of {path} is called {texts['id']!r}, expected paper:figure")
        yield Panel(texts["id"], texts["outcome"], texts["sentence"], _picture(fields.get("figure"), path.parent))


def _picture(name: Any, directory: Path) -> str:
    if name is None:
        return ""
    path = directory / name if isinstance(name, str) else None
    if path is None or not path.resolve().is_relative_to(directory.resolve()) or path.suffix not in PICTURES:
        raise ReportError(f"the figure {name!r} is no .svg or .png inside {directory}")
    if not path.is_file():
        raise ReportError(f"there is no figure {path}: write it again with `numerics reproduce`")
    return f"data:{PICTURES[path.suffix]};base64,{base64.b64encode(path.read_bytes()).decode()}"

"""Runs the notebooks without Jupyter, to compare what they say with what is committed, and to write it.

    python tests/notebooks_runner.py --refresh               # all of them
    python tests/notebooks_runner.py --refresh start_here    # some of them

Each notebook runs in a process of its own, with warnings as errors and figures drawn by Agg. What is written has no
counts, no times and no versions, so that running a notebook again leaves its file as it was.
"""

from __future__ import annotations

import argparse
import ast
import base64
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "notebooks"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
SECONDS = 300  # for a notebook, compilation of all its kernels included
TOLD = 4000  # characters of a traceback, its end

Json = dict[str, Any]


def notebooks() -> list[Path]:
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> Json:
    found: Json = json.loads(path.read_text(encoding="utf-8"))
    return found


def code_cells(notebook: Json) -> list[Json]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def source(cell: Json) -> str:
    return "".join(cell["source"])


def outputs(path: Path) -> list[list[Json]]:
    """Return what every code cell puts out, from a fresh process; a cell that fails ends it with its traceback."""
    ran = subprocess.run(
        [sys.executable, "-W", "error", __file__, "--run", str(path)],
        cwd=FOLDER,
        env={**os.environ, "MPLBACKEND": "Agg", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    if ran.returncode != 0 or ran.stderr:
        raise RuntimeError(f"{path.name} did not run:\n{ran.stderr[-TOLD:]}")
    found: list[list[Json]] = json.loads(ran.stdout)
    return found


def with_outputs(notebook: Json, found: list[list[Json]]) -> str:
    """The text of the notebook's file with these outputs."""
    fresh = iter(found)
    cells = [_bare(cell, k) for k, cell in enumerate(notebook["cells"])]
    for cell in cells:
        if cell["cell_type"] == "code":
            cell |= {"execution_count": None, "outputs": next(fresh)}
    whole = {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _bare(cell: Json, k: int) -> Json:
    return {"cell_type": cell["cell_type"], "id": f"cell-{k}", "metadata": {}, "source": _lines(source(cell))}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


# --- in the process of a notebook -------------------------------------------------------------------------------------


def run(path: Path) -> list[list[Json]]:
    """The outputs of all code cells, run one after the other in one namespace."""
    namespace: Json = {"__name__": "__main__"}
    return [list(_run(source(cell), f"{path.name}, code cell {k}", namespace)) for k, cell in enumerate(_code(path), 1)]


def _code(path: Path) -> list[Json]:
    return code_cells(read(path))


def _run(text: str, name: str, namespace: Json) -> Iterator[Json]:
    """Return what a cell prints, the value of its last line, and the figures that it leaves open, in this order."""
    body = ast.parse(text, name).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(ast.Module(body, []), name, "exec"), namespace)  # noqa: S102
        value = eval(compile(ast.Expression(last.value), name, "eval"), namespace) if last else None  # noqa: S307
    if printed.getvalue():
        yield {"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())}
    if value is not None and not text.rstrip().endswith(";"):
        yield _output("execute_result", _shown(value)) | {"execution_count": None}
    yield from (_output("display_data", figure) for figure in _figures())


def _output(kind: str, data: Json) -> Json:
    return {"data": data, "metadata": {}, "output_type": kind}


def _shown(value: Any) -> Json:
    """A value as text, and as a formula or a picture if it has one."""
    data = {"text/plain": _lines(repr(value))}
    data |= {"text/latex": _lines(value._repr_latex_())} if hasattr(value, "_repr_latex_") else {}
    picture = getattr(value, "_repr_svg_", lambda: None)()  # None for what could have one, such as formulas
    return data | ({"image/svg+xml": _lines(picture)} if picture else {})


def _figures() -> Iterator[Json]:
    """The open figures, which are closed."""
    import matplotlib.pyplot as plt

    for number in plt.get_fignums():
        figure, picture = plt.figure(number), io.BytesIO()
        figure.savefig(picture, format="png", bbox_inches="tight", metadata={"Software": None})
        yield {
            "image/png": base64.b64encode(picture.getvalue()).decode() + "\n",
            "text/plain": [f"<Figure of {len(figure.axes)} axes>"],
        }
        plt.close(figure)


# --- the command ------------------------------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description="Run the notebooks and write their outputs.")
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("--refresh", nargs="*", metavar="NAME", help="these notebooks, or all")
    asked.add_argument("--run", type=Path, metavar="FILE", help="print the outputs of one notebook as JSON")
    given = parser.parse_args()
    if given.run:
        json.dump(run(given.run), sys.stdout)
        return
    known = {path.stem: path for path in notebooks()}
    if unknown := set(given.refresh) - set(known):
        parser.error(f"there is no notebook {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    for name in given.refresh or known:
        text = with_outputs(read(known[name]), outputs(known[name]))
        beside = known[name].with_suffix(".new")
        beside.write_text(text, encoding="utf-8", newline="\n")
        beside.replace(known[name])
        print(f"{name}: written", flush=True)


if __name__ == "__main__":
    main()

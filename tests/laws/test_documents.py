"""The examples of the README and the guide, which a reader copies."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def examples(name: str) -> list[object]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return [
        pytest.param(found[1], id=f"{name}:{text.count(chr(10), 0, found.start()) + 1}")
        for found in BLOCK.finditer(text)
    ]


@pytest.mark.parametrize("code", [*examples("README.md"), *examples("docs/guide.md")])
def test_an_example_of_the_documents_runs_as_it_stands(code: str, tmp_path: Path) -> None:
    (tmp_path / "example.py").write_text(code, encoding="utf-8")
    call = [sys.executable, "-W", "error", "example.py"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")

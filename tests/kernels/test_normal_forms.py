"""The normal forms of kernels are what they were when they were first emitted: a hash stands for one formula."""

from __future__ import annotations

import json
from pathlib import Path

from numerics.kernels import index

GOLDEN = json.loads((Path(__file__).parent / "data" / "normal_forms.json").read_text(encoding="utf-8"))


def test_no_normal_form_has_changed() -> None:
    """A kernel whose formula changes gets a line of its own here, with a reason in the commit."""
    assert {name: entry.sha256 for name, entry in index().items()} == {name: GOLDEN[name] for name in index()}

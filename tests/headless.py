"""A real browser without a window, for pages with scripts."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest


def browser_with(profile: Path) -> list[str]:
    """The command that opens Debian's chromium; a test that needs it is skipped where it is not installed.

    Where PAGES_IN_A_BROWSER says that pages are required to be opened, as in `.ci/run`, it fails instead.
    """
    program = shutil.which("chromium")
    if program is None:
        missing = "chromium is not installed, so no page was opened in a browser"
        if os.environ.get("PAGES_IN_A_BROWSER") == "required":
            pytest.fail(missing)
        pytest.skip(missing)
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"]
    return [program, *options, f"--user-data-dir={profile}"]


def opened(browser: list[str], address: str, *options: str, milliseconds: int = 2000) -> str:
    """The page as the browser holds it after its scripts have run that long; the console stays silent."""
    run = subprocess.run(
        [*browser, *options, f"--virtual-time-budget={milliseconds}", "--dump-dom", address],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "LANG": "C.UTF-8"},
    )
    assert run.returncode == 0, run.stderr
    assert ":CONSOLE" not in run.stderr
    return run.stdout

"""Commands run in the process of a test: see the fixture `told`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Told = Callable[..., tuple[int, str, str]]
"""Runs a command: exit status, standard output, standard error."""


def teller(main: Callable[[list[str]], int], capsys: pytest.CaptureFixture[str], *first: str) -> Told:
    """Return what runs a command line of which the first words are given."""

    def run(*arguments: object) -> tuple[int, str, str]:
        status = main([*first, *map(str, arguments)])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run

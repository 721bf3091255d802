"""The console of the command line."""

from __future__ import annotations

from rich.console import Console


class Screen(Console):
    """A console that leaves a closed pipe to the command line, for which it is no mistake."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

"""Commands with words that make no sense, in this process; what takes long is replaced by its door alone."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from case_files import Cases
from reliability.strange import TEXTS, spoilt_bytes

from derivations.commands import main as derivations
from numerics import __main__ as numerics

FAMILIES = Cases(__file__, globals())

NUMBERS = ["0", "-1", "1", "3", "1e3", "99999999999999999999", "nan", "1/2", "x"]
WORDS = [*TEXTS, *NUMBERS, "braun_2022", "braun_2022:fig_3b", "van_rossem_saxe_2024", "erf_J2", ".", "/", "/proc/x"]
CLAIM = "braun_2022:function_block_gives_the_output"
PAPERS = {"braun_2022", "van_rossem_saxe_2024"}
NUMERICS: dict[str, list[str]] = FAMILIES["numerics"]
DERIVATIONS: dict[str, list[str]] = FAMILIES["derivations"]
TEX = r"""\documentclass{article}\begin{document}
The loss is \begin{equation} L = \frac{1}{2} \langle (y - w x)^2 \rangle \label{eq:loss} \end{equation}
and its flow \begin{align} \tau \dot{w} &= -\partial_w L \\ w(0) &= w_0. \end{align} \end{document}
"""


class Reached(Exception):
    """The work would begin here: the words make sense."""


def _reached(*_: object, **__: object) -> Any:
    raise Reached


WORK = [  # what the doors open to, and takes seconds or hours
    "numerics.accuracy.sheet.searched",
    "numerics.accuracy.page.write",
    "numerics.validate.run",
    "numerics.reproduce.reproduce",
    "numerics.reproduce.publish.publish",
    "numerics.sweep.sweep",
    "derivations.commands.main._verify_work",
    "derivations.commands.main._update",
    "derivations.commands.main._fresh_ledger",
]


@functools.cache
def ledger() -> bytes:
    """The certificates of one claim, as `verify --json` writes them."""
    path = Path("one.json")
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        assert derivations.main(["verify", CLAIM, "--json", str(path), "--jobs", "1"]) == 0
    return path.read_bytes()


@contextlib.contextmanager
def doors() -> Iterator[None]:
    """All work replaced."""
    with contextlib.ExitStack() as stack:
        for name in WORK:
            stack.enter_context(patch(name, _reached))
        yield


def strange_command(rng: random.Random) -> str:
    """Return what became of a command; a foreign error is raised, and so is an exit status that no command has."""
    ours = rng.random() < 0.6
    kinds: dict[str, list[str]] = NUMERICS if ours else DERIVATIONS
    main: Callable[[list[str]], int] = numerics.main if ours else derivations.main
    command = rng.choice(list(kinds))
    words = [command, *(rng.choice(rng.choice([WORDS, kinds[command] or WORDS])) for _ in range(rng.randrange(5)))]
    if rng.random() < 0.05:
        words = words[1:]
    words = [word for word in words if "\0" not in word and word != "--watch"]  # no command line can hold the first
    if command == "show":  # all entries of a paper are half a minute of proofs
        words = [word for word in words if word not in PAPERS]
    Path("paper.tex").write_bytes(spoilt_bytes(TEX.encode(), rng))
    Path("paper.md").write_bytes(spoilt_bytes(b"# A\n\n$$ x = y^2 $$\n\ntext $a$\n", rng))
    Path("ledger.json").write_bytes(spoilt_bytes(ledger(), rng))
    told = io.StringIO()
    with doors(), contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
        try:
            status = main(words)
        except Reached:
            return "answered"
        except SystemExit as end:  # --help
            status = int(end.code or 0)
    assert status in {0, 1, 2}, f"{words} ended with {status}"
    assert "Traceback" not in told.getvalue(), f"{words} told a traceback"
    return "answered" if status < 2 else "refused"


def leave_nothing() -> None:
    """Remove what commands wrote into this folder, so that they meet it no more."""
    for path in Path().iterdir():
        if path.suffix == ".py" or path.name.startswith("draft"):
            path.unlink() if path.is_file() else os.rmdir(path)

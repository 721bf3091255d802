"""A process that does chunks: it reads what they are called with, a line for each, and answers with lines.

Both are JSON. Before the answer there may be lines that tell the share that is done.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from importlib import import_module
from typing import NoReturn

from numerics.machine.tasks.answers import Do, answered

SHARE = "share"


def serve() -> None:
    """Answer each line of standard input, until it ends; the arguments of the program name a module and its function.

    A process that is asked to end writes first what it has of long runs.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asks also stops
    signal.signal(signal.SIGTERM, _interrupted)
    try:
        _serve()
    except KeyboardInterrupt:
        os._exit(0)


def _interrupted(_number: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt


def _serve() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)  # what a task prints is no answer

    def say(what: object) -> None:
        try:
            print(json.dumps(what), file=answers)
        except BrokenPipeError:  # whoever asked was killed; what is in the folder is kept
            os._exit(0)

    module, name = sys.argv[1:]
    do: Do = getattr(import_module(module), name)
    for line in sys.stdin:
        say(answered(do, json.loads(line), lambda share: say({SHARE: share})))

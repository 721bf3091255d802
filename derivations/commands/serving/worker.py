"""A process that answers one request after another, each a line of JSON; it ends when whoever asks has ended."""

from __future__ import annotations

import json
import os
import sys
from queue import SimpleQueue
from threading import Thread


def main() -> None:
    """Answer the lines of standard input. The end of input ends the process at once, in the middle of a request too."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)  # what is printed meanwhile is no answer
    requests: SimpleQueue[str] = SimpleQueue()
    Thread(target=_listen, args=(requests,), daemon=True).start()
    from derivations.commands.serving.tools import answer

    while True:
        print(json.dumps(answer(json.loads(requests.get()))), file=answers)


def _listen(requests: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        requests.put(line)
    os._exit(0)


if __name__ == "__main__":
    main()

"""Processes that answer requests, each with a limit of time; one that takes longer, or is asked no more, is ended."""

from __future__ import annotations

import json
import sys
from subprocess import PIPE
from typing import Any

import anyio
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

Json = dict[str, Any]
COMMAND = (sys.executable, "-m", "derivations.commands.serving.worker")
GRACE = 30.0  # seconds beside those for what is not decided at once: for reading, and for checking again
LONGEST = 600.0  # seconds of any request
MOST_BYTES = 16_000_000  # of an answer
ENDED = (anyio.EndOfStream, anyio.IncompleteRead, anyio.BrokenResourceError, anyio.ClosedResourceError)


class Workers:
    """At most so many processes, each begun when it is needed, and used again."""

    def __init__(self, jobs: int) -> None:
        self._places = anyio.Semaphore(jobs)
        self._idle: list[Process] = []

    async def ask(self, tool: str, arguments: Json, seconds: float = LONGEST) -> Json:
        """Return the answer to a request, or say that none came."""
        limit, answer = min(seconds + GRACE, LONGEST), Json()
        why = f"no answer came within {round(limit)} seconds: ask for a smaller part"
        async with self._places:
            worker = self._idle.pop() if self._idle else await anyio.open_process(COMMAND, stdin=PIPE, stderr=None)
            try:
                with anyio.move_on_after(limit):
                    answer = await _asked(worker, {"tool": tool, "arguments": arguments})
            except ENDED:
                why = "the process that was asked has ended, perhaps for want of memory: ask for a smaller part"
            finally:  # of a question that is given up as well
                await self._keep_or_end(worker, has_answered=bool(answer))
        return answer or {"error": why}

    async def _keep_or_end(self, worker: Process, *, has_answered: bool) -> None:
        if has_answered:
            self._idle.append(worker)
        elif worker.returncode is None:
            worker.kill()
            with anyio.CancelScope(shield=True):
                await worker.aclose()

    async def close(self) -> None:
        """End all processes that wait."""
        while self._idle:
            await self._keep_or_end(self._idle.pop(), has_answered=False)


async def _asked(worker: Process, request: Json) -> Json:
    assert worker.stdin is not None
    assert worker.stdout is not None
    await worker.stdin.send(json.dumps(request).encode() + b"\n")
    line = await BufferedByteReceiveStream(worker.stdout).receive_until(b"\n", MOST_BYTES)
    answer: Json = json.loads(line)
    return answer

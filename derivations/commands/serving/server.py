"""The tools, offered by the Model Context Protocol over standard input and output."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import wraps
from inspect import signature
from typing import Any

from mcp.server import MCPServer

from derivations import __version__
from derivations.commands.serving.tools import TOOLS, Json
from derivations.commands.serving.workers import LONGEST, Workers

INSTRUCTIONS = """\
Decides statements exactly: equations, inequalities, limits, and solutions of differential equations between real
numbers. `proved` and `refuted` come with a certificate that separate code has checked; `open` means undecided, and says
why. Read `says`: it is the sentence that was judged, with everything it supposes. Nothing that is sent is ever run.
"""


def serve(jobs: int) -> None:
    """Answer an agent until it ends the conversation."""
    workers = Workers(jobs)

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await workers.close()

    server = MCPServer(
        "derivations", instructions=INSTRUCTIONS, version=__version__, lifespan=lifespan, log_level="ERROR"
    )
    for name, tool in TOOLS.items():
        server.tool(name=name, description=tool.__doc__)(_asking(workers, name, tool))
    server.run("stdio")


def _asking(workers: Workers, name: str, tool: Callable[..., Json]) -> Callable[..., Awaitable[Json]]:
    """A tool with the same arguments that is carried out by a process of its own."""

    @wraps(tool)
    async def asked(**arguments: Any) -> Json:
        return await workers.ask(name, arguments, float(arguments.get("seconds", LONGEST)))

    asked.__signature__ = signature(tool, eval_str=True)  # type: ignore[attr-defined]
    return asked

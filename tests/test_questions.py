"""Questions that are typed as text, and the processes that answer agents."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from importlib.util import find_spec

import pytest
from each import each

from derivations.commands.serving import tools
from derivations.questions import ask
from derivations.recheck import check

WORKER = [sys.executable, "-m", "derivations.commands.serving.worker"]
JUDGED = {
    "exp(x) >= 1 + x": "proved",
    "sqrt(x^2) = x": "refuted",
    "sqrt(x^2) = x for x >= 0": "proved",
    "as x -> 0+: x*log(x) -> 0": "proved",
    "as x -> 0: abs(x)/x -> 1": "refuted",
    "as x -> oo: sinh(x) ~ exp(x)/2": "proved",
    "flow t: x' = x^2; x = x0; x = x0/(1 - x0*t) for x0 > 0": "refuted",
    "flow t: x' = x^2; x = x0; x = x0/(1 - x0*t) for x0 > 0, t < 1/x0": "proved",
    "1/0 = 1/0": "refused",
    "x^(1/log(0)) = 1": "refused",
    "x^(1/coth(0)) = 1": "open",
    "flow t: x' = x^2; x = 1; x = 1/(1 - t) for 1 > t": "proved",
    "flow t: x' = x^2; x = 1; x = 1/(1 - t) for t <= 1/2": "refused",
    "flow t: x' = x^2; x = 1; x = 1/(1 - t) for t < 3, t < 1/2": "refused",
    "flow t: x' = 5, x' = x; x = 1; x = exp(t)": "refused",
    "flow t: x' = x; x = 7, x = 1; x = exp(t)": "refused",
    "flow t: x = x; x = 1; x = exp(t)": "refused",
    "flow t: x'' = x; x' = 1; x' = exp(t)": "refused",
    "as x -> oo: 1/x -> 0 -> 0": "refused",
    "x = x for x > 1, x < 0": "refused",
    "__import__('os').system('true') = 1": "refused",
}
PRINTED = {
    r"\frac{1}{1+e^{-x}}=\frac{1}{2}(1+\tanh(\frac{x}{2}))": "proved",
    r"(x+1)^2=x^2+2x+1, \quad x=x+1": "refuted",
    r"x>0 \implies \sqrt{x^2}=x": "proved",
    r"a/2b=\frac{a}{2b}": "refused",
    r"W^{\top}W=1": "refused",
    r"f(x)=f(x)": "refused",
    r"a\propto b": "refused",
    r"a+b": "refused",
    r"x=\pm\sqrt{x^2}": "refused",
    r"\nabla x=x": "refused",
    r"\Delta x^2=\Delta x\cdot x": "refused",
    r"\log e=1": "proved",
    r"\mathrm{e}^{x}=\exp(x)": "proved",
    r"e\cdot e^{x}=\exp(x+1)": "proved",
}


@each("latex", [False, True])
def test_a_question_has_its_verdict_and_a_certificate_that_is_accepted(latex: bool) -> None:
    for question, verdict in (PRINTED if latex else JUDGED).items():
        answer = ask(question, latex=latex)
        assert (question, answer.verdict) == (question, verdict)
        assert (answer.verdict == "refused") == (not answer.says)
        assert bool(answer.reason) == (answer.holds is None)
        if answer.says:
            assert answer.trusts == check(answer.certificate)
            assert (answer.witness is not None) == (answer.holds is False)


def test_hypotheses_are_said_and_an_answer_is_data() -> None:
    answer = ask(r"\sqrt{x^2}=x", [r"x\geq 0"], latex=True)
    assert answer.says == "For all x >= 0: sqrt(x^2) = x"
    assert json.loads(json.dumps(answer.as_json())) == {
        "question": r"\sqrt{x^2}=x",
        "verdict": "proved",
        "says": "For all x >= 0: sqrt(x^2) = x",
        "trusts": ["ring"],
        "sha256": answer.sha256,
    }


def worker() -> subprocess.Popen[str]:
    return subprocess.Popen(WORKER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_a_worker_answers_every_request_and_ends_with_whoever_asks() -> None:
    requests = [
        ("judge", {"statement": "x^2 >= 0"}, "proved"),
        ("solves", {"rates": {"x": "-x"}, "start": {"x": "a"}, "solution": {"x": "a*exp(-t)"}}, "proved"),
        ("solves", {"rates": {"x": "1; y = 2"}, "start": {}, "solution": {}}, "refused"),
        ("counterexample", {"statement": "x < x^2"}, "refuted"),
        ("show", {"name": "/tmp/paper.py"}, "a file, which would be run"),
        ("show", {"name": "no_such_entry"}, "no paper is called no_such_entry"),
        ("recheck", {"file": "nowhere.json"}, "there is no file nowhere.json"),
        ("show", {"name": "van_rossem_saxe_2024:half_of_starts"}, "no"),
        ("find", {"words": ["saddle"]}, "entries"),
    ]
    with worker() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for tool, arguments, told in requests:
            print(json.dumps({"tool": tool, "arguments": arguments}), file=process.stdin, flush=True)
            assert told in process.stdout.readline()
        slow = {"statement": "as x -> oo: sqrt(log(log((x+1)^2)^2)) -> 7", "seconds": 600}
        print(json.dumps({"tool": "judge", "arguments": slow}), file=process.stdin, flush=True)
        began = time.monotonic()
        process.stdin.close()
        assert process.wait(20) == 0
        assert time.monotonic() - began < 15


@pytest.mark.skipif(find_spec("mcp") is None, reason="the protocol is not installed: pip install -e '.[agents]'")
def test_a_client_of_the_protocol_is_answered() -> None:
    import anyio
    from mcp import Client, StdioServerParameters

    async def asked() -> list[object]:
        server = StdioServerParameters(command=sys.executable, args=["-m", "derivations", "serve", "--jobs", "1"])
        async with Client(server) as client:
            named = {tool.name for tool in (await client.list_tools()).tools}
            right = await client.call_tool("judge", {"statement": "x + 1 > x"})
            wrong = await client.call_tool("judge", {"statement": 3})
            return [named, right.structured_content["verdict"], wrong.is_error]

    assert anyio.run(asked) == [{*tools.TOOLS}, "proved", True]

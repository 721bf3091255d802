"""Changes to the steps of a proof by rules, none of which may be accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Json = dict[str, Any]
STRANGE = ("s", "no such symbol")
Change = Callable[[], Any]


def steps(proof: Any) -> Iterator[Json]:
    """The certificates by rules inside a certificate, itself included."""
    if isinstance(proof, dict):
        if str(proof.get("method")).startswith("by ") and "parameters" in proof["payload"]:
            yield proof
        for inner in proof.values():
            yield from steps(inner)
    elif isinstance(proof, list | tuple):
        for inner in proof:
            yield from steps(inner)


def changes(proof: Json) -> Iterator[Change]:
    """Every change of every step, as something to be done for a while."""
    for step in steps(proof):
        payload = step["payload"]
        parameters, parts = payload["parameters"], payload["parts"]
        for key in parameters:
            others = {name: value for name, value in parameters.items() if name != key}
            for changed in (others, others | {key: STRANGE}, others | {key: None}, others | {key: [STRANGE]}):
                yield _for_a_while(payload, {"parameters": changed})
        yield _for_a_while(payload, {"parameters": parameters | {"more": "x"}})
        for k, part in enumerate(parts):
            fewer = [*parts[:k], *parts[k + 1 :]]
            other = [*parts[:k], {"absurd": 0, "contrary": part}, *parts[k + 1 :]]
            turned = [*parts[:k], part | {"verdict": "refuted"}, *parts[k + 1 :]]
            for changed_parts in (fewer, other, turned, [*parts, part]):
                yield _for_a_while(payload, {"parts": changed_parts})
            if k and parts[k - 1].get("statement") != part.get("statement"):
                yield _for_a_while(payload, {"parts": [*parts[: k - 1], part, parts[k - 1], *parts[k + 1 :]]})
        yield _for_a_while(step, {"method": "by magic"})
        yield _for_a_while(step, {"method": "by balls" if step["method"] != "by balls" else "by two cases"})
        yield _for_a_while(step, {"verdict": "certified" if step["verdict"] == "proved" else "proved"})
        for side in ("left", "right"):
            more = ("+", step["statement"][side], ("q", "1"))
            yield _for_a_while(step, {"statement": step["statement"] | {side: more}})
    if proof["statement"]["symbols"]:
        yield _for_a_while(proof["payload"], {"inhabited": {}})


def _for_a_while(data: Json, change: Json) -> Change:
    @contextmanager
    def changed() -> Iterator[None]:
        before = dict(data)
        data.update(change)
        yield
        data.clear()
        data.update(before)

    return changed

"""The reference: every public function of the modules named here, from its signature and its docstring."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MODULES = (
    "derivations",
    "derivations.prove",
    "derivations.language.sums",
    "derivations.report",
    "numerics.theory.deep_linear",
    "numerics.theory.two_point",
    "numerics.theory.teacher_student",
    "numerics.theory.linear_attention",
    "numerics.simulate.linear_network",
    "numerics.simulate.teacher_student",
    "numerics.simulate.mlp",
    "numerics.simulate.linear_attention",
    "numerics.kernels",
)


def functions(name: str) -> dict[str, Any]:
    """The public functions of a module, by name."""
    module = importlib.import_module(name)
    names = getattr(module, "__all__", None) or [n for n in vars(module) if not n.startswith("_")]
    found = {n: getattr(module, n) for n in names}
    own = {n: o for n, o in found.items() if inspect.isfunction(inspect.unwrap(o)) and not inspect.isclass(o)}
    home = {n: (inspect.unwrap(o).__module__ or "") for n, o in own.items()}
    return {n: o for n, o in own.items() if hasattr(module, "__all__") or home[n].startswith(name)}


def referred(function: Any) -> list[str]:
    """The functions of the same module whose arguments a docstring says that its own are."""
    said = " ".join((inspect.getdoc(function) or "").split())
    names = re.findall(
        r"(?:rguments (?:are those of|as of|as for)|is as for|are those of|returned are as of) ((?:`\w+`(?: and )?)+)",
        said,
    )
    names += re.findall(r"(?:what|of|as) `(\w+)` makes of its seed, with the same arguments", said)
    return [name for told in names for name in re.findall(r"\w+", told.replace(" and ", " "))]


def lacking(function: Any, beside: dict[str, Any]) -> list[str]:
    """What the docstring of a function does not have: an example, or an argument, here or where it refers to."""
    said = inspect.getdoc(function) or ""
    found = [] if ">>>" in said else ["an example"]
    said += "".join(inspect.getdoc(beside[name]) or "" for name in referred(function) if name in beside)
    named = [n for n in inspect.signature(function).parameters if not n.startswith("_")]
    return found + [f"the argument {n}" for n in named if not re.search(rf"\b{n}\b", said)]


def write(folder: Path, introduction: str) -> list[str]:
    """A page for each module, and one that lists them; the names of the pages."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = ["", "| module | what is in it |", "| --- | --- |"]
    for name in MODULES:
        summary = (inspect.getdoc(importlib.import_module(name)) or "").splitlines()[0]
        rows.append(f'| <a href="{name}.html"><code>{name}</code></a> | {_plain(summary)} |')
        (folder / f"{name}.md").write_text("\n".join(_module(name)) + "\n", encoding="utf-8")
    (folder / "index.md").write_text(introduction + "\n".join(rows) + "\n", encoding="utf-8")
    return list(MODULES)


def _module(name: str) -> Iterator[str]:
    yield f"# `{name}`\n"
    yield from _said(inspect.getdoc(importlib.import_module(name)) or "")
    for short, function in functions(name).items():
        yield f'\n<a id="{short}"></a>\n\n## `{short}`\n'
        yield f"```python\n{short}{_signature(function)}\n```\n"
        yield from _said(inspect.getdoc(function) or "")
        links = ", ".join(f'<a href="#{other}"><code>{other}</code></a>' for other in referred(function))
        yield f"*Arguments that are not told here*: {links}.\n" if links else ""


def _signature(function: Any) -> str:
    signature = inspect.signature(function)
    return str(signature.replace(return_annotation=inspect.Signature.empty)).replace("'", "").replace("~", "")


def _said(text: str) -> Iterator[str]:
    """A docstring: paragraphs as prose, examples and what is indented as code."""
    for block in re.split(r"\n\s*\n", text):
        lines = block.splitlines()
        if any(line.lstrip().startswith(">>>") for line in lines):
            yield "```python\n" + inspect.cleandoc("\n" + block) + "\n```\n"
        elif lines and all(line.startswith("    ") for line in lines):
            yield "```text\n" + inspect.cleandoc("\n" + block) + "\n```\n"
        else:
            yield from _paragraph(lines)


def _paragraph(lines: list[str]) -> Iterator[str]:
    """Lines of prose; a line that says what an argument is begins an item of a list."""
    items: list[str] = []
    for line in lines:
        begins = re.match(r"((?:\*{0,2}\w+(?:, )?)+): ", line)
        if begins or not items:
            items.append(f"- *{_plain(begins[1])}*: {_plain(line[begins.end() :])}" if begins else _plain(line))
        else:
            items[-1] += f" {_plain(line.strip())}"
    joined = "\n".join(f"\n{item}" if item.startswith("- ") else item for item in items)
    yield f"{joined}\n"


def _plain(text: str) -> str:
    """Text in which Markdown finds no markup but what stands between backticks."""
    parts = re.split(r"(`+[^`]+`+)", text)
    return "".join(p if p.startswith("`") else re.sub(r"([*_<|$\[\]\\{}])", r"\\\1", p) for p in parts)

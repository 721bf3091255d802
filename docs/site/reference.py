"""The reference: public functions, classes and methods of the modules named here, by signature and docstring."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import reduce
from pathlib import Path
from typing import Any, cast

MODULES = (
    "derivations",
    "derivations.prove",
    "derivations.latex",
    "derivations.latex.printed",
    "derivations.paper.equation",
    "derivations.paper.equals",
    "derivations.language.words",
    "derivations.language.averages",
    "derivations.language.sums",
    "derivations.report",
    "derivations.report.moving",
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


ONLY = {
    "derivations": (
        *("Paper", "Paper.equation", "Paper.definition", "Paper.experiment", "Paper.claim", "Paper.states"),
        *("Paper.corrected", "Paper.emits", "Kernel", "Kernel.source", "Kernel.compile", "Kernel.lambdify"),
        *("Kernel.reference", "Kernel.balls", "Kernel.jacobian", "Kernel.along", "Kernel.against"),
        *("Certificate", "Verdict", "find", "library"),
    ),
    "derivations.latex": ("Notation", "Notation.extended", "read"),
    "derivations.latex.printed": ("Vocabulary",),
    "derivations.paper.equation": ("Equation",),
    "derivations.paper.equals": ("Equals",),
    "derivations.language.words": (
        *("Letter", "Words", "identity", "zero", "number", "trace", "norm2", "along", "gradient", "mean"),
        "substitute",
    ),
    "derivations.language.averages": (
        *("field", "mean", "covariance", "Ramp", "Ramp.value", "Ramp.slope", "Ramp.values", "Ramp.slopes"),
        *("Bell", "Bell.value", "Bell.slope", "Bell.values", "Bell.slopes", "Line"),
    ),
    "numerics.simulate.teacher_student": ("learn",),
}
"""Names that the reference lists of these modules; the others are for the papers of this package."""
VERBS = frozenset(("Add", "Balance", "Decide", "Evaluate", "Follow", "Make", "Read", "Repeat", "Run", "Take", "Write"))
"""A docstring that begins like this says what is done, and has still to say what comes back."""


LINE = 88  # letters of a signature on one line


def public(name: str) -> dict[str, Any]:
    """The functions, classes and methods of a module that the reference lists, by name."""
    module = importlib.import_module(name)
    if name in ONLY:
        return {short: reduce(getattr, short.split("."), module) for short in ONLY[name]}
    names = getattr(module, "__all__", None) or [n for n in vars(module) if not n.startswith("_")]
    found = {n: getattr(module, n) for n in names}
    listed = {n: o for n, o in found.items() if inspect.isfunction(inspect.unwrap(o)) or _is_plain_class(o)}
    home = {n: (inspect.unwrap(o).__module__ or "") for n, o in listed.items()}
    return {n: o for n, o in listed.items() if hasattr(module, "__all__") or home[n].startswith(name)}


def _is_plain_class(thing: Any) -> bool:
    return inspect.isclass(thing) and not issubclass(thing, Exception) and not inspect.isabstract(thing)


def referred(function: Any) -> list[str]:
    """The functions of the same module whose arguments a docstring says that its own are."""
    said = " ".join((inspect.getdoc(function) or "").split())
    names = re.findall(
        r"(?:rguments (?:are those of|as of|as for)|is as for|are those of|returned are as of) ((?:`\w+`(?: and )?)+)",
        said,
    )
    names += re.findall(r"(?:what|of|as) `(\w+)` makes of its seed, with the same arguments", said)
    return [name for told in names for name in re.findall(r"\w+", told.replace(" and ", " "))]


def lacking(thing: Any, beside: dict[str, Any]) -> list[str]:
    """Return what a docstring lacks, here and where it refers to.

    An example, every argument, what comes back, what is refused, and the shapes of arrays.
    """
    own = inspect.getdoc(thing) or ""
    found = [] if ">>>" in own or not _is_called(thing) else ["an example"]
    said = own + "".join(inspect.getdoc(beside[name]) or "" for name in referred(thing) if name in beside)
    parameters = _parameters(thing)
    found += [f"the argument {n}" for n in parameters if not re.search(rf"\b{n}\b", said)]
    first = own.partition(" ")[0]
    returns = None if inspect.isclass(thing) else inspect.signature(thing).return_annotation
    if first in VERBS and returns not in (None, "None") and not re.search(r"\b[Rr]eturn|\bgives?\b", said):
        found.append("what comes back")
    if re.search(r"^\s+raise \w", _source(thing), re.M) and not re.search(r"[Rr]efuse|[Rr]aise|Error\b|fails", said):
        found.append("what is refused")
    arrays = [n for n, p in parameters.items() if re.search(r"ArrayLike|\bArray\b|Floats", str(p.annotation))]
    return found + [f"the shape of {n}" for n in arrays if not _has_shape(n, said)]


def _is_called(thing: Any) -> bool:
    """Return whether one calls it oneself: a class of results or of words for verdicts is only looked at."""
    return not inspect.isclass(thing) or not (is_dataclass(thing) or issubclass(thing, Enum | tuple))


def _parameters(thing: Any) -> dict[str, inspect.Parameter]:
    """The arguments by name."""
    found = inspect.signature(thing).parameters if _is_called(thing) else {}
    return {name: p for name, p in found.items() if not name.startswith("_") and name != "self"}


def _source(thing: Any) -> str:
    return "" if inspect.isclass(thing) else inspect.getsource(inspect.unwrap(thing))


def _has_shape(name: str, said: str) -> bool:
    """Return whether a shape in parentheses, or that it is one number or a list, is told of an argument."""
    told = rf"`?\b{name}\b`?[^.;]*?(\([^)]*\)|\bone\b|\bnumbers?\b|\bscalars?\b|\brows\b|\blist\b|\beach\b|\bx\b)"
    return re.search(told, " ".join(said.split())) is not None


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
    listed = public(name)
    for short, function in listed.items():
        yield f'\n<a id="{short}"></a>\n\n{"###" if "." in short else "##"} `{short}`\n'
        yield f"```python\n{short}{_signature(function)}\n```\n" if _is_called(function) else ""
        yield from _said(inspect.getdoc(function) or "", _parameters(function))
        yield from _fields(function)
        links = ", ".join(f'<a href="#{other}"><code>{other}</code></a>' for other in referred(function))
        yield f"*Arguments that are not told here*: {links}.\n" if links else ""


def _fields(thing: Any) -> Iterator[str]:
    """Yield the fields of a class of results."""
    if inspect.isclass(thing) and not _is_called(thing) and not issubclass(thing, Enum):
        named = getattr(thing, "_fields", None) or [field.name for field in fields(cast(Any, thing))]
        types = inspect.get_annotations(thing)
        yield "".join(f"- `{name}`: `{types.get(name, Any)}`\n" for name in named if not name.startswith("_"))


def _signature(function: Any) -> str:
    """How it is called; one argument on a line where there is no room for all of them."""
    signature = inspect.signature(function)
    told = [p for name, p in signature.parameters.items() if name != "self"]
    short = _told(signature.replace(parameters=told, return_annotation=inspect.Signature.empty))
    if len(short) <= LINE:
        return short
    lines, starred = [], any(p.kind is p.VAR_POSITIONAL for p in told)
    for p in told:
        lines += ["    *,"] if p.kind is p.KEYWORD_ONLY and not starred else []
        starred = starred or p.kind is p.KEYWORD_ONLY
        lines.append(f"    {_told(p)},")
    return "\n".join(["(", *lines, ")"])


def _told(signature: Any) -> str:
    """A signature without quotes around types; defaults by their names, and those without one as dots."""
    plain = re.sub(r": '([^']*)'", r": \1", str(signature)).replace("~", "")
    return re.sub(r"<.* at 0x\w+>", "...", re.sub(r"<(\w+\.\w+): [^>]*>", r"\1", plain))


def _said(text: str, names: Iterable[str] = ()) -> Iterator[str]:
    """A docstring: paragraphs as prose, arguments as a list, examples and what is indented as code."""
    for block in re.split(r"\n\s*\n", text):
        lines = block.splitlines()
        if any(line.lstrip().startswith(">>>") for line in lines):
            yield "```python\n" + inspect.cleandoc("\n" + block) + "\n```\n"
        elif lines and all(line.startswith("    ") for line in lines):
            yield "```text\n" + inspect.cleandoc("\n" + block) + "\n```\n"
        else:
            yield from _paragraph(lines, "|".join(names) or "(?!)")


def _paragraph(lines: list[str], names: str) -> Iterator[str]:
    """Lines of prose; what says of a name what it is begins an item of a list, and what is refused ends the list."""
    items: list[str] = []
    begin = rf"(?<=[.`)]) (?=(?:(?:{names})(?:, )?)+: )|(?<=\.) (?=Refuse[sd] |Returns )"
    for line in [piece for whole in lines for piece in re.split(begin, whole)]:
        begins = re.match(rf"((?:\*{{0,2}}(?:{names})(?:, )?)+): ", line)
        ends = re.match(r"Refuse[sd] |Returns ", line) and items and items[-1].startswith("- ")
        if begins or ends or not items:
            items.append(f"- *{_plain(begins[1])}*: {_plain(line[begins.end() :])}" if begins else _plain(line))
        else:
            items[-1] += f" {_plain(line.strip())}"
    joined = "\n".join(f"\n{item}" if item.startswith("- ") or k else item for k, item in enumerate(items))
    yield f"{joined}\n"


def _plain(text: str) -> str:
    """Text in which Markdown finds no markup but what stands between backticks."""
    parts = re.split(r"(`+[^`]+`+)", text)
    return "".join(p if p.startswith("`") else re.sub(r"([*_<|$\[\]\\{}])", r"\\\1", p) for p in parts)

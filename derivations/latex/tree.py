"""Trees in pieces and in words: the links of a chain, the two branches of a plus-minus, a line for a message."""

from __future__ import annotations

from typing import Any

from derivations.language.terms import Term

from .building import chained, negated

INFIX_SIGNS = {"=": "=", "!=": "!=", ">": ">", ">=": ">=", ">>": ">>", "~": "~", "propto": "∝", "to": "->",
               "approx": "≈", "in": "in", "implies": "=>", "and": "and", "or": "or", "pm": "±",
               "mp": "∓", "kron": "⊗"}  # fmt: skip


def links(tree: Term) -> list[Term]:
    """The single statements of a formula in the order of printing; a = b = c gives a = b and b = c."""
    if tree[0] == "and":
        return [link for part in tree[1:] for link in links(part)]
    if tree[0] == "chain":
        members, names = list(tree[1::2]), list(tree[2::2])
        pairs = zip(members, names, members[1:], strict=False)
        return [("implies", a, b) if name == "implies" else chained([a, b], [name]) for a, name, b in pairs]
    return [tree]


def branches(tree: Term) -> tuple[Term, Term]:
    """The formula with the upper signs of every plus-minus, and with the lower ones."""
    return _branch(tree, True), _branch(tree, False)


def _branch(tree: Any, upper: bool) -> Any:
    if not isinstance(tree, tuple):
        return tree
    parts = tuple(_branch(t, upper) for t in tree)
    if parts[:1] not in (("pm",), ("mp",)):
        return parts
    _, left, right = parts
    return ("+", left, right if upper == (parts[0] == "pm") else negated(right))


def show(tree: Any) -> str:
    """One readable line."""
    return _shown(tree, 0)


def _shown(tree: Any, tightness: int) -> str:
    if not isinstance(tree, tuple) or not tree or isinstance(tree[0], tuple):
        return f"[{', '.join(map(show, tree))}]" if isinstance(tree, tuple) else str(tree)
    head, *parts = tree
    if head in ("s", "q"):
        text, own = parts[0], 2 if head == "q" and ("/" in parts[0] or parts[0].startswith("-")) else 9
    elif head == "+":
        text, own = " + ".join(_shown(p, 1) for p in parts), 1
    elif head == "*":
        text, own = " * ".join(_shown(p, 3) for p in parts), 2
    elif head == "^":
        text, own = f"{_shown(parts[0], 9)}^{_shown(parts[1], 9)}", 8
    elif head == "chain":
        text, own = " ".join(INFIX_SIGNS.get(p, p) if isinstance(p, str) else _shown(p, 1) for p in parts), 0
    elif head in INFIX_SIGNS:
        text, own = f" {INFIX_SIGNS[head]} ".join(_shown(p, 1) for p in parts), 0
    elif head in ("sum", "prod") and all(p[0] == "index" for p in parts[1:]):
        text, own = f"{head}_{{{', '.join(map(_index, parts[1:]))}}} {_shown(parts[0], 3)}", 2
    elif head == "call":
        text, own = f"{parts[0]}({', '.join(map(show, parts[1:]))})", 9
    else:
        text, own = f"{head}({', '.join(map(show, parts))})" if parts else head, 9
    return text if own >= tightness else f"({text})"


def _index(bound: Term) -> str:
    _, name, lower, upper = bound
    start = "" if lower == ("none",) else f" = {show(lower)}"
    return f"{name}{start}" if upper == ("none",) else f"{name}{start}..{show(upper)}"

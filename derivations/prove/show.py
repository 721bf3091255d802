"""Terms in plain text, for sentences and tables."""

from __future__ import annotations

from typing import Any


def plain(term: Any) -> str:
    head = term[0]
    if head == "s":
        return str(term[1])
    if head == "q":
        return str(term[1])
    if head == "pi":
        return "pi"
    if head == "+":
        return " + ".join(map(plain, term[1:])).replace("+ -", "- ")
    if head == "*":
        return "*".join(_factor(t) for t in term[1:])
    if head == "^":
        if term[2] == ("q", "1/2") or list(term[2]) == ["q", "1/2"]:
            return f"sqrt({plain(term[1])})"
        return f"{_factor(term[1])}^{_factor(term[2])}"
    if head == "D":
        return f"d/d{term[2]} [{plain(term[1])}]"
    if head == "at":
        return f"[{plain(term[1])}] at " + ", ".join(f"{n} = {plain(v)}" for n, v in term[2])
    if head in ("=", "!=", ">", ">="):
        return f"{plain(term[1])} {head} {plain(term[2])}"
    return f"{head}({', '.join(map(plain, term[1:]))})"


def _factor(term: Any) -> str:
    text = plain(term)
    simple = term[0] in ("s", "pi", "exp", "log", "erf", "sinh", "cosh", "tanh") or (term[0] == "q" and text.isdigit())
    return text if simple else f"({text})"

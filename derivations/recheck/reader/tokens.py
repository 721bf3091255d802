"""LaTeX as a list of texts, one for each sign, in which scripts and arguments always stand in braces."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from derivations.recheck.core.errors import Rejected

SIGNS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("signs.toml").read_text(encoding="utf-8"))
SPELLING: dict[str, Any] = SIGNS["spelling"]
SAME, UNSEEN, OF_ONE, GROUPING = (SPELLING[key] for key in ("same", "unseen", "of_one", "grouping"))
GROUP = r"\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}|[^\s\\{}]|\\[A-Za-z]+)"  # letters of a word, in braces or alone
WORD = re.compile(rf"(\\(?:{'|'.join(SPELLING['words'])}))(?![A-Za-z]){GROUP}", re.S)
HIDDEN = r"\\(?:tag|label|vspace|phantom)\*?\s*\{[^{}]*\}"
SIZED = r"\\(?:left|right)\s*[<>|.]"
SIGN = re.compile(rf"{WORD.pattern}|(?P<hidden>{HIDDEN})|{SIZED}|\\[A-Za-z]+|\\.|\|\||\d+(?:\.\d+)?|:=|'+|\S", re.S)
RELATIONS: dict[str, str] = SIGNS["relations"]
WIDE = (r"\quad", r"\qquad")  # spaces between statements, but not beside a sign that joins, or begins a line
JOINS = {r"\\", r"\implies", *RELATIONS}
OPENING, CLOSING = frozenset("{[("), frozenset("}])")
COMMENT = re.compile(r"(?<!\\)%[^\n]*")


def tokens(latex: str) -> list[str]:
    r"""The signs of a formula; what cannot be told apart is refused.

    >>> tokens(r"\frac12 x^2_k")
    ['\\frac', '{', '1', '}', '{', '2', '}', 'x', '_', '{', 'k', '}', '^', '{', '2', '}']
    """
    signs: list[str] = []
    for found in SIGN.finditer(COMMENT.sub("", latex)):
        if found["hidden"]:
            continue
        closes = found[0] == "||" and signs.count("|") % 2  # an absolute value, before another one is opened
        signs += ["|", "|"] if closes else _spelled(found[0], found[1])
    has_matrix = any(sign.startswith(r"\begin") for sign in signs)
    seen = [sign for sign in signs if sign not in UNSEEN and (sign != "&" or has_matrix)]
    beside = zip(["", *seen], [*seen[1:], ""], strict=False)
    is_wide = [sign in WIDE and bool(JOINS & {*pair}) for sign, pair in zip(seen, beside, strict=False)]
    return _Signs([sign for sign, wide in zip(seen, is_wide, strict=True) if not wide]).until("")


def _spelled(text: str, command: str | None) -> list[str]:
    """A sign in the one way in which it is written below; a word is one sign, and environments are not seen."""
    text = "".join(text.split())
    if text.startswith("'"):
        return ["^", "{", *[r"\prime"] * len(text), "}"]
    if command is None:
        return [SAME.get(text, text)]
    inside = text.removeprefix(command)
    inside = inside[1:-1] if inside.startswith("{") else inside
    is_seen = command not in (r"\begin", r"\end") or inside in SIGNS["matrices"]
    return [f"{SAME.get(command, command)}{{{inside}}}"] if is_seen else []


def without_grouping(latex: str) -> str:
    """All that is printed but brackets and signs of products and fractions."""
    return "".join(sign for sign in tokens(latex) if sign not in GROUPING)


def closed(signs: list[str], k: int) -> int:
    """The place after the brace that closes the one at a place; a sign that is no brace is closed by itself."""
    depth = 0
    for place in range(k, len(signs)):
        depth += {"{": 1, "}": -1}.get(signs[place], 0)
        if not depth:
            return place + 1
    raise Rejected("braces of the formula are never closed")


def outside(signs: list[str], wanted: Collection[str]) -> Iterator[int]:
    """The places of some signs that stand in no brackets."""
    depth = 0
    for place, sign in enumerate(signs):
        depth += (sign in OPENING) - (sign in CLOSING)
        if sign in wanted and not depth:
            yield place


class _Signs:
    """Signs that are gone through once, with braces put around every argument."""

    def __init__(self, signs: list[str]) -> None:
        self.signs, self.k = [*signs, ""], 0

    def until(self, end: str) -> list[str]:
        seen: list[str] = []
        while (sign := self.signs[self.k]) != end:
            if not sign:
                raise Rejected("braces of the formula are never closed")
            seen += self.one()
        self.k += 1
        return seen

    def one(self) -> list[str]:
        sign = self.signs[self.k]
        if sign == "}":
            raise Rejected("a brace of the formula closes nothing")
        if sign in ("^", "_"):
            return self.scripts()
        self.k += 1
        if sign == "{":
            inside = self.until("}")
            return ["{", *inside, "}"] if inside or self.signs[self.k] in ("^", "_") else []
        if sign == r"\frac":
            return [sign, *self.argument(sign), *self.argument(sign)]
        return [sign, *self.argument(sign)] if sign in OF_ONE and self.signs[self.k] != "(" else [sign]

    def scripts(self) -> list[str]:
        """The subscript before the superscript, in whichever order they are written."""
        scripts: dict[str, list[str]] = {}
        while (mark := self.signs[self.k]) in ("^", "_"):
            if mark in scripts:
                raise Rejected(f"two scripts {mark} stand on one letter")
            self.k += 1
            scripts[mark] = [mark, *self.argument(mark)]
        return [*scripts.get("_", []), *scripts.get("^", [])]

    def argument(self, owner: str) -> list[str]:
        sign = self.signs[self.k]
        if not sign:
            raise Rejected(f"{owner} lacks its argument")
        if sign[0].isdigit() and len(sign) > 1:
            if owner != r"\frac" or len(sign) > 2:
                raise Rejected(f"{sign} after {owner} may be one number or several: write braces")
            self.signs[self.k : self.k + 1] = list(sign)
        one = self.one()
        return one if one[:1] == ["{"] else ["{", *one, "}"]

"""LaTeX as a list of texts, one for each sign, in which scripts and arguments always stand in braces."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from derivations.recheck.core.errors import Rejected

SIGN = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|:=|'+|[^\s]", re.S)
COMMENT = re.compile(r"(?<!\\)%[^\n]*")
SIGNS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("signs.toml").read_text(encoding="utf-8"))
SPELLING: dict[str, Any] = SIGNS["spelling"]
SAME, ANGLES = SPELLING["same"], SPELLING["angles"]
UNSEEN, WORDS, OF_ONE, GROUPING = (frozenset(SPELLING[key]) for key in ("unseen", "words", "of_one", "grouping"))


def tokens(latex: str) -> list[str]:
    r"""The signs of a formula; what cannot be told apart is refused.

    >>> tokens(r"\frac12 x^2_k")
    ['\\frac', '{', '1', '}', '{', '2', '}', 'x', '_', '{', 'k', '}', '^', '{', '2', '}']
    """
    return _Signs(_joined(SIGN.findall(COMMENT.sub("", latex)))).until("")


def without_grouping(latex: str) -> str:
    """All that is printed but brackets and signs of products and fractions."""
    return "".join(sign for sign in tokens(latex) if sign not in GROUPING)


def _joined(signs: list[str]) -> list[str]:
    """Signs without what is not seen; two bars beside each other are one norm, and words are one sign."""
    seen: list[str] = []
    k = matrices = 0
    while k < len(signs):
        sign, after = SAME.get(signs[k], signs[k]), "".join(signs[k + 1 : k + 2])
        k += 1
        if sign in (r"\left", r"\right") and after in ANGLES:
            seen.append(ANGLES[after])
            k += 1
        elif sign in WORDS:
            inside, k = _group(signs, k)
            is_matrix = inside in SIGNS["matrices"]
            matrices += {r"\begin": 1, r"\end": -1}.get(sign, 0) * is_matrix
            seen += [f"{sign}{{{inside}}}"] if is_matrix or sign not in (r"\begin", r"\end") else []
        elif sign == "|" == after:
            seen.append("||")
            k += 1
        elif sign.startswith("'"):
            seen += ["^", "{", *[r"\prime"] * len(sign), "}"]
        elif sign not in UNSEEN and (sign != "&" or matrices):
            seen.append(sign)
    return seen


def _group(signs: list[str], k: int) -> tuple[str, int]:
    """Return what stands in the braces that begin at a place, or the one sign there, and the place after it."""
    if k >= len(signs):
        raise Rejected("the formula ends where letters of a word were expected")
    if signs[k] != "{":
        return signs[k], k + 1
    end = closed(signs, k)
    return "".join(signs[k + 1 : end - 1]), end


def closed(signs: list[str], k: int) -> int:
    """The place after the brace that closes the one at a place; a sign that is no brace is closed by itself."""
    depth = 0
    for place in range(k, len(signs)):
        depth += {"{": 1, "}": -1}.get(signs[place], 0)
        if not depth:
            return place + 1
    raise Rejected("braces of the formula are never closed")


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
            return ["{", *self.until("}"), "}"]
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
        return one if one[0] == "{" else ["{", *one, "}"]

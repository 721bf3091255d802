"""LaTeX as a list of texts, one for each sign, in which scripts and arguments always stand in braces."""

from __future__ import annotations

import re
import tomllib
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from derivations.recheck.core.load import require

SIGNS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("signs.toml").read_text(encoding="utf-8"))
SPELLING: dict[str, Any] = SIGNS["spelling"]
WORD = rf"(?P<word>\\(?:{'|'.join(SPELLING['words'])}))(?![A-Za-z])"
LETTERS = r"\s*(?P<letters>\{(?:[^{}]|\{[^{}]*\})*\}|[^\s\\{}]|\\[A-Za-z]+)"  # of a word, in braces or alone
HIDDEN = r"(?P<hidden>%[^\n]*|\\\s|\\(?:tag|label|vspace|phantom)\*?\s*\{[^{}]*\})"
SIZED = r"\\(?:left|right)\s*[<>.]|\\(?:left|right|[bB]igg?[lr])\s*(?P<bar>\||\\\||\\[lr]?[vV]ert)"
SIGN = re.compile(rf"{HIDDEN}|{WORD}{LETTERS}|{SIZED}|\\[A-Za-z]+|\\.|\|\||\d+(?:\.\d+)?|:=|'+|\S", re.S)
OPENS = re.compile(r"\\l[vV]ert|\\(?:left|[bB]igg?l)\s*[\\|]")
AFTER_DOT = re.compile(r"\s|[.}&%]|$|\\(?:[^A-Za-z]|q?quad|end|text|tag|label)")
SHORT = re.compile(r"(\\[cdt]?frac)\s*(\d)\s*(\d)(?!\.?\d)")  # a fraction of two digits
LINE, WIDE = r"\\", (r"\quad", r"\qquad")  # both end a statement, but not beside a sign that joins
JOINS = frozenset((r"\implies", *SIGNS["relations"]))
WAITING = JOINS | {LINE, *SIGNS["infix"]}  # signs after which a statement goes on or begins
SCRIPTS = ("_", "^")


def tokens(latex: str) -> list[str]:
    r"""The signs of a formula; what cannot be told apart is refused.

    >>> tokens(r"\frac12 x^2_k")
    ['\\frac', '{', '1', '}', '{', '2', '}', 'x', '_', '{', 'k', '}', '^', '{', '2', '}']
    """
    signs: list[str] = []
    text = SHORT.sub(r"\1{\2}{\3}", latex)
    for sign in SIGN.finditer(text):
        require(sign[0] != "." or AFTER_DOT.match(text, sign.end()), "a dot may be a product or the end of a part")
        bars = [one.strip("(") for one in signs if one.startswith("|")]
        closes = sign[0] == "||" and bars.count("|") % 2  # an absolute value, before another one is opened
        signs += ["|", "|"] if closes else _spelled(sign)
        if OPENS.match(sign[0]) and bars.count(signs[-1]) % 2:
            signs[-1] += "("  # a bar that opens inside of such bars
    backwards = _seen(signs)[::-1]
    seen = _group(backwards)
    require(not backwards, "a brace of the formula closes nothing")
    return seen


def _spelled(sign: re.Match[str]) -> list[str]:
    """A sign in the one way in which it is written below; a word is one sign, and environments are not seen."""
    if sign["hidden"] or sign[0] in SPELLING["unseen"]:
        return []
    if sign[0].startswith("'"):
        return ["^", "{", *[r"\prime"] * len(sign[0]), "}"]
    parts = (sign["bar"] or sign[0], sign["word"] or "", sign["letters"] or "")
    text, word, letters = ("".join(part.split()) for part in parts)
    if not word:
        return [SPELLING["same"].get(text, text)]
    inside = letters[1:-1] if letters.startswith("{") else letters
    is_seen = word not in (r"\begin", r"\end") or inside in SIGNS["matrices"]
    return [f"{SPELLING['same'].get(word, word)}{{{inside}}}"] if is_seen else []


def _seen(signs: list[str]) -> list[str]:
    """The signs without what only lays out lines: outside of matrices, columns, and breaks beside a sign that joins."""
    seen, depth = [""], 0
    for sign in signs:
        depth += sign.startswith(r"\begin") - sign.startswith(r"\end")
        while not depth and seen[-1] in ((LINE, *WIDE) if sign in JOINS else (LINE,) if sign in WAITING else ()):
            seen.pop()
        if depth or not (sign == "&" or (sign in (LINE, *WIDE) and seen[-1] in WAITING)):
            seen.append(sign)
    return seen[1:]


def _group(signs: list[str]) -> list[str]:
    """Takes the signs up to the end of a group from a list that has them backwards, with every argument in braces."""
    group: list[str] = []
    while signs and signs[-1] != "}":
        group += _one(signs)
    return group


def _one(signs: list[str]) -> list[str]:
    """A sign with its arguments, or a group, or the scripts at one place, of which the lower one comes first."""
    if signs[-1] in SCRIPTS:
        scripts: dict[str, list[str]] = {}
        while signs and (mark := signs[-1]) in SCRIPTS:
            require(mark not in scripts, f"two scripts {mark} stand on one letter")
            scripts[mark] = [signs.pop(), *_argument(signs, mark)]
        return [*chain(*(scripts.get(mark, ()) for mark in SCRIPTS))]
    sign = signs.pop()
    if sign == "{":
        inside = _group(signs)
        require(signs, "braces of the formula are never closed")
        signs.pop()
        return ["{", *inside, "}"] if inside or signs[-1:] in (["^"], ["_"]) else []
    count = 2 if sign == r"\frac" else sign in SPELLING["of_one"] and signs[-1:] != ["("]
    return [sign, *chain(*(_argument(signs, sign) for _ in range(count)))]


def _argument(signs: list[str], owner: str) -> list[str]:
    require(signs and signs[-1] != "}", f"{owner} lacks its argument")
    many = signs[-1][0].isdigit() and len(signs[-1]) > 1
    require(not many, f"{signs[-1]} after {owner} may be one number or several: write braces")
    one = _one(signs)
    return one if one[:1] == ["{"] else ["{", *one, "}"]


def text_of(signs: list[str]) -> str:
    """LaTeX of some signs, with spaces only where a command would go on."""
    parts = [f"{one} " if one[0] == "\\" and (one[-1] + after[0]).isalpha() else one for one, after in pairwise(signs)]
    return "".join([*parts, *signs[-1:]])


def without_grouping(latex: str) -> list[str]:
    """All that is printed but brackets and signs of products and fractions."""
    return [sign for sign in tokens(latex) if sign not in SPELLING["grouping"]]


def groups(latex: str) -> dict[tuple[str, int, int], tuple[int, int]]:
    """The brackets and arguments of a formula by what they are of and which of its other signs they hold, with where.

    A slash and a fraction divide alike, so that their arguments are none, and neither are lone braces, but for sums.
    """
    found, opened, count = dict[tuple[str, int, int], tuple[int, int]](), [("", 0, 0)], 0
    signs = tokens(latex)
    for place, sign in enumerate(signs):
        if sign in ("(", "[", "{"):
            before = signs[place - 1] if place and sign == "{" else ""
            owner = "(" if sign != "{" else before if before in (*SCRIPTS, *SPELLING["of_one"]) else ""
            opened.append((owner, count, place))
        elif sign in (")", "]", "}") and len(opened) > 1:
            owner, start, begun = opened.pop()
            found |= {(owner, start, count): (begun, place)} if owner else {}
        elif SIGNS["infix"].get(sign) == SIGNS["infix"]["+"] and not opened[-1][0] and len(opened) > 1:
            opened[-1] = ("sum", *opened[-1][1:])
        count += sign not in SPELLING["grouping"]
    return found


def closed(signs: list[str], k: int) -> int:
    """The place after the brace that closes the one at a place; a sign that is no brace is closed by itself."""
    depth = 0
    for place in range(k, len(signs)):
        depth += {"{": 1, "}": -1}.get(signs[place], 0)
        if not depth:
            return place + 1
    return len(signs)

"""LaTeX as a list of texts, one for each sign, in which scripts and arguments always stand in braces."""

from __future__ import annotations

import re

from derivations.recheck.core.errors import Rejected

SIGN = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|:=|'+|[^\s]", re.S)
SIZES = "left right middle " + " ".join(f"{s}{e} {s}{e}l {s}{e}r {s}{e}m" for s in ("big", "Big") for e in ("", "g"))
UNSEEN = {"~", r"\ ", *(rf"\{name}" for name in [*SIZES.split(), *",!;:>", "displaystyle", "limits", "nonumber"])}
STYLES = "text textrm mbox operatorname boldsymbol bm mathrm mathbf mathcal mathbb mathsf mathit mathfrak begin end"
WORDS = {rf"\{name}" for name in STYLES.split()}
MATRICES = tuple(f"{kind}matrix" for kind in ("", "b", "p"))
OF_ONE = frozenset(r"\sqrt \dot \bar \hat \tilde \vec \overline \widehat \widetilde".split())  # noqa: SIM905
GROUPING = frozenset("{ } ( ) [ ] / * \\frac \\cdot \\times".split())  # noqa: SIM905
SAME = {
    r"\leq": r"\le", r"\geq": r"\ge", r"\neq": r"\ne", r"\dfrac": r"\frac", r"\tfrac": r"\frac", r"\ln": r"\log",
    r"\|": "||", r"\Vert": "||", r"\lVert": "||", r"\rVert": "||", r"\lvert": "|", r"\rvert": "|", r"\vert": "|",
    r"\Rightarrow": r"\implies", r"\Longrightarrow": r"\implies", r"\ast": "*", ":=": "=", r"\equiv": "=",
    r"\textrm": r"\text", r"\mbox": r"\text", r"\land": r"\wedge", r"\leqslant": r"\le", r"\geqslant": r"\ge",
}  # fmt: skip
ANGLES = {"<": r"\langle", ">": r"\rangle"}


def tokens(latex: str) -> list[str]:
    r"""The signs of a formula; what cannot be told apart is refused.

    >>> tokens(r"\frac12 x^2_k")
    ['\\frac', '{', '1', '}', '{', '2', '}', 'x', '_', '{', 'k', '}', '^', '{', '2', '}']
    """
    return _Signs(_joined(SIGN.findall(re.sub(r"(?<!\\)%[^\n]*", "", latex)))).all("")


def without_grouping(latex: str) -> str:
    """All that is printed but brackets and signs of products and fractions."""
    return "".join(sign for sign in tokens(latex) if sign not in GROUPING)


def _joined(signs: list[str]) -> list[str]:
    """Signs without what is not seen; two bars beside each other are one norm, and words are one sign."""
    seen: list[str] = []
    k = matrices = 0
    while k < len(signs):
        sign = SAME.get(signs[k], signs[k])
        k += 1
        if sign in (r"\left", r"\right") and signs[k : k + 1] in (["<"], [">"]):
            seen.append(ANGLES[signs[k]])
            k += 1
        elif sign in UNSEEN or (sign == "&" and not matrices):
            continue
        elif sign in WORDS:
            inside, k = _group(signs, k)
            matrices += {r"\begin": 1, r"\end": -1}.get(sign, 0) * (inside in MATRICES)
            if sign not in (r"\begin", r"\end") or inside in MATRICES:
                seen.append(f"{sign}{{{inside}}}")
        elif sign == "|" and signs[k : k + 1] == ["|"]:
            seen.append("||")
            k += 1
        elif sign.startswith("'"):
            seen += ["^", "{", *[r"\prime"] * len(sign), "}"]
        else:
            seen.append(sign)
    return seen


def _group(signs: list[str], k: int) -> tuple[str, int]:
    """What stands in the braces that begin at a place, or the one sign there, and the place after it."""
    if k >= len(signs):
        raise Rejected("the formula ends where letters of a word were expected")
    if signs[k] != "{":
        return signs[k], k + 1
    depth, start = 0, k
    while k < len(signs):
        depth += {"{": 1, "}": -1}.get(signs[k], 0)
        k += 1
        if depth == 0:
            return "".join(signs[start + 1 : k - 1]), k
    raise Rejected("braces of the formula are never closed")


class _Signs:
    """Signs that are gone through once, with braces put around every argument."""

    def __init__(self, signs: list[str]) -> None:
        self.signs, self.k = signs, 0

    def all(self, end: str) -> list[str]:
        seen: list[str] = []
        while self.k < len(self.signs) and self.signs[self.k] != end:
            seen += self.one()
        if end and self.k == len(self.signs):
            raise Rejected("braces of the formula are never closed")
        return seen

    def one(self) -> list[str]:
        sign = self.signs[self.k]
        if sign == "}":
            raise Rejected("a brace of the formula closes nothing")
        if sign in ("^", "_"):
            scripts: dict[str, list[str]] = {}
            while self.k < len(self.signs) and (mark := self.signs[self.k]) in ("^", "_"):
                if mark in scripts:
                    raise Rejected(f"two scripts {mark} stand on one letter")
                self.k += 1
                scripts[mark] = [mark, *self.argument(mark)]
            return [*scripts.get("_", []), *scripts.get("^", [])]
        self.k += 1
        if sign == "{":
            inside = self.all("}")
            self.k += 1
            return ["{", *inside, "}"]
        if sign == r"\frac":
            return [sign, *self.argument(sign), *self.argument(sign)]
        return [sign, *self.argument(sign)] if sign in OF_ONE and self.signs[self.k : self.k + 1] != ["["] else [sign]

    def argument(self, owner: str) -> list[str]:
        if self.k >= len(self.signs):
            raise Rejected(f"{owner} lacks its argument")
        sign = self.signs[self.k]
        if sign[0].isdigit() and len(sign) > 1:
            if owner != r"\frac" or len(sign) > 2:
                raise Rejected(f"{sign} after {owner} may be one number or several: write braces")
            self.signs[self.k : self.k + 1] = list(sign)
        one = self.one()
        return one if one[0] == "{" else ["{", *one, "}"]

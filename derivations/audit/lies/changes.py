"""How one word, number or sign of a sentence is changed into another that says something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

NUMBERS = {
    "two": "three", "three": "two", "four": "five", "half": "third", "third": "half", "quarter": "half",
    "twice": "thrice", "zero": "one", "doubled": "tripled", "double": "triple",
}  # fmt: skip
COMPARISONS = {
    "above": "below", "below": "above", "larger": "smaller", "smaller": "larger", "most": "least", "least": "most",
    "more": "less", "less": "more", "higher": "lower", "lower": "higher", "positive": "negative",
    "negative": "positive", "later": "earlier", "before": "after", "after": "before",
}  # fmt: skip
QUANTIFIERS = {
    "every": "some", "all": "some", "any": "some", "each": "some", "only": "also", "never": "sometimes",
    "always": "sometimes", "exactly": "nearly", "no": "every", "not": "never", "whatever": "some",
    "both": "neither", "unless": "if", "without": "with",
}  # fmt: skip
TRENDS = {
    "grows": "falls", "falls": "grows", "rises": "falls", "shrinks": "grows", "decays": "grows", "tends": "oscillates",
    "goes": "oscillates", "minus": "plus", "plus": "minus", "increases": "decreases", "decreases": "increases",
}  # fmt: skip
WORDS = {
    "numbers in words": NUMBERS,
    "comparisons": COMPARISONS,
    "quantifiers": QUANTIFIERS,
    "trends and signs in words": TRENDS,
}
TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9_]*|\d+(?:\.\d+)?|->|<=|>=|!=|[^\sA-Za-z0-9]")
GREEK = frozenset(("alpha", "beta", "gamma", "delta", "epsilon", "eta", "kappa", "lambda", "mu", "nu", "xi", "pi"))
GREEK |= {"rho", "sigma", "tau", "phi", "Phi", "omega", "theta", "Sigma"}
RELATIONS = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
NUMBER = re.compile(r"\d+(?:\.\d+)?")
LETTER = re.compile(r"[B-HJ-Zb-z][0-9]?|[A-Za-z]+_[A-Za-z0-9]+|[A-Z][0-9]")


def letters(sentence: str) -> list[str]:
    """The letters of a sentence that can trade places, each once."""
    return list(dict.fromkeys(each for each in TOKEN.findall(sentence) if each in GREEK or LETTER.fullmatch(each)))


def changes(text: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Return what can stand in the place of a word, a number or a sign, each with the kind of the change.

    >>> list(changes("12", [])), list(changes("most", [])), list(changes("x", ["x", "y"]))
    ([('numbers', '13')], [('comparisons', 'least')], [('quantities', 'y')])
    """
    for kind, table in WORDS.items():
        if other := table.get(text.lower()):
            yield kind, other.capitalize() if text[0].isupper() else other
    if NUMBER.fullmatch(text):
        yield "numbers", _counted_on(text, 1)
    elif text in RELATIONS:
        yield "relations of formulas", RELATIONS[text]
    elif text in ("+", "-"):
        yield "signs", "-" if text == "+" else "+"
    elif text in names and len(names) > 1:
        yield "quantities", names[(names.index(text) + 1) % len(names)]


def _counted_on(text: str, step: int) -> str:
    """A whole number that is counted on, or a decimal fraction with another last digit."""
    if "." not in text:
        return str(abs(int(text) + step))
    return text[:-1] + str((int(text[-1]) + step) % 10)

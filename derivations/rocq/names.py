"""Letters of statements as identifiers of Rocq."""

from __future__ import annotations

import re
from collections.abc import Iterable

TAKEN = re.compile(
    "as|at|cofix|else|end|exists2?|fix|for|forall|fun|if|IF|in|let|match|mod|return|Set|S?Prop|Type|then|using|where|with|by"
    "|nat|e|PI|exp|ln|pow|sin|cos|sqrt|Rabs|statement|confirmed|[CDEFGINOQRSUVZ]"
    "|slope|rate|moving|moving_number|fixed|rational|entry|table|matrix_of|sizes|tabled|numbered|reads|mx_reads|letters"
)
"""Names that mean something else there, or may in a proof."""


def identifiers(letters: Iterable[str]) -> dict[str, str]:
    """An identifier for each letter, no two alike.

    >>> identifiers(["x", "S", "theta'", "2a", "S_"])
    {'x': 'x', 'S': 'S_', "theta'": 'theta_', '2a': 'v2a', 'S_': 'S__'}
    """
    names = dict[str, str]()
    for letter in letters:
        plain = re.sub(r"[^A-Za-z0-9_]", "_", letter)
        plain = plain if re.match("[A-Za-z]", plain) else f"v{plain}"
        while TAKEN.fullmatch(plain) or plain in names.values():
            plain += "_"
        names[letter] = plain
    return names

"""The bond of a print with what was judged: the checker's reader finds it there, and its left side is told."""

from __future__ import annotations

from derivations.language.terms import as_tuples
from derivations.latex.fold import NotThisKind
from derivations.latex.formula import Formula
from derivations.latex.rules.recorded import record
from derivations.prove.certificate import Json
from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected, well_formed
from derivations.recheck.core.load import normal
from derivations.recheck.ledgers.givens import asserted
from derivations.recheck.reader import agree

HYPOTHESES = agree.SUPPOSED - {"flow", "start"}


def bond(formula: Formula, statement: Json, reading: Json | None = None) -> list[str] | None:
    """Return what a page has to tell of left sides for a statement to speak of a printed formula; None where it does
    not.

    >>> import sympy as sp
    >>> from derivations import prove
    >>> from derivations.latex import Notation
    >>> from derivations.latex.printed import Vocabulary
    >>> a, b = sp.symbols("a b", real=True)
    >>> printed = Formula("c=a^2-b^2", Vocabulary(Notation(letters="a b c"), meanings={"a": a, "b": b}))
    >>> bond(printed, prove.identity((a - b) * (a + b), printed.right).statement)
    ['the left side, c, stands for what is judged to be equal to the right one']
    >>> bond(printed, prove.identity((a - b) * a, a**2 - a * b).statement)
    """
    try:
        return told(formula, statement, reading)
    except Rejected:
        return None


def told(formula: Formula, statement: Json, reading: Json | None = None) -> list[str]:
    """Return the same; Rejected, with the reason, where the statement does not speak of the formula."""
    made = reading or record(formula)
    if made["kind"] == "unread":
        raise NotThisKind(made["why"])
    with budget(), well_formed("the record of the print"):
        agree.require_reading(made, formula.latex, formula.notes())
        return agree.Judged(made, statement).told([*formula.notes(), *formula.told()])


# --- statements -------------------------------------------------------------------------------------------------------


def is_part_of(statement: Json, whole: Json) -> bool:
    """Check whether a statement asserts nothing that another one does not, whatever either of them supposes.

    >>> from derivations import prove
    >>> import sympy as sp
    >>> a, b = sp.symbols("a b", real=True)
    >>> whole = prove.every(prove.identity(a, b, [sp.Eq(a, b)]), prove.identity(a + a, 2 * a)).statement
    >>> is_part_of(prove.identity(a, b).statement, whole), is_part_of(prove.identity(a, 2 * b).statement, whole)
    (True, False)
    """
    known = [_without_hypotheses(part) for part in asserted(whole)]
    return all(_without_hypotheses(part) in known for part in asserted(statement))


def _without_hypotheses(statement: Json) -> Json:
    return {key: as_tuples(value) for key, value in statement.items() if key not in HYPOTHESES}


def is_empty(statement: Json) -> bool:
    """Check whether a statement equates a formula with itself, and so says nothing.

    >>> import sympy as sp
    >>> from derivations import prove
    >>> a, b = sp.symbols("a b", real=True)
    >>> is_empty(prove.identity(a * b, b * a).statement), is_empty(prove.identity((a + b) ** 2, (a + b) * a).statement)
    (True, False)
    """
    return all(map(agree.is_empty, agree.records(normal(statement))))

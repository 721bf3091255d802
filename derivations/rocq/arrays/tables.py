"""Refutations at exact matrices and arrays: Rocq computes both sides from tables of rational numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from derivations.rocq.arrays.printed import Letter, Printer, Reading, kind, listed, says

Goal = tuple[str, str]  # a proposition, and the tactic that shows it
Table = Sequence[Sequence[str]]


def same(printer: Printer, a: Reading, b: Reading) -> str:
    """The tactic that shows that two sides are equal at the tables."""
    if a.is_number:
        return same_at("[::]", "[::]", "erefl", a.proof, b.proof)
    return f"apply: (equal_mx (ts:=ts') {_shape(printer, a)} {a.proof} {b.proof}); vm_compute"


def same_at(place: str, ranges: str, fits: str, left: str, right: str) -> str:
    return f"apply: (equal_at (dim:=dim') (ts:=ts') (rho:={place}) (rs:={ranges}) {fits} {left} {right}); vm_compute"


def differ(printer: Printer, a: Reading, b: Reading) -> str:
    """The tactic that shows that two sides are not equal at the tables."""
    if a.is_number:
        return differ_somewhere("[::]", f"etrans (esym {a.proof}) (etrans E' {b.proof})")
    return f"apply: (differ_mx (ts:=ts') {_shape(printer, a)} {a.proof} {b.proof}); vm_compute"


def differ_somewhere(ranges: str, equal: str) -> str:
    return f"move=> E'; apply: (differ_somewhere (dim:=dim') (ts:=ts') (rs:={ranges}) ({equal})); vm_compute"


def exists(printer: Printer, letters: Mapping[str, str], goals: Iterable[Goal]) -> str:
    """The statement that there are sizes and letters of which all goals hold."""
    sizes = f" ({' '.join(map(printer.size, printer.sizes))} : nat)" if printer.sizes else ""
    binders = "".join(f" ({name} : {of})" for name, of in letters.items())
    whole = " /\\\n  ".join(text for text, _ in goals)
    return f"forall F : realFieldType, exists{sizes}\n {binders},\n  {whole}"


def script(
    printer: Printer,
    sizes: Mapping[str, int],
    tables: Mapping[int, Table],
    letters: Mapping[str, str],
    goals: Iterable[Goal],
) -> str:
    """The tactics: sizes, tables by the numbers of letters, the values of letters by their names, and goals in turn."""
    numbered = list(enumerate(printer.letters))
    *before, last = [tactic for _, tactic in goals]
    lines = [
        "move=> F.",
        *(f"pose {printer.size(size)} := {sizes.get(size, 1)}%N." for size in printer.sizes),
        f"pose dim' := sizes {listed(map(printer.size, printer.sizes))}.",
        *(_table(printer, k, letter, tables) for k, letter in numbered),
        f"pose ts' : seq table := {_tables(len(numbered))}.",
        "pose env' : letters F := tabled F ts'.",
        *(f"pose {name} := {value}." for name, value in letters.items()),
        *(_fact(printer, k, letter.reading, letter.of) for k, letter in numbered if letter.reading),
        f"exists {', '.join([*map(printer.size, printer.sizes), *letters])}.",
        *(f"split; first by {tactic}." for tactic in before),
        f"by {last}.",
    ]
    return "\n".join(lines)


def _name(k: int) -> str:
    return f"t'{k}"


def _tables(count: int) -> str:
    return listed(map(_name, range(count)))


def _table(printer: Printer, k: int, letter: Letter, tables: Mapping[int, Table]) -> str:
    """The entries of a letter of the statement, or those that a formula in earlier letters has."""
    if k in tables:
        rows = listed(listed(f"Qmake ({x.numerator}) {x.denominator}" for x in map(Fraction, row)) for row in tables[k])
    elif letter.of is None:
        rows = "[::]"
    else:
        a = letter.of
        by = f"{_tables(k)} {printer.range(a.rows)} {printer.range(a.cols)} {a.sums}"
        return f"let t := eval vm_compute in (tabulated dim' {by}) in pose {_name(k)} : table := t."
    return f"pose {_name(k)} : table := {rows}."


def _fact(printer: Printer, k: int, reading: Reading, of: Reading | None) -> str:
    """Why a letter reads as its table."""
    if of is None:
        reason = kind(reading, "[]", f"exact: (tabled_mx F dim' (l:={k}) erefl)")
    else:
        shape = kind(of, "", _shape(printer, of))
        reason = f"apply: ({kind(of, 'made_number', 'made_mx')} (ts:=ts') (l:={k}) {shape} {of.proof}); vm_compute"
    return f"have l'{k} : {says(reading)} by {reason}."


def _shape(printer: Printer, a: Reading) -> str:
    return f"(r:={printer.range(a.rows)}) (s:={printer.range(a.cols)}) erefl erefl"

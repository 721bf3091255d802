"""The checker reads every print again: lies in a print, in what letters mean, or in what was judged, are noticed."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import pytest
from case_files import Cases
from each import each

from derivations.audit.bonds import bond
from derivations.audit.ledger import plain
from derivations.latex.formula import Formula
from derivations.latex.rules.recorded import record
from derivations.paper.entries import Claim
from derivations.paper.library import library
from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import normal
from derivations.recheck.ledgers.relations import two_names
from derivations.recheck.reader.agree import MEANT, Judged, require_agreement
from derivations.recheck.reader.parse import Relation, relations
from derivations.recheck.reader.tokens import closed, tokens

FAMILIES = Cases(__file__, globals())

SCALARS = {"kind": "scalars", "functions": {}, "rates": {}, "flow": {}}
OBJECTS = {
    "kind": "objects", "functions": {}, "known": [], "declared": {}, "indices": {}, "printed": {}, "unprinted": None,
    "settled": [],
}  # fmt: skip
OF_BOTH = {"supposed": False, "link": None, "left_is": "", "averages": [], "transposes": []}


def agreed(latex: str, certificate: Any, *notes: str, **changed: Any) -> bool:
    """Check a print beside a certificate, as a ledger that somebody forged may have them; letters mean themselves."""
    data = plain(certificate)
    head, fields = ("s", SCALARS) if "symbols" in json.dumps(data) else ("L", OBJECTS)
    names = [sign for sign in dict.fromkeys(tokens(latex)) if len(sign) == 1 and sign.isalpha() and sign not in "eP"]
    about = {**fields, **OF_BOTH, "reads": latex, "letters": {name: [name, [head, name]] for name in names}, **changed}
    with budget():
        require_agreement(about, latex, data, notes)
    return True


REFUSED = (
    Rejected,
    KeyError,
    TypeError,
    ValueError,
    IndexError,
    AttributeError,
)  # what `require_agreement` refuses for


class Case(NamedTuple):
    """The print of a claim: its record, its LaTeX, its certificate, and what the page tells of it."""

    name: str
    about: dict[str, Any]
    latex: str
    certificate: dict[str, Any]
    notes: list[str]

    @property
    def judged(self) -> Judged:
        return Judged(self.about, self.certificate["statement"])

    def agrees(self, **changed: Any) -> bool:
        about = {**self.about, **changed}
        try:
            with budget():
                return not require_agreement(about, about["reads"], self.certificate, self.notes)
        except Rejected:
            return False


def case(claim: Claim) -> Case:
    printed, certificate = claim.printed, plain(claim.certificate)
    assert printed is not None
    return case_of(claim.id, printed, certificate)


def case_of(name: str, printed: Formula, certificate: dict[str, Any]) -> Case:
    notes = [*printed.notes(), *printed.told(), *(bond(printed, certificate["statement"]) or ())]
    return Case(name, json.loads(json.dumps(record(printed))), printed.latex, certificate, notes)


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return [case(c) for paper in library().values() for c in paper.claims if c.printed is not None]


@pytest.fixture(scope="module")
def corrections() -> list[Case]:
    """Corrected formulas with what proves them."""
    proofs = {claim.id: claim for paper in library().values() for claim in paper.claims}
    corrected = [pair for paper in library().values() for pair in paper.corrections.items()]
    return [case_of(name, told.formula, plain(proofs[told.by].certificate)) for name, told in corrected]


def test_every_print_is_read_as_the_first_reader_reads_it(cases: list[Case]) -> None:
    assert [one.name for one in cases if not one.agrees()] == []
    assert Counter(one.about["kind"] for one in cases) == {"scalars": 63, "objects": 71}


def test_a_spelling_has_one_name_in_all_prints_of_a_paper(cases: list[Case]) -> None:
    entries = [{"id": c.name, "reading": c.about, "reading_of_corrected": None} for c in cases if "saxe" in c.name]
    assert list(two_names(entries)) == []
    for other in (entries[0], entries[-1]):
        spelling, (name, value) = next(iter(other["reading"]["letters"].items()))
        forged = {**other, "reading": {**other["reading"], "letters": {spelling: [f"{name}_forged", value]}}}
        assert [entry for entry, _ in two_names([*entries, forged])] == [other["id"]]


# --- lies in the print ------------------------------------------------------------------------------------------------

SIDE = re.compile("(the left side, .* stands for ).*", re.S)
STEP = 12  # every such lie is told here
SIGNS = {"+": [r"-", r"\pm"], "-": ["+"], "=": [">", r"\ge", r"\approx", r"\sim", r"\to"], ">": ["<"], "<": [">"]}
SIGNS |= {r"\gg": [r"\ll"], r"\ll": [r"\gg"], r"\pm": [r"\mp", "+"], r"\mp": [r"\pm"], r"\infty": ["0"]}
TRANSPOSES = (["^", "{", r"\top", "}"], ["^", "{", "T", "}"])


def lies(about: dict[str, Any]) -> Iterator[list[str]]:
    """Prints in which one sign, number, letter, exponent, factor, fraction, transpose or bound is another one."""
    signs = tokens(about["reads"])
    spelled = {name: tokens(name) for name in (*about["letters"], *about["functions"])}
    names, k, turn = sorted(name for name, (_, value) in about["letters"].items() if value is not None), 0, 0
    while k < len(signs):
        here = [name for name, parts in spelled.items() if signs[k : k + len(parts)] == parts]
        name = max(here, key=lambda name: len(spelled[name]), default="")
        parts = spelled[name] if name else [signs[k]]
        before, after = signs[:k], signs[k + len(parts) :]
        if name in about["functions"] and name not in about["letters"]:
            others = sorted(other for other in about["functions"] if other != name)
        else:
            others = [o for o in names if name in names and about["letters"][o][1] != about["letters"][name][1]]
        if others:
            turn += 1
            yield [*before, *spelled[others[turn % len(others)]], *after]
        if name in about["letters"]:
            powered = ["{", *parts, "}"] if after[:1] == ["^"] else parts
            yield [*before, *powered, "^", "{", "3", "}", *after]
            yield [*before, "1", *after]
            yield [*before, "2", *powered, *after]
            if about["kind"] == "objects" and after[:1] != ["^"]:
                yield [*before, *parts, *TRANSPOSES[0], *after]
        elif signs[k] in SIGNS:
            yield from ([*before, sign, *after] for sign in SIGNS[signs[k]])
        elif signs[k] == r"\frac":
            middle = closed(after, 0)
            end = closed(after, middle)
            yield [*before, r"\frac", *after[middle:end], *after[:middle], *after[end:]]
        elif signs[k].isdigit():
            yield [*before, str(int(signs[k]) + 1), *after]
        elif signs[k : k + 4] in TRANSPOSES:
            yield [*before, *signs[k + 4 :]]
        k += len(parts)


def chosen(about: dict[str, Any], reads: str) -> list[Relation]:
    printed = relations(normal({**about, "reads": reads}))
    return printed if about["link"] is None else [printed[about["link"]]]


def sides(judged: Judged, printed: list[Relation]) -> Iterator[Any]:
    """Return what each side comes to beside each record of the statement; a name without a meaning as it is printed."""
    for view, _ in judged.views.values():
        for relation in printed:
            for side in (relation.left, relation.right):
                try:
                    yield view, view.sides(side)
                except Rejected:
                    yield view, side


def signs_of(relation: Relation) -> list[Any]:
    """The sign of a relation, and those of the events on its sides."""
    events = [event for side in relation[2:4] if side[0] == "P" for event in side[1:]]
    return [(each.supposed, each.sign) for each in (relation, *events)]


def mean_the_same(judged: Judged, one: list[Relation], other: list[Relation]) -> bool:
    if [signs_of(r) for r in one] != [signs_of(r) for r in other]:
        return False
    pairs = zip(sides(judged, one), sides(judged, other), strict=True)
    return all(
        a == b or (isinstance(a, list) and isinstance(b, list) and len(a) == len(b) and all(map(view.same, a, b)))
        for (view, a), (_, b) in pairs
    )


def test_a_lie_in_a_print_is_noticed_or_means_the_same(cases: list[Case]) -> None:
    told: Counter[str] = Counter()
    for number, one in enumerate(cases):
        judged, printed = one.judged, chosen(one.about, one.about["reads"])
        for signs in list(lies(one.about))[number % STEP :: STEP]:
            told["all"] += 1
            try:
                with budget():
                    lie = chosen(one.about, " ".join(signs))
            except REFUSED:
                told["noticed"] += 1
                continue
            if not one.agrees(reads=" ".join(signs)):
                told["noticed"] += 1
            else:
                told["the same" if mean_the_same(judged, printed, lie) else "missed"] += 1
    assert told["missed"] == 0, told
    assert told["all"] >= 700, told


def test_a_left_side_in_words_alone_is_told_as_it_is_printed(cases: list[Case]) -> None:
    """No part of it can be another one while the page tells of the left side that was there."""
    told = [one for one in cases if one.about["left_is"]]
    assert len(told) == 8
    for one in told:
        assert one.agrees()
        signs = tokens(one.about["reads"])
        depths = list(accumulate((sign in "{[(") - (sign in "}])") for sign in signs))
        end = next(k for k, sign in enumerate(signs) if sign in ("=", r"\sim") and not depths[k])
        for k, sign in enumerate(signs[:end]):
            if sign not in "{}":
                other = "y" if sign != "y" else "w"
                assert not one.agrees(reads=" ".join([*signs[:k], other, *signs[k + 1 :]])), (one.name, sign)
        assert not one.agrees(reads=f"{one.about['reads'].rstrip(' ,.')}=1")
        other = "=" if signs[end] != "=" else r"\sim"
        assert not one.agrees(reads=" ".join([*signs[:end], other, *signs[end + 1 :]])), one.name


def test_a_left_side_without_a_meaning_needs_a_note(cases: list[Case]) -> None:
    """A derivative, a name or an event of which the record says nothing is what a note tells, or nothing."""
    by_name = {one.name.partition(":")[2]: one for one in cases}
    one = by_name["density_link2"]
    for lie in (r"x_{2}+x_{1}", r"7x_{2}", r"x_{2}"):
        reads = one.about["reads"].replace("x_{2}-x_{1}", lie, 1)
        assert reads != one.about["reads"]
        assert not one.agrees(reads=reads)
    silent = [one for one in cases if any(note.startswith("the left side, ") for note in one.notes)]
    assert len(silent) >= 25
    assert [one.name for one in silent if one._replace(notes=[]).agrees()] == []


@each(("name", "old"), [("update_is_euler_step", r"\frac{1}{\tau}"), ("jacobian_22", r"\frac{1}{\tau_{y}}")])
def test_a_value_that_is_put_in_for_a_letter_is_not_judged(cases: list[Case], name: str, old: str) -> None:
    """A print of zero is not what a statement judges that puts in zero for a letter."""
    one = next(one for one in cases if one.name.endswith(f":{name}"))
    assert one.agrees()
    assert old in one.about["reads"]
    assert not one.agrees(reads=one.about["reads"].replace(old, old.replace("1", "0"), 1))


@each(("old", "new"), [("<h", ">h"), ("<h", r"\le h"), (r"\infty", "0"), ("<h", "=h")])
def test_a_note_about_an_event_tells_its_order_and_both_sides(cases: list[Case], old: str, new: str) -> None:
    one = next(one for one in cases if one.name.endswith("distribution_as_printed"))
    assert one.agrees()
    assert old in one.about["reads"]
    assert not one.agrees(reads=one.about["reads"].replace(old, new, 1))


def test_upper_signs_are_told_before_lower_ones(cases: list[Case]) -> None:
    signed = [one for one in cases if r"\pm" in one.about["reads"].replace(r"\lambda_{\pm}", "")]
    assert len(signed) >= 3
    for one in signed:
        start, sign, end = one.about["reads"].rpartition(r"\pm")
        assert sign
        assert not one.agrees(reads=start + r"\mp" + end), one.name


def test_a_note_about_a_corrected_formula_is_what_its_proof_says(corrections: list[Case], cases: list[Case]) -> None:
    assert [one.name for one in corrections if not one.agrees()] == []
    told = [one for one in corrections if any(SIDE.match(note) for note in one.notes)]
    assert len(told) >= 9
    of_prints = {one.name: one for one in cases}
    for one in told:
        for notes in ([], [SIDE.sub(r"\g<1>1 + forged", note) for note in one.notes]):
            assert not one._replace(notes=notes).agrees(), one.name
        assert not one._replace(certificate=of_prints[one.name].certificate).agrees(), one.name


# --- lies in what letters mean ----------------------------------------------------------------------------------------


def test_letters_that_trade_their_meanings_are_noticed_though_the_print_trades_them_too(cases: list[Case]) -> None:
    """A print with two letters exchanged would be read as before, if a record could say that each means the other."""
    traded, missed = 0, []
    for one in cases:
        letters = one.about["letters"]
        own = [s for s, (name, value) in letters.items() if value in (["s", name], ["L", name]) and len(tokens(s)) == 1]
        for a, b in pairwise(own):
            signs = {a: tokens(b), b: tokens(a)}
            reads = " ".join(" ".join(signs.get(sign, [sign])) for sign in tokens(one.about["reads"]))
            trade = {a: [letters[a][0], letters[b][1]], b: [letters[b][0], letters[a][1]]}
            traded += 1
            if reads != " ".join(tokens(one.about["reads"])) and one.agrees(reads=reads, letters={**letters, **trade}):
                missed.append((one.name, a, b))
    assert missed == []
    assert traded >= 10


def test_two_letters_of_a_print_mean_one_thing_only_where_the_page_tells_it() -> None:
    x = ["s", "x"]
    double = ["*", ["q", "2"], x]
    statement = {"kind": "identity", "left": ["+", x, x], "right": double, "assuming": [], "symbols": {"x": []}}
    about = {
        "kind": "scalars", "reads": "a+b=2a", "supposed": False, "link": None, "left_is": "", "averages": [],
        "transposes": [],
        "letters": {"a": ["a", x], "b": ["b", x]}, "functions": {}, "rates": {}, "flow": {},
    }  # fmt: skip
    forged = Case("p:sum", about, "a+b=2a", {"statement": statement}, [f"{MEANT}a is x; b is x"])
    assert not forged.agrees()
    assert not forged._replace(notes=["b stands for x"]).agrees()
    assert not forged._replace(notes=["b stands for x", f"{MEANT}a is x"]).agrees()
    assert forged._replace(notes=["b stands for x", f"{MEANT}a is x; b is x"]).agrees()
    assert forged._replace(notes=[f"{MEANT}a is x"]).agrees(reads="a+a=2a")


def test_a_print_that_is_supposed_or_read_in_words_says_so_on_its_page(cases: list[Case]) -> None:
    told = [one for one in cases if one.about["supposed"] or one.about["left_is"]]
    assert len(told) >= 5
    assert [one.name for one in told if one._replace(notes=[]).agrees()] == []


def test_what_a_page_tells_of_a_left_side_is_what_the_statement_says_of_the_right_one(cases: list[Case]) -> None:
    told = [one for one in cases if any(SIDE.match(note) for note in one.notes)]
    assert len(told) >= 25
    for lie in (
        "1 + forged",
        "forged, a variable of the flow",
        "forged, which is defined so",
        "forged [...]",
        " [...]",
    ):
        lied = [one._replace(notes=[SIDE.sub(rf"\g<1>{lie}", note) for note in one.notes]) for one in told]
        assert [one.name for one in lied if one.agrees()] == []
    assert [
        one.name for one in told if one._replace(notes=[*one.notes, "the left side, q, stands for 1"]).agrees()
    ] == []


# --- lies in what was judged ------------------------------------------------------------------------------------------

CHANGES = FAMILIES["changes"]
FORMULAS = ("+", "*", "^", "exp", "at", "D", "s", "erf", "@", "norm2", "sum", "along", "gradient", "T", "L", "A")
DECLARED = ("symbols", "flow", "letters", "arrays", "free", "shape")
NO_OTHER = {  # prints of zero, and of events, which are the same where a positive number is a factor
    *(f"van_rossem_saxe_2024:{name}" for name in ("jacobian_11", "zero_jacobian_11", "second_condition_is_implied")),
    *(f"van_rossem_saxe_2024:event_link{k}" for k in (3, 4, 5)),
}

PUT_IN = {  # their statements put in for the left side what is printed on the right, whatever the sign of the whole
    "braun_2022:ansatz_persists",
    "braun_2022:ansatz_is_balanced",
    "van_rossem_saxe_2024:final_rest_distance",
}


def changed(data: Any, change: Any) -> Any:
    """A statement in which every formula is another one: sides of relations, what solves a flow, what fills a slot."""
    if isinstance(data, list):
        return change(data) if data and data[0] in FORMULAS else [changed(part, change) for part in data]
    if not isinstance(data, dict):
        return data
    return {key: value if key in DECLARED else changed(value, change) for key, value in data.items()}


def put_in(data: Any, change: Any) -> Any:
    """A formula in which something else is put in for the letters of its substitutions."""
    if not isinstance(data, list):
        return data
    if data[:1] == ["at"] and len(data) == 3:
        return ["at", put_in(data[1], change), [[name, change(value)] for name, value in data[2]]]
    return [put_in(part, change) for part in data]


@each("change", [*CHANGES])
def test_a_lie_in_what_was_judged_is_noticed(cases: list[Case], change: str) -> None:
    missed = set()
    for one in cases:
        statement = changed(one.certificate["statement"], CHANGES[change])
        is_checked = not (one.about["supposed"] or one.about["left_is"] or one.name in NO_OTHER)
        if is_checked and one._replace(certificate={**one.certificate, "statement": statement}).agrees():
            missed.add(one.name)
    assert missed <= (PUT_IN if change == "a sign" else set())


# --- what it does not read --------------------------------------------------------------------------------------------


@each("reads", ["a++a", "a+-a", r"a\pm-a", r"a^{\prime}+a", "a^{T}+a"])
def test_two_signs_and_marks_without_a_meaning_are_not_read(reads: str) -> None:
    about = {"kind": "objects", "letters": {"a": ["a", ["L", "a"]]}, "functions": {}, "averages": [], "transposes": []}
    read = relations({**about, "reads": "a+a"})
    assert read
    if reads == "a^{T}+a":
        assert relations({**about, "reads": reads}) != read
    else:
        with pytest.raises(Rejected):
            relations({**about, "reads": reads})


@each("space", [r"\ ", "\\\n", "\\\t", "\\ \n "])
def test_a_space_that_is_written_is_no_letter(space: str) -> None:
    assert tokens(f"a=a,{space}b{space}={space}b") == tokens("a=a,b=b")


def test_a_prime_is_a_transpose_where_the_record_and_the_page_say_so(cases: list[Case]) -> None:
    one = next(one for one in cases if one.name.endswith("input_representation_is_rich"))
    primed = one.about["reads"].replace("^T", r"^{\prime}")
    assert primed != one.about["reads"]
    assert not one.agrees(reads=primed)
    assert not one.agrees(reads=primed, transposes=[r"\prime"])
    told = [note.replace("^{T}", r"^{\prime}") for note in one.notes]
    notes = [*told, r"a superscript \prime is a transpose"]
    assert one._replace(notes=notes).agrees(reads=primed, transposes=[r"\prime"])


test_statements_have_their_verdicts = FAMILIES.verdicts()

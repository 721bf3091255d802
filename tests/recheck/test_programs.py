"""Programs of the index are read back and compared with their certificates: a program that computes more, less or other
things is refused, or has the same values wherever the certificate shows something."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from case_files import Cases
from drawn import drawn
from each import each
from kernels.of_papers import NUMBERS
from recheck.corrupt import placed

from derivations.audit.ledger import plain
from derivations.kernels.balls import Twin
from derivations.paper.library import library
from derivations.recheck.core.errors import Rejected
from derivations.recheck.ledgers.programs import check_program
from numerics.accuracy.domains import sampler
from numerics.kernels import index

FAMILIES = Cases(__file__, globals())

ROWS = json.loads((Path(__file__).parents[2] / "numerics/kernels/index.json").read_text("utf-8"))["kernels"]
ROW = {f"{row['paper']}:{row['name']}": row for row in ROWS}
PER_KERNEL, POINTS = 6, 12
OTHER = {"+": "*", "sqrt": "cbrt", "exp": "expm1", "expm1": "exp", "relexp": "exp", ">": ">=", ">=": ">", "=": "!="}


@cache
def certified(name: str) -> tuple[Any, dict[str, Any]]:
    """The statement of a kernel's certificate, and what the claims state that it equals."""
    paper = library()[name.partition(":")[0]]
    statement = plain(paper.entries[f"{name.partition(':')[2]}_kernel"]())["statement"]
    claims = {case["claim"] for case in statement["kernel"]["cases"]}
    return statement, {claim: plain(paper.entries[claim.partition(":")[2]]())["statement"] for claim in claims}


def accepted(row: Any, statement: Any, stated: Any) -> bool:
    try:
        check_program(row, statement, stated)
    except Rejected:
        return False
    return True


@each("name", NUMBERS)
def test_committed_programs_are_what_their_certificates_speak_of(name: str) -> None:
    check_program(ROW[name], *certified(name))


# --- lies -------------------------------------------------------------------------------------------------------------


def operations(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every operation inside a program, with the way to it."""
    if isinstance(part, list):
        if (part and isinstance(part[0], str) and part[0] not in ("=", "!=")) or (len(part) == 3 and part[0] == "!="):
            yield path, part
        for place, inner in enumerate(part):
            yield from operations(inner, (*path, place))


def lies(body: Any, names: list[str]) -> Iterator[tuple[str, Any]]:
    """Programs that differ in one operation: a sign, a number, an exponent, a function, an argument, a part less."""
    for path, operation in operations(body):
        for what, changed in _changed(operation, names):
            yield f"{path}: {what}", placed(body, path, changed)


def _changed(operation: Any, names: list[str]) -> Iterator[tuple[str, Any]]:
    head, *parts = operation
    if head == "q":
        yield "another number", ["q", "7/3"]
    elif head == "s":
        yield "another name", ["s", next(name for name in names if name != parts[0])]
    elif head == "^":
        yield "another exponent", ["^", parts[0], parts[1] + 1]
    elif head == "*":
        yield "another coefficient", ["*", "-2" if parts[0] == "2" else "2", *parts[1:]]
        yield "the other sign", ["*", parts[0][1:] if parts[0].startswith("-") else f"-{parts[0]}", *parts[1:]]
        if parts[1] and parts[2]:
            yield "upside down", ["*", parts[0], parts[2], parts[1]]
    elif head == "+":
        yield "a part less", parts[0] if len(parts) == 2 else ["+", *parts[1:]]
        yield "a part with the other sign", ["+", *parts[:-1], ["*", "-1", [parts[-1]], []]]
    elif head in (">", ">="):
        yield "sides that trade places", [head, *parts[::-1]]
    if head in OTHER and len(parts) == (2 if head in (">", ">=", "=") else len(parts)):
        yield f"{OTHER[head]} in its place", [OTHER[head], *parts] if head != "+" else ["*", "1", parts, []]


def values(row: Any, body: Any, point: Any) -> list[Any] | None:
    """The returns of a program in balls, or None where it has no value."""
    names = [value[0] for value in row["returns"]]
    try:
        known = Twin(row["inputs"], {**row["program"], "body": body}, names, {}).values(point, 60)
    except (ZeroDivisionError, ValueError):
        return None
    return [known[name] for name in names]


def means_the_same(name: str, mutant: Any) -> bool:
    """Check whether a program has the same values at random arguments in the kernel's domain."""
    row, rng = ROW[name], np.random.default_rng(3)
    entry = index()[name]
    draw = sampler(entry.arguments, entry.domain)
    for _ in range(POINTS):
        point = list(map(Fraction, draw(rng)))
        own, other = values(row, row["program"]["body"], point), values(row, mutant, point)
        if own is None or other is None:
            continue
        if any(a.is_finite() and not (b.is_finite() and a.overlaps(b)) for a, b in zip(own, other, strict=True)):
            return False
    return True


@pytest.mark.drawn
@each("name", NUMBERS)
def test_a_program_with_one_other_operation_is_refused_or_means_the_same(name: str) -> None:
    row, (statement, stated) = ROW[name], certified(name)
    body = row["program"]["body"]
    every = list(lies(body, [value[0] for value in row["inputs"]] + [line[1] for line in body]))
    chosen = random.Random(name).sample(every, min(drawn(PER_KERNEL), len(every)))
    survived = [
        what
        for what, mutant in chosen
        if accepted({**row, "program": {**row["program"], "body": mutant}}, statement, stated)
        and not means_the_same(name, mutant)
    ]
    assert survived == []


def test_most_lies_are_refused() -> None:
    """All lies about small programs are tried; none is kept but in conditions, where both branches are the same."""
    for name in ("van_rossem_saxe_2024:signed_flow", "carrasco_davis_grant_2025:erf_I3", "solvable_networks:mode_time"):
        row, (statement, stated) = ROW[name], certified(name)
        body = row["program"]["body"]
        for what, mutant in lies(body, [line[1] for line in body]):
            kept = accepted({**row, "program": {**row["program"], "body": mutant}}, statement, stated)
            assert not kept or means_the_same(name, mutant), (name, what)


# --- certificates that leave something out ----------------------------------------------------------------------------


def changed(name: str, change: Any) -> bool:
    statement, stated = deepcopy(certified(name)[0]), certified(name)[1]
    change(statement)
    return accepted(ROW[name], statement, stated)


def test_every_case_is_needed() -> None:
    name = "van_rossem_saxe_2024:final_distance"
    assert changed(name, lambda statement: None)
    for place in range(len(certified(name)[0]["kernel"]["cases"])):
        assert not changed(name, lambda statement, k=place: statement["kernel"]["cases"].pop(k))


def test_a_case_shows_what_it_says_by_its_own_parts() -> None:
    name = "van_rossem_saxe_2024:equal_targets"
    for case in range(3):
        assert not changed(name, lambda s, k=case: s["kernel"]["cases"][k].update(parts=[0, 0]))
        assert not changed(name, lambda s, k=case: s["kernel"]["cases"][k]["returns"][0].__setitem__(1, ["q", "0"]))
        assert not changed(name, lambda s, k=case: s["kernel"]["cases"][k]["where"][1].__setitem__(1, ["q", "1"]))


def symbols_of(data: Any) -> set[str]:
    if isinstance(data, list | tuple) and data[:1] == ["s"]:
        return {data[1]}
    return set().union(*map(symbols_of, data)) if isinstance(data, list) else set()


def test_a_condition_is_not_decided_without_a_part() -> None:
    name = "van_rossem_saxe_2024:closed_form"
    statement = certified(name)[0]
    balanced = statement["kernel"]["cases"][2]
    signs = [k for k in range(*balanced["parts"]) if statement["parts"][k]["kind"] == "sign"]
    told = [k for k in signs if statement["parts"][k]["symbols"].keys() <= symbols_of(balanced["given"])]
    assert len(told) > 1
    assert not changed(name, lambda s: [s["parts"].__setitem__(k, s["parts"][balanced["parts"][0]]) for k in told])


def test_a_claim_states_what_the_returns_equal() -> None:
    name = "solvable_networks:mode"
    statement, stated = certified(name)
    other = {claim: {**said, "parts": said["parts"][:1]} for claim, said in stated.items()}
    with pytest.raises(Rejected, match=r"another formula|not as they are written"):
        check_program(ROW[name], statement, other)


def test_data_of_another_shape_is_refused_in_one_sentence() -> None:
    name = "carrasco_davis_grant_2025:erf_J2"
    for spoil in ({"where": 3}, {"holds": [1]}, {"parts": "all"}, {"forms": None}, {"returns": [["J2", "x"]]}):
        statement = deepcopy(certified(name)[0])
        statement["kernel"]["cases"][0].update(spoil)
        with pytest.raises(Rejected):
            check_program(ROW[name], statement, {})


# --- programs of matrices and of sums ---------------------------------------------------------------------------------

ARRAYS = [name for name, row in ROW.items() if any(value[1] != "number" for value in row["inputs"])]
DIAGONAL = ("S", "S_t", "S_inv", "S_t_inv", "E")  # matrices of the kernel of theorem 3.1, which need no transpose
PARTS_PER_KERNEL = 30


def accepted_arrays(name: str, body: Any, statement: Any = None) -> bool:
    row = {**ROW[name], "program": {**ROW[name]["program"], "body": body}}
    try:
        check_program(row, statement or certified(name)[0], certified(name)[1])
    except Rejected:
        return False
    return True


@each("name", ARRAYS)
def test_committed_programs_of_arrays_are_what_their_certificates_speak_of(name: str) -> None:
    assert accepted_arrays(name, ROW[name]["program"]["body"])


# --- lies about arrays ------------------------------------------------------------------------------------------------


def lies_of_arrays(body: Any) -> Iterator[tuple[str, Any]]:
    """Programs in which one text is another one of its kind, or one part of a list is missing or stands twice."""
    texts = sorted({text for _, text in _parts(body) if isinstance(text, str)})
    for path, part in _parts(body):
        for what, other in _changed_part(part, texts):
            yield f"{path}: {part} is {what}", placed(body, path, other)


def _parts(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if path:
        yield path, part
    for place, inner in enumerate(part if isinstance(part, list) else ()):
        yield from _parts(inner, (*path, place))


def _changed_part(part: Any, texts: list[str]) -> Iterator[tuple[str, Any]]:
    if isinstance(part, str):
        number = part.lstrip("-").replace("/", "").isdigit()
        if number:
            yield "another number", "7/3"
            yield "of the other sign", part[1:] if part.startswith("-") else f"-{part}"
        elif part.endswith("'"):
            yield "not transposed", part[:-1]
        else:
            yield "transposed", f"{part}'"
            position = texts.index(part)
            yield "another name", texts[(position + 1) % len(texts)]
            yield "another name", texts[position - 1]
    elif isinstance(part, list) and len(part) > 1:
        yield "without its last part", part[:-1]


@pytest.mark.drawn
@each("name", ARRAYS)
def test_a_program_of_arrays_with_one_other_part_is_refused_or_means_the_same(name: str) -> None:
    body, statement = ROW[name]["program"]["body"], certified(name)[0]
    every = list(lies_of_arrays(body))
    chosen = random.Random(name).sample(every, min(drawn(PARTS_PER_KERNEL), len(every)))
    survivors = [what for what, other in chosen if accepted_arrays(name, other, statement)]
    turned = tuple(f": {letter} is transposed" for letter in DIAGONAL)
    larger = tuple(f"({place}, 2, " for place, line in enumerate(body) if line[0] == "new")  # than what is stored
    assert [what for what in survivors if not (what.endswith(turned) or what.startswith(larger))] == []


def test_arrays_are_returned_in_the_size_that_the_index_says() -> None:
    name = "carrasco_davis_grant_2025:order_parameter_flow"
    for place, line in enumerate(ROW[name]["program"]["body"]):
        if line[0] == "new" and line[1] in ("dQ", "dR"):
            body = deepcopy(ROW[name]["program"]["body"])
            body[place][2][0] = "F"
            assert not accepted_arrays(name, body)


def test_a_case_says_what_is_computed_and_at_which_arguments() -> None:
    for name in ARRAYS:
        body = ROW[name]["program"]["body"]
        for key in ("solution", "exponents", "calls"):
            for place in range(len(certified(name)[0]["kernel"]["cases"][0].get(key, ()))):
                statement = deepcopy(certified(name)[0])
                statement["kernel"]["cases"][0][key].pop(place)
                assert not accepted_arrays(name, body, statement), (name, key, place)
        for place in range(len(certified(name)[0]["kernel"]["cases"])):
            statement = deepcopy(certified(name)[0])
            statement["kernel"]["cases"][place]["parts"] = [0, 0]
            assert not accepted_arrays(name, body, statement)


test_statements_have_their_verdicts = FAMILIES.verdicts()

"""Cases of tests as lines of text: tests/engine/cases/sign.txt has those of tests/engine/test_sign.py.

    letters x, y: real
    take derivations.language.averages: field, mean
    let size(letter, value) = Subs(sqrt(letter^2), letter, value)

    = refused?
    put in :: identity(size(x, -1), -1)
    in a limit :: limit(size(x, -y), [y], 0)

A line is a value, or a name, `::` and a value; lines that begin with a space belong to the one before. Values are
written as formulas are in Python, with ^ for powers, exact quotients of whole numbers, and relations as they are
written, though SymPy could decide them. Where a section ends in `?`, its values are questions: functions that ask when
they are called. Where it ends in `->`, a line is a question, `->`, and its verdict with a part of the reason for it, or
the error and parts of its sentence; a certificate that is data is `accepted` or is refused by the checker; others are
compared with a value by `is`, `has`, `below` and the like, or are `so` or `not so`; lines between define names, in
their order. Names are those of the file, then the words that a test gives, then what `derivations.prove` and SymPy
offer. Expressions are carried out by `value` below and by nothing else: a line can name, call and compute, no more.
"""

from __future__ import annotations

import ast
import builtins
import json
import operator
import re
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from each import FAILURES, noted

from derivations import prove
from derivations.recheck import check

Words = ChainMap[str, Any]


def quotient(a: Any, b: Any) -> Any:
    return sp.Rational(a, b) if isinstance(a, int) and isinstance(b, int) else a / b


OPERATIONS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: quotient,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
    ast.BitOr: operator.or_,
    ast.USub: operator.neg,
}
RELATIONS: dict[type, tuple[Any, Callable[[Any, Any], Any]]] = {
    ast.Lt: (sp.Lt, operator.lt),
    ast.LtE: (sp.Le, operator.le),
    ast.Gt: (sp.Gt, operator.gt),
    ast.GtE: (sp.Ge, operator.ge),
}
COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    "is not": operator.ne,
    "is": operator.eq,
    "has no": lambda whole, part: part not in whole,
    "has": operator.contains,
    "below": operator.lt,
    "at most": operator.le,
    "above": operator.gt,
    "at least": operator.ge,
}
NAMED = re.compile(r"(?:(.+?) :: )?(.+)")
SHORTEST_SENTENCE = 20  # characters
BUILT_IN = "abs any bool dict float int isinstance len list map max min range round set sorted str sum tuple zip"
PLAIN = {name: getattr(builtins, name) for name in f"{BUILT_IN} TypeError ValueError ZeroDivisionError".split()}
OFFERED: Words = ChainMap(
    {"prove": prove, "sp": sp, **PLAIN}, {name: getattr(prove, name) for name in prove.__all__}, vars(sp)
)


def value(node: ast.AST, words: Words) -> Any:
    """The value of an expression in which names mean what the words say."""
    match node:
        case ast.Constant(value=constant):
            return constant
        case ast.Name(id=name) if name in words:
            return words[name]
        case ast.Attribute(value=owner, attr=name) if not name.startswith("_"):
            return getattr(value(owner, words), name)
        case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATIONS:
            return OPERATIONS[type(op)](value(operand, words))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATIONS:
            return OPERATIONS[type(op)](value(left, words), value(right, words))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in RELATIONS:
            return related(*RELATIONS[type(op)], value(left, words), value(right, words))
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return value(left, words) == value(right, words)
        case ast.Tuple(elts=parts):
            return tuple(values(parts, words))
        case ast.List(elts=parts):
            return list(values(parts, words))
        case ast.Set(elts=parts):
            return set(values(parts, words))
        case ast.Dict(keys=keys, values=entries):
            table: dict[Any, Any] = {}
            for key, entry in zip(keys, entries, strict=True):
                table |= value(entry, words) if key is None else {value(key, words): value(entry, words)}
            return table
        case ast.Subscript(value=owner, slice=index):
            return value(owner, words)[value(index, words)]
        case ast.Slice(lower=first, upper=end, step=step):
            return slice(*(part and value(part, words) for part in (first, end, step)))
        case ast.Call(func=function, args=parts, keywords=named):
            options: dict[str, Any] = {}
            for one in named:
                given = value(one.value, words)
                options |= {one.arg: given} if one.arg else given
            return value(function, words)(*values(parts, words), **options)
        case ast.Lambda(args=ast.arguments(args=letters), body=body):
            return function_of([letter.arg for letter in letters], body, words)
    raise ValueError(f"no case is written so: {ast.unparse(node)}")


def values(parts: list[ast.expr], words: Words) -> Iterator[Any]:
    for part in parts:
        if isinstance(part, ast.Starred):
            yield from value(part.value, words)
        else:
            yield value(part, words)


def related(kind: Any, compared: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """The relation as it is written, though SymPy could decide it; or the one of two matrices."""
    of_numbers = all(isinstance(side, int | sp.Basic) for side in (left, right))
    return kind(left, right, evaluate=False) if of_numbers else compared(left, right)


def function_of(letters: list[str], body: ast.expr, words: Words) -> Callable[..., Any]:
    return lambda *given: value(body, words.new_child(dict(zip(letters, given, strict=True))))


def parsed(text: str) -> ast.expr:
    """The expression of a text; `^` is a power wherever it is not quoted."""
    plain = re.sub(r'"[^"]*"|\'[^\']*\'|\^', lambda found: "**" if found[0] == "^" else found[0], text)
    return ast.parse(plain.strip(), mode="eval").body


class Meanings(dict[str, Any]):
    """The meaning of the names of a file; a definition is carried out when it is first needed."""

    def __getitem__(self, name: str) -> Any:
        meaning = super().__getitem__(name)
        if isinstance(meaning, Later):
            self[name] = meaning = meaning.value()
        return meaning


@dataclass(frozen=True)
class Later:
    """A definition that is carried out when it is first needed."""

    value: Callable[[], Any]


def define(line: str, meanings: Meanings, words: Words) -> None:
    """Carry out a line that says what names mean."""
    kind, _, text = line.partition(" ")
    if kind == "letters":
        names, _, givens = text.partition(": ")
        for letter in names.split(", "):
            meanings[letter] = sp.Symbol(letter, **dict.fromkeys(givens.split(), True))
    elif kind == "take":
        module, _, names = text.partition(": ")
        for name, _, renamed in (one.partition(" as ") for one in names.split(", ") if one):
            meanings[renamed or name] = getattr(import_module(module), name)
        if not names:
            path, _, renamed = module.partition(" as ")
            meanings[renamed or path] = import_module(path)
    elif found := re.fullmatch(r"let (\w+)\(([^()]*)\) = (.*)", line):
        meanings[found[1]] = function_of([one for one in found[2].split(", ") if one], parsed(found[3]), words)
    elif found := re.fullmatch(r"let (\w+) = (.*)", line):
        meanings[found[1]] = Later(function_of([], parsed(found[2]), words))
    elif found := re.fullmatch(r"let (\w+(?:, \w+)+) = (.*)", line):
        meanings |= dict(zip(found[1].split(", "), value(parsed(found[2]), words), strict=True))
    else:
        raise ValueError(f"no definition is written so: {line}")


def check_outcome(question: Callable[[], Any], expected: str, words: Words) -> None:
    """Ask, and compare the answer, the verdict and its reason, or the error and its sentence, with what is expected."""
    if told := re.fullmatch(rf"({'|'.join(COMPARED)}) (.*)", expected):
        answer = question()
        assert COMPARED[told[1]](answer, value(parsed(told[2]), words)), answer
    elif expected in ("so", "not so"):
        answer = question()
        assert bool(answer) is (expected == "so"), answer
    else:
        check_verdict(question, expected, words)


def check_verdict(question: Callable[[], Any], expected: str, words: Words) -> None:
    """Ask, and compare the verdict and its reason, or the error and its sentence, with what is expected."""
    outcomes, parts = expected.partition(' "')[0], re.findall(r'"([^"]*)"', expected)
    names = outcomes.removeprefix("not ").split(" or ")
    if names[0][0].isupper():
        with pytest.raises(tuple(words[name] for name in names)) as refused:
            accepted(question())
        said = str(refused.value)
        assert len(said) > SHORTEST_SENTENCE
        assert "\n" not in said
    else:
        verdict, said = accepted(question())
        assert (verdict in names) is not outcomes.startswith("not "), verdict
    for part in parts:
        assert part in said, said


def accepted(answer: Any) -> tuple[str, str]:
    """The verdict and the reason of a certificate that the checker accepts; one that is data is accepted, no more."""
    made = hasattr(answer, "as_json")
    check(json.loads(json.dumps(answer.as_json() if made else answer)))
    return (answer.verdict.value, answer.reason) if made else ("accepted", "")


class Cases:
    """The sections of the file that has the cases of a test, each read when it is asked for."""

    def __init__(self, test: str, words: Mapping[str, Any] | None = None) -> None:
        path = Path(test)
        self.path = path.parent / "cases" / f"{path.stem.removeprefix('test_')}.txt"
        self.own = Meanings()
        self.words = ChainMap(self.own, {} if words is None else words, *OFFERED.maps)

    @cached_property
    def sections(self) -> dict[str, list[str]]:
        """The lines of each section; those before the first say what names mean in all of them."""
        lines: list[str] = []
        for line in self.path.read_text(encoding="utf-8").splitlines():
            if line.startswith(" "):
                lines[-1] += " " + line.strip()
            elif line and not line.startswith("#"):
                lines.append(line)
        sections: dict[str, list[str]] = {}
        for line in lines:
            if line.startswith("= "):
                name = line.removeprefix("= ")
                sections[name] = []
            elif sections:
                sections[name].append(line)
            else:
                define(line, self.own, self.words)
        return sections

    def __getitem__(self, section: str) -> Any:
        """The values of a section, or a table of them if they have names."""
        asks = f"{section}?" in self.sections
        lines = [NAMED.fullmatch(line) for line in self.sections[section + "?" * asks]]
        questions = [function_of([], parsed(line[2]), self.words) for line in lines if line]
        found = questions if asks else [question() for question in questions]
        names = [line[1] for line in lines if line and line[1]]
        return dict(zip(names, found, strict=True)) if names else found

    def verdicts(self) -> Callable[[], None]:
        """The test of all sections whose names end in `->`."""

        def test() -> None:
            judged = [name for name in self.sections if name.endswith(" ->")]
            failures = [failure for name in judged for failure in self._wrong(name)]
            assert judged
            if failures:
                raise ExceptionGroup(f"{len(failures)} lines fail", failures)

        return test

    def _wrong(self, section: str) -> Iterator[Exception]:
        """Return what fails in a section; its definitions are those of its lines alone."""
        local = Meanings()
        words = ChainMap(local, *self.words.maps)
        for line in self.sections[section]:
            text, arrow, expected = line.rpartition(" -> ")
            try:
                if arrow:
                    check_outcome(function_of([], parsed(text), words), expected, words)
                else:
                    define(line, local, words)
                    list(map(local.__getitem__, local))
            except FAILURES as failure:
                yield noted(failure, f"in {section} {line}")

"""From tokens to a syntax tree, by recursive descent; every rule of precedence is one method.

Loosest to tightest: line break and comma; `\\implies`; "or"; "and"; relations; sums; `\\otimes`; products; powers.
A derivative operator, a function without parentheses and a declared operator act on the one factor after them;
a sum or product over an index takes all factors after it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

from derivations.language.terms import ZERO, Term
from derivations.text.doors import at_door

from .notation import Notation
from .operands import TIMES, VISIBLE, Operands
from .tokens import (
    BUILT_IN,
    DEEPEST,
    GREEK,
    ONE_ARGUMENT,
    PAIRS,
    RELATION_SIGNS,
    SIGNS,
    TRANSPOSES,
    USUAL_FUNCTIONS,
    CannotRead,
    Token,
    closing,
    needs_brackets,
)
from .tree import chained, interleaved, is_statement, joined, negated, nodes, reciprocal, summed

PRIME = r"\prime"


@dataclass(frozen=True)
class Reading:
    """The content of a printed formula, and what stands in it below a fraction or behind a slash."""

    tree: Term
    divisors: tuple[Term, ...] = ()


@at_door(CannotRead)
def read(latex: str, notation: Notation) -> Reading:
    r"""Reads a printed formula into its syntax tree, whose forms `derivations.latex` lists, without evaluating any
    text.

    latex: the formula as the source prints it. notation: what its letters mean.

    What is not understood is refused with its place in the source (`CannotRead`).

    >>> read(r"a=\frac{1}{2}b^{2}", Notation(letters="a b")).tree
    ('=', ('s', 'a'), ('*', ('q', '1/2'), ('^', ('s', 'b'), ('q', '2'))))
    >>> read("a+", Notation(letters="a"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    derivations.latex.tokens.CannotRead: at character 2 (the end, after a+): the formula ends where a symbol, ...
    """
    reader = _Reader(latex, notation)
    tree = reader.statements()
    reader.expect_end()
    return Reading(tree, tuple(reader.divisors))


class _Reader(Operands):
    def statements(self) -> Term:
        """Statements side by side; in "a, b > c" the relation holds for every member of the list."""
        done: list[Term] = []
        waiting: list[tuple[Term, Token]] = []
        while not self.at_end_of_statements():
            start = self.token
            statement = self.implication()
            if not is_statement(statement):
                waiting.append((statement, start))
            else:
                done += [self.shared_relation(statement, w, at) for w, at in waiting]
                waiting = []
                done.append(statement)
            if not self.separator():
                break
        if waiting and (done or len(waiting) > 1):
            raise self.wrong("a relation was expected: this part states nothing", waiting[0][1])
        if not done and not waiting:
            raise self.wrong("a formula was expected")
        if len(done) > 1 and any("implies" in statement for statement in done):
            raise self.two_ways("implication")
        return joined("and", done) if done else waiting[0][0]

    def shared_relation(self, statement: Term, first: Term, at: Token) -> Term:
        members, names = self.last_relation
        if statement != chained(members, names):
            raise self.wrong("a list before a compound statement can be read in more than one way", at)
        return chained([first, *members[1:]], names)

    def at_end_of_statements(self) -> bool:
        closing = PAIRS.get(self.open[-1].text) if self.open else None
        return self.token.kind == "stop" or self.token.text == closing

    def separator(self) -> bool:
        separated = False
        while self.token.kind == "break" or self.token.text in (",", ";", "."):
            separated = True
            self.not_inside_a_number()
            if self.token.text == self.tokens[self.i + 1].text == ".":
                raise self.two_ways("dots")
            if self.token.text == "." and self.begins_beside():
                raise self.two_ways("dot")
            self.i += 1
        if separated:
            self.skip(r"\text{and}", r"\wedge")
        return separated

    def parts(self, rule: Callable[[], Term], *signs: str) -> list[Term]:
        """The parts that a rule reads with these signs between them."""
        parts = [rule()]
        while self.skip(*signs):
            parts.append(rule())
        return parts

    def implication(self) -> Term:
        start = self.token
        parts = self.parts(self.alternatives, r"\implies")
        if len(parts) != 2:
            return parts[0] if len(parts) == 1 else ("chain", *interleaved(parts, ["implies"] * (len(parts) - 1)))
        signs = [[node for node in nodes(part) if node[0] in ("pm", "mp")] for part in parts]
        if len(signs[0]) > 1 or (signs[0] and signs[1]):
            raise self.two_ways("either sign supposed", start)
        return ("implies", *parts)

    def alternatives(self) -> Term:
        return joined("or", self.parts(self.conjunction, r"\text{or}", r"\vee"))

    def conjunction(self) -> Term:
        return joined("and", self.parts(self.relation, r"\text{and}", r"\wedge"))

    def relation(self) -> Term:
        members, names = [self.sum()], []
        while self.token.text in RELATION_SIGNS:
            names.append(RELATION_SIGNS[self.token.text])
            self.i += 1
            members.append(self.sum())
        self.last_relation = members, names
        return chained(members, names)

    # --- arithmetic ---------------------------------------------------------------------------------------------------

    def sum(self) -> Term:
        terms: list[Term] = []
        ended = self.ended
        if self.skip("-"):
            terms = [negated(self.kronecker())]
        elif self.skip("+") or self.token.text not in (r"\pm", r"\mp"):
            terms = [self.kronecker()]
        while True:
            self.surplus_closers()
            sign = self.token.text
            if sign not in SIGNS:
                self.ended = ended
                return summed(terms)
            self.i += 1
            term = self.kronecker()
            if sign in (r"\pm", r"\mp"):
                terms = [(sign[1:], summed(terms) if terms else ZERO, term)]
            else:
                terms.append(term if sign == "+" else negated(term))

    def begins_beside(self) -> bool:
        """Check whether an operand follows the sign at this place without a space."""
        after = self.tokens[self.i + 1]
        return after.at == self.token.at + 1 and (after.kind in ("number", "letter", "command") or after.text in PAIRS)

    def not_inside_a_number(self) -> None:
        """Refuses a comma without a space between two numbers."""
        before, comma, after = self.tokens[self.i - 1 : self.i + 2] if self.i else (self.token,) * 3
        beside = before.at + len(before.text) == comma.at == after.at - 1
        if comma.text == "," and beside and before.kind == after.kind == "number":
            raise self.two_ways("comma", before=before.text, after=after.text)

    def surplus_closers(self) -> None:
        """Refuses closing brackets that close nothing: where the opening ones are missing, nobody can tell."""
        if not self.open and self.token.text in (")", "]"):
            raise self.two_ways("closer")

    def kronecker(self) -> Term:
        return reduce(lambda left, right: ("kron", left, right), self.parts(self.product, r"\otimes"))

    def product(self) -> Term:
        start = self.i
        factors = [self.factor()]
        while True:
            before, start = start, self.i
            if self.token.text == "*":
                raise self.two_ways("star")
            if self.skip(*TIMES):
                start += 1
                factors.append(self.factor())
            elif self.token.text == "/":
                self.i += 1
                self.divisors.append(self.factor())
                factors.append(reciprocal(self.divisors[-1]))
                if self.begins_operand() or self.token.text in ("/", *TIMES):
                    raise self.two_ways("slash")
            elif self.begins_operand():
                factors.append(self.factor())
                self.not_beside_a_number(before, start)
            else:
                return factors[0] if len(factors) == 1 else ("*", *factors)

    def not_beside_a_number(self, before: int, start: int) -> None:
        """Refuses a number, or a fraction of numbers, that stands after something else without a sign between."""
        factor, other = (self.without_braces(*ends) for ends in ((before, start), (start, self.i)))
        is_number = [token.kind for token in factor] == ["number"]
        if other[0].kind == "number":
            if is_number:
                raise self.wrong("two numbers stand side by side without a sign between them", other[0])
            raise self.two_ways("number after a symbol", other[0])
        if is_number and other[0].text == r"\frac" and all(t.kind in ("number", "mark") for t in other[1:]):
            raise self.two_ways("mixed number", other[0])

    def without_braces(self, start: int, end: int) -> list[Token]:
        """The tokens of an operand without braces around all of it, which are not seen."""
        while self.tokens[start].text == "{" and closing(self.tokens, start) == end - 1:
            start, end = start + 1, end - 1
        return self.tokens[start:end]

    def factor(self) -> Term:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.wrong(f"the formula is nested more than {DEEPEST} deep")
        start = self.i
        base = self.primary()
        if self.token.text == "^":
            self.not_after_invisible_braces(start)
            self.not_after_a_fraction(base, start)
            base = self.power(base)
            if self.token.text == "^":
                raise self.wrong(
                    "a second superscript on the same base; put the base and its first superscript in braces"
                )
        if self.token.text in VISIBLE and self.tokens[start].kind != "number" and base[0] != "q":
            self.not_a_value(start)
        if self.token.text == "_":
            raise self.wrong(
                f"a subscript was not expected: the notation has no entry for {self.since(start)!r} with this subscript"
            )
        self.depth -= 1
        return base

    def power(self, base: Term) -> Term:
        mark = self.token
        self.i += 1
        content = self.tokens[self.i + 1]
        if content.text == "-" and self.tokens[self.i + 2].text in TRANSPOSES:
            raise self.two_ways("inverse transpose", mark)
        if self.tokens[self.i + 2].text == "}":
            if content.text in TRANSPOSES or content.text == PRIME:
                self.not_another_transpose(base, mark)
                self.i += 3
                return ("T", base)
            if content.text == "+":
                self.i += 3
                return ("pinv", base)
        if content.text in (PRIME, "*"):
            raise self.wrong(f"the notation has no entry for this symbol with the mark {content.text!r}", mark)
        end = self.closing_brace(self.i)
        if content.text == "(" and closing(self.tokens, self.i + 1, "()") == end - 1:
            raise self.two_ways("raised parentheses", mark)
        exponent = self.enclosed("}", self.sum)
        return ("^", base, exponent)

    def not_another_transpose(self, base: Term, mark: Token) -> None:
        """Refuses a T above a number, or one that is a letter of the notation which is not told to transpose."""
        letter = self.tokens[self.i + 1]
        if letter.text == PRIME and letter.text not in self.notation.transposes:
            raise self.two_ways("prime", mark)
        is_letter = letter.text not in self.notation.transposes and self.notation.match(self.tokens, self.i + 1)[0]
        if base[0] == "q" or is_letter:
            raise self.two_ways("transpose", mark, letter=letter.text)

    def not_a_value(self, start: int) -> None:
        """Refuses an operand before brackets that a product would not need, and a function before any: what stands in
        the brackets may be an argument.
        """
        opening = self.token.text
        end = closing(self.tokens, self.i, opening + PAIRS[opening])
        inside, raised = self.tokens[self.i + 1 : end], self.tokens[end + 1].text == "^"
        is_product = needs_brackets(inside) or (raised and (opening == "[" or len(inside) > 1))
        is_product |= bool(inside) and inside[0].text in BUILT_IN and self.tokens[start].text in VISIBLE
        if inside and (not is_product or self.is_function(start, inside)):
            raise self.two_ways("value", symbol=self.since(start), argument=" ".join(token.text for token in inside))

    def is_function(self, start: int, inside: list[Token]) -> bool:
        """Check whether an operand has letters alone that are usual or declared for functions, of what is inside."""
        letters = [self.tokens[k] for k in range(start, self.i) if self.tokens[k].kind in ("letter", "command")]
        names = [t for t in letters if t.text in GREEK | USUAL_FUNCTIONS or t.kind == "letter"]
        if self.tokens[start].text == r"\pi" and start and self.tokens[start - 1].kind == "number":
            return False
        return bool(names) and len(names) == len(letters) and all(self.is_usual(name, inside) for name in names)

    def is_usual(self, name: Token, inside: list[Token]) -> bool:
        texts = {token.text for token in inside if token.kind in ("letter", "command")}
        values = [key[2:-1] for key in self.notation.table if key[:2] == (name.text, "(") and key[-1] == ")"]
        is_declared = (name.text,) in self.notation.table and "function" in self.notation.table[(name.text,)]
        return name.text in USUAL_FUNCTIONS or is_declared or any(texts & {*argument} for argument in values)

    def not_after_a_fraction(self, base: Term, start: int) -> None:
        """Refuses a superscript on a fraction without parentheses, and on the value of a function with a long name."""
        text = self.tokens[start].text
        if text == r"\frac" and base[0] not in ("dt", "partial"):
            raise self.two_ways("power of a fraction")
        name = text.partition("{")[2].removesuffix("}") or text
        if base[0] == "call" and len(name) > 1 and name not in GREEK and name not in ONE_ARGUMENT:
            raise self.two_ways("power of a value", owner=text)

    def not_after_invisible_braces(self, start: int) -> None:
        """Refuses a superscript on several factors in braces, which nobody sees."""
        if self.tokens[start].text == "{" and self.tokens[self.i - 1].text == "}" and not self.is_single(start):
            raise self.two_ways("unseen braces")

"""From tokens to a syntax tree, by recursive descent; every rule of precedence is one method.

Loosest to tightest: line break and comma; `\\implies`; "or"; "and"; relations; sums; `\\otimes`; products; powers.
A derivative operator, a function without parentheses and a declared operator act on the one factor after them;
a sum or product over an index takes all factors after it.
"""

from __future__ import annotations

from dataclasses import dataclass

from derivations.language.terms import ZERO, Term
from derivations.text.doors import at_door

from .notation import Notation
from .operands import Operands
from .tokens import DEEPEST, PAIRS, RELATION_SIGNS, CannotRead, Token
from .tree import chained, interleaved, is_statement, joined, negated, reciprocal, summed

TRANSPOSES = frozenset((r"\top", "T", r"\mathsf{T}", r"\mathrm{T}"))


@dataclass(frozen=True)
class Reading:
    """What a printed formula says, and remarks on how it was read (slips of the source, choices of the reader)."""

    tree: Term
    notes: tuple[str, ...]


@at_door(CannotRead)
def read(latex: str, notation: Notation) -> Reading:
    r"""Reads a printed formula into its syntax tree, whose forms `derivations.latex` lists, without evaluating any
    text.

    latex: the formula as the source prints it. notation: what its letters mean.

    Returns the tree with remarks on choices and slips. What is not understood is refused with its place in the source
    (`CannotRead`).

    >>> read(r"a=\frac{1}{2}b^{2}", Notation(letters="a b")).tree
    ('=', ('s', 'a'), ('*', ('q', '1/2'), ('^', ('s', 'b'), ('q', '2'))))
    >>> read("a+", Notation(letters="a"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    derivations.latex.tokens.CannotRead: at character 2 (the end, after a+): the formula ends where a symbol, ...
    """
    reader = _Reader(latex, notation)
    tree = reader.statements()
    reader.expect_end()
    return Reading(tree, tuple(reader.notes))


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
            self.i += 1
        if separated:
            self.skip(r"\text{and}", r"\wedge")
        return separated

    def implication(self) -> Term:
        parts = [self.alternatives()]
        while self.skip(r"\implies"):
            parts.append(self.alternatives())
        if len(parts) == 2:
            return ("implies", *parts)
        return parts[0] if len(parts) == 1 else ("chain", *interleaved(parts, ["implies"] * (len(parts) - 1)))

    def alternatives(self) -> Term:
        parts = [self.conjunction()]
        while self.skip(r"\text{or}", r"\vee"):
            parts.append(self.conjunction())
        return joined("or", parts)

    def conjunction(self) -> Term:
        parts = [self.relation()]
        while self.skip(r"\text{and}", r"\wedge"):
            parts.append(self.relation())
        return joined("and", parts)

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
        if self.skip("-"):
            terms = [negated(self.kronecker())]
        elif self.skip("+") or self.token.text not in (r"\pm", r"\mp"):
            terms = [self.kronecker()]
        while True:
            self.surplus_closers()
            sign = self.token.text
            if sign not in ("+", "-", r"\pm", r"\mp"):
                return summed(terms)
            self.i += 1
            term = self.kronecker()
            if sign in (r"\pm", r"\mp"):
                terms = [(sign[1:], summed(terms) if terms else ZERO, term)]
            else:
                terms.append(term if sign == "+" else negated(term))

    def surplus_closers(self) -> None:
        """Closing brackets that close nothing are a slip of the source, harmless where a term has just ended."""
        if self.open or self.token.text not in (")", "]"):
            return
        first, count = self.token, 0
        while self.token.text in (")", "]"):
            self.i, count = self.i + 1, count + 1
        if self.token.text in ("^", "_") or self.begins_operand() or self.token.text in (r"\cdot", r"\times", "/", "*"):
            raise self.wrong(
                "this closing parenthesis closes nothing, and what follows it makes the meaning unclear", first
            )
        many = "one closing parenthesis" if count == 1 else f"{count} closing parentheses"
        self.notes.append(f"{many} too many in the source, at character {first.at}")

    def kronecker(self) -> Term:
        product = self.product()
        while self.skip(r"\otimes"):
            product = ("kron", product, self.product())
        return product

    def product(self) -> Term:
        factors = [self.factor()]
        while True:
            if self.skip(r"\cdot", r"\times", "*"):
                factors.append(self.factor())
            elif self.token.text == "/":
                self.i += 1
                factors.append(reciprocal(self.factor()))
                if self.begins_operand():
                    self.notes.append(f"the slash before character {self.token.at} divides by one factor only")
            elif self.begins_operand():
                if self.token.kind == "number" and self.tokens[self.i - 1].kind == "number":
                    raise self.wrong("two numbers stand side by side without a sign between them")
                factors.append(self.factor())
            else:
                return factors[0] if len(factors) == 1 else ("*", *factors)

    def factor(self) -> Term:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.wrong(f"the formula is nested more than {DEEPEST} deep")
        start = self.i
        base = self.primary()
        if self.token.text == "^":
            base = self.power(base)
            if self.token.text == "^":
                raise self.wrong(
                    "a second superscript on the same base; put the base and its first superscript in braces"
                )
        elif base[0] == "s" and self.token.text == "(":
            self.remark_on_product(start, base)
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
        if self.tokens[self.i + 2].text == "}":
            if content.text in TRANSPOSES:
                self.i += 3
                return ("T", base)
            if content.text == "+":
                self.i += 3
                return ("pinv", base)
        if content.text in (r"\prime", "*"):
            raise self.wrong(f"the notation has no entry for this symbol with the mark {content.text!r}", mark)
        exponent = self.enclosed("}", self.sum)
        return ("^", base, exponent)

    def remark_on_product(self, start: int, base: Term) -> None:
        """A symbol before a parenthesis may be meant as a function; the reading as a product is worth saying."""
        inner = self.tokens[self.i + 1 : self.i + 3]
        if len(inner) == 2 and inner[0].kind in ("letter", "number") and inner[1].text == ")":
            self.notes.append(
                f"{self.since(start)}({inner[0].text}) is read as a product: {base[1]} is no function here"
            )

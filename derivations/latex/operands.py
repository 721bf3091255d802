"""The rules for one operand: symbols, brackets, fractions and derivatives, roots, averages, sums, matrices."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from derivations.language.terms import ONE, ZERO, Term, fraction_of, rational

from .cursor import Cursor
from .notation import Entry
from .tokens import (
    BUILT_IN,
    CLOSING,
    INFIX,
    KINDS,
    PAIRS,
    RELATION_SIGNS,
    SIGNS,
    TABLE,
    TRANSPOSES,
    CannotRead,
    Token,
    needs_brackets,
    outside,
)
from .tree import int_of, is_statement, reciprocal

NONE: Term = ("none",)
VISIBLE = frozenset(("(", "["))
RULES: dict[str, str] = TABLE["operands"]  # of this class, by what begins what they read
TIMES = (r"\cdot", r"\times")
ENDS = ("break", "end", "stop")


class Operands(Cursor):
    """The rules for one operand; what operands are joined to is left to the reader's other rules."""

    @abstractmethod
    def statements(self) -> Term: ...

    @abstractmethod
    def sum(self) -> Term: ...

    @abstractmethod
    def product(self) -> Term: ...

    @abstractmethod
    def factor(self) -> Term: ...

    def primary(self) -> Term:
        length, entry = self.notation.match(self.tokens, self.i)
        if length:
            return self.declared(length, entry)
        token = self.token
        if token.kind == "number":
            self.i += 1
            return rational(token.text)
        if token.kind == "begin":
            return self.matrix()
        if token.text in BUILT_IN:
            return self.built_in(BUILT_IN[token.text])
        if token.kind != "stop" and token.text in RULES:
            rule: Callable[[], Term] = getattr(self, RULES[token.text])
            return rule()
        if token.text in (r"\pi", r"\infty"):
            self.i += 1
            return ("pi",) if token.text == r"\pi" else ("oo",)
        raise self.unknown(token)

    def unknown(self, token: Token) -> CannotRead:
        if token.kind == "stop":
            return self.wrong("the formula ends where a symbol, a number or a bracket was expected")
        if token.kind in ("letter", "command", "text") and token.text not in KINDS["never_an_operand"]:
            return self.wrong(
                f"{token.text!r} is not in the notation at this place; it has {self.notation.near(token.text)}"
            )
        return self.wrong(f"a symbol, a number or a bracket was expected instead of {token.text!r}")

    def declared(self, length: int, entry: Entry) -> Term:
        start = self.i
        self.i += length
        for name in self.ended - {name for name, _ in self.summed}:
            if self.stands(name, start, self.i):
                raise self.two_ways("index behind its sum", self.tokens[start], index=name)
        if "function" in entry and self.token.text == "(":
            return ("call", str(entry["function"]), *self.arguments())
        if "function" in entry and self.is_transposed_before_arguments():
            self.i += 4
            return ("T", ("call", str(entry["function"]), *self.arguments()))
        if "operator" in entry:
            owner = self.since(start)
            is_enclosed = self.token.text in VISIBLE
            return ("call", str(entry["operator"]), self.argument(owner) if is_enclosed else self.lone_factor(owner))
        if "norm" in entry and "atom" not in entry:
            return self.norm_power(tuple(entry["norm"]), start)
        return tuple(entry["atom"])

    def is_transposed_before_arguments(self) -> bool:
        """Check whether the superscript of a transpose stands here, and then a parenthesis, as in A^T(t)."""
        texts = [token.text for token in self.tokens[self.i : self.i + 5]]
        mark = texts[2] if texts[:2] == ["^", "{"] and texts[3:] == ["}", "("] else ""
        is_told = mark in self.notation.transposes
        return mark in TRANSPOSES and (is_told or not self.notation.match(self.tokens, self.i + 2)[0])

    def arguments(self) -> list[Term]:
        def listed() -> list[Term]:
            values = [self.sum()]
            while self.skip(",", ";"):
                values.append(self.sum())
            return values

        return self.enclosed(")", listed)

    def lone_factor(self, owner: str) -> Term:
        """The one factor that an operator or a bare function acts on; nothing may be multiplied with it."""
        start = self.i
        operand = self.argument(owner) if self.token.text in VISIBLE else self.factor()
        several = self.tokens[start].text == "{" and not self.is_single(start)
        are_waves = owner in KINDS["waves"] and self.token.text in BUILT_IN and self.tokens[start].kind != "number"
        follows = self.begins_operand() and not are_waves
        if several or follows or self.token.text in ("/", *TIMES):
            at = self.tokens[start] if several else self.token
            raise self.two_ways("bare argument", at, owner=owner)
        return operand

    def argument(self, owner: str) -> Term:
        """Return what a function or an operator acts on, in brackets that are seen; it has no superscript."""
        inside = self.group()
        if self.token.text == "^":
            raise self.two_ways("power of a value", owner=owner)
        if self.token.text in VISIBLE:
            raise self.two_ways("factor of a value", owner=owner)
        return inside

    def group(self) -> Term:
        start = self.i
        inside = self.enclosed(PAIRS[self.token.text], self.sum)
        if self.tokens[start].text == "{":
            self.not_a_factor(start, start)
        return inside

    def bracketed(self) -> Term:
        """Return what stands in square brackets, which a product or a power needs there."""
        start = self.i
        inside = self.group()
        if self.token.text != "^" and not needs_brackets(self.tokens[start + 1 : self.i - 1]):
            raise self.two_ways("square brackets", self.tokens[start])
        return inside

    def not_a_factor(self, start: int, opening: int) -> None:
        """Refuses a sum or a quotient in braces as a part of a product: braces are not seen, or mean nothing."""
        before = self.tokens[start - 1].text if start else "+"
        is_alone = before in ("+", *PAIRS, *RELATION_SIGNS) and self.token.text not in ("/", "^", *TIMES)
        if self.has_signs(opening) and (not is_alone or self.begins_operand()):
            raise self.two_ways("braces", self.tokens[opening])

    def has_signs(self, opening: int) -> bool:
        """Check whether a sum or a quotient stands in braces, outside all further brackets."""
        inside = self.tokens[opening + 1 : self.closing_brace(opening)]
        return any(token.text in (*SIGNS, "/", r"\otimes") for token in outside(inside))

    def is_single(self, opening: int) -> bool:
        """Check whether one operand without a superscript stands in braces."""
        place, self.i = self.i, opening + 1
        self.primary()
        found = self.token.text == "}" and self.i == self.closing_brace(opening)
        self.i = place
        return found

    def braced(self) -> Term:
        """``\\underbrace{x}_{why}``: the words at the brace say nothing of the formula over it."""
        script, start = "_" if self.token.text == r"\underbrace" else "^", self.i
        self.i += 1
        if self.token.text != "{":
            raise self.wrong("'{' was expected, with what stands over the brace")
        over = self.enclosed("}", self.sum)
        if self.token.text == script:
            label = self.i + 1
            self.i = self.closing_brace(label) + 1
            inside = self.tokens[label : self.i]
            if any(token.text in RELATION_SIGNS for token in inside) or inside[1].kind == "number":
                raise self.two_ways("label of a brace")
        if self.token.text in ("_", "^"):
            raise self.wrong("a second script at a brace is not read")
        self.not_a_factor(start, start + 1)
        return over

    def absolute(self) -> Term:
        self.split_bars()
        inside = self.enclosed("|", self.sum)
        bar, goes_on = self.tokens[self.i - 1], self.begins_operand() and self.token.text != "|"
        if goes_on and not bar.spelled and any(self.may_close(k) for k in self.bars("|")[:1]):
            raise self.two_ways("bars", bar)
        return ("abs", inside)

    def split_bars(self) -> None:
        """Two bars beside each other close one absolute value and open another one, in |x||y|."""
        doubled = [k for k in self.bars("||", ends="|") if not self.tokens[k].spelled]
        if doubled and self.may_close(doubled[0]):
            both = self.tokens[doubled[0]]
            if len(doubled) > 1:
                raise self.two_ways("bars", both)
            self.tokens[doubled[0] : doubled[0] + 1] = [Token("mark", "|", at) for at in (both.at, both.at + 1)]

    def bars(self, text: str, ends: str = "") -> list[int]:
        """The places behind this one at which such bars stand, up to an end, a relation, or the bracket that closes."""
        places, depth = [], 0
        for k in range(self.i + 1, len(self.tokens)):
            token = self.tokens[k]
            depth += (token.text in PAIRS) - (token.text in CLOSING)
            if depth < 0 or (depth == 0 and (token.text in (ends, ",", *RELATION_SIGNS) or token.kind in ENDS)):
                break
            if depth == 0 and token.text == text:
                places.append(k)
        return places

    def may_close(self, place: int) -> bool:
        """Check whether an operand ends before a bar, which then may close something."""
        before = self.tokens[place - 1]
        return before.text not in (*INFIX, *PAIRS, "|", "||", ",")

    def norm(self) -> Term:
        start = self.i
        if not self.token.spelled and any(not self.tokens[k].spelled for k in self.bars("|", ends="||")):
            raise self.two_ways("bars")
        body = self.enclosed("||", self.sum)
        if self.token.text == "_" and self.tokens[self.i + 2].text == "F":
            self.i += 4
        return self.norm_power(("norm2", body), start)

    def norm_power(self, square: Term, start: int) -> Term:
        """A norm whose square is known, with the superscript that follows it."""
        if self.token.text != "^":
            return ("^", square, rational("1/2"))
        self.i += 1
        exponent = self.enclosed("}", self.sum)
        if self.token.text == "^":
            raise self.wrong(f"a second superscript on {self.since(start)!r}")
        if exponent[0] == "q" and not int_of(exponent) % 2:
            half = int_of(exponent) // 2
            return square if half == 1 else ("^", square, rational(half))
        return ("^", ("^", square, rational("1/2")), exponent)

    def average(self) -> Term:
        start = self.i
        body = self.enclosed(r"\rangle", self.sum)
        subscript: list[str] = []
        if self.token.text == "_":
            end = self.closing_brace(self.i + 1)
            subscript = [t.text for t in self.tokens[self.i + 2 : end]]
            if not self.notation.is_average(subscript):
                raise self.wrong(f"the notation declares no average over {''.join(subscript)!r}")
            self.i = end + 1
        elif not self.notation.is_average(()):
            raise self.wrong("the notation declares no average without a subscript", self.tokens[start])
        return ("mean", body)

    def fraction(self) -> Term:
        numerator = self.i + 1
        denominator = self.closing_brace(numerator) + 1
        end = self.closing_brace(denominator) + 1
        if self.is_derivative(numerator, denominator, end):
            return self.derivative(numerator, denominator, end)
        self.i += 1
        above = self.enclosed("}", self.sum)
        below = self.enclosed("}", self.sum)
        self.divisors.append(below)
        if above[0] == "q" and below[0] == "q" and below != ZERO:
            return rational(fraction_of(above) / fraction_of(below))
        return reciprocal(below) if above == ONE else ("*", above, reciprocal(below))

    def is_derivative(self, numerator: int, denominator: int, end: int) -> bool:
        first = self.tokens[denominator + 1]
        if first.text not in KINDS["differentials"] or self.tokens[numerator + 1].text != first.text:
            return False
        return self.notation.match(self.tokens, denominator + 1)[0] < end - denominator - 2

    def derivative(self, numerator: int, denominator: int, end: int) -> Term:
        kind = self.tokens[denominator + 1]
        self.i = denominator
        self.open.append(self.token)
        self.i += 2
        variable = self.factor()
        if self.i != end - 1:
            raise self.wrong("only first derivatives by one symbol are read", kind)
        self.open.pop()
        operator = denominator - numerator == 3
        if operator:
            self.i = end
            operand = self.lone_factor("".join(t.text for t in self.tokens[numerator - 1 : end]))
        else:
            self.i = numerator
            self.open.append(self.token)
            self.i += 2
            if self.token.text == "^":
                raise self.wrong("only first derivatives are read", kind)
            operand = self.sum()
            if self.i != denominator - 1:
                raise self.wrong("the numerator of a derivative was expected to end here")
            self.open.pop()
            self.i = end
        if kind.text == r"\partial":
            return ("partial", operand, variable)
        if variable[0] != "s":
            raise self.wrong("a derivative is taken by a symbol", kind)
        return ("dt", operand, variable[1])

    def dot(self) -> Term:
        self.i += 1
        return ("dt", self.enclosed("}", self.sum), "t")

    def gradient(self) -> Term:
        """``\\nabla_{x} L``, the derivative by a symbol that stands in the subscript."""
        start = self.i
        self.i += 1
        if not self.skip("_"):
            raise self.wrong("a subscript was expected that says by what the gradient is taken")
        variable = self.enclosed("}", self.sum)
        return ("partial", self.lone_factor(self.since(start)), variable)

    def root(self) -> Term:
        self.i += 1
        order = self.enclosed("]", self.sum) if self.token.text == "[" else rational(2)
        if order[0] != "q" or int_of(order) < 2:
            raise self.wrong("the order of a root is a number, 2 or more")
        if int_of(order) % 2:
            raise self.two_ways("odd root")
        return ("^", self.enclosed("}", self.sum), rational(f"1/{order[1]}"))

    def exponential(self) -> Term:
        self.i += 1
        if self.token.text != "^":
            if self.token.text in VISIBLE:
                raise self.two_ways("value", symbol="e", argument="something")
            return ("exp", ONE)
        self.i += 1
        value = ("exp", self.enclosed("}", self.sum))
        if self.token.text == "^":
            raise self.wrong("a second superscript on e")
        return value

    def built_in(self, name: str) -> Term:
        owner = self.token.text
        self.i += 1
        exponent: Term | None = None
        if self.skip("^"):
            exponent = self.enclosed("}", self.sum)
            if exponent[0] != "q" or int_of(exponent) < 1:
                raise self.wrong(f"a power of {owner} is written with parentheses, its inverse by its own name")
        value = (name, self.argument(owner) if self.token.text in VISIBLE else self.lone_factor(owner))
        return value if exponent is None else ("^", value, exponent)

    def normal(self) -> Term:
        self.i += 1
        if self.token.text != "(":
            raise self.wrong("a normal distribution was expected, with its mean and its variance in parentheses")
        arguments = self.arguments()
        if len(arguments) != 2:
            raise self.wrong(f"a normal distribution has a mean and a variance, here stand {len(arguments)} arguments")
        return ("normal", *arguments)

    def probability(self) -> Term:
        token = self.token
        self.i += 1
        if self.token.text != "(":
            raise self.unknown(token)
        event = self.enclosed(")", self.statements)
        if not is_statement(event):
            raise self.wrong("a probability is that of a statement, and this states nothing", token)
        return ("P", event)

    # --- indices, integrals, matrices ---------------------------------------------------------------------------------

    def over_indices(self) -> Term:
        head, opening = "sum" if self.token.text == r"\sum" else "prod", self.i
        self.i += 1
        names, lower = self.indices()
        self.not_summed_twice(names, opening)
        upper = NONE
        if self.skip("^"):
            upper = self.enclosed("}", self.sum)
        elif lower != NONE:
            raise self.two_ways("sum without an end", self.tokens[opening])
        start = self.i
        self.summed += [(name, start) for name in names]
        body = self.product()
        del self.summed[-len(names) :]
        self.ended |= {*names}
        if head == "prod" and body[0] == "*" and self.tokens[start].text not in VISIBLE:
            raise self.two_ways("product over an index", self.tokens[start])
        return (head, body, *(("index", name, lower, upper) for name in names))

    def not_summed_twice(self, names: list[str], opening: int) -> None:
        """Refuses an index of a sum around this one, unless a factor before this sum has it."""
        starts = dict(self.summed)
        for k, name in enumerate(names):
            if name in names[:k] or (name in starts and not self.stands(name, starts[name], opening)):
                raise self.two_ways("sum in a sum", self.tokens[opening], index=name)

    def indices(self) -> tuple[list[str], Term]:
        if not self.skip("_"):
            raise self.wrong("an index was expected under this sum")
        end = self.closing_brace(self.i)
        self.open.append(self.token)
        names = [""]
        self.i += 1
        while self.i < end and self.token.text != "=":
            if self.token.text == ",":
                names.append("")
            else:
                names[-1] += self.token.text
            self.i += 1
        lower = self.sum() if self.skip("=") else NONE
        if self.i != end or not all(names):
            raise self.wrong("the indices of a sum are written k,l or m=1")
        self.i += 1
        self.open.pop()
        return names, lower

    def integral(self) -> Term:
        self.i += 1
        limits = [self.limit() for mark in ("_", "^") if self.skip(mark)]
        self.integrals += 1
        body = self.product()
        self.integrals -= 1
        if not self.at_differential():
            raise self.wrong("the differential of the integration variable was expected, for example dt")
        self.i += 1
        variable = self.primary()
        if variable[0] != "s":
            raise self.wrong("an integral is taken over a symbol")
        return ("integral", body, variable[1], *limits)

    def limit(self) -> Term:
        text = self.tokens[self.i + 1]
        if text.kind == "text":
            self.i += 3
            return ("text", text.text.removeprefix(r"\text{").removesuffix("}"))
        return self.enclosed("}", self.sum)

    def matrix(self) -> Term:
        opening = self.token
        self.open.append(opening)
        self.i += 1
        rows: list[list[Term]] = [[]]
        while self.token.kind != "end":
            rows[-1].append(self.sum())
            if self.skip(r"\\"):
                if self.token.kind != "end":
                    rows.append([])
            elif not self.skip("&") and self.token.kind != "end":
                raise self.wrong("the end of a matrix entry was expected")
        self.i += 1
        self.open.pop()
        if len({len(r) for r in rows}) != 1 or not rows[0]:
            raise self.wrong("the rows of a matrix must have equally many entries", opening)
        return ("matrix", tuple(map(tuple, rows)))

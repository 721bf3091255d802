"""The forms and factors of which an inequality could be a sum: they are cut out of its own words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product

from derivations.language.words.algebra import (
    DIMENSION,
    TRACE,
    UNIT,
    Dimension,
    Monomial,
    Polynomial,
    Shape,
    Word,
    name_of,
    shape_of_word,
    transposed_word,
)
from derivations.language.words.instances import Declaration
from derivations.prove.words.loewner.forms import Core, Factor, Form, Sized, Values, degree
from derivations.prove.words.loewner.squares import NOTHING, Block, Context, Normal

MOST_MAPS, MOST_FORMS, MOST_ITEMS = 12, 14, 80  # around one core; of all forms; of products of two numbers
STAGES = 4  # words of the target; of the hypotheses too; products of numbers; longer words


class Candidates:
    """The blocks for one target, in stages: cheap and likely ones come first."""

    def __init__(self, target: Sized, values: Values, normal: Normal, letters: dict[str, Declaration]) -> None:
        self.target, self.values, self.normal, self.letters = target, values, normal, letters
        self.reduced = normal.of(target)
        self.cores: list[Core] = [("one",), *(("order", k) for k in range(len(values.orders)))]
        self.cores += [("positive", name) for name, x in sorted(letters.items()) if x.positive]
        named = {str(s[1]) for scalars, _ in target.terms for s in scalars if s[0] == DIMENSION}
        declared = {d for x in letters.values() for d in x.shape}
        self.sizes: list[Dimension] = [1, *sorted((named | declared | {*target.shape}) - {1}, key=str)]
        self.words: dict[Shape, list[Sized]] = {}

    def blocks(self, stage: int) -> list[Block]:
        """Blocks for a search; later stages have more of them."""
        self.words = self._words(stage > 0)
        found = [*self._congruences(stage), *(self._traces(stage) if self.target.shape == (1, 1) else ())]
        if stage > 1:
            found += self._products() if self.target.shape == (1, 1) else self._scaled()
        return found

    # words

    def _words(self, all_of_them: bool) -> dict[Shape, list[Sized]]:
        """Beginnings and ends of the words of the target, of the hypotheses and of what has an inverse, by shape."""
        sources = [self.target.terms, self.reduced.terms]
        if all_of_them:
            sources += [*(o.terms for o in self.values.orders), *(x.inverse_of or {} for x in self.letters.values())]
        words = [half for terms in sources for word in _words_of(terms) for half in self._halves(word)]
        inverses = [(name,) for name, x in sorted(self.letters.items()) if x.inverse_of is not None]
        if all_of_them:
            before = [first + word for first in inverses for word in words if self._fits(first, word)]
            after = [word + last for last in inverses for word in words if self._fits(word, last)]
            words += [*inverses, *before, *after]
        found = dict.fromkeys(words)
        table: dict[Shape, list[Sized]] = {}
        for word in sorted(found, key=lambda w: (len(w), w)):
            shape = shape_of_word(word, self.values.forms)
            reduced = self.normal.of(self.values.word(word, shape))
            known = table.setdefault(shape, [])
            if len(reduced.terms) == 1 and UNIT not in reduced.terms and reduced not in known:
                known.append(reduced)
        return table

    def _halves(self, word: Word) -> Iterator[Word]:
        for w in (word, transposed_word(word, self.values.forms)):
            yield from (w[i:] for i in range(len(w)))

    def _fits(self, left: Word, right: Word) -> bool:
        forms = self.values.forms
        return shape_of_word(left, forms)[1] == shape_of_word(right, forms)[0] and left != right

    def maps(self, shape: Shape, limit: int) -> list[Sized]:
        """Words of a shape, the identity first."""
        unit = [self.values.unit(shape[0])] if shape[0] == shape[1] else []
        words = [w for w in self.words.get(shape, []) if degree(w.terms) <= limit]
        if shape == (1, 1):
            words += self._numbers(limit)
        return [*unit, *words][:MOST_MAPS]

    def _numbers(self, limit: int) -> list[Sized]:
        """The numbers of which the terms of the target are products."""
        found: dict[Monomial, None] = {}
        for terms in (self.target.terms, self.reduced.terms, *(o.terms for o in self.values.orders)):
            for scalars, _ in terms:
                for count in (1, 2):
                    found |= dict.fromkeys((tuple(sorted(some)), ()) for some in combinations(scalars, count))
        numbers = [Sized((1, 1), {m: Fraction(1)}) for m in found]
        known = self.words.get((1, 1), [])
        return [number for number in numbers if degree(number.terms) <= limit and number not in known]

    # blocks

    def _sizes(self, core: Core) -> list[Dimension]:
        size = self.values.size(core)
        if size is not None:
            return [size]
        return self.sizes

    def _limit(self, stage: int) -> int:
        """How long a map may be: half as long as the longest term, and more later on."""
        return (max(degree(self.target.terms), degree(self.reduced.terms), 1) + 1) // 2 + max(stage - 1, 0)

    def _block(self, core: Core, shape: Shape, stage: int, outside: Context = NOTHING) -> Block | None:
        maps = self.maps(shape, self._limit(stage))
        return Block(self.normal, self.values, core, maps, outside) if maps else None

    def _congruences(self, stage: int) -> Iterator[Block]:
        width = self.target.shape[0]
        for core in self.cores:
            for size in self._sizes(core):
                block = self._block(core, (size, width), stage)
                if block:
                    yield block

    def _traces(self, stage: int) -> Iterator[Block]:
        for core, width in product(self.cores, self.sizes[1:]):
            for size in self._sizes(core):
                block = self._block(core, (size, width), stage, Context(trace=True))
                if block:
                    yield block

    def _scaled(self) -> Iterator[Block]:
        """Numbers that are not negative times forms."""
        width = self.target.shape[0]
        for factor, core in product(self._single_numbers(), self.cores):
            for size in self._sizes(core):
                block = self._block(core, (size, width), 0, Context([factor]))
                if block:
                    yield block

    def forms(self) -> list[Form]:
        found = []
        limit = max(degree(self.target.terms), degree(self.reduced.terms)) // 2
        for core in self.cores:
            for shape in sorted(self.words, key=str):
                if self.values.size(core) in (None, shape[0]):
                    found += [Form(core, w) for w in self.maps(shape, limit)]
        return sorted(found, key=lambda form: degree(self.values.value(form).terms))[: 2 * MOST_FORMS]

    def _single_numbers(self) -> list[Factor]:
        """Hypotheses and letters that are numbers."""
        one = self.values.unit(1)
        return [Factor("trace", [Form(core, one)]) for core in self.cores if self.values.size(core) == 1]

    def _products(self) -> Iterator[Block]:
        """Products of two numbers, traces of products, Cauchy's inequality; their letters are those of the target."""
        unit = self.values.unit
        forms = self.forms()
        sized = [form for form in forms if degree(self.values.value(form).terms)]
        pairs = [(a, b) for a, b in combinations_with_replacement(sized, 2) if a.map.shape[1] == b.map.shape[1]]
        items = [[Factor("gram", [a, b])] for a, b in combinations(forms, 2) if _one_core(a, b)]
        items += [[Factor("pair", [a, b])] for a, b in pairs]
        for a, b in pairs:
            size = a.map.shape[1]
            items.append([Factor("pair", [Form(("rest", a), unit(size)), b])])
        numbers = [*self._single_numbers(), *(Factor("trace", [form]) for form in sized[:MOST_FORMS])]
        items += [[a, b] for a, b in combinations_with_replacement(numbers, 2)]
        items += [[a] for a in self._single_numbers()]
        wanted = {frozenset(_letters(m).items()) for m in (*self.target.terms, *self.reduced.terms)}
        count = 0
        for factors in items:
            if _first_letters(self.values, factors) & wanted:
                yield Block(self.normal, self.values, ("one",), [unit(1)], Context(factors))
                count += 1
            if count == MOST_ITEMS:
                return


def _first_letters(values: Values, factors: Sequence[Factor]) -> set[frozenset[tuple[str, int]]]:
    """The letters of the terms of a product, as often as they stand in it."""
    total = values.unit(1)
    for factor in factors:
        total = values.times(total, values.number(factor))
    return {frozenset(_letters(m).items()) for m in total.terms}


def _one_core(a: Form, b: Form) -> bool:
    return a.core == b.core and a.map.shape == b.map.shape


def _words_of(terms: Polynomial) -> Iterator[Word]:
    for scalars, outer in terms:
        if outer:
            yield outer
        for scalar in scalars:
            if scalar[0] == TRACE:
                yield from (scalar[1 + i :] + scalar[1 : 1 + i] for i in range(len(scalar) - 1))
            elif scalar[0] != DIMENSION:
                yield scalar


def _letters(m: Monomial) -> Counter[str]:
    words = [s for s in m[0] if s[0] != DIMENSION] + [m[1]]
    return Counter(name_of(f) for w in words for f in w if f != TRACE)

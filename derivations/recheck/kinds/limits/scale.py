"""A scale of germs: positive functions of one small positive variable t that all go to zero, each faster than the next.

The germs are, fastest first, exponentials exp(-g^a) of products g^a of the germs after them, then t itself, then
1/log(1/t), 1/log(log(1/t)) and so on. A product of powers of germs is known by its exponents. Of two products the one
goes to zero faster whose first different exponent is larger: the germ there is faster than every power of those after
it, because the logarithm of its inverse grows faster than the logarithms of theirs. That is checked where a scale is
made: an exponential has an exponent g^a that goes to infinity faster than the one after it, and than log(1/t).
"""

from __future__ import annotations

from flint import fmpq

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, integer, shown, term
from derivations.recheck.core.terms import carried_out
from derivations.recheck.kinds.limits.constants import Constant, Constants

Exponents = tuple[Constant, ...]
MOST_LOGS, MOST_EXPONENTIALS = 3, 6


class Scale:
    """The germs, and the order of products of their powers."""

    def __init__(self, ring: Constants, logs: Data, exponentials: Data) -> None:
        self.ring = ring
        self.logs: int = integer(logs, 0, MOST_LOGS, "the number of logarithms of a scale")
        if not isinstance(exponentials, tuple) or len(exponentials) > MOST_EXPONENTIALS:
            raise Rejected(f"a scale has a list of at most {MOST_EXPONENTIALS} exponentials, got {shown(exponentials)}")
        self.size = len(exponentials) + 1 + self.logs
        self.place_of_t = len(exponentials)
        self.zero: Exponents = (fmpq(0),) * self.size
        self.log_of_inverse: list[Exponents | None] = self._logarithms(exponentials)
        self._require_order()

    def _logarithms(self, exponentials: Data) -> list[Exponents | None]:
        """log(1/g) for every germ g, itself a product of powers of germs; None for the slowest germ."""
        found: list[Exponents | None] = []
        for place, data in enumerate(reversed(exponentials)):  # a certificate lists the slowest exponential first
            count = self.size - place - 1
            if not isinstance(data, tuple) or len(data) != count:
                raise Rejected(f"an exponential of a scale needs {count} exponents, got {shown(data)}")
            inner = tuple(self.ring.read(carried_out(term(e)), given=False) for e in data)
            found.append((*self.zero[: self.size - count], *inner))
        for place in range(self.place_of_t, self.size - 1):
            found.append(self.unit(place + 1, fmpq(-1)))
        return [*found, None]

    def _require_order(self) -> None:
        for place in range(self.place_of_t):
            here, after = self.log_of_inverse[place], self.log_of_inverse[place + 1]
            if here is None or self.compare(here, self.zero) >= 0:
                raise Rejected("the exponent of an exponential of a scale must go to infinity")
            of_t = any(c != 0 for c in here[: self.place_of_t + 1])
            if not (of_t if after is None else self.compare(here, after) < 0):
                raise Rejected("the exponentials of a scale must grow, each faster than the one before it")

    def unit(self, place: int, power: Constant) -> Exponents:
        """The exponents of one germ to a power."""
        return (*self.zero[:place], power, *self.zero[place + 1 :])

    def place_of(self, log_of_inverse: Exponents) -> int:
        """The germ g for which log(1/g) is a product of powers of germs."""
        for place, known in enumerate(self.log_of_inverse):
            if known is not None and self.compare(known, log_of_inverse) == 0:
                return place
        raise Rejected("the scale has no germ for an exponential that grows")

    def compare(self, a: Exponents, b: Exponents) -> int:
        """1 where g^a goes to zero faster than g^b, -1 where it is slower, 0 where they are the same."""
        for left, right in zip(a, b, strict=True):
            if left != right:
                sign = self.ring.signs.of(left - right)
                if sign is None:
                    raise Rejected("the parameters' signs do not tell which of two terms of an expansion is larger")
                if sign:
                    return sign
        return 0


def added(a: Exponents, b: Exponents) -> Exponents:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def times(a: Exponents, factor: Constant) -> Exponents:
    return tuple(x * factor for x in a)

"""The flow in numbers: letters of size 1 x 1 for |dh|^2, |dy|^2 and the others, and rates as words in them.

A statement about products of matrices then says which polynomial in these numbers a rate is.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from derivations.language.words import Words, identity, letters, norm2
from derivations.models.two_point.definitions import *

turned = D_y @ unit
LETTERS: dict[Any, Words] = {
    h: letters("h", equals=norm2(c_dh)),
    y: letters("y", equals=norm2(c_dy)),
    w: letters("w", equals=norm2(c_dy) - c_dy.T @ aim),
    X: letters("X", equals=norm2(delta)),
    s: letters("s", equals=norm2(aim)),
    a: signed,
    b: letters("b", equals=turned.T @ aim),
    n: letters("n", equals=norm2(turned)),
    1 / tau_h: rate_h,
    1 / tau_y: rate_y,
}
"""The letter of each number, and of each inverse."""
LETTERS[1 / h] = letters("h_inv", inverse_of=LETTERS[h])


def in_letters(expression: Any) -> Words:
    """A polynomial in these numbers as words in their letters."""
    total = 0 * identity(1)
    for term in sp.Add.make_args(sp.expand(expression)):
        number, product = term.as_coeff_Mul()
        word = Fraction(int(number.p), int(number.q)) * identity(1)
        for base, power in product.as_powers_dict().items():
            for _ in range(abs(int(power))):
                word = word @ LETTERS[base if power > 0 else 1 / base] if base != 1 else word
        total = total + word
    return total


RATES = {symbol.name: in_letters(rate) for symbol, rate in derived_flow.items()}
SIGNED_RATES = {symbol.name: in_letters(rate) for symbol, rate in signed_flow.items()}

"""Random statements where engines go wrong: ends of ranges, bound letters with signs, unevaluated numbers, waves."""

from __future__ import annotations

import sympy as sp

PI, HALF = sp.pi, sp.Rational(1, 2)


# --- waves at multiples of pi -----------------------------------------------------------------------------------------


# --- ends of ranges ---------------------------------------------------------------------------------------------------


# --- letters that are bound and declared to have a sign ---------------------------------------------------------------


# --- numbers that are not written as numbers --------------------------------------------------------------------------

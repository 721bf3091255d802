"""Inequalities between matrices of any size, true and false ones, for the tests of the prover and of the checker."""

from __future__ import annotations

from case_files import Cases

from derivations.language.words import Letter, identity

FAMILIES = Cases(__file__, globals())

A, B, C = (Letter(name, "n", "n", symmetric=True) for name in "ABC")
A_inv, B_inv = Letter("A_inv", "n", "n", inverse_of=A), Letter("B_inv", "n", "n", inverse_of=B)
M = Letter("M", "n", "n")
X, Y, Z = Letter("X", "n", "m"), Letter("Y", "n", "m"), Letter("Z", "m", "k")
x, y, u = Letter("x", "n", 1), Letter("y", "n", 1), Letter("u", "m", 1)
a, b, c = Letter("a", 1, 1), Letter("b", 1, 1), Letter("c", 1, 1, positive=True)
D, E = Letter("D", "n", "n", diagonal=True), Letter("E", "n", "n", diagonal=True)
I, I_m = identity("n"), identity("m")

TRUE = FAMILIES["true"]
FALSE = FAMILIES["false"]

"""Formulas that stay as they are written, so that what they say is carried out by the prover and by the checker."""

from derivations.papers.carrasco_davis_grant_2025.setup import *

def put(expression, values):
    """An expression with values for some of its symbols, not put in yet.

    The values that go into a derivative must differ: where they do not, SymPy takes derivatives by different symbols for one.
    Nothing is put into what values are put into already.
    """
    return Subs(expression, tuple(values), tuple(values.values()))

def derivative(expression, by):
    """The derivative by a symbol, not carried out yet."""
    return Derivative(expression, by, evaluate=False)

def single_roots(expression):
    """With all roots of a product inside an arcsine as one, whose square the derivative of the arcsine takes."""

    def joined(sine):
        roots = [f for f in sp.Mul.make_args(sine) if f.is_Pow and f.exp.is_Rational and f.exp.q == 2]
        return asin(sine / sp.prod(roots) / sqrt(expand(sp.prod([root**-2 for root in roots]))))

    return expression.replace(asin, joined)

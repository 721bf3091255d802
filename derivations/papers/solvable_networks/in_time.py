"""How long a small balance lambda takes to lead out of a reversal, by boxes that no solution leaves."""

from derivations.papers.solvable_networks.setup import *
from derivations.language.words.entries import with_entries

number = Rational
p, q = symbols("p q", real=True)
ENTRIES = {W1: Matrix([p]), W2: Matrix([q]), Sigma: Matrix([1])}
FLOW = {weight: with_entries(net.flow[letter], ENTRIES)[0, 0] for letter, weight in ((W1, p), (W2, q))}

def turns_around(extra, zero, learned):
    """Between which times W2 W1 passes zero, and reaches nine tenths of the task."""
    windows = ((0, zero), (number("0.9"), learned))
    events = [reaches(Eq(p * q, level), tuple(map(number, window))) for level, window in windows]
    return trajectory(FLOW, {p: 1, q: -1 - number(extra)}, says=events)

@paper.claim("Reversal learning, in time", expect="certified")
def reversal_in_time():
    """A network of width one that has learned -1, W1 = 1 and W2 = -1, and is asked for 1 with tau = 1 moves toward zero and is still
    negative at time 20. With W2 lower by 10^-2, 10^-4 or 10^-6 it passes zero between the times 2.30 and 2.31, 4.60 and 4.61, or 6.90
    and 6.91, and has learned nine tenths between 6.04 and 6.05, 10.65 and 10.66, or 15.26 and 15.27."""
    yield trajectory(FLOW, {p: 1, q: -1}, says=stays(p * q < 0, (0, 20)))
    yield turns_around("0.01", ("2.30", "2.31"), ("6.04", "6.05"))
    yield turns_around("0.0001", ("4.60", "4.61"), ("10.65", "10.66"))
    yield turns_around("0.000001", ("6.90", "6.91"), ("15.26", "15.27"))

"""Ranges of one symbol in pieces, by Taylor's theorem around points of equality and by balls elsewhere."""

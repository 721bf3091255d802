"""A second reader of printed formulas, written apart from the first one: it must find in the certificate what it reads.

The ledger has the LaTeX of an entry, and a record of what its letters mean; from these two alone the sides of every
printed relation are read again. They agree with a certificate where its statement has sides of the same values.
"""

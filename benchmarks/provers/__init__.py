"""Lists of statements whose truth is known, and what this engine and other provers make of them.

`lists/open` may be looked at by whoever improves a prover; `lists/held_out` has the other half of every family, and
only its counts are looked at. Every list is true but `false`, whose statements are nearly true.
"""

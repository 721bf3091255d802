"""Rocq as a second checker: certificates become statements and proofs in its language, which its kernel accepts or not.

A statement is written from the statement of a ledger alone, a proof from the steps of its certificate.
"""

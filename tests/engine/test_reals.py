"""Real numbers are declared together with their signs, and what declares none is refused."""

from __future__ import annotations

from case_files import Cases

FAMILIES = Cases(__file__, globals())


test_statements_have_their_verdicts = FAMILIES.verdicts()

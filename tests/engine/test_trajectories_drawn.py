"""A few random flows and maps; many more are in tests/laws."""

from __future__ import annotations

import pytest
from case_files import Cases

FAMILIES = Cases(__file__, globals())

pytestmark = pytest.mark.filterwarnings("ignore")


test_statements_have_their_verdicts = FAMILIES.verdicts()

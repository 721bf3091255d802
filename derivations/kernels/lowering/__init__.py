"""From formulas to programs: terms, sums over indices, and words in matrices."""

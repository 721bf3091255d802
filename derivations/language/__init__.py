"""The formulas that are judged: terms, matrix words, sums, their values and how they show. Nothing here decides."""

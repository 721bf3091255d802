"""What is judged: terms, matrix words, sums over indices, their values and how they are shown. Nothing here decides."""

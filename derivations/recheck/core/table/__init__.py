"""Lines of the table at work: statements that they conclude, averages, and what formulas in lines cannot say."""

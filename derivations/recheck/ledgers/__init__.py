"""The shown content of ledgers and pages, and whether their certificates say so."""

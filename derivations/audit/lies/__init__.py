"""False variants of statements and of their sentences, to show that checks can fail."""

"""False variants of statements, and of the library itself, to show that their checks can fail."""

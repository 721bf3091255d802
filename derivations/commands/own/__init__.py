"""Commands for papers of a user's own."""

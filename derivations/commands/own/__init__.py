"""What the command line does for papers of a user's own."""

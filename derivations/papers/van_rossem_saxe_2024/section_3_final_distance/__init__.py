"""Section 3 and appendices A.3 and A.4: where the distance of the representations ends."""

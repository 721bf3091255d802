"""Section 2 and appendices A.1 and A.2: the model, its reduction to three scalars, and the loss."""

"""The paper as printed: how it writes, its numbered equations, what they should read, and pictures beside them."""

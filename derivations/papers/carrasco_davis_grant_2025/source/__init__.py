"""The draft as displayed: how it writes, its equations that define, what others should read, and its figures."""

"""From the text of a paper to its numbered equations, the letters in them, and what the reader makes of each."""

from .displays import Display, displays
from .letters import LetterFound, letters, notation_of
from .sources import Source, sources

__all__ = ["Display", "LetterFound", "Source", "displays", "letters", "notation_of", "sources"]

"""Sections 1 and 2: the background, and the teacher-student setup."""

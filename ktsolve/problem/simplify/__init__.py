"""Smaller problems with the same answers: implied conditions, possible steps, reduced graphs."""

"""Puzzles in which leapers change places: searched, planned, counted, drawn as networks."""

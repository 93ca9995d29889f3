"""Sudoku: bands and their classes, all grids of a shape, grids up to symmetry, puzzles."""

"""Grids of cells: puzzles with clues and their solutions, and the boxes of sudoku."""

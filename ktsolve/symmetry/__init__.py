"""Orbits, groups of permutations, conjugacy classes and voltage graphs.

The package depends on neither boards nor sudoku. Classes of ends of a tour, of tours, of sudoku bands and of
sudoku grids are computed with it.
"""

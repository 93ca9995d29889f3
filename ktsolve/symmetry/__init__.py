"""Classes of things that operations carry into each other: orbits, groups of permutations, canonical forms.

Knows neither boards nor sudoku; classes of ends of a tour, classes of tours and classes of sudoku bands and
grids all come from here.
"""

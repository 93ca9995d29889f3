"""Counts of tours and of the solutions of models: totals, and tables by ends, moves, steps and symmetries."""

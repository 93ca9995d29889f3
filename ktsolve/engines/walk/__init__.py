"""Walks by Warnsdorff's rule: tie-breaking rules, backtracking and repair."""

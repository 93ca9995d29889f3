"""Warnsdorff's rule: the ways to break its ties, walks with backtracking, and walks that are repaired."""

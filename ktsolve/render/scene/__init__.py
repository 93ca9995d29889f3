"""Scenes: shapes in painting order, styles and themes, and the writers of files."""

"""Formats of graphs, one file each; :mod:`ktsolve.formats.graphs` reads and writes them all."""

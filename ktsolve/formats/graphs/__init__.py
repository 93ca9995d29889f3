"""Formats of graphs, one file each; :mod:`ktsolve.formats.graphs.files` reads and writes them all."""

"""Formats of tours, one file each; :mod:`ktsolve.formats.tours.files` reads and writes them all."""

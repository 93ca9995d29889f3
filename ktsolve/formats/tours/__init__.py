"""Formats of tours, one file each; ``ktsolve.formats.tours.files`` reads and writes them all."""

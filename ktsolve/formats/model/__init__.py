"""Readers of models, one file per format; :mod:`ktsolve.formats.models` is their table."""

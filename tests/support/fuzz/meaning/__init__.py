"""Inputs of known meaning: what is read is what was written, or it is refused.

An object is written by ktsolve, by another program, or after the public description of a format; the text is
changed without harm and read as users read it. Nothing here uses a reader of ktsolve but to read in the end.
"""

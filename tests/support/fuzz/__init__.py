"""Fuzzing in process: every reader with changed inputs, and certificates that must not be accepted.

``python tests/support/fuzz`` runs it (``make fuzz``); ``tests/system/test_fuzz.py`` runs a short
part in the ordinary suite.
"""

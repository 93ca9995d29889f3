"""Arithmetical and structural reasons why there is no tour."""

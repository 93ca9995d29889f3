"""Certificates that a tour problem has no tour: their format, checker and maker."""

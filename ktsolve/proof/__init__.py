"""Certificates that a tour problem has no answer: what they say, how they are checked, how they are made."""

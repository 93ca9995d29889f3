"""Sequences of integers: residues modulo primes, and linear recurrences."""

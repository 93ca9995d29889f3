"""Errors, limits, memory, worker processes and files: what every floor above uses."""

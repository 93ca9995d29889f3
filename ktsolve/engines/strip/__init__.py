"""Engine ``strip``: counts of long strips by the transfer of one column (docs/strips.md)."""

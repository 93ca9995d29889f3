"""Engine ``search``: exhaustive backtracking."""

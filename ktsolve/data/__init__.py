"""Published values, with their sources."""

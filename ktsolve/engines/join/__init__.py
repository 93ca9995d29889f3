"""Engine ``join``: exact counts by a separator, a sweep of each half board, and a join of the two tables."""

"""Loop and path puzzles: reading and writing, solving, uniqueness, difficulty, making, pictures."""

"""Tasks: find, list, count, classify, optimise, explain, one file each."""

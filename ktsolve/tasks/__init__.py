"""What people ask for: find, list, count, classify, optimise, explain, one file each."""

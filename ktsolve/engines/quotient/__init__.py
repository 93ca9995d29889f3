"""Engine ``quotient``: symmetric tours in the quotient of the board by their symmetry."""

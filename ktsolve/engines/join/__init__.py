"""Engine ``join``: a cut is planned; half boards are swept and joined, in passes or modulo primes."""

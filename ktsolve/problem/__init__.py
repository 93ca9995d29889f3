"""Tour problems: their statement, the check of answers, and arithmetic that refutes them."""

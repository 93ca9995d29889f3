"""The question: a tour problem, who judges answers to it, and arithmetic that refutes it at once."""

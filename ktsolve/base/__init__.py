"""Base boards of divide-and-conquer: validated, and made on demand."""

"""The declarative language: Booleans, constraints, objective; listings and standard exchange formats."""

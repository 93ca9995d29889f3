"""Declarative models: Booleans, constraints and an objective; their clauses and standard file formats."""

"""Declarative models: Booleans, integers, constraints and an objective; their clauses and file formats."""

"""Loop constraints as clauses: normal forms in DIMACS numbering, degree clauses, complete encodings."""

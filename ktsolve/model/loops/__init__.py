"""Loop constraints as clauses: normal forms in DIMACS numbering, degree clauses, complete encodings.

A *loop constraint* is a circuit, subcircuit, path or subpath, or says that nodes are connected or that edges
form a tree. Its form has two encodings: ``relax`` adds clauses that every solution satisfies and that the SAT
engine completes by cuts; ``complete`` adds all clauses.
"""

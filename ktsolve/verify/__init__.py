"""The cross-check: engines against each other, against published values and against identities."""

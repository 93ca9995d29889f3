"""Engine ``cpsat``: models solved by OR-Tools' CP-SAT."""

from ktsolve.engines.cpsat.solver import CpSatSolver

__all__ = ["CpSatSolver"]

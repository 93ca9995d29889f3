"""Models in the file formats of other solvers, one file per format."""

from ktsolve.model.io.cnf import to_dimacs, to_wcnf
from ktsolve.model.io.hcp import hcp_file, to_tsplib
from ktsolve.model.io.mzn import to_minizinc
from ktsolve.model.io.opb import to_opb

__all__ = ["hcp_file", "to_dimacs", "to_minizinc", "to_opb", "to_tsplib", "to_wcnf"]

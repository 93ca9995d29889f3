"""Models in the file formats of other solvers, one file per format."""

from ktsolve.model.io.cnf_writer import to_dimacs, to_wcnf
from ktsolve.model.io.hcp_writer import hcp_file, to_tsplib
from ktsolve.model.io.mzn_writer import to_minizinc
from ktsolve.model.io.opb_writer import to_opb

__all__ = ["hcp_file", "to_dimacs", "to_minizinc", "to_opb", "to_tsplib", "to_wcnf"]

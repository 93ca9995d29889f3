"""The names of ``import ktsolve``: each is imported when it is first used."""

from .base.errors import BadInput as BadInput
from .base.errors import KtsolveError as KtsolveError
from .base.errors import LimitReached as LimitReached
from .base.errors import Refused as Refused
from .base.limits import Settings as Settings
from .engines.divide.construct import tour_steps as tour_steps
from .formats.graphs.files import graph_file as graph_file
from .formats.sources import read_graph as read_graph
from .formats.sources import read_model as read_model
from .formats.sources import read_tour as read_tour
from .formats.sources import read_tours as read_tours
from .graphs.board import Board as Board
from .graphs.graph import Graph as Graph
from .graphs.named_graphs import named_graph as named_graph
from .graphs.symmetry import Symmetry as Symmetry
from .graphs.symmetry import symmetry_group as symmetry_group
from .graphs.tour import Tour as Tour
from .model.model import Model as Model
from .problem.problem import TourProblem as TourProblem
from .proof.certificate import read_certificate as read_certificate
from .proof.checker import check_certificate as check_certificate
from .proof.maker import prove as prove
from .tasks.best import best as best
from .tasks.cores import unsat_core as unsat_core
from .tasks.count import count as count
from .tasks.count import estimate as estimate
from .tasks.count import generating_function as generating_function
from .tasks.count import strip_counts as strip_counts
from .tasks.explain import find_conflict as find_conflict
from .tasks.find import find as find
from .tasks.find import find_all as find_all
from .tasks.hamiltonian import count_hamiltonian_cycles as count_hamiltonian_cycles
from .tasks.hamiltonian import count_hamiltonian_paths as count_hamiltonian_paths
from .tasks.hamiltonian import hamiltonian_cycle as hamiltonian_cycle
from .tasks.hamiltonian import hamiltonian_path as hamiltonian_path
from .tasks.hamiltonian import is_hamiltonian as is_hamiltonian
from .tasks.instance import load_instance as load_instance
from .tasks.solve import Solver as Solver
from .tasks.solve import solutions as solutions
from .tasks.solve import solve as solve
from .tasks.survey import survey as survey
from .tasks.tours import tours as tours
from .wings.swap.answer import solve_swap as solve_swap
from .wings.swap.puzzle import SwapPuzzle as SwapPuzzle

__version__: str

"""The names of ``import ktsolve``: each is imported when it is first used."""

from .engines.divide.construct import tour_steps as tour_steps
from .engines.interface import Estimate as Estimate
from .errors import BadInput as BadInput
from .errors import KtsolveError as KtsolveError
from .errors import LimitReached as LimitReached
from .errors import Refused as Refused
from .formats.tours import read_tour as read_tour
from .ground.arrays import steps_fault as steps_fault
from .ground.board import Board as Board
from .ground.graph import Graph as Graph
from .ground.symmetry import Symmetry as Symmetry
from .ground.symmetry import symmetry_group as symmetry_group
from .ground.tour import Fault as Fault
from .ground.tour import Tour as Tour
from .model.constraints import Literal as Literal
from .model.model import Model as Model
from .problem.obstruction import Obstruction as Obstruction
from .problem.problem import TourProblem as TourProblem
from .problem.swap import SwapPuzzle as SwapPuzzle
from .proof.certificate import Certificate as Certificate
from .proof.certificate import read_certificate as read_certificate
from .proof.checker import check_certificate as check_certificate
from .proof.maker import prove as prove
from .settings import Settings as Settings
from .swap.answer import solve_swap as solve_swap
from .tasks.count import ClassCount as ClassCount
from .tasks.count import CountAnswer as CountAnswer
from .tasks.count import count as count
from .tasks.endpoint_classes import count_classes as count_classes
from .tasks.enumerate import find_all as find_all
from .tasks.estimate import estimate as estimate
from .tasks.find import Answer as Answer
from .tasks.find import find as find
from .tasks.hamiltonian import Hamiltonicity as Hamiltonicity
from .tasks.hamiltonian import count_hamiltonian_cycles as count_hamiltonian_cycles
from .tasks.hamiltonian import count_hamiltonian_paths as count_hamiltonian_paths
from .tasks.hamiltonian import hamiltonian_cycle as hamiltonian_cycle
from .tasks.hamiltonian import hamiltonian_path as hamiltonian_path
from .tasks.hamiltonian import is_hamiltonian as is_hamiltonian
from .tasks.instance import load_instance as load_instance
from .tasks.symmetry_classes import SymmetryClasses as SymmetryClasses
from .tasks.symmetry_classes import count_up_to_symmetry as count_up_to_symmetry

__version__: str

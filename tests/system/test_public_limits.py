"""Limits of the functions of ``import ktsolve``, measured from outside: a hard question, a short time limit.

Each question runs in a process of its own, where no command keeps limits. It takes minutes or years, or gives
what is found so far; the bound of the test is many times the limit, since a machine may be busy.
"""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from typing import Any

import pytest
from marks import full, slow

import ktsolve
from ktsolve import Settings

SECONDS = 60

MADE = """
import collections, sys, threading
import networkx as nx
from ktsolve import *

def regular(nodes, degree=4):
    return nx.random_regular_graph(degree, nodes, seed=1)

def every(found):
    return collections.deque(found, 0)

def pigeons(number):
    model = Model("pigeons")
    sits = [[model.boolean(f"{p}:{h}") for h in range(number)] for p in range(number + 1)]
    for row in sits:
        model.clause(*row)
    for hole in zip(*sits):
        model.at_most(1, hole)
    return model

def many_clauses():
    model = Model("many clauses")
    x = model.booleans(str(i) for i in range(3000))
    for i in range(3000):
        model.clause(x[i], x[7 * i % 2999], ~x[11 * i % 2997])
    return model

W, B, N = "W" * 6, "B" * 6, "." * 6
S = Settings(timeout=1.5)
ended = []

def ask():
    try:
        ended.append(f"answered: {QUESTION!r:.200}")
    except LimitReached as stop:
        ended.append(f"stopped: {stop}")
"""

QUESTIONS: dict[str, tuple[str, ...]] = {
    "Solver": ("Solver(pigeons(13), S).solve()",),
    "best": ("best('30x30', minimise='crossings', closed=True, settings=S)",),
    "check_certificate": ("check_certificate(read_certificate(prove('4x5').to_text()), S)",),
    "count": (
        "count('8x8', closed=False, settings=S)",
        "count(regular(20000), settings=S)",
        "count('9x9', closed=False, by='ends', settings=S)",
        "count(many_clauses(), settings=S)",
    ),
    "count_hamiltonian_cycles": ("count_hamiltonian_cycles(regular(300), settings=S)",),
    "count_hamiltonian_paths": ("count_hamiltonian_paths(regular(300), settings=S)",),
    "estimate": ("estimate('300x300', settings=S)", "estimate('50x50', by='ends', closed=False, settings=S)"),
    "find": (
        "find(regular(3000), start=0, at={1500: 7}, settings=S)",
        "find(regular(3000), 'sat', at={1500: 7}, settings=S)",
        "find(regular(2000), 'cpsat', at={1000: 7}, settings=S)",
        "find('60x60', at={1500: 'c3'}, settings=S)",
        "find('20x20', magic=['rows'], closed=True, settings=S)",
        "find(regular(30000, 3), at={9: 7}, settings=S)",
    ),
    "find_all": (
        "every(find_all('8x8', closed=True, settings=S))",
        "every(find_all(regular(3000), settings=S))",
        "every(find_all(regular(2000), at={1000: 7}, settings=S))",
        "every(find_all('30x30', number=10**6, diverse=True, settings=S))",
    ),
    "find_conflict": (
        "find_conflict(TourProblem(board='14x14', magic=['rows'], at={50: 'c3'}), settings=S)",
    ),
    "generating_function": ("generating_function('8xN', settings=S)",),
    "graph_table": ("graph_table([nx.complete_graph(40)], 'cycles', settings=S)",),
    "hamiltonian_cycle": ("hamiltonian_cycle(nx.circulant_graph(99999, [1, 2]), settings=S)",),
    "hamiltonian_path": ("hamiltonian_path(regular(100000, 3), 0, 1, settings=S)",),
    "is_hamiltonian": ("is_hamiltonian(nx.windmill_graph(400, 12), settings=S)",),
    "load_instance": ("load_instance('closed-6x6', S)",),
    "longest": (
        "longest(regular(600), settings=S)",
        "longest(nx.grid_2d_graph(17, 17), 'frontier', S)",
    ),
    "properties": ("properties('20x20', 'hamilton-connected', S)",),
    "prove": (
        "prove(regular(3000), settings=S)",
        "prove('60x60', symmetry='rot90', argument='clauses', settings=S)",
    ),
    "solutions": (
        "every(solutions(many_clauses(), settings=S))",
        "every(solutions(many_clauses(), 'cpsat', S))",
    ),
    "solve": ("solve(pigeons(13), settings=S)", "solve(pigeons(13), 'cpsat', S)"),
    "solve_swap": ("solve_swap(SwapPuzzle(start=f'{W}/{N}/{N}/{B}', goal=f'{B}/{N}/{N}/{W}'), settings=S)",),
    "strip_counts": ("strip_counts('8xN', 3000, closed=False, settings=S)",),
    "survey": ("survey('8x8', 'crossings', exact=True, closed=True, settings=S)",),
    "tour_steps": ("tour_steps(9000, 9001, closed=False, settings=S)",),
    "tours": ("tours('8x8', closed=True, settings=S)",),
    "unsat_core": ("unsat_core(pigeons(13), settings=S)",),
    "unsat_cores": ("every(unsat_cores(pigeons(13), settings=S))",),
    "explain_steps": ("every(explain_steps(pigeons(13), settings=S))",),
    "maximal_subsets": ("every(maximal_subsets(pigeons(13), settings=S))",),
}
"""For each function with settings, questions that it does not answer in time."""


def with_settings() -> list[str]:
    """The public names that take settings."""
    found = []
    for name in vars(ktsolve)["__all__"]:
        value = getattr(ktsolve, name)
        if callable(value) and not (isinstance(value, type) and issubclass(value, Exception | Settings)):
            found += [name] * ("settings" in inspect.signature(value).parameters)
    return found


def test_every_function_with_settings_has_a_row() -> None:
    assert sorted(with_settings()) == sorted(QUESTIONS)


def asked(question: str, call: str) -> str:
    """What a process of its own says of a question."""
    program = f"{MADE.replace('QUESTION', question)}\n{call}\nprint(ended[0])"
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=SECONDS
    )
    assert said.returncode == 0, said.stderr
    return said.stdout


@pytest.mark.parametrize(
    "question",
    [
        (slow if number or place % 7 else full)(each)
        for place, each_of in enumerate(QUESTIONS.values())
        for number, each in enumerate(each_of)
    ],
)
def test_a_time_limit_is_kept(question: str) -> None:
    said = asked(question, "ask()")
    assert said.startswith("answered") or "time limit of 1.5 s" in said


@pytest.mark.parametrize(
    "question", [(slow if number else full)(each) for number, each in enumerate(QUESTIONS["find"])]
)
def test_a_time_limit_is_kept_in_other_threads(question: str) -> None:
    said = asked(question, "thread = threading.Thread(target=ask); thread.start(); thread.join()")
    assert said.startswith("answered") or "time limit of 1.5 s" in said


HUNGRY = (
    "count('8x8', closed=False, settings=S)",
    "count('9x9', closed=False, by='ends', settings=S)",
    "count('9x9', 'frontier', closed=True, settings=S)",
    "count('9x9', 'quotient', closed=False, symmetry='rot180', settings=S)",
    "estimate('50x50', by='ends', closed=False, settings=S)",
    "every(find_all('9x9', 'frontier', closed=False, settings=S))",
    "find('12x12', 'cpsat', magic=['rows'], closed=True, settings=S)",
    "find('160x160', 'sat', closed=True, settings=S)",
    "generating_function('8xN', settings=S)",
    "solve_swap(SwapPuzzle(start=f'{W}/{N}/{N}/{B}', goal=f'{B}/{N}/{N}/{W}'), settings=S)",
    "strip_counts('8xN', 3000, closed=False, settings=S)",
    "survey('8x8', 'crossings', exact=True, closed=True, settings=S)",
    "tour_steps(9000, 9001, closed=False, settings=S)",
    "tours('8x8', closed=True, settings=S)",
)
"""Questions for which engines would take more memory than their limit, soon or later.

CP-SAT looks at its limit only while it searches: a model as large as that of a magic 20x20 passes it.
"""

MEASURED = """
import resource
import ortools.sat.python.cp_model, pysat.solvers

S = Settings(timeout=8, memory="200M")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
ask()
for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
    assert resource.getrusage(who).ru_maxrss - before < (200 + 100) << 10, ended
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the peak is in other units")
@pytest.mark.parametrize(
    "question", [(slow if number % 6 else full)(each) for number, each in enumerate(HUNGRY)]
)
def test_a_memory_limit_is_kept(question: str) -> None:
    """What the engine takes, beside what the program had before: of this process and of each worker."""
    assert re.match("answered|stopped: ", asked(question, MEASURED))


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize(
    ("setting", "value"), [("timeout", 5), ("memory", "2G"), ("threads", 1), ("progress", print)]
)
def test_a_setting_alone_gets_a_hint(name: str, setting: str, value: Any) -> None:
    task = getattr(ktsolve, name)
    needed = [each for each in inspect.signature(task).parameters.values() if each.default is each.empty]
    arguments = [None for each in needed if each.kind is each.POSITIONAL_OR_KEYWORD]
    with pytest.raises(ktsolve.BadInput) as refused:
        task(*arguments, **{setting: value})
    shown = "..." if callable(value) else repr(value)
    assert (
        str(refused.value) == f"{setting} is one of the settings: write settings=Settings({setting}={shown})"
    )


def test_settings_at_the_place_of_another_argument_and_american_spellings_get_a_hint() -> None:
    with pytest.raises(ktsolve.BadInput, match=r"engine is Settings: write settings=Settings\(\.\.\.\)"):
        ktsolve.find("6x6", Settings(timeout=5))  # type: ignore[arg-type]
    with pytest.raises(ktsolve.BadInput, match="minimize is written minimise"):
        ktsolve.best("6x6", minimize="turns")
    model = ktsolve.Model()
    with pytest.raises(AttributeError, match=r"minimize is written minimise: call model\.minimise\(\.\.\.\)"):
        model.minimize({})  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="'Model' object has no attribute 'organize'"):
        model.organize  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(ktsolve.BadInput, match="engine 'z3' is unknown: use auto, sat, cpsat"):
        ktsolve.solve(model, "z3")
    with pytest.raises(ktsolve.BadInput, match="SAT solver 'glpk' is unknown: use cadical103, "):
        ktsolve.find("6x6", settings=Settings(solver="glpk"))


@pytest.mark.full
def test_the_signal_of_a_program_is_its_own_again_after_a_limit() -> None:
    question = "find('20x20', magic=['rows'], closed=True, settings=S)"
    call = "import signal; signal.signal(signal.SIGALRM, print); ask()"
    program = f"{call}\nassert signal.getsignal(signal.SIGALRM) is print"
    assert asked(question, program).startswith("stopped: stopped at the time limit of 1.5 s")

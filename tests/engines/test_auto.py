"""The race of engines: the first checked answer wins, and no process is left, whatever happens.

Workers import this module for the engines in it, so it imports little.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import ClassVar

import pytest
from marks import full

from ktsolve.base.errors import InternalError, LimitReached, OutOfMemory, WrongAnswer
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines import auto
from ktsolve.engines.interface import ALL_FEATURES, Counted, Engine
from ktsolve.engines.race import Listing
from ktsolve.engines.registry import engine_named
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.named_graphs import named_graph
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem

RING = TourProblem(board=Graph("abcdef", ["ab", "bc", "cd", "de", "ef", "fa", "ad"]), closed=True)


class Planted(Engine):
    """An engine that a test puts among the others."""

    name = "planted"
    summary = "for tests"
    capabilities: ClassVar = dict.fromkeys(("construct", "enumerate", "count"), ALL_FEATURES)


class Right(Planted):
    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        return Tour.from_indices(problem.ground, range(6), closed=True)

    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        return Counted(1, 2)


class Late(Right):
    """Answers when all others have left the race: see raced."""

    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        while not Path(os.environ["ALONE"]).exists():
            time.sleep(0.01)
        return super().construct(problem, settings)


class Wrong(Planted):
    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        return Tour.from_indices(problem.ground, [0, 2, 1, 3, 4, 5], closed=True)


class Endless(Planted):
    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        while True:
            time.sleep(0.1)


class Crashing(Planted):
    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        os.kill(os.getpid(), signal.SIGSEGV)
        return None


class Faulty(Planted):
    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        raise ZeroDivisionError("fault injected")


class GivingUp(Planted):
    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        raise LimitReached("no way")


class Backwards(Planted):
    def enumerate(self, problem: TourProblem, settings: Settings) -> Iterator[Tour]:
        yield from sorted(
            engine_named("search").enumerate(problem, settings), key=lambda tour: tour.indices, reverse=True
        )


class Hungry(Right):
    """Needs more than half of the memory."""

    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        if settings.memory_budget < 600 << 20:
            raise OutOfMemory("stopped at the memory limit")
        return super().construct(problem, settings)


class Greedy(Hungry):
    pass


def children(process: int) -> list[int]:
    """Processes that a process has started and that still run."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == process and fields[0] not in "ZX":
            found.append(int(status.parent.name))
    return found


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    before = set(children(os.getpid()))
    yield
    assert set(children(os.getpid())) <= before


def raced(monkeypatch: pytest.MonkeyPatch, *engines: type[Planted], **limits: float) -> tuple[str, list[str]]:
    """The engine that wins, and what is said."""
    from ktsolve.engines import registry
    from ktsolve.engines.race import race

    said: list[str] = []
    names = [each.__name__.lower() for each in engines]
    for name, each in zip(names, engines, strict=True):
        monkeypatch.setitem(registry.ENGINES, name, f"test_auto:{each.__name__}")
    memory = int(limits["memory"]) if "memory" in limits else None
    with tempfile.TemporaryDirectory() as folder:
        alone = Path(folder, "alone")
        monkeypatch.setenv("ALONE", str(alone))

        def remark(line: str) -> None:
            said.append(line)
            if sum(" left the race: " in each for each in said) == len(names) - 1:
                alone.touch()

        settings = Settings(timeout=limits.get("timeout"), memory=memory, remark=remark)
        winner, tour = race("construct", RING, names, settings)
    assert isinstance(tour, Tour)
    assert RING.check(tour) is None
    return winner, said


def test_the_first_answer_wins_and_the_others_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    winner, said = raced(monkeypatch, Endless, Right, Late)
    assert winner == "right"
    assert said[0].startswith("race of endless, right, late on ")
    assert said[-1].startswith("right answered first")


@pytest.mark.full
def test_an_engine_that_fails_leaves_the_race(monkeypatch: pytest.MonkeyPatch) -> None:
    winner, said = raced(monkeypatch, Crashing, Faulty, GivingUp, Late)
    assert winner == "late"
    left = {line.partition(" left the race: ")[0] for line in said if " left the race: " in line}
    assert left == {"crashing", "faulty", "givingup"}


@pytest.mark.full
def test_a_wrong_answer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(WrongAnswer, match="engine wrong gave a wrong tour"):
        raced(monkeypatch, Wrong, Endless)


@pytest.mark.full
def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LimitReached, match="no way"):
        raced(monkeypatch, GivingUp, GivingUp, timeout=30)
    with pytest.raises(InternalError, match="fault injected"):
        raced(monkeypatch, GivingUp, Faulty)
    # On a busy machine the time may be over before the second has begun.
    endings = r"(, givingup yet| yet; givingup stopped: no way)"
    with pytest.raises(LimitReached, match=f"time limit of 2 s, no answer of endless{endings}$"):
        raced(monkeypatch, Endless, GivingUp, timeout=2)


@pytest.mark.full
def test_an_engine_that_ran_out_of_memory_gets_what_others_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    winner, said = raced(monkeypatch, Hungry, GivingUp, memory=800 << 20)
    assert winner == "hungry"
    assert "hungry starts again with 800 MiB" in said
    # Where all need more the message has the limit of all, not the share of one.
    with pytest.raises(OutOfMemory, match=r"memory limit of 400 MiB, each of greedy, hungry$"):
        raced(monkeypatch, Hungry, Greedy, memory=400 << 20)


class Forgetful(Planted):
    def enumerate(self, problem: TourProblem, settings: Settings) -> Iterator[Tour]:
        yield from islice(engine_named("search").enumerate(problem, settings), 1, None)


class Slow(Planted):
    def enumerate(self, problem: TourProblem, settings: Settings) -> Iterator[Tour]:
        for tour in engine_named("search").enumerate(problem, settings):
            time.sleep(0.05)
            yield tour


def merged(monkeypatch: pytest.MonkeyPatch, *engines: type[Planted], number: int | None = None) -> Listing:
    """A list by planted engines side by side, after a moment of the first."""
    from ktsolve.engines import race, registry

    names = [each.__name__.lower() for each in engines]
    for name, each in zip(names, engines, strict=True):
        monkeypatch.setitem(registry.ENGINES, name, f"test_auto:{each.__name__}")
    monkeypatch.setattr(race, "contenders", lambda *_, **__: names)
    return Listing(TourProblem(board="5x5", closed=False), "auto", Settings(), number)


@pytest.mark.full
def test_lists_side_by_side_have_each_tour_once(monkeypatch: pytest.MonkeyPatch) -> None:
    listing = merged(monkeypatch, Slow, Backwards)
    tours = [tour.normalised().indices for tour in listing]
    assert len(tours) == len(set(tours)) == 864
    assert listing.engine in ("slow", "backwards")


@pytest.mark.full
def test_a_list_that_lacks_tours_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(WrongAnswer, match="engine forgetful lists 863 tours of open 5x5, and other engines"):
        list(merged(monkeypatch, Slow, Forgetful))


@pytest.mark.full
def test_a_few_tours_come_from_the_favourite(monkeypatch: pytest.MonkeyPatch) -> None:
    listing = merged(monkeypatch, Slow, Endless, number=30)
    assert len(list(islice(listing, 30))) == 30
    assert listing.engine == "slow"


def test_small_and_narrow_graphs_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    import networkx

    from ktsolve.base.workers import WorkerPool
    from ktsolve.tasks.count import count
    from ktsolve.tasks.find import find

    def refuse(*_: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(WorkerPool, "start", refuse)
    for graph in (networkx.petersen_graph(), networkx.dodecahedral_graph(), networkx.tutte_graph()):
        assert find(TourProblem(board=Graph.of(graph), closed=False)).found
        assert count(TourProblem(board=Graph.of(graph), closed=True)).count in (0, 30)
    narrow = networkx.circular_ladder_graph(300)
    assert count(TourProblem(board=Graph.of(narrow), closed=True)).count == 302


@pytest.mark.full
def test_the_race_on_real_graphs() -> None:
    import networkx

    from ktsolve.engines.race import race

    problem = TourProblem(board=Graph.of(networkx.random_regular_graph(3, 70, seed=2)), closed=True)
    winner, tour = race("construct", problem, ["sat", "search"], Settings(timeout=60))
    assert winner in ("sat", "search")
    assert isinstance(tour, Tour)
    winner, counted = race("count", problem, ["frontier", "search"], Settings(timeout=100))
    assert isinstance(counted, Counted)
    assert counted.count > 0


RACING = """
import test_auto
from ktsolve.engines import registry
from ktsolve.base.limits import Settings
from ktsolve.engines.race import race

for name in ("one", "another"):
    registry.ENGINES[name] = "test_auto:Endless"
remark = lambda text: print(text, flush=True)
race("construct", test_auto.RING, ["one", "another"], Settings(remark=remark))
"""


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are counted in /proc")
@pytest.mark.parametrize("signal_number", [signal.SIGINT, full(signal.SIGKILL)])
def test_no_process_outlives_the_race(signal_number: signal.Signals) -> None:
    here = Path(__file__).parent
    env = {**os.environ, "PYTHONPATH": f"{here}{os.pathsep}{here.parent / 'support'}"}
    with subprocess.Popen(
        [sys.executable, "-c", RACING],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=env,
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline().startswith("race of one, another")
        until = time.monotonic() + 20
        while len(workers := children(running.pid)) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        assert len(workers) == 2
        running.send_signal(signal_number)
        sent = time.monotonic()
        running.wait(10)
    while any(Path(f"/proc/{worker}").exists() for worker in workers) and time.monotonic() < sent + 5:
        time.sleep(0.05)
    assert not [worker for worker in workers if Path(f"/proc/{worker}").exists()]


@pytest.mark.full
def test_the_command_refuses_a_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    from command import refused

    from ktsolve.engines import auto, race, registry

    for name, each in (("wrong", Wrong), ("endless", Endless)):
        monkeypatch.setitem(registry.ENGINES, name, f"test_auto:{each.__name__}")
    monkeypatch.setattr(auto.Trials, "endless", lambda _: ["wrong", "endless"])
    monkeypatch.setattr(race, "_tried", lambda *_: None)
    said = refused("tour", "graph:octahedral", status=4)
    assert said.startswith("engine wrong gave a wrong tour for closed graph of 6 vertices")


def test_engines_that_lack_memory_by_far_take_no_share_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "_PREDICTED", 600.0)  # on a slow machine too
    problem = TourProblem(board=named_graph("hypercube:6"), closed=True)
    for memory, expected in (("8G", ["join", "search"]), ("1G", ["frontier", "join", "search"])):
        settings = Settings(memory=memory, threads=2)
        trials = auto.Trials("count", problem, Clock(settings), settings)
        assert list(trials.timed()) == []
        assert trials.endless() == expected

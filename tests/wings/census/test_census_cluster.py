"""A census on a Dask cluster: two worker processes, one of which is killed in the middle of a job."""

from __future__ import annotations

import builtins
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from census_engines import census, ended, start
from command import refused

from ktsolve.base.limits import Settings
from ktsolve.engines.registry import ENGINES
from ktsolve.problem.problem import TourProblem
from ktsolve.wings.census.jobs import make_census
from ktsolve.wings.census.ledger import Ledger
from ktsolve.wings.census.work import Task, WorkerSlot

TOTAL = "open 5x5 by ends: 864 undirected tours"
CLUSTER = """
import sys
from distributed import LocalCluster

if __name__ == "__main__":
    with LocalCluster(
        n_workers=2, threads_per_worker=1, memory_limit="512MiB", dashboard_address=None, silence_logs=50
    ) as cluster:
        print(cluster.scheduler_address, *(worker.pid for worker in cluster.workers.values()), flush=True)
        sys.stdin.read()
"""


@contextlib.contextmanager
def cluster(tmp_path: Path, **environment: str) -> Iterator[tuple[str, list[int]]]:
    """Address and process numbers of a cluster of two workers, in processes of its own."""
    pytest.importorskip("distributed")
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER)
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "support"), **environment}
    with subprocess.Popen(
        [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env
    ) as process:
        assert process.stdout is not None
        address, *workers = process.stdout.readline().split()
        try:
            yield address, [int(worker) for worker in workers]
        finally:
            process.communicate("", timeout=30)


def counted(path: str) -> int:
    with contextlib.suppress(Exception), Ledger.read(path) as opened:
        return sum(row.result is not None for row in opened.rows())
    return 0


@pytest.mark.slow
def test_a_worker_is_killed_in_the_middle_of_a_job(tmp_path: Path) -> None:
    path, log = str(tmp_path / "tours.db"), str(tmp_path / "log.txt")
    with cluster(tmp_path, CENSUS_LOG=log, CENSUS_DELAY="0.2") as (address, workers):
        arguments = [
            "5x5",
            "--open",
            "--ledger",
            path,
            "--engine",
            "logged",
            "--dask",
            address,
            "--audit",
            "2",
        ]
        running = start(*arguments)
        until = time.monotonic() + 30
        while counted(path) < 3 and time.monotonic() < until:
            time.sleep(0.05)
        os.kill(workers[0], signal.SIGKILL)
        said = ended(running)
        assert (said.status, said.out.splitlines()[0]) == (0, TOTAL), said
        # Nothing was lost but the job that the dead worker was at.
        done = Path(log).read_text("ascii").splitlines()
        assert len(set(done)) == 16
        assert len(done) <= 17
        assert said.out.count("as in the ledger") == 2

        # Memory as the workers state it: three quarters of 512 MiB.
        other = str(tmp_path / "other.db")
        said = census("5x5", "--open", "--ledger", other, "--engine", "hungry", "--dask", address, "-q")
        assert said.status == 3
        assert (
            said.err == "ktsolve: a5-c5: it needs about 1 GiB; the largest worker has 384 MiB, and 7 more\n"
        )
        assert counted(other) == 8


class DeadFuture:
    """A task that is over, and whose worker died before anyone fetched what it gave."""

    status = "finished"

    def done(self) -> bool:
        return True

    def result(self) -> Any:
        raise AssertionError("this would wait for ever")


class Scheduler:
    """A client of a scheduler of one worker, which goes away once it has a task."""

    status = "running"

    def __init__(self, *_address: Any, **_how: Any) -> None:
        self.workers: dict[str, Any] = {"tcp://one": {"memory_limit": 4 << 30, "nthreads": 2}}

    def subscribe_topic(self, _topic: str, heard: Any) -> None:
        self.heard = heard

    def scheduler_info(self, n_workers: int) -> dict[str, Any]:
        return {"workers": self.workers}

    def submit(self, *_task: Any, **_how: Any) -> DeadFuture:
        self.workers = {}
        return DeadFuture()

    def cancel(self, _futures: Any, force: bool) -> None: ...

    def close(self, timeout: float) -> None: ...


def test_nothing_is_fetched_from_a_worker_that_died(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(distributed, "Client", Scheduler)
    monkeypatch.setattr("ktsolve.wings.census.cluster._LOOK", 0.0)
    from ktsolve.wings.census.cluster import DaskPool

    asked = make_census(TourProblem(board="5x6", closed=True))
    task = Task(asked.problem, asked.jobs, "search", ENGINES["search"], Settings())
    with contextlib.closing(DaskPool("tcp://scheduler", Settings())) as pool:
        slot = pool.offer(1 << 30)
        assert slot == WorkerSlot("tcp://one", 3 << 30, 2)
        pool.start(1, slot, task)
        (event,) = pool.wait(0.01)
        assert (event.ticket, event.kind, str(event.value)) == (1, "died", "its worker tcp://one is gone")
        assert pool.wait(0.01) == []
        assert (pool.size, pool.offer(None)) == (0, None)


@pytest.mark.full
def test_nobody_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("ktsolve.wings.census.cluster._ANSWER", 0.5)
    for address in ("tcp://127.0.0.1:9", "nonsense"):
        told = refused("census", "5x6", "--ledger", str(tmp_path / "tours.db"), "--dask", address)
        assert told == f"no Dask scheduler answers at {address}: write an address such as tcp://host:8786"
    assert os.listdir(tmp_path) == []


def test_the_extra_is_named_where_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *rest: Any, **more: Any) -> Any:
        if name.partition(".")[0] == "distributed":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", missing)
    told = refused("census", "5x6", "--ledger", str(tmp_path / "tours.db"), "--dask", "tcp://127.0.0.1:9")
    assert told.endswith("which is not installed: pip install distributed")

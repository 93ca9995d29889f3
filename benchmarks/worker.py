"""The worker process: runs a contender, checks answers, or describes the machine.

``measure.py`` starts it with a job in JSON as its argument, or on standard input if the job is not measured.
It prints a line of JSON; a contender prints a second line with the answer. Other output goes to standard
error.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from contract import Contender, Question
from rivals import CONTENDERS

_Act = Callable[[dict[str, Any]], list[Any]]


def main() -> None:
    """Run the job."""
    serve({"check": _check, "facts": _facts}, lambda job: contend(CONTENDERS, job, _question(job)))


def serve(acts: Mapping[str, _Act], otherwise: _Act) -> None:
    """Run the job in the argument or on standard input, print its lines of JSON, and end the process."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    job: dict[str, Any] = json.loads(sys.argv[1] if len(sys.argv) > 1 else sys.stdin.read())
    act = acts.get(job["action"], otherwise)
    for line in act(job):
        out.write(json.dumps(line) + "\n")
    out.flush()
    os._exit(0)  # no destructors: the time to free memory is not measured


def _question(job: dict[str, Any]) -> Question:
    return Question(**job["question"])


# -- work -----------------------------------------------------------------------------------------------


def contend(contenders: Mapping[str, type[Contender]], job: dict[str, Any], question: Any) -> list[Any]:
    """Return what a contender said: a line about the run, and its answer if there is one."""
    import resource

    memory: int = job["memory"]
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    # An engine's own memory budget is smaller than the limit, so that it can stop cleanly.
    contender = contenders[job["contender"]](memory * 7 // 8)
    reason = contender.available()
    if reason:
        return [{"status": "unavailable", "reason": reason}]
    try:
        return _worked(contender, job["action"], question)
    except MemoryError:
        return [{"status": "memory limit", "reason": f"more than {memory / 2**30:g} GiB"}]
    except NotImplementedError as error:
        return [{"status": "unavailable", "reason": str(error)}]
    except Exception as error:
        kind = type(error).__name__
        status = "memory limit" if kind == "LimitReached" and "memory" in str(error) else "failed"
        if kind == "Refused":
            return [{"status": "refused", "reason": str(error)}]
        return [{"status": status, "reason": f"{kind}: {error}"}]


def _worked(contender: Contender, action: str, question: Any) -> list[Any]:
    contender.load(action)
    work: Callable[[Any], Any] = getattr(contender, action)
    started, started_cpu = time.perf_counter(), time.process_time()
    found = work(question)
    seconds, cpu = time.perf_counter() - started, time.process_time() - started_cpu
    said: dict[str, Any] = {"status": "ok", "work": seconds, "work_cpu": cpu, "phases": contender.phases}
    if action == "count":
        said["details"] = found[1]
        return [said, found[0]]
    if action == "construct":
        found = [] if found is None else [found]
    return [said, contender.walks(found)]


# -- the check ------------------------------------------------------------------------------------------


def _check(job: dict[str, Any]) -> list[Any]:
    """Return ``ok`` or ``wrong``, a remark, and the number of tours for each file with an answer."""
    question = _question(job)
    verdicts = []
    for file in job["files"]:
        with open(file, encoding="utf-8") as stream:
            if job["task"] == "command":
                verdicts.append(_check_text(stream.read(), question))
            else:
                stream.readline()
                verdicts.append(_check_answer(json.loads(stream.readline()), job["task"], question))
    return [verdicts]


_Verdict = tuple[str, str, int]


def _check_number(count: int, question: Question) -> _Verdict:
    from ktsolve.verify.published import published_value

    known = published_value(question.problem())
    if known is None:
        return "ok", "no published value", count
    if count != known.count:
        return "wrong", f"{count} tours; published: {known.count} ({known.source})", count
    return "ok", f"as published: {known.source}", count


def _check_answer(answer: Any, task: str, question: Question) -> _Verdict:
    from ktsolve.graphs.tour import Tour

    if task == "count":
        return _check_number(answer, question)
    problem = question.problem()
    tours = [Tour.from_indices(problem.board, walk, problem.closed) for walk in answer]
    if task == "construct" and not tours:
        return "wrong", "answered that there is no tour", 0
    fault = next((fault for tour in tours if (fault := problem.check(tour)) is not None), None)
    if fault is not None:
        return "wrong", str(fault), len(tours)
    if task == "construct":
        return "ok", "valid", 1
    distinct = len({tour.normalised().indices for tour in tours})
    if distinct != len(tours):
        return "wrong", f"{len(tours)} tours, only {distinct} different", len(tours)
    return _check_number(len(tours), question)


def _check_text(text: str, question: Question) -> _Verdict:
    """Check the output of a command: a line with the number of tours, or a tour."""
    import re

    from ktsolve.base.errors import KtsolveError
    from ktsolve.formats.tours.files import read_tour

    problem = question.problem()
    said = re.search(r": (\d+) undirected tours", text)
    if said is not None:
        return _check_number(int(said[1]), question)
    try:
        fault = problem.check(read_tour(text, problem.board, problem.closed))
    except KtsolveError as error:
        return "wrong", str(error), 1
    return ("ok", "valid", 1) if fault is None else ("wrong", str(fault), 1)


# -- the machine ----------------------------------------------------------------------------------------


def _facts(_job: dict[str, Any]) -> list[Any]:
    return machine_facts(("ktsolve", "ortools", "python-sat", "numpy", "graphillion"))


def machine_facts(packages: Sequence[str]) -> list[Any]:
    """Return the machine and the versions of these packages, and a hash of ktsolve's files."""
    import importlib.metadata
    import platform

    facts = {
        "cores": str(len(os.sched_getaffinity(0))),
        "CPU": _line("/proc/cpuinfo", "model name") or platform.machine(),
        "memory": f"{int((_line('/proc/meminfo', 'MemTotal') or '0 kB').split()[0]) / 2**20:.1f} GiB",
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
    }
    for package in packages:
        try:
            facts[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            facts[package] = "not installed"
    facts["native core"] = _compiler()
    return [{"facts": facts, "fingerprint": _fingerprint()}]


def _fingerprint() -> str:
    """Return a hash of all files of ktsolve, to detect a change during a run."""
    import hashlib
    from pathlib import Path

    files: set[Path] = set()
    for name in ("ktsolve._native", "ktsolve", "ktsolve.models"):
        spec = importlib.util.find_spec(name)  # does not import ktsolve.models
        if spec is not None and spec.origin is not None:
            file = Path(spec.origin)
            files |= set(file.parent.rglob("*.py")) if file.name == "__init__.py" else {file}
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _line(file: str, key: str) -> str | None:
    try:
        with open(file, encoding="utf-8") as stream:
            return next((line.split(":", 1)[1].strip() for line in stream if line.startswith(key)), None)
    except OSError:
        return None


def _compiler() -> str:
    """Return the compiler of the native core, from its note in the file."""
    import re
    from pathlib import Path

    spec = importlib.util.find_spec("ktsolve._native")
    if spec is None or spec.origin is None:
        return "not found"
    note = re.search(rb"GCC: \([^)\0]*\) [0-9.]+|clang version [0-9.]+", Path(spec.origin).read_bytes())
    return "compiler unknown" if note is None else f"compiled by {note[0].decode('ascii', 'replace')}"


if __name__ == "__main__":
    main()

"""The worker process of ``graphs.py``: runs a contender on a graph, or checks answers (see ``worker.py``)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from graph_contenders import GRAPH_CONTENDERS, CubHamg
from graph_families import GraphQuestion, ListQuestion, write_list
from worker import contend, machine_facts, serve


def _contend(job: dict[str, Any]) -> list[Any]:
    question = GraphQuestion.parse(job["graph"])
    if job["list"]:
        listed = ListQuestion(Path(job["list"]))
        # Decoded before the work begins, but for programs that read the file themselves.
        assert GRAPH_CONTENDERS[job["contender"]].reads_lists or listed.graphs
        return contend(GRAPH_CONTENDERS, job, listed)
    assert question.edges  # made before the work begins
    return contend(GRAPH_CONTENDERS, job, question)


def _check(job: dict[str, Any]) -> list[Any]:
    """Return ``ok`` or ``wrong``, a remark, and the answer as text for each file."""
    question = GraphQuestion.parse(job["graph"])
    return [[_verdict(question, job["task"], job["known"], file) for file in job["files"]]]


def _verdict(question: GraphQuestion, task: str, known: int | None, file: str) -> tuple[str, str, str]:
    with open(file, encoding="utf-8") as stream:
        stream.readline()
        answer = json.loads(stream.readline())
    if task in ("count", "decide", "count-each"):
        if known is not None and answer != known:
            what = "Hamiltonian graphs" if task == "decide" else "cycles"
            return "wrong", f"{answer} {what}, known: {known}", str(answer)
        return "ok", "", str(answer)
    if task == "refute":
        return ("wrong", "answered with a cycle", "cycle") if answer else ("ok", "", "none")
    if not answer:
        return "wrong", "answered that there is no cycle", "none"
    (walk,) = answer
    edges = set(question.edges)
    if sorted(walk) != list(range(question.vertices)):
        return "wrong", "not every vertex once", "cycle"
    if any((min(a, b), max(a, b)) not in edges for a, b in zip(walk, [*walk[1:], walk[0]], strict=True)):
        return "wrong", "a step is not an edge", "cycle"
    return "ok", "", "cycle"


def _describe(job: dict[str, Any]) -> list[Any]:
    """Return the numbers of vertices and edges of graphs."""
    return [[GraphQuestion.parse(graph).size for graph in job["graphs"]]]


def _list(job: dict[str, Any]) -> list[Any]:
    """Write a list to a file. Return why not; empty if it is done."""
    return [write_list(GraphQuestion.parse(job["graph"]), job["file"])]


def _facts(job: dict[str, Any]) -> list[Any]:
    (said,) = machine_facts(job["packages"])
    if "nauty" in said["facts"] and not (cubhamg := CubHamg(0)).available():
        said["facts"]["nauty"] = cubhamg.version()
    return [said]


if __name__ == "__main__":
    serve({"check": _check, "facts": _facts, "describe": _describe, "list": _list}, _contend)

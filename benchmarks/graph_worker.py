"""The worker process of ``graphs.py``: runs a contender on a graph, or checks answers (see ``worker.py``)."""

from __future__ import annotations

import json
from typing import Any

from graph_contenders import GRAPH_CONTENDERS
from graph_families import GraphQuestion
from worker import contend, machine_facts, serve


def _contend(job: dict[str, Any]) -> list[Any]:
    question = GraphQuestion.parse(job["graph"])
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
    if task == "count":
        if known is not None and answer != known:
            return "wrong", f"{answer} cycles, known: {known}", str(answer)
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
    questions = [GraphQuestion.parse(graph) for graph in job["graphs"]]
    return [[(question.vertices, len(question.edges)) for question in questions]]


def _facts(job: dict[str, Any]) -> list[Any]:
    return machine_facts(job["packages"])


if __name__ == "__main__":
    serve({"check": _check, "facts": _facts, "describe": _describe}, _contend)

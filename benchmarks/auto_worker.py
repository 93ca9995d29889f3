"""The worker process of ``auto.py``: reads commands as questions and says which engines take them."""

from __future__ import annotations

import argparse
from typing import Any

from worker import machine_facts, serve


def question_of(line: str) -> tuple[str, Any]:
    """Return the task and the problem of a command; for an objective, the problem with a bound on it."""
    from ktsolve.graphs.board import Board
    from ktsolve.graphs.named_graphs import PREFIX, named_graph
    from ktsolve.problem.conditions import KEYS, Bound, parse_condition
    from ktsolve.problem.problem import TourProblem
    from ktsolve.problem.statistics import SENSES, Statistic

    parser = argparse.ArgumentParser(allow_abbrev=False)
    for name in ("command", "board"):
        parser.add_argument(name)
    parser.add_argument("index", nargs="?")
    for flag in ("--open", "--all", "--directed"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--without", default="")
    parser.add_argument("--leaper", default="1,2")
    parser.add_argument("--wrap", default="none")
    for flag in ("--number", "--by-uses", *(f"--{sense}" for sense in SENSES)):
        parser.add_argument(flag)
    keys = [(key, kind.metavar) for key, (kind, _) in KEYS.items() if kind.flag is not None]
    for key, metavar in keys:
        flag = f"--{KEYS[key][0].flag}"
        if metavar:
            parser.add_argument(flag, dest=f"key {key}", action="append", default=[])
        else:
            parser.add_argument(flag, dest=f"key {key}", action="append_const", const="", default=[])
    given = vars(parser.parse_args(line.split()))
    board: str = given["board"]
    if board.startswith(PREFIX):
        ground = named_graph(board)
    else:
        row, column = map(int, given["leaper"].split(","))
        ground = Board.parse(board, without=given["without"], leaper=(row, column), wrap=given["wrap"])
    conditions = [
        each for key, _ in keys for text in given[f"key {key}"] for each in parse_condition(key, text, ground)
    ]
    task = {"unrank": "rank", "count": "count"}.get(given["command"], "construct")
    if given["by_uses"]:
        task = "tally"
    if given["all"] or given["number"]:
        task = "enumerate"
    for sense in SENSES:
        if given[sense]:
            task = "optimise"
            conditions.append(Bound(Statistic.parse(given[sense], ground), least=0))
    return task, TourProblem(board=ground, closed=not given["open"], conditions=conditions)


def _engines(job: dict[str, Any]) -> list[Any]:
    """Return for each command its task and the names of the engines that take it."""
    from ktsolve.engines.registry import engines_for

    found = []
    for line in job["lines"]:
        task, problem = question_of(line)
        found.append((task, engines_for(task, problem)))
    return [found]


def _facts(job: dict[str, Any]) -> list[Any]:
    return machine_facts(job["packages"])


if __name__ == "__main__":
    serve({"engines": _engines, "facts": _facts}, lambda job: [])

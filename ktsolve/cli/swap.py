"""``ktsolve swap``: leapers change places in fewest jumps or moves."""

from __future__ import annotations

import time
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.limits import backstop
from ktsolve.cli.output import (
    check_writable,
    emit,
    emit_json,
    json_when_stopped,
    remark,
    with_progress,
    writing,
)
from ktsolve.errors import BadInput, LimitReached

if TYPE_CHECKING:
    from ktsolve.problem.swap import SwapPuzzle
    from ktsolve.problem.swap_solution import SwapSolution
    from ktsolve.settings import Settings
    from ktsolve.swap.answer import SwapAnswer
    from ktsolve.swap.instance import SwapInstance


class Network(str, Enum):
    """Which network is written."""

    all = "all"
    shortest = "shortest"


_PROBLEM, _WORK, _OUTPUT = "What is asked", "How it is worked out", "What is printed"


_WORTH_SAYING = 16 << 20
"""Bytes from which a search says beforehand what it takes."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="swap")(swap)


def swap(
    instance: Annotated[
        str, typer.Argument(metavar="INSTANCE", help="A puzzle's file, or the name of a shipped one.")
    ],
    objective: Annotated[
        str | None,
        typer.Option("--objective", metavar="jumps|moves", help="What is few.", rich_help_panel=_PROBLEM),
    ] = None,
    longest: Annotated[
        str | None,
        typer.Option("--longest", metavar="1|2|3|any", help="Jumps in a move.", rich_help_panel=_PROBLEM),
    ] = None,
    most: Annotated[
        int | None,
        typer.Option("--most", metavar="N", help="Only at most N jumps (moves).", rich_help_panel=_PROBLEM),
    ] = None,
    count: Annotated[
        bool, typer.Option("--count", help="Count the shortest solutions.", rich_help_panel=_PROBLEM)
    ] = False,
    all_solutions: Annotated[
        bool,
        typer.Option("--all", help="List the shortest solutions, one to a line.", rich_help_panel=_PROBLEM),
    ] = False,
    engine: Annotated[
        str, typer.Option("--engine", metavar="NAME", help="bfs, sat or cpsat.", rich_help_panel=_WORK)
    ] = "bfs",
    solver: opt.SolverOption = None,
    timeout: opt.TimeoutOption = None,
    threads: opt.ThreadsOption = None,
    memory: opt.MemoryOption = None,
    proof: Annotated[
        str | None,
        typer.Option(
            "--proof",
            metavar="FILE.cnf",
            help="Write clauses that a shorter solution satisfies, and FILE.drup, their refutation.",
            rich_help_panel=_OUTPUT,
            callback=check_writable,
        ),
    ] = None,
    export: Annotated[
        str | None,
        typer.Option(
            "--export",
            metavar="FILE.net|.graphml|.dot|.json",
            help="Write the network of positions.",
            rich_help_panel=_OUTPUT,
            callback=check_writable,
        ),
    ] = None,
    network: Annotated[
        Network,
        typer.Option("--network", help="All positions, or shortest solutions only.", rich_help_panel=_OUTPUT),
    ] = Network.all,
    draw: Annotated[
        str | None,
        typer.Option(
            "--draw",
            metavar="FILE.svg",
            help="Draw the shortest solutions in layers.",
            rich_help_panel=_OUTPUT,
            callback=check_writable,
        ),
    ] = None,
    animate: Annotated[
        str | None,
        typer.Option(
            "--animate",
            metavar="FILE.svg",
            help="Draw a solution that moves.",
            rich_help_panel=_OUTPUT,
            callback=check_writable,
        ),
    ] = None,
    json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    quiet: opt.QuietOption = False,
) -> int:
    """Exchange leapers in fewest jumps or moves, prove that it is fewest, and count the ways."""
    from ktsolve.swap.instance import load_swap_instance

    if all_solutions and count:
        raise BadInput("--all and --count do not go together: the list is as long as it is")
    settings = opt.make_settings(timeout, memory, threads, None, solver)
    if all_solutions and (proof is not None or animate is not None):
        raise BadInput("--proof and --animate are about one solution: leave out --all")
    if proof is not None and Path(proof).suffix != ".cnf":
        raise BadInput(f"--proof {proof}: the name must end with .cnf; the proof goes beside it, as .drup")
    if export is not None:
        _ending(export)
    with backstop(settings.timeout):
        loaded = load_swap_instance(instance)
        puzzle = _asked(loaded.puzzle, objective, longest, most)
        with with_progress(settings, loaded.title, quiet=quiet) as watched:
            if export is not None:
                _export(puzzle, network, export, watched, quiet)
            if draw is not None:
                _draw(puzzle, loaded.title, draw, watched)
            if all_solutions:
                return _all(loaded, puzzle, engine, watched, json, output, quiet)
            return _one(loaded, puzzle, engine, watched, count, proof, animate, json, output, quiet)


def _asked(puzzle: SwapPuzzle, objective: str | None, longest: str | None, most: int | None) -> SwapPuzzle:
    from ktsolve.problem.swap_parameters import longest_move

    wanted = puzzle.objective if objective is None else objective
    limit = puzzle.longest if wanted == puzzle.objective else None
    return replace(
        puzzle,
        objective=wanted,
        longest=limit if longest is None else longest_move(longest),
        most=puzzle.most if most is None else most,
    )


def _one(
    loaded: SwapInstance,
    puzzle: SwapPuzzle,
    engine: str,
    settings: Settings,
    count: bool,
    proof: str | None,
    animate: str | None,
    json: bool,
    output: str | None,
    quiet: bool,
) -> int:
    from ktsolve.swap.answer import solve_swap

    if engine == "bfs":
        _state_memory(puzzle, quiet)
    unknown = {**_question(loaded, puzzle), "status": "unknown", "engine": engine}
    with json_when_stopped(json, unknown, output):
        answer = solve_swap(puzzle, engine, settings, count=count)
    certificate = None
    if proof is not None:
        certificate = _prove(puzzle, answer, proof, settings)
    if animate is not None:
        from ktsolve.swap.drawing import animation_svg

        emit(animation_svg(_found(answer, "an animation")), animate)
    disagreement = _disagreement(loaded, puzzle, answer)
    if json:
        emit_json(_as_json(loaded, puzzle, answer, certificate, disagreement), output)
    else:
        emit(_as_text(loaded, puzzle, answer, certificate, disagreement), output)
        remark(f"{answer.engine}, {answer.seconds:.3f} s", quiet=quiet)
    return 0 if answer.solution is not None and not disagreement else 1


def _state_memory(puzzle: SwapPuzzle, quiet: bool) -> None:
    from ktsolve.settings import shown_bytes
    from ktsolve.swap.search import memory_needed

    needed = memory_needed(puzzle)
    if needed >= _WORTH_SAYING:
        text = f"{puzzle.positions:,} positions: {shown_bytes(needed)} for their distances, and layers on top"
        remark(text, quiet=quiet)


def _found(answer: SwapAnswer, what: str) -> SwapSolution:
    if answer.solution is None:
        raise BadInput(f"there is no solution, so there is nothing to draw: leave out {what}")
    return answer.solution


def _prove(puzzle: SwapPuzzle, answer: SwapAnswer, file: str, settings: Settings) -> str:
    from ktsolve.swap.certificate import certify

    if answer.solution is not None:
        steps = len(answer.solution) - 1
    elif puzzle.most is not None:
        steps = puzzle.most
    else:
        raise BadInput(
            "--proof refutes solutions of at most so many steps: the goal is out of reach, so give --most"
        )
    if steps < 0:
        raise BadInput("--proof: nothing is shorter than a solution of no steps")
    certificate = certify(puzzle, steps, settings)
    proof = str(Path(file).with_suffix(".drup"))
    emit(certificate.clauses, file)
    emit(certificate.proof, check_writable(proof))
    return (
        f"refuted and checked: no solution of at most {steps} {puzzle.objective}; "
        f"{certificate.number_of_clauses:,} clauses in {file}, {certificate.lemmas:,} lemmas in {proof}"
    )


def _all(
    loaded: SwapInstance,
    puzzle: SwapPuzzle,
    engine: str,
    settings: Settings,
    json: bool,
    output: str | None,
    quiet: bool,
) -> int:
    from ktsolve.swap.answer import all_shortest

    started = time.perf_counter()
    found: list[SwapSolution] = []
    number = 0
    stopped: BaseException | None = None
    try:
        if json:
            for solution in all_shortest(puzzle, engine, settings):
                found.append(solution)  # noqa: PERF402 (kept at Ctrl-C)
            number = len(found)
        else:
            with writing(output) as write:
                for solution in all_shortest(puzzle, engine, settings):
                    write(solution.line())
                    number += 1
    except (LimitReached, KeyboardInterrupt) as stop:
        stopped = stop
    if json:
        status = "found" if found else "unknown" if stopped else "impossible"
        data = {**_question(loaded, puzzle), "status": status, "complete": stopped is None}
        data |= {"list": [solution.to_json() for solution in found], "engine": engine}
        data["seconds"] = round(time.perf_counter() - started, 6)
        emit_json({**data, "reason": str(stopped) or "interrupted"} if stopped else data, output)
    if isinstance(stopped, KeyboardInterrupt):
        raise LimitReached(f"interrupted, {_solutions(number or len(found))} written") from None
    if stopped is not None:
        raise stopped
    if not json and not number:
        emit("no solution", None)
    remark(f"{_solutions(number)}, {engine}, {time.perf_counter() - started:.3f} s", quiet=quiet)
    return 0 if number else 1


def _ending(file: str) -> str:
    from ktsolve.swap.exchange import NETWORK_FORMATS

    ending = Path(file).suffix.removeprefix(".")
    if ending not in NETWORK_FORMATS:
        wanted = ", ".join("." + each for each in NETWORK_FORMATS)
        raise BadInput(f"--export {file}: the name must end with one of {wanted}")
    return ending


def _export(puzzle: SwapPuzzle, which: Network, file: str, settings: Settings, quiet: bool) -> None:
    from ktsolve.swap.exchange import written_network
    from ktsolve.swap.network import shortest_network, summary, swap_network

    network = swap_network(puzzle, settings) if which is Network.all else shortest_network(puzzle, settings)
    emit(written_network(network, _ending(file)), file)
    remark(f"{file}: {summary(network)}", quiet=quiet)


def _draw(puzzle: SwapPuzzle, title: str, file: str, settings: Settings) -> None:
    from ktsolve.swap.drawing import layers_svg
    from ktsolve.swap.network import shortest_network

    emit(layers_svg(shortest_network(puzzle, settings), f"{title}: shortest solutions"), file)


def _solutions(number: int) -> str:
    return f"{number} shortest {'solution' if number == 1 else 'solutions'}"


def _disagreement(loaded: SwapInstance, puzzle: SwapPuzzle, answer: SwapAnswer) -> str:
    """How the answer differs from what the file expects; empty if it does not, or expects nothing."""
    expected = loaded.expected(puzzle)
    if expected is None:
        return ""
    if answer.length != expected.length:
        wanted = "no solution" if expected.length is None else f"{expected.length} {puzzle.objective}"
        return f"expected {wanted}"
    if None not in (answer.count, expected.solutions) and answer.count != expected.solutions:
        return f"expected {expected.solutions} solutions"
    return ""


def _question(loaded: SwapInstance, puzzle: SwapPuzzle) -> dict[str, Any]:
    return {
        "instance": loaded.title,
        "board": puzzle.board.to_json(),
        "start": puzzle.start,
        "goal": puzzle.goal,
        "objective": puzzle.objective,
        "longest": puzzle.longest,
    }


def _as_json(
    loaded: SwapInstance, puzzle: SwapPuzzle, answer: SwapAnswer, certificate: str | None, disagreement: str
) -> dict[str, Any]:
    data: dict[str, Any] = {**_question(loaded, puzzle), "status": answer.status}
    if answer.solution is not None:
        data |= {"length": answer.length, "moves": answer.solution.to_json()}
    if answer.count is not None:
        data["solutions"] = str(answer.count)
    data["proof"] = answer.proof
    if certificate is not None:
        data["certificate"] = certificate
    if answer.reached is not None:
        data |= {"reached": str(answer.reached), "states": str(answer.states)}
    agrees = None if loaded.expected(puzzle) is None else not disagreement
    data |= {"agrees": agrees, "engine": answer.engine, "seconds": round(answer.seconds, 6)}
    if disagreement:
        data["reason"] = disagreement
    return data


def _as_text(
    loaded: SwapInstance, puzzle: SwapPuzzle, answer: SwapAnswer, certificate: str | None, disagreement: str
) -> str:
    if answer.solution is None:
        lines = [f"{loaded.title}: no solution", answer.proof]
    else:
        lines = [str(answer.solution), ""] if answer.length else []
        lines += [f"{loaded.title}: {answer.length} {puzzle.objective}", answer.proof]
    if answer.count is not None and answer.solution is not None:
        what = (
            "sequences of jumps"
            if puzzle.objective == "jumps"
            else "sequences of moves, by the cells gone through"
        )
        lines.append(f"{_solutions(answer.count)}: {what}")
    if certificate is not None:
        lines.append(certificate)
    if disagreement:
        lines.append(f"disagrees with the file: {disagreement}")
    return "\n".join(lines)

"""``ktsolve swap``: leapers change places in fewest jumps or moves."""

from __future__ import annotations

import contextlib
import time
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.cli import options as opt
from ktsolve.cli.output import emit, emit_chunks, emit_json, emit_proof, remark, writing
from ktsolve.cli.output_format import ANSWER, CLAUSES, STILL, Writes, some_formats
from ktsolve.cli.tour_output import emit_scene
from ktsolve.engines.registry import MODEL_ENGINES
from ktsolve.formats.table import Format, listed

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.wings.swap.puzzle import SwapPuzzle
    from ktsolve.wings.swap.solution import SwapAnswer


MOVING = Writes("an animation of pieces", some_formats("picture", "svg"), suffixed=True)
NETWORK_FORMATS = (
    Format("net", "network", "Pajek"),
    Format("graphml", "network", "GraphML"),
    Format("dot", "network", "Graphviz"),
    Format("json", "network", "nodes and links, as networkx writes them"),
)
NETWORK = Writes("a network", NETWORK_FORMATS, suffixed=True)  # what ``--animate`` and ``--export`` write


ANSWERED = Writes("an answer", ANSWER.formats, pictures_beside=True)


class Network(str, Enum):
    """The network to write."""

    all = "all"
    shortest = "shortest"


_LARGE = 16 << 20  # bytes from which a search states its memory beforehand


@opt.takes_work("solver", "timeout", "threads", "memory")
@opt.takes_output(writes=ANSWERED)
def swap(
    instance: Annotated[
        str, typer.Argument(metavar="INSTANCE", help="A puzzle's file, or the name of a shipped one.")
    ],
    *,
    objective: Annotated[
        str | None,
        opt.problem_option("--objective", "The number to minimise. Default: the file's.", "jumps|moves"),
    ] = None,
    longest: Annotated[
        str | None,
        opt.problem_option("--longest", "Most jumps in one move. Default: the file's.", "1|2|3|any"),
    ] = None,
    most: Annotated[
        int | None, opt.problem_option("--most", "Only solutions of at most N jumps (moves).", "N")
    ] = None,
    count: Annotated[bool, opt.problem_option("--count", "Count the shortest solutions.")] = False,
    all_solutions: Annotated[
        bool, opt.problem_option("--all", "List the shortest solutions, one to a line.")
    ] = False,
    engine: Annotated[
        str, opt.engine_option("--engine", f"Engine: {opt.one_of(('bfs', *MODEL_ENGINES))}.", "NAME")
    ] = "bfs",
    proof: Annotated[
        str | None,
        opt.file_option(
            "--proof",
            "Clauses of shorter solutions, refuted in FILE.drup and FILE.lrat.",
            "FILE.cnf",
        ),
    ] = None,
    export: Annotated[
        str | None,
        opt.file_option("--export", f"Write the network of positions: {listed(NETWORK.formats)}.", "FILE"),
    ] = None,
    network: Annotated[
        Network, opt.output_option("--network", "All positions, or shortest solutions only.", "all|shortest")
    ] = Network.all,
    draw: Annotated[
        str | None,
        opt.file_option("--draw", f"Draw the shortest solutions in layers: {listed(STILL.formats)}.", "FILE"),
    ] = None,
    animate: Annotated[
        str | None, opt.file_option("--animate", "Draw a solution as an animation.", "FILE.svg")
    ] = None,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Exchange leapers in fewest jumps or moves, with proof.

    Examples
    --------
    ktsolve swap guarini                            # four knights
    ktsolve swap guarini --objective moves --count  # fewest moves; all solutions
    ktsolve swap guarini --animate guarini.svg      # a picture that moves
    """
    from ktsolve.base.units import shown_bytes
    from ktsolve.wings.swap.answer import solve_swap
    from ktsolve.wings.swap.instance import load_swap_instance
    from ktsolve.wings.swap.search import memory_needed

    if all_solutions and count:
        raise BadInput("--all and --count do not go together: --all lists what --count counts")
    if all_solutions and (proof is not None or animate is not None):
        raise BadInput("--proof and --animate are about one solution: leave out --all")
    CLAUSES.form(proof, option="--proof")
    NETWORK.form(export, option="--export")
    STILL.form(draw, option="--draw")
    MOVING.form(animate, option="--animate")
    _check_pictures(draw, animate, out)
    settings = work.settings
    loaded = load_swap_instance(instance, settings)
    # The longest move of the file is about the objective of the file.
    changed: dict[str, Any] = {} if objective in (None, loaded.puzzle.objective) else {"longest": None}
    given = {"objective": objective, "longest": longest, "most": most}
    changed |= {name: value for name, value in given.items() if value is not None}
    puzzle = replace(loaded.puzzle, **changed)
    unknown = {"instance": loaded.title, **puzzle.to_json(), "status": "unknown", "engine": engine}
    if all_solutions:
        unknown |= {"complete": False, "list": []}
    with out.reporting(settings, loaded.title, unknown) as settings:
        if export is not None:
            written = _network(puzzle, network, settings, f"--export {export}", "give --network all")
            _export(written, export, out.quiet)
        if draw is not None:
            hint = f"leave out --draw; ktsolve draw {instance} shows the puzzle"
            shortest = _network(puzzle, Network.shortest, settings, f"--draw {draw}", hint)
            drawn = replace(out, form=STILL.form(draw), output=draw)
            _draw(shortest, f"{loaded.title}: shortest solutions", drawn)
        if all_solutions:
            return _list(puzzle, engine, settings, out, unknown)
        if engine == "bfs" and (needed := memory_needed(puzzle)) >= _LARGE:
            text = f"{puzzle.positions:,} positions: {shown_bytes(needed)} for their distances"
            remark(f"{text}, and lists of a layer on top", quiet=out.quiet)
        answer = solve_swap(puzzle, engine, settings, count=count)
        certificate = _prove(answer, proof, settings) if proof is not None else None
    if animate is not None:
        from ktsolve.wings.swap.picture import animation_svg

        if answer.solution is None:
            raise BadInput(f"--animate {animate}: there is no solution to draw: leave out --animate")
        emit_chunks([animation_svg(answer.solution, out.style()).encode()], animate)
    expected = loaded.expected(puzzle)
    disagreement = expected.disagreement(answer) if expected is not None else ""
    data = {"instance": loaded.title, **puzzle.to_json(), **answer.to_json()}
    data["agrees"] = None if expected is None else not disagreement
    lines = [answer.text(loaded.title)]
    if isinstance(certificate, str):
        data["certificate"] = certificate
        lines.append(certificate)
    if disagreement:
        data["reason"] = disagreement
        lines.append(f"disagrees with the file: {disagreement}")
    out.emit(data, "\n".join(lines), f"{answer.engine}, {answer.seconds:.3f} s")
    if isinstance(certificate, LimitReached):
        raise certificate
    return 0 if answer.solution is not None and not disagreement else 1


def _check_pictures(draw: str | None, animate: str | None, out: opt.OutputOptions) -> None:
    """Raise BadInput if options of pictures are given, and no picture that they are about."""
    if draw is None and animate is None and (idle := opt.about_pictures(vars(out))):
        raise BadInput(f"--{idle} is about pictures: give --draw FILE.svg or --animate FILE.svg")
    if out.paper is not None and (draw is None or STILL.form(draw).name != "pdf"):
        raise BadInput("paper is about .pdf: give --draw FILE.pdf")


def _network(puzzle: SwapPuzzle, which: Network, settings: Settings, option: str, hint: str) -> Any:
    from ktsolve.wings.swap.network import shortest_network, swap_network

    try:
        return (swap_network if which is Network.all else shortest_network)(puzzle, settings)
    except BadInput as error:
        raise BadInput(f"{option}: {error}: {hint}") from None


def _export(network: Any, file: str, quiet: bool) -> None:
    from ktsolve.wings.swap.network import network_file, summary

    emit(network_file(network, NETWORK.form(file).name), file)
    remark(f"{file}: {summary(network)}", quiet=quiet)


def _draw(network: Any, title: str, out: opt.OutputOptions) -> None:
    from ktsolve.wings.swap.picture import layers_scene

    emit_scene(layers_scene(network, title, out.style()), out)


def _prove(answer: SwapAnswer, file: str, settings: Settings) -> str | LimitReached:
    """What is proved, or the limit that stopped the proof: the answer is printed in any case."""
    from ktsolve.wings.swap.planning import certify, steps_to_refute

    puzzle = answer.puzzle
    try:
        steps = steps_to_refute(answer)
        found = certify(puzzle, steps, settings)
    except BadInput as error:
        raise BadInput(f"--proof {file}: {error}") from None
    except LimitReached as limit:
        return LimitReached(f"{limit}: --proof {file} was not written")
    return (
        f"refuted and checked: no solution of at most {steps} {puzzle.objective} "
        f"({len(found.lemmas):,} lemmas); {emit_proof(found, file)}"
    )


def _list(
    puzzle: SwapPuzzle, engine: str, settings: Settings, out: opt.OutputOptions, data: dict[str, Any]
) -> int:
    """List the shortest solutions; ``data`` keeps those found if a limit stops the list."""
    from ktsolve.wings.swap.answer import all_shortest
    from ktsolve.wings.swap.solution import solutions_text

    started, number = time.perf_counter(), 0
    try:
        with contextlib.ExitStack() as stack:
            write = None if out.json else stack.enter_context(writing(out.output))
            for solution in all_shortest(puzzle, engine, settings):
                if write is None:
                    data["list"].append(solution.to_json())
                    data["status"] = "found"
                else:
                    write(solution.line())
                number += 1
    except KeyboardInterrupt:
        raise LimitReached(f"interrupted, {solutions_text(number)} written") from None
    seconds = time.perf_counter() - started
    if out.json:
        status = "found" if number else "impossible"
        emit_json({**data, "status": status, "complete": True, "seconds": round(seconds, 6)}, out.output)
    else:
        if not number:
            emit("no solution", None)
        remark(f"{solutions_text(number)}, {engine}, {seconds:.3f} s", quiet=out.quiet)
    return 0 if number else 1

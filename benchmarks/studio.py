"""The module of the studio in Node against the native core on one thread, by time of the processor.

``python benchmarks/studio.py`` prints a table; each number is the least of the runs. Node runs the same
engine of JavaScript as Chromium. The memory is that of the module. ``--browser`` prints what the page itself
says in Chromium, by the clock, and how long it takes to be ready; it needs Playwright and Chromium
(``make test-browser`` installs both).

How the module is compiled was chosen by this table (closed 8x8, counted and prepared):

- ``-mbulk-memory -msign-ext -mnontrapping-fptoint``: a fifth less time; kept
- large vectors rounded up to 64 KiB, not to the huge pages of 2 MiB: 187 MB instead of 203, and 445 instead
  of 505; kept
- ``-msse4.1``, with which the scan of ``line_scan_kernel.hpp`` takes four numbers at once; rows of eight
  lanes made of four columns at once; memory asked for by the MiB, not by 64 KiB: a quarter
  less time together; kept
- ``-flto``: the same time within the noise, 3 % larger; not kept
- ``-s MALLOC=emmalloc``: 5 % more time, the same memory; not kept
"""

from __future__ import annotations

import argparse
import re
import resource
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from browsers import chromium
from studio_tasks import answers

import ktsolve
from ktsolve.base.limits import Settings
from ktsolve.problem.problem import TourProblem
from ktsolve.wings.studio.page import studio_html

ONE = Settings(threads=1)

CASES: tuple[tuple[str, str, str], ...] = (
    ("count", "7x7", "open"),
    ("count", "8x8", "closed"),
    ("prepare", "8x8", "closed"),
)

SCREENS: tuple[tuple[str, str, str, str, str], ...] = (
    ("page ready, with a tour of 8x8", "board=8x8", "", "", ""),
    ("closed 8x8 counted", "show=count&board=8x8", "#start-count", "#counted", "engine"),
    ("closed 8x8 prepared", "show=number&board=8x8", "#prepare", "#prepared", "Order"),
)
"""What is measured in Chromium: the link, what is clicked, where the answer is, and a word of it."""

CHANGED = """([act, watched, words]) => new Promise((done) => {
    const found = document.querySelector(watched);
    new MutationObserver(() => {
        if (found.textContent.includes(words)) done((performance.now() - began) / 1000);
    }).observe(found, { childList: true, characterData: true, subtree: true });
    const began = performance.now();
    new Function(act)();
})"""
"""Seconds from what a person does until the page has said the words."""

EDIT = """const field = document.querySelector("#f-require");
field.value = "a1-b3";
field.dispatchEvent(new Event("change"));"""

CHANGES: tuple[tuple[str, str, str, str, str], ...] = (
    ("8x8: a move required, another tour", "board=8x8", EDIT, "#found", "cells"),
    ("20x20: a move required, another tour", "board=20x20", EDIT, "#found", "cells"),
    (
        "the tour of the next number",
        "show=number&board=8x8",
        "document.querySelector('#next').click()",
        "#message",
        "Tour number",
    ),
)
"""What is measured in Chromium: the link, what is done, where the answer is, and a word of it."""


def native(task: str, board: str, tours: str) -> None:
    """The task by engine ``join`` in this process."""
    problem = TourProblem(board=board, closed=tours == "closed")
    if task == "count":
        ktsolve.count(problem, engine="join", settings=ONE)
    else:
        ktsolve.tours(problem, engine="join", settings=ONE)


def in_node(task: str, board: str, tours: str) -> tuple[float, float]:
    """Seconds of the processor and bytes of the module."""

    def used() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime

    before = used()
    (answer,) = answers({"task": task, "fields": {"board": board, "tours": tours}})
    return used() - before, float(answer["bytes"])


def timed(work: Callable[[], object]) -> float:
    """Seconds of the processor."""
    before = time.process_time()
    work()
    return time.process_time() - before


def in_browser(runs: int) -> None:
    """Print a table of what the page says, the least of the runs, each in a new page."""
    with chromium() as browser, TemporaryDirectory() as folder:
        address = Path(folder) / "studio.html"
        address.write_text(studio_html(), encoding="utf-8")

        def once(link: str, start: str, said: str, words: str) -> tuple[float, str]:
            page = browser.new_page()
            page.goto(f"{address.as_uri()}#{link}")
            page.wait_for_function("() => document.querySelector('#found').textContent.includes('64 cells')")
            ready = float(page.evaluate("() => performance.now() / 1000"))
            if start:
                page.click(start)
                page.wait_for_function(
                    "([name, words]) => document.querySelector(name).textContent.includes(words)",
                    arg=[said, words],
                    timeout=120_000,
                )
            found = str(page.text_content(said)) if said else ""
            page.close()
            number = re.search(r"([0-9.]+) s, ([0-9]+ MB)", found)
            return (float(number[1]), number[2]) if number else (ready, "")

        def changed(link: str, act: str, watched: str, words: str) -> float:
            page = browser.new_page()
            page.goto(f"{address.as_uri()}#{link}")
            page.wait_for_function("() => document.querySelector('#found').textContent.includes('cells')")
            if "show=number" in link:
                page.click("#prepare")
                page.wait_for_function(
                    "() => document.querySelector('#message').textContent.includes('Tour')"
                )
            seconds = float(page.evaluate(CHANGED, [act, watched, words]))
            page.close()
            return seconds

        print("\n| in Chromium | s | memory |\n| --- | --- | --- |")
        for what, link, *rest in SCREENS:
            seconds, size = min(once(link, *rest) for _ in range(runs))
            print(f"| {what} | {seconds:.2f} | {size} |", flush=True)
        for what, *rest in CHANGES:
            seconds = min(changed(*rest) for _ in range(runs))
            print(f"| {what} | {seconds:.3f} | |", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="runs of each (default: 3)")
    parser.add_argument("--browser", action="store_true", help="in Chromium as well")
    options = parser.parse_args(arguments)
    runs = options.runs
    print(
        "| task | board | native, s | module, s | ratio | memory, MB |\n| --- | --- | --- | --- | --- | --- |"
    )
    for task, board, tours in CASES:
        first = min(timed(partial(native, task, board, tours)) for _ in range(runs))
        seconds, size = min(in_node(task, board, tours) for _ in range(runs))
        row = (
            task,
            f"{tours} {board}",
            f"{first:.2f}",
            f"{seconds:.2f}",
            f"{seconds / first:.2f}",
            f"{size / 1e6:.0f}",
        )
        print(f"| {' | '.join(row)} |", flush=True)
    if options.browser:
        in_browser(runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())

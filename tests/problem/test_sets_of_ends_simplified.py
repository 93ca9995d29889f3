"""Sets of ends with conditions that simplification drops or that only some pairs of ends keep."""

from __future__ import annotations

from ktsolve.graphs.board import Board
from ktsolve.problem.conditions import parse_condition
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.count import count
from ktsolve.tasks.count_answer import CountAnswer
from ktsolve.tasks.count_total import summary

BOARD = Board.parse("5x5")


def stated(key: str, text: str, **words: object) -> TourProblem:
    conditions = parse_condition(key, text, BOARD)
    return TourProblem(board=BOARD, closed=False, conditions=conditions, **words)  # type: ignore[arg-type]


def test_a_dropped_range_leaves_a_count_by_ends() -> None:
    found = count(stated("range", "c3=1..25", starts=["a1", "e5"]))
    plain = count(TourProblem(board=BOARD, closed=False, starts=["a1", "e5"]))
    assert (found.count, found.directed) == (plain.count, plain.directed)
    assert found.count > 0


def test_the_engine_takes_the_questions_of_all_pairs_of_ends() -> None:
    problem = stated("least", "moves:a1-b3,a1-c2=1", starts=["a1", "c3"])
    assert count(problem, by="moves").count == count(problem, "search").count


def test_a_summary_names_an_engine_that_counted() -> None:
    answers = [CountAnswer(0, 0, engine=name) for name in ("propagation", "reduction", "search")]
    assert summary(answers)[0] == "search"

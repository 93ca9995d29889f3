"""The problems of ``language.py`` in plain OR-Tools. Each function returns a model, and what to read."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

from language_cases import Loop, Tour, automaton
from ortools.sat.python import cp_model
from ortools.sat.python.cp_model import CpModel, LinearExpr

__all__ = ["answer", "every"]


def answer(model: Any, wanted: Any) -> Any:
    """Solve a model by one thread; return the values of what is wanted, None without a solution."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    return _values(solver, wanted) if status in (cp_model.OPTIMAL, cp_model.FEASIBLE) else None


def every(model: Any, wanted: Any) -> list[Any]:
    """Return the values of what is wanted in each solution."""
    collector = _Collector(wanted)
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.solve(model, collector)
    return collector.found


class _Collector(cp_model.CpSolverSolutionCallback):
    def __init__(self, wanted: Any) -> None:
        super().__init__()
        self._wanted = wanted
        self.found: list[Any] = []

    def on_solution_callback(self) -> None:
        self.found.append(_values(self, self._wanted))


def _values(solver: Any, wanted: Any) -> Any:
    if isinstance(wanted, list):
        return [_values(solver, each) for each in wanted]
    return int(solver.value(wanted))


def _booleans(model: CpModel, rows: int, columns: int) -> list[list[Any]]:
    return [[model.new_bool_var("") for _ in range(columns)] for _ in range(rows)]


def _transposed(rows: list[list[Any]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]


def queens(n: int) -> Any:
    model = CpModel()
    column = [model.new_int_var(0, n - 1, f"c{r}") for r in range(n)]
    for slope in (-1, 0, 1):
        model.add_all_different([column[r] + slope * r for r in range(n)])
    return model, column


def magic(n: int) -> Any:
    model, total = CpModel(), n * (n * n + 1) // 2
    square = [[model.new_int_var(1, n * n, f"{r},{c}") for c in range(n)] for r in range(n)]
    model.add_all_different([x for row in square for x in row])
    for i in range(n):
        model.add(sum(square[i]) == total)
        model.add(sum(row[i] for row in square) == total)
    model.add(sum(square[i][i] for i in range(n)) == total)
    model.add(sum(square[i][n - 1 - i] for i in range(n)) == total)
    return model, square


def golomb(n: int) -> Any:
    model = CpModel()
    mark = [model.new_int_var(0, n * n, f"m{i}") for i in range(n)]
    model.add(mark[0] == 0)
    for a, b in pairwise(mark):
        model.add(a < b)
    apart = []
    for a, b in combinations(mark, 2):
        difference = model.new_int_var(1, n * n, "")
        model.add(difference == b - a)
        apart.append(difference)
    model.add_all_different(apart)
    model.minimize(mark[-1])
    return model, mark


def golfers(weeks: int, groups: int, size: int) -> Any:
    model, players = CpModel(), range(groups * size)
    plays = [_booleans(model, len(players), groups) for _ in range(weeks)]
    for week in plays:
        for player in week:
            model.add_exactly_one(player)
        for g in range(groups):
            model.add(sum(player[g] for player in week) == size)
    for a, b in combinations(players, 2):
        together = []
        for week in plays:
            for g in range(groups):
                both = model.new_bool_var("")
                model.add_bool_or([~week[a][g], ~week[b][g], both])
                together.append(both)
        model.add(sum(together) <= 1)
    return model, [[sum(g * player[g] for g in range(groups)) for player in week] for week in plays]


def colouring(nodes: int, borders: Any) -> Any:
    model = CpModel()
    colour = [model.new_int_var(1, 8, f"c{i}") for i in range(nodes)]
    for a, b in borders:
        model.add(colour[a] != colour[b])
    most = model.new_int_var(1, 8, "most")
    model.add_max_equality(most, colour)
    model.minimize(most)
    return model, colour


def latin(rows: Any) -> Any:
    model, n = CpModel(), len(rows)
    square = [[model.new_int_var(given or 1, given or n, "") for given in row] for row in rows]
    for line in (*square, *_transposed(square)):
        model.add_all_different(line)
    return model, square


def sudoku(box: int, rows: Any) -> Any:
    model, cell = latin(rows)
    for r in range(0, box * box, box):
        for c in range(0, box * box, box):
            model.add_all_different([x for row in cell[r : r + box] for x in row[c : c + box]])
    return model, cell


def langford(n: int) -> Any:
    model = CpModel()
    first = {(k, i): model.new_bool_var("") for k in range(1, n + 1) for i in range(2 * n - k - 1)}
    for k in range(1, n + 1):
        model.add_exactly_one(x for (j, _), x in first.items() if j == k)
    for place in range(2 * n):
        model.add_exactly_one(x for (k, i), x in first.items() if place in (i, i + k + 1))
    return model, [sum(k * x for (k, i), x in first.items() if p in (i, i + k + 1)) for p in range(2 * n)]


def _both_ways(model: CpModel, lines: Any, used: Any) -> list[tuple[int, int, Any]]:
    """Return two arcs for each line, of which a used line uses one."""
    arcs = []
    for (a, b), line in zip(lines, used, strict=True):
        there, back = model.new_bool_var(""), model.new_bool_var("")
        model.add(there + back == line)
        arcs += [(a, b, there), (b, a, back)]
    return arcs


def slitherlink(loop: Loop) -> Any:
    model = CpModel()
    used = [model.new_bool_var("") for _ in loop.lines]
    stays = [(v, v, model.new_bool_var("")) for v in range(loop.points)]
    model.add_circuit(stays + _both_ways(model, loop.lines, used))
    for clue, around in loop.clues:
        model.add(sum(used[line] for line in around) == clue)
    return model, used


def subset(numbers: Any, target: int) -> Any:
    model = CpModel()
    taken = [model.new_bool_var("") for _ in numbers]
    model.add(LinearExpr.weighted_sum(taken, numbers) == target)
    return model, taken


def tour(board: Tour) -> Any:
    model = CpModel()
    used = [model.new_bool_var("") for _ in board.moves]
    move = dict(zip(board.moves, used, strict=True))
    model.add_circuit(_both_ways(model, board.moves, used))
    for pair in board.required:
        model.add(move[pair] == 1)
    for pair in board.forbidden:
        model.add(move[pair] == 0)
    return model, used


def knapsack(weights: Any, capacities: Any, values: Any) -> Any:
    model = CpModel()
    taken = [model.new_bool_var("") for _ in values]
    for row, most in zip(weights, capacities, strict=True):
        model.add(LinearExpr.weighted_sum(taken, row) <= most)
    model.maximize(LinearExpr.weighted_sum(taken, values))
    return model, taken


def letters(words: Any) -> Any:
    model, firsts = CpModel(), {word[0] for word in words}
    digit = {x: model.new_int_var(x in firsts, 9, x) for x in sorted(set("".join(words)))}
    *others, total = (sum(10**i * digit[x] for i, x in enumerate(word[::-1])) for word in words)
    model.add_all_different(digit.values())
    model.add(sum(others) == total)
    return model, list(digit.values())


def pigeons(n: int) -> Any:
    model = CpModel()
    sits = _booleans(model, n, n - 1)
    for pigeon in sits:
        model.add_bool_or(pigeon)
    for hole in _transposed(sits):
        model.add_at_most_one(hole)
    return model, sits


def domination(attacked: Any) -> Any:
    model = CpModel()
    queen = [model.new_bool_var("") for _ in attacked]
    for squares in attacked:
        model.add_bool_or(queen[b] for b in squares)
    model.minimize(sum(queen))
    return model, queen


def independent(nodes: int, quarrels: Any) -> Any:
    model = CpModel()
    invited = [model.new_bool_var("") for _ in range(nodes)]
    for a, b in quarrels:
        model.add_bool_or(~invited[a], ~invited[b])
    model.maximize(sum(invited))
    return model, invited


def intervals(n: int) -> Any:
    model = CpModel()
    tone = [model.new_int_var(0, n - 1, "") for _ in range(n)]
    model.add_all_different(tone)
    steps = []
    for a, b in pairwise(tone):
        step = model.new_int_var(1, n - 1, "")
        model.add_abs_equality(step, a - b)
        steps.append(step)
    model.add_all_different(steps)
    return model, tone


def salesman(distance: Any) -> Any:
    model, n = CpModel(), len(distance)
    goes = {(a, b): model.new_bool_var("") for a in range(n) for b in range(n) if a != b}
    model.add_circuit([(a, b, x) for (a, b), x in goes.items()])
    model.minimize(sum(distance[a][b] * x for (a, b), x in goes.items()))
    return model, [sum(b * goes[a, b] for b in range(n) if a != b) for a in range(n)]


def jobshop(jobs: Any) -> Any:
    model, horizon = CpModel(), sum(duration for job in jobs for _, duration in job)
    start = [[model.new_int_var(0, horizon, "") for _ in job] for job in jobs]
    machines: dict[int, list[Any]] = {}
    for job, times in zip(jobs, start, strict=True):
        for (machine, duration), time in zip(job, times, strict=True):
            machines.setdefault(machine, []).append(model.new_fixed_size_interval_var(time, duration, ""))
        for (_, duration), (first, second) in zip(job, pairwise(times), strict=False):
            model.add(first + duration <= second)
    for intervals in machines.values():
        model.add_no_overlap(intervals)
    end = model.new_int_var(0, horizon, "end")
    for job, times in zip(jobs, start, strict=True):
        model.add(end >= times[-1] + job[-1][1])
    model.minimize(end)
    return model, start


def cars(demand: Any, options: Any) -> Any:
    model, number = CpModel(), sum(demand)
    slot = _booleans(model, number, len(demand))
    for row in slot:
        model.add_exactly_one(row)
    for column, wanted in zip(_transposed(slot), demand, strict=True):
        model.add(sum(column) == wanted)
    for p, q, needing in options:
        for i in range(number - q + 1):
            model.add(sum(row[c] for row in slot[i : i + q] for c in needing) <= p)
    return model, slot


def party(spare: Any, crews: Any, periods: int) -> Any:
    model, hosts, guests = CpModel(), range(len(spare)), range(len(crews))
    visits = [_booleans(model, periods, len(hosts)) for _ in guests]
    for guest in visits:
        for period in guest:
            model.add_exactly_one(period)
        for host in _transposed(guest):
            model.add_at_most_one(host)
    for t in range(periods):
        for h in hosts:
            model.add(sum(crews[g] * visits[g][t][h] for g in guests) <= spare[h])
    for a, b in combinations(visits, 2):
        meetings = []
        for one, other in zip(a, b, strict=True):
            meet = model.new_bool_var("")
            for x, y in zip(one, other, strict=True):
                model.add_bool_or(~x, ~y, meet)
            meetings.append(meet)
        model.add_at_most_one(meetings)
    return model, [[sum(h * period[h] for h in hosts) for period in guest] for guest in visits]


def vessel(width: int, height: int, sides: Any, apart: Any) -> Any:
    model, n = CpModel(), range(len(sides))
    x, y = [model.new_int_var(0, width, "") for _ in n], [model.new_int_var(0, height, "") for _ in n]
    turned = [model.new_bool_var("") for _ in n]
    right = [x[i] + a + (b - a) * turned[i] for i, (a, b) in enumerate(sides)]
    top = [y[i] + b - (b - a) * turned[i] for i, (a, b) in enumerate(sides)]
    for i in n:
        model.add(right[i] <= width)
        model.add(top[i] <= height)
    for i, j in combinations(n, 2):
        gap, where = int((i, j) in apart), [model.new_bool_var("") for _ in range(4)]
        model.add_bool_or(where)
        model.add(right[i] + gap <= x[j]).only_enforce_if(where[0])
        model.add(right[j] + gap <= x[i]).only_enforce_if(where[1])
        model.add(top[i] + gap <= y[j]).only_enforce_if(where[2])
        model.add(top[j] + gap <= y[i]).only_enforce_if(where[3])
    return model, [list(place) for place in zip(x, y, turned, strict=True)]


def _shared(model: CpModel, one: list[Any], other: list[Any]) -> list[Any]:
    """Return a Boolean for each pair of literals that is true exactly if both are."""
    made = []
    for a, b in zip(one, other, strict=True):
        both = model.new_bool_var("")
        model.add_bool_or(~a, ~b, both)
        model.add_implication(both, a)
        model.add_implication(both, b)
        made.append(both)
    return made


def steiner(n: int) -> Any:
    model = CpModel()
    inside = _booleans(model, n * (n - 1) // 6, n)
    for row in inside:
        model.add(sum(row) == 3)
    for a, b in combinations(inside, 2):
        model.add_at_most_one(_shared(model, a, b))
    return model, inside


def costas(n: int) -> Any:
    model = CpModel()
    row = [model.new_int_var(0, n - 1, "") for _ in range(n)]
    model.add_all_different(row)
    for d in range(1, n - 1):
        steps = [model.new_int_var(1 - n, n - 1, "") for _ in range(n - d)]
        for i, step in enumerate(steps):
            model.add(step == row[i + d] - row[i])
        model.add_all_different(steps)
    return model, row


def graceful(nodes: int, edges: Any) -> Any:
    model = CpModel()
    label = [model.new_int_var(0, len(edges), "") for _ in range(nodes)]
    difference = [model.new_int_var(1, len(edges), "") for _ in edges]
    model.add_all_different(label)
    model.add_all_different(difference)
    for d, (a, b) in zip(difference, edges, strict=True):
        model.add_abs_equality(d, label[a] - label[b])
    return model, label


def bibd(v: int, b: int, r: int, k: int, shared: int) -> Any:
    model = CpModel()
    block = _booleans(model, v, b)
    for row in block:
        model.add(sum(row) == r)
    for column in _transposed(block):
        model.add(sum(column) == k)
    for one, other in combinations(block, 2):
        model.add(sum(_shared(model, one, other)) == shared)
    return model, block


def nonogram(rows: Any, columns: Any) -> Any:
    model = CpModel()
    black = _booleans(model, len(rows), len(columns))
    for line, clue in (*zip(black, rows, strict=True), *zip(_transposed(black), columns, strict=True)):
        transitions, start, accepting = automaton(clue)
        model.add_automaton(line, start, accepting, transitions)
    return model, black


def packing(sizes: Any, capacity: int, bins: int) -> Any:
    model = CpModel()
    inside, used = _booleans(model, len(sizes), bins), [model.new_bool_var("") for _ in range(bins)]
    for row in inside:
        model.add_exactly_one(row)
    for column, use in zip(_transposed(inside), used, strict=True):
        model.add(LinearExpr.weighted_sum(column, sizes) <= capacity * use)
    model.minimize(sum(used))
    return model, [sum(b * x for b, x in enumerate(row)) for row in inside]


def project(durations: Any, demands: Any, capacities: Any, order: Any) -> Any:
    model, horizon = CpModel(), sum(durations)
    start = [model.new_int_var(0, horizon, "") for _ in durations]
    tasks = [model.new_fixed_size_interval_var(s, d, "") for s, d in zip(start, durations, strict=True)]
    for a, b in order:
        model.add(start[a] + durations[a] <= start[b])
    for needs, capacity in zip(demands, capacities, strict=True):
        model.add_cumulative(tasks, needs, capacity)
    end = model.new_int_var(0, horizon, "end")
    for s, d in zip(start, durations, strict=True):
        model.add(end >= s + d)
    model.minimize(end)
    return model, start


def program(text: str) -> Any:
    model, (head, objective, *rows) = CpModel(), text.splitlines()
    x = [model.new_bool_var("") for _ in range(int(head.split()[2]))]

    def total(terms: list[str]) -> Any:
        return sum(int(w) * x[int(name[1:]) - 1] for w, name in zip(terms[::2], terms[1::2], strict=True))

    for row in map(str.split, rows):
        model.add(total(row[:-3]) >= int(row[-2]))
    model.minimize(total(objective.split()[1:-1]))
    return model, x


def maxsat(text: str) -> Any:
    model, cost, clauses = CpModel(), [], [line.split()[:-1] for line in text.splitlines()]
    x = [model.new_bool_var("") for _ in range(max(abs(int(x)) for _, *clause in clauses for x in clause))]
    for weight, *clause in clauses:
        literals = [x[int(each) - 1] if int(each) > 0 else ~x[-int(each) - 1] for each in clause]
        if weight != "h":
            literals.append(model.new_bool_var(""))
            cost.append(int(weight) * literals[-1])
        model.add_bool_or(literals)
    model.minimize(sum(cost))
    return model, x


def schur(n: int, number: int) -> Any:
    model = CpModel()
    box = _booleans(model, n + 1, number)
    for row in box[1:]:
        model.add_exactly_one(row)
    for a in range(1, n):
        for b in range(a, n - a + 1):
            for x, y, z in zip(box[a], box[b], box[a + b], strict=True):
                model.add_bool_or(~x, ~y, ~z)
    return model, [sum(i * x for i, x in enumerate(row)) for row in box[1:]]


def assignment(flow: Any, distance: Any) -> Any:
    model, n, cost = CpModel(), len(flow), []
    place = [model.new_int_var(0, n - 1, "") for _ in range(n)]
    model.add_all_different(place)
    flat = [d for row in distance for d in row]
    for i in range(n):
        for j in range(n):
            if flow[i][j]:
                apart = model.new_int_var(0, max(flat), "")
                index = model.new_int_var(0, n * n - 1, "")
                model.add(index == n * place[i] + place[j])
                model.add_element(index, flat, apart)
                cost.append(flow[i][j] * apart)
    model.minimize(sum(cost))
    return model, place


def warehouse(capacities: Any, opening: Any, costs: Any) -> Any:
    model = CpModel()
    serves, opened = _booleans(model, len(costs), len(opening)), [model.new_bool_var("") for _ in opening]
    for row in serves:
        model.add_exactly_one(row)
    for column, most, use in zip(_transposed(serves), capacities, opened, strict=True):
        model.add(sum(column) <= most * use)
    served = [LinearExpr.weighted_sum(row, cost) for row, cost in zip(serves, costs, strict=True)]
    model.minimize(sum(served) + LinearExpr.weighted_sum(opened, opening))
    return model, [sum(h * x for h, x in enumerate(row)) for row in serves]


def sequence(n: int) -> Any:
    model = CpModel()
    number = [model.new_int_var(0, n - 1, "") for _ in range(n)]
    equal = _booleans(model, n, n)
    for x, row in zip(number, equal, strict=True):
        model.add_exactly_one(row)
        model.add(x == sum(value * each for value, each in enumerate(row)))
    for column, x in zip(_transposed(equal), number, strict=True):
        model.add(sum(column) == x)
    return model, number


def cover(items: int, costs: Any, members: Any) -> Any:
    model = CpModel()
    chosen = [model.new_bool_var("") for _ in costs]
    for item in range(items):
        model.add_bool_or(x for x, row in zip(chosen, members, strict=True) if item in row)
    model.minimize(LinearExpr.weighted_sum(chosen, costs))
    return model, chosen


def partition(n: int) -> Any:
    model, numbers = CpModel(), range(1, n + 1)
    first = [model.new_bool_var("") for _ in numbers]
    for power in range(3):
        powers = [i**power for i in numbers]
        model.add(2 * LinearExpr.weighted_sum(first, powers) == sum(powers))
    return model, first

"""The picture of tours as numbers: the states of a sweep in layers, and the path that a number takes."""

from __future__ import annotations

from itertools import product

from drawing import FAINT, FIRST, INK, SECOND, THEME, at, drawing, stroke, text

from ktsolve.render.scene.shapes import Circle, PathShape, Shape, Strand

State = tuple[int, ...]
"""Each column's partner below the rows done so far: the columns of one path have equal labels, 0 is none."""

WIDTH, ROWS, NUMBER = 4, 6, 25

NOTHING = (0,) * WIDTH


def numbers() -> str:
    """Closed tours of a wazir on 6x4: states after each row, their completions, and tour number 25."""
    layers = _layers()
    completions = _completions(layers)
    places = {
        (i, state): (2.6 * i + 0.8, (4.2 - 1.05 * (len(layer) - 1) / 2) + 1.05 * j)
        for i, layer in enumerate(layers)
        for j, state in enumerate(layer)
    }
    on_path, offsets = _path(layers, completions)
    lines: list[Shape] = []
    for i, layer in enumerate(layers[:-1]):
        for state in layer:
            for after in _steps(state, last=i == ROWS - 1):
                if after in layers[i + 1]:
                    chosen = on_path[i] == state and on_path[i + 1] == after
                    ends = [at(*places[i, state]), at(*places[i + 1, after])]
                    lines.append(stroke(ends, SECOND if chosen else FAINT, 2.4 if chosen else 0.8))
    for (i, state), (x, y) in places.items():
        colour = SECOND if on_path[i] == state else FIRST
        lines.append(Circle(*at(x, y), 10, THEME.node, colour, 1.4))
        lines.append(text(x, y, str(completions[i][state]), 10))
        lines += _glyph(state, x, y)
    for i, offset in enumerate(offsets):
        x = 2.6 * i + 2.1
        lines.append(text(x, 8.3, f"+ {offset}" if i else f"{NUMBER} = {offset}", 10))
    title = f"Tour {NUMBER} = {' + '.join(map(str, offsets))} among {completions[0][(0,) * WIDTH]}"
    return drawing(2.6 * ROWS + 1.6, 8.7, title, lines)


def _steps(state: State, *, last: bool) -> list[State]:
    """The states after one more row, in the order of its horizontal moves."""
    after = []
    for across in product((0, 1), repeat=WIDTH - 1):
        left, right = (0, *across), (*across, 0)
        down = [2 - bool(state[c]) - left[c] - right[c] for c in range(WIDTH)]
        if any(each not in (0, 1) for each in down) or (last and any(down)):
            continue
        part = list(range(WIDTH))
        joined = [(c, c + 1) for c in range(WIDTH - 1) if across[c]]
        joined += [(a, b) for b in range(WIDTH) for a in range(b) if state[a] == state[b] != 0]
        closed = 0
        for a, b in joined:
            if part[a] == part[b]:
                closed += 1
            part = [part[a] if each == part[b] else each for each in part]
        if closed != int(last) or (last and len(set(part)) > 1):
            continue
        labels = {
            root: number
            for number, root in enumerate(dict.fromkeys(part[c] for c in range(WIDTH) if down[c]), 1)
        }
        after.append(tuple(labels[part[c]] if down[c] else 0 for c in range(WIDTH)))
    return after


def _layers() -> list[list[State]]:
    """The states after each row from which a tour can be completed."""
    layers = [[NOTHING]]
    for row in range(ROWS):
        reached = {after for state in layers[-1] for after in _steps(state, last=row == ROWS - 1)}
        layers.append(sorted(reached))
    for row in range(ROWS - 1, 0, -1):
        alive = set(layers[row + 1])
        layers[row] = [state for state in layers[row] if alive & set(_steps(state, last=row == ROWS - 1))]
    return layers


def _completions(layers: list[list[State]]) -> list[dict[State, int]]:
    """The number of ways to complete each state."""
    counts: list[dict[State, int]] = [dict.fromkeys(layers[-1], 1)]
    for row in range(ROWS - 1, -1, -1):
        ways = counts[0]
        counts.insert(
            0,
            {
                state: sum(ways.get(after, 0) for after in _steps(state, last=row == ROWS - 1))
                for state in layers[row]
            },
        )
    return counts


def _path(layers: list[list[State]], completions: list[dict[State, int]]) -> tuple[list[State], list[int]]:
    """The states of a tour of a number, and what is skipped at each."""
    path, offsets, left = [NOTHING], [], NUMBER
    for row in range(ROWS):
        skipped = 0
        for after in _steps(path[-1], last=row == ROWS - 1):
            ways = completions[row + 1].get(after, 0)
            if left < skipped + ways:
                path.append(after)
                break
            skipped += ways
        offsets.append(skipped)
        left -= skipped
    assert left == 0
    return path, offsets


def _glyph(state: State, x: float, y: float) -> list[Shape]:
    """The paths that a state leaves open, as arcs under its number."""
    shapes: list[Shape] = []
    for label in sorted(set(state) - {0}):
        first, second = (c for c in range(WIDTH) if state[c] == label)
        (x1, top), (x2, _) = (at(x + 0.16 * (c - 1.5), y + 0.37) for c in (first, second))
        low = top + 4 + (x2 - x1) / 2
        arc = Strand((x1, top), ((x1, top + 2), ((x1, low), (x2, low), (x2, top + 2)), (x2, top)))
        shapes.append(PathShape((arc,), stroke=INK, stroke_width=1.2))
    return shapes

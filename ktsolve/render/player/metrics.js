// Numbers of turns, angles and crossings among the first moves of a walk on a board, by the definitions of
// ktsolve/graphs/geometry.py. On wrapped boards, on graphs and of searches there are none.

const ANGLES = ["acute", "right", "obtuse", "straight"];
const MOST_COMPARED = 40_000_000; // pairs of moves that are looked at for crossings
const LONGEST_REACH = 40; // rows or columns that a move passes; the pairs of moves to look at grow with its square

function makeMetrics(walk) {
  const { board, final } = walk;
  if (board.isGraph || board.wrapped || walk.isTrace) return {};
  return { kinds: angleSums(board, final, walk.returns), crossings: crossingSums(walk) };
}

// A function of the position: the number of angles of each kind. The angle at a cell counts after the next move; that at
// the first cell of a closed walk after the return.
function angleSums(board, path, returns) {
  const n = path.length;
  const before = ANGLES.map(() => new Int32Array(n + 1)); // before[kind][i]: at the first i cells
  const { row, column } = board;
  for (let i = 0; i < n; i += 1) {
    let kind = -1;
    if (n > 2 && (returns || (i > 0 && i < n - 1))) {
      const here = path[i], a = path[i > 0 ? i - 1 : n - 1], b = path[i < n - 1 ? i + 1 : 0];
      const [ay, ax] = [row[a] - row[here], column[a] - column[here]];
      const [by, bx] = [row[b] - row[here], column[b] - column[here]];
      const dot = ay * by + ax * bx;
      kind = dot > 0 ? 0 : dot === 0 ? 1 : ay * bx === ax * by ? 3 : 2;
    }
    for (let k = 0; k < 4; k += 1) before[k][i + 1] = before[k][i] + (k === kind ? 1 : 0);
  }
  return (position) => Object.fromEntries(ANGLES.map((name, k) => {
    const sums = before[k];
    return [name, position > n ? sums[n] : position > 1 ? sums[position - 1] - sums[1] : 0];
  }));
}

// A function of the position: the number of crossings; undefined if there are too many pairs of moves.
function crossingSums(walk) {
  const { board, final, finalStep } = walk, n = final.length;
  if (Math.max(...board.leaper) > LONGEST_REACH) return undefined;
  const patterns = crossingPatterns(board.offsets);
  const most = Math.max(...patterns.map(([, list]) => list.length));
  if (n * most > MOST_COMPARED) return undefined;
  const key = (down, right) => down * 1000 + right;
  const across = new Map(patterns.map(([[down, right], list]) => [key(down, right), list]));
  const { row, column } = board;
  const made = new Int32Array(n + 1); // made[m]: crossings among the first m moves
  // The number of the move between two cells, from 0; -1 if the walk makes none.
  const moveOf = (a, b) => {
    const s = finalStep[a], t = finalStep[b];
    if (!s || !t) return -1;
    if (Math.abs(s - t) === 1) return Math.min(s, t) - 1;
    return walk.returns && Math.abs(s - t) === n - 1 ? n - 1 : -1;
  };
  eachMove(final, walk.returns, (a, b, i) => {
    for (const [r1, c1, r2, c2] of across.get(key(row[b] - row[a], column[b] - column[a]))) {
      const p = board.at(row[a] + r1, column[a] + c1);
      if (p < 0) continue;
      const q = board.at(row[a] + r2, column[a] + c2);
      const other = q < 0 ? -1 : moveOf(p, q);
      if (other > i) made[other + 1] += 1;
    }
  });
  for (let m = 1; m <= n; m += 1) made[m] += made[m - 1];
  return (position) => made[Math.max(0, Math.min(position - 1, n))];
}

// For each move from (0, 0) the moves that cross it, each once, as two cells.
function crossingPatterns(offsets) {
  const halves = offsets.filter(([r, c]) => r > 0 || (r === 0 && c > 0));
  const reach = Math.max(...offsets.flat());
  return offsets.map((to) => {
    const found = [];
    for (let r = -2 * reach; r <= 2 * reach; r += 1) {
      for (let c = -2 * reach; c <= 2 * reach; c += 1) {
        for (const [down, right] of halves) {
          if (cross([0, 0], to, [r, c], [r + down, c + right])) found.push([r, c, r + down, c + right]);
        }
      }
    }
    return [to, found];
  });
}

const sideOf = (a, b, p) => Math.sign((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]));

// Whether two different moves share a point that is not an end of both.
function cross(a, b, c, d) {
  const same = (p, q) => p[0] === q[0] && p[1] === q[1];
  const within = (p, q, x) => [0, 1].every((k) => Math.min(p[k], q[k]) <= x[k] && x[k] <= Math.max(p[k], q[k]));
  for (const [s, p] of [[a, b], [b, a]]) {
    for (const [t, q] of [[c, d], [d, c]]) {
      if (!same(s, t)) continue;
      if (same(p, q)) return false;
      return sideOf(s, p, q) === 0 && (p[0] - s[0]) * (q[0] - s[0]) + (p[1] - s[1]) * (q[1] - s[1]) > 0;
    }
  }
  const sides = [sideOf(a, b, c), sideOf(a, b, d), sideOf(c, d, a), sideOf(c, d, b)];
  if (!sides.includes(0)) return sides[0] !== sides[1] && sides[2] !== sides[3];
  const touching = [[a, b, c], [a, b, d], [c, d, a], [c, d, b]];
  return sides.some((side, i) => side === 0 && within(...touching[i]));
}

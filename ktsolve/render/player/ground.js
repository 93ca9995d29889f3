// Boards and graphs: cells or vertices with their positions, names and neighbours.

// Neighbours are computed when they are needed: a table of all would take seconds on a million cells.
function makeBoard({ rows, columns, without, leaper, wrap }) {
  const number = new Int32Array(rows * columns).fill(0);
  for (const [row, column] of without) number[row * columns + column] = -1;
  const size = number.length - without.length;
  const row = new Int32Array(size), column = new Int32Array(size);
  for (let at = 0, n = 0; at < number.length; at += 1) {
    if (number[at] < 0) continue;
    number[at] = n;
    row[n] = Math.floor(at / columns);
    column[n] = at % columns;
    n += 1;
  }
  const offsets = leaps(leaper);
  const aroundX = wrap.includes("x"), aroundY = wrap.includes("y");

  function at(r, c) {
    if (aroundY) r = ((r % rows) + rows) % rows;
    if (aroundX) c = ((c % columns) + columns) % columns;
    return r < 0 || r >= rows || c < 0 || c >= columns ? -1 : number[r * columns + c];
  }
  function neighbours(n) {
    const found = new Set();
    for (const [down, right] of offsets) {
      const other = at(row[n] + down, column[n] + right);
      if (other >= 0 && other !== n) found.add(other);
    }
    return [...found].sort((a, b) => a - b);
  }

  return {
    rows, columns, size, row, column, offsets, at, leaper, isGraph: false, directed: false,
    // Centres of the cells and the size of the board; the side of a cell is 1.
    x: Float64Array.from(column, (c) => c + 0.5), y: Float64Array.from(row, (r) => r + 0.5), wide: columns, high: rows,
    cellAt: (x, y) => (x < 0 || y < 0 || x >= columns || y >= rows ? -1 : at(Math.floor(y), Math.floor(x))),
    label: `${rows}×${columns}`,
    wrapped: aroundX || aroundY,
    neighbours,
    name: (n) => fileName(column[n]) + (rows - row[n]),
    named(text) {
      const parts = /^([a-z]{1,6})([1-9]\d{0,6})$/.exec(text.toLowerCase());
      if (!parts) return -1;
      const c = [...parts[1]].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 96, 0) - 1;
      const r = rows - Number(parts[2]);
      return r < 0 || c >= columns ? -1 : number[r * columns + c];
    },
    same: (other) => !other.isGraph && rows === other.rows && columns === other.columns && size === other.size
      && row.every((r, n) => r === other.row[n] && column[n] === other.column[n]),
  };
}

function leaps([r, s]) {
  const found = new Map();
  for (const [a, b] of [[r, s], [s, r]]) {
    for (const i of [1, -1]) for (const j of [1, -1]) found.set(`${a * i},${b * j}`, [a * i, b * j]);
  }
  return [...found.values()];
}

function fileName(column) {
  let letters = "";
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26)) {
    letters = String.fromCharCode(97 + ((left - 1) % 26)) + letters;
  }
  return letters;
}

// Vertices have positions in units of the room around a vertex.
function makeGraph({ names, x, y, wide, high, edges, directed }) {
  const size = names.length;
  const out = lists(size, edges, 0, 1);
  const both = directed ? null : lists(size, [...edges, ...edges.map((_, i) => edges[i ^ 1])], 0, 1);
  const key = edges.join();
  return {
    size, wide, high, edges, isGraph: true, directed, wrapped: false, key,
    x: Float64Array.from(x), y: Float64Array.from(y),
    cellAt(px, py) {
      let best = -1, least = 0.8;
      for (let n = 0; n < size; n += 1) {
        const far = Math.hypot(x[n] - px, y[n] - py);
        if (far < least) [best, least] = [n, far];
      }
      return best;
    },
    label: directed ? "directed graph" : "graph",
    neighbours: both ?? out,
    name: (n) => names[n],
    named: (text) => names.indexOf(text),
    same: (other) => other.isGraph && size === other.size && directed === other.directed && key === other.key,
  };
}

// A function that gives the other ends of the edges at a vertex, sorted.
function lists(size, edges, from, to) {
  const first = new Int32Array(size + 1);
  for (let i = 0; i < edges.length; i += 2) first[edges[i + from] + 1] += 1;
  for (let n = 0; n < size; n += 1) first[n + 1] += first[n];
  const next = first.slice(), ends = new Int32Array(edges.length / 2);
  for (let i = 0; i < edges.length; i += 2) {
    ends[next[edges[i + from]]] = edges[i + to];
    next[edges[i + from]] += 1;
  }
  for (let n = 0; n < size; n += 1) ends.subarray(first[n], first[n + 1]).sort();
  return (n) => [...ends.subarray(first[n], first[n + 1])];
}

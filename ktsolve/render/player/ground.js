// Boards and graphs: cells or vertices with their positions, names and neighbours.

function makeBoard({ rows, columns, without, leaper, wrap }) {
  const number = new Int32Array(rows * columns).fill(0);
  for (const [row, column] of without) number[row * columns + column] = -1;
  const place = [];
  for (let at = 0; at < number.length; at += 1) {
    if (number[at] < 0) continue;
    number[at] = place.length;
    place.push(at);
  }
  const row = Int32Array.from(place, (at) => Math.floor(at / columns));
  const column = Int32Array.from(place, (at) => at % columns);
  const offsets = leaps(leaper);
  const aroundX = wrap.includes("x"), aroundY = wrap.includes("y");

  function at(r, c) {
    if (aroundY) r = ((r % rows) + rows) % rows;
    if (aroundX) c = ((c % columns) + columns) % columns;
    return r < 0 || r >= rows || c < 0 || c >= columns ? -1 : number[r * columns + c];
  }

  // Neighbours of cell n: near[first[n]] up to near[first[n + 1]], sorted.
  const first = new Int32Array(place.length + 1);
  const near = [];
  for (let n = 0; n < place.length; n += 1) {
    const found = new Set();
    for (const [down, right] of offsets) {
      const other = at(row[n] + down, column[n] + right);
      if (other >= 0 && other !== n) found.add(other);
    }
    near.push(...[...found].sort((a, b) => a - b));
    first[n + 1] = near.length;
  }
  const neighbours = Int32Array.from(near);

  return {
    rows, columns, size: place.length, row, column, offsets, at, isGraph: false, directed: false,
    // Centres of the cells and the size of the board; the side of a cell is 1.
    x: Float64Array.from(column, (c) => c + 0.5), y: Float64Array.from(row, (r) => r + 0.5), wide: columns, high: rows,
    cellAt: (x, y) => (x < 0 || y < 0 || x >= columns || y >= rows ? -1 : at(Math.floor(y), Math.floor(x))),
    label: `${rows}×${columns}`,
    wrapped: aroundX || aroundY,
    neighbours: (n) => neighbours.subarray(first[n], first[n + 1]),
    sources: (n) => neighbours.subarray(first[n], first[n + 1]),
    name: (n) => fileName(column[n]) + (rows - row[n]),
    same: (other) => !other.isGraph && rows === other.rows && columns === other.columns && place.length === other.size
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
  const into = lists(size, edges, 1, 0), out = lists(size, edges, 0, 1);
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
    sources: both ?? into,
    name: (n) => names[n],
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
  return (n) => ends.subarray(first[n], first[n + 1]);
}

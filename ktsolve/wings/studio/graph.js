// A bare graph from text: a line for each edge with the names of its ends, or one word in graph6 (McKay); cycle, path or number.

const MOST_VERTICES = 400;

// {names, edges}; edges are pairs u < v, sorted.
function readGraph(text) {
  const lines = text.split("\n").map((line) => line.replace(/#.*/, "").trim()).filter(Boolean);
  if (lines.length === 0) throw new BadField("Paste a graph: a line for each edge, such as “a b”, or graph6.");
  if (lines.length === 1 && !/\s/.test(lines[0]) && !lines[0].includes(",")) return graph6(lines[0]);
  const number = new Map(), found = new Map();
  const place = (name) => {
    if (!number.has(name)) number.set(name, number.size);
    return number.get(name);
  };
  for (const line of lines) {
    const ends = line.split(/[\s,]+/).filter(Boolean);
    if (ends.length !== 2) throw new BadField(`“${line.slice(0, 40)}” is not an edge: give the names of two vertices.`);
    if (ends[0] === ends[1]) throw new BadField(`The edge “${line.slice(0, 40)}” is a loop: leave it out.`);
    const [u, v] = ends.map(place).sort((a, b) => a - b);
    found.set(`${u} ${v}`, [u, v]);
    if (number.size > MOST_VERTICES) throw new BadField(`A graph of the studio has at most ${MOST_VERTICES} vertices: use the command line.`);
  }
  return { names: [...number.keys()], edges: [...found.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]) };
}

function graph6(word) {
  const values = [...word.replace(/^>>graph6<</, "")].map((letter) => letter.charCodeAt(0) - 63);
  const bad = () => new BadField(`“${word.slice(0, 40)}” is not graph6: give a word of graph6, or a line for each edge.`);
  if (values.some((value) => value < 0 || value > 63)) throw bad();
  let size = values.shift();
  if (size === 63) size = values.splice(0, 3).reduce((sum, value) => 64 * sum + value, 0);
  if (!(size <= MOST_VERTICES)) throw new BadField(`A graph of the studio has at most ${MOST_VERTICES} vertices: use the command line.`);
  if (values.length !== Math.ceil((size * (size - 1)) / 12)) throw bad();
  const edges = [];
  for (let v = 1, bit = 0; v < size; v += 1) {
    for (let u = 0; u < v; u += 1, bit += 1) if ((values[Math.floor(bit / 6)] >> (5 - (bit % 6))) & 1) edges.push([u, v]);
  }
  edges.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return { names: Array.from({ length: size }, (_, n) => String(n)), edges };
}

// The graph as a problem whose vertices are cells, for the same checks and tasks as a board.
/** @param {Fields} fields */
function graphProblem({ graph, tours }) {
  const { names, edges } = readGraph(graph);
  const around = names.map(() => []);
  for (const [u, v] of edges) { around[u].push(v); around[v].push(u); }
  const board = { size: names.length, name: (n) => names[n], neighbours: (n) => around[n], named: (name) => names.indexOf(name) };
  return { board, edges, closed: tours === "closed", start: -1, end: -1, at: [], require: [], forbid: [], isPlain: false, isGraph: true, without: [] };
}

// What the player draws: the vertices on a circle, in the order of the tour where there is one.
/** @param {Problem} problem @param {number[] | null} tour */
function circleOf({ board, edges }, tour) {
  const n = board.size, radius = Math.max(1.2, (n * 1.15) / (2 * Math.PI)), x = new Array(n), y = new Array(n);
  (tour ?? [...x.keys()]).forEach((v, i) => {
    x[v] = radius + 0.6 + radius * Math.sin((2 * Math.PI * i) / n);
    y[v] = radius + 0.6 - radius * Math.cos((2 * Math.PI * i) / n);
  });
  const side = 2 * radius + 1.2;
  return { names: Array.from({ length: n }, (_, v) => board.name(v)), x, y, wide: side, high: side, edges: edges.flat(), directed: false };
}

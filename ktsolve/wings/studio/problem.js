// A tour problem: a board and conditions, as the page has them in its fields, and the graph whose cycles are its tours.
//
// The fields are texts, the same as in links: {board: "8x8", piece: "1,2", wrap: "none", tours: "closed", without: "a1 b2",
// start: "c3", end: "", at: "5=d4", require: "a1-b3", forbid: "", graph: ""}. A graph (graph.js) stands in place of the board. What
// is wrong with a field is said by a BadField.

const LONGEST_SIDE = 60;
const MOST_PUZZLE_CELLS = 64; // of a board for which the page makes puzzles
const EMPTY = { board: "8x8", piece: "1,2", wrap: "none", tours: "closed", without: "", start: "", end: "", at: "", require: "", forbid: "", graph: "" };

class BadField extends Error {}

/** @param {Fields} fields @returns {Problem} */
function readProblem(fields) {
  const bad = (message) => { throw new BadField(message); };
  if (!["closed", "open"].includes(fields.tours)) bad(`The tours are “${fields.tours}”: give closed or open.`);
  if (fields.graph.trim()) return { fields, ...graphProblem(fields) };
  const size = /^\s*(\d{1,3})\s*[x×*]\s*(\d{1,3})\s*$/i.exec(fields.board);
  if (!size) bad(`The board is “${fields.board}”: give rows x columns, such as 8x8.`);
  const [rows, columns] = size.slice(1).map(Number);
  if (Math.min(rows, columns) < 1 || Math.max(rows, columns) > LONGEST_SIDE) {
    bad(`A board of the studio has 1 to ${LONGEST_SIDE} rows and columns, not ${rows}x${columns}: for larger ones use the command line.`);
  }
  const leap = /^(\d{1,2}),(\d{1,2})$/.exec(fields.piece);
  if (!leap || leap.slice(1).every((part) => Number(part) === 0)) bad(`The piece is “${fields.piece}”: give its leap, such as 1,2.`);
  if (!["none", "x", "y", "xy"].includes(fields.wrap)) bad(`The wrap is “${fields.wrap}”: give none, x, y or xy.`);
  const given = { rows, columns, leaper: leap.slice(1).map(Number), wrap: fields.wrap };
  const whole = makeBoard({ ...given, without: [] });
  const words = (text) => text.split(/[\s;]+/).filter(Boolean);
  function cellOf(board, name) {
    const cell = board.named(name);
    if (cell < 0) bad(`The board has no cell ${name}: cells are a1 to ${whole.name(columns - 1)}${whole === board ? "" : ", without the removed ones"}.`);
    return cell;
  }
  const without = [...new Set(words(fields.without).map((name) => cellOf(whole, name)))].map((n) => [whole.row[n], whole.column[n]]);
  if (without.length === whole.size) bad("All cells are removed: leave some.");
  const board = makeBoard({ ...given, without });
  const cell = (name) => (name.trim() ? cellOf(board, name.trim()) : -1);
  const moves = (text) => words(text).map((move) => {
    const ends = move.split("-");
    if (ends.length !== 2) bad(`“${move}” is not a move: give two cells, such as a1-b3.`);
    const [a, b] = ends.map((name) => cellOf(board, name));
    if (!board.neighbours(a).includes(b)) bad(`The piece does not move from ${ends[0]} to ${ends[1]}.`);
    return a < b ? [a, b] : [b, a];
  });
  const at = words(fields.at).map((given) => {
    const parts = /^(\d{1,4})=(.+)$/.exec(given);
    if (!parts) bad(`“${given}” is not a step: give its number and a cell, such as 5=d4.`);
    const step = Number(parts[1]);
    if (step < 1 || step > board.size) bad(`The tours have the steps 1 to ${board.size}, not ${step}.`);
    return [step, cellOf(board, parts[2])];
  });
  for (const [i, part] of [[0, "step"], [1, "cell"]]) {
    const twice = at.find((one, k) => at.findIndex((other) => other[i] === one[i]) < k);
    if (twice) bad(`The steps name the ${part} ${i ? board.name(twice[1]) : twice[0]} twice: give each once.`);
  }
  /** @type {Problem} */
  const problem = {
    fields, board, at, isPlain: false, rows, columns, without, closed: fields.tours === "closed", leaper: given.leaper, wrap: given.wrap,
    start: cell(fields.start), end: cell(fields.end), require: moves(fields.require), forbid: moves(fields.forbid),
  };
  if (problem.start >= 0 && problem.start === problem.end && board.size > 1) bad("The first and the last cell are the same: give two cells.");
  const { start, end } = problem;
  if (problem.closed && start >= 0 && end >= 0) {
    if (!board.neighbours(start).includes(end)) bad("In a closed tour the last cell is a move from the first.");
    problem.require.push(start < end ? [start, end] : [end, start]);
  }
  problem.isPlain = without.length + problem.require.length + problem.forbid.length + at.length === 0
    && (problem.closed || (start < 0 && end < 0)) && problem.wrap === "none" && String([...problem.leaper].sort()) === "1,2";
  return problem;
}

// The graph whose Hamiltonian cycles are the tours. An open tour is a cycle through one vertex more, `extra`, joined to every cell
// where the tour may end.
/** @param {Problem} problem @returns {CycleGraph} */
function graphOf(problem) {
  const { board, closed, start, end } = problem, n = board.size;
  const key = ([u, v]) => u * (n + 1) + v;
  const required = new Set(problem.require.map(key)), forbidden = new Set(problem.forbid.map(key));
  const edges = [];
  for (let u = 0; u < n; u += 1) {
    for (const v of board.neighbours(u)) {
      if (u < v && !forbidden.has(key([u, v]))) edges.push([u, v, Number(required.has(key([u, v])))]);
    }
  }
  if (closed) return { vertices: n, edges, extra: -1 };
  const given = [...new Set([start, end])].filter((v) => v >= 0).sort((a, b) => a - b);
  const ends = start >= 0 && end >= 0 ? given : Array.from({ length: n }, (_, v) => v);
  for (const v of ends) edges.push([v, n, Number(given.includes(v))]);
  return { vertices: n + 1, edges, extra: n };
}

// Why there is no tour, by counting or by a theorem: {why, cells}; null if this shows nothing.
/** @param {Problem} problem @returns {{ why: string, cells: number[] } | null} */
function whyNone(problem) {
  const proved = problem.isPlain ? schwenk(problem) : null;
  return refutation(problem) ?? (proved && { why: proved, cells: [] });
}

/** @param {Problem} problem @returns {{ why: string, cells: number[] } | null} */
function refutation(problem) {
  const { board, closed, start, end } = problem, n = board.size;
  const names = (cells) => cells.slice(0, 6).map(board.name).join(", ") + (cells.length > 6 ? `, … (${cells.length})` : "");
  const forbidden = new Set(problem.forbid.map(([a, b]) => a * n + b));
  const around = (u) => board.neighbours(u).filter((v) => !forbidden.has(Math.min(u, v) * n + Math.max(u, v)));
  const all = Array.from({ length: n }, (_, u) => around(u));
  if (n === 1) return closed ? { why: "One cell has no closed tour.", cells: [0] } : null;
  if (closed && n < 3) return { why: "A closed tour has at least three cells.", cells: [] };
  const both = problem.require.filter(([a, b]) => forbidden.has(a * n + b));
  if (both.length) return { why: `The move ${both[0].map(board.name).join("-")} is required and forbidden.`, cells: both[0] };

  const seen = new Set([0]), queue = [0];
  while (queue.length) for (const v of all[queue.pop()]) if (!seen.has(v)) { seen.add(v); queue.push(v); }
  if (seen.size < n) {
    let apart = all.map((_, u) => u).filter((u) => !seen.has(u));
    if (apart.length > n / 2) apart = [...seen];
    return { why: `No moves lead from ${names(apart)} to the other cells.`, cells: apart };
  }
  const short = all.map((_, u) => u).filter((u) => all[u].length < 2);
  if (closed && short.length) {
    return { why: `A closed tour uses two moves at every cell; ${names(short)} ${short.length > 1 ? "have" : "has"} fewer.`, cells: short };
  }
  if (short.length > 2) return { why: `Only two cells of an open tour have one move; ${names(short)} have no more.`, cells: short };

  const uses = new Map();
  for (const move of problem.require) for (const u of move) uses.set(u, (uses.get(u) ?? 0) + 1);
  const full = [...uses].filter(([u, count]) => count > (!closed && (u === start || u === end) ? 1 : 2)).map(([u]) => u);
  if (full.length) return { why: `Too many moves are required at ${names(full)}.`, cells: full };

  const colour = colours(all);
  if (colour === null) return null;
  const black = colour.reduce((sum, each) => sum + each, 0), white = n - black;
  const less = black < white ? 1 : 0;
  const counts = `${Math.max(black, white)} cells of one colour and ${Math.min(black, white)} of the other`;
  const fewer = all.map((_, u) => u).filter((u) => colour[u] === less);
  if (closed && black !== white) return { why: `Every move changes the colour, and there are ${counts}.`, cells: fewer };
  if (Math.abs(black - white) > 1) return { why: `Colours alternate along a tour, and there are ${counts}.`, cells: fewer };
  if (!closed) {
    const ends = [start, end].filter((v) => v >= 0);
    const wrong = black === white ? [] : ends.filter((v) => colour[v] === less);
    if (wrong.length) return { why: `There are ${counts}: a tour begins and ends on the colour with more, and ${names(wrong)} has the other.`, cells: wrong };
    if (black === white && ends.length === 2 && colour[start] === colour[end]) {
      return { why: "There are as many cells of one colour as of the other: the ends of a tour differ in colour.", cells: ends };
    }
  }
  return null;
}

// What a separator says of the tours.
/** @param {Problem} problem @param {CycleGraph} graph @param {{ vertices: number[], components: number, most: number }} found @returns {{ why: string, cells: number[] }} */
function separated({ board, closed, isGraph }, { extra }, { vertices, components, most }) {
  const cells = vertices.filter((v) => v !== extra), k = cells.length;
  const what = k === 1 ? `Without ${board.name(cells[0])}` : `Without these ${k} ${isGraph ? "vertices" : "cells"}`;
  const ends = extra >= 0 && k === vertices.length ? ", also when the ends are joined" : "";
  return { why: `${what} the ${isGraph ? "graph" : "board"} has ${components} components${ends}; ${closed ? "a closed" : "an open"} tour allows at most ${most}.`, cells };
}

// Numbers from 0 to 1 that depend on the seed alone (mulberry32).
function chanceOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled(list, chance) {
  for (let i = list.length - 1; i > 0; i -= 1) {
    const j = Math.floor(chance() * (i + 1));
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

// 0 or 1 for each vertex so that neighbours differ; null if that is impossible.
function colours(around) {
  const colour = new Array(around.length).fill(-1);
  for (let root = 0; root < around.length; root += 1) {
    if (colour[root] >= 0) continue;
    colour[root] = 0;
    for (const queue = [root]; queue.length;) {
      const u = queue.pop();
      for (const v of around[u]) {
        if (colour[v] === colour[u]) return null;
        if (colour[v] < 0) { colour[v] = 1 - colour[u]; queue.push(v); }
      }
    }
  }
  return colour;
}

// The theorem of Schwenk (1991) on closed tours of plain rectangles, as a sentence; null where it says nothing against one.
/** @param {Problem} problem @returns {string | null} */
function schwenk({ rows, columns, closed }) {
  const [m, n] = [Math.min(rows, columns), Math.max(rows, columns)];
  if (!closed) return null;
  const why = m % 2 && n % 2 ? "both sides are odd" : [1, 2, 4].includes(m) ? `one side is ${m}` : m === 3 && n < 10 ? "it is 3 by 4, 6 or 8" : null;
  return why && `Schwenk's theorem (1991): this rectangle has no closed tour, since ${why}.`;
}

// A plan of the whole rectangle for the problem at hand: without the cells and moves that are missing, and without symmetries if
// anything is missing. null if a part becomes empty.
/** @param {Problem} problem @param {CycleGraph} graph @param {any} plan */
function planFor(problem, graph, plan) {
  if (problem.isPlain) {
    const ends = new Set(plan.ends);
    const edges = graph.edges.filter(([u, v]) => v !== graph.extra || ends.has(u));
    return { graph: { ...graph, edges }, plan };
  }
  const { board, rows, columns } = problem, size = rows * columns;
  const place = (v) => (v === size ? graph.extra : board.at(Math.floor(v / columns), v % columns));
  const kept = (vertices) => vertices.map(place).filter((v) => v >= 0);
  const parts = { top: kept(plan.top), bottom: kept(plan.bottom), separator: kept(plan.separator) };
  if (Object.values(parts).some((part) => part.length === 0)) return null;
  const colour = [...board.row].map((r, u) => (r + board.column[u]) % 2);
  const black = colour.reduce((sum, each) => sum + each, 0), white = board.size - black;
  let { edges } = graph;
  if (Math.abs(black - white) === 1) {
    const more = black > white ? 1 : 0;
    edges = edges.filter(([u, v]) => v !== graph.extra || colour[u] === more);
  }
  const isSplit = plan.split >= 0 && black === white;
  const inside = new Set(parts.separator), key = (u, v) => u * graph.vertices + v;
  const atTop = new Set([...plan.top_deferred, ...plan.top_preapplied.flat()].map(([u, v]) => key(place(u), place(v))));
  const found = { top_deferred: [], bottom_deferred: [], top_preapplied: [], bottom_preapplied: [] };
  for (const [u, v] of edges) {
    if (!inside.has(u) || !inside.has(v)) continue;
    const side = atTop.has(key(u, v)) ? "top" : "bottom";
    found[`${side}_${v === graph.extra ? "preapplied" : "deferred"}`].push([u, v]);
  }
  for (const side of ["top_preapplied", "bottom_preapplied"]) found[side] = found[side].length ? [found[side]] : [];
  return {
    graph: { ...graph, edges },
    plan: {
      ...parts, ...found, top_mirror: [], bottom_mirror: [], flip: [], mirror_joins: false,
      split: isSplit ? graph.extra : -1, turned: -1, colour: isSplit ? [...colour, 0] : [],
    },
  };
}

// What is wrong with a tour of the problem, in words; null if nothing is.
/** @param {Problem} problem @param {number[]} cells @returns {string | null} */
function violation(problem, cells) {
  const { board, closed } = problem, n = board.size;
  if (cells.length !== n) return `The tour has ${cells.length} cells, the board ${n}.`;
  if (new Set(cells).size !== n) return "The tour visits a cell twice.";
  const moves = new Set();
  for (let i = closed ? 0 : 1; i < n; i += 1) {
    const [a, b] = [cells[(i + n - 1) % n], cells[i]];
    if (!board.neighbours(a).includes(b)) return `The piece does not move from ${board.name(a)} to ${board.name(b)}.`;
    moves.add(Math.min(a, b) * n + Math.max(a, b));
  }
  const has = ([a, b]) => moves.has(a * n + b);
  if (!problem.require.every(has)) return "The tour leaves out a required move.";
  if (problem.forbid.some(has)) return "The tour makes a forbidden move.";
  if (problem.start >= 0 && cells[0] !== problem.start) return `The tour does not begin at ${board.name(problem.start)}.`;
  if (problem.end >= 0 && cells.at(-1) !== problem.end) return `The tour does not end at ${board.name(problem.end)}.`;
  const off = problem.at.find(([step, cell]) => cells[step - 1] !== cell);
  if (off) return `The tour is not on ${board.name(off[1])} at step ${off[0]}.`;
  return null;
}

// The steps that a search is given: pairs of a vertex of the graph and its number in a cycle, from 0.
/** @param {Problem} problem @param {CycleGraph} graph @returns {number[][]} */
function stepsOf({ at, start, end, board }, { extra }) {
  if (at.length === 0) return [];
  const ends = [[start, 0], [end, board.size - 1], [extra, board.size]].filter(([v]) => v >= 0);
  return [...at.map(([step, cell]) => [cell, step - 1]), ...ends];
}

// The tours of the problem that a cycle of the graph is, in one direction or both.
/** @param {Problem} problem @param {CycleGraph} graph @param {number[]} cycle @returns {number[][]} */
function toursOf(problem, { extra }, cycle) {
  const { at, start, board: { size } } = problem;
  const [place, vertex] = extra >= 0 ? [size, extra] : start >= 0 ? [0, start] : at.length ? [at[0][0] - 1, at[0][1]] : [0, cycle[0]];
  return [cycle, [...cycle].reverse()].map((cells) => {
    const shift = cells.indexOf(vertex) - place + cells.length;
    return cells.map((_, i) => cells[(i + shift) % cells.length]).slice(0, size);
  }).filter((cells) => violation(problem, cells) === null);
}

// One of them.
/** @param {Problem} problem @param {CycleGraph} graph @param {number[]} cycle @returns {number[]} */
function tourOf(problem, graph, cycle) {
  return toursOf(problem, graph, cycle)[0] ?? cycle;
}

// The cells of a pasted tour: names of cells, or the numbers of the steps row by row.
/** @param {Problem} problem @param {string} text @returns {number[]} */
function readTour(problem, text) {
  const { board } = problem, words = text.trim().split(/[\s,;|>-]+/).filter(Boolean);
  const cells = new Array(words.length);
  if (words.every((word) => /^\d+$/.test(word))) {
    words.forEach((word, n) => { cells[Number(word) - 1] = n; });
    if (cells.length !== board.size || cells.includes(undefined)) throw new BadField(`The steps are not the numbers 1 to ${board.size}, each once.`);
  } else {
    words.forEach((word, i) => {
      cells[i] = board.named(word);
      if (cells[i] < 0) throw new BadField(`The board has no cell ${word.slice(0, 20)}.`);
    });
    if (problem.closed && cells.length === board.size + 1 && cells[0] === cells.at(-1)) cells.pop();
  }
  const wrong = violation(problem, cells);
  if (wrong !== null) throw new BadField(wrong);
  return cells;
}

// A walk and its current position: the state of one board, changed by single events.
//
// An event is the number of the cell to which the walk moves (row by row, without holes; a vertex of a graph), or -1, which takes
// back the last cell. A tour, or a walk over some of the cells, has no event -1. Position p is the state after p
// events. A closed walk has one position more, in which it has returned to its first cell.

function makeWalk(data) {
  const board = data.graph ? makeGraph(data.graph) : makeBoard(data.board);
  const given = Int32Array.from(data.kind === "trace" ? data.events : data.cells);
  const walk = {
    data, board, closed: data.closed, isTrace: data.kind === "trace", isPartial: data.kind === "walk",
    events: given, shift: 0, at: 0, depth: 0,
    path: new Int32Array(board.size),
    stepOf: new Int32Array(board.size), // 0 for free cells
    access: new Int32Array(board.size), // free cells one move away
  };
  for (let n = 0; n < board.size; n += 1) walk.access[n] = board.neighbours(n).length;

  // The cell that each -1 takes back, the number of -1 so far, and the final path.
  const stack = [];
  const taken = new Int32Array(given.length);
  let takenBack = 0;
  const backs = new Int32Array(given.length + 1);
  given.forEach((event, i) => {
    if (event < 0) {
      taken[i] = stack.pop();
      takenBack += 1;
    } else {
      stack.push(event);
    }
    backs[i + 1] = takenBack;
  });
  walk.takenBack = (p) => backs[Math.min(p, given.length)];
  walk.final = stack;
  const last = stack.at(-1);
  walk.returns = walk.closed && (walk.isPartial || stack.length === board.size) && stack.length > 2
    && board.neighbours(last).includes(stack[0]);
  walk.length = given.length + (walk.returns ? 1 : 0);
  walk.edges = new Set();
  eachMove(walk.final, walk.returns, (a, b) => walk.edges.add(edgeKey(board, a, b)));

  function put(cell, step) {
    walk.path[walk.depth] = cell;
    walk.depth += 1;
    walk.stepOf[cell] = step;
    for (const other of board.sources(cell)) walk.access[other] -= 1;
  }
  function remove() {
    walk.depth -= 1;
    const cell = walk.path[walk.depth];
    walk.stepOf[cell] = 0;
    for (const other of board.sources(cell)) walk.access[other] += 1;
  }

  walk.goTo = (position) => {
    const wanted = Math.max(0, Math.min(walk.length, position));
    for (; walk.at < wanted; walk.at += 1) {
      const event = walk.events[walk.at];
      if (event === undefined) continue; // the return to the start
      if (event >= 0) put(event, walk.depth + 1);
      else remove();
    }
    for (; walk.at > wanted; walk.at -= 1) {
      const event = walk.events[walk.at - 1];
      if (event === undefined) continue;
      if (event >= 0) remove();
      else put(taken[walk.at - 1], walk.depth + 1);
    }
  };
  walk.hasReturned = () => walk.returns && walk.at === walk.length;
  walk.knight = () => {
    if (walk.depth === 0) return -1;
    return walk.hasReturned() ? walk.path[0] : walk.path[walk.depth - 1];
  };
  walk.next = () => {
    if (walk.at < walk.events.length) return walk.events[walk.at];
    return walk.returns && !walk.hasReturned() ? walk.path[0] : -1;
  };
  // The cell that the last event took back; -1 after a move.
  walk.justLeft = () => (walk.at > 0 && walk.events[walk.at - 1] === -1 ? taken[walk.at - 1] : -1);
  // Free cells one move away, in the order of Warnsdorff's rule: least accessibility first.
  walk.candidates = () => {
    const here = walk.knight();
    if (here < 0 || walk.hasReturned()) return [];
    return [...board.neighbours(here)].filter((cell) => walk.stepOf[cell] === 0)
      .sort((a, b) => walk.access[a] - walk.access[b] || a - b);
  };
  walk.canStartAnywhere = walk.returns && !walk.isTrace;
  walk.startAt = (cell) => {
    const from = given.indexOf(cell);
    walk.goTo(0);
    walk.shift = from;
    walk.events = Int32Array.from(given, (_, i) => given[(i + from) % given.length]);
    walk.final = [...walk.events];
    walk.metrics = makeMetrics(walk);
    walk.goTo(1);
  };
  walk.positionOf = (cell) => walk.events.indexOf(cell) + 1; // 0 if the walk does not visit it
  walk.metrics = makeMetrics(walk);
  return walk;
}

function eachMove(path, returns, visit) {
  for (let i = 1; i < path.length; i += 1) visit(path[i - 1], path[i], i - 1);
  if (returns) visit(path[path.length - 1], path[0], path.length - 1);
}

function edgeKey(board, a, b) {
  return a < b || board.directed ? a * board.size + b : b * board.size + a;
}

// Numbers of turns, angles and crossings of the moves so far. The data contain the kinds of angles and the pairs
// of moves that cross; with another start of a closed tour only the numbers of its moves change.
const ANGLES = { a: "acute", r: "right", o: "obtuse", s: "straight" };

function makeMetrics(walk) {
  const { angles, crossings } = walk.data;
  const n = walk.events.length;
  const known = {};
  if (angles) {
    // before[kind][i]: number of angles of a kind at the first i cells. The angle at a cell counts after the next
    // move; those at the first and last cell of a closed tour count after the return.
    const before = {};
    for (const [letter, kind] of Object.entries(ANGLES)) {
      const sums = (before[kind] = new Int32Array(n + 1));
      for (let i = 0; i < n; i += 1) sums[i + 1] = sums[i] + (angles[(i + walk.shift) % n] === letter ? 1 : 0);
    }
    known.kinds = (position) => Object.fromEntries(Object.entries(before).map(([kind, sums]) =>
      [kind, position > n ? sums[n] : position > 1 ? sums[position - 1] - sums[1] : 0]));
  }
  if (crossings) {
    const made = new Int32Array(n + 1); // made[m]: crossings among the first m moves
    for (let i = 0; i < crossings.length; i += 2) {
      const [one, other] = [crossings[i], crossings[i + 1]].map((move) => (move - walk.shift + n) % n);
      made[Math.max(one, other) + 1] += 1;
    }
    for (let m = 1; m <= n; m += 1) made[m] += made[m - 1];
    known.crossings = (position) => made[Math.max(0, Math.min(position - 1, n))];
  }
  return known;
}

// Numbers of common and of different moves of two walks; null if the boards differ.
function compare(one, other) {
  if (!one.board.same(other.board)) return null;
  const shared = [...one.edges].filter((edge) => other.edges.has(edge)).length;
  let together = 0;
  while (together < one.final.length && one.final[together] === other.final[together]) together += 1;
  return { shared, onlyOne: one.edges.size - shared, onlyOther: other.edges.size - shared, together };
}

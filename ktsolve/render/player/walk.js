// A walk and its current position: the state of one board, changed by single events.
//
// An event is the number of the cell to which the walk moves (row by row, without holes; a vertex of a graph), or -1, which takes
// back the last cell. A tour, or a walk over some of the cells, has no event -1. Position p is the state after p
// events. A closed walk has one position more, in which it has returned to its first cell.

function makeWalk(data, graphs) {
  const board = data.board ? makeBoard(data.board) : makeGraph(graphs[data.graph]);
  const given = Int32Array.from(data.kind === "trace" ? data.events : data.cells);
  const walk = {
    data, board, closed: data.closed, isTrace: data.kind === "trace", isPartial: data.kind === "walk",
    events: given, at: 0, depth: 0,
    path: new Int32Array(board.size),
    stepOf: new Int32Array(board.size), // 0 for free cells
    finalStep: new Int32Array(board.size), // the step at the end of the walk; 0 for cells that it leaves free
  };

  // The cell that each -1 takes back, the number of -1 so far, and the final path.
  const stack = [];
  const taken = new Int32Array(walk.isTrace ? given.length : 0);
  const backs = new Int32Array(walk.isTrace ? given.length + 1 : 0);
  if (walk.isTrace) {
    given.forEach((event, i) => {
      backs[i + 1] = backs[i];
      if (event < 0) {
        taken[i] = stack.pop();
        backs[i + 1] += 1;
      } else {
        stack.push(event);
      }
    });
  }
  walk.takenBack = (p) => backs[Math.min(p, given.length)];

  function settle(final) {
    walk.final = final;
    walk.finalStep.fill(0);
    for (let i = 0; i < final.length; i += 1) walk.finalStep[final[i]] = i + 1;
    walk.metrics = makeMetrics(walk);
  }
  const path = walk.isTrace ? Int32Array.from(stack) : given;
  const last = path.at(-1);
  walk.returns = walk.closed && (walk.isPartial || path.length === board.size) && path.length > 2
    && board.neighbours(last).includes(path[0]);
  walk.length = given.length + (walk.returns ? 1 : 0);
  settle(path);

  // Whether the whole walk makes a move from a to b; in graphs without directions, also from b to a.
  walk.makes = (a, b) => {
    const [s, t, n] = [walk.finalStep[a], walk.finalStep[b], walk.final.length];
    if (!s || !t) return false;
    const follows = (i, j) => j === i + 1 || (walk.returns && i === n && j === 1);
    return follows(s, t) || (!board.directed && follows(t, s));
  };

  function put(cell) {
    walk.path[walk.depth] = cell;
    walk.depth += 1;
    walk.stepOf[cell] = walk.depth;
  }
  function remove() {
    walk.depth -= 1;
    walk.stepOf[walk.path[walk.depth]] = 0;
  }
  walk.goTo = (position) => {
    const wanted = Math.max(0, Math.min(walk.length, position));
    for (; walk.at < wanted; walk.at += 1) {
      const event = walk.events[walk.at];
      if (event === undefined) continue; // the return to the start
      if (event >= 0) put(event);
      else remove();
    }
    for (; walk.at > wanted; walk.at -= 1) {
      const event = walk.events[walk.at - 1];
      if (event === undefined) continue;
      if (event >= 0) remove();
      else put(taken[walk.at - 1]);
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
  const isFree = (cell) => walk.stepOf[cell] === 0;
  // Free cells one move away.
  walk.access = (cell) => board.neighbours(cell).filter(isFree).length;
  // The same of the cell of the knight, in the order of Warnsdorff's rule: least accessibility first.
  walk.candidates = () => {
    const here = walk.knight();
    if (here < 0 || walk.hasReturned()) return [];
    const free = board.neighbours(here).filter(isFree).map((cell) => [walk.access(cell), cell]);
    return free.sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, cell]) => cell);
  };
  walk.canStartAnywhere = walk.returns && !walk.isTrace;
  walk.startAt = (cell) => {
    const from = given.indexOf(cell);
    walk.goTo(0);
    walk.events = new Int32Array(given.length);
    walk.events.set(given.subarray(from));
    walk.events.set(given.subarray(0, from), given.length - from);
    settle(walk.events);
    walk.goTo(1);
  };
  walk.positionOf = (cell) => walk.events.indexOf(cell) + 1; // 0 if the walk does not visit it
  return walk;
}

function eachMove(path, returns, visit) {
  for (let i = 1; i < path.length; i += 1) visit(path[i - 1], path[i], i - 1);
  if (returns) visit(path[path.length - 1], path[0], path.length - 1);
}

// Numbers of common and of different moves of two walks; null if the boards differ.
function compare(one, other) {
  if (!one.board.same(other.board)) return null;
  let shared = 0, together = 0;
  eachMove(one.final, one.returns, (a, b) => { shared += other.makes(a, b) ? 1 : 0; });
  while (together < one.final.length && one.final[together] === other.final[together]) together += 1;
  const moves = (walk) => Math.max(0, walk.final.length - 1) + (walk.returns ? 1 : 0);
  return { shared, onlyOne: moves(one) - shared, onlyOther: moves(other) - shared, together };
}

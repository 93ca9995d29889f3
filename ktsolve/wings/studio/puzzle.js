// Knight's puzzles: a board with the numbers of some steps that belong to one tour only. Made, checked and hinted at here, by the
// search of the core.

const SOLVED_SECONDS = 5;
const MADE_SECONDS = 20; // for a tour to begin with
const CHECKED_NODES = 20000; // a number stays if the search needs more nodes to show that it can be left out

// Why a board has no puzzles here: the name of a sentence of the page; null if it has.
/** @param {Problem} problem @returns {string | null} */
function puzzleRefused({ board, isGraph }) {
  return isGraph || board.size > MOST_PUZZLE_CELLS ? "puzzle" : null;
}

// The tours of a problem with given steps, two at most; and whether these are all.
/** @param {any} core @param {Problem} problem */
function solutions(core, problem, nodes = Infinity) {
  const graph = graphOf(problem);
  const seconds = nodes < Infinity ? Infinity : SOLVED_SECONDS; // what is made must not depend on the machine
  const { cycles, isWhole } = core.search(graph, { seed: 0, seconds, most: 2, nodes, steps: stepsOf(problem, graph) });
  const tours = cycles.flatMap((cycle) => toursOf(problem, graph, cycle));
  return { tours: tours.slice(0, 2), isWhole: isWhole || tours.length > 1 };
}

// The steps of a new puzzle, [step, cell] each. The same seed makes the same puzzle.
/** @param {any} core @param {Problem} problem @param {number} seed @returns {number[][] | null} */
function makePuzzle(core, problem, seed) {
  const graph = graphOf(problem), chance = chanceOf(seed);
  const { cycles } = core.search(graph, { seed: 1 + Math.floor(1e9 * chance()), seconds: MADE_SECONDS });
  if (cycles.length === 0) return null;
  const tour = tourOf(problem, graph, cycles[0]), { size } = problem.board;
  const first = problem.closed && problem.start < 0 ? Math.floor(size * chance()) : 0;
  let at = tour.map((_, i) => [i + 1, tour[(i + first) % size]]);
  for (const step of shuffled(at.map(([one]) => one), chance)) {
    const fewer = at.filter(([one]) => one !== step);
    if (fewer.length === 0) break;
    const { tours, isWhole } = solutions(core, { ...problem, at: fewer }, CHECKED_NODES);
    if (isWhole && tours.length === 1) at = fewer;
  }
  return at;
}

// A step that follows from the known ones, and why: {step, cell, why, cells}; or what is wrong, without a step.
/** @param {any} core @param {Problem} problem @param {number[][]} placed */
function puzzleHint(core, problem, placed) {
  const { board, closed, at } = problem, n = board.size, name = board.name;
  const { tours: [solution] } = solutions(core, problem);
  if (!solution) return { why: "The page found no tour with these numbers.", cells: [] };
  const wrong = placed.find(([step, cell]) => solution[step - 1] !== cell);
  if (wrong) return { why: `Step ${wrong[0]} is not on ${name(wrong[1])}.`, cells: [wrong[1]] };
  const known = [...at, ...placed].sort((a, b) => a[0] - b[0]), steps = new Set(known.map(([step]) => step));
  const free = new Set(Array.from({ length: n }, (_, v) => v));
  for (const [, cell] of known) free.delete(cell);
  // Moves from a known cell over free ones.
  const moves = new Map(known.map(([step, cell]) => {
    const distance = new Array(n).fill(Infinity), queue = [cell];
    distance[cell] = 0;
    for (let i = 0; i < queue.length; i += 1) {
      for (const v of board.neighbours(queue[i])) if (free.has(v) && distance[v] === Infinity) { distance[v] = distance[queue[i]] + 1; queue.push(v); }
    }
    return [step, distance];
  }));
  const colour = colours(Array.from({ length: n }, (_, v) => board.neighbours(v)));
  const found = [];
  for (let step = 1; step <= n; step += 1) {
    if (steps.has(step)) continue;
    const before = known.filter(([one]) => one < step).at(-1) ?? (closed ? known.at(-1) : undefined);
    const after = known.find(([one]) => one > step) ?? (closed ? known[0] : undefined);
    const near = /** @type {any[]} */ ([before && [before, (step - before[0] + n) % n], after && [after, (after[0] - step + n) % n]]).filter(Boolean);
    const cells = [...free].filter((cell) => near.every(([[one, other], gap]) => moves.get(one)[cell] <= gap
      && (colour === null || (colour[cell] === colour[other]) === (gap % 2 === 0))));
    found.push({ step, cells, near });
  }
  const least = found.reduce((best, each) => (each.cells.length < best.cells.length ? each : best), found[0]);
  if (!least) return { why: "All steps are on their cells.", cells: [] };
  const { step, cells, near } = least, cell = solution[step - 1], others = cells.filter((v) => v !== cell);
  const given = near.map(([[one, other], gap]) => `${gap} ${gap > 1 ? "moves" : "move"} from step ${one} on ${name(other)}`).join(" and ");
  const more = others.length ? ` Of these, no tour goes on from ${others.slice(0, 6).map(name).join(", ")}${others.length > 6 ? ", …" : ""}: the search of the page found none.` : "";
  const fits = others.length ? `can be on ${cells.length} cells that are` : `can only be on ${name(cell)}: no other free cell is`;
  return { step, cell, why: `Step ${step} ${fits} ${given}.${more}${others.length ? ` It is on ${name(cell)}.` : ""}`, cells: [cell] };
}

// Tasks of the page, done one after the other in a Web Worker. Messages: {id, task, ...} in; {id, progress} and {id, answer} or
// {id, failed} out. A task that is cancelled ends with its worker.

const MOST_BITS = 23; // largest number of states after a step, as a power of two, that a sweep is tried with
const REPAIR_SECONDS = 1, SEARCH_SECONDS = 20, SYMMETRIC_SECONDS = 0.7, SMOOTHER_SECONDS = 1.5;
const MOST_LISTED = 100000; // tours with given steps that a count visits one by one

async function makeTasks({ module, plans, bytes }, progress) {
  const core = await makeCore(module, (step, total, states) => progress({ step, total, states }));
  /** @param {Problem} problem @param {string} use */
  const planOf = ({ isGraph, rows, columns, closed, leaper, wrap }, use) => {
    const isKnight = !isGraph && wrap === "none" && String([...leaper].sort()) === "1,2";
    const found = isKnight ? plans[`${rows}x${columns} ${closed ? "closed" : "open"}`] : undefined;
    return found && { ...found, ...found[use] };
  };
  let prepared = null;

  return {
    // A tour; or the reason why there is none; or neither within the time.
    find({ fields, seed }) {
      const problem = readProblem(fields);
      const refuted = whyNone(problem);
      if (refuted) return { none: refuted.why, cells: refuted.cells };
      if (problem.board.size === 1) return { tour: [0] };
      const graph = graphOf(problem), isStepped = problem.at.length > 0;
      const isFree = graph.extra >= 0 && problem.start < 0 && problem.end < 0;
      // Without given ends a path is found more easily than a cycle through the vertex that is joined to all.
      const walked = isFree ? { vertices: problem.board.size, edges: graph.edges.filter(([, v]) => v !== graph.extra) } : graph;
      const repaired = isStepped ? { output: [] } : core.repair(walked, !isFree, seed, REPAIR_SECONDS);
      if (repaired.output.length) return { tour: isFree ? repaired.output : tourOf(problem, graph, repaired.output) };
      const separator = core.separator(graph, seed, Math.ceil(2e6 / (graph.vertices + graph.edges.length)));
      if (separator) {
        const { why, cells } = separated(problem, graph, separator);
        return { none: why, cells };
      }
      const { cycles, nodes, isWhole } = core.search(graph, { seed, seconds: SEARCH_SECONDS, steps: stepsOf(problem, graph) });
      if (cycles.length) return { tour: tourOf(problem, graph, cycles[0]) };
      return isWhole ? { none: `There is no tour: the search went through all ${nodes.toLocaleString("en-US")} possibilities that it met.`, cells: [] } : { unknown: nodes };
    },
    // The most symmetric tour that is found: of the groups of turns and reflections, the largest come first.
    symmetric({ fields, seed }) {
      const problem = readProblem(fields), graph = graphOf(problem), refuted = whyNone(problem);
      if (refuted) return { none: refuted.why, cells: refuted.cells };
      let areDecided = true;
      for (const symmetries of symmetryGroups(problem)) {
        const linked = linkedBy(graph, symmetries.map((name) => imagesUnder(problem, name)));
        if (!linked) continue;
        const { cycles, isWhole } = core.search(linked.graph, { seed, seconds: SYMMETRIC_SECONDS, linked: linked.orbits, steps: stepsOf(problem, graph) });
        if (cycles.length) return { tour: tourOf(problem, graph, cycles[0]), symmetries, areDecided };
        areDecided &&= isWhole;
      }
      return { none: areDecided ? "No tour is equal to a turn or reflection of it." : "No symmetric tour was found in the time that the page takes; there may be one.", cells: [] };
    },
    // A tour with fewer crossings: parts of the board, one after the other, are searched again while the rest stays.
    smoother({ fields, cells, seed }) {
      const problem = readProblem(fields), graph = graphOf(problem), chance = chanceOf(seed), { board, rows, columns } = problem;
      const crossings = (tour) => crossingsOf(problem, tour);
      const before = crossings(cells), until = performance.now() + 1000 * SMOOTHER_SECONDS;
      let best = before;
      if (best === undefined) return { stopped: "wrapped" };
      while (performance.now() < until) {
        const [high, wide] = [4, 4].map((least) => least + Math.floor(3 * chance()));
        const top = Math.floor(chance() * Math.max(1, rows - high + 1)), left = Math.floor(chance() * Math.max(1, columns - wide + 1));
        const isIn = (v) => v !== graph.extra && board.row[v] >= top && board.row[v] < top + high && board.column[v] >= left && board.column[v] < left + wide;
        const cycle = graph.extra < 0 ? cells : [...cells, graph.extra];
        const key = (u, v) => Math.min(u, v) * graph.vertices + Math.max(u, v);
        const used = new Set(cycle.map((v, i) => key(v, cycle[(i + 1) % cycle.length])));
        const edges = graph.edges.flatMap(([u, v, isRequired]) => {
          if (isIn(u) && isIn(v)) return [[u, v, isRequired]];
          return used.has(key(u, v)) ? [[u, v, 1]] : [];
        });
        const { cycles } = core.search({ ...graph, edges }, { seed: 1 + Math.floor(1e9 * chance()), seconds: 0.05, most: 8, steps: stepsOf(problem, graph) });
        for (const each of cycles) {
          const tour = tourOf(problem, graph, each), number = crossings(tour);
          if (number <= best) [best, cells] = [number, tour];
        }
      }
      return { tour: cells, before, after: best };
    },
    // A new puzzle: its steps as the field has them.
    puzzle({ fields, seed }) {
      const problem = readProblem({ ...fields, at: "" });
      const stopped = puzzleRefused(problem);
      if (stopped) return { stopped };
      const refuted = whyNone(problem);
      if (refuted) return { none: refuted.why };
      const at = makePuzzle(core, problem, seed);
      return at ? { at: at.map(([step, cell]) => `${step}=${problem.board.name(cell)}`).join(" ") } : { stopped: "puzzle" };
    },
    // How many tours the given steps leave: 0, 1, or 2 for more; and whether that is decided.
    solutions({ fields }) {
      const problem = readProblem(fields), stopped = puzzleRefused(problem);
      if (stopped) return { stopped };
      if (whyNone(problem)) return { number: 0, isWhole: true };
      const { tours, isWhole } = solutions(core, problem);
      return { number: tours.length, isWhole };
    },
    hint({ fields, placed }) {
      return puzzleHint(core, readProblem(fields), placed);
    },
    // The number of tours.
    count({ fields }) {
      const began = performance.now(), problem = readProblem(fields);
      const answer = (count, more) => ({ count: String(count), seconds: (performance.now() - began) / 1000, bytes: core.bytes(), ...more });
      const refuted = whyNone(problem);
      if (refuted) return answer(0n, { none: refuted.why });
      if (problem.board.size === 1) return answer(1n, {});
      const graph = graphOf(problem);
      if (problem.at.length) {
        const { cycles, isWhole } = core.search(graph, { seed: 0, seconds: SEARCH_SECONDS, most: MOST_LISTED, steps: stepsOf(problem, graph) });
        return isWhole ? answer(BigInt(cycles.length), { engine: "search" }) : { stopped: "steps" };
      }
      const whole = planOf(problem, "count");
      const fitted = whole ? planFor(problem, graph, whole) : null;
      const found = fitted ? core.join(fitted.graph, fitted.plan, bytes) : core.frontier(graph, bytes, MOST_BITS);
      if (found.outcome !== "done") return { stopped: found.outcome, text: found.text };
      const [number, divisor] = found.text.split(" ");
      return answer(BigInt(number) / BigInt(divisor ?? 1), { engine: fitted ? "join" : "frontier" });
    },
    // Prepares the numbering of all tours of a plain board.
    prepare({ fields }) {
      const began = performance.now(), problem = readProblem(fields), plan = planOf(problem, "rank");
      prepared = null;
      const fitted = problem.isPlain && plan ? planFor(problem, graphOf(problem), plan) : null;
      if (!fitted) return { stopped: "plain" };
      const found = core.prepare(fitted.graph, fitted.plan, bytes);
      if (found.outcome !== "done") return { stopped: found.outcome, text: found.text };
      prepared = { problem, graph: fitted.graph };
      return { count: String(BigInt(found.text)), order: plan.order, seconds: (performance.now() - began) / 1000, bytes: core.bytes() };
    },
    unrank({ index }) {
      const { problem, graph } = prepared;
      const found = core.unrank(BigInt(index), Math.max(0, graph.extra));
      if (found.outcome !== "done") return { stopped: found.outcome, text: found.text };
      return { tour: graph.extra < 0 ? found.output : tourOf(problem, graph, found.output) };
    },
    rank({ cells }) {
      const { graph } = prepared;
      const found = core.rank(graph.extra < 0 ? cells : [graph.extra, ...cells]);
      if (found.outcome !== "done") return { stopped: found.outcome, text: found.text };
      return { index: String(BigInt(found.text)) };
    },
  };
}

// In a worker the first message has the module, the plans and the memory to use.
if (typeof WorkerGlobalScope !== "undefined") {
  let tasks = null, current = 0;
  onmessage = async ({ data }) => {
    const { id } = data;
    try {
      tasks ??= makeTasks(data.core, (progress) => postMessage({ id: current, progress }));
      const ready = await tasks;
      current = id;
      if (data.task) postMessage({ id, answer: ready[data.task](data) });
      else postMessage({ id, answer: true });
    } catch (error) {
      postMessage({ id, failed: error instanceof BadField ? error.message : null, crash: String(error) });
    }
  };
}

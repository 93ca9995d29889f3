// Tasks of the page, done one after the other in a Web Worker. Messages: {id, task, ...} in; {id, progress} and {id, answer} or
// {id, failed} out. A task that is cancelled ends with its worker.

const MOST_BITS = 23; // largest number of states after a step, as a power of two, that a sweep is tried with
const REPAIR_SECONDS = 1, SEARCH_SECONDS = 20;

async function makeTasks({ module, plans, bytes }, progress) {
  const core = await makeCore(module, (step, total, states) => progress({ step, total, states }));
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
      const refuted = refutation(problem);
      if (refuted) return { none: refuted.why, cells: refuted.cells };
      if (problem.board.size === 1) return { tour: [0] };
      const proved = problem.isPlain ? schwenk(problem) : null;
      if (proved) return { none: proved, cells: [] };
      const graph = graphOf(problem), isFree = graph.extra >= 0 && problem.start < 0 && problem.end < 0;
      // Without given ends a path is found more easily than a cycle through the vertex that is joined to all.
      const walked = isFree ? { vertices: problem.board.size, edges: graph.edges.filter(([, v]) => v !== graph.extra) } : graph;
      const repaired = core.repair(walked, !isFree, seed, REPAIR_SECONDS);
      if (repaired.output.length) return { tour: isFree ? repaired.output : tourOf(problem, graph, repaired.output) };
      const searched = core.search(graph, seed, SEARCH_SECONDS);
      if (searched.output.length) return { tour: tourOf(problem, graph, searched.output) };
      const [nodes, all] = searched.text.split(" ");
      return all ? { none: `There is no tour: the search went through all ${Number(nodes).toLocaleString("en-US")} possibilities that it met.`, cells: [] } : { unknown: nodes };
    },
    // The number of tours.
    count({ fields }) {
      const began = performance.now(), problem = readProblem(fields);
      const answer = (count, more) => ({ count: String(count), seconds: (performance.now() - began) / 1000, bytes: core.bytes(), ...more });
      const refuted = refutation(problem);
      if (refuted) return answer(0n, { none: refuted.why });
      if (problem.board.size === 1) return answer(1n, {});
      const graph = graphOf(problem), whole = planOf(problem, "count");
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

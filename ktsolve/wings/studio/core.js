// The core of ktsolve as a WebAssembly module (native/wasm/core.cpp): loaded, and its functions called.
//
// A graph is {vertices, edges}, each edge [u, v, required] with u < v. An answer is {outcome, text, output}.

const OUTCOMES = ["done", "time", "memory", "interrupted", "overflow", "refused", "size"];

// The functions of the core. progress(step, total, states) is called about twenty times a second.
async function makeCore(module, progress) {
  let memory = null;
  const imports = { page: { progress } };
  // The core opens no files: system calls fail, but for the clock.
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] ??= () => 52;
  }
  // Called some hundred thousand times a second.
  let words32 = null;
  imports.wasi_snapshot_preview1.clock_time_get = (_clock, _precision, at) => {
    if (words32?.buffer !== memory.buffer) words32 = new Uint32Array(memory.buffer);
    const nanoseconds = performance.now() * 1e6;
    words32[at >>> 2] = nanoseconds;
    words32[(at >>> 2) + 1] = nanoseconds / 2 ** 32;
    return 0;
  };
  /** @type {any} */
  const { exports } = await WebAssembly.instantiate(module, imports);
  ({ memory } = exports);
  exports._initialize?.();

  function ask(name, numbers, ...rest) {
    const at = exports.core_input(numbers.length) >>> 0;
    new Int32Array(memory.buffer, at, numbers.length).set(numbers);
    const outcome = OUTCOMES[exports[name](...rest)];
    const bytes = new Uint8Array(memory.buffer), from = exports.core_text() >>> 0;
    const text = String.fromCharCode(...bytes.subarray(from, bytes.indexOf(0, from)));
    const output = [...new Int32Array(memory.buffer, exports.core_output() >>> 0, exports.core_output_size())];
    return { outcome, text, output };
  }
  const words = ({ vertices, edges }) => [vertices, edges.length, ...edges.flat()];
  const list = (numbers) => [numbers.length, ...numbers];
  const lists = (each) => [each.length, ...each.flatMap(list)];

  function planWords(graph, plan) {
    const number = new Map(graph.edges.map(([u, v], i) => [u * graph.vertices + v, i]));
    const places = (edges) => edges.map(([u, v]) => number.get(u * graph.vertices + v));
    return [
      ...[plan.top, plan.bottom, plan.separator, places(plan.top_deferred), places(plan.bottom_deferred)].flatMap(list),
      ...[plan.top_mirror, plan.bottom_mirror, plan.flip, plan.colour].flatMap(list),
      ...lists(plan.top_preapplied.map(places)), ...lists(plan.bottom_preapplied.map(places)),
      Number(plan.mirror_joins), plan.split, plan.turned,
    ];
  }
  return {
    join: (graph, plan, bytes) => ask("core_join", [...words(graph), ...planWords(graph, plan)], bytes),
    frontier: (graph, bytes, mostBits) => ask("core_frontier", words(graph), bytes, mostBits),
    prepare: (graph, plan, bytes) => ask("core_prepare", [...words(graph), ...planWords(graph, plan)], bytes),
    unrank(index, start) {
      const digits = [0n, 32n, 64n, 96n].map((shift) => Number((index >> shift) & 0xffffffffn) | 0);
      return ask("core_unrank", [start, ...digits]);
    },
    rank: (cycle) => ask("core_rank", cycle),
    // Cycles, at most `most`, each an array. `linked`: lists of numbers of edges that are in or out together; `steps`: pairs of a
    // vertex and its step.
    search(graph, { seed, seconds, most = 1, nodes = Infinity, linked = [], steps = [] }) {
      const found = ask("core_search", [...words(graph), ...lists(linked), ...list(steps.flat())], seed, most, nodes, seconds);
      const cycles = Array.from({ length: found.output.length / graph.vertices }, (_, i) => found.output.slice(i * graph.vertices, (i + 1) * graph.vertices));
      const [visited, all] = found.text.split(" ");
      return { outcome: found.outcome, text: found.text, cycles, nodes: Number(visited), isWhole: all !== undefined };
    },
    // Vertices without which there are more components than the most that a cycle allows; null if none are found.
    separator(graph, seed, attempts) {
      const { output, text } = ask("core_separator", words(graph), seed, attempts);
      const [components, most] = text.split(" ").map(Number);
      return text ? { vertices: output, components, most } : null;
    },
    repair: (graph, closed, seed, seconds) => ask("core_repair", words(graph), Number(closed), seed, seconds),
    bytes: () => memory.buffer.byteLength,
  };
}

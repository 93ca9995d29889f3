// Types of the studio's scripts, to which their comments refer, and names of browsers that TypeScript 4.8 does not have.

/** A board, or a graph in place of one (player/ground.js, graph.js). Cells are numbers; what only boards have is any. */
interface Ground {
  size: number;
  name: (n: number) => string;
  named: (text: string) => number;
  neighbours: (n: number) => number[];
  [more: string]: any;
}

/** A problem as the fields of the page say it (problem.js). Of a graph, rows and columns are missing. */
interface Problem {
  fields: Fields;
  board: Ground;
  rows?: number;
  columns?: number;
  without: number[][];
  closed: boolean;
  leaper?: number[];
  wrap?: string;
  start: number;
  end: number;
  at: number[][];
  require: number[][];
  forbid: number[][];
  edges?: number[][];
  isPlain: boolean;
  isGraph?: boolean;
}

type Fields = Record<"board" | "piece" | "wrap" | "tours" | "without" | "start" | "end" | "at" | "require" | "forbid" | "graph", string>;

/** The graph whose Hamiltonian cycles are tours; an edge is [u, v, whether it is required]. */
interface CycleGraph {
  vertices: number;
  edges: number[][];
  extra?: number;
}

declare class DecompressionStream {
  constructor(format: string);
  readable: ReadableStream;
  writable: WritableStream;
}
declare var WorkerGlobalScope: any;
interface Navigator {
  deviceMemory?: number;
}

// The shape of tours: turns and reflections of a board to which they may be equal, and crossings.

// Sets of symmetries, of the largest groups first; each set generates its group.
/** @param {Problem} problem @returns {string[][]} */
function symmetryGroups({ rows, columns }) {
  const flips = ["flip-h", "flip-v"], diagonals = ["transpose", "anti-transpose"];
  const ofSquares = rows === columns ? [["rot90", "flip-h"], ["rot90"], flips, diagonals] : [flips];
  return [...ofSquares, ["rot180"], ["flip-h"], ["flip-v"], ...(rows === columns ? diagonals.map((one) => [one]) : [])];
}

// The cell to which each cell goes; -1 where that is a hole.
/** @param {Problem} problem @param {string} name @returns {number[]} */
function imagesUnder({ board, rows, columns }, name) {
  const to = {
    "rot90": (r, c) => [c, rows - 1 - r], "rot180": (r, c) => [rows - 1 - r, columns - 1 - c], "flip-h": (r, c) => [r, columns - 1 - c],
    "flip-v": (r, c) => [rows - 1 - r, c], "transpose": (r, c) => [c, r], "anti-transpose": (r, c) => [rows - 1 - c, columns - 1 - r],
  }[name];
  return Array.from({ length: board.size }, (_, n) => board.at(...to(board.row[n], board.column[n])));
}

// The graph without edges whose images are missing, and its orbits of edges, as numbers: a symmetric tour has all of an orbit or none.
// null if a cell has no image, or a required edge none.
/** @param {CycleGraph} graph @param {number[][]} symmetries @returns {{ graph: CycleGraph, orbits: number[][] } | null} */
function linkedBy(graph, symmetries) {
  if (symmetries.some((images) => images.includes(-1))) return null;
  const { vertices, edges, extra } = graph, key = (u, v) => Math.min(u, v) * vertices + Math.max(u, v);
  const place = new Map(edges.map(([u, v], i) => [key(u, v), i]));
  const image = (images, v) => (v === extra ? v : images[v]);
  const seen = new Set(), kept = [], orbits = [];
  for (let first = 0; first < edges.length; first += 1) {
    if (seen.has(first)) continue;
    const orbit = [first];
    let isWhole = true;
    seen.add(first);
    for (let i = 0; i < orbit.length; i += 1) {
      const [u, v] = edges[orbit[i]];
      for (const images of symmetries) {
        const next = place.get(key(image(images, u), image(images, v)));
        if (next === undefined) isWhole = false;
        else if (!seen.has(next)) { seen.add(next); orbit.push(next); }
      }
    }
    const isRequired = orbit.some((i) => edges[i][2]);
    if (!isWhole && isRequired) return null;
    if (!isWhole) continue;
    if (orbit.length > 1) orbits.push(orbit.map((_, i) => kept.length + i));
    kept.push(...orbit.map((i) => [edges[i][0], edges[i][1], Number(isRequired)]));
  }
  return { graph: { ...graph, edges: kept }, orbits };
}

// The number of crossings of a tour, as the player counts them; undefined on wrapped boards and graphs.
/** @param {Problem} problem @param {number[]} cells @returns {number | undefined} */
function crossingsOf({ board, closed, isGraph }, cells) {
  if (isGraph || board.wrapped) return undefined;
  const finalStep = new Int32Array(board.size);
  cells.forEach((n, i) => { finalStep[n] = i + 1; });
  return crossingSums({ board, final: cells, finalStep, returns: closed })?.(cells.length + 1);
}

// The page: fields, board, screens, links, saving.

const FIELDS = Object.keys(EMPTY);
const SCREENS = ["find", "number", "count", "puzzle"];
const CONDITIONS = ["without", "start", "end", "at", "require", "forbid"];
const CHESSBOARD = 13267364410532n; // closed tours of 8x8: known before anything is prepared
const STEPS = 1000000n; // of the slider
const MOST_BYTES = 1.8e9; // of a module of 32 bits
const SHOW = { numbers: true, whole: true, access: false, candidates: false, differences: false };
const MARKS = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight", "font-family", "text-anchor", "dominant-baseline"];
const SENTENCES = {
  memory: "This device has not enough memory for it: run the command below.",
  overflow: "The number is too large for this method: run the command below.",
  steps: "The page counts tours with given steps one by one, and these are too many: run the command below.",
  puzzle: `The page makes puzzles of boards with tours and at most ${MOST_PUZZLE_CELLS} cells: ktsolve clues make has no such limit.`,
  wrapped: "Crossings are counted on boards that do not wrap.",
  plain: "This page numbers the tours of plain boards of 3 to 8 rows and columns, without conditions: run the command below.",
};

/** @param {string} id @returns {any} */
const by = (id) => document.getElementById(id);
const thousands = (number) => grouped(BigInt(number));
const megabytes = (bytes) => `${Math.ceil(bytes / 1e6)} MB`;

async function start() {
  const packed = (id) => Uint8Array.from(atob(by(id).textContent), (letter) => letter.charCodeAt(0));
  const unpacked = (id) => new Response(new Blob([packed(id)]).stream().pipeThrough(new DecompressionStream("gzip")));
  const say = (message) => { by("message").textContent = message; };
  let core;
  try {
    const module = await WebAssembly.compile(await unpacked("core").arrayBuffer());
    // Phones say about how much memory they have; a page gets some of it.
    core = { module, plans: await unpacked("plans").json(), bytes: Math.min(MOST_BYTES, (navigator.deviceMemory ?? 8) * 4.5e8) };
  } catch (error) {
    say(`This browser does not run WebAssembly as the studio needs it (${error.message}): use a current one, or the command line.`);
    return;
  }
  const source = by("work").textContent;
  const showProgress = ({ step, total, states }) => {
    if (total > 0) { by("progress").max = total; by("progress").value = step; }
    by("progress").title = `${thousands(states)} states`;
  };
  const finder = makeClient(source, core, () => {});
  const worker = makeClient(source, core, showProgress);

  const state = { ...EMPTY, show: "find", seed: 1, k: "" };
  let isFrame = false; // of a page that shows tours by number
  let problem = null, tour = null, walk = null, drawing = null, why = [], total = null, isPrepared = false, playing = 0;

  // -- the board ---------------------------------------------------------------------------------------------

  const mark = (name, attributes, kind, text = "") => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.setAttribute("class", kind);
    element.textContent = text;
    by("overlay").append(element);
  };
  function redraw() {
    if (!walk) return;
    const { board } = problem, side = drawing.cell;
    drawing.board(SHOW);
    drawing.path(SHOW, null);
    drawing.marks(SHOW);
    by("overlay").replaceChildren();
    const square = (r, c, kind) => mark("rect", {
      x: drawing.left + (c + 0.06) * side, y: drawing.top + (r + 0.06) * side, width: 0.88 * side, height: 0.88 * side, rx: 3,
    }, kind);
    const ring = (n, kind) => {
      const [cx, cy] = drawing.centre(n);
      mark("circle", { cx, cy, r: 0.42 * side }, kind);
    };
    const line = (a, b, kind) => {
      const [[x1, y1], [x2, y2]] = [drawing.centre(a), drawing.centre(b)];
      mark("line", { x1, y1, x2, y2 }, kind);
    };
    const number = (n, text, kind) => {
      const [x, y] = drawing.centre(n);
      mark("text", { x, y, style: `font-size: ${0.42 * side}px` }, kind, text);
    };
    for (const [r, c] of problem.without) square(r, c, "hole");
    for (const [kind, moves] of [["required", problem.require], ["forbidden", problem.forbid]]) {
      for (const [a, b] of moves) line(a, b, kind);
    }
    for (const [kind, cells] of [["start", [problem.start]], ["end", [problem.end]], ["why", why]]) {
      for (const n of cells) {
        if (n >= 0 && problem.isGraph) ring(n, kind);
        else if (n >= 0) square(board.row[n], board.column[n], kind);
      }
    }
    if (state.show === "puzzle" && !problem.isGraph) puzzle.draw({ number, line: (a, b) => line(a, b, "way"), ring: (n) => ring(n, "why") });
    else if (!tour) for (const [step, cell] of problem.at) number(cell, String(step), "clue");
    /** @type {SVGElement} */
    const knight = document.querySelector(".knight");
    const here = problem.isGraph ? -1 : walk.knight();
    knight.toggleAttribute("hidden", here < 0);
    if (problem.isGraph && walk.knight() >= 0) ring(walk.knight(), "here");
    if (here >= 0) {
      const [x, y] = drawing.centre(here);
      knight.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
    }
    const said = tour ? describe(walk) : state.show === "puzzle" ? puzzle.described() : "without a tour";
    by("board").setAttribute("aria-label", `${problem.isGraph ? "Graph" : state.board}: ${said}`);
    by("place").textContent = tour ? `${walk.at} / ${walk.length}` : "";
    by("scrub").max = String(walk.length);
    by("scrub").value = String(walk.at);
    by("transport").hidden = !tour;
  }
  function fit() {
    if (!walk) return;
    const isNarrow = innerWidth <= 860, below = isFrame ? 310 : isNarrow ? 220 : 190;
    drawing.resize(by("left").clientWidth, Math.max(isNarrow ? 260 : 300, innerHeight - below));
    redraw();
  }
  // Shows a tour, the first cells of one, or the board alone (null).
  function showTour(cells) {
    pause();
    tour = cells?.length === problem.board.size ? cells : null;
    const { rows, columns, without, leaper, wrap, closed, isGraph } = problem;
    const ground = isGraph ? { graph: 0 } : { board: { rows, columns, without, leaper, wrap } };
    walk = makeWalk({ kind: tour ? "tour" : "walk", ...ground, closed, cells: cells ?? [] }, isGraph ? [circleOf(problem, cells)] : []);
    walk.goTo(walk.length);
    drawing = makeDrawing(walk, by("board"));
    fit();
  }
  function go(position) {
    walk.goTo(position);
    redraw();
  }
  function pause() {
    clearInterval(playing);
    playing = 0;
    by("play").textContent = "Play";
  }
  function play() {
    if (playing) { pause(); return; }
    if (walk.at >= walk.length) go(0);
    by("play").textContent = "Pause";
    playing = setInterval(() => {
      go(walk.at + 1);
      if (walk.at >= walk.length) pause();
    }, Math.max(40, Math.min(350, 20000 / walk.length)));
  }

  // -- answers -----------------------------------------------------------------------------------------------

  // Runs a task; says in one sentence what went wrong. Answers null then, and when the task was stopped.
  async function ask(client, task, given) {
    const isLong = client === worker;
    if (isLong) {
      by("running").hidden = false;
      by("progress").removeAttribute("value");
    }
    try {
      const answer = await client.ask(task, given);
      if (!answer.stopped) return answer;
      say(SENTENCES[answer.stopped] ?? (answer.stopped === "size"
        ? `This count would hold about 2^${Math.round(answer.text)} states at a time, more than the page tries: run the command below.`
        : `The core refused: ${answer.text || answer.stopped}.`));
      by("as").open = true;
    } catch (error) {
      if (error instanceof BadField) say(error.message);
      else if (!(error instanceof Stopped)) say(`The worker stopped (${error.message}) and was replaced: try again, or a smaller board.`);
    } finally {
      if (isLong && !worker.isBusy()) by("running").hidden = true;
    }
    return null;
  }
  // The page checks every tour by itself before it is shown.
  function shown(cells) {
    const wrong = violation(problem, cells);
    if (wrong !== null) {
      say(`Internal error, please report it: ${wrong}`);
      return false;
    }
    showTour(cells);
    return true;
  }
  // Asks for a tour: "find", "symmetric" or "smoother"; `said` makes a sentence of the answer.
  async function find(task = "find", said = (_answer) => (problem.isGraph
    ? `A Hamiltonian ${state.tours === "closed" ? "cycle" : "path"} of ${problem.board.size} vertices.`
    : `${state.tours === "closed" ? "A closed" : "An open"} tour of ${problem.board.size} cells.`)) {
    const asked = problem;
    by("found").textContent = "Searching …";
    const answer = await ask(finder, task, { fields: problem.fields, seed: state.seed, cells: tour });
    if (asked !== problem || state.show === "puzzle") return;
    by("found").textContent = "";
    if (!answer) return;
    if (answer.tour) {
      if (shown(answer.tour)) by("found").textContent = said(answer);
      if (isFrame && !matchMedia("(prefers-reduced-motion: reduce)").matches) play();
    } else {
      why = answer.cells ?? [];
      if (why.length || !tour) showTour(null);
      by("found").textContent = answer.none ?? `No tour was found in the time that the page takes; there may be one.`;
    }
  }
  const symmetric = () => find("symmetric", ({ symmetries, areDecided }) =>
    `A tour equal to its images under ${symmetries.join(" and ")}${areDecided ? ": the search has shown that no larger group is possible." : ". Larger groups were not decided in the time that the page takes."}`);
  const smoother = () => find("smoother", ({ before, after }) => (after < before ? `${after} crossings of moves instead of ${before}.` : `${before} crossings of moves: the page found no tour with fewer nearby.`));
  async function count() {
    by("counted").textContent = "";
    forget();
    worker.renew();
    const asked = problem, answer = await ask(worker, "count", { fields: problem.fields });
    if (!answer || asked !== problem) return;
    const tours = thousands(answer.count);
    by("counted").textContent = `${tours} ${problem.isGraph ? (problem.closed ? "cycles" : "paths") : `${state.tours} tours`}. ${answer.none ?? `${answer.seconds.toFixed(1)} s, ${megabytes(answer.bytes)}, engine ${answer.engine}.`}`;
  }
  // What is known of the numbers without tables.
  function forget() {
    isPrepared = false;
    total = problem.isPlain && problem.closed && problem.rows === 8 && problem.columns === 8 ? CHESSBOARD : null;
  }
  async function prepare() {
    forget();
    worker.renew();
    const asked = problem, pending = ask(worker, "prepare", { fields: problem.fields });
    showNumber();
    const answer = await pending;
    if (asked !== problem) return false;
    if (answer) {
      total = BigInt(answer.count);
      isPrepared = true;
      by("prepared").textContent = `${thousands(total)} ${state.tours} tours, numbered 0 to ${thousands(total - 1n)}: prepared in ${answer.seconds.toFixed(1)} s, ${megabytes(answer.bytes)}. Order ${answer.order}.`;
    }
    showNumber();
    return answer !== null && total > 0n;
  }
  function showNumber() {
    const isReady = isPrepared && worker.isAlive();
    by("numbered").hidden = total === null || total === 0n;
    by("prepare").hidden = isReady;
    by("k-label").textContent = total === null ? "Number of the tour" : `Number of the tour, of ${thousands(total)}`;
    if (!isReady) by("prepared").textContent = worker.isBusy() ? "The page prepares all tours …"
      : "Every tour of a plain board has a number. The tables for it are made once, on first use: for 8x8 in seconds, with half a gigabyte.";
  }
  function showK(digits) {
    state.k = digits;
    by("k").value = thousands(digits);
    by("slider").value = String(total > 1n ? (BigInt(digits) * STEPS) / (total - 1n) : 0);
    by("slider").setAttribute("aria-valuetext", `tour ${thousands(digits)}`);
  }
  // Shows the tour of a number. Of numbers that come faster than tours, such as those of the slider, the last counts.
  let wanted = null, isUnranking = false;
  async function unrank(text) {
    const digits = digitsOf(text);
    if (total !== null && digits === null) { refuse(text); return; }
    wanted = text;
    if (digits !== null) showK(digits);
    if (isUnranking) return;
    isUnranking = true;
    while (wanted !== null && ((isPrepared && worker.isAlive()) || await prepare())) {
      const next = wanted;
      wanted = null;
      await showNumbered(next);
    }
    wanted = null;
    isUnranking = false;
  }
  function refuse(text) {
    by("k").setAttribute("aria-invalid", "true");
    say(`“${text.slice(0, 40)}” is not a number from 0 to ${thousands(total - 1n)}.`);
  }
  // null if the text is not the number of a tour, as far as it is known.
  function digitsOf(text) {
    const digits = text.replaceAll(/[\s,.']/g, "");
    return total !== null && /^\d{1,30}$/.test(digits) && BigInt(digits) < total ? digits : null;
  }
  async function showNumbered(text) {
    const digits = digitsOf(text);
    if (digits === null) { refuse(text); return; }
    by("k").removeAttribute("aria-invalid");
    const began = performance.now(), answer = await ask(worker, "unrank", { index: digits });
    if (!answer || !shown(answer.tour)) { showNumber(); return; }
    say(`Tour number ${thousands(digits)}, in ${(performance.now() - began).toFixed(0)} ms.`);
    showK(digits);
    by("pasted").value = "";
    showAs();
  }
  // Adds a cell to the tour that is drawn, takes the last one away, or begins a new one.
  function drawOn(cell) {
    const { board, closed } = problem;
    let cells = by("pasted").value.trim().split(/[\s,;|>-]+/).map(board.named);
    if (cells.includes(-1) || cells.length >= board.size) cells = [];
    if (cell === cells.at(-1)) cells.pop();
    else if (cells.includes(cell)) { say(`The tour has visited ${board.name(cell)}.`); return; }
    else if (cells.length && !board.neighbours(cells.at(-1)).includes(cell)) { say(`The piece does not move from ${board.name(cells.at(-1))} to ${board.name(cell)}.`); return; }
    else cells.push(cell);
    by("pasted").value = cells.map(board.name).join(" ");
    say(`${cells.length} of ${board.size} cells.`);
    if (cells.length < board.size) showTour(cells);
    else if (closed && !board.neighbours(cell).includes(cells[0])) { showTour(cells.slice(0, -1)); say(`The piece does not move from ${board.name(cell)} back to ${board.name(cells[0])}.`); }
    else rank();
  }
  async function rank() {
    try {
      const cells = readTour(problem, by("pasted").value);
      if (!(isPrepared && worker.isAlive()) && !await prepare()) return;
      const answer = await ask(worker, "rank", { cells });
      if (answer) await unrank(answer.index);
    } catch (error) {
      if (!(error instanceof BadField)) throw error;
      say(error.message);
    }
  }
  // With equal chances: of as many random bits as the last number has, those are drawn again that are larger.
  function randomIndex() {
    const digits = (total - 1n).toString(2).length;
    for (;;) {
      const bits = crypto.getRandomValues(new Uint8Array(16)).reduce((sum, each) => (sum << 8n) | BigInt(each), 0n);
      const index = bits & ((1n << BigInt(digits)) - 1n);
      if (index < total) return index;
    }
  }
  // A multiple of the golden ratio for the day: neighbouring days are far apart.
  function indexOfDay(date) {
    const day = BigInt(Math.floor(date.getTime() / 86400000));
    return (((day * 0x9e3779b97f4a7c15n) & ((1n << 64n) - 1n)) * total) >> 64n;
  }

  // Takes the given fields of a problem.
  function take(fields) {
    for (const name of FIELDS) by(`f-${name}`).value = fields[name];
    changed("", true);
  }
  const puzzle = makePuzzleScreen({ by, problem: () => problem, ask: (task, given) => ask(finder, task, given), take, say, redraw });

  // -- fields, links, commands --------------------------------------------------------------------------------

  // Takes what the fields say, and shows a given tour or finds one; whether they say a problem. On another board a puzzle has other
  // steps, unless all fields are new (isWhole).
  function changed(given = "", isWhole = false) {
    for (const name of FIELDS) {
      state[name] = by(`f-${name}`).value.trim();
      by(`f-${name}`).removeAttribute("aria-invalid");
    }
    try {
      const before = problem;
      let isOther = false;
      if (before && state.show === "puzzle" && !isWhole) {
        isOther = ["board", "tours", "piece", "wrap"].some((name) => state[name] !== before.fields[name]);
        if (isOther) state.at = by("f-at").value = "";
      }
      const next = readProblem(/** @type {any} */ (Object.fromEntries(FIELDS.map((name) => [name, state[name]]))));
      const cells = given ? readTour(next, given) : null;
      problem = next;
      why = [];
      if (worker.isBusy()) worker.renew();
      if (String(before?.fields.board + before?.fields.tours) !== String(state.board + state.tours)) state.k = "";
      forget();
      by("counted").textContent = "";
      by("pasted").value = "";
      say("");
      showTour(cells);
      showNumber();
      showScreen(state.show);
      if (cells) by("found").textContent = `${problem.closed ? "A closed" : "An open"} tour of ${problem.board.size} cells, from the link.`;
      if (cells && isFrame && !matchMedia("(prefers-reduced-motion: reduce)").matches) play();
      if (state.show === "puzzle") puzzle.open(isOther);
      else if (!cells) find();
      return true;
    } catch (error) {
      if (!(error instanceof BadField)) throw error;
      say(error.message);
      return false;
    }
  }
  // Goes to a screen by its button: the puzzle hides the tour, which the others show.
  function goTo(name) {
    const before = state.show;
    showScreen(name);
    if (name === before) return;
    if (name === "puzzle") {
      showTour(null);
      puzzle.open(false);
    } else if (before === "puzzle") find();
    else redraw();
  }
  function showScreen(name) {
    state.show = name;
    by("conditions").hidden = ["number", "puzzle"].includes(name) || problem.isGraph === true;
    by("bare").hidden = name === "puzzle";
    for (const one of ["symmetric", "smoother"]) by(one).hidden = problem.isGraph === true;
    for (const one of SCREENS) {
      by(one).hidden = one !== name;
      by(`show-${one}`).setAttribute("aria-pressed", String(one === name));
    }
    showAs();
  }
  function showAs() {
    by("named").value = Object.keys(core.plans.graphs).find((one) => core.plans.graphs[one] === state.graph) ?? "";
    if (problem.isGraph) {
      showGraphAs();
      return;
    }
    const options = [state.board, state.tours === "open" ? "--open" : ""];
    if (state.piece !== "1,2") options.push(`--leaper ${state.piece}`);
    if (state.wrap !== "none") options.push(`--wrap ${state.wrap}`);
    const words = (name) => state[name].split(/[\s;]+/).filter(Boolean);
    for (const name of CONDITIONS) for (const word of words(name)) options.push(`--${name} ${word}`);
    const text = options.filter(Boolean);
    const verb = { find: "tour", count: "count", number: "unrank", puzzle: "count" }[state.show];
    if (state.show === "number") text.push(state.k || "0", "--engine join");
    by("command").textContent = `ktsolve ${verb} ${text.join(" ")}`;
    const quoted = (name) => words(name).map((word) => `"${word}"`).join(", ");
    const board = state.piece === "1,2" && state.wrap === "none" && !state.without ? `"${state.board}"`
      : `Board.parse("${state.board}"${state.without ? `, without="${words("without").join(",")}"` : ""}${state.piece === "1,2" ? "" : `, leaper=(${state.piece})`}${state.wrap === "none" ? "" : `, wrap="${state.wrap}"`})`;
    const given = [`board=${board}`, `closed=${state.tours === "closed" ? "True" : "False"}`];
    for (const name of ["start", "end"]) if (state[name]) given.push(`${name}="${state[name]}"`);
    for (const name of ["require", "forbid"]) if (state[name]) given.push(`${name}=[${quoted(name)}]`);
    if (state.at) given.push(`at={${words("at").map((word) => word.replace(/=(.*)/, ': "$1"')).join(", ")}}`);
    const what = { find: "find(problem).tour", count: "count(problem).count", puzzle: "count(problem).count", number: `tours(problem, engine="join")[${state.k || 0}]` }[state.show];
    by("python").textContent = `from ktsolve import Board, TourProblem, ${what.split("(")[0]}\nproblem = TourProblem(${given.join(", ")})\nprint(${what})`;
    setLink();
  }
  // A graph comes through a pipe: a line for each edge.
  function showGraphAs() {
    const { board, edges, closed } = problem, pairs = edges.map((edge) => edge.map(board.name));
    const verb = state.show === "count" ? "count" : "tour";
    const quoted = (name) => (/^[\w.:+-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);
    const name = by("named").value;
    by("command").textContent = name ? `ktsolve ${verb} graph:${name}${closed ? "" : " --open"}` : `printf '%s %s\\n' ${pairs.map((ends) => ends.map(quoted).join(" ")).join("  ")} | ktsolve ${verb} -${closed ? "" : " --open"}`;
    const listed = pairs.map(([a, b]) => `(${JSON.stringify(a)}, ${JSON.stringify(b)})`).join(", ");
    const what = verb === "count" ? "count(problem).count" : "find(problem).tour";
    if (name) by("python").textContent = `from ktsolve import TourProblem, ${what.split("(")[0]}\nproblem = TourProblem(board="graph:${name}", closed=${closed ? "True" : "False"})\nprint(${what})`;
    else by("python").textContent = `import networkx\nfrom ktsolve import Graph, TourProblem, ${what.split("(")[0]}\ngraph = networkx.Graph([${listed}])\nproblem = TourProblem(board=Graph.from_networkx(graph), closed=${closed ? "True" : "False"})\nprint(${what})`;
    setLink();
  }
  function setLink() {
    const link = new URLSearchParams({ show: state.show });
    for (const name of FIELDS) if (state[name] !== EMPTY[name] || name === "board") link.set(name, state[name]);
    if (state.k && state.show === "number") link.set("k", state.k);
    by("link").href = by("whole").href = `#${link}`;
  }
  // Takes what a link says; a damaged one is named.
  function followLink() {
    const given = new URLSearchParams(location.hash.slice(1)), show = given.get("show") ?? "find", k = given.get("k") ?? "";
    let damaged = [...given.keys()].find((name) => ![...FIELDS, "show", "k", "tour", "view"].includes(name));
    if (!SCREENS.includes(show)) damaged ??= show;
    if (!/^\d{0,30}$/.test(k)) damaged ??= k;
    isFrame = given.get("view") === "tour";
    document.documentElement.dataset.view = isFrame ? "tour" : "";
    by("whole").hidden = !isFrame;
    const tourGiven = given.get("tour") ?? "";
    if (damaged === undefined) state.show = show;
    for (const name of FIELDS) by(`f-${name}`).value = (damaged === undefined && given.get(name)) || EMPTY[name];
    if (damaged !== undefined || !changed(tourGiven, true)) {
      const why = damaged === undefined ? by("message").textContent : `Its part “${damaged.slice(0, 40)}” has no meaning.`;
      for (const name of FIELDS) by(`f-${name}`).value = EMPTY[name];
      state.show = "find";
      changed("", true);
      say(`The link is damaged, and the page shows its usual board. ${why}`);
      return;
    }
    if (show !== "number") return;
    if (tourGiven && k && digitsOf(k)) { // prepared on first use
      showK(k);
      showAs();
    } else if (k) unrank(k);
    else if (tourGiven) by("pasted").value = tourGiven.replaceAll("-", " ");
  }

  // -- saving --------------------------------------------------------------------------------------------------

  function save(blob, suffix) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `tour-${problem.isGraph ? "graph" : state.board}.${suffix}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }
  // The picture of the board with its marks, as SVG.
  function picture() {
    const outlines = [".edge", ".whole"].map((one) => document.querySelector(`.knight ${one}`).getAttribute("d"));
    const marks = [...by("overlay").children].map((given) => {
      const element = /** @type {SVGElement} */ (given.cloneNode(true)), style = getComputedStyle(given);
      element.removeAttribute("class");
      for (const name of MARKS) element.style.setProperty(name, style.getPropertyValue(name));
      return new XMLSerializer().serializeToString(element);
    });
    return drawing.picture(SHOW, null, `${tour ? "Tour" : "Board"} of ${state.board}`, outlines).replace(/<\/svg>\s*$/, `${marks.join("")}</svg>`);
  }
  by("save-svg").addEventListener("click", () => save(new Blob([picture()], { type: "image/svg+xml" }), "svg"));
  by("save-png").addEventListener("click", async () => {
    const image = new Image(), canvas = document.createElement("canvas");
    image.src = `data:image/svg+xml,${encodeURIComponent(picture())}`;
    await image.decode();
    [canvas.width, canvas.height] = [2 * image.width, 2 * image.height];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(blob, "png"));
  });
  by("save-json").addEventListener("click", () => {
    if (!tour) { say("There is no tour to save."); return; }
    if (problem.isGraph) {
      const { board, edges, closed } = problem, named = (vertices) => vertices.map(board.name);
      const text = JSON.stringify({ closed, vertices: named([...Array(board.size).keys()]), edges: edges.map(named), tour: named(tour) });
      save(new Blob([text], { type: "application/json" }), "json");
      return;
    }
    const { board, rows, columns, without, leaper, wrap, closed } = problem;
    const squares = tour.map((n) => [board.row[n], board.column[n]]);
    const text = JSON.stringify({ board: { rows, columns, without, leaper, wrap }, closed, squares });
    save(new Blob([text], { type: "application/json" }), "json");
  });

  // -- clicks and keys -------------------------------------------------------------------------------------------

  function edit(name, word, isSingle) {
    const field = by(`f-${name}`), words = field.value.split(/[\s;]+/).filter(Boolean);
    const has = words.includes(word);
    field.value = has ? words.filter((one) => one !== word).join(" ") : isSingle ? word : [...words, word].join(" ");
    return has;
  }
  // Sets the step of the field on a cell, in place of another step there and of another cell of this step; again, frees it.
  function setStep(name) {
    const field = by("f-at"), step = by("step").value, word = `${step}=${name}`, words = field.value.split(/[\s;]+/).filter(Boolean);
    const others = words.filter((one) => !one.startsWith(`${step}=`) && !one.endsWith(`=${name}`));
    field.value = (words.includes(word) ? others : [...others, word]).join(" ");
  }
  const nameAt = ({ clientX, clientY }) => {
    const box = by("board").getBoundingClientRect();
    const c = Math.floor((clientX - box.left - drawing.left) / drawing.cell), r = Math.floor((clientY - box.top - drawing.top) / drawing.cell);
    return r < 0 || c < 0 || r >= problem.rows || c >= problem.columns ? null : fileName(c) + (problem.rows - r);
  };
  let pressed = null;
  by("board").addEventListener("pointerdown", (event) => { pressed = nameAt(event); });
  by("board").addEventListener("pointerup", (event) => {
    const [from, to] = [pressed, nameAt(event)];
    pressed = null;
    if (!from || !to || problem.isGraph) return;
    if (from === to && ["number", "puzzle"].includes(state.show)) {
      const cell = problem.board.named(from);
      if (cell >= 0) (state.show === "number" ? drawOn : puzzle.click)(cell);
      return;
    }
    if (["number", "puzzle"].includes(state.show)) return;
    if (from === to) {
      /** @type {HTMLInputElement} */
      const { value: tool } = document.querySelector("input[name=tool]:checked");
      if (tool === "at") setStep(from);
      else edit(tool, from, tool !== "without");
      changed();
      return;
    }
    const [a, b] = [from, to].map(problem.board.named);
    if (a < 0 || b < 0 || !problem.board.neighbours(a).includes(b)) { say(`The piece does not move from ${from} to ${to}.`); return; }
    const move = `${from}-${to}`, back = `${to}-${from}`;
    const has = (name, one) => by(`f-${name}`).value.split(/[\s;]+/).includes(one);
    const same = ["require", "forbid"].some((name) => has(name, back)) ? back : move;
    if (has("require", same)) { edit("require", same); edit("forbid", same); } else edit(has("forbid", same) ? "forbid" : "require", same);
    changed();
  });
  for (const name of Object.keys(core.plans.graphs)) by("named").add(new Option(name, name));
  by("named").addEventListener("change", () => {
    by("f-graph").value = core.plans.graphs[by("named").value] ?? "";
    changed();
  });
  by("problem").addEventListener("submit", (event) => event.preventDefault());
  for (const name of FIELDS) by(`f-${name}`).addEventListener("change", () => changed());
  by("clear").addEventListener("click", () => {
    for (const name of CONDITIONS) by(`f-${name}`).value = "";
    changed();
  });
  for (const name of SCREENS) by(`show-${name}`).addEventListener("click", () => goTo(name));
  by("another").addEventListener("click", () => { state.seed += 1; find(); });
  by("symmetric").addEventListener("click", () => { state.seed += 1; symmetric(); });
  by("smoother").addEventListener("click", () => { state.seed += 1; if (tour) smoother(); });
  by("start-count").addEventListener("click", count);
  by("prepare").addEventListener("click", () => unrank(state.k || "0"));
  by("cancel").addEventListener("click", () => { wanted = null; worker.renew(); forget(); showNumber(); say("Cancelled."); });
  by("k").addEventListener("change", () => unrank(by("k").value));
  by("slider").addEventListener("input", () => unrank(String((BigInt(by("slider").value) * (total - 1n)) / STEPS)));
  by("previous").addEventListener("click", () => unrank(String((BigInt(state.k || 0) + total - 1n) % total)));
  by("next").addEventListener("click", () => unrank(String((BigInt(state.k || 0) + 1n) % total)));
  by("random").addEventListener("click", () => unrank(String(randomIndex())));
  by("today").addEventListener("click", () => unrank(String(indexOfDay(new Date()))));
  by("rank").addEventListener("click", rank);
  by("play").addEventListener("click", play);
  by("back").addEventListener("click", () => { pause(); go(walk.at - 1); });
  by("forward").addEventListener("click", () => { pause(); go(walk.at + 1); });
  by("scrub").addEventListener("input", () => { pause(); go(Number(by("scrub").value)); });
  const preferred = matchMedia("(prefers-color-scheme: dark)");
  function setTheme(theme) {
    if (theme) document.documentElement.dataset.theme = theme;
    by("theme").setAttribute("aria-pressed", String((document.documentElement.dataset.theme ?? (preferred.matches ? "dark" : "light")) === "dark"));
    redraw();
  }
  by("theme").addEventListener("click", () => setTheme(by("theme").getAttribute("aria-pressed") === "true" ? "light" : "dark"));
  preferred.addEventListener("change", () => setTheme(null));
  // In a frame the page has the theme of the page around it, as the player has.
  addEventListener("message", ({ source, data }) => {
    const theme = data?.ktsolve?.theme;
    if (source === window.parent && ["light", "dark"].includes(theme)) setTheme(theme);
  });
  // Paper is light.
  let themeBefore = null;
  addEventListener("beforeprint", () => { themeBefore = by("theme").getAttribute("aria-pressed") === "true" ? "dark" : "light"; setTheme("light"); });
  addEventListener("afterprint", () => setTheme(themeBefore));
  if (window.parent !== window) window.parent.postMessage({ ktsolve: "theme?" }, "*");
  addEventListener("resize", fit);
  addEventListener("hashchange", followLink);

  setTheme(null);
  followLink();
  // Before, nothing that a user enters would be seen.
  for (const id of ["theme", "transport", "right"]) by(id).inert = false;
  document.documentElement.dataset.ready = "true";
}

start();

// The screen of puzzles: numbers are put on cells by clicks or by names; the clock, hints, and the puzzle of the day.

const PUZZLE_BOARDS = [["5x5", "open"], ["5x6", "closed"], ["6x6", "closed"], ["5x6", "open"], ["6x6", "open"]]; // by day

// `page` has problem(), ask(task, given), take(fields), say(text), redraw() and by(id).
function makePuzzleScreen({ by, problem, ask, take, say, redraw }) {
  const placed = new Map(); // cell of each step
  let current = 1, began = 0, isSolved = false, hinted = [];

  const clueOf = (cell) => problem().at.find(([, other]) => other === cell)?.[0];
  const stepOn = (cell) => clueOf(cell) ?? [...placed].find(([, other]) => other === cell)?.[0];
  const isTaken = (step) => placed.has(step) || problem().at.some(([one]) => one === step);
  function aim(step) {
    const { size } = problem().board;
    current = step;
    for (let i = 0; i < size && isTaken(current); i += 1) current = (current % size) + 1;
    by("puzzle-step").value = String(current);
  }
  function showClock() {
    if (!isSolved && by("clock").offsetParent) {
      const seconds = Math.floor((performance.now() - began) / 1000);
      by("clock").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    }
  }
  setInterval(showClock, 1000);

  function restart() {
    placed.clear();
    hinted = [];
    isSolved = false;
    began = performance.now();
    by("puzzle-said").textContent = "";
    showClock();
    aim(1);
    redraw();
  }
  function settle() {
    const { board, at } = problem();
    hinted = [];
    by("puzzle-said").textContent = "";
    if (placed.size + at.length === board.size) {
      const tour = [];
      for (const [step, cell] of [...at, ...placed]) tour[step - 1] = cell;
      const wrong = violation(problem(), tour);
      showClock();
      isSolved = wrong === null;
      by("puzzle-said").textContent = isSolved ? `Solved in ${by("clock").textContent}.` : `All steps are placed, but this is not the tour. ${wrong}`;
    }
    redraw();
  }
  // Puts the current step on a cell; takes it away where it is.
  function click(cell) {
    if (isSolved) return;
    const clue = clueOf(cell), step = stepOn(cell);
    if (clue !== undefined) aim((clue % problem().board.size) + 1);
    else if (step !== undefined) {
      placed.delete(step);
      aim(step);
    } else if (!isTaken(current)) {
      placed.set(current, cell);
      aim(current);
    }
    settle();
  }
  async function make(fields, seed) {
    by("puzzle-said").textContent = "The page makes a puzzle …";
    const answer = await ask("puzzle", { fields, seed });
    if (answer?.at) take({ ...fields, at: answer.at });
    else by("puzzle-said").textContent = answer?.none ?? "";
  }
  const seedOfDay = () => Math.floor(Date.now() / 86400000);
  function makeTodays() {
    const [board, tours] = PUZZLE_BOARDS[seedOfDay() % PUZZLE_BOARDS.length];
    return make({ ...EMPTY, board, tours }, seedOfDay());
  }
  const makeAnother = () => make({ ...problem().fields, at: "" }, 1 + Math.floor(1e9 * Math.random()));
  async function hint() {
    const answer = await ask("hint", { fields: problem().fields, placed: [...placed] });
    if (!answer) return;
    by("puzzle-said").textContent = answer.why;
    hinted = answer.cells;
    if (answer.step) aim(answer.step);
    redraw();
  }
  function place(name) {
    const cell = problem().board.named(name.trim());
    if (cell < 0) { say(`The board has no cell ${name.slice(0, 20)}.`); return; }
    say("");
    click(cell);
  }

  by("puzzle-today").addEventListener("click", makeTodays);
  by("puzzle-another").addEventListener("click", makeAnother);
  by("puzzle-hint").addEventListener("click", hint);
  by("puzzle-clear").addEventListener("click", restart);
  by("puzzle-print").addEventListener("click", () => print());
  by("puzzle-step").addEventListener("change", () => aim(Math.max(1, Math.min(problem().board.size, Math.floor(Number(by("puzzle-step").value)) || 1))));
  by("puzzle-cell").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    place(by("puzzle-cell").value);
    by("puzzle-cell").value = "";
  });

  return {
    click,
    // Shows the puzzle that the fields say, and whether it has one solution; without steps, that of the day.
    async open(isOther) {
      restart();
      const asked = problem();
      if (asked.at.length === 0) { await (isOther ? makeAnother() : makeTodays()); return; }
      const kind = asked.closed ? `A closed tour: step ${asked.board.size} is a move from step 1.` : "An open tour.";
      by("puzzle-about").textContent = `${kind} Find all steps.`;
      const answer = await ask("solutions", { fields: asked.fields });
      if (!answer || asked !== problem()) return;
      const said = !answer.isWhole ? "The page did not find out whether there is one solution."
        : ["It has no solution.", "The page has proved that there is one solution.", "It has several solutions."][answer.number];
      by("puzzle-about").textContent = `${kind} ${said}`;
    },
    described: () => `puzzle with the steps ${[...problem().at, ...placed].sort((a, b) => a[0] - b[0]).map(([step, cell]) => `${step} on ${problem().board.name(cell)}`).join(", ")}`,
    // number(cell, text, kind), line(cell, cell) and ring(cell) draw.
    draw({ number, line, ring }) {
      const at = new Map([...problem().at, ...placed]), { size } = problem().board;
      for (const [step, cell] of at) {
        const next = at.get(step < size || !problem().closed ? step + 1 : 1);
        if (next !== undefined && problem().board.neighbours(cell).includes(next)) line(cell, next);
      }
      for (const [step, cell] of at) number(cell, String(step), placed.has(step) ? "placed" : "clue");
      for (const cell of hinted) ring(cell);
    },
  };
}

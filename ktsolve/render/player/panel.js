// A panel: one board with its heading, facts and knight.

const LISTED = 100; // walks up to which a list has all names; of more, one is chosen by its number

// The address of the studio with this tour; null without a studio, and for what it does not show.
function studioLink(studio, { data, board, closed, path, isTrace, isPartial }) {
  if (!studio || !data.board || isTrace || isPartial || Math.max(board.rows, board.columns) > 60) return null;
  const cells = data.cells.map(board.name), holes = [];
  for (const [row, column] of data.board.without) holes.push(fileName(column) + (board.rows - row));
  const given = { board: `${board.rows}x${board.columns}`, tours: closed ? "closed" : "open", tour: cells.join("-") };
  if (holes.length) given.without = holes.join(" ");
  if (String(data.board.leaper) !== "1,2") given.piece = [...data.board.leaper].sort((a, b) => a - b).join();
  if (data.board.wrap !== "none") given.wrap = data.board.wrap;
  return `${studio}#${new URLSearchParams(given)}`;
}

function makePanel(template, data, chosen, page) {
  const root = template.content.cloneNode(true).firstElementChild;
  const find = (selector) => root.querySelector(selector);
  const { walks } = data;
  const panel = { root, walk: null, index: chosen };
  let drawing = null;

  const list = find("select"), field = find(".number");
  if (walks.length <= LISTED) walks.forEach((one, i) => list.add(new Option(one.name, String(i))));
  field.max = String(walks.length);
  find(".of").textContent = `of ${grouped(walks.length)}`;
  list.hidden = walks.length > LISTED;
  find(".numbered").hidden = walks.length <= LISTED;
  // Whether the walk is there.
  const choose = panel.choose = (index) => {
    const isThere = index >= 0 && index < walks.length;
    if (isThere && index !== panel.index) {
      panel.show(index);
      page.changed();
    } else field.value = String(panel.index + 1);
    return isThere;
  };
  list.addEventListener("change", () => choose(Number(list.value)));
  field.addEventListener("change", () => choose(Math.round(Number(field.value)) - 1));
  panel.step = (by) => choose((panel.index + by + walks.length) % walks.length);
  find(".previous").addEventListener("click", () => panel.step(-1));
  find(".next").addEventListener("click", () => panel.step(1));

  panel.show = (index) => {
    panel.index = index;
    list.value = String(index);
    field.value = String(index + 1);
    panel.walk = makeWalk(walks[index], data.graphs);
    drawing = makeDrawing(panel.walk, find(".board"));
    const { walk } = panel;
    find("h2").textContent = walk.data.name;
    find(".kind").textContent = `${walk.isTrace ? `recorded search (${walk.data.rule})` : walk.data.what ?? "tour"}, `
      + `${walk.closed ? "closed" : "open"}, ${walk.board.label}`;
    find(".knight").classList.toggle("walker", walk.board.isGraph);
    find(".board").classList.toggle("starts", walk.canStartAnywhere);
    const link = studioLink(data.studio, walk);
    find(".studio").hidden = link === null;
    if (link !== null) find(".studio").href = link;
  };

  panel.showChooser = (on) => {
    find(".chooser").hidden = !on;
    find("h2").hidden = on && walks.length <= LISTED;
  };
  panel.resize = (across, down, show) => {
    drawing.resize(across, down);
    panel.redrawBoard(show);
  };
  panel.redrawBoard = (show) => {
    drawing.board(show);
    find(".board").classList.toggle("zoomed", drawing.isZoomed());
    find(".fit").disabled = find(".out").disabled = !drawing.isZoomed();
  };
  // Changes the view and draws everything again.
  function view(change) {
    if (change() === false) return;
    panel.redrawBoard(page.shown());
    panel.draw(page.shown(), page.comparedWith(panel), 0);
  }
  panel.zoomBy = (factor, x, y) => view(() => drawing.zoomBy(factor, x, y));
  panel.panBy = (dx, dy) => view(() => drawing.panBy(dx, dy));
  panel.whole = () => view(() => drawing.whole());
  panel.isZoomed = () => drawing.isZoomed();

  panel.draw = (show, other, glide, follow = false) => {
    const { walk } = panel;
    const compared = show.differences ? other : null;
    const here = walk.knight();
    const jumped = follow && drawing.follow(here);
    if (jumped) panel.redrawBoard(show);
    drawing.path(show, compared);
    drawing.marks(show);
    const knight = find(".knight");
    knight.toggleAttribute("hidden", here < 0); // SVG elements have no property hidden
    knight.dataset.cell = here < 0 ? "" : walk.board.name(here);
    knight.style.setProperty("--glide", `${jumped ? 0 : glide}ms`);
    if (here >= 0) {
      const [x, y] = drawing.centre(here);
      knight.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
    }
    find(".board").setAttribute("aria-label", `${walk.data.name}: ${describe(walk)}`);
    panel.showFacts();
  };

  panel.showFacts = () => {
    const { walk } = panel, { board, at } = walk;
    const here = walk.knight();
    const where = here < 0 ? "–" : board.name(here);
    const whole = walk.length, facts = [];
    facts.push([board.isGraph ? "At vertex" : "Knight on", walk.hasReturned() ? `${where}, back at the start` : where]);
    facts.push(["Visited", of(walk.depth, board.size)]);
    const free = walk.candidates();
    facts.push(["Possible moves", free.map((n) => `${board.name(n)} (${walk.access(n)})`).join(" ") || "none"]);
    if (walk.isTrace) {
      const events = Math.min(at, walk.events.length); // the return is not an event
      facts.push(["Moves tried", of(events - walk.takenBack(at), walk.events.length - walk.takenBack(whole))]);
      const justLeft = walk.justLeft();
      facts.push(["Just left", justLeft < 0 ? "–" : board.name(justLeft)]);
      facts.push(["Taken back", of(walk.takenBack(at), walk.takenBack(whole))]);
    }
    const { kinds, crossings } = walk.metrics;
    if (kinds) {
      const [now, all] = [kinds(at), kinds(whole)];
      const turns = (k) => k.acute + k.right + k.obtuse;
      facts.push(["Turns", of(turns(now), turns(all))]);
      for (const kind of ANGLES) facts.push([`Angles, ${kind}`, of(now[kind], all[kind])]);
    }
    if (crossings) facts.push(["Crossings", of(crossings(at), crossings(whole))]);
    find(".facts").replaceChildren(...facts.map(([name, value]) => {
      const row = document.createElement("div");
      const [dt, dd] = [document.createElement("dt"), document.createElement("dd")];
      dt.textContent = name;
      dd.textContent = value;
      row.append(dt, dd);
      return row;
    }));
  };
  const of = (now, all) => `${grouped(now)} of ${grouped(all)}`;

  watchGestures(find(".board"), {
    zoomBy: panel.zoomBy, panBy: panel.panBy, isZoomed: panel.isZoomed, wheelZooms: page.wheelZooms,
    pick(x, y) {
      const cell = drawing.cellAt(x, y);
      if (cell >= 0) page.pick(panel, cell);
    },
  });
  find(".in").addEventListener("click", () => panel.zoomBy(1.5));
  find(".out").addEventListener("click", () => panel.zoomBy(1 / 1.5));
  find(".fit").addEventListener("click", panel.whole);
  find(".save").addEventListener("click", () => {
    const { walk } = panel;
    const outlines = [".edge", ".whole"].map((one) => find(one).getAttribute("d"));
    const text = drawing.picture(page.shown(), page.comparedWith(panel), `${walk.data.name}, step ${walk.at}`, outlines);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    link.download = `${walk.data.name.replace(/\.[^.]*$/, "").replace(/[^\w-]+/g, "-") || "tour"}-${walk.at}.svg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  });

  panel.show(chosen);
  return panel;
}

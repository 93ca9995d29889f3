// A panel: one board with its heading, facts and knight.

function makePanel(template, walks, chosen, page) {
  const root = template.content.cloneNode(true).firstElementChild;
  const find = (selector) => root.querySelector(selector);
  const panel = { root, walk: null };
  let drawing = null;

  const choice = find("select");
  walks.forEach((data, i) => choice.add(new Option(data.name, String(i))));
  choice.hidden = walks.length < 3;
  find("h2").hidden = !choice.hidden;
  choice.addEventListener("change", () => {
    panel.show(Number(choice.value));
    page.changed();
  });

  panel.show = (index) => {
    choice.value = String(index);
    panel.walk = makeWalk(walks[index]);
    drawing = makeDrawing(panel.walk, find(".board"));
    const { walk } = panel;
    find("h2").textContent = walk.data.name;
    find(".kind").textContent = `${walk.isTrace ? `recorded search (${walk.data.rule})` : walk.isPartial ? "non-crossing walk" : "tour"}, `
      + `${walk.closed ? "closed" : "open"}, ${walk.board.label}`;
    find(".knight").classList.toggle("walker", walk.board.isGraph);
    find(".board").classList.toggle("starts", walk.canStartAnywhere);
  };

  panel.resize = (across, down, show) => {
    drawing.resize(across, down);
    drawing.board(show);
  };
  panel.redrawBoard = (show) => drawing.board(show);

  panel.draw = (show, other, glide) => {
    const { walk } = panel;
    const compared = show.differences ? other : null;
    drawing.path(show, compared);
    const here = drawing.current(show);
    const knight = find(".knight");
    knight.toggleAttribute("hidden", here < 0); // SVG elements have no property hidden
    knight.dataset.cell = here < 0 ? "" : walk.board.name(here);
    knight.style.setProperty("--glide", `${glide}ms`);
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
    facts.push(["Visited", `${walk.depth} of ${board.size}`]);
    const free = walk.candidates();
    facts.push(["Candidates", free.map((n) => `${board.name(n)} (${walk.access[n]})`).join(" ") || "none"]);
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
      for (const kind of Object.values(ANGLES)) facts.push([`Angles, ${kind}`, of(now[kind], all[kind])]);
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
  const of = (now, all) => `${now} of ${all}`;

  find(".board").addEventListener("click", (event) => {
    const box = find(".board").getBoundingClientRect();
    const cell = drawing.cellAt(event.clientX - box.left, event.clientY - box.top);
    if (cell >= 0) page.pick(panel, cell);
  });

  find(".save").addEventListener("click", (event) => {
    const { walk } = panel;
    const other = page.comparedWith(panel);
    const text = pictureOf(walk, `${walk.data.name}, step ${walk.at}`, other);
    const link = event.currentTarget;
    if (link.href.startsWith("blob:")) URL.revokeObjectURL(link.href);
    link.href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    link.download = `${walk.data.name.replace(/\.[^.]*$/, "").replace(/[^\w-]+/g, "-") || "tour"}-${walk.at}.svg`;
  });

  panel.show(chosen);
  return panel;
}

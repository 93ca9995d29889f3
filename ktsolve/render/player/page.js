// The page: the position that all boards share, buttons, keys and the clock.

const SHOWN = ["numbers", "access", "candidates", "whole", "differences"];

function start() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const walks = data.walks;
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  let playing = false, position = 0, pendingSteps = 0, clock = 0, chosenTheme = null;

  const page = {
    changed: () => { compareAll(); fit(); go(position); },
    pick(panel, cell) {
      pause();
      const { walk } = panel;
      if (walk.canStartAnywhere && walk.positionOf(cell) > 0) {
        for (const { walk: one } of panels) {
          if (one.canStartAnywhere && one.board.same(walk.board) && one.positionOf(cell) > 0) one.startAt(cell);
        }
        compareAll();
        redrawBoards();
        go(1);
        announce(`The walk starts on ${walk.board.name(cell)}.`);
      } else {
        const step = walk.positionOf(cell);
        if (step > 0) go(step);
        else announce(`${walk.board.name(cell)} is never visited.`);
      }
    },
    comparedWith: (panel) => (shown().differences ? otherOf(panel) : null),
  };
  const template = by("panel");
  // The numbers of free neighbours would hide the names of vertices.
  if (walks.every((walk) => walk.graph)) {
    by("access").checked = false;
    by("cell").placeholder = "";
    by("cell").previousSibling.data = "Vertex ";
    by("start").title = "Start a closed tour at this vertex; go to it in an open one";
  }
  const panels = walks.slice(0, 2).map((_, i) => makePanel(template, walks, i, page));
  by("panels").replaceChildren(...panels.map(({ root }) => root));
  const otherOf = (panel) => (comparison ? panels.find((one) => one !== panel).walk : null);
  let comparison = null;

  const length = () => Math.max(...panels.map(({ walk }) => walk.length));
  const shown = () => Object.fromEntries(SHOWN.map((id) => [id, by(id).checked]));

  function compareAll() {
    comparison = panels.length === 2 ? compare(panels[0].walk, panels[1].walk) : null;
    by("differences").disabled = comparison === null;
    by("differences").parentElement.hidden = panels.length < 2;
    by("comparison").hidden = panels.length < 2;
    by("comparison").textContent = comparison === null
      ? "The boards differ, so the moves are not compared."
      : `${comparison.shared} moves in common (grey), ${comparison.onlyOne} only left, `
        + `${comparison.onlyOther} only right (orange); the first ${comparison.together} steps agree.`;
  }

  // Steps per second on a logarithmic scale, from 0.5 to 2000.
  const speed = () => 0.5 * 4000 ** (Number(by("speed").value) / 100);

  function go(to, glide = 0) {
    position = Math.max(0, Math.min(length(), to));
    const show = shown();
    for (const panel of panels) {
      panel.walk.goTo(position);
      panel.draw(show, otherOf(panel), reducedMotion.matches ? 0 : glide);
    }
    by("scrub").max = String(length());
    by("scrub").value = String(position);
    by("scrub").setAttribute("aria-valuetext", `step ${position} of ${length()}`);
    by("place").textContent = `${position} / ${length()}`;
    if (!playing) announce("");
  }
  function announce(message) {
    const { walk } = panels[0];
    by("status").textContent = `Step ${position} of ${length()}: ${describe(walk)}${message ? ` ${message}` : ""}`;
  }
  const step = (steps) => go(position + steps, 220);

  function play() {
    if (position >= length()) go(0);
    playing = true;
    pendingSteps = 1;
    clock = performance.now();
    showPlaying();
    requestAnimationFrame(tick);
  }
  function pause() {
    if (!playing) return;
    playing = false;
    showPlaying();
    announce("");
  }
  function showPlaying() {
    by("play").setAttribute("aria-label", playing ? "Pause" : "Play");
    document.documentElement.classList.toggle("playing", playing);
  }
  function tick(now) {
    if (!playing) return;
    pendingSteps += Math.max(0, Math.min(250, now - clock)) * speed() / 1000;
    clock = now;
    const steps = Math.floor(pendingSteps);
    if (steps > 0) {
      pendingSteps -= steps;
      go(position + steps, speed() > 25 ? 0 : Math.min(350, 750 / speed()));
    }
    if (position >= length()) pause();
    else requestAnimationFrame(tick);
  }

  // The largest boards with which the controls stay visible; on a phone, as wide as the page.
  function fit() {
    const narrow = innerWidth < 640;
    const width = by("panels").clientWidth;
    const beside = panels.length > 1;
    const across = narrow ? width : beside ? (width - 24) / 2 : width - 280;
    const around = ["header", "footer", "#options", "#comparison", ".head"].map((one) => document.querySelector(one));
    const taken = narrow ? 90 : around.reduce((sum, { offsetHeight }) => sum + offsetHeight, 40) + (beside ? 40 : 0);
    const show = shown();
    for (const panel of panels) panel.resize(Math.max(120, across - 2), Math.max(280, innerHeight - taken), show);
  }
  function redrawBoards() {
    for (const panel of panels) panel.redrawBoard(shown());
  }
  function refresh() {
    redrawBoards();
    go(position);
  }

  const isDark = () => document.documentElement.dataset.theme === "dark";
  function setTheme() {
    document.documentElement.dataset.theme = chosenTheme ?? (prefersDark.matches ? "dark" : "light");
    by("theme").setAttribute("aria-pressed", String(isDark()));
  }
  function switchTheme() {
    chosenTheme = isDark() ? "light" : "dark";
    setTheme();
    refresh();
  }

  by("title").textContent = document.title = data.title;
  by("play").addEventListener("click", () => (playing ? pause() : play()));
  by("back").addEventListener("click", () => { pause(); step(-1); });
  by("forward").addEventListener("click", () => { pause(); step(1); });
  by("first").addEventListener("click", () => { pause(); go(Math.min(1, length())); });
  by("last").addEventListener("click", () => { pause(); go(length()); });
  by("scrub").addEventListener("input", () => { pause(); go(Number(by("scrub").value)); });
  by("speed").addEventListener("input", showSpeed);
  by("theme").addEventListener("click", switchTheme);
  by("keys").addEventListener("click", () => by("help").showModal());
  by("closeHelp").addEventListener("click", () => by("help").close());
  for (const id of SHOWN) by(id).addEventListener("change", refresh);
  by("start").addEventListener("submit", (event) => {
    event.preventDefault();
    const given = by("cell").value.trim();
    const { board } = panels[0].walk;
    const wanted = board.isGraph ? given : given.toLowerCase();
    const cell = Array.from({ length: board.size }, (_, n) => n).find((n) => board.name(n) === wanted);
    by("cell").setAttribute("aria-invalid", String(cell === undefined));
    if (cell !== undefined) page.pick(panels[0], cell);
    else if (board.isGraph) by("status").textContent = wanted ? `The graph has no vertex ${wanted}.` : "Enter the name of a vertex.";
    else by("status").textContent = wanted ? `The board has no cell ${wanted}.` : "Enter the name of a cell, such as a1.";
  });
  prefersDark.addEventListener("change", () => { setTheme(); refresh(); });
  addEventListener("resize", () => { fit(); go(position); });

  function showSpeed() {
    const rate = speed();
    const text = `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} steps a second`;
    by("speed").setAttribute("aria-valuetext", text);
    by("rate").textContent = text;
  }
  function faster(change) {
    by("speed").value = String(Number(by("speed").value) + change);
    showSpeed();
  }

  const toggle = (id) => () => { if (!by(id).disabled) by(id).click(); };
  const keys = {
    " ": () => by("play").click(), k: () => by("play").click(),
    ArrowRight: () => by("forward").click(), ArrowLeft: () => by("back").click(),
    Home: () => by("first").click(), End: () => by("last").click(),
    PageUp: () => { pause(); go(position - 10); }, PageDown: () => { pause(); go(position + 10); },
    ArrowUp: () => faster(8), ArrowDown: () => faster(-8),
    n: toggle("numbers"), a: toggle("access"), c: toggle("candidates"), p: toggle("whole"), d: toggle("differences"),
    t: switchTheme, s: () => panels[0].root.querySelector(".save").click(), "?": () => by("help").showModal(),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || by("help").open) return;
    // Fields and sliders keep the keys that they use; a focused button keeps space.
    const at = event.target;
    if (at.matches("select, input[type=text]")) return;
    if (at.matches("input[type=range]") && /^(Arrow|Home|End|Page)/.test(event.key)) return;
    if (at.matches("button, a, input[type=checkbox]") && event.key === " ") return;
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  // About twenty seconds for the walk, at 3 to 2000 steps per second.
  const wanted = Math.max(3, Math.min(2000, length() / 20));
  by("speed").value = String(Math.round((100 * Math.log(wanted / 0.5)) / Math.log(4000)));
  showSpeed();
  showPlaying();
  setTheme();
  compareAll();
  fit();
  go(Math.min(1, length()));
}

start();

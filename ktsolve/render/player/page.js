// The page: the position that all boards share, layout, buttons, keys and the clock.

const SHOWN = ["numbers", "access", "candidates", "whole", "differences"];
const SHORT = 520; // height of a window, in pixels, below which it has the layout of a frame
const NARROW = 640; // width below which the options are behind a button

function start() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const root = document.documentElement;
  const walks = data.walks;
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
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
    shown: () => Object.fromEntries(SHOWN.map((id) => [id, by(id).checked])),
    comparedWith: (panel) => (by("differences").checked ? otherOf(panel) : null),
    // In a page that scrolls, the wheel belongs to the page.
    wheelZooms: () => !isEmbedded || document.fullscreenElement !== null,
  };
  const { shown } = page;
  const template = by("panel");
  // The numbers of free neighbours would hide the names of vertices.
  if (walks.every((walk) => walk.graph !== undefined)) {
    by("access").checked = false;
    by("cell").placeholder = "";
    by("cell").previousSibling.data = "Vertex ";
    by("start").title = "Start a closed tour at this vertex; go to it in an open one";
  }
  let panels = [];
  let comparison = null;
  const otherOf = (panel) => (comparison ? panels.find((one) => one !== panel).walk : null);
  const length = () => Math.max(...panels.map(({ walk }) => walk.length));

  // One board, or two beside each other.
  function layOut() {
    const first = panels[0]?.index ?? 0;
    const wanted = by("beside").checked ? [first, first === 1 ? 0 : 1] : [first];
    panels = wanted.map((index, i) => panels[i] ?? makePanel(template, data, index, page));
    by("panels").replaceChildren(...panels.map((panel) => panel.root));
    root.classList.toggle("two", panels.length > 1);
    for (const panel of panels) panel.showChooser(walks.length > panels.length);
  }

  function compareAll() {
    comparison = panels.length === 2 ? compare(panels[0].walk, panels[1].walk) : null;
    by("differences").disabled = comparison === null;
    by("differences").parentElement.hidden = panels.length < 2;
    by("comparison").hidden = panels.length < 2;
    by("comparison").textContent = comparison === null
      ? "The boards differ, so the moves are not compared."
      : `${grouped(comparison.shared)} moves in common (grey), ${grouped(comparison.onlyOne)} only in the first, `
        + `${grouped(comparison.onlyOther)} only in the second (red); the first ${grouped(comparison.together)} steps agree.`;
  }

  // Steps per second on a logarithmic scale, from 0.5 to 2000; on long walks to what takes twenty seconds.
  const range = () => 2 * Math.max(2000, length() / 20);
  const speed = () => 0.5 * range() ** (Number(by("speed").value) / 100);

  function go(to, glide = 0) {
    position = Math.max(0, Math.min(length(), to));
    const show = shown();
    for (const panel of panels) {
      panel.walk.goTo(position);
      panel.draw(show, otherOf(panel), reducedMotion.matches ? 0 : glide, true);
    }
    by("scrub").max = String(length());
    by("scrub").value = String(position);
    by("scrub").setAttribute("aria-valuetext", `step ${grouped(position)} of ${grouped(length())}`);
    by("place").textContent = `${grouped(position)} / ${grouped(length())}`;
    if (!playing) announce("");
  }
  function announce(message) {
    const { walk } = panels[0];
    by("status").textContent = `Step ${grouped(position)} of ${grouped(length())}: ${describe(walk)}${message ? ` ${message}` : ""}`;
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
    root.classList.toggle("playing", playing);
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

  // The layout for the size of the window, and the largest boards with which the controls stay visible. In a frame and in a low
  // window there are only boards and one line of controls; the rest is behind a button.
  function fit() {
    const [wide, high, two] = [innerWidth, innerHeight, panels.length > 1];
    const compact = isEmbedded || high < SHORT;
    const narrow = wide < NARROW;
    const side = compact ? !two && wide >= 560 && wide > 1.15 * high : two ? wide >= 1180 : !narrow && wide > 0.9 * high;
    for (const [name, on] of Object.entries({ compact, narrow, side })) root.classList.toggle(name, on);
    // An element that is moved loses the focus.
    const move = (id, parent, before = null) => {
      if (by(id).parentElement !== by(parent)) by(parent).insertBefore(by(id), before);
    };
    move("corner", compact ? "bar" : "header");
    const folded = compact || narrow;
    for (const id of ["keys", "theme"]) move(id, folded ? "options" : "corner", folded ? null : by("more"));
    if (folded) move("pace", "options", by("options").firstChild);
    else move("pace", "bar");
    if (!folded) showMore(false);
    by("fullscreen").hidden = !document.fullscreenEnabled;
    by("options").style.bottom = `${by("footer").offsetHeight}px`;

    const heights = (selectors) => selectors.reduce((sum, one) => sum + (document.querySelector(one)?.offsetHeight ?? 0), 0);
    const head = side && !two ? 0 : heights([".panel .head"]) + 8;
    const below = folded ? 0 : heights(["#options", "#status"]);
    const around = (compact ? 16 : heights(["#header"]) + 20) + heights(["#footer"]) + below;
    const width = by("panels").clientWidth;
    // Two boards are one above the other where they are larger so.
    const half = (width - 24) / 2;
    const stacked = two && Math.min(width, (high - around) / 2 - head) > Math.min(half, high - around - head);
    root.classList.toggle("stacked", stacked);
    const comparing = two && !stacked && !compact ? heights(["#comparison"]) + 8 : 0;
    const facts = side || folded || stacked ? 0 : two ? 60 : heights([".facts"]) + 8;
    const down = (high - around - comparing - facts) / (stacked ? 2 : 1) - head;
    const across = (two && !stacked ? half : width) - (side ? (two ? 200 : 268) : 0);
    const show = shown();
    for (const panel of panels) panel.resize(Math.max(100, across), Math.max(compact ? 100 : 180, down), show);
    // What scrolls is reached by the keyboard.
    for (const list of document.querySelectorAll(".facts")) {
      if (compact && side) list.tabIndex = 0;
      else list.removeAttribute("tabindex");
    }
  }
  function redrawBoards() {
    for (const panel of panels) panel.redrawBoard(shown());
  }
  function refresh() {
    redrawBoards();
    go(position);
  }

  const surroundings = watchSurroundings(() => { setTheme(); }, (walk, wantsPlay) => {
    if (Number.isInteger(walk) && panels[0].choose(walk)) {
      root.classList.add("led");
      pause();
      go(length());
    }
    if (wantsPlay && !playing && !reducedMotion.matches) play();
  });
  const isDark = () => root.dataset.theme === "dark";
  function setTheme() {
    const wanted = chosenTheme ?? surroundings.theme();
    if (root.dataset.theme === wanted) return;
    root.dataset.theme = wanted;
    by("theme").setAttribute("aria-pressed", String(isDark()));
    if (panels.length) refresh();
  }
  function switchTheme() {
    chosenTheme = isDark() ? "light" : "dark";
    setTheme();
  }
  function showMore(on) {
    root.classList.toggle("more", on);
    by("more").setAttribute("aria-expanded", String(on));
  }
  function switchFullscreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else if (document.fullscreenEnabled) root.requestFullscreen().catch(() => {});
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
  by("fullscreen").addEventListener("click", switchFullscreen);
  by("more").addEventListener("click", () => showMore(!root.classList.contains("more")));
  by("keys").addEventListener("click", () => by("help").showModal());
  by("closeHelp").addEventListener("click", () => by("help").close());
  by("beside").addEventListener("change", () => { layOut(); page.changed(); });
  for (const id of SHOWN) by(id).addEventListener("change", refresh);
  by("start").addEventListener("submit", (event) => {
    event.preventDefault();
    const wanted = by("cell").value.trim();
    const { board } = panels[0].walk;
    const cell = board.named(wanted);
    by("cell").setAttribute("aria-invalid", String(cell < 0));
    if (cell >= 0) page.pick(panels[0], cell);
    else if (board.isGraph) by("status").textContent = wanted ? `The graph has no vertex ${wanted}.` : "Enter the name of a vertex.";
    else by("status").textContent = wanted ? `The board has no cell ${wanted}.` : "Enter the name of a cell, such as a1.";
  });
  const sized = () => { fit(); go(position); };
  addEventListener("resize", sized);
  document.addEventListener("fullscreenchange", () => {
    by("fullscreen").setAttribute("aria-pressed", String(document.fullscreenElement !== null));
    sized();
  });
  document.addEventListener("pointerdown", ({ target }) => {
    if (!target.closest("#options, #more")) showMore(false);
  });

  function showSpeed() {
    const rate = speed();
    const text = `${rate < 10 ? rate.toFixed(1) : grouped(Math.round(rate))} steps a second`;
    by("speed").setAttribute("aria-valuetext", text);
    by("rate").textContent = text;
  }
  function faster(change) {
    by("speed").value = String(Number(by("speed").value) + change);
    showSpeed();
  }

  const toggle = (id) => () => { if (!by(id).disabled && !by(id).parentElement.hidden) by(id).click(); };
  const zoom = (factor) => () => { for (const panel of panels) panel.zoomBy(factor); };
  const pan = (dx, dy) => () => { for (const panel of panels) panel.panBy(dx, dy); };
  const keys = {
    " ": () => by("play").click(), k: () => by("play").click(),
    ArrowRight: () => by("forward").click(), ArrowLeft: () => by("back").click(),
    Home: () => by("first").click(), End: () => by("last").click(),
    PageUp: () => { pause(); go(position - 10); }, PageDown: () => { pause(); go(position + 10); },
    ArrowUp: () => faster(8), ArrowDown: () => faster(-8),
    n: toggle("numbers"), a: toggle("access"), c: toggle("candidates"), p: toggle("whole"), d: toggle("differences"), b: toggle("beside"),
    ",": () => { if (walks.length > 1) panels[0].step(-1); }, ".": () => { if (walks.length > 1) panels[0].step(1); },
    "+": zoom(1.5), "=": zoom(1.5), "-": zoom(1 / 1.5), 0: () => { for (const panel of panels) panel.whole(); },
    t: switchTheme, f: switchFullscreen, s: () => panels[0].root.querySelector(".save").click(), "?": () => by("help").showModal(),
    Escape: () => showMore(false),
  };
  const shifted = { ArrowLeft: pan(80, 0), ArrowRight: pan(-80, 0), ArrowUp: pan(0, 80), ArrowDown: pan(0, -80) };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || by("help").open) return;
    // Fields and sliders keep the keys that they use; a focused button keeps space.
    const at = event.target;
    if (at.matches("select, input[type=text], input[type=number]")) return;
    if (at.matches("input[type=range]") && /^(Arrow|Home|End|Page)/.test(event.key)) return;
    if (at.matches("button, input[type=checkbox]") && event.key === " ") return;
    const act = (event.shiftKey && shifted[event.key]) || keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  by("beside").checked = walks.length === 2;
  by("beside").parentElement.hidden = walks.length < 2;
  setTheme();
  layOut();
  // About twenty seconds for the walk, at 3 steps per second or more.
  const wanted = Math.max(3, length() / 20);
  by("speed").value = String(Math.round((100 * Math.log(wanted / 0.5)) / Math.log(range())));
  showSpeed();
  showPlaying();
  compareAll();
  fit();
  // In a frame the walk is under way.
  go(data.step ?? (isEmbedded ? Math.round(0.4 * length()) : Math.min(1, length())));
  if (!root.classList.contains("side")) sized(); // now the facts have their height
}

start();

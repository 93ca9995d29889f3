// Drawing of a walk on three canvases, one above the other: the board, the path, and the marks of the current step.
// On large boards a step forward adds only its move to the path canvas, so that its cost does not grow with the board.

const SHADES = 48; // colours along a path; moves of one colour are drawn with one stroke
const LARGEST_REDRAWN = 2500; // larger boards are not redrawn at a step forward, and their cells are not tinted
const LARGEST_CELL = 88;
const SMALLEST_DISC = 9; // smallest room around a vertex, in pixels, for a rim
const LONGEST_NAME = 14; // letters of a name that is drawn on a vertex
const SMALLEST_TEXT = 17; // smallest side of a cell, in pixels, for numbers and coordinates

function lines(board, a, b) {
  const straight = [[board.x[a], board.y[a], board.x[b], board.y[b]]];
  if (!board.wrapped) return straight;
  const [r1, c1, r2, c2] = [board.row[a], board.column[a], board.row[b], board.column[b]];
  if (board.offsets.some(([down, right]) => r1 + down === r2 && c1 + right === c2)) {
    return straight;
  }
  // Across a wrapped edge: one line leaves the board, another enters it. Drawing is clipped to the board.
  const [down, right] = board.offsets.find(([d, r]) => board.at(r1 + d, c1 + r) === b);
  return [
    [c1 + 0.5, r1 + 0.5, c1 + right + 0.5, r1 + down + 0.5],
    [c2 - right + 0.5, r2 - down + 0.5, c2 + 0.5, r2 + 0.5],
  ];
}

function palette() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(name).trim();
  const stops = ["--path-1", "--path-2", "--path-3", "--path-4"].map((name) => parseColour(read(name)));
  const shades = Array.from({ length: SHADES }, (_, i) => blend(stops, i / (SHADES - 1)));
  return {
    edge: read("--edge"), disc: read("--disc"), light: read("--cell-light"), dark: read("--cell-dark"), ink: read("--ink"),
    quiet: read("--quiet"), whole: read("--whole"), candidate: read("--candidate"), chosen: read("--chosen"),
    shared: read("--shared"), differs: read("--differs"), halo: read("--halo"), shades,
  };
}

function parseColour(text) {
  return [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));
}

function blend(stops, part) {
  const scaled = part * (stops.length - 1), i = Math.min(Math.floor(scaled), stops.length - 2);
  const mixed = stops[i].map((v, k) => Math.round(v + (stops[i + 1][k] - v) * (scaled - i)));
  return `rgb(${mixed.join(",")})`;
}

function shadeOf(walk, index) {
  const longest = walk.isPartial ? walk.events.length : walk.board.size;
  return Math.min(SHADES - 1, Math.floor((index * SHADES) / Math.max(1, longest)));
}

function makeDrawing(walk, holder) {
  const { board } = walk;
  const [base, trail, top] = holder.querySelectorAll("canvas");
  const drawing = { cell: 0, margin: 0 };
  let colours = palette();
  let drawn = null; // the state that the path canvas shows; null: it must be redrawn

  function pen(canvas) {
    const context = canvas.getContext("2d");
    const ratio = canvas.width / parseFloat(canvas.style.width);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    return toBoard(context);
  }
  function toBoard(context) {
    context.translate(drawing.margin, drawing.margin);
    context.scale(drawing.cell, drawing.cell);
    context.lineJoin = context.lineCap = "round";
    return context;
  }
  function clipped(context, draw) {
    context.save();
    context.beginPath();
    context.rect(0, 0, board.wide, board.high);
    context.clip();
    draw();
    context.restore();
  }
  function text(context, content, x, y, size, colour, bold = false) {
    context.font = `${bold ? "700 " : ""}${size}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = colour;
    context.fillText(content, x, y + size * 0.06);
  }
  function strokeMoves(context, moves) {
    context.beginPath();
    for (const [a, b] of moves) {
      for (const [x1, y1, x2, y2] of lines(board, a, b)) {
        context.moveTo(x1, y1);
        context.lineTo(x2, y2);
      }
    }
    context.stroke();
  }
  const width = () => Math.max(0.085, 1.2 / drawing.cell);

  drawing.resize = (availableWidth, availableHeight) => {
    const fit = (margin) => Math.min(
      (availableWidth - 2 * margin) / board.wide, (availableHeight - 2 * margin) / board.high, LARGEST_CELL);
    drawing.margin = fit(20) >= SMALLEST_TEXT && !board.isGraph ? 20 : 4;
    drawing.cell = Math.max(0.25, fit(drawing.margin));
    const [w, h] = [board.wide, board.high].map((n) => Math.round(n * drawing.cell + 2 * drawing.margin));
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    for (const canvas of [base, trail, top]) {
      canvas.width = Math.round(w * ratio);
      canvas.height = Math.round(h * ratio);
      canvas.style.width = `${w}px`;
      canvas.style.height = `${h}px`;
    }
    holder.style.width = `${w}px`;
    holder.style.height = `${h}px`;
    holder.style.setProperty("--piece", `${Math.max(14, drawing.cell * 0.82)}px`);
    drawn = null;
  };

  function squares(context) {
    for (let n = 0; n < board.size; n += 1) {
      const [r, c] = [board.row[n], board.column[n]];
      context.fillStyle = (r + c) % 2 ? colours.dark : colours.light;
      context.fillRect(c, r, 1.002, 1.002);
    }
    if (drawing.cell >= SMALLEST_TEXT) {
      const size = Math.min(0.42, 12 / drawing.cell), away = 10 / drawing.cell;
      for (let c = 0; c < board.columns; c += 1) {
        text(context, fileName(c), c + 0.5, board.rows + away, size, colours.quiet);
      }
      for (let r = 0; r < board.rows; r += 1) {
        text(context, String(board.rows - r), -away, r + 0.5, size, colours.quiet);
      }
    }
  }
  // Thin edges; discs for vertices. Names where they fit and no other number is shown.
  function graph(context, show) {
    context.strokeStyle = colours.edge;
    context.lineWidth = Math.max(0.03, Math.min(1, 40 / Math.sqrt(board.edges.length)) / drawing.cell);
    context.beginPath();
    for (let i = 0; i < board.edges.length; i += 2) {
      const [a, b] = [board.edges[i], board.edges[i + 1]];
      context.moveTo(board.x[a], board.y[a]);
      context.lineTo(board.x[b], board.y[b]);
    }
    context.stroke();
    if (board.directed) {
      context.fillStyle = colours.edge;
      for (let i = 0; i < board.edges.length; i += 2) arrowHead(context, board.edges[i], board.edges[i + 1], 0.16);
    }
    const radius = vertexRadius();
    context.fillStyle = colours.disc;
    context.strokeStyle = colours.edge;
    context.lineWidth = Math.max(0.03, 1 / drawing.cell);
    for (let n = 0; n < board.size; n += 1) {
      context.beginPath();
      context.arc(board.x[n], board.y[n], radius, 0, 7);
      context.fill();
      if (drawing.cell >= SMALLEST_DISC) context.stroke();
    }
    if (drawing.cell < SMALLEST_TEXT || show.access) return;
    for (let n = 0; n < board.size; n += 1) vertexName(context, n, colours.quiet);
  }
  function vertexName(context, n, colour) {
    const name = board.name(n), size = Math.min(0.34, 14 / drawing.cell);
    if (name.length <= LONGEST_NAME) {
      text(context, name, board.x[n], board.y[n], size * Math.min(1, 3 / name.length + 0.4), colour);
    }
  }
  const vertexRadius = () => (drawing.cell >= SMALLEST_TEXT ? 0.34 : drawing.cell >= SMALLEST_DISC ? 0.25 : 0.2);
  function arrowHead(context, a, b, size) {
    const [dx, dy] = [board.x[b] - board.x[a], board.y[b] - board.y[a]], far = Math.hypot(dx, dy) || 1;
    const [ux, uy] = [dx / far, dy / far], rim = vertexRadius();
    const [tx, ty] = [board.x[b] - rim * ux, board.y[b] - rim * uy];
    context.beginPath();
    context.moveTo(tx, ty);
    context.lineTo(tx - size * (ux + 0.45 * uy), ty - size * (uy - 0.45 * ux));
    context.lineTo(tx - size * (ux - 0.45 * uy), ty - size * (uy + 0.45 * ux));
    context.fill();
  }

  drawing.board = (show) => {
    colours = palette();
    drawn = null;
    const context = pen(base);
    if (board.isGraph) graph(context, show);
    else squares(context);
    if (show.whole) {
      clipped(context, () => {
        context.strokeStyle = colours.whole;
        context.lineWidth = Math.max(0.045, 0.7 / drawing.cell);
        const moves = [];
        eachMove(walk.final, walk.returns, (a, b) => moves.push([a, b]));
        strokeMoves(context, moves);
      });
    }
  };

  function tint(context) {
    context.globalAlpha = 0.16;
    for (let i = 0; i < walk.depth; i += 1) {
      const n = walk.path[i];
      context.fillStyle = colours.shades[shadeOf(walk, i)];
      if (board.isGraph) {
        context.beginPath();
        context.arc(board.x[n], board.y[n], 0.42, 0, 7);
        context.fill();
      } else context.fillRect(board.column[n], board.row[n], 1, 1);
    }
    context.globalAlpha = 1;
  }
  function segments(context, from, to, other) {
    const groups = new Map();
    const add = (colour, move) => {
      if (!groups.has(colour)) groups.set(colour, []);
      groups.get(colour).push(move);
    };
    for (let i = Math.max(1, from); i < to; i += 1) {
      const [a, b] = [walk.path[i - 1], walk.path[i]];
      add(colourOfMove(a, b, i, other), [a, b]);
    }
    if (walk.hasReturned()) {
      const [a, b] = [walk.path[walk.depth - 1], walk.path[0]];
      add(colourOfMove(a, b, walk.depth - 1, other), [a, b]);
    }
    context.lineWidth = width();
    clipped(context, () => {
      for (const [colour, moves] of groups) {
        context.strokeStyle = colour;
        strokeMoves(context, moves);
        if (!board.directed) continue;
        context.fillStyle = colour;
        for (const [a, b] of moves) arrowHead(context, a, b, 0.3);
      }
    });
  }
  function colourOfMove(a, b, i, other) {
    if (!other) return colours.shades[shadeOf(walk, i)];
    return other.edges.has(edgeKey(board, a, b)) ? colours.shared : colours.differs;
  }

  drawing.path = (show, other) => {
    const large = board.size > LARGEST_REDRAWN;
    const extend = large && drawn !== null && walk.depth >= drawn.depth && !walk.isTrace && !drawn.returned
      && drawn.other === other;
    const context = extend ? trail.getContext("2d") : pen(trail);
    const from = extend ? drawn.depth : 0;
    if (!large) tint(context);
    segments(context, from, walk.depth, other);
    if (show.numbers && !large && drawing.cell >= SMALLEST_TEXT) {
      const size = Math.min(0.36, 0.95 / String(board.size).length, 20 / drawing.cell);
      for (let i = 0; i < walk.depth; i += 1) {
        const n = walk.path[i], [x, y] = [board.x[n], board.y[n]];
        const number = String(i + 1);
        context.fillStyle = colours.halo;
        context.beginPath();
        context.roundRect(x - size * (0.22 + 0.31 * number.length), y - size * 0.62,
          size * (0.44 + 0.62 * number.length), size * 1.24, size * 0.4);
        context.fill();
        text(context, number, x, y, size, colours.ink, true);
      }
    }
    drawn = { depth: walk.depth, returned: walk.hasReturned(), other };
  };

  drawing.current = (show) => {
    const context = pen(top);
    const here = walk.knight(), next = walk.next();
    const legible = drawing.cell >= SMALLEST_TEXT;
    if (walk.depth > 0) markStart(context, walk.path[0], show.numbers && legible);
    const free = show.candidates ? walk.candidates() : [];
    context.lineWidth = Math.max(0.05, 1 / drawing.cell);
    for (const n of free) {
      const chosen = n === next;
      context.strokeStyle = chosen ? colours.chosen : colours.candidate;
      context.setLineDash(chosen ? [] : [0.12, 0.14]);
      clipped(context, () => strokeMoves(context, [[here, n]]));
      context.setLineDash([]);
      context.beginPath();
      context.arc(board.x[n], board.y[n], Math.max(0.38, 2.5 / drawing.cell), 0, 7);
      context.fillStyle = colours.halo;
      context.fill();
      context.stroke();
      if (board.isGraph && legible && !show.access) vertexName(context, n, chosen ? colours.chosen : colours.ink);
    }
    if (show.access && legible) {
      const near = new Set(free);
      for (let n = 0; n < board.size; n += 1) {
        if (walk.stepOf[n] || n === walk.justLeft()) continue;
        const colour = near.has(n) ? (n === next ? colours.chosen : colours.ink) : colours.quiet;
        const [x, y] = [board.x[n], board.y[n]];
        text(context, String(walk.access[n]), x, y, 0.4, colour, near.has(n));
      }
    }
    if (walk.justLeft() >= 0) crossOut(context, walk.justLeft());
    return here;
  };
  function crossOut(context, n) {
    const [x, y, arm] = [board.x[n], board.y[n], Math.max(0.24, 4 / drawing.cell)];
    context.strokeStyle = colours.chosen;
    context.lineWidth = Math.max(0.1, 2 / drawing.cell);
    context.beginPath();
    for (const lean of [1, -1]) {
      context.moveTo(x - arm, y - arm * lean);
      context.lineTo(x + arm, y + arm * lean);
    }
    context.stroke();
  }
  // A ring around a number, or a dot.
  function markStart(context, n, numbered) {
    context.beginPath();
    context.arc(board.x[n], board.y[n], numbered ? 0.4 : Math.max(0.16, 2.5 / drawing.cell), 0, 7);
    context.fillStyle = context.strokeStyle = colours.shades[0];
    context.lineWidth = 0.05;
    if (numbered) context.stroke();
    else context.fill();
  }

  drawing.centre = (n) => [board.x[n], board.y[n]].map((v) => drawing.margin + v * drawing.cell);
  drawing.cellAt = (x, y) => board.cellAt(...[x, y].map((v) => (v - drawing.margin) / drawing.cell));
  return drawing;
}

// Drawing of a walk on three canvases, one above the other: the board, the path, and the marks of the current step.
//
// Coordinates are pixels of the page. What is drawn depends on the number of cells in view: up to DETAILED each move has a halo,
// cells are tinted and numbered; up to LINED moves are lines, and a step forward adds only its move; with more, a cell is a pixel
// of an image, in the colour of its step.

const SHADES = 48; // colours along a path; moves of one colour are drawn with one stroke
const DETAILED = 2500;
const LINED = 20000;
const LARGEST_CELL = 88;
const LARGEST_ZOOMED = 64; // side of a cell to which large boards can be magnified
const LEAST_VIEW = 300; // smallest side of the view on a board that is long and narrow, if there is room
const SMALLEST_DISC = 9; // smallest room around a vertex, in pixels, for a rim
const LONGEST_NAME = 14; // letters of a name that is drawn on a vertex
const SMALLEST_TEXT = 17; // smallest side of a cell, in pixels, for digits
const SMALLEST_NUMBER = 6.5; // smallest font of step numbers, in pixels
const NODE = 0.29; // radius of the disc of a step number, in cells
const ON_START = "#1c1c1c"; // the number on the disc of the first step

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

function palette(walk) {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(`--kt-${name}`).trim();
  const list = (name) => {
    const found = [];
    for (let colour; (colour = read(`${name}-${found.length + 1}`));) found.push(colour);
    return found;
  };
  // The colours of a closed walk lead back to the first.
  const stops = walk.closed ? list("cycle") : list("path");
  if (walk.closed) stops.push(stops[0]);
  const shades = Array.from({ length: SHADES }, (_, i) => blend(stops, i / (SHADES - 1)));
  return {
    background: read("background"), light: read("light"), dark: read("dark"), frame: read("frame"), ink: read("ink"), faint: read("faint"),
    node: read("node"), start: read("start"), chosen: read("end"), shared: read("faint"), differs: read("end"), shades,
    quiet: blend([read("faint"), read("ink")], 0.5), // legible on cells of both colours
  };
}

function channels(colour) {
  return [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
}

function blend(stops, part) {
  const scaled = part * (stops.length - 1), i = Math.min(Math.floor(scaled), stops.length - 2);
  const [from, to] = [channels(stops[i]), channels(stops[i + 1])];
  return `#${from.map((v, k) => Math.round(v + (to[k] - v) * (scaled - i)).toString(16).padStart(2, "0")).join("")}`;
}

function shadeOf(walk, index) {
  const longest = walk.isPartial ? walk.events.length : walk.board.size;
  return Math.min(SHADES - 1, Math.floor((index * SHADES) / Math.max(1, longest)));
}

function makeDrawing(walk, holder) {
  const { board } = walk;
  const [base, trail, top] = holder.querySelectorAll("canvas");
  const drawing = { cell: 0, left: 0, top: 0, width: 0, height: 0 };
  // The room around the part of the board that is seen: coordinates are on the left and below.
  let room = { left: 4, right: 4, above: 4, below: 4 };
  const view = { zoom: 1, x: board.wide / 2, y: board.high / 2, fit: 1 }; // the centre, in cells
  const reach = board.isGraph ? 0 : Math.max(...board.leaper);
  let colours = palette(walk);
  let drawn = null; // the state that the path canvas shows; null: it must be redrawn
  let texture = null;

  const px = (x) => drawing.left + x * drawing.cell, py = (y) => drawing.top + y * drawing.cell;
  const X = (n) => px(board.x[n]), Y = (n) => py(board.y[n]);

  // -- view: size, magnification, part of the board that is seen -------------------------------------------

  drawing.resize = (availableWidth, availableHeight) => {
    if (!board.isGraph) room = { left: board.rows > 99 ? 30 : 20, right: 6, above: 4, below: 20 };
    const [across, down] = [room.left + room.right, room.above + room.below];
    view.fit = Math.max(0.05, Math.min((availableWidth - across) / board.wide, (availableHeight - down) / board.high, LARGEST_CELL));
    const isLong = Math.max(board.wide, board.high) > 2 * Math.min(board.wide, board.high);
    const least = view.fit < SMALLEST_TEXT && isLong ? LEAST_VIEW : 0;
    drawing.width = Math.round(Math.max(board.wide * view.fit + across, Math.min(availableWidth, least)));
    drawing.height = Math.round(Math.max(board.high * view.fit + down, Math.min(availableHeight, least)));
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    for (const canvas of [base, trail, top]) {
      canvas.width = Math.round(drawing.width * ratio);
      canvas.height = Math.round(drawing.height * ratio);
      canvas.style.width = `${drawing.width}px`;
      canvas.style.height = `${drawing.height}px`;
    }
    holder.style.width = `${drawing.width}px`;
    holder.style.height = `${drawing.height}px`;
    settleView();
  };
  const pane = () => ({ x0: room.left, y0: room.above, x1: drawing.width - room.right, y1: drawing.height - room.below });
  const isInPane = (x, y) => {
    const { x0, y0, x1, y1 } = pane();
    return x >= x0 && x <= x1 && y >= y0 && y <= y1;
  };
  const largestZoom = () => Math.max(4, LARGEST_ZOOMED / view.fit);
  function settleView() {
    view.zoom = Math.max(1, Math.min(largestZoom(), view.zoom));
    drawing.cell = view.fit * view.zoom;
    const { x0, y0, x1, y1 } = pane();
    const settle = (centre, cells, size) => {
      const seen = size / drawing.cell;
      return seen >= cells ? cells / 2 : Math.max(seen / 2, Math.min(cells - seen / 2, centre));
    };
    view.x = settle(view.x, board.wide, x1 - x0);
    view.y = settle(view.y, board.high, y1 - y0);
    drawing.left = (x0 + x1) / 2 - view.x * drawing.cell;
    drawing.top = (y0 + y1) / 2 - view.y * drawing.cell;
    holder.style.setProperty("--piece", `${pieceSide()}px`);
    drawn = null;
  }
  const pieceSide = () => Math.max(14, drawing.cell * 0.82);
  drawing.isZoomed = () => view.zoom > 1;
  // The point of the board at (x, y) stays where it is.
  drawing.zoomBy = (factor, x, y) => {
    const before = view.zoom, { x0, y0, x1, y1 } = pane(), [middleX, middleY] = [(x0 + x1) / 2, (y0 + y1) / 2];
    [x, y] = [x ?? middleX, y ?? middleY];
    const [bx, by] = [(x - drawing.left) / drawing.cell, (y - drawing.top) / drawing.cell];
    view.zoom = Math.max(1, Math.min(largestZoom(), before * factor));
    const cell = view.fit * view.zoom;
    view.x = bx - (x - middleX) / cell;
    view.y = by - (y - middleY) / cell;
    settleView();
    return view.zoom !== before;
  };
  drawing.panBy = (dx, dy) => {
    const before = [view.x, view.y];
    view.x -= dx / drawing.cell;
    view.y -= dy / drawing.cell;
    settleView();
    return view.x !== before[0] || view.y !== before[1];
  };
  drawing.whole = () => {
    view.zoom = 1;
    settleView();
  };
  // Moves the view so that a cell is in it; whether it moved.
  drawing.follow = (n) => {
    if (view.zoom === 1 || n < 0) return false;
    const { x0, y0, x1, y1 } = pane(), edge = Math.min(drawing.cell / 2, 40);
    if (X(n) >= x0 + edge && X(n) <= x1 - edge && Y(n) >= y0 + edge && Y(n) <= y1 - edge) return false;
    const before = [view.x, view.y];
    [view.x, view.y] = [board.x[n], board.y[n]];
    settleView();
    return view.x !== before[0] || view.y !== before[1];
  };
  // Rows and columns in view, and as many beside them.
  function range(more = 0) {
    const { x0, y0, x1, y1 } = pane(), { left, top: above, cell } = drawing;
    const from = (pixels) => Math.max(0, Math.floor(pixels / cell) - more);
    const to = (pixels, cells) => Math.min(cells - 1, Math.ceil(pixels / cell) - 1 + more);
    return [from(y0 - above), to(y1 - above, board.rows), from(x0 - left), to(x1 - left, board.columns)];
  }
  function inView() {
    if (board.isGraph) return board.size;
    const [r0, r1, c0, c1] = range();
    return Math.max(0, r1 - r0 + 1) * Math.max(0, c1 - c0 + 1);
  }
  const isDetailed = () => inView() <= DETAILED, isLined = () => board.isGraph || inView() <= LINED;
  function eachCell(visit, more = 0) {
    if (board.isGraph) {
      for (let n = 0; n < board.size; n += 1) visit(n);
      return;
    }
    const [r0, r1, c0, c1] = range(more);
    for (let r = r0; r <= r1; r += 1) {
      for (let c = c0; c <= c1; c += 1) {
        const n = board.at(r, c);
        if (n >= 0) visit(n);
      }
    }
  }
  // The moves of a path with an end in view or near it, in the order of the path: i is the move to path[i].
  function eachMoveInView(path, count, stepOf, from, visit) {
    if (drawing.isZoomed() && !board.isGraph) {
      const found = new Set();
      eachCell((n) => {
        const step = stepOf[n];
        if (step > 1 && step <= count && step - 1 >= from) found.add(step - 1);
        if (step > 0 && step < count && step >= from) found.add(step);
      }, reach);
      for (const i of [...found].sort((a, b) => a - b)) visit(path[i - 1], path[i], i);
    } else {
      for (let i = Math.max(1, from); i < count; i += 1) visit(path[i - 1], path[i], i);
    }
  }

  // -- parts of the picture --------------------------------------------------------------------------------

  function cleared(canvas) {
    const context = canvas.getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    return pen(canvas);
  }
  function pen(canvas) {
    const context = canvas.getContext("2d");
    const ratio = canvas.width / drawing.width;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.lineJoin = context.lineCap = "round";
    return context;
  }
  function clipped(context, draw) {
    const { x0, y0, x1, y1 } = pane();
    const edges = [Math.max(x0, drawing.left), Math.max(y0, drawing.top), Math.min(x1, px(board.wide)), Math.min(y1, py(board.high))];
    context.save();
    context.beginPath();
    context.rect(edges[0], edges[1], edges[2] - edges[0], edges[3] - edges[1]);
    context.clip();
    draw(edges);
    context.restore();
  }
  function text(context, content, x, y, size, colour, bold = false) {
    context.font = `${bold ? "700 " : ""}${size.toFixed(2)}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = colour;
    context.fillText(content, x, y + size * 0.06);
  }
  function disc(context, x, y, radius) {
    context.beginPath();
    context.arc(x, y, radius, 0, 7);
  }
  function trace(context, moves) {
    context.beginPath();
    let end = -1;
    for (const [a, b] of moves) {
      if (!board.wrapped) {
        if (a !== end) context.moveTo(X(a), Y(a));
        context.lineTo(X(b), Y(b));
        end = b;
        continue;
      }
      const parts = lines(board, a, b);
      for (const [x1, y1, x2, y2] of parts) {
        if (a !== end || parts.length > 1) context.moveTo(px(x1), py(y1));
        context.lineTo(px(x2), py(y2));
      }
      end = parts.length > 1 ? -1 : b;
    }
  }
  const width = () => Math.max(1.2, Math.min(6, 0.085 * drawing.cell));

  // An image with a pixel for each cell. The colour of a cell is a number, as a canvas stores it; 0 leaves it transparent.
  function image(context, colourOf) {
    texture ??= document.createElement("canvas");
    [texture.width, texture.height] = [board.columns, board.rows];
    const inside = texture.getContext("2d"), data = inside.createImageData(board.columns, board.rows);
    const pixels = new Uint32Array(data.data.buffer);
    for (let n = 0; n < board.size; n += 1) pixels[board.row[n] * board.columns + board.column[n]] = colourOf(n);
    inside.putImageData(data, 0, 0);
    clipped(context, () => {
      context.imageSmoothingEnabled = drawing.cell < 1;
      context.drawImage(texture, drawing.left, drawing.top, board.wide * drawing.cell, board.high * drawing.cell);
    });
  }
  const little = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
  function stored(colour, alpha = 255) {
    const [r, g, b] = channels(colour);
    return (little ? (alpha << 24) | (b << 16) | (g << 8) | r : (r << 24) | (g << 16) | (b << 8) | alpha) >>> 0;
  }

  function squares(context) {
    if (!isLined()) {
      // Squares of less than two pixels would make a pattern of their own.
      const even = blend([colours.light, colours.dark], 0.5), tiny = drawing.cell < 2;
      const [light, dark] = [colours.light, colours.dark].map((colour) => stored(tiny ? even : colour));
      image(context, (n) => ((board.row[n] + board.column[n]) % 2 ? dark : light));
    } else {
      clipped(context, () => {
        for (const parity of [0, 1]) {
          context.fillStyle = parity ? colours.dark : colours.light;
          context.beginPath();
          eachCell((n) => {
            if ((board.row[n] + board.column[n]) % 2 === parity) context.rect(X(n) - drawing.cell / 2, Y(n) - drawing.cell / 2, drawing.cell, drawing.cell);
          });
          context.fill();
        }
      });
    }
  }
  // Names of rows and columns in the margins: all, or every fifth, tenth, ... that there is room for.
  function coordinates(context) {
    const [r0, r1, c0, c1] = range(), { cell } = drawing, { x0, y0, x1, y1 } = pane();
    const size = 11, steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
    const [every, across] = [16, 9 * fileName(c1).length + 6].map((least) => steps.find((step) => step * cell >= least) ?? 1000);
    const [left, bottom] = [Math.max(x0, drawing.left), Math.min(y1, py(board.rows))];
    for (let c = c0; c <= c1; c += 1) {
      const x = px(c + 0.5);
      if ((c + 1) % across === 0 && x > left && x < x1) text(context, fileName(c), x, bottom + 10, size, colours.faint);
    }
    for (let r = r0; r <= r1; r += 1) {
      const y = py(r + 0.5), rank = board.rows - r;
      if (rank % every === 0 && y > y0 && y < bottom) text(context, String(rank), left - (room.left - 2) / 2, y, size, colours.faint);
    }
  }
  // Thin edges; discs for vertices. Names where they fit and no other number is shown.
  function graph(context, show) {
    context.strokeStyle = colours.frame;
    context.lineWidth = Math.max(0.03 * drawing.cell, Math.min(1, 40 / Math.sqrt(board.edges.length)));
    context.beginPath();
    for (let i = 0; i < board.edges.length; i += 2) {
      context.moveTo(X(board.edges[i]), Y(board.edges[i]));
      context.lineTo(X(board.edges[i + 1]), Y(board.edges[i + 1]));
    }
    context.stroke();
    if (board.directed) {
      context.fillStyle = colours.frame;
      for (let i = 0; i < board.edges.length; i += 2) arrowHead(context, board.edges[i], board.edges[i + 1], 0.16);
    }
    const radius = vertexRadius() * drawing.cell;
    context.fillStyle = colours.node;
    context.lineWidth = Math.max(0.03 * drawing.cell, 1);
    for (let n = 0; n < board.size; n += 1) {
      disc(context, X(n), Y(n), radius);
      context.fill();
      if (drawing.cell >= SMALLEST_DISC) context.stroke();
    }
    if (drawing.cell < SMALLEST_TEXT || show.access) return;
    for (let n = 0; n < board.size; n += 1) vertexName(context, n, colours.faint);
  }
  function vertexName(context, n, colour) {
    const name = board.name(n), size = Math.min(0.34 * drawing.cell, 14);
    if (name.length <= LONGEST_NAME) text(context, name, X(n), Y(n), size * Math.min(1, 3 / name.length + 0.4), colour);
  }
  const vertexRadius = () => (drawing.cell >= SMALLEST_TEXT ? 0.34 : drawing.cell >= SMALLEST_DISC ? 0.25 : 0.2);
  function arrowHead(context, a, b, part) {
    const [dx, dy] = [board.x[b] - board.x[a], board.y[b] - board.y[a]], far = Math.hypot(dx, dy) || 1;
    const [ux, uy] = [dx / far, dy / far], rim = vertexRadius(), size = part * drawing.cell;
    const [tx, ty] = [px(board.x[b] - rim * ux), py(board.y[b] - rim * uy)];
    context.beginPath();
    context.moveTo(tx, ty);
    context.lineTo(tx - size * (ux + 0.45 * uy), ty - size * (uy - 0.45 * ux));
    context.lineTo(tx - size * (ux - 0.45 * uy), ty - size * (uy + 0.45 * ux));
    context.fill();
  }

  function tint(context) {
    context.globalAlpha = 0.14;
    const radius = 0.42 * drawing.cell, half = drawing.cell / 2;
    const paint = (n) => {
      if (!walk.stepOf[n]) return;
      context.fillStyle = colours.shades[shadeOf(walk, walk.stepOf[n] - 1)];
      if (board.isGraph) {
        disc(context, X(n), Y(n), radius);
        context.fill();
      } else context.fillRect(X(n) - half, Y(n) - half, 2 * half, 2 * half);
    };
    clipped(context, () => eachCell(paint));
    context.globalAlpha = 1;
  }
  function colourOfMove(a, b, i, other) {
    if (!other) return colours.shades[shadeOf(walk, i)];
    return other.makes(a, b) ? colours.shared : colours.differs;
  }
  // With halos, a later move passes over earlier ones: a thin line in the colour of the board is below it.
  function moves(context, from, to, other) {
    const runs = []; // successive moves of one colour
    const add = (a, b, i) => {
      const colour = colourOfMove(a, b, i, other);
      if (runs.at(-1)?.colour !== colour) runs.push({ colour, moves: [] });
      runs.at(-1).moves.push([a, b]);
    };
    eachMoveInView(walk.path, to, walk.stepOf, from, add);
    if (walk.hasReturned()) add(walk.path[walk.depth - 1], walk.path[0], walk.depth - 1);
    const halos = isDetailed() && !board.directed && drawing.cell >= 8;
    clipped(context, () => {
      for (const { colour, moves: run } of runs) {
        const parts = halos ? run.map((move) => [move]) : [run];
        for (const part of parts) {
          if (halos) halo(context, part[0]);
          context.strokeStyle = colour;
          context.lineWidth = width();
          trace(context, part);
          context.stroke();
        }
        if (!board.directed) continue;
        context.fillStyle = colour;
        for (const [a, b] of run) arrowHead(context, a, b, 0.3);
      }
    });
  }
  // Not at the ends, where moves meet.
  function halo(context, [a, b]) {
    context.strokeStyle = board.isGraph ? colours.background : colours.light;
    context.lineWidth = width() + Math.max(1, 0.5 * width());
    context.beginPath();
    for (const [x1, y1, x2, y2] of lines(board, a, b)) {
      const far = Math.hypot(x2 - x1, y2 - y1), part = Math.min(0.4, 0.3 / far);
      context.moveTo(px(x1 + part * (x2 - x1)), py(y1 + part * (y2 - y1)));
      context.lineTo(px(x2 - part * (x2 - x1)), py(y2 - part * (y2 - y1)));
    }
    context.stroke();
  }
  // Discs in the colours of the path, as in pictures; not under the knight.
  const nodeRadius = () => (board.isGraph ? vertexRadius() : NODE) * drawing.cell;
  const numberSize = () => Math.min(0.33 * drawing.cell, (1.75 * NODE * drawing.cell) / (0.58 * String(walk.depth).length), 20);
  const isNumbered = (show) => show.numbers && isDetailed() && numberSize() >= SMALLEST_NUMBER;
  function numbers(context) {
    const here = walk.knight(), radius = nodeRadius(), size = numberSize();
    const node = (n) => {
      const step = walk.stepOf[n];
      if (!step || (n === here && !board.isGraph)) return;
      const isStart = n === walk.path[0];
      disc(context, X(n), Y(n), Math.min(radius, 1.6 * size));
      context.fillStyle = isStart ? colours.start : colours.node;
      context.fill();
      context.strokeStyle = isStart ? colours.start : colours.shades[shadeOf(walk, step - 1)];
      context.lineWidth = Math.min(3, 0.045 * drawing.cell);
      context.stroke();
      text(context, String(step), X(n), Y(n), size, isStart ? ON_START : colours.ink, true);
    };
    clipped(context, () => eachCell(node));
  }

  // -- the three layers: each draws with the context of a canvas, or with the pen of a saved picture --------

  const layers = {
    base(context, show) {
      if (board.isGraph) graph(context, show);
      else squares(context);
      if (show.whole && isLined()) {
        clipped(context, () => {
          context.strokeStyle = `${colours.ink}2e`;
          context.lineWidth = Math.max(0.7, Math.min(4, 0.045 * drawing.cell));
          const all = [];
          eachMoveInView(walk.final, walk.final.length, walk.finalStep, 0, (a, b) => all.push([a, b]));
          if (walk.returns) all.push([walk.final.at(-1), walk.final[0]]);
          trace(context, all);
          context.stroke();
        });
      }
      if (board.isGraph) return;
      clipped(context, ([x0, y0, x1, y1]) => {
        context.strokeStyle = colours.frame;
        context.lineWidth = 2;
        context.beginPath();
        context.rect(x0, y0, x1 - x0, y1 - y0);
        context.stroke();
      });
      coordinates(context);
    },
    path(context, show, other, from = 0) {
      if (!isLined()) {
        const shade = colours.shades.map((colour) => stored(colour));
        const pale = colours.shades.map((colour) => stored(colour, show.whole ? 60 : 0));
        const [same, differs] = [stored(colours.shared), stored(colours.differs)];
        image(context, (n) => {
          const step = walk.stepOf[n];
          if (!step) return walk.finalStep[n] ? pale[shadeOf(walk, walk.finalStep[n] - 1)] : 0;
          if (!other) return shade[shadeOf(walk, step - 1)];
          return step === 1 || other.makes(walk.path[step - 2], n) ? same : differs;
        });
        return;
      }
      if (isDetailed()) tint(context);
      moves(context, from, walk.depth, other);
      if (isNumbered(show)) numbers(context);
    },
    marks(context, show) {
      const here = walk.knight(), next = walk.next();
      const legible = drawing.cell >= SMALLEST_TEXT;
      const free = show.candidates ? walk.candidates() : [];
      clipped(context, () => {
        const first = walk.depth > 0 ? walk.path[0] : -1;
        if (first >= 0 && first !== here && !isNumbered(show)) markStart(context, first);
        context.lineWidth = Math.max(1.5, Math.min(4, 0.05 * drawing.cell));
        for (const n of free) {
          const chosen = n === next;
          context.strokeStyle = chosen ? colours.chosen : colours.faint;
          context.setLineDash(chosen ? [] : [0.12, 0.14].map((part) => Math.max(2, part * drawing.cell)));
          if (board.isGraph) fromRim(context, here, n);
          else trace(context, [[here, n]]);
          context.stroke();
          context.setLineDash([]);
          disc(context, X(n), Y(n), Math.max(0.36 * drawing.cell, 2.5));
          context.fillStyle = `${colours.node}e8`;
          context.fill();
          context.stroke();
          if (board.isGraph && legible && !show.access) vertexName(context, n, chosen ? colours.chosen : colours.ink);
        }
        if (show.access && legible && isDetailed()) {
          eachCell((n) => {
            if (walk.stepOf[n] || n === walk.justLeft()) return;
            const near = free.includes(n);
            const colour = near ? (n === next ? colours.chosen : colours.ink) : colours.quiet;
            text(context, String(walk.access(n)), X(n), Y(n), Math.min(22, 0.4 * drawing.cell), colour, near);
          });
        }
        if (walk.justLeft() >= 0) crossOut(context, walk.justLeft());
      });
    },
  };
  // A line that leaves the number of its first vertex legible.
  function fromRim(context, a, b) {
    const far = Math.hypot(X(b) - X(a), Y(b) - Y(a)) || 1, part = Math.min(0.5, nodeRadius() / far);
    context.beginPath();
    context.moveTo(X(a) + part * (X(b) - X(a)), Y(a) + part * (Y(b) - Y(a)));
    context.lineTo(X(b), Y(b));
  }
  function crossOut(context, n) {
    const arm = Math.max(0.24 * drawing.cell, 4);
    context.strokeStyle = colours.chosen;
    context.lineWidth = Math.max(0.1 * drawing.cell, 2);
    context.beginPath();
    for (const lean of [1, -1]) {
      context.moveTo(X(n) - arm, Y(n) - arm * lean);
      context.lineTo(X(n) + arm, Y(n) + arm * lean);
    }
    context.stroke();
  }
  // A dot where there is no number.
  function markStart(context, n) {
    disc(context, X(n), Y(n), Math.max(0.16 * drawing.cell, 3));
    context.fillStyle = colours.start;
    context.fill();
  }

  drawing.board = (show) => {
    colours = palette(walk);
    drawn = null;
    layers.base(cleared(base), show);
  };
  drawing.path = (show, other) => {
    const extend = !isDetailed() && isLined() && drawn !== null && walk.depth >= drawn.depth && !walk.isTrace && !drawn.returned
      && drawn.other === other;
    layers.path(extend ? pen(trail) : cleared(trail), show, other, extend ? drawn.depth : 0);
    drawn = { depth: walk.depth, returned: walk.hasReturned(), other };
  };
  drawing.marks = (show) => layers.marks(cleared(top), show);

  // What is seen, as an SVG file.
  drawing.picture = (show, other, title, outlines) => {
    const context = makePen(drawing.width, drawing.height, title, describe(walk));
    context.fillStyle = colours.background;
    context.fillRect(0, 0, drawing.width, drawing.height);
    context.group("board", () => layers.base(context, show));
    context.group("path", () => layers.path(context, show, other));
    context.group("marks", () => layers.marks(context, show));
    const here = walk.knight();
    if (here >= 0 && isInPane(X(here), Y(here))) {
      context.group("knight", () => {
        if (board.isGraph) {
          disc(context, X(here), Y(here), 0.45 * pieceSide());
          context.strokeStyle = colours.chosen;
          context.lineWidth = 0.09 * pieceSide();
          context.stroke();
        } else context.outline(outlines, X(here), Y(here), pieceSide(), colours.ink, colours.background);
      });
    }
    return context.text();
  };

  drawing.centre = (n) => [X(n), Y(n)];
  drawing.cellAt = (x, y) => {
    if (!board.isGraph && !isInPane(x, y)) return -1;
    return board.cellAt((x - drawing.left) / drawing.cell, (y - drawing.top) / drawing.cell);
  };
  return drawing;
}

function describe(walk) {
  const here = walk.knight();
  const { board } = walk;
  if (board.isGraph) {
    const place = here < 0 ? "the walk is empty" : `the walk is at ${board.name(here)}`;
    return `${grouped(walk.depth)} of ${grouped(board.size)} vertices visited; ${place}.`;
  }
  const where = here < 0 ? "the board is empty" : `the knight stands on ${board.name(here)}`;
  return `${grouped(walk.depth)} of ${grouped(board.size)} cells visited; ${where}.`;
}

// A number with its thousands separated.
function grouped(number) {
  return number.toLocaleString("en-US");
}

// The current board as an SVG file, without styles of the page; the same state gives the same file.

function pictureOf(walk, title, other) {
  const { board } = walk;
  const colours = palette();
  const side = 40, margin = 24;
  const [w, h] = [board.wide * side, board.high * side].map((v) => Math.round(v));
  const escaped = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
  const squares = (parity) => {
    let path = "";
    for (let n = 0; n < board.size; n += 1) {
      const [r, c] = [board.row[n], board.column[n]];
      if ((r + c) % 2 === parity) path += `M${c * side} ${r * side}h${side}v${side}h-${side}z`;
    }
    return path;
  };
  const at = (n) => [board.x[n], board.y[n]].map((v) => Number((v * side).toFixed(2)));
  const graph = () => {
    let d = "";
    for (let i = 0; i < board.edges.length; i += 2) d += `M${at(board.edges[i]).join(" ")}L${at(board.edges[i + 1]).join(" ")}`;
    return [
      `<path fill="none" stroke="${colours.edge}" d="${d}"/>`,
      `<g fill="${colours.disc}" stroke="${colours.edge}">`,
      ...Array.from({ length: board.size }, (_, n) => `<circle cx="${at(n)[0]}" cy="${at(n)[1]}" r="${side * 0.3}"/>`),
      "</g>",
    ];
  };
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w + 2 * margin}" height="${h + 2 * margin}" `
      + `viewBox="${-margin} ${-margin} ${w + 2 * margin} ${h + 2 * margin}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(describe(walk))}</desc>`,
    `<clipPath id="board"><path d="M0 0h${w}v${h}h-${w}z"/></clipPath>`,
    ...(board.isGraph ? graph() : [
      `<path fill="${colours.light}" d="${squares(0)}"/>`,
      `<path fill="${colours.dark}" d="${squares(1)}"/>`,
    ]),
    `<g fill="none" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round" clip-path="url(#board)">`,
  ];
  const path = walk.path.subarray(0, walk.depth);
  let colour = null, d = "", pen = null;
  const flush = () => {
    if (d) out.push(`<path stroke="${colour}" d="${d}"/>`);
    d = "";
    pen = null;
  };
  eachMove(path, walk.hasReturned(), (a, b, i) => {
    const wanted = other
      ? (other.edges.has(edgeKey(board, a, b)) ? colours.shared : colours.differs)
      : colours.shades[shadeOf(walk, i + 1)];
    if (wanted !== colour) flush();
    colour = wanted;
    for (const [x1, y1, x2, y2] of lines(board, a, b)) {
      const [from, to] = [[x1, y1], [x2, y2]].map((point) => point.map((v) => Number((v * side).toFixed(2))).join(" "));
      d += from === pen ? `L${to}` : `M${from}L${to}`;
      pen = to;
    }
  });
  flush();
  out.push("</g>");
  if (board.size <= 2500 && !board.isGraph) {
    out.push(`<g fill="${colours.quiet}" font-family="sans-serif" font-size="13" text-anchor="middle">`);
    for (let c = 0; c < board.columns; c += 1) out.push(`<text x="${(c + 0.5) * side}" y="${h + 17}">${fileName(c)}</text>`);
    for (let r = 0; r < board.rows; r += 1) out.push(`<text x="-12" y="${(r + 0.5) * side + 5}">${board.rows - r}</text>`);
    out.push("</g>");
  }
  if (board.size <= 2500) {
    out.push(`<g fill="${colours.ink}" stroke="${colours.halo.slice(0, 7)}" stroke-width="3" paint-order="stroke" `
      + 'font-family="sans-serif" font-size="14" font-weight="700" text-anchor="middle">');
    path.forEach((n, i) => {
      out.push(`<text x="${at(n)[0]}" y="${at(n)[1] + 5}">${i + 1}</text>`);
    });
    out.push("</g>");
  }
  out.push("</svg>", "");
  return out.join("\n");
}

function describe(walk) {
  const here = walk.knight();
  const { board } = walk;
  if (board.isGraph) {
    const place = here < 0 ? "the walk is empty" : `the walk is at ${board.name(here)}`;
    return `${walk.depth} of ${board.size} vertices visited; ${place}.`;
  }
  const where = here < 0 ? "the board is empty" : `the knight stands on ${board.name(here)}`;
  return `${walk.depth} of ${board.size} cells visited; ${where}.`;
}

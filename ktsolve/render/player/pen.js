// A pen that writes SVG. It takes the calls that drawing.js makes to the context of a canvas, so that a saved picture is what is
// seen; the same calls give the same file.

function makePen(width, height, title, description) {
  const state = { fillStyle: "#000000", strokeStyle: "#000000", lineWidth: 1, globalAlpha: 1, font: "10px sans-serif", dash: [] };
  const out = [], saved = [];
  let d = "", clips = 0, open = 0;
  const number = (value) => String(Number(value.toFixed(2)));
  const point = (x, y) => `${number(x)} ${number(y)}`;
  // #rrggbb or #rrggbbaa as an attribute, with its opacity.
  const paint = (name, colour) => {
    const alpha = (colour.length === 9 ? parseInt(colour.slice(7), 16) / 255 : 1) * state.globalAlpha;
    return ` ${name}="${colour.slice(0, 7)}"${alpha < 1 ? ` ${name}-opacity="${number(alpha)}"` : ""}`;
  };
  const ends = ' stroke-linecap="round" stroke-linejoin="round"';
  const stroke = () => paint("stroke", state.strokeStyle) + ` stroke-width="${number(state.lineWidth)}"${ends}`
    + (state.dash.length ? ` stroke-dasharray="${state.dash.map(number).join(" ")}"` : "");

  const pen = {
    save() { saved.push([{ ...state }, open]); },
    restore() {
      const [before, groups] = saved.pop();
      for (; open > groups; open -= 1) out.push("</g>");
      Object.assign(state, before);
    },
    beginPath() { d = ""; },
    moveTo(x, y) { d += `M${point(x, y)}`; },
    lineTo(x, y) { d += `L${point(x, y)}`; },
    rect(x, y, w, h) { d += `M${point(x, y)}h${number(w)}v${number(h)}h${number(-w)}z`; },
    // Whole circles only.
    arc(x, y, r) { d += `M${point(x - r, y)}a${point(r, r)} 0 1 0 ${point(2 * r, 0)}a${point(r, r)} 0 1 0 ${point(-2 * r, 0)}z`; },
    roundRect(x, y, w, h, r) {
      const turn = (dx, dy) => `a${point(r, r)} 0 0 1 ${point(dx, dy)}`;
      d += `M${point(x + r, y)}h${number(w - 2 * r)}${turn(r, r)}v${number(h - 2 * r)}${turn(-r, r)}`
        + `h${number(2 * r - w)}${turn(-r, -r)}v${number(2 * r - h)}${turn(r, -r)}z`;
    },
    clip() {
      clips += 1;
      open += 1;
      out.push(`<clipPath id="clip-${clips}"><path d="${d}"/></clipPath>`, `<g clip-path="url(#clip-${clips})">`);
    },
    fill() { if (d) out.push(`<path${paint("fill", state.fillStyle)} d="${d}"/>`); },
    stroke() { if (d) out.push(`<path fill="none"${stroke()} d="${d}"/>`); },
    fillRect(x, y, w, h) {
      out.push(`<rect${paint("fill", state.fillStyle)} x="${number(x)}" y="${number(y)}" width="${number(w)}" height="${number(h)}"/>`);
    },
    fillText(content, x, y) {
      const [, bold, size] = /^(700 )?([\d.]+)px/.exec(state.font);
      out.push(`<text x="${number(x)}" y="${number(y + 0.29 * Number(size))}" font-family="system-ui, sans-serif" font-size="${number(Number(size))}"`
        + `${bold ? ' font-weight="700"' : ""} text-anchor="middle"${paint("fill", state.fillStyle)}>${escaped(content)}</text>`);
    },
    drawImage(canvas, x, y, w, h) {
      out.push(`<image href="${canvas.toDataURL()}" x="${number(x)}" y="${number(y)}" width="${number(w)}" height="${number(h)}" `
        + `preserveAspectRatio="none" image-rendering="${state.imageSmoothingEnabled ? "auto" : "pixelated"}"/>`);
    },
    setLineDash(dash) { state.dash = dash; },
    group(name, draw) {
      out.push(`<g id="${name}">`);
      draw();
      out.push("</g>");
    },
    // The piece at a place in pixels: its edge and its whole outline, both on a square of side 100.
    outline([edge, whole], x, y, side, fill, below) {
      out.push(`<g transform="translate(${point(x - side / 2, y - side / 2)}) scale(${Number((side / 100).toFixed(4))})">`,
        `<path d="${edge}" fill="${below}" stroke="${below}" stroke-width="5" stroke-linejoin="round"/>`, `<path d="${whole}" fill="${fill}"/>`, "</g>");
    },
    text: () => [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${number(width)}" height="${number(height)}" `
        + `viewBox="0 0 ${number(width)} ${number(height)}" role="img">`,
      `<title>${escaped(title)}</title>`, `<desc>${escaped(description)}</desc>`, ...out, "</svg>", "",
    ].join("\n"),
  };
  for (const name of ["fillStyle", "strokeStyle", "lineWidth", "globalAlpha", "font", "imageSmoothingEnabled"]) {
    Object.defineProperty(pen, name, { get: () => state[name], set: (value) => { state[name] = value; } });
  }
  return pen;
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
}

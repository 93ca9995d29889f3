// Wheel, pinch and drag on a board: magnify it and move the view. A click that ends a drag does not count as a click on a cell.

const LEAST_DRAG = 5; // pixels; a shorter way is a click

// The functions get pixels of the board: zoomBy(factor, x, y), panBy(dx, dy), pick(x, y). isZoomed() says whether there is anything
// to drag; wheelZooms() whether the wheel magnifies by itself, and not only with Ctrl.
function watchGestures(board, { zoomBy, panBy, pick, isZoomed, wheelZooms }) {
  const pointers = new Map();
  let moved = 0; // pixels since the first finger went down
  const at = ({ clientX, clientY }) => {
    const box = board.getBoundingClientRect();
    return [clientX - box.left, clientY - box.top];
  };

  board.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !wheelZooms()) return;
    if (!event.ctrlKey && event.deltaY > 0 && !isZoomed()) return; // the page scrolls
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1);
    zoomBy(Math.exp(-Math.max(-120, Math.min(120, pixels)) * (event.ctrlKey ? 0.01 : 0.002)), ...at(event));
  }, { passive: false });

  board.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    if (pointers.size === 0) moved = 0;
    pointers.set(event.pointerId, at(event));
  });
  board.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = at(event), others = [...pointers].filter(([id]) => id !== event.pointerId);
    pointers.set(event.pointerId, now);
    moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
    if (others.length === 1) {
      const [, other] = others[0];
      const far = (point) => Math.max(1, Math.hypot(point[0] - other[0], point[1] - other[1]));
      moved = Infinity;
      panBy((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
      zoomBy(far(now) / far(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    } else if (others.length === 0 && moved > LEAST_DRAG && isZoomed()) {
      if (!board.hasPointerCapture(event.pointerId)) board.setPointerCapture(event.pointerId);
      board.classList.add("dragged");
      panBy(now[0] - before[0], now[1] - before[1]);
    }
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    board.addEventListener(end, (event) => {
      if (end === "pointerleave" && board.hasPointerCapture(event.pointerId)) return;
      pointers.delete(event.pointerId);
      if (pointers.size === 0) board.classList.remove("dragged");
    });
  }
  // Two fingers, or one on a magnified board, do not move the page.
  for (const name of ["touchstart", "touchmove"]) {
    board.addEventListener(name, (event) => {
      if (event.cancelable && (event.touches.length > 1 || (name === "touchmove" && isZoomed()))) event.preventDefault();
    }, { passive: false });
  }
  board.addEventListener("click", (event) => {
    if (moved <= LEAST_DRAG) pick(...at(event));
  });
}

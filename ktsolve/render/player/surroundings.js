// The page around a frame: its theme, what it wants to be shown, and whether there is one.
//
// A frame with the origin of its page (srcdoc in a notebook, a file of the same site) reads the background behind itself. Any other
// asks by the message {ktsolve: "theme?"}; the page may send {ktsolve: {theme: "dark"}} then, and whenever its theme changes.
// With {ktsolve: {walk: 3}} the page chooses a walk, which is shown whole, and with {ktsolve: {play: true}} it starts the player.

const isEmbedded = window.parent !== window;

function watchSurroundings(changed, led) {
  let told = null;
  const preferred = matchMedia("(prefers-color-scheme: dark)");
  const frame = () => {
    try {
      return window.frameElement;
    } catch {
      return null;
    }
  };

  // The brightness, from 0 to 1, of a colour in any notation; null for a transparent one.
  function brightness(colour) {
    const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    pixel.fillStyle = colour;
    pixel.fillRect(0, 0, 1, 1);
    const [r, g, b, alpha] = pixel.getImageData(0, 0, 1, 1).data;
    return alpha < 128 ? null : (0.3 * r + 0.59 * g + 0.11 * b) / 255;
  }
  function behind() {
    for (let element = frame()?.parentElement; element; element = element.parentElement) {
      const found = brightness(element.ownerDocument.defaultView.getComputedStyle(element).backgroundColor);
      if (found !== null) return found < 0.5 ? "dark" : "light";
    }
    return null;
  }

  preferred.addEventListener("change", changed);
  if (isEmbedded) {
    addEventListener("message", ({ source, data }) => {
      if (source !== window.parent) return;
      const { theme, walk, play } = data?.ktsolve ?? {};
      if (theme === "light" || theme === "dark") {
        told = theme;
        changed();
      }
      if (walk !== undefined || play === true) led(walk, play);
    });
    const around = frame()?.ownerDocument;
    if (around) {
      // Some pages change their colours slowly.
      const again = () => { changed(); setTimeout(changed, 400); };
      const watcher = new around.defaultView.MutationObserver(again);
      for (const element of [around.documentElement, around.body]) watcher.observe(element, { attributes: true });
    } else window.parent.postMessage({ ktsolve: "theme?" }, "*");
  }
  return { theme: () => told ?? behind() ?? (preferred.matches ? "dark" : "light") };
}

// Frames of the player have the theme that the reader has chosen for the site.
{
  let printing = false;
  const theme = () => (document.body.dataset.mdColorScheme === "slate" && !printing ? "dark" : "light");
  const tell = (frame) => frame.postMessage({ ktsolve: { theme: theme() } }, "*");
  addEventListener("message", ({ data, source }) => {
    if (data?.ktsolve === "theme?") tell(source);
  });
  const tellAll = () => document.querySelectorAll("iframe.player").forEach((frame) => tell(frame.contentWindow));
  new MutationObserver(tellAll).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
  // Paper is light.
  addEventListener("beforeprint", () => { printing = true; tellAll(); });
  addEventListener("afterprint", () => { printing = false; tellAll(); });
}

// The start page: the studio takes the place of its picture once the page is there and the picture is seen. It has half a
// megabyte, and makes its tables only when a reader asks for another tour.
{
  const link = document.querySelector(".kt-studio");
  const load = () => {
    const frame = document.createElement("iframe");
    frame.className = "player kt-tours";
    frame.title = link.title;
    frame.allow = "fullscreen";
    frame.src = link.href;
    link.replaceWith(frame);
  };
  if (link) {
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      seen.disconnect();
      load();
    });
    addEventListener("load", () => seen.observe(link));
  }
}

// Search: an option is found as it is typed. The engine would take its hyphens for "without this word"; the index has
// other hyphens in options (tools/site/search.py).
{
  const QUERY = 2; // the kind of message with which the theme asks its worker
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message?.type === QUERY && typeof message.data === "string") {
      const data = message.data.replace(/(^|\s)--?(\w[\w-]*)/g, (_, before, name) => before + name.replaceAll("-", "\u2011"));
      message = { ...message, data };
    }
    return post.call(this, message, ...rest);
  };
}

// What the theme leaves out for readers without a mouse and without a screen.
document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
addEventListener("load", () => {
  // A table that goes on beside its frame is reached by the Tab key, keeps its first column, and has a shadow there.
  const update = (frame) => {
    const beyond = frame.scrollWidth - frame.clientWidth;
    const first = frame.querySelector("th")?.offsetWidth ?? 0;
    frame.tabIndex = beyond > 0 ? 0 : -1;
    frame.classList.toggle("kt-wide", beyond > 0 && first < frame.clientWidth / 2);
    frame.classList.toggle("kt-on", beyond - frame.scrollLeft > 1);
    frame.classList.toggle("kt-moved", frame.scrollLeft > 1);
  };
  const resized = new ResizeObserver((entries) => entries.forEach(({ target }) => update(target)));
  for (const frame of document.querySelectorAll(".md-typeset__scrollwrap")) {
    resized.observe(frame);
    frame.addEventListener("scroll", () => update(frame), { passive: true });
  }
});

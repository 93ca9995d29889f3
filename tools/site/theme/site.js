// Frames of the player have the theme that the reader has chosen for the site.
{
  const theme = () => (document.body.dataset.mdColorScheme === "slate" ? "dark" : "light");
  const tell = (frame) => frame.postMessage({ ktsolve: { theme: theme() } }, "*");
  addEventListener("message", ({ data, source }) => {
    if (data?.ktsolve === "theme?") tell(source);
  });
  new MutationObserver(() => {
    for (const frame of document.querySelectorAll("iframe.player")) tell(frame.contentWindow);
  }).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
}

// What the theme leaves out for readers without a mouse and without a screen.
document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
addEventListener("load", () => {
  const reachable = new ResizeObserver((entries) => {
    for (const { target } of entries) target.tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1;
  });
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap")) reachable.observe(table);
});

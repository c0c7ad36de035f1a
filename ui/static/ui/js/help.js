// "?" opens the chapter about this page in a window of its own, so that nothing typed here is lost.
const WRITES = "input, textarea, select, [contenteditable]";

document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest(WRITES) || document.querySelector("dialog[open]")) return;
  const link = document.querySelector("a[data-help]");
  if (!link) return;
  event.preventDefault();
  window.open(link.href, "touchstone-help");
});

// Ctrl+K (or Cmd+K) opens the search from everywhere; arrow keys walk through what was found, Enter goes there.
const dialog = document.getElementById("search-dialog");

function links() {
  return [...dialog.querySelectorAll("#search-found a")];
}

function open(event) {
  event.preventDefault();
  dialog.showModal();
  dialog.querySelector("input").select();
}

document.addEventListener("click", (event) => {
  if (dialog && event.target.closest("[data-search]") && !event.ctrlKey && !event.metaKey) open(event);
});

document.addEventListener("keydown", (event) => {
  if (!dialog || event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
  if (!document.querySelector("dialog[open]")) open(event);
});

dialog?.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const places = [dialog.querySelector("input"), ...links()];
  const at = Math.max(0, places.indexOf(document.activeElement));
  places[Math.min(places.length - 1, Math.max(0, at + step))].focus();
});

dialog?.querySelector("form").addEventListener("submit", (event) => {
  const first = links()[0];
  if (!first) return;
  event.preventDefault();
  first.click();
});

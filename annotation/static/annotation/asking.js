// Dialogs about the text on screen. Enter confirms (Ctrl+Enter in a field of several lines), Escape closes. They lie at the
// bottom, and the screen shrinks to the room above them, so that the text can be read while one writes about it.
const asked = new WeakMap();

export function ask(dialog, then) {
  if (!asked.has(dialog)) prepare(dialog);
  asked.set(dialog, then);
  dialog.showModal();
  makeRoom(dialog);
}

function prepare(dialog) {
  const form = dialog.querySelector("form");
  // Not when the dialog says that it was closed: the next key may be quicker than that.
  form.addEventListener("submit", () => asked.get(dialog)(form));
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  new ResizeObserver(() => makeRoom(dialog)).observe(dialog);
}

function makeRoom(dialog) {
  if (dialog.open) document.documentElement.style.setProperty("--dialog-height", `${dialog.offsetHeight}px`);
}

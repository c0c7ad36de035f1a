// A accepts, R asks for the reason (and rejects when there is one), E opens the editor, arrows go back and forth.

const PLAIN = (event) => !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;
const isTyping = (target) => target.closest("input, textarea, select, [contenteditable]") !== null;

function accept() {
  document.querySelector("#accept-form [data-key='a']")?.click();
}

function reject() {
  const reason = document.querySelector("#reason");
  if (!reason) return;
  if (reason.value.trim()) reason.form.requestSubmit();
  else reason.focus();
}

function edit() {
  const editing = document.querySelector("details.editing");
  if (!editing) return;
  editing.open = true;
  editing.querySelector("textarea").focus();
}

const go = (id) => () => document.getElementById(id)?.click();
const ACTIONS = { a: accept, r: reject, e: edit, ArrowLeft: go("before"), ArrowRight: go("after") };

document.addEventListener("keydown", (event) => {
  if (!PLAIN(event)) return;
  if (event.key === "Escape" && isTyping(event.target)) {
    event.target.blur();
    return;
  }
  if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
  const action = ACTIONS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

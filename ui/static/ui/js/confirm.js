// Asks before something irreversible: <form data-confirm="What will happen" data-confirm-action="Delete">, or hx-confirm.
function ask(question, action) {
  const dialog = document.getElementById("confirm-dialog");
  dialog.querySelector("[data-confirm-text]").textContent = question;
  dialog.querySelector("[data-confirm-yes]").textContent = action || dialog.dataset.defaultAction;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

const confirmed = new WeakSet();

// Live parts of a page are drawn anew while the question is open; the form that does the same is meant.
function drawnAnew(form) {
  return [...document.forms].find(
    (other) => other.action === form.action && other.dataset.confirm === form.dataset.confirm,
  );
}

document.addEventListener(
  "submit",
  async (event) => {
    const form = event.target;
    const question = event.submitter?.dataset.confirm ?? form.dataset.confirm;
    if (!question || confirmed.has(form)) {
      confirmed.delete(form);
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    const action =
      event.submitter?.dataset.confirmAction ?? form.dataset.confirmAction ?? event.submitter?.textContent.trim();
    if (!(await ask(question, action))) return;
    const current = form.isConnected ? form : drawnAnew(form);
    if (!current) return;
    confirmed.add(current);
    current.requestSubmit(current === form ? event.submitter : null);
  },
  { capture: true },
);

document.addEventListener("htmx:confirm", async (event) => {
  if (!event.detail.question) return;
  event.preventDefault();
  const action = event.detail.elt.dataset.confirmAction ?? event.detail.elt.textContent.trim();
  if (await ask(event.detail.question, action)) event.detail.issueRequest(true);
});

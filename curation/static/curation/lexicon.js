// The paradigm grid: a changed cell is saved when it is left, Enter also accepts what is suggested there; arrow keys move;
// blocks can be pasted.
import { csrfToken } from "../ui/js/csrf.js";
import { gettext } from "../ui/js/i18n.js";
import { showToast } from "../ui/js/toast.js";

const grid = document.querySelector("[data-lexicon]");
const underway = new Map(); // cells that are being saved, with their text

async function send(input, text, was) {
  const answer = await fetch(grid.dataset.url, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": csrfToken() },
    body: JSON.stringify({
      suite: grid.dataset.suite,
      language: grid.dataset.language,
      kind: grid.dataset.kind,
      perturbed: grid.dataset.perturbed === "yes",
      columns: grid.dataset.columns,
      extra: grid.dataset.extra ?? "",
      entry: input.dataset.entry,
      cell: input.dataset.cell,
      text,
      was,
    }),
  });
  const told = await answer.json().catch(() => ({}));
  // What another person wrote meanwhile counts as seen from now on: Escape takes it over, saving again replaces it.
  if (told.code === "cell_changed") input.defaultValue = told.fields.now;
  if (!answer.ok) throw new Error(told.title || gettext("The cell could not be saved. Try again."));
  return told;
}

async function save(input, accepts = false) {
  const cell = input.closest("td");
  if (input.value === input.defaultValue && !(accepts && cell.classList.contains("is-suggested"))) return;
  // Enter saves and moves on, and leaving the cell would save the same text again.
  if (underway.get(input) === input.value) return;
  underway.set(input, input.value);
  cell.classList.add("is-unsaved");
  try {
    const told = await send(
      input,
      input.value,
      cell.classList.contains("is-suggested") ? undefined : input.defaultValue,
    );
    input.value = input.defaultValue = told.text;
    if (cell.classList.contains("is-suggested")) input.ariaLabel = input.ariaLabel.replace(/, [^,]*$/, "");
    cell.classList.remove("is-unsaved", "is-suggested");
    cell.classList.toggle("is-missing", told.text === "");
  } catch (error) {
    showToast(error.message, "danger");
  } finally {
    underway.delete(input);
  }
}

function neighbour(input, rows, columns) {
  const cell = input.closest("td");
  let row = cell.parentElement;
  for (let step = Math.abs(rows); row && step > 0; step -= 1)
    row = rows > 0 ? row.nextElementSibling : row.previousElementSibling;
  return row?.cells[cell.cellIndex + columns]?.querySelector("input");
}

if (grid) {
  grid.addEventListener("change", (event) => save(event.target));
  grid.addEventListener("keydown", (event) => {
    const input = event.target;
    if (!input.matches(".paradigm__input")) return;
    const moves = { Enter: [1, 0], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
    if (event.key === "Escape") {
      input.value = input.defaultValue;
      return;
    }
    // Along the row from the ends of the text; in a right-to-left text the keys go the way they point.
    const isEmptyEdge = input.selectionStart === input.selectionEnd;
    const along = getComputedStyle(input).direction === "rtl" ? -1 : 1;
    if (event.key === "ArrowRight" && isEmptyEdge && input.selectionEnd === (along > 0 ? input.value.length : 0))
      moves.ArrowRight = [0, along];
    if (event.key === "ArrowLeft" && isEmptyEdge && input.selectionStart === (along > 0 ? 0 : input.value.length))
      moves.ArrowLeft = [0, -along];
    if (!(event.key in moves)) return;
    event.preventDefault();
    save(input, event.key === "Enter");
    neighbour(input, ...moves[event.key])?.focus();
  });
  grid.addEventListener("paste", async (event) => {
    const text = event.clipboardData.getData("text/plain");
    if (!event.target.matches(".paradigm__input:not([readonly])") || !/[\t\n]/.test(text.replace(/\r?\n$/, ""))) return;
    event.preventDefault();
    try {
      await send(event.target, text);
      window.location.reload();
    } catch (error) {
      showToast(error.message, "danger");
    }
  });
}

// The template editor: every key stroke shows what the texts would give, a moment later and from the server.
import { csrfToken } from "../ui/js/csrf.js";
import { gettext, interpolate, ngettext } from "../ui/js/i18n.js";
import { Colours } from "./editor_colours.js";
import { Completing } from "./editor_completing.js";

const PAUSE = 90; // milliseconds: quick enough to feel live, slow enough not to ask at every letter
const editor = document.querySelector("[data-editor]");
const form = document.getElementById("template-form");
const pane = document.querySelector(".preview");
const target = document.querySelector("[data-preview]");
const status = document.querySelector("[data-preview-status]");
const saveState = document.querySelector("[data-save-state]");
const known = JSON.parse(document.getElementById("completions-data").textContent);
const coloured = new Map();
let timer = 0;
let running = null;
let isChanged = false;

const texts = () => [...editor.querySelectorAll("textarea[name=variant_text]")];

function prepare(variant) {
  const text = variant.querySelector("textarea");
  coloured.set(text, new Colours(text, variant.querySelector("[data-colours]")));
  new Completing(text, variant.querySelector("[role=listbox]"), known);
}

async function refresh() {
  running?.abort();
  running = new AbortController();
  const asked = texts();
  const values = asked.map((text) => text.value);
  const body = new FormData();
  for (const name of ["suite", "language", "template"]) body.append(name, editor.dataset[name]);
  for (const name of ["defaults", "functionality", "label_gold"]) body.append(name, form.elements[name]?.value ?? "");
  for (const variant of editor.querySelectorAll("[data-variant]")) {
    body.append("variant_features", variant.querySelector("[name=variant_features]").value);
    body.append("variant_text", variant.querySelector("textarea").value);
  }
  try {
    const response = await fetch(editor.dataset.previewUrl, {
      method: "POST",
      body,
      signal: running.signal,
      headers: { "X-CSRFToken": csrfToken(), Accept: "application/json" },
    });
    if (!response.ok) throw new Error(String(response.status));
    const answer = await response.json();
    target.innerHTML = answer.html;
    for (const [place, text] of asked.entries()) coloured.get(text)?.show(answer.spans[place] ?? [], values[place]);
    status.textContent = interpolate(ngettext("%(count)s case", "%(count)s cases", answer.total), {
      count: answer.total.toLocaleString(document.documentElement.lang),
    });
    pane.removeAttribute("data-stale");
  } catch (error) {
    if (error.name !== "AbortError")
      status.textContent = gettext("The preview is not available right now. You can keep writing.");
  }
}

function later() {
  pane.setAttribute("data-stale", "");
  clearTimeout(timer);
  timer = setTimeout(refresh, PAUSE);
}

editor.addEventListener("input", (event) => {
  coloured.get(event.target)?.follow();
  isChanged = true;
  if (saveState) saveState.textContent = gettext("Not saved yet.");
  later();
});
form.addEventListener("submit", () => (isChanged = false));
window.addEventListener("beforeunload", (event) => {
  if (isChanged) event.preventDefault();
});

// Only a template of a mixed functionality has a gold label of its own.
const labelField = form.elements.label_gold;
function followFunctionality() {
  const isMixed = JSON.parse(labelField.dataset.mixed).includes(form.elements.functionality.value);
  labelField.closest(".field").hidden = !isMixed;
  if (!isMixed) labelField.value = "";
}
if (labelField) {
  followFunctionality();
  form.elements.functionality.addEventListener("change", followFunctionality);
  for (const field of [form.elements.functionality, labelField]) field.addEventListener("change", later);
}

// Another text for words with other features, e.g. one for each gender.
function renumber() {
  const variants = [...editor.querySelectorAll("[data-variant]")];
  variants.forEach((variant, place) => {
    const number = place + 1;
    variant.querySelector("legend").textContent = interpolate(gettext("Text %(number)s"), { number });
    variant.querySelector("label").htmlFor = variant.querySelector("[name=variant_features]").id = `features-${number}`;
    variant.querySelector("textarea").id = `text-${number}`;
    variant.querySelector("textarea").ariaLabel = interpolate(gettext("Text %(number)s of the template"), {
      number,
    });
    variant.querySelector("[role=listbox]").id = `completions-${number}`;
    variant.querySelector("textarea").setAttribute("aria-controls", `completions-${number}`);
    variant.querySelector("[data-variant-remove]").ariaLabel = interpolate(gettext("Remove text %(number)s"), {
      number,
    });
    variant.querySelector("[data-variant-head]").hidden =
      variants.length === 1 && !variant.querySelector("[name=variant_features]").value;
  });
}

editor.querySelector("[data-variant-add]")?.addEventListener("click", () => {
  const last = [...editor.querySelectorAll("[data-variant]")].at(-1);
  const variant = last.cloneNode(true);
  variant.querySelector("[name=variant_features]").value = "";
  variant.querySelector("[data-colours]").replaceChildren();
  last.after(variant);
  variant.querySelector("textarea").value = last.querySelector("textarea").value;
  prepare(variant);
  renumber();
  for (const head of editor.querySelectorAll("[data-variant-head]")) head.hidden = false;
  variant.querySelector("[name=variant_features]").focus();
  later();
});
editor.addEventListener("click", (event) => {
  const button = event.target.closest("[data-variant-remove]");
  if (!button) return;
  const variants = editor.querySelectorAll("[data-variant]");
  if (variants.length === 1) variants[0].querySelector("[name=variant_features]").value = "";
  else button.closest("[data-variant]").remove();
  renumber();
  isChanged = true;
  later();
});

// A finding leads to its character; one that knows the correction makes it.
document.addEventListener("click", (event) => {
  const { goto: place, typed, replacement } = event.target.closest("[data-goto]")?.dataset ?? {};
  if (!place) return;
  const [variant, position] = place.split(":").map(Number);
  const text = texts()[variant];
  const before = [...text.value].slice(0, position - 1).join("").length;
  text.focus();
  if (replacement && text.value.startsWith(typed, before)) {
    text.setRangeText(replacement, before, before + typed.length, "end");
    text.dispatchEvent(new Event("input", { bubbles: true }));
    return;
  }
  text.setSelectionRange(before, Math.min(before + 1, text.value.length));
});

document.addEventListener("click", (event) => {
  const draft = event.target.closest("[data-use-draft]")?.dataset.useDraft;
  if (draft === undefined) return;
  const text = texts()[0];
  text.value = draft;
  text.dispatchEvent(new Event("input", { bubbles: true }));
  text.focus();
});

// Keys of the adapt view; the buttons and links say which.
document.addEventListener("keydown", (event) => {
  const name = `${event.ctrlKey || event.metaKey ? "Control+" : ""}${event.altKey ? "Alt+" : ""}${event.key}`;
  const control = document.querySelector(`[data-hotkey="${CSS.escape(name)}"]`);
  if (!control || !(event.ctrlKey || event.altKey || event.metaKey)) return;
  event.preventDefault();
  control.click();
});

editor.querySelectorAll("[data-variant]").forEach(prepare);
const first = JSON.parse(document.getElementById("spans-data").textContent);
for (const [place, text] of texts().entries()) coloured.get(text).show(first[place] ?? [], text.value);

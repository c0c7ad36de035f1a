// Completes what stands in a placeholder: kinds after "[", features after ":" and ",", perturbations after "|".
const OPEN = /\[([^[\]\n]*)$/;

export function suggestionsFor(before, known) {
  const inside = OPEN.exec(before)?.[1];
  if (inside === undefined) return null;
  const bar = inside.indexOf("|");
  const colon = inside.indexOf(":");
  if (bar >= 0) return pick(inside.slice(bar + 1), known.perturbations, "]");
  if (colon < 0) return pick(inside, Object.keys(known.kinds), "");
  const kind = inside.slice(0, colon).split("#")[0].trim();
  const parts = inside.slice(colon + 1).split(",");
  const typed = parts.pop().trim();
  const used = new Set(parts.map((part) => part.split("=")[0].trim()));
  const features = known.kinds[kind] ?? Object.values(known.kinds)[0] ?? [];
  return pick(
    typed,
    features.filter((feature) => !used.has(feature.split("=")[0])),
    "",
  );
}

function pick(typed, words, ending) {
  const small = typed.toLowerCase();
  const fits = words.filter((word) => word.toLowerCase().includes(small) && word !== typed);
  fits.sort((one, two) => two.toLowerCase().startsWith(small) - one.toLowerCase().startsWith(small));
  return fits.length ? { typed, fits: fits.slice(0, 24), ending } : null;
}

export class Completing {
  constructor(text, list, known) {
    Object.assign(this, { text, list, known, found: null, chosen: 0 });
    text.setAttribute("aria-autocomplete", "list");
    text.setAttribute("aria-controls", list.id);
    text.addEventListener("input", () => this.update());
    text.addEventListener("click", () => this.update());
    text.addEventListener("blur", () => setTimeout(() => this.close(), 150));
    text.addEventListener("keydown", (event) => this.onKey(event));
    list.addEventListener("mousedown", (event) => {
      const option = event.target.closest("[role=option]");
      if (!option) return;
      event.preventDefault();
      this.take([...list.children].indexOf(option));
    });
  }

  update() {
    const { selectionStart, selectionEnd, value, readOnly } = this.text;
    const isPlain = selectionStart === selectionEnd && !readOnly;
    this.found = isPlain ? suggestionsFor(value.slice(0, selectionStart), this.known) : null;
    this.chosen = 0;
    this.draw();
  }

  draw() {
    this.list.replaceChildren();
    this.list.hidden = !this.found;
    this.text.removeAttribute("aria-activedescendant");
    if (!this.found) return;
    this.found.fits.forEach((word, place) => {
      const option = document.createElement("div");
      option.className = "completion";
      option.role = "option";
      option.id = `${this.list.id}-${place}`;
      option.ariaSelected = String(place === this.chosen);
      option.textContent = word;
      this.list.append(option);
    });
    this.text.setAttribute("aria-activedescendant", `${this.list.id}-${this.chosen}`);
    this.list.children[this.chosen].scrollIntoView({ block: "nearest" });
  }

  onKey(event) {
    if (!this.found || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    const count = this.found.fits.length;
    if (event.key === "ArrowDown") this.chosen = (this.chosen + 1) % count;
    else if (event.key === "ArrowUp") this.chosen = (this.chosen + count - 1) % count;
    else if (event.key === "Enter" || event.key === "Tab") {
      if (event.shiftKey) return undefined;
      event.preventDefault();
      return this.take(this.chosen);
    } else if (event.key === "Escape") return this.close();
    else return undefined;
    event.preventDefault();
    return this.draw();
  }

  take(place) {
    const { typed, fits, ending } = this.found;
    const end = this.text.selectionStart;
    const closing = ending && this.text.value[end] !== ending ? ending : "";
    this.text.setRangeText(fits[place] + closing, end - typed.length, end, "end");
    this.close();
    this.text.dispatchEvent(new Event("input", { bubbles: true }));
  }

  close() {
    this.found = null;
    this.draw();
  }
}

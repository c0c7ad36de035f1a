import { gettext } from "../ui/js/i18n.js";

// Notes from the managers above the text, until they are read; the browser remembers which ones were.
export class Notes {
  constructor({ place, pattern, name }) {
    Object.assign(this, { place, pattern, key: `touchstone-notes:${name}` });
    this.read = new Set();
    try {
      this.read = new Set(JSON.parse(localStorage.getItem(this.key) ?? "[]"));
    } catch {
      // Where storage is forbidden or spoilt, notes come again.
    }
  }

  // One at a time, the newest first: on a phone several would push the text away.
  show(notes) {
    this.notes = notes;
    const next = notes.find((note) => !this.read.has(note.sent_at));
    if (next?.sent_at === this.shown) return;
    this.shown = next?.sent_at;
    this.place.replaceChildren(...(next ? [this.noticeOf(next)] : []));
  }

  noticeOf(note) {
    const notice = this.pattern.content.firstElementChild.cloneNode(true);
    notice.querySelector("p").textContent = note.text;
    const done = document.createElement("button");
    Object.assign(done, { type: "button", className: "button button--small", textContent: gettext("Got it") });
    done.addEventListener("click", () => this.dismiss(note));
    notice.append(done);
    return notice;
  }

  dismiss(note) {
    this.read.add(note.sent_at);
    this.show(this.notes);
    try {
      localStorage.setItem(this.key, JSON.stringify([...this.read]));
    } catch {
      // It is gone from this page at least.
    }
  }
}

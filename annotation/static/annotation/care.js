// Looks after the person: covers the text at the start and after a pause, offers breaks by time and after many hateful
// texts in a row. It knows only the person's own answers.
import { gettext, interpolate, ngettext } from "../ui/js/i18n.js";

const IDLE = 45000;
const STREAK = 12;

export class Care {
  constructor({ text, uncover, dialog, dialogText, breakAfter, coversEach, hateful, onUncover }) {
    Object.assign(this, { text, uncover, dialog, dialogText, breakAfter, coversEach, hateful, onUncover });
    this.streak = 0;
    this.restedAt = Date.now();
    this.due = "";
    this.covered = false;
    this.uncover.addEventListener("click", () => this.show());
    this.text.addEventListener("click", () => this.covered && this.show());
    for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, () => this.touch(), { capture: true });
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.cover());
    this.dialog.addEventListener("close", () => {
      this.restedAt = Date.now();
      if (this.dialog.returnValue === "rest") this.cover(gettext("Show the text when you are back"));
    });
    this.touch();
  }

  touch() {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.cover(), IDLE);
  }

  cover(says = gettext("Show the text")) {
    this.covered = true;
    this.text.classList.add("is-covered");
    this.text.setAttribute("aria-hidden", "true");
    this.uncover.lastChild.textContent = ` ${says}`;
    this.uncover.hidden = false;
  }

  show() {
    this.covered = false;
    this.text.classList.remove("is-covered");
    this.text.removeAttribute("aria-hidden");
    this.uncover.hidden = true;
    this.touch();
    this.onUncover();
  }

  // A break that is due is offered with the next text: no one needs one from a list that is done.
  next() {
    if (this.coversEach) this.cover();
    if (this.due) this.offer(this.due);
    this.due = "";
  }

  answered(label) {
    this.streak = this.hateful.includes(label) ? this.streak + 1 : 0;
    const minutes = Math.round((Date.now() - this.restedAt) / 60000);
    if (this.breakAfter && Date.now() - this.restedAt >= this.breakAfter * 1000) {
      this.due = interpolate(
        ngettext(
          "You have been reading for %(minutes)s minute. A few minutes away from the screen can help.",
          "You have been reading for %(minutes)s minutes. A few minutes away from the screen can help.",
          minutes,
        ),
        { minutes },
      );
    } else if (this.streak >= STREAK) {
      this.streak = 0;
      this.due = gettext(
        "You have just read many hateful texts in a row. That happens by chance and is tiring. Would you like a break?",
      );
    }
  }

  offer(why) {
    if (this.dialog.open) return;
    this.dialogText.textContent = why;
    this.dialog.returnValue = "";
    this.dialog.showModal();
  }
}

// Sends what is in the outbox and brings the next texts: one request at a time, everything that waits in one go, again and
// again until the server has said what became of each answer.
import { gettext, interpolate } from "../ui/js/i18n.js";

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30000;
const PATIENCE = 15000;
const AT_ONCE = 100;

// A comment cut in the middle of an emoji ends in half a character, which the server cannot store.
const wellFormed = (_name, value) => (typeof value === "string" ? (value.toWellFormed?.() ?? value) : value);

export class Sender {
  constructor({ url, token, who, outbox, have, want, onAnswer, onTrouble }) {
    Object.assign(this, { url, token, who, outbox, have, want, onAnswer, onTrouble });
    this.busy = false;
    this.again = false;
    this.wait = FIRST_WAIT;
    this.timer = null;
    this.lastAnswer = Date.now();
    addEventListener("online", () => this.send());
    addEventListener("pagehide", () => this.flush());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.flush();
    });
  }

  // Resolves once everything that waits was answered, or a try has failed.
  send() {
    if (this.busy) this.again = true;
    else this.running = this.exchange();
    return this.running;
  }

  async exchange() {
    clearTimeout(this.timer);
    this.busy = true;
    this.again = false;
    const events = this.outbox.all().slice(0, AT_ONCE);
    try {
      const answer = await this.post(events, AbortSignal.timeout(PATIENCE));
      this.outbox.remove(answer.receipts.map((receipt) => receipt.client_id));
      this.wait = FIRST_WAIT;
      this.lastAnswer = Date.now();
      this.onAnswer(answer, events);
    } catch (error) {
      this.onTrouble(error);
      if (!error.isFinal) {
        this.timer = setTimeout(() => this.send(), this.wait);
        this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
      }
      return;
    } finally {
      this.busy = false;
    }
    if (this.again || this.outbox.size) return this.send();
  }

  async post(events, signal) {
    const response = await fetch(this.url, { method: "POST", signal, ...this.request(events) });
    if (response.ok) return response.json();
    const problem = await response.json().catch(() => ({}));
    const error = new Error(reasonOf(problem, response.status));
    // What the server understands and refuses will be refused again; only its own trouble is worth another try.
    error.isFinal = response.status >= 400 && response.status < 500 && ![408, 425, 429].includes(response.status);
    throw error;
  }

  request(events) {
    return {
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json",
        "Accept-Language": document.documentElement.lang, // the campaign's, where the person chose none
        "X-CSRFToken": this.token,
      },
      body: JSON.stringify({ who: this.who, events, have: this.have(), want: this.want }, wellFormed),
    };
  }

  // The page may be gone before an answer comes: the request goes on without it, and the outbox keeps the answers.
  flush() {
    const events = this.outbox.all().slice(0, AT_ONCE);
    if (events.length) fetch(this.url, { method: "POST", keepalive: true, ...this.request(events) }).catch(() => {});
  }
}

// A page that another person's sign-in has overtaken has an old token, and what the server says of it helps no one.
function reasonOf({ title }, status) {
  if (title?.startsWith("CSRF")) return gettext("Someone else signed in on this browser. Sign in again.");
  return title ?? interpolate(gettext("The server answered with an error (%(status)s)."), { status });
}

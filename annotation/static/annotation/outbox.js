// Answers on their way. Each one is a row of its own in localStorage before the screen moves on, so neither a lost
// connection nor a closed tab nor a second tab can lose one; the server takes each only once.
export class Outbox {
  constructor(name) {
    this.prefix = `touchstone-outbox:${name}:`;
    this.counter = 0;
    this.memory = new Map(); // where storage is full or forbidden, at least this tab remembers
  }

  add(event) {
    this.counter += 1;
    const place = `${Date.now().toString().padStart(14, "0")}-${this.counter.toString().padStart(6, "0")}`;
    const key = `${this.prefix}${place}-${event.client_id}`;
    try {
      localStorage.setItem(key, JSON.stringify(event));
    } catch {
      this.memory.set(key, event);
    }
  }

  all() {
    const rows = [...this.memory];
    for (let index = 0; index < localStorage.length; index += 1) {
      const key = localStorage.key(index);
      if (!key.startsWith(this.prefix)) continue;
      try {
        rows.push([key, JSON.parse(localStorage.getItem(key))]);
      } catch {
        localStorage.removeItem(key); // not ours to send: somebody wrote over it
      }
    }
    return rows.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, event]) => event);
  }

  get size() {
    return this.all().length;
  }

  remove(clientIds) {
    const gone = new Set(clientIds);
    for (const key of [...this.memory.keys()]) if (gone.has(this.memory.get(key).client_id)) this.memory.delete(key);
    const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index));
    for (const key of keys) {
      if (key.startsWith(this.prefix) && gone.has(JSON.parse(localStorage.getItem(key)).client_id))
        localStorage.removeItem(key);
    }
  }
}

export function newClientId() {
  return crypto.randomUUID?.() ?? `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
}

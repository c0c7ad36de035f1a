// Comments and flags of texts that have no answer yet. They are kept in the browser, so that they are there again when the
// text comes back: after an undo, after a skip, after the page was loaded again.
const KEPT_FOR = 7 * 24 * 3600 * 1000;

// The part of an answer that is a draft until the label is given; of nothing it is an empty one.
export function draftOf({ comment = "", is_unrealistic = false, unrealistic_because = "" }) {
  return { comment, is_unrealistic, unrealistic_because };
}

export class Drafts {
  constructor(name) {
    this.prefix = `touchstone-draft:${name}:`;
    this.memory = new Map(); // where storage is full or forbidden, at least this tab remembers
    this.removeOld();
  }

  of(assignment) {
    const kept = this.memory.get(assignment) ?? this.read(this.prefix + assignment);
    return draftOf(kept ?? {});
  }

  keep(assignment, draft) {
    this.drop(assignment);
    if (!draft.comment && !draft.is_unrealistic) return;
    try {
      localStorage.setItem(this.prefix + assignment, JSON.stringify({ ...draft, at: Date.now() }));
    } catch {
      this.memory.set(assignment, draft);
    }
  }

  drop(assignment) {
    this.memory.delete(assignment);
    try {
      localStorage.removeItem(this.prefix + assignment);
    } catch {
      // Where storage is forbidden nothing was kept in it.
    }
  }

  read(key) {
    try {
      return JSON.parse(localStorage.getItem(key));
    } catch {
      return null; // another script wrote over it
    }
  }

  removeOld() {
    try {
      const keys = Object.keys(localStorage).filter((key) => key.startsWith(this.prefix));
      for (const key of keys) if (!(this.read(key)?.at > Date.now() - KEPT_FOR)) localStorage.removeItem(key);
    } catch {
      // Where storage is forbidden nothing was kept in it.
    }
  }
}

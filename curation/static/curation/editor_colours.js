// The colours behind a text: spans from the server, moved along while the next answer is on its way.
export class Colours {
  constructor(text, backdrop) {
    this.text = text;
    this.backdrop = backdrop;
    this.spans = [];
    this.value = text.value;
    this.draw();
  }

  // Spans count characters as readers do; the browser counts surrogates twice.
  show(spans, value) {
    if (value !== this.text.value) return;
    const places = [0];
    for (const character of value) places.push(places.at(-1) + character.length);
    this.spans = spans.map(([start, end, role]) => [places[start], places[end], role]);
    this.value = value;
    this.draw();
  }

  follow() {
    const before = this.value;
    const after = this.text.value;
    let same = 0;
    while (same < Math.min(before.length, after.length) && before[same] === after[same]) same += 1;
    const grown = after.length - before.length;
    const moved = (place) => (place <= same ? place : Math.max(same, place + grown));
    this.spans = this.spans.map(([start, end, role]) => [moved(start), moved(end), role]);
    this.value = after;
    this.draw();
  }

  draw() {
    const pieces = [];
    let place = 0;
    for (const [start, end, role] of this.spans) {
      if (start > place) pieces.push(this.value.slice(place, start));
      if (end > Math.max(start, place)) {
        const mark = document.createElement("span");
        mark.className = role === "text" ? "" : `mark mark--${role}`;
        mark.textContent = this.value.slice(Math.max(start, place), end);
        pieces.push(mark);
        place = end;
      }
    }
    pieces.push(this.value.slice(place), "\n"); // the last line break would otherwise have no height
    this.backdrop.replaceChildren(...pieces);
  }
}

// What the screen says beside the text: one message per cause. It goes with its cause, or after a while where the cause is
// something that has happened once. A message that was dismissed does not come again while its cause lasts.
import { showToast } from "../ui/js/toast.js";

export const A_MOMENT = 8000;
export const A_WHILE = 20000;
const said = new Map();

export function say(cause, message, { tone = "warning", lasts = 0 } = {}) {
  const before = said.get(cause);
  if (before && !lasts && (before.message === message || !before.element.isConnected)) return;
  takeBack(cause);
  const timer = lasts ? setTimeout(() => takeBack(cause), lasts) : null;
  said.set(cause, { message, timer, element: showToast(message, tone) });
}

export function takeBack(cause) {
  const before = said.get(cause);
  if (!before) return;
  clearTimeout(before.timer);
  before.element.remove();
  said.delete(cause);
}

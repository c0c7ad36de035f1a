// The labelling screen. Texts are leased ahead, an answer is kept in the browser and the next text shown at once; the
// sender brings answers to the server in its own time.
import { csrfToken } from "../ui/js/csrf.js";
import { showToast } from "../ui/js/toast.js";
import { Care } from "./care.js";
import { Notes } from "./notes.js";
import { newClientId, Outbox } from "./outbox.js";
import { Sender } from "./sender.js";

const config = JSON.parse(document.getElementById("labelling-config").textContent);
const UNDO_REACHES = 10;
const LEASE_WARNING = Math.min(300, config.leaseSeconds / 3);
const AGAIN = 700;
const LOOK_FOR_NOTES = 120000;
const DOUBLE_CLICK = 250;
const KEPT = "Your answers are kept in this browser.";
const ENDS = {
  finished: ["Thank you, that was all", "There is no text left for you at the moment."],
  daily_limit: ["Enough for today", "You have reached the limit you set for yourself. Come back tomorrow."],
  paused: ["Paused", "No texts are handed out at the moment. Everything you did is kept."],
  ended: ["Thank you", "Your work here has ended. Everything you did is kept."],
  closed: ["This campaign is closed", "Thank you for your work. Everything you did is kept."],
};

const at = (id) => document.getElementById(id);
const outbox = new Outbox(`${config.campaign}:${config.who}`);
const notes = new Notes({ place: at("notes"), pattern: at("note"), name: `${config.campaign}:${config.who}` });
const actions = { undo, skip, flag, comment, guidelines: toggleGuidelines };
const queue = [];
const history = [];
let current = null;
let shownAt = 0;
let draft = emptyDraft();
let progress = { ...config.progress };
let spent = { texts: 0, milliseconds: 0 };
let stop = "";
let reason = "";

const care = new Care({
  text: at("text"),
  uncover: at("uncover"),
  dialog: at("break-dialog"),
  dialogText: at("break-text"),
  breakAfter: config.breakAfterSeconds,
  coversEach: config.coversText,
  hateful: config.hateful,
  onUncover: () => (shownAt = performance.now()),
});

const sender = config.isPreview
  ? { send() {}, lastAnswer: Date.now() }
  : new Sender({
      url: config.exchangeUrl,
      token: csrfToken(),
      who: config.who,
      outbox,
      want: config.batch,
      have: () => [current, ...queue].filter(Boolean).map((text) => text.assignment),
      onAnswer: takeAnswer,
      onTrouble: showTrouble,
    });

function emptyDraft() {
  return { comment: "", is_unrealistic: false, unrealistic_because: "" };
}

// --- texts come and go -------------------------------------------------------------------------------------------

// What was answered since the request left is still in the outbox, and must not come back to the screen.
function takeTexts(texts) {
  const here = new Set([...outbox.all(), current, ...queue].filter(Boolean).map((one) => one.assignment));
  for (const text of texts) if (!here.has(text.assignment)) queue.push(text);
}

function takeAnswer(answer, events) {
  for (const receipt of answer.receipts) {
    if (receipt.status === "stored") continue;
    const event = events.find((one) => one.client_id === receipt.client_id);
    const isUndo = event?.kind === "undo";
    showToast(`One answer could not be ${isUndo ? "taken back" : "kept"}: ${receipt.reason}`, "warning");
    if (isUndo) forget(event.assignment);
    if (isUndo) progress.done += 1;
    else if (event?.kind === "label") progress.done -= 1;
  }
  at("trouble").hidden = true;
  answer.gone.forEach(forget);
  takeTexts(answer.texts);
  stop = answer.stop;
  reason = answer.message;
  if (reason && !stop) showToast(reason, "warning");
  if (!current) showNext();
  showProgress();
}

function forget(assignment) {
  const place = queue.findIndex((text) => text.assignment === assignment);
  if (place >= 0) queue.splice(place, 1);
  if (current?.assignment === assignment) {
    current = null;
    showNext();
  }
}

function showNext() {
  current = queue.shift() ?? null;
  draft = emptyDraft();
  showCurrent();
}

function showCurrent() {
  const isEnd = !current && (stop !== "" || config.isPreview);
  at("work").hidden = !current;
  at("controls").hidden = isEnd;
  at("end").hidden = !isEnd;
  at("waiting").hidden = Boolean(current) || isEnd;
  if (isEnd) return showEnd();
  if (!current) return setTimeout(() => current || sender.send(), AGAIN);
  const text = at("text");
  text.textContent = current.text;
  text.lang = current.language;
  at("statement").hidden = !current.statement;
  at("statement").textContent = current.statement;
  at("main").scrollTop = 0;
  shownAt = performance.now();
  care.next();
  showMarks();
}

function showEnd() {
  const [title, text] = ENDS[stop] ?? ENDS.finished;
  at("end-title").textContent = config.isPreview ? "That was the preview" : title;
  const said = reason ? `${reason.replace(/\.$/, "")}. ${text}` : text;
  at("end-text").textContent = outbox.size ? `${said} Some answers are still on their way; please wait.` : said;
  at("end-link").href = config.doneUrl;
  at("end-link").textContent = config.hasCode && ["finished", "closed"].includes(stop) ? "Get your completion code" : "Go on";
  at("end-undo").hidden = !history.length || !["finished", "daily_limit"].includes(stop);
}

// --- what people do ----------------------------------------------------------------------------------------------

function record(kind, facts) {
  outbox.add({ client_id: newClientId(), assignment: current.assignment, kind, ...facts });
}

function answer(label) {
  if (!current) return;
  const milliseconds = Math.min(Math.round(performance.now() - shownAt), 3600000);
  remember({ text: current, label });
  if (!config.isPreview) record("label", { label, milliseconds, ...draft });
  spent = { texts: spent.texts + 1, milliseconds: spent.milliseconds + Math.min(milliseconds, 60000) };
  progress.done += 1;
  progress.today += 1;
  care.answered(label);
  showNext();
  showProgress();
  sender.send();
}

function skip() {
  if (!current) return;
  remember({ text: current, label: null });
  if (!config.isPreview) record("skip", {});
  showNext();
  showProgress();
  sender.send();
}

function undo() {
  const last = history.pop();
  if (!last) return showToast("There is nothing to take back.");
  if (current) queue.unshift(current);
  current = last.text;
  draft = emptyDraft();
  if (!config.isPreview) record("undo", {});
  if (last.label !== null) progress.done -= 1;
  showCurrent();
  showProgress();
  sender.send();
}

function remember(entry) {
  history.push(entry);
  if (history.length > UNDO_REACHES) history.shift();
}

function flag() {
  if (!current) return;
  if (draft.is_unrealistic) {
    Object.assign(draft, { is_unrealistic: false, unrealistic_because: "" });
    return showMarks();
  }
  const dialog = at("flag-dialog");
  const form = dialog.querySelector("form");
  form.reset();
  ask(dialog, "flag", () => {
    const more = form.elements.more.value.trim();
    const because = [form.elements.reason.value, more].filter(Boolean).join(": ").slice(0, 300);
    Object.assign(draft, { is_unrealistic: true, unrealistic_because: because });
    showMarks();
  });
}

function comment() {
  if (!current) return;
  at("comment-text").value = draft.comment;
  ask(at("comment-dialog"), "keep", () => {
    draft.comment = at("comment-text").value.trim();
    showMarks();
  });
}

function ask(dialog, yes, then) {
  dialog.returnValue = "";
  dialog.showModal();
  dialog.addEventListener("close", () => dialog.returnValue === yes && then(), { once: true });
}

function toggleGuidelines() {
  const pane = at("guidelines");
  pane.hidden = !pane.hidden;
  at("guidelines-button").setAttribute("aria-expanded", String(!pane.hidden));
  (pane.hidden ? at("main") : pane).focus();
}

// --- what the page says ------------------------------------------------------------------------------------------

function showMarks() {
  const marks = [draft.is_unrealistic ? `Flagged: ${draft.unrealistic_because}` : "", draft.comment ? `Comment: ${draft.comment}` : ""];
  at("marks").textContent = marks.filter(Boolean).join(" · ");
  at("marks").hidden = !marks.some(Boolean);
  document.querySelector('[data-action="flag"]').setAttribute("aria-pressed", String(draft.is_unrealistic));
}

function showProgress() {
  const { done, total } = progress;
  at("progress").max = Math.max(total, 1);
  at("progress").value = done;
  at("count").textContent = `${done.toLocaleString()} of ${total.toLocaleString()}`;
  const pace = spent.texts >= 5 ? spent.milliseconds / spent.texts / 1000 : config.secondsPerCase;
  at("left").textContent = total > done ? `about ${spanOf((total - done) * pace)} left` : "";
  const unsent = outbox.size;
  at("unsent").hidden = unsent === 0 || sender.wait === 1000;
  at("unsent").textContent = `${unsent} unsent`;
  if (!at("end").hidden) showEnd();
}

function spanOf(seconds) {
  const minutes = Math.max(Math.round(seconds / 60), 1);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

// One notice that stays until the server answers again: a message per try would pile up over the text.
function showTrouble(error) {
  showProgress();
  at("unsent").hidden = outbox.size === 0;
  if (error.isFinal) at("trouble-text").textContent = `${error.message} ${KEPT}`;
  else if (!current) at("trouble-text").textContent = `There is no connection. ${KEPT} The next text comes when it is back.`;
  at("trouble").hidden = !error.isFinal && Boolean(current);
  at("trouble-reload").hidden = !error.isFinal;
}

let warned = false;
function watchLease() {
  if (!config.leaseSeconds || !current) return;
  const left = config.leaseSeconds - (Date.now() - sender.lastAnswer) / 1000;
  if (left < LEASE_WARNING && !warned) {
    warned = true;
    showToast(`These texts are kept for you for another ${Math.max(Math.ceil(left / 60), 1)} minutes; then others get them.`, "warning");
  }
  if (left >= LEASE_WARNING) warned = false;
}

function readTask() {
  const answer = fetch(config.taskUrl, { headers: { Accept: "application/json" } });
  return answer.then((response) => response.json()).catch(() => null);
}

// Managers write while people work; nobody should have to load the page again to read it.
async function lookForNotes() {
  if (document.visibilityState === "hidden" || config.isPreview) return;
  const task = await readTask();
  if (task?.notes) notes.show(task.notes);
}

// Answers of an earlier visit: only the server knows which of them had arrived and which count from now on.
async function sendWhatWaited() {
  await sender.send();
  const answered = spent.texts;
  const task = await readTask();
  if (!task?.progress || outbox.size || spent.texts !== answered) return;
  progress = task.progress;
  showProgress();
}

// --- keys and buttons --------------------------------------------------------------------------------------------

const actionOf = new Map(Object.entries(config.keys).map(([action, key]) => [key.toLowerCase(), action]));

// Where a keyboard writes other letters or digits, the place of the key counts.
function actionFor(event) {
  const place = event.code.replace(/^(Key|Digit|Numpad)(?=.$)/, "").toLowerCase();
  return actionOf.get(event.key.toLowerCase()) ?? actionOf.get(place);
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.closest("input, textarea, select, dialog[open]")) return;
  if (event.key === "Escape" && !at("guidelines").hidden) return toggleGuidelines();
  const action = actionFor(event);
  const isPressing = event.target.closest("button, a, summary") && [" ", "Enter"].includes(event.key);
  if (!action || (isPressing && !event.target.closest("#controls"))) return;
  event.preventDefault();
  if (event.repeat) return; // a key that is held down is not ten answers
  if (care.covered && action !== "guidelines") return care.show();
  perform(action);
});

function perform(action) {
  if (action.startsWith("label")) answer(config.labels[Number(action.slice(5)) - 1]);
  else actions[action]();
}

at("controls").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (care.covered) return care.show();
  // The second half of a double click is no answer to a text that has only just appeared.
  if (event.detail > 1 && performance.now() - shownAt < DOUBLE_CLICK) return;
  if (button.dataset.label) answer(button.dataset.label);
  else actions[button.dataset.action]();
});
at("guidelines-button").addEventListener("click", toggleGuidelines);
at("guidelines-close").addEventListener("click", toggleGuidelines);
at("end-undo").addEventListener("click", undo);
at("trouble-reload").addEventListener("click", () => location.reload());

at("leave-form")?.addEventListener("submit", async (event) => {
  if (!outbox.size) return;
  event.preventDefault();
  await sender.send();
  if (outbox.size) showToast(`${outbox.size} answers could not be sent yet. They stay in this browser: open this page again later to send them.`, "warning");
  else event.target.submit();
});

for (const text of config.recent) remember({ text, label: "" });
takeTexts(config.first.texts);
stop = config.first.stop;
reason = config.first.message;
showNext();
showProgress();
if (current) care.cover("Show the text when you are ready");
if (outbox.size) sendWhatWaited();
setInterval(watchLease, 15000);
notes.show(config.notes);
setInterval(lookForNotes, LOOK_FOR_NOTES);
document.documentElement.dataset.ready = "yes";

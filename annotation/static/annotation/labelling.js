// The labelling screen. Texts are leased ahead, an answer is kept in the browser and the next text shown at once; the
// sender brings answers to the server in its own time.
import { csrfToken } from "../ui/js/csrf.js";
import { ask } from "./asking.js";
import { Care } from "./care.js";
import { Drafts, draftOf } from "./drafts.js";
import { A_MOMENT, A_WHILE, say, takeBack } from "./messages.js";
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
const drafts = new Drafts(`${config.campaign}:${config.who}`);
const notes = new Notes({ place: at("notes"), pattern: at("note"), name: `${config.campaign}:${config.who}` });
const actions = { undo, skip, flag, comment, guidelines: toggleGuidelines };
const queue = [];
const history = [];
let current = null;
let shownAt = 0;
let draft = draftOf({});
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

// --- texts come and go -------------------------------------------------------------------------------------------

// What was answered since the request left is still in the outbox, and must not come back to the screen.
function takeTexts(texts) {
  const here = new Set([...outbox.all(), current, ...queue].filter(Boolean).map((one) => one.assignment));
  for (const text of texts) if (!here.has(text.assignment)) queue.push(text);
}

function takeAnswer(answer, events) {
  const refused = new Map();
  for (const receipt of answer.receipts) {
    if (receipt.status === "stored") continue;
    const event = events.find((one) => one.client_id === receipt.client_id);
    const isUndo = event?.kind === "undo";
    const what = `could not be ${isUndo ? "taken back" : "kept"}: ${receipt.reason}`;
    refused.set(what, (refused.get(what) ?? 0) + 1);
    if (isUndo) forget(event.assignment);
    if (isUndo) progress.done += 1;
    else if (event?.kind === "label") progress.done -= 1;
  }
  for (const [what, times] of refused) say(what, `${counted(times, "answer")} ${what}`, { lasts: A_WHILE });
  if (!outbox.size) takeBack("unsent");
  at("trouble").hidden = true;
  answer.gone.forEach(forget);
  takeTexts(answer.texts);
  stop = answer.stop;
  reason = answer.message;
  if (reason && !stop) say("rule", reason, { lasts: A_WHILE });
  if (!current) showNext();
  showProgress();
  watchLease();
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
  draft = current ? drafts.of(current.assignment) : draftOf({});
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
  const [url, words] = wayOn();
  at("end-link").href = url;
  at("end-link").textContent = words;
  at("end-undo").hidden = !history.length || !["finished", "daily_limit"].includes(stop);
}

function wayOn() {
  if (config.isPreview) return [config.doneUrl, "Back to the campaign"];
  if (config.hasCode && ["finished", "closed"].includes(stop)) return [config.doneUrl, "Get your completion code"];
  return config.workUrl ? [config.workUrl, "Back to my work"] : [config.doneUrl, "See what you have done"];
}

// --- what people do ----------------------------------------------------------------------------------------------

function record(kind, facts) {
  outbox.add({ client_id: newClientId(), assignment: current.assignment, kind, ...facts });
}

function answer(label) {
  if (!current) return;
  const milliseconds = Math.min(Math.round(performance.now() - shownAt), 3600000);
  remember({ text: current, label, draft });
  if (!config.isPreview) record("label", { label, milliseconds, ...draft });
  drafts.drop(current.assignment);
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
  remember({ text: current, label: null, draft });
  if (!config.isPreview) record("skip", {});
  showNext();
  showProgress();
  sender.send();
}

function undo() {
  const last = history.pop();
  if (!last) return say("nothing", "There is nothing to take back.", { tone: "good", lasts: A_MOMENT });
  if (current) queue.unshift(current); // its draft is kept, and comes back with it
  current = last.text;
  draft = { ...last.draft };
  drafts.keep(current.assignment, draft);
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
    return changeDraft(current, { is_unrealistic: false, unrealistic_because: "" });
  }
  const text = current;
  at("flag-dialog").querySelector("form").reset();
  ask(at("flag-dialog"), (form) => {
    const more = form.elements.more.value.trim();
    const because = [form.elements.reason.value, more].filter(Boolean).join(": ").slice(0, 300);
    changeDraft(text, { is_unrealistic: true, unrealistic_because: because });
  });
}

function comment() {
  if (!current) return;
  const text = current;
  at("comment-text").value = draft.comment;
  ask(at("comment-dialog"), () => changeDraft(text, { comment: at("comment-text").value.trim() }));
}

// While a dialog was open the text may have gone, and what was written must not be said of the next one.
function changeDraft(text, facts) {
  const changed = { ...drafts.of(text.assignment), ...facts };
  drafts.keep(text.assignment, changed);
  if (current !== text) return;
  draft = changed;
  showMarks();
}

function toggleGuidelines() {
  const pane = at("guidelines");
  pane.hidden = !pane.hidden;
  at("guidelines-button").setAttribute("aria-expanded", String(!pane.hidden));
  (pane.hidden ? at("main") : pane).focus();
}

// --- what the page says ------------------------------------------------------------------------------------------

function showMarks() {
  const marks = [
    draft.is_unrealistic ? `Flagged: ${draft.unrealistic_because}` : "",
    draft.comment ? `Comment: ${draft.comment}` : "",
  ];
  at("marks").textContent = marks.filter(Boolean).join(" · ");
  at("marks").hidden = !marks.some(Boolean);
  document.querySelector('[data-action="flag"]').setAttribute("aria-pressed", String(draft.is_unrealistic));
}

function showProgress() {
  const { total } = progress;
  const done = Math.max(progress.done, 0);
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
  else if (!current)
    at("trouble-text").textContent = `There is no connection. ${KEPT} The next text comes when it is back.`;
  at("trouble").hidden = !error.isFinal && Boolean(current);
  at("trouble-reload").hidden = !error.isFinal;
}

function counted(number, noun) {
  return `${number.toLocaleString()} ${noun}${number === 1 ? "" : "s"}`;
}

// Said while it is true: every answer of the server renews the lease, and once it has ended there is nothing left to warn of.
function watchLease() {
  const left = config.leaseSeconds - (Date.now() - sender.lastAnswer) / 1000;
  if (!config.leaseSeconds || config.isPreview || !current || left <= 0 || left >= LEASE_WARNING)
    return takeBack("lease");
  say("lease", `You have ${counted(Math.ceil(left / 60), "minute")} left on these texts.`);
}

function readTask() {
  const answer = fetch(config.taskUrl, { headers: { Accept: "application/json" } });
  return answer.then((response) => response.json()).catch(() => null);
}

// Answers of an earlier visit that have not arrived can be taken back like every other one.
function rememberUnsent() {
  const texts = new Map(
    [...config.first.texts, ...config.recent.map((one) => one.text)].map((text) => [text.assignment, text]),
  );
  for (const event of outbox.all()) {
    const place = history.findLastIndex((one) => one.text.assignment === event.assignment);
    if (place >= 0) history.splice(place, 1);
    const text = texts.get(event.assignment);
    if (text && event.kind !== "undo")
      remember({ text, label: event.kind === "label" ? event.label : null, draft: draftOf(event) });
  }
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
  // A field of a dialog that has just closed keeps the focus for a moment; what is typed then is meant for the screen.
  if (event.target.closest("dialog[open], :not(dialog *):is(input, textarea, select)")) return;
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
  if (outbox.size)
    say(
      "unsent",
      `${counted(outbox.size, "answer")} could not be sent yet. They stay in this browser: open this page again later to send them.`,
    );
  else event.target.submit();
});

for (const { text, ...given } of config.recent) remember({ text, label: "", draft: draftOf(given) });
rememberUnsent();
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

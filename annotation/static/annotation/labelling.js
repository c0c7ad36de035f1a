// The labelling screen. Texts are leased ahead, an answer is kept in the browser and the next text shown at once; the
// sender brings answers to the server in its own time.
import { csrfToken } from "../ui/js/csrf.js";
import { gettext, interpolate, ngettext } from "../ui/js/i18n.js";
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
const ENDS = {
  finished: [gettext("Thank you, that was all"), gettext("There are no texts left for you at the moment.")],
  daily_limit: [gettext("Enough for today"), gettext("You have reached your daily limit. You can continue tomorrow.")],
  paused: [gettext("Paused"), gettext("You get no texts at the moment. All your answers are saved.")],
  ended: [gettext("Thank you"), gettext("Your work here has ended. All your answers are saved.")],
  closed: [gettext("This campaign is closed"), gettext("Thank you for your work. All your answers are saved.")],
};
const REFUSED = {
  label: (count) =>
    ngettext(
      "%(count)s answer could not be saved: %(reason)s",
      "%(count)s answers could not be saved: %(reason)s",
      count,
    ),
  undo: (count) =>
    ngettext(
      "%(count)s answer could not be undone: %(reason)s",
      "%(count)s answers could not be undone: %(reason)s",
      count,
    ),
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
    const kind = isUndo ? "undo" : "label";
    const cause = `${kind}: ${receipt.reason}`;
    refused.set(cause, { kind, reason: receipt.reason, times: (refused.get(cause)?.times ?? 0) + 1 });
    if (isUndo) forget(event.assignment);
    if (isUndo) progress.done += 1;
    else if (event?.kind === "label") progress.done -= 1;
  }
  for (const [cause, { kind, reason, times }] of refused)
    say(cause, interpolate(REFUSED[kind](times), { count: numeral(times), reason }), { lasts: A_WHILE });
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
  at("end-title").textContent = config.isPreview ? gettext("That was the preview") : title;
  const waiting = outbox.size ? gettext("Some answers are still being sent. Please wait.") : "";
  at("end-text").replaceChildren(...[reason, text, waiting].filter(Boolean).map(paragraphOf));
  const [url, words] = wayOn();
  at("end-link").href = url;
  at("end-link").textContent = words;
  at("end-undo").hidden = !history.length || !["finished", "daily_limit"].includes(stop);
}

function paragraphOf(sentences) {
  return Object.assign(document.createElement("p"), { textContent: sentences });
}

function wayOn() {
  if (config.isPreview) return [config.doneUrl, gettext("Back to the campaign")];
  if (config.hasCode && ["finished", "closed"].includes(stop))
    return [config.doneUrl, gettext("Get your completion code")];
  return config.workUrl
    ? [config.workUrl, gettext("Back to my work")]
    : [config.doneUrl, gettext("See what you have done")];
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
  if (!last) return say("nothing", gettext("There is nothing to undo."), { tone: "good", lasts: A_MOMENT });
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
    draft.is_unrealistic && interpolate(gettext("Flagged: %(reason)s"), { reason: flagInWords() }),
    draft.comment && interpolate(gettext("Comment: %(comment)s"), { comment: draft.comment }),
  ];
  at("marks").textContent = marks.filter(Boolean).join(" · ");
  at("marks").hidden = !marks.some(Boolean);
  document.querySelector('[data-action="flag"]').setAttribute("aria-pressed", String(draft.is_unrealistic));
}

// What is stored is the same in every language; what is shown is what the dialog says.
function flagInWords() {
  const because = draft.unrealistic_because;
  const chosen = [...at("flag-dialog").querySelectorAll("[name=reason]")].find((one) => because.startsWith(one.value));
  return chosen ? chosen.labels[0].textContent.trim() + because.slice(chosen.value.length) : because;
}

function showProgress() {
  const { total } = progress;
  const done = Math.max(progress.done, 0);
  at("progress").max = Math.max(total, 1);
  at("progress").value = done;
  at("count").textContent = interpolate(gettext("%(done)s of %(total)s"), {
    done: numeral(done),
    total: numeral(total),
  });
  const pace = spent.texts >= 5 ? spent.milliseconds / spent.texts / 1000 : config.secondsPerCase;
  at("left").textContent = total > done ? timeLeft((total - done) * pace) : "";
  const unsent = outbox.size;
  at("unsent").hidden = unsent === 0 || sender.wait === 1000;
  at("unsent").textContent = interpolate(ngettext("%(count)s unsent answer", "%(count)s unsent answers", unsent), {
    count: numeral(unsent),
  });
  if (!at("end").hidden) showEnd();
}

function timeLeft(seconds) {
  const minutes = Math.max(Math.round(seconds / 60), 1);
  return minutes < 90
    ? interpolate(gettext("about %(minutes)s min left"), { minutes: numeral(minutes) })
    : interpolate(gettext("about %(hours)s h left"), { hours: numeral(Math.round(minutes / 60)) });
}

// One notice that stays until the server answers again: a message per try would pile up over the text.
function showTrouble(error) {
  showProgress();
  at("unsent").hidden = outbox.size === 0;
  if (error.isFinal)
    at("trouble-text").textContent = interpolate(gettext("%(problem)s Your answers are kept in this browser."), {
      problem: error.message,
    });
  else if (!current)
    at("trouble-text").textContent = gettext(
      "There is no connection. Your answers are kept in this browser. The next text appears when you are online again.",
    );
  at("trouble").hidden = !error.isFinal && Boolean(current);
  at("trouble-reload").hidden = !error.isFinal;
}

function numeral(number) {
  return number.toLocaleString(document.documentElement.lang || undefined);
}

// Said while it is true: every answer of the server renews the lease, and once it has ended there is nothing left to warn of.
function watchLease() {
  const left = config.leaseSeconds - (Date.now() - sender.lastAnswer) / 1000;
  if (!config.leaseSeconds || config.isPreview || !current || left <= 0 || left >= LEASE_WARNING)
    return takeBack("lease");
  const minutes = Math.ceil(left / 60);
  const warning = ngettext(
    "You have %(minutes)s minute left on these texts.",
    "You have %(minutes)s minutes left on these texts.",
    minutes,
  );
  say("lease", interpolate(warning, { minutes: numeral(minutes) }));
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

// Managers write while people work; no one should have to reload the page to read it.
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
  if (!outbox.size) return event.target.submit();
  const warning = ngettext(
    "%(count)s answer could not be sent yet. It is kept in this browser. Open this page again later to send it.",
    "%(count)s answers could not be sent yet. They are kept in this browser. Open this page again later to send them.",
    outbox.size,
  );
  say("unsent", interpolate(warning, { count: numeral(outbox.size) }));
});

for (const { text, ...given } of config.recent) remember({ text, label: "", draft: draftOf(given) });
rememberUnsent();
takeTexts(config.first.texts);
stop = config.first.stop;
reason = config.first.message;
showNext();
showProgress();
if (current) care.cover(gettext("Show the text when you are ready"));
if (outbox.size) sendWhatWaited();
setInterval(watchLease, 15000);
notes.show(config.notes);
setInterval(lookForNotes, LOOK_FOR_NOTES);
document.documentElement.dataset.ready = "yes";

// Messages of the server, of htmx (HX-Trigger: {"toast": {"message": "...", "tone": "good"}}) and of our own modules.
import { gettext, interpolate } from "./i18n.js";

const READING_TIME = 8000;

export function showToast(message, tone = "good") {
  const toast = document.getElementById("toast-template").content.firstElementChild.cloneNode(true);
  toast.classList.add(`toast--${tone}`);
  toast.querySelector(".toast__text").textContent = message;
  region(tone).append(toast);
  leaveInTime(toast);
  return toast;
}

function region(tone) {
  return document.getElementById(tone === "danger" ? "toasts-urgent" : "toasts-calm");
}

// Errors stay until they are dismissed; other messages leave unless the pointer or the focus is on them.
function leaveInTime(toast) {
  if (toast.matches(".toast--danger, .toast--warning")) return;
  setTimeout(() => {
    if (toast.matches(":hover, :focus-within")) leaveInTime(toast);
    else toast.remove();
  }, READING_TIME);
}

function reasonIn(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  return page.querySelector("[data-reason]")?.textContent.trim();
}

document.querySelectorAll(".toast").forEach(leaveInTime);

document.addEventListener("click", (event) => {
  event.target.closest(".toast__close")?.closest(".toast").remove();
});

document.addEventListener("toast", (event) => showToast(event.detail.message, event.detail.tone));

document.addEventListener("htmx:responseError", (event) => {
  const { status, responseText } = event.detail.xhr;
  const reason = reasonIn(responseText);
  showToast(
    reason ||
      interpolate(gettext("The server answered with an error (%(status)s). Nothing was changed. Please try again."), {
        status,
      }),
    "danger",
  );
});

document.addEventListener("htmx:sendError", () => {
  showToast(gettext("The server cannot be reached. Check your connection and try again."), "danger");
});

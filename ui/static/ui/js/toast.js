// Messages of the server, of htmx (HX-Trigger: {"toast": {"message": "...", "tone": "good"}}) and of our own modules.
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

// What went wrong stays until it is dismissed; the rest leaves unless somebody is reading or using it.
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
    reason || `The server answered with an error (${status}). Nothing was changed; please try again.`,
    "danger",
  );
});

document.addEventListener("htmx:sendError", () => {
  showToast("The server cannot be reached. Check the connection and try again.", "danger");
});

// The choice lives in a cookie, so the server renders the right theme at once and nothing flashes.
const YEAR = 365 * 24 * 60 * 60;

function choose(theme) {
  const age = theme === "auto" ? 0 : YEAR;
  document.cookie = `theme=${theme}; path=/; max-age=${age}; samesite=lax`;
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const button of document.querySelectorAll(".theme-switch button")) {
    button.setAttribute("aria-pressed", String(button.value === theme));
  }
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches(".theme-form")) return;
  event.preventDefault();
  choose(event.submitter.value);
});

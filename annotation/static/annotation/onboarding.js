// Training and test: the keys of the labelling screen, and texts that stay covered until a key is pressed.
const screen = document.querySelector("[data-answers]");
const keys = JSON.parse(screen.dataset.keys);
const items = screen.matches("[data-item]") ? [screen] : [...screen.querySelectorAll("[data-item]")];

const answers = (item) => [...item.querySelectorAll("button[name=label], input[type=radio]")];
const isAnswered = (item) => answers(item).some((one) => one.checked);
const isOpen = (item) => !isAnswered(item);
const cover = (item, covers) => item.querySelector(".case-text").classList.toggle("is-covered", covers);
const isCovered = (item) => item.querySelector(".is-covered") !== null;

function go(item) {
  item?.scrollIntoView({ block: "center" });
  if (item) answers(item)[0].focus({ preventScroll: true }); // its ring shows which text the keys answer
}

if (screen.dataset.covers === "yes") {
  for (const item of items) {
    cover(item, true);
    item.querySelector(".case-text").addEventListener("click", () => cover(item, false));
  }
}
let current = items.find(isOpen);
if (items.length > 1) go(current);
screen.querySelector("[data-next]")?.focus(); // after feedback, Enter leads to the next text

screen.addEventListener("change", (event) => {
  const item = event.target.closest("[data-item]");
  current = items.slice(items.indexOf(item) + 1).find(isOpen) ?? items.find(isOpen);
  go(current);
  if (!current) screen.querySelector("button[type=submit]:not([name])")?.focus();
});

document.addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || !current) return;
  const place = keys.indexOf(event.key.toLowerCase());
  if (isCovered(current) && (place >= 0 || event.key === " ")) {
    event.preventDefault();
    cover(current, false);
    return;
  }
  const chosen = answers(current)[place];
  if (!chosen) return;
  event.preventDefault();
  chosen.click();
});

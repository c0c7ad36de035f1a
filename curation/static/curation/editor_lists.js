// What lists and editor share: covering texts in place, ticking all rows.
const SESSION = "; path=/; samesite=lax"; // ends with the browser

function setCovered(isCovered) {
  for (const part of document.querySelectorAll("[data-coverable]")) part.toggleAttribute("data-covered", isCovered);
  document.querySelectorAll("[data-cover-switch] button").forEach((button) => {
    button.value = isCovered ? "shown" : "covered";
  });
  document.cookie = isCovered ? `texts=; max-age=0${SESSION}` : `texts=shown${SESSION}`;
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-cover-switch]")) return;
  event.preventDefault(); // the page may hold unsaved words
  setCovered(event.submitter.value !== "shown");
});

document.querySelectorAll("[data-tick-all]").forEach((all) => {
  const boxes = () => [...document.querySelectorAll(`input[type="checkbox"][name="${all.dataset.tickAll}"]`)];
  all.addEventListener("change", () => {
    for (const box of boxes()) box.checked = all.checked;
  });
  document.addEventListener("change", (event) => {
    if (event.target.name !== all.dataset.tickAll) return;
    const ticked = boxes().filter((box) => box.checked).length;
    all.checked = ticked === boxes().length;
    all.indeterminate = ticked > 0 && !all.checked;
  });
});

// Copy buttons: `data-copies="id"` copies the value of that field. Without scripts the field can still be selected.
import { gettext } from "../ui/js/i18n.js";
import { showToast } from "../ui/js/toast.js";

for (const button of document.querySelectorAll("[data-copies]")) {
  const field = document.getElementById(button.dataset.copies);
  if (!field || !navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(field.value);
    showToast(gettext("Copied."), "good");
  });
}

for (const field of document.querySelectorAll("[data-select-all]")) {
  field.addEventListener("focus", () => field.select());
}

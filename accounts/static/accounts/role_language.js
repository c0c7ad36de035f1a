// Maintainers act in the whole instance, so the form asks for a language only with the other roles.
for (const role of document.querySelectorAll('form.form select[name="role"]')) {
  const language = role.form.elements.language;
  const field = language?.closest(".field");
  if (!field) continue;
  const show = () => {
    field.hidden = role.value === "maintainer";
    if (field.hidden) language.value = "";
  };
  role.addEventListener("change", show);
  if (!field.querySelector("[aria-invalid='true']")) show();
}

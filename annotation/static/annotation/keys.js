// A field for a key takes the key that is pressed in it; Tab still moves on.
for (const field of document.querySelectorAll("input[data-key]")) {
  const names = JSON.parse(field.dataset.names);
  field.addEventListener("keydown", (event) => {
    if (["Tab", "Shift", "Control", "Alt", "Meta", "Enter", "Escape"].includes(event.key)) return;
    event.preventDefault();
    field.value = names[event.key] ?? event.key;
  });
}

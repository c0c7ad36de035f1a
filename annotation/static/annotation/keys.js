// A field for a key takes the key that is pressed in it; Tab still moves on.
for (const field of document.querySelectorAll("input[data-key]")) {
  field.addEventListener("keydown", (event) => {
    if (["Tab", "Shift", "Control", "Alt", "Meta", "Enter", "Escape"].includes(event.key)) return;
    event.preventDefault();
    field.value = event.key === " " ? "Space" : event.key;
  });
}

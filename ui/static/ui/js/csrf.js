// The page carries the token in a meta element; htmx and our own requests send it as a header.
export function csrfToken() {
  return document.querySelector('meta[name="csrf-token"]')?.content ?? "";
}

document.addEventListener("htmx:configRequest", (event) => {
  event.detail.headers["X-CSRFToken"] = csrfToken();
});

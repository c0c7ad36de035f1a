// Says on the page that the browser or the person refused; allauth's scripts only tell the console.
document.addEventListener("allauth.error", (event) => {
  const told = document.querySelector("[data-passkey-error]");
  if (!told) return;
  event.preventDefault();
  told.hidden = false;
});

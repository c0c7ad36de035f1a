// On a narrow screen tabs scroll sideways: the page one is on must be among those in sight.
document.querySelectorAll(".tabs [aria-current]").forEach((tab) => {
  const tabs = tab.closest(".tabs");
  tabs.scrollLeft +=
    tab.getBoundingClientRect().left - tabs.getBoundingClientRect().left - (tabs.clientWidth - tab.clientWidth) / 2;
});

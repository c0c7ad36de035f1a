// Small tables that are on the page as a whole: sorting by header, filtering by a search field.
// Long lists are sorted and filtered by the server instead.
const collator = new Intl.Collator(document.documentElement.lang || undefined, { numeric: true, sensitivity: "base" });

function keyOf(row, column) {
  const cell = row.cells[column];
  return cell?.dataset.sort ?? cell?.textContent.trim() ?? "";
}

function compare(one, other) {
  const numbers = [Number(one), Number(other)];
  return numbers.some(Number.isNaN) || one === "" || other === ""
    ? collator.compare(one, other)
    : numbers[0] - numbers[1];
}

function sortBy(header) {
  const table = header.closest("table");
  const column = header.cellIndex;
  const descending = header.getAttribute("aria-sort") === "ascending";
  for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", descending ? "descending" : "ascending");
  for (const body of table.tBodies) {
    const rows = [...body.rows].sort((one, other) => compare(keyOf(one, column), keyOf(other, column)));
    body.append(...(descending ? rows.reverse() : rows));
  }
}

function prepare(root) {
  for (const header of root.querySelectorAll("table[data-sortable] thead th:not([data-no-sort])")) {
    if (header.querySelector("button")) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...header.childNodes);
    header.append(button);
  }
  // Shown as blocks on phones, a table would lose its meaning for screen readers.
  for (const table of root.querySelectorAll(".table--rows")) {
    table.setAttribute("role", "table");
    for (const group of table.querySelectorAll("thead, tbody")) group.setAttribute("role", "rowgroup");
    for (const row of table.rows) row.setAttribute("role", "row");
    for (const cell of table.querySelectorAll("td")) cell.setAttribute("role", "cell");
    for (const cell of table.querySelectorAll("thead th")) cell.setAttribute("role", "columnheader");
    for (const cell of table.querySelectorAll("tbody th")) cell.setAttribute("role", "rowheader");
  }
}

document.addEventListener("click", (event) => {
  const header = event.target.closest("table[data-sortable] thead th");
  if (header && event.target.closest("button")) sortBy(header);
});

document.addEventListener("input", (event) => {
  const table = document.getElementById(event.target.dataset?.filters ?? "");
  if (!table) return;
  const wanted = event.target.value.trim().toLocaleLowerCase();
  for (const body of table.tBodies) {
    for (const row of body.rows) row.hidden = !row.textContent.toLocaleLowerCase().includes(wanted);
  }
});

document.addEventListener("htmx:load", (event) => prepare(event.detail.elt.parentElement ?? document));
prepare(document);

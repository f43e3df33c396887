// Sorts a table by one of its columns: by number where a cell has one, else by its words.
(() => {
  "use strict";
  const table = document.getElementById("overview");
  const choice = document.getElementById("sort");
  if (!table || !choice) return;
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];

  function sortBy(column, falling) {
    const value = (row) => {
      const cell = row.cells[column];
      return cell.dataset.value === undefined ? cell.textContent.trim() : Number(cell.dataset.value);
    };
    const rows = [...body.rows].sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      if (typeof x !== typeof y) return typeof x === "number" ? -1 : 1;
      const order = typeof x === "number" ? x - y : x.localeCompare(y, "en");
      return falling ? -order : order;
    });
    body.append(...rows);
    heads.forEach((head, place) => {
      if (place === column) head.setAttribute("aria-sort", falling ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
  }

  // Names rise and figures fall at first; the same column again turns round.
  function pick(column) {
    const now = heads[column].getAttribute("aria-sort");
    const falling = now === null ? column > 0 : now === "ascending";
    choice.value = String(column);
    sortBy(column, falling);
  }

  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => pick(column)));
  choice.addEventListener("change", () => pick(Number(choice.value)));
  for (const part of document.querySelectorAll("[data-needs-script]")) part.hidden = false;
})();

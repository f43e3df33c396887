"use strict";
// A list of cases: filters, pages, rows that open. Text is only ever set as text, never as markup.
window.videnceList = (() => {
  const PAGE = 20;

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null));
    return element;
  }
  const text = (tag, words, attributes = {}) => make(tag, { dir: "auto", ...attributes }, words);
  const letter = (place) => (place < 26 ? String.fromCharCode(65 + place) : String(place + 1));
  const words = (name) => String(name).replaceAll("_", " ");
  // Something is never rounded to nothing, nor to all.
  function percent(share) {
    if (share > 0 && share < 0.0005) return "<0.1\u00a0%";
    if (share >= 0.9995 && share < 1) return ">99.9\u00a0%";
    const fine = (share > 0 && share < 0.095) || (share >= 0.995 && share < 1);
    return `${(100 * share).toFixed(fine ? 1 : 0)}\u00a0%`;
  }
  const folded = (string) => string.normalize("NFKC").toLowerCase();

  // Return whether a card has the category that the filter asks for.
  function inCategory(card, wanted, categories) {
    if (!wanted) return true;
    const [outer, inner] = wanted.split(":").map(Number);
    const [tag, values] = categories[outer];
    return card.tags.some(([name, value]) => name === tag && value === values[inner]);
  }

  // columns: how many; matching(want) -> cards in order; cells(card) -> what follows the name;
  // opened(card) -> the opened card.
  function list({ columns, matching, cells, opened }) {
    const form = document.getElementById("filters");
    const body = document.getElementById("cases-body");
    const status = document.getElementById("cases-status");
    const back = document.getElementById("page-back");
    const next = document.getElementById("page-next");
    const open = new Set();
    let page = 0;

    function row(card, index) {
      const id = `card-${index}`;
      const isOpen = open.has(card);
      const button = make(
        "button",
        { type: "button", class: "open", "aria-expanded": isOpen, "aria-controls": id },
        text("bdi", card.id)
      );
      const line = make(
        "tr",
        { role: "row" },
        make("td", { role: "cell" }, button),
        ...cells(card)
      );
      const place = make("td", { colspan: columns, role: "cell" });
      const below = make("tr", { id, role: "row", class: "opened" }, place);
      below.hidden = !isOpen;
      if (isOpen) place.append(opened(card));
      button.addEventListener("click", () => {
        const opening = below.hidden;
        below.hidden = !opening;
        button.setAttribute("aria-expanded", opening);
        if (opening) open.add(card);
        else open.delete(card);
        if (opening && !place.firstChild) place.append(opened(card));
      });
      return [line, below];
    }

    function draw() {
      const found = matching(Object.fromEntries(new FormData(form)));
      const pages = Math.max(1, Math.ceil(found.length / PAGE));
      page = Math.min(page, pages - 1);
      const from = page * PAGE;
      const shown = found.slice(from, from + PAGE);
      body.replaceChildren(...shown.flatMap((card, i) => row(card, from + i)));
      if (!shown.length) {
        const none = make("td", { colspan: columns, role: "cell" }, "No case on this page matches.");
        body.append(make("tr", { role: "row" }, none));
      }
      back.disabled = page === 0;
      next.disabled = page >= pages - 1;
      status.textContent = found.length
        ? `${from + 1}–${from + shown.length} of ${found.length} cases, page ${page + 1} of ${pages}`
        : "0 cases";
    }

    function turn(by) {
      page += by;
      draw();
      document.getElementById("cases-table").scrollIntoView({ block: "start" });
    }

    form.addEventListener("submit", (event) => event.preventDefault());
    for (const kind of ["input", "change"]) {
      form.addEventListener(kind, () => {
        page = 0;
        draw();
      });
    }
    form.addEventListener("reset", () =>
      setTimeout(() => {
        page = 0;
        draw();
      })
    );
    back.addEventListener("click", () => turn(-1));
    next.addEventListener("click", () => turn(1));
    for (const part of document.querySelectorAll("[data-needs-script]")) part.hidden = false;
    draw();
  }

  return { list, inCategory, make, text, letter, words, percent, folded };
})();

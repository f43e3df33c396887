// The case list: filters, pages and cards. Text is only ever set as text, never as markup.
(() => {
  "use strict";
  const source = document.getElementById("cases-data");
  if (!source) return;
  const data = JSON.parse(source.textContent);
  const PAGE = 20;
  const form = document.getElementById("filters");
  const body = document.getElementById("cases-body");
  const status = document.getElementById("cases-status");
  const [back, next] = [document.getElementById("page-back"), document.getElementById("page-next")];
  const open = new Set();
  let page = 0;

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
  const words = (verdict) => String(verdict).replaceAll("_", " ");
  const folded = (string) => string.normalize("NFKC").toLowerCase();

  for (const card of data.cards) {
    card.flagging = card.flags.filter(([, votes]) => votes >= data.threshold);
    card.haystack = folded([card.id, card.cluster, card.question, ...card.options].join("\n"));
  }

  function solved(card, answerer, check) {
    return card.replies.some(
      (reply) =>
        reply.answerer === answerer &&
        (check ? reply.check === check : data.checks.includes(reply.check)) &&
        reply.value !== null &&
        reply.value === card.gold
    );
  }

  function matching() {
    const want = Object.fromEntries(new FormData(form));
    const [outer, inner] = want.category.split(":").map(Number);
    const [tag, values] = want.category ? data.categories[outer] : [null, []];
    const check = want.check ? data.checks[Number(want.check)] : null;
    const needle = folded(want.text.trim());
    return data.cards.filter(
      (card) =>
        (!want.verdict || card.verdict === want.verdict) &&
        (check === null || card.flagging.some(([name]) => name === check)) &&
        (tag === null || card.tags.some(([t, v]) => t === tag && v === values[inner])) &&
        (!want.answerer || solved(card, Number(want.answerer), check)) &&
        (!needle || card.haystack.includes(needle))
    );
  }

  function votes(card) {
    const boxes = data.checks.map((check) => {
      const given = card.flags.find(([name]) => name === check);
      const size = data.sizes[check] ?? "?";
      const told = given ? `${check}: ${given[1]} of ${size} right` : `${check}: not asked`;
      const kind = !given || !given[1] ? " none" : given[1] >= data.threshold ? " on" : "";
      return make(
        "span",
        { class: `vote${kind}`, title: told, role: "img", "aria-label": told },
        make("span", { class: "name" }, `${check} `),
        given ? String(given[1]) : "·"
      );
    });
    return make("div", { class: "votes" }, ...boxes);
  }

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
      make("td", { role: "cell" }, text("span", card.question, { class: "clamp" })),
      make("td", { role: "cell", class: `verdict-${card.verdict}` }, words(card.verdict)),
      make("td", { role: "cell" }, votes(card))
    );
    const place = make("td", { colspan: 4, role: "cell" });
    const opened = make("tr", { id, role: "row", class: "opened" }, place);
    opened.hidden = !isOpen;
    if (isOpen) place.append(window.videnceCard(card, data, { make, text, letter, words }));
    button.addEventListener("click", () => {
      const opening = opened.hidden;
      opened.hidden = !opening;
      button.setAttribute("aria-expanded", opening);
      if (opening) open.add(card);
      else open.delete(card);
      if (opening && !place.firstChild) {
        place.append(window.videnceCard(card, data, { make, text, letter, words }));
      }
    });
    return [line, opened];
  }

  function draw() {
    const found = matching();
    const pages = Math.max(1, Math.ceil(found.length / PAGE));
    page = Math.min(page, pages - 1);
    const from = page * PAGE;
    const shown = found.slice(from, from + PAGE);
    body.replaceChildren(...shown.flatMap((card, i) => row(card, from + i)));
    if (!shown.length) {
      const none = make("td", { colspan: 4, role: "cell" }, "No case on this page matches.");
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
})();

"use strict";
// One opened case of a text-only audit: the question, and on request the key and who guesses it.
window.videnceTextCard = (card, data) => {
  const { make, text, letter, percent } = window.videnceList;

  function meter(share) {
    const bar = make("span", {});
    bar.style.width = `${Math.min(100, Math.max(0, 100 * share))}%`;
    return make("span", { class: "meter", "aria-hidden": "true" }, bar);
  }

  const root = make("div", { class: "card text-card" });
  const items = card.options.map((option, place) => {
    const share = card.ps[place] ?? null;
    return make(
      "li",
      {},
      make("b", {}, letter(place)),
      text("span", option),
      share === null ? null : make("div", { class: "guess" }, meter(share), make("span", {}, percent(share)))
    );
  });
  const key = make("button", { type: "button", "aria-pressed": "false" }, "Show the key and the guesses");
  if (card.gold === null) {
    key.disabled = true;
    key.textContent = "No key";
  }
  key.addEventListener("click", () => {
    const showing = root.classList.toggle("key-shown");
    key.setAttribute("aria-pressed", showing);
    key.textContent = showing ? `Hide the key (${letter(card.gold)})` : "Show the key and the guesses";
    items[card.gold]?.classList.toggle("key", showing);
  });
  const takers = card.rules.map(([place, share]) => (share > 0.999 ? data.rules[place] : `${data.rules[place]} (${percent(share)})`));
  const told = make(
    "div",
    { class: "told" },
    make("p", { class: "small" }, "Bars: how likely the learner takes each option to be the key, from text alone."),
    make("p", {}, takers.length ? `Rules that take the key: ${takers.join(", ")}.` : "No rule takes the key.")
  );
  const facts = [
    card.p === null ? "no P(key)" : card.tenth === null ? "" : card.tenth === 1 ? "P(key) in the highest tenth" : `P(key) in tenth ${card.tenth} of 10`,
    card.removed === null ? "" : card.removed ? "removed by pruning" : "kept by pruning",
  ].filter(Boolean);
  root.append(
    make(
      "div",
      {},
      text("p", card.question, { class: "question" }),
      items.length ? make("ol", { class: "options" }, ...items) : make("p", { class: "small" }, "Open question, no options."),
      key,
      told
    ),
    make(
      "div",
      {},
      text("span", `video: ${card.cluster || "unnamed"}`, { class: "chip" }),
      ...facts.map((fact) => make("span", { class: "chip" }, fact)),
      ...card.tags.map(([name, value]) => text("span", `${name}: ${value}`, { class: "chip" }))
    )
  );
  return root;
};

// The cases of a text-only audit: by P(key), rule, category and pruning.
(() => {
  "use strict";
  const source = document.getElementById("cases-data");
  if (!source) return;
  const data = JSON.parse(source.textContent);
  const { list, inCategory, make, text, percent, folded } = window.videnceList;

  for (const card of data.cards) {
    card.haystack = folded([card.id, card.cluster, card.question, ...card.options].join("\n"));
  }
  const falling = [...data.cards].sort((a, b) => (b.p ?? -1) - (a.p ?? -1));
  const orders = { high: falling, low: [...falling].reverse(), mixed: data.cards };

  function matching(want) {
    const needle = folded(want.text.trim());
    const rule = want.rule ? Number(want.rule) : null;
    return orders[want.order].filter(
      (card) =>
        (!want.tenth || card.tenth === Number(want.tenth)) &&
        (rule === null || card.rules.some(([place]) => place === rule)) &&
        inCategory(card, want.category, data.categories) &&
        (!want.removed || card.removed === (want.removed === "true")) &&
        (!needle || card.haystack.includes(needle))
    );
  }

  function probability(card) {
    if (card.p === null) return "–";
    const bar = make("span", {});
    bar.style.width = `${100 * card.p}%`;
    return make("span", {}, make("span", { class: "meter", "aria-hidden": "true" }, bar), percent(card.p));
  }

  list({
    columns: 4,
    matching,
    cells: (card) => [
      make("td", { role: "cell" }, text("span", card.question, { class: "clamp" })),
      make("td", { role: "cell", "data-label": "P(key)" }, probability(card)),
      make("td", { role: "cell", "data-label": "Rules that take it" }, `${card.rules.length} of ${data.rules.length}`),
    ],
    opened: (card) => window.videnceTextCard(card, data),
  });
})();

// The questions of an agent's audit: by sign of Delta, right or wrong, and category.
(() => {
  "use strict";
  const source = document.getElementById("cases-data");
  if (!source) return;
  const data = JSON.parse(source.textContent);
  const { list, inCategory, make, text, folded } = window.videnceList;

  for (const card of data.cards) {
    card.haystack = folded([card.id, card.cluster, card.question, ...card.options].join("\n"));
    card.right = card.gold === null ? null : card.committed === card.gold;
  }

  function matching(want) {
    const needle = folded(want.text.trim());
    return data.cards.filter(
      (card) =>
        (!want.agent || card.agent === data.agents[Number(want.agent)]) &&
        (!want.sign || card.sign === want.sign) &&
        (!want.right || card.right === (want.right === "true")) &&
        inCategory(card, want.category, data.categories) &&
        (!needle || card.haystack.includes(needle))
    );
  }

  const flips = (card) => card.flips.map(([, n, valid]) => `${n} of ${valid}`).join(" / ");

  list({
    columns: 4,
    matching,
    cells: (card) => [
      make("td", { role: "cell" }, text("span", card.question, { class: "clamp" })),
      make("td", { role: "cell", "data-label": "Delta" }, card.score ?? "–"),
      make("td", { role: "cell", "data-label": "Flips, sham / destroy" }, flips(card)),
    ],
    opened: (card) => window.videnceAgentCard(card, data),
  });
})();

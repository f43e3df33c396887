// The cases of a panel's audit: by check, category, verdict and model.
(() => {
  "use strict";
  const source = document.getElementById("cases-data");
  if (!source) return;
  const data = JSON.parse(source.textContent);
  const { list, inCategory, make, text, letter, words, folded } = window.videnceList;

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

  function matching(want) {
    const check = want.check ? data.checks[Number(want.check)] : null;
    const needle = folded(want.text.trim());
    return data.cards.filter(
      (card) =>
        (!want.verdict || card.verdict === want.verdict) &&
        (check === null || card.flagging.some(([name]) => name === check)) &&
        inCategory(card, want.category, data.categories) &&
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

  list({
    columns: 4,
    matching,
    cells: (card) => [
      make("td", { role: "cell" }, text("span", card.question, { class: "clamp" })),
      make("td", { role: "cell", class: `verdict-${card.verdict}` }, words(card.verdict)),
      make("td", { role: "cell" }, votes(card)),
    ],
    opened: (card) => window.videnceCard(card, data, { make, text, letter, words }),
  });
})();

"use strict";
// One opened question of an agent's audit: its options, every replay, the frames that were shown.
window.videnceAgentCard = (card, data) => {
  const { make, text, letter, percent, words } = window.videnceList;

  function picture([time, number]) {
    const when = time === null ? "" : `${Number(time).toFixed(1)} s`;
    const image =
      number === null
        ? make("span", { class: "lost" }, "picture left out")
        : make("img", { src: data.pictures[number], alt: when ? `Frame at ${when}` : "Frame" });
    return make("figure", {}, image, make("figcaption", {}, when));
  }

  function strip(one) {
    const notes = one.notes.length ? ` – ${one.notes.join("; ")}` : "";
    return make(
      "div",
      { class: "strip" },
      make("h4", {}, one.check, text("small", notes)),
      one.frames.length
        ? make(
            "div",
            { class: "row", tabindex: 0, role: "group", "aria-label": `Frames under ${one.check}` },
            ...one.frames.map(picture)
          )
        : null,
      one.text === null ? null : text("pre", one.text, { class: "shown-text", tabindex: 0 })
    );
  }

  function draw([value, said, why]) {
    const lost = value === null;
    const flip = !lost && value !== card.committed;
    const told = [said, why].filter(Boolean).join(" – ");
    const name = lost ? "no option" : letter(value);
    const mark = lost ? "lost" : flip ? "flip" : "kept";
    const aria = lost ? name : `${name}, ${flip ? "changed" : "kept"}`;
    return make("li", { class: mark, title: told, "aria-label": aria }, name);
  }

  const root = make("div", { class: "card agent-card" });
  const items = card.options.map((option, place) =>
    make(
      "li",
      { class: place === card.committed ? "committed" : null },
      make("b", {}, letter(place)),
      text("span", option)
    )
  );
  const key = make("button", { type: "button", "aria-pressed": "false" }, "Show the key");
  if (card.gold === null) {
    key.disabled = true;
    key.textContent = "No key";
  }
  key.addEventListener("click", () => {
    const showing = root.classList.toggle("key-shown");
    key.setAttribute("aria-pressed", showing);
    key.textContent = showing ? `Hide the key (${letter(card.gold)})` : "Show the key";
    items[card.gold]?.classList.toggle("key", showing);
  });
  const facts = [
    `video: ${card.cluster || "unnamed"}`,
    data.agents.length > 1 ? `agent: ${card.agent}` : "",
    card.score === null ? "no score" : `Delta ${card.score}, ${words(card.sign)}`,
    card.positive === null ? "" : `P(Delta > 0) ${percent(card.positive)}`,
    card.looked ? `looked at ${card.looked}` : "",
    card.spans ? `annotated ${card.spans}` : "",
  ].filter(Boolean);
  root.append(
    make(
      "div",
      {},
      text("p", card.question, { class: "question" }),
      make("ol", { class: "options" }, ...items),
      key
    ),
    make(
      "div",
      {},
      ...facts.map((fact) => text("span", fact, { class: "chip" })),
      ...card.tags.map(([name, value]) => text("span", `${name}: ${value}`, { class: "chip" }))
    ),
    make(
      "div",
      { class: "replays" },
      make("h4", {}, "Replays", make("small", {}, ` – the agent answered ${letter(card.committed)}; what differs is a flip`)),
      ...card.replies.flatMap(({ check, draws }) => [
        make("small", {}, check),
        make("ul", { class: "draws" }, ...draws.map(draw)),
      ])
    )
  );
  if (card.strips.length) {
    root.append(make("div", { class: "strips" }, make("h4", {}, "What was shown"), ...card.strips.map(strip)));
  }
  return root;
};

"use strict";
// One opened case: what was shown, the question, what each answerer replied, the verdict.
window.videnceCard = (card, data, { make, text, letter, words }) => {

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
            { class: "row", tabindex: 0, role: "group", "aria-label": `Frames shown under ${one.check}` },
            ...one.frames.map(picture)
          )
        : null,
      one.text === null ? null : text("pre", one.text, { class: "shown-text", tabindex: 0 })
    );
  }

  function said(view, index, count) {
    const [before, marked, after] = view.raw;
    const moved = view.shown.some((place, i) => place !== i);
    const raw = make("pre", { class: "raw", dir: "auto", tabindex: 0 });
    raw.append(before, ...(marked ? [make("mark", {}, marked), after] : []));
    if (!before && !marked) raw.append(make("i", {}, "(no words)"));
    const order = moved ? `options shown in the order ${view.shown.map(letter).join(" ")}` : "";
    const title = [count > 1 ? `view ${index + 1} of ${count}` : "", order].filter(Boolean);
    return make(
      "div",
      {},
      title.length ? make("small", {}, title.join(", ")) : null,
      raw
    );
  }

  function reply(one) {
    const who = data.answerers[one.answerer] ?? { name: "?", look: 6, glyph: "●" };
    const picked = one.value !== null;
    const mood = one.status === "skipped" ? "" : picked && one.value === card.gold ? "right" : "wrong";
    const facts = [
      one.status === "ok" ? "" : words(one.status),
      one.reason,
      ...one.notes,
      one.repeat ? `repeat ${one.repeat}` : "",
    ].filter(Boolean);
    const told = (look) => (facts.length ? text("span", facts.join("; "), { class: look }) : null);
    return make(
      "div",
      { class: `reply ${card.gold === null ? "" : mood}` },
      make("span", {}, make("span", { class: `m${who.look}`, "aria-hidden": "true" }, who.glyph), " ", text("bdi", who.name)),
      make("span", { class: "letter" }, picked ? letter(one.value) : one.said ?? "–"),
      make(
        "div",
        { class: "said" },
        one.status === "ok" ? null : told("status"),
        ...one.views.map((view, i) => said(view, i, one.views.length)),
        one.status === "ok" ? told("small") : null
      )
    );
  }

  function replies() {
    const checks = [...new Set(card.replies.map((one) => one.check))];
    return checks.map((check) => {
      const votes = card.flags.find(([name]) => name === check);
      const size = data.sizes[check];
      const tally = votes && size ? ` – ${votes[1]} of ${size} right` : "";
      return make(
        "div",
        {},
        make("h4", {}, check, make("small", {}, tally)),
        ...card.replies.filter((one) => one.check === check).map(reply)
      );
    });
  }

  const root = make("div", { class: "card" });
  const items = card.options.map((option, place) =>
    make("li", {}, make("b", {}, letter(place)), text("span", option))
  );
  const key = make("button", { type: "button", "aria-pressed": "false" }, "Show the key");
  if (card.key !== null) {
    key.textContent = "Show the key";
  } else if (card.gold === null) {
    key.disabled = true;
    key.textContent = "No key";
  }
  key.addEventListener("click", () => {
    const showing = root.classList.toggle("key-shown");
    key.setAttribute("aria-pressed", showing);
    key.textContent = showing ? `Hide the key (${card.key ?? letter(card.gold)})` : "Show the key";
    items[card.gold]?.classList.toggle("key", showing);
  });
  const tags = card.tags.map(([name, value]) => text("span", `${name}: ${value}`, { class: "chip" }));
  root.append(
    make(
      "div",
      {},
      text("p", card.question, { class: "question" }),
      items.length ? make("ol", { class: "options" }, ...items) : make("p", { class: "small" }, "Open question, no options."),
      key
    ),
    make(
      "div",
      {},
      make("h4", {}, "Verdict: ", make("span", { class: `verdict-${card.verdict}` }, words(card.verdict))),
      text("p", card.because || "No reason was recorded."),
      make("div", {}, text("span", `video: ${card.cluster || "unnamed"}`, { class: "chip" }), ...tags)
    )
  );
  if (card.strips.length) {
    root.append(make("div", { class: "strips" }, make("h4", {}, "What was shown"), ...card.strips.map(strip)));
  }
  root.append(make("div", { class: "replies" }, ...replies()));
  return root;
};

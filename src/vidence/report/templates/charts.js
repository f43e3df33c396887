// Draws every [data-chart] from the JSON beside it; nothing is loaded, nothing is evaluated.
(() => {
  "use strict";
  const tip = document.getElementById("tip");

  function tooltip(_handler, event, _item, value) {
    tip.hidden = value === null || value === undefined || value === "";
    if (tip.hidden) return;
    tip.textContent = String(value);
    const box = tip.getBoundingClientRect();
    const left = Math.min(event.clientX + 12, document.documentElement.clientWidth - box.width - 8);
    const below = event.clientY + 14;
    const fits = below + box.height < window.innerHeight;
    tip.style.left = `${Math.max(8, left)}px`;
    tip.style.top = `${fits ? below : Math.max(4, event.clientY - box.height - 10)}px`;
  }

  const options = {
    mode: "vega-lite",
    renderer: "svg",
    ast: true,
    actions: false,
    defaultStyle: false,
    tooltip,
  };
  // Some charts have a second form for phones, with names above their rows.
  const phone = window.matchMedia("(max-width: 640px)");
  function draw(place) {
    const { chart, narrow } = place.dataset;
    const name = phone.matches && narrow ? narrow : chart;
    const spec = JSON.parse(document.getElementById(name).textContent);
    return vegaEmbed(place, spec, options).catch((error) => {
      place.textContent = `This chart could not be drawn (${error.message}). Its numbers are in the table below.`;
    });
  }
  phone.addEventListener("change", () => document.querySelectorAll("[data-narrow]").forEach(draw));
  const drawn = [...document.querySelectorAll("[data-chart]")].map(draw);
  Promise.all(drawn).then(() => document.documentElement.setAttribute("data-charts", "drawn"));

  // A closed block would be missing on paper.
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const block of closed) block.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const block of closed) block.open = false;
  });

  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      const range = document.createRange();
      range.selectNodeContents(source);
      const selection = window.getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
      let done = false;
      try {
        await navigator.clipboard.writeText(source.textContent);
        done = true;
      } catch {
        done = document.execCommand("copy");
      }
      button.textContent = done ? "Copied" : "Selected";
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
  }
})();

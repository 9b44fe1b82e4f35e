// Shows the title of the bar that the pointer or the arrow keys have reached, below the chart. Without it, bars
// have their titles, and the tables have the same figures.
(() => {
  // What scrolls sideways must be reachable without a pointer.
  const reach = () => {
    for (const box of document.querySelectorAll(".scroll")) {
      if (box.scrollWidth > box.clientWidth) box.setAttribute("tabindex", "0");
      else box.removeAttribute("tabindex");
    }
  };
  reach();
  addEventListener("resize", reach);
  addEventListener("toggle", reach, true);
  document.documentElement.classList.add("scripted");
  for (const plot of document.querySelectorAll("svg.plot")) {
    const bars = [...plot.querySelectorAll("g[data-bar]")];
    const readout = plot.closest("figure").querySelector(".readout");
    if (!bars.length || !readout) continue;
    let at = -1;
    const show = (place) => {
      bars[at]?.classList.remove("at");
      at = place;
      bars[at].classList.add("at");
      readout.textContent = bars[at].querySelector("title").textContent;
    };
    plot.setAttribute("tabindex", "0");
    plot.addEventListener("pointerover", (event) => {
      const place = bars.indexOf(event.target.closest("g[data-bar]"));
      if (place >= 0) show(place);
    });
    plot.addEventListener("keydown", (event) => {
      const to = {
        ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1,
        PageDown: at + 10, PageUp: at - 10, Home: 0, End: bars.length - 1,
      }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      show(Math.min(Math.max(to, 0), bars.length - 1));
    });
  }
})();

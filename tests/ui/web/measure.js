// What a person would call broken on this page, as a list of sentences; measured, not styled.
(() => {
  const wide = document.documentElement.clientWidth, found = [];
  const name = (e) => `${e.tagName.toLowerCase()}[${e.dataset?.part || e.id || e.className || e.textContent.trim().slice(0, 20)}]`;
  const seen = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.closest(".sr, svg, [aria-hidden=true]");

  // The part of a rectangle that its scrolling or clipping ancestors let through.
  const clipped = (box, from) => {
    let { left, top, right, bottom } = box;
    for (let e = from; e && e !== document.documentElement; e = e.parentElement) {
      if (getComputedStyle(e).overflow === "visible") continue;
      const b = e.getBoundingClientRect();
      left = Math.max(left, b.left); right = Math.min(right, b.right);
      top = Math.max(top, b.top); bottom = Math.min(bottom, b.bottom);
    }
    return { left, top, right, bottom };
  };

  const controls = [...document.querySelectorAll("main button, main select, main input, main textarea, .top button")]
    .filter(seen);
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, parent = node.parentElement;
    if (!node.data.trim() || !parent.closest("main, .top") || !seen(parent)) continue;
    if (parent.closest("button, option, select, textarea, script, noscript, details:not([open]) > :not(summary)")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      texts.push({ box: clipped(box, parent), e: parent });
      const hidden = parent.closest(".meter, .badge, .status, h1, h2, p"); // these must not clip
      if (hidden && clipped(box, hidden).right < box.right - 1 && !parent.closest(".moves, .steps"))
        found.push(`${name(parent)} cuts off its text`);
    }
  }

  if (document.documentElement.scrollWidth > wide) found.push("the page scrolls sideways");
  for (const e of document.querySelectorAll("main section, .side, .moves, .lines, .bar, .more"))
    if (seen(e) && e.scrollWidth > e.clientWidth + 1) found.push(`${name(e)} scrolls sideways`);
  for (const e of controls) {
    const b = e.getBoundingClientRect();
    if (b.width < 16 || b.height < 16) found.push(`${name(e)} is only ${b.width} by ${b.height}`);
    if (b.left < -1 || b.right > wide + 1) found.push(`${name(e)} is outside the window`);
    if (e.tagName === "BUTTON" && e.scrollWidth > e.clientWidth + 1 && !e.matches(".row"))
      found.push(`${name(e)} cuts off its text`);
    const shown = e.tagName === "SELECT" ? e.selectedOptions[0]?.text : wide > 760 ? e.placeholder : "";
    if (shown && e.tagName !== "TEXTAREA") {
      const pen = document.createElement("canvas").getContext("2d");
      pen.font = getComputedStyle(e).font;
      if (pen.measureText(shown).width > b.width - (e.tagName === "SELECT" ? 34 : 20))
        found.push(`${name(e)} cuts off ${shown}`);
    }
  }
  for (const { box, e } of texts)
    if (box.left < -1 || box.right > wide + 1) found.push(`${name(e)}: a text is outside the window`);

  const boxes = [...texts, ...controls.map((e) => ({ box: clipped(e.getBoundingClientRect(), e.parentElement), e }))];
  for (const [i, one] of boxes.entries())
    for (const two of boxes.slice(i + 1)) {
      if (one.e.contains(two.e) || two.e.contains(one.e)) continue;
      const across = Math.min(one.box.right, two.box.right) - Math.max(one.box.left, two.box.left);
      const down = Math.min(one.box.bottom, two.box.bottom) - Math.max(one.box.top, two.box.top);
      if (across > 2 && down > 4) found.push(`${name(one.e)} lies over ${name(two.e)}`);
    }
  return [...new Set(found)];
})()

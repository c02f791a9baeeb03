// Steps through a recorded search: one module for the page that opens from disk, for the studio and
// for notebooks. Every step lists what it changes in the picture; going back replays from the start,
// which is quick because a step is a handful of small changes.

const ROW = 28, PAUSE = 1100, ADDRESS_DELAY = 250;
const PARTS = `
<section class="tree" data-part="tree" tabindex="0" aria-label="search tree"></section>
<aside>
<div class="now" aria-live="polite" aria-atomic="true"><p data-part="count"></p>
<p data-part="words"></p></div>
<dl class="window" data-part="window"><dt>α</dt><dd data-part="alpha"></dd><dt>β</dt>
<dd data-part="beta"></dd><dd data-part="whose"></dd></dl>
<div class="steps" data-part="steps" role="group" aria-label="all steps">
<div data-part="rows"></div></div>
</aside>
<nav aria-label="stepping">
<input type="range" data-part="slider" min="0" value="0" step="1" aria-label="step">
<div class="buttons">
<button data-part="first" aria-label="first step" title="first (Home)">|◀</button>
<button data-part="back" aria-label="one step back" title="back (←)">◀</button>
<button data-part="play" aria-label="play" title="play or pause (space)">▶\uFE0E play</button>
<button data-part="next" aria-label="next step" title="next (→)">▶</button>
<button data-part="last" aria-label="last step" title="last (End)">▶|</button>
<label>speed <select data-part="speed"><option value="0.5">½×</option>
<option value="1" selected>1×</option><option value="2">2×</option><option value="4">4×</option>
<option value="10">10×</option></select></label>
<span class="zoom"><button data-part="smaller" aria-label="smaller tree">−</button>
<button data-part="fit" aria-label="fit the tree to the window">fit</button>
<button data-part="larger" aria-label="larger tree">+</button></span>
</div>
</nav>`;

// What is there already is not set again: a jump back looks at every node.
function put(element, names) {
  if (element.getAttribute("class") !== names) element.setAttribute("class", names);
}
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// The looks of the picture at any step, and its painting.
class Picture {
  constructor(svg, steps) {
    this.svg = svg;
    this.steps = steps;
    this.nodes = [];
    this.edges = [];
    this.start = [];
    for (const g of svg.querySelectorAll("g.n[data-n]")) {
      const i = +g.dataset.n, text = (name) => g.querySelector("text." + name);
      const node = { g, base: g.getAttribute("class").replace(" unseen", ""),
                     v: text("v"), w: text("w"), c: text("c") };
      this.nodes[i] = node;
      this.start[i] = { s: "unseen", v: node.v ? node.v.textContent : "", w: "", c: "",
                        b: null, x: 0, t: 0 };
    }
    for (const g of svg.querySelectorAll("g.e[data-n]")) this.edges[+g.dataset.n] = g;
    this.line = new Set();
    this.dirty = new Set();
    this.current = null;
    this.reset();
  }

  reset() {
    this.looks = this.start.map((look) => ({ ...look }));
    this.at = 0;
    for (const i of this.nodes.keys()) this.dirty.add(i);
  }

  go(k) {
    if (k < this.at) this.reset();
    while (this.at < k) {
      for (const [i, field, value] of this.steps[this.at++].d || []) {
        this.looks[i][field] = value;
        this.dirty.add(i);
      }
    }
    if (this.current !== null) this.dirty.add(this.current);
    this.current = k ? this.steps[k - 1].n : null;
    if (this.current !== null) this.dirty.add(this.current);
    this.paint();
  }

  bestLine() {
    const found = new Set(), looks = this.looks;
    if (!looks.length || looks[0].b === null) return found;
    for (let i = 0; i !== null && !found.has(i); i = looks[i].b) found.add(i);
    return found;
  }

  paint() {
    const before = this.line, line = this.line = this.bestLine();
    for (const i of before) if (!line.has(i)) this.dirty.add(i);
    for (const i of line) if (!before.has(i)) this.dirty.add(i);
    for (const i of this.dirty) this.paintNode(i);
    this.dirty.clear();
  }

  paintNode(i) {
    const node = this.nodes[i], look = this.looks[i], names = [];
    if (look.x) names.push("struck"); else if (look.s !== "done") names.push(look.s);
    if (this.line.has(i) && !look.x) names.push("pv");
    if (i === this.current) names.push("cur");
    put(node.g, [node.base, ...names].join(" "));
    if (node.v && !node.base.includes("stub")) write(node.v, look.v);
    if (node.w) write(node.w, look.w);
    if (node.c) write(node.c, look.c);
    if (!this.edges[i]) return;
    const edge = names.filter((n) => n === "struck" || n === "pv" || n === "unseen");
    if (look.t) edge.push("top");
    put(this.edges[i], ["e", ...edge].join(" "));
  }
}

function sentence(step) {
  return step.m > 1 ? step.t + ": " + step.m.toLocaleString("en") + " steps" : step.t;
}

// The list of steps: only the rows in view exist.
class Rows {
  constructor(list, rows, steps, choose) {
    Object.assign(this, { list, rows, steps, at: 0 });
    rows.style.height = steps.length * ROW + "px";
    list.addEventListener("scroll", () => this.draw(), { passive: true });
    rows.addEventListener("click", (e) => {
      const row = e.target.closest("[data-step]");
      if (row) choose(+row.dataset.step);
    });
  }

  draw() {
    const { list, rows, steps } = this;
    const from = Math.max(0, Math.floor(list.scrollTop / ROW) - 5);
    const to = Math.min(steps.length, from + Math.ceil(list.clientHeight / ROW) + 10);
    const focused = rows.contains(document.activeElement) && document.activeElement.dataset.step;
    const made = [];
    for (let k = from; k < to; k++) made.push(this.row(k));
    rows.replaceChildren(...made);
    if (!focused) return;
    const again = rows.querySelector('[aria-current], [data-step="' + focused + '"]');
    if (again) again.focus({ preventScroll: true });
  }

  row(k) {
    const row = document.createElement("button"), number = document.createElement("i");
    row.className = "row " + (this.steps[k].k === "cut" ? "cut" : "");
    row.style.top = k * ROW + "px";
    row.style.paddingLeft = 10 + Math.min(this.steps[k].i, 8) * 9 + "px";
    row.dataset.step = k + 1;
    row.tabIndex = k + 1 === this.at ? 0 : -1;
    if (k + 1 === this.at) row.setAttribute("aria-current", "step");
    number.textContent = k + 1;
    row.append(number, sentence(this.steps[k]));
    row.title = sentence(this.steps[k]);
    return row;
  }

  show(k) {
    this.at = k;
    const top = (k - 1) * ROW, list = this.list;
    if (top < list.scrollTop || top + ROW > list.scrollTop + list.clientHeight)
      list.scrollTop = Math.max(0, top - list.clientHeight / 2);
    this.draw();
  }
}

// Builds the stepper in `root` for `data` ({steps, up, windows}) and the picture `svg`. `address`:
// the step is kept in the page's address. `onStep(k)` hears of every move. Returns go and destroy.
export function mount(root, data, { svg = root.querySelector("svg.zt"), address = false,
                                    keys = root, onStep = null } = {}) {
  const { steps, up, windows } = data;
  root.classList.add("stepper");
  root.innerHTML = PARTS;
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const tree = part("tree"), slider = part("slider"), ending = new AbortController();
  tree.append(svg);
  const natural = { w: svg.viewBox.baseVal.width, h: svg.viewBox.baseVal.height };
  const picture = new Picture(svg, steps);
  const rows = new Rows(part("steps"), part("rows"), steps, (k) => { stop(); go(k); });
  const listen = (on, what, how) => on.addEventListener(what, how, { signal: ending.signal });

  // -- going somewhere
  let at = 0, noted = null;
  function go(k) {
    at = k = Math.max(0, Math.min(steps.length, k | 0));
    picture.go(k);
    tell(k);
    showCurrent();
    rows.show(k);
    if (address) noteAddress();
    if (onStep) onStep(k);
  }

  function noteAddress() { // browsers forbid doing this at every move of the slider
    clearTimeout(noted);
    noted = setTimeout(() => {
      try { history.replaceState(null, "", "#step=" + at); } catch { /* some viewers forbid it */ }
    }, ADDRESS_DELAY);
  }

  function tell(k) {
    const { current, looks } = picture;
    part("count").textContent = "step " + k + " of " + steps.length;
    part("words").textContent = k ? sentence(steps[k - 1]) : "Press next, → or play to begin.";
    // a leaf has no window of its own: show the one it was looked at with
    let whose = current;
    while (whose !== null && !looks[whose].w) whose = up[whose];
    const seen = whose === null ? "" : looks[whose].w;
    part("window").hidden = !windows;
    part("window").style.visibility = seen ? "visible" : "hidden";
    part("whose").textContent = whose === current ? "" : "(above)";
    const [alpha, beta] = seen ? seen.slice(1, -1).split(", ") : ["", ""];
    part("alpha").textContent = alpha;
    part("beta").textContent = beta;
    slider.value = k;
    slider.setAttribute("aria-valuetext", "step " + k + " of " + steps.length);
    part("first").disabled = part("back").disabled = k === 0;
    part("last").disabled = part("next").disabled = k === steps.length;
    if (k === steps.length) stop();
  }

  function showCurrent() {
    if (picture.current === null) return;
    const box = picture.nodes[picture.current].g.getBoundingClientRect();
    const frame = tree.getBoundingClientRect();
    const dx = box.left + box.width / 2 - frame.left - frame.width / 2;
    const dy = box.top + box.height / 2 - frame.top - frame.height / 2;
    const out = box.left < frame.left + 20 || box.right > frame.right - 20;
    const off = box.top < frame.top + 20 || box.bottom > frame.bottom - 20;
    if (out || off) tree.scrollBy({ left: out ? dx : 0, top: off ? dy : 0 });
  }

  // -- playing
  let timer = null;
  function stop() {
    clearTimeout(timer);
    timer = null;
    part("play").textContent = "▶\uFE0E play";
    part("play").setAttribute("aria-label", "play");
  }
  function tick() {
    timer = setTimeout(tick, PAUSE / +part("speed").value);
    go(at + 1);
  }
  function play() {
    if (timer !== null) return stop();
    if (at === steps.length) go(0);
    if (!steps.length) return;
    part("play").textContent = "❚❚ pause";
    part("play").setAttribute("aria-label", "pause");
    tick();
  }

  // -- size
  let zoom = 1;
  function resize(to) {
    zoom = Math.max(0.2, Math.min(4, to));
    svg.setAttribute("width", natural.w * zoom);
    svg.setAttribute("height", natural.h * zoom);
    showCurrent();
  }
  function fit() {
    const scale = Math.min((tree.clientWidth - 4) / natural.w, (tree.clientHeight - 4) / natural.h);
    // a tree that would be too small to read is scrolled instead
    resize(scale < 0.62 ? 0.85 : Math.min(2.4, scale));
  }

  const byHand = (k) => () => { stop(); go(k()); };
  const actions = {
    first: byHand(() => 0), back: byHand(() => at - 1), next: byHand(() => at + 1),
    last: byHand(() => steps.length), play, fit,
    smaller: () => resize(zoom / 1.25), larger: () => resize(zoom * 1.25),
  };
  for (const name of Object.keys(actions)) listen(part(name), "click", actions[name]);
  slider.max = steps.length;
  let wanted = null;
  listen(slider, "input", () => { // one jump a frame, however fast the hand is
    stop();
    if (wanted === null) requestAnimationFrame(() => { const k = wanted; wanted = null; go(k); });
    wanted = +slider.value;
  });
  const names = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
  listen(keys, "keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || !(e.key in names)) return;
    if (e.target.closest("select, input, textarea")) return;
    if (e.key === " " && e.target.closest("button")) return; // the button takes it
    e.preventDefault();
    actions[names[e.key]]();
  });
  function fromAddress() {
    const m = address && /[#&]step=(\d+)/.exec(location.hash);
    return m ? +m[1] : 0;
  }
  if (address) listen(window, "hashchange", () => { if (fromAddress() !== at) go(fromAddress()); });
  listen(window, "resize", () => { fit(); rows.draw(); });
  fit();
  go(fromAddress());
  return { go, fit, play, destroy: () => { stop(); clearTimeout(noted); ending.abort(); } };
}

const THEMES = ["auto", "light", "dark"];
// Goes on to the next theme of the page and its pictures; says which.
export function nextTheme(root = document.documentElement) {
  const next = THEMES[(THEMES.indexOf(root.dataset.theme) + 1) % 3];
  setTheme(next, root);
  return next;
}
export function setTheme(theme, root = document.documentElement) {
  root.dataset.theme = THEMES.includes(theme) ? theme : "auto";
  for (const svg of root.querySelectorAll("svg.zt")) {
    svg.classList.remove(...THEMES);
    svg.classList.add(root.dataset.theme);
  }
}

// Steps through a recorded search: one module for the page that opens from disk, for the studio and
// for notebooks. In a jump all places are read before anything is written, so that the browser lays
// the page out once.
import { Picture, put } from "./steps_picture.js";

const ROW = 28, PAUSE = 1100, ADDRESS_DELAY = 250;
const PARTS = `
<section class="tree" data-part="tree" tabindex="0" aria-label="search tree"></section>
<aside>
<div class="now" aria-live="polite" aria-atomic="true"><p data-part="count"></p>
<p data-part="words"></p></div>
<dl class="window" data-part="window"><dt>α</dt><dd data-part="alpha"></dd><dt>β</dt>
<dd data-part="beta"></dd><dd data-part="whose"></dd></dl>
<div class="steps" data-part="steps" role="group" aria-label="all steps">
<div><div data-part="rows"></div></div></div>
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

function sentence(step) {
  return step.m > 1 ? step.t + ": " + step.m.toLocaleString("en") + " steps" : step.t;
}

// The list of steps: only the rows in view exist.
class Rows {
  constructor(list, rows, choose) {
    Object.assign(this, { list, rows, steps: [], made: [], at: 0 });
    list.addEventListener("scroll", () => this.draw(), { passive: true });
    rows.addEventListener("click", (e) => {
      const row = e.target.closest("[data-step]");
      if (row) choose(+row.dataset.step);
    });
  }

  fill(steps) {
    this.steps = steps;
    this.rows.parentNode.style.height = steps.length * ROW + "px";
    this.measure();
  }

  measure() { this.height = this.list.clientHeight; }

  draw(top = this.list.scrollTop) {
    const { rows, steps, made } = this;
    const from = Math.max(0, Math.floor(top / ROW) - 1);
    const count = Math.min(steps.length - from, Math.ceil(this.height / ROW) + 2);
    const focused = rows.contains(document.activeElement) && +document.activeElement.dataset.step;
    while (made.length < count) made.push(this.make());
    rows.style.transform = `translateY(${from * ROW}px)`; // one move, the rows keep their places
    made.forEach((row, n) => this.write(row, n < count ? from + n : -1));
    if (!focused) return;
    const there = made.find((r) => +r.dataset.step === (this.at || focused) && !r.hidden);
    there?.focus({ preventScroll: true });
  }

  make() {
    const row = document.createElement("button"), number = document.createElement("i");
    row.append(number, "");
    this.rows.append(row);
    return row;
  }

  write(row, k) {
    row.hidden = k < 0;
    if (k < 0) return;
    const step = this.steps[k], current = k + 1 === this.at;
    put(row, "row" + (step.k === "cut" ? " cut" : "") + " in" + Math.min(step.i, 8));
    if (+row.dataset.step !== k + 1 || row.step !== step) {
      row.dataset.step = row.firstChild.textContent = k + 1;
      row.lastChild.nodeValue = row.title = sentence(step);
      row.step = step;
    }
    row.tabIndex = current ? 0 : -1;
    if (current) row.setAttribute("aria-current", "step"); else row.removeAttribute("aria-current");
  }

  // Moves row k into view; where the list then stands.
  scroll(k) {
    this.at = k;
    const top = (k - 1) * ROW, now = this.list.scrollTop;
    if (top >= now && top + ROW <= now + this.height) return now;
    return this.list.scrollTop = Math.max(0, Math.floor(top - this.height / 2));
  }
}

// Builds the stepper in `root` for `data` ({steps, up, node, box, windows}) and the picture `svg`.
// `address`: the step is kept in the page's address. `onStep(k)` hears of every move. `onFold`, where
// given, hears what to open or close: ({node, open, count}). Returns go, fit, replace, events and destroy.
export function mount(root, data, { svg = root.querySelector("svg.zt"), address = false,
                                    keys = root, onStep = null, onFold = null } = {}) {
  let steps, picture, natural, parents;
  root.classList.add("stepper");
  root.classList.toggle("folds", Boolean(onFold));
  root.innerHTML = PARTS;
  const parts = Object.fromEntries([...root.querySelectorAll("[data-part]")].map((e) => [e.dataset.part, e]));
  const part = (name) => parts[name];
  const tree = part("tree"), slider = part("slider"), ending = new AbortController();
  const rows = new Rows(part("steps"), part("rows"), (k) => { stop(); go(k); });
  const listen = (on, what, how) => on.addEventListener(what, how, { signal: ending.signal });

  function take(next, drawn) {
    data = next;
    steps = data.steps;
    parents = new Set(data.up);
    svg = drawn;
    natural = { w: svg.viewBox.baseVal.width, h: svg.viewBox.baseVal.height };
    picture = new Picture(svg, data);
    tree.replaceChildren(svg);
    slider.max = steps.length;
    rows.fill(steps);
    if (onFold) handles();
  }

  // -- going somewhere
  let at = 0, noted = null;
  function go(k) {
    at = k = Math.max(0, Math.min(steps.length, k | 0));
    picture.go(k);
    const top = rows.scroll(k);
    showCurrent();
    look();
    tell(k);
    rows.draw(top);
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
    while (whose !== null && !looks[whose].w) whose = data.up[whose];
    const seen = whose === null ? "" : looks[whose].w;
    part("window").hidden = !data.windows;
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

  // -- what is in sight
  const view = { left: 0, top: 0, w: 0, h: 0 };
  function measure() {
    Object.assign(view, { w: tree.clientWidth, h: tree.clientHeight });
    rows.measure();
  }
  // How far the picture is moved right and down: in the middle where it is smaller than the frame.
  const moved = () => ({ x: Math.max(0, (view.w - natural.w * zoom) / 2),
                         y: Math.max(0, (view.h - natural.h * zoom) / 2) });
  function scroll(left, top) {
    tree.scrollTo({ left, top, behavior: "instant" });
    Object.assign(view, { left: tree.scrollLeft, top: tree.scrollTop });
  }
  function look() {
    const { x, y } = moved(), ready = Picture.MARGIN;
    const left = (view.left - x - ready) / zoom, top = (view.top - y - ready) / zoom;
    picture.see(left, top, left + (view.w + 2 * ready) / zoom, top + (view.h + 2 * ready) / zoom);
  }
  function showCurrent() {
    if (picture.current === null) return;
    const spot = picture.spot(picture.current), { x, y } = moved();
    const px = x + spot.x * zoom - view.left, py = y + spot.y * zoom - view.top;
    const out = px - spot.left * zoom < 20 || px + spot.right * zoom > view.w - 20;
    const off = py - 24 * zoom < 20 || py + 24 * zoom > view.h - 20;
    if (out || off)
      scroll(view.left + (out ? px - view.w / 2 : 0), view.top + (off ? py - view.h / 2 : 0));
  }
  let waiting = false;
  listen(tree, "scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      Object.assign(view, { left: tree.scrollLeft, top: tree.scrollTop });
      look();
    });
  });

  // -- opening and closing
  let handle = 0;
  const isStub = (i) => data.node[i] < 0;
  const inner = (i) => isStub(i) || parents.has(i);
  function handles() { // one spot is on the way of the Tab key, arrows lead to the others
    svg.setAttribute("role", "group");
    hold(Math.max(0, data.node.findIndex((n) => n < 0)));
  }
  function hold(i) {
    const old = picture.nodes[handle]?.g, { g } = picture.nodes[i];
    if (old !== g) for (const name of ["tabindex", "role", "aria-label"]) old?.removeAttribute(name);
    handle = picture.held = i;
    g.setAttribute("tabindex", "0");
    g.setAttribute("role", "button");
    const title = g.querySelector("title")?.textContent || "";
    g.setAttribute("aria-label", `${isStub(i) ? "open" : "fold"}: ${title}`);
  }
  function walk(by) {
    let i = handle + by;
    while (i > 0 && i < data.node.length && !inner(i)) i += by;
    if (i < 0 || i >= data.node.length) return;
    hold(i);
    look();
    picture.nodes[i].g.focus();
  }
  function fold(i) {
    const stub = isStub(i), node = stub ? ~data.node[i] : data.node[i];
    if (!inner(i)) return;
    const parent = stub ? data.up[i] : i;
    const count = data.node.filter((n, k) => n >= 0 && data.up[k] === parent).length;
    hold(i);
    onFold({ node, open: stub, count });
  }
  if (onFold) {
    listen(tree, "click", (e) => {
      const g = e.target.closest("g.n[data-n]");
      if (g) { stop(); fold(+g.dataset.n); }
    });
    listen(tree, "keydown", (e) => {
      if (!e.target.closest("g.n") || e.ctrlKey || e.metaKey || e.altKey) return;
      if (e.key === "Enter") { stop(); fold(handle); }
      else if (e.key === "ArrowDown" || e.key === "ArrowUp") walk(e.key === "ArrowDown" ? 1 : -1);
      else return;
      e.preventDefault();
    });
  }
  // Another folding of the same search; `node` stays where it is on the screen.
  function replace(next, drawn, node) {
    const events = at ? steps[at - 1].e : 0, held = svg.contains(document.activeElement);
    const old = picture.spot(data.node.indexOf(node)), before = moved();
    const px = before.x + old.x * zoom - view.left, py = before.y + old.y * zoom - view.top;
    take(next, drawn);
    resize(zoom, false);
    const i = Math.max(0, data.node.indexOf(node)), spot = picture.spot(i), { x, y } = moved();
    scroll(x + spot.x * zoom - px, y + spot.y * zoom - py);
    at = events ? steps.filter((s) => s.e <= events).length : 0;
    picture.go(at);
    look();
    tell(at);
    rows.draw(rows.scroll(at));
    const below = data.up.findIndex((u, k) => u === i && isStub(k));
    hold(below < 0 ? i : below);
    look();
    if (held) picture.nodes[handle].g.focus({ preventScroll: true });
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
  function resize(to, show = true) {
    zoom = Math.max(0.2, Math.min(4, to));
    svg.setAttribute("width", natural.w * zoom);
    svg.setAttribute("height", natural.h * zoom);
    measure();
    Object.assign(view, { left: tree.scrollLeft, top: tree.scrollTop });
    if (show) showCurrent();
    look();
  }
  function fit() {
    measure();
    const scale = Math.min((view.w - 4) / natural.w, (view.h - 4) / natural.h);
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
  listen(window, "beforeprint", () => picture.all());
  take(data, svg);
  fit();
  scroll((natural.w * zoom - view.w) / 2, 0); // the root stands in the middle
  go(steps.length === 1 ? 1 : fromAddress()); // a tree without steps is only looked at
  const events = () => at && at < steps.length ? steps[at - 1].e : null; // null: not on the way
  return { go, fit, play, replace, events,
           destroy: () => { stop(); clearTimeout(noted); ending.abort(); } };
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

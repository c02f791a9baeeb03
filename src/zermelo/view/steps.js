// Steps through a recorded search. Every step lists what it changes in the picture; going back
// replays from the start, which is quick because a step is a handful of small changes.
(() => {
"use strict";
const $ = (id) => document.getElementById(id);
const { steps, up, windows } = JSON.parse($("data").textContent);
const svg = document.querySelector("svg.zt");
const tree = $("tree"), list = $("steps"), rows = $("rows"), slider = $("slider");
const ROW = 28, PAUSE = 1100;
const natural = { w: svg.viewBox.baseVal.width, h: svg.viewBox.baseVal.height };

// -- the picture ------------------------------------------------------------------------------
const nodes = [], edges = [], start = [];
for (const g of svg.querySelectorAll("g.n[data-n]")) {
  const i = +g.dataset.n, text = (name) => g.querySelector("text." + name);
  nodes[i] = { g, base: g.getAttribute("class").replace(" unseen", ""),
               v: text("v"), w: text("w"), c: text("c") };
  start[i] = { s: "unseen", v: nodes[i].v ? nodes[i].v.textContent : "", w: "", c: "",
               b: null, x: 0, t: 0 };
}
for (const g of svg.querySelectorAll("g.e[data-n]")) edges[+g.dataset.n] = g;

const fresh = () => start.map((look) => ({ ...look }));
let looks = fresh(), at = 0, line = new Set(), current = null;
const dirty = new Set(nodes.keys());

function apply(step) {
  for (const [i, field, value] of step.d || []) { looks[i][field] = value; dirty.add(i); }
}

function bestLine() {
  const found = new Set();
  if (!looks.length || looks[0].b === null) return found;
  for (let i = 0; i !== null && !found.has(i); i = looks[i].b) found.add(i);
  return found;
}

function paint() {
  const before = line;
  line = bestLine();
  for (const i of before) if (!line.has(i)) dirty.add(i);
  for (const i of line) if (!before.has(i)) dirty.add(i);
  for (const i of dirty) {
    const node = nodes[i], look = looks[i], names = [];
    if (look.x) names.push("struck"); else if (look.s !== "done") names.push(look.s);
    if (line.has(i) && !look.x) names.push("pv");
    if (i === current) names.push("cur");
    node.g.setAttribute("class", [node.base, ...names].join(" "));
    if (node.v && !node.base.includes("stub")) node.v.textContent = look.v;
    if (node.w) node.w.textContent = look.w;
    if (node.c) node.c.textContent = look.c;
    if (edges[i]) {
      const edge = names.filter((n) => n === "struck" || n === "pv" || n === "unseen");
      if (look.t) edge.push("top");
      edges[i].setAttribute("class", ["e", ...edge].join(" "));
    }
  }
  dirty.clear();
}

// -- going somewhere --------------------------------------------------------------------------
function go(k, follow = true) {
  k = Math.max(0, Math.min(steps.length, k | 0));
  if (k < at) { looks = fresh(); at = 0; for (const i of nodes.keys()) dirty.add(i); }
  while (at < k) apply(steps[at++]);
  if (current !== null) dirty.add(current);
  current = k ? steps[k - 1].n : null;
  if (current !== null) dirty.add(current);
  paint();
  tell(k);
  if (follow) { showCurrent(); showRow(k); }
  drawRows();
  try { history.replaceState(null, "", "#step=" + k); } catch (e) { /* some viewers forbid it */ }
}

function sentence(step) {
  return step.m > 1 ? step.t + ": " + step.m.toLocaleString("en") + " steps" : step.t;
}

function tell(k) {
  $("count").textContent = "step " + k + " of " + steps.length;
  $("words").textContent = k ? sentence(steps[k - 1]) : "Press next, → or play to begin.";
  // a leaf has no window of its own: show the one it was looked at with
  let whose = current;
  while (whose !== null && !looks[whose].w) whose = up[whose];
  const seen = whose === null ? "" : looks[whose].w;
  $("window").hidden = !windows;
  $("window").style.visibility = seen ? "visible" : "hidden";
  $("whose").textContent = whose === current ? "" : "(above)";
  const [alpha, beta] = seen ? seen.slice(1, -1).split(", ") : ["", ""];
  $("alpha").textContent = alpha;
  $("beta").textContent = beta;
  slider.value = k;
  slider.setAttribute("aria-valuetext", "step " + k + " of " + steps.length);
  $("first").disabled = $("back").disabled = k === 0;
  $("last").disabled = $("next").disabled = k === steps.length;
  if (k === steps.length) stop();
}

function showCurrent() {
  if (current === null) return;
  const box = nodes[current].g.getBoundingClientRect(), frame = tree.getBoundingClientRect();
  const dx = box.left + box.width / 2 - frame.left - frame.width / 2;
  const dy = box.top + box.height / 2 - frame.top - frame.height / 2;
  const out = box.left < frame.left + 20 || box.right > frame.right - 20;
  const off = box.top < frame.top + 20 || box.bottom > frame.bottom - 20;
  if (out || off) tree.scrollBy({ left: out ? dx : 0, top: off ? dy : 0 });
}

// -- the list of steps: only the rows in view exist --------------------------------------------
rows.style.height = steps.length * ROW + "px";

function drawRows() {
  const from = Math.max(0, Math.floor(list.scrollTop / ROW) - 5);
  const to = Math.min(steps.length, from + Math.ceil(list.clientHeight / ROW) + 10);
  const focused = document.activeElement && document.activeElement.dataset.step;
  const made = [];
  for (let k = from; k < to; k++) {
    const row = document.createElement("button"), number = document.createElement("i");
    row.className = "row " + (steps[k].k === "cut" ? "cut" : "");
    row.style.top = k * ROW + "px";
    row.style.paddingLeft = 10 + Math.min(steps[k].i, 8) * 9 + "px";
    row.dataset.step = k + 1;
    row.tabIndex = k + 1 === at ? 0 : -1;
    if (k + 1 === at) row.setAttribute("aria-current", "step");
    number.textContent = k + 1;
    row.append(number, sentence(steps[k]));
    row.title = sentence(steps[k]);
    made.push(row);
  }
  rows.replaceChildren(...made);
  if (focused) {
    const again = rows.querySelector('[aria-current], [data-step="' + focused + '"]');
    if (again) again.focus({ preventScroll: true });
  }
}

function showRow(k) {
  const top = (k - 1) * ROW;
  if (top < list.scrollTop || top + ROW > list.scrollTop + list.clientHeight)
    list.scrollTop = Math.max(0, top - list.clientHeight / 2);
}

list.addEventListener("scroll", drawRows, { passive: true });
rows.addEventListener("click", (e) => {
  const row = e.target.closest("[data-step]");
  if (row) { stop(); go(+row.dataset.step); }
});

// -- playing -----------------------------------------------------------------------------------
let timer = null;
function stop() {
  clearTimeout(timer);
  timer = null;
  $("play").textContent = "▶\uFE0E play";
  $("play").setAttribute("aria-label", "play");
}
function tick() {
  timer = setTimeout(tick, PAUSE / +$("speed").value);
  go(at + 1);
}
function play() {
  if (timer !== null) return stop();
  if (at === steps.length) go(0);
  if (!steps.length) return;
  $("play").textContent = "❚❚ pause";
  $("play").setAttribute("aria-label", "pause");
  tick();
}

// -- size and colours --------------------------------------------------------------------------
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
const themes = ["auto", "light", "dark"];
function theme() {
  const root = document.documentElement;
  const next = themes[(themes.indexOf(root.dataset.theme) + 1) % 3];
  root.dataset.theme = next;
  svg.classList.remove(...themes);
  svg.classList.add(next);
  $("theme").textContent = "theme: " + next;
}

const byHand = (k) => () => { stop(); go(k()); };
const actions = {
  first: byHand(() => 0), back: byHand(() => at - 1), next: byHand(() => at + 1),
  last: byHand(() => steps.length), play, theme, fit,
  smaller: () => resize(zoom / 1.25), larger: () => resize(zoom * 1.25),
};
for (const id of Object.keys(actions)) $(id).addEventListener("click", actions[id]);
slider.max = steps.length;
slider.addEventListener("input", () => { stop(); go(+slider.value); });
const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || !(e.key in keys)) return;
  if (e.target.closest("select, input")) return;
  if (e.key === " " && e.target.closest("button")) return; // the button takes it
  e.preventDefault();
  actions[keys[e.key]]();
});

function fromAddress() {
  const m = /[#&]step=(\d+)/.exec(location.hash);
  return m ? +m[1] : 0;
}
window.addEventListener("hashchange", () => { if (fromAddress() !== at) go(fromAddress()); });
window.addEventListener("resize", () => { fit(); drawRows(); });
fit();
go(fromAddress());
})();

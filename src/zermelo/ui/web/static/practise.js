// Practise: a generated exercise, answered on the tree or in fields, checked up to the first mistake.
// The server keeps nothing: the exercise is sent back with the answer.

import { post, sentence } from "./api.js";
import { make, parts, picture, themed } from "./dom.js";
import { fillOption } from "./setup.js";

const RECIPE = `
<form class="bar" data-part="recipe">
<label>Type <select data-part="kind"><option value="">two players</option>
<option value="chance">chance nodes</option><option value="players">three players</option></select></label>
<label>Depth <input type="number" data-part="depth" value="3" min="1" max="6"></label>
<label>Branching <select data-part="branching"><option>2</option><option value="2,3">2 to 3</option>
<option>3</option></select></label>
<label>Root <select data-part="root"><option value="max">MAX</option><option value="min">MIN</option></select></label>
<label>Cutoffs <select data-part="cuts"><option value="">any number</option><option>0</option>
<option>1</option><option selected>2</option><option>3</option><option>4</option></select></label>
<label>Cut when <select data-part="cut"></select></label>
<label class="check"><input type="checkbox" data-part="above"> a cutoff above the leaves</label>
<label>Seed <input data-part="seed" size="9" maxlength="60" placeholder="random"></label>
<button type="submit" class="key">New exercise</button>
</form>
<p class="error" data-part="error" role="alert"></p>`;
const EXERCISE = `
<p data-part="task"></p>
<div class="practise-table">
<div class="practise-tree" data-part="tree"></div>
<form class="side" data-part="answer" autocomplete="off">
<p class="soft" data-part="how">Click a branch to prune it. Click the leaves in the order in which they are
visited. Or type the answers below. Keyboard: arrow keys move, x prunes, Enter selects.</p>
<div data-part="values-box"><h2>Values</h2><div class="tools" data-part="values"></div></div>
<div data-part="cuts-box"><h2>Pruned branches</h2><input data-part="cuts-field" aria-label="Pruned branches"
 placeholder="e.g. e f"></div>
<div data-part="order-box"><h2>Leaf order</h2><input data-part="order-field"
 aria-label="Leaves in the order in which they are visited" placeholder="e.g. a b c"></div>
<div data-part="move-box"><h2>Best move at the root</h2><select data-part="move"
 aria-label="Best move at the root"></select></div>
<p class="tools"><button type="submit" class="key">Check</button>
<button type="button" data-part="reveal">Show solution</button>
<button type="button" data-part="clear">Clear</button></p>
<p class="status" data-part="status" role="status" aria-live="polite"></p>
<p class="words" data-part="why"></p>
<p class="soft" data-part="score"></p>
</form></div>
<div class="practise-tree" data-part="key" hidden></div>`;

const PARTS = { values: "values", cuts: "pruned branches", order: "leaf order", move: "best move" };
const words = (text) => text.split(/[\s,;]+/).filter(Boolean);

class Practise {
  constructor(root) {
    root.innerHTML = RECIPE + `<div data-part="exercise" hidden>${EXERCISE}</div>`;
    root.classList.add("practise");
    this.part = parts(root);
    this.sheet = new CSSStyleSheet(); // the page's policy lets no inline style through
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.sheet];
    this.css = "";
    this.done = [0, 0]; // right, tried
    const on = (name, what, how) => this.part(name).addEventListener(what, how);
    on("kind", "change", () => this.limit());
    on("recipe", "submit", (e) => { e.preventDefault(); this.ask(); });
    on("answer", "submit", (e) => { e.preventDefault(); this.check(false); });
    on("reveal", "click", () => this.check(true));
    on("clear", "click", () => this.clear());
    on("cuts-field", "input", () => this.paint());
    on("order-field", "input", () => this.paint());
    document.addEventListener("themechange", () => this.dress());
  }

  dress() { this.sheet.replaceSync(themed(this.css)); }

  limit() { // cutoffs are counted in trees of two players without chance only
    const kind = this.part("kind").value;
    for (const name of ["cuts", "above"]) this.part(name).disabled = kind !== "";
    this.part("root").disabled = kind === "players";
  }

  recipe() {
    const of = (name) => this.part(name).value, kind = of("kind");
    const [low, high = low] = of("branching").split(",").map(Number);
    const recipe = { depth: +of("depth"), branching: [low, high], cut: of("cut"), root: of("root") };
    if (kind === "chance") recipe.chance = true;
    if (kind === "players") { recipe.players = 3; recipe.root = "max"; recipe.values = [0, 9]; }
    if (!kind && of("cuts") !== "") recipe.cuts = +of("cuts");
    if (!kind && this.part("above").checked) recipe.above = true;
    if (of("cut") !== this.part("cut").dataset.default) recipe.ties = true; // or it would not matter
    if (of("seed").trim()) recipe.seed = of("seed").trim();
    return recipe;
  }

  // -- a new exercise
  async ask() {
    const made = await this.tried(() => post("/api/practise/new", this.recipe()));
    if (made) this.show(made);
  }

  async tried(what) {
    this.part("error").textContent = "";
    try { return await what(); } catch (e) {
      this.part("error").textContent = sentence(e);
      return null;
    }
  }

  show(made) {
    this.made = made;
    this.byName = new Map(made.nodes.map((n) => [n.name, { ...n, below: [] }]));
    for (const n of this.byName.values()) if (n.parent !== null) this.byName.get(n.parent).below.push(n.name);
    this.part("exercise").hidden = false;
    this.part("task").textContent = made.task;
    const { svg, css } = picture(made.svg);
    this.css = css;
    this.dress();
    this.svg = svg;
    this.part("tree").replaceChildren(svg);
    for (const name of ["values", "cuts", "order", "move"])
      this.part(name + "-box").hidden = !made.parts.includes(name);
    this.part("values").replaceChildren(...made.inner.map((name) => {
      const field = make("input", { size: 6, maxLength: 40 });
      field.dataset.value = name;
      field.addEventListener("input", () => this.paint());
      field.addEventListener("focus", () => this.light(name));
      return make("label", {}, `${name} `, field);
    }));
    this.part("move").replaceChildren(make("option", { value: "", textContent: "choose …" }),
      ...made.moves.map((name) => make("option", { value: name, textContent: name })));
    this.wire();
    this.clear();
  }

  // -- the tree is clicked and walked
  wire() {
    this.groups = new Map();
    for (const { name, at, parent } of this.byName.values()) {
      const node = this.svg.querySelector(`g.n[data-n="${at}"]`);
      const edge = this.svg.querySelector(`g.e[data-n="${at}"]`);
      this.groups.set(name, { node, edge });
      node.setAttribute("tabindex", parent === null ? "0" : "-1");
      node.setAttribute("role", "button");
      node.addEventListener("click", () => this.press(name));
      node.addEventListener("keydown", (e) => this.key(e, name));
      node.addEventListener("focus", () => this.light(name));
      if (!edge) continue;
      const wide = edge.querySelector(".b").cloneNode();
      wide.setAttribute("class", "hit"); // a thin line is hard to hit
      edge.prepend(wide);
      edge.addEventListener("click", () => this.strike(name));
    }
  }

  press(name) {
    if (this.byName.get(name).player === "leaf") this.take(name);
    else this.part("values").querySelector(`[data-value="${name}"]`)?.focus();
  }

  key(e, name) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const { parent, below } = this.byName.get(name);
    const beside = parent === null ? [name] : this.byName.get(parent).below, at = beside.indexOf(name);
    const to = { ArrowUp: parent, ArrowDown: below[0], ArrowLeft: beside[at - 1],
                 ArrowRight: beside[at + 1] };
    if (e.key in to) {
      if (to[e.key]) this.walk(to[e.key]);
    } else if (e.key === "x" && parent !== null) this.strike(name);
    else if (e.key === "Enter" || e.key === " ") this.press(name);
    else return;
    e.preventDefault();
  }

  walk(name) {
    for (const { node } of this.groups.values()) node.setAttribute("tabindex", "-1");
    const { node } = this.groups.get(name);
    node.setAttribute("tabindex", "0");
    node.focus();
  }

  strike(name) { this.toggle("cuts-field", name, "cuts"); }
  take(name) { this.toggle("order-field", name, "order"); }

  toggle(field, name, part) {
    if (!this.made.parts.includes(part)) return;
    const list = words(this.part(field).value);
    const next = list.includes(name) ? list.filter((w) => w !== name) : [...list, name];
    this.part(field).value = next.join(" ");
    this.paint();
  }

  // -- what is written shows on the tree
  answer() {
    const made = {};
    const has = (name) => this.made.parts.includes(name);
    if (has("values")) {
      made.values = {};
      for (const f of this.part("values").querySelectorAll("[data-value]"))
        if (f.value.trim()) made.values[f.dataset.value] = f.value.trim();
    }
    if (has("cuts")) made.cuts = words(this.part("cuts-field").value);
    if (has("order")) made.order = words(this.part("order-field").value);
    if (has("move")) made.move = this.part("move").value;
    return made;
  }

  paint() {
    const { values = {}, cuts = [], order = [] } = this.answer();
    const off = new Set();
    const drop = (name) => { off.add(name); this.byName.get(name).below.forEach(drop); };
    cuts.filter((name) => this.byName.has(name)).forEach(drop);
    for (const [name, { node, edge }] of this.groups) {
      node.classList.toggle("struck", off.has(name));
      edge?.classList.toggle("struck", off.has(name));
      edge?.classList.toggle("crossed", cuts.includes(name));
      this.mark(node, "mine", values[name] || "");
      const turn = order.indexOf(name);
      this.mark(node, "turn", turn < 0 ? "" : String(turn + 1));
      node.setAttribute("aria-label", this.describe(name, values[name], cuts.includes(name), turn));
    }
  }

  mark(node, kind, text) {
    let label = node.querySelector(`text.${kind}`);
    if (!label) {
      if (!text) return;
      label = document.createElementNS("http://www.w3.org/2000/svg", "text");
      label.setAttribute("class", kind);
      const box = node.querySelector(".s").getBBox(), middle = box.y + box.height / 2;
      const down = node.matches(".max") ? 13 : node.matches(".min") ? -2 : 5; // where it is widest
      label.setAttribute("x", box.x + box.width / 2);
      label.setAttribute("y", kind === "turn" ? box.y + box.height + 14 : middle + down);
      node.append(label);
    }
    label.textContent = text;
  }

  describe(name, value, cut, turn) {
    const { player } = this.byName.get(name);
    const leaf = player === "leaf";
    const shown = leaf ? this.groups.get(name).node.querySelector("text.v")?.textContent : value;
    return [leaf ? `leaf ${name}` : name === "root" ? `${player} at the root` : `${player} at ${name}`,
      shown ? `value ${shown}` : "", cut ? "pruned" : "",
      turn >= 0 ? `visited as number ${turn + 1}` : ""].filter(Boolean).join(", ");
  }

  light(name) {
    for (const [other, { node }] of this.groups) node.classList.toggle("lit", other === name);
  }

  clear() {
    for (const f of this.part("answer").querySelectorAll("input, select")) f.value = "";
    for (const name of ["status", "why", "score"]) this.part(name).textContent = "";
    this.part("key").hidden = true;
    this.paint();
  }

  // -- checking
  async check(reveal) {
    const sent = { exercise: this.made.exercise, answer: this.answer(), reveal };
    const marks = await this.tried(() => post("/api/practise/check", sent));
    if (!marks) return;
    this.part("key").hidden = !reveal;
    if (reveal) this.part("key").replaceChildren(picture(marks.svg).svg);
    else {
      this.done = [this.done[0] + (marks.right ? 1 : 0), this.done[1] + 1];
    }
    const [slip] = marks.slips;
    this.part("status").textContent = marks.right ? "Correct." :
      `Not correct yet: ${PARTS[slip.part] || slip.part}${slip.node ? ` at ${slip.node}` : ""}.`;
    this.part("why").textContent = slip ? slip.reason : "";
    const percent = (share) => `${Math.round(100 * share)}%`;
    const each = Object.entries(marks.parts).map(([n, v]) => `${PARTS[n] || n} ${percent(v)}`);
    this.part("score").textContent = `Score: ${percent(marks.score)} (${each.join(", ")}). `
      + `Correct so far: ${this.done[0]} of ${this.done[1]}.`;
    if (slip && this.groups.has(slip.node)) this.light(slip.node);
    this.part(reveal ? "key" : "score").scrollIntoView({ block: "nearest" });
  }
}

export async function mount(root) {
  const href = new URL("practise.css", import.meta.url).href;
  document.head.append(make("link", { rel: "stylesheet", href }));
  const practise = new Practise(root);
  await fillOption(practise.part("cut"), "cut");
  await practise.ask();
  return practise;
}

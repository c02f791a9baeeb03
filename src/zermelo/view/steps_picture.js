// The picture of a search at any step. Every step lists what it changes, with what was there before,
// so going back costs as much as going on; only what is in sight is in the document and painted.

const FEW = 300; // spots that are always in the document

// What is there already is not set again.
export function put(element, names) {
  if (element.getAttribute("class") !== names) element.setAttribute("class", names);
}
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export class Picture {
  static MARGIN = 80; // pixels beyond the frame that are kept ready

  constructor(svg, { steps, up, box }) {
    Object.assign(this, { svg, steps, up, box, nodes: [], edges: [], current: null, at: 0,
                          held: -1 }); // held: a spot that stays in the document
    this.looks = [];
    for (const g of svg.querySelectorAll("g.n[data-n]")) {
      const text = (name) => g.querySelector("text." + name);
      const node = { g, base: g.getAttribute("class").replace(" unseen", ""),
                     v: text("v"), w: text("w"), c: text("c") };
      this.nodes[+g.dataset.n] = node;
      this.looks[+g.dataset.n] = { s: g.classList.contains("unseen") ? "unseen" : "done",
                                   v: node.v ? node.v.textContent : "", w: "", c: "",
                                   b: null, x: 0, t: 0 };
    }
    for (const g of svg.querySelectorAll("g.e[data-n]")) this.edges[+g.dataset.n] = g;
    this.line = new Set();
    this.dirty = new Set(this.nodes.keys());
    this.shown = new Set(this.nodes.keys()); // spots whose groups are in the document
    this.edged = new Set(this.edges.keys());
    this.many = this.nodes.length > FEW;
    if (this.many) this.layers();
    this.remember();
  }

  // Edges lie below nodes, whatever comes into sight first.
  layers() {
    const layer = () => document.createElementNS(this.svg.namespaceURI, "g");
    const [below, above] = this.layer = [layer(), layer()];
    this.nodes[0].g.before(below, above);
    for (const g of [...this.edges, ...this.nodes.map((n) => n.g)]) g?.remove();
    this.shown.clear();
    this.edged.clear();
  }

  // What every change replaces, once: steps hold [spot, field, new, old].
  remember() {
    const looks = this.looks.map((look) => ({ ...look }));
    for (const { d } of this.steps)
      for (const change of d || []) {
        const [i, field, value] = change;
        change[3] = looks[i][field];
        looks[i][field] = value;
      }
  }

  go(k) {
    while (this.at < k)
      for (const [i, field, value] of this.steps[this.at++].d || []) this.set(i, field, value);
    while (this.at > k) {
      const d = this.steps[--this.at].d || [];
      for (let j = d.length - 1; j >= 0; j--) this.set(d[j][0], d[j][1], d[j][3]);
    }
    if (this.current !== null) this.dirty.add(this.current);
    this.current = k ? this.steps[k - 1].n : null;
    if (this.current !== null) this.dirty.add(this.current);
    const before = this.line, line = this.line = this.bestLine();
    for (const i of before) if (!line.has(i)) this.dirty.add(i);
    for (const i of line) if (!before.has(i)) this.dirty.add(i);
  }

  set(i, field, value) {
    this.looks[i][field] = value;
    this.dirty.add(i);
  }

  bestLine() {
    const found = new Set(), looks = this.looks;
    if (!looks.length || looks[0].b === null) return found;
    for (let i = 0; i !== null && !found.has(i); i = looks[i].b) found.add(i);
    return found;
  }

  // Where a spot stands: its middle, and how far it reaches to both sides.
  spot(i) { const [x, y, left, right] = this.box.slice(4 * i, 4 * i + 4); return { x, y, left, right }; }

  // Brings what meets this part of the picture (in its own units) into the document; paints it.
  see(x0, y0, x1, y1) {
    if (this.many) {
      const { box, up } = this, [below, above] = this.layer;
      for (let i = 0; i < this.nodes.length; i++) {
        const x = box[4 * i], y = box[4 * i + 1];
        const low = y + 40 > y0 && y - 40 < y1;
        this.keep(this.shown, i, this.nodes[i].g, above,
          i === this.held || low && x + box[4 * i + 3] > x0 && x - box[4 * i + 2] < x1);
        if (!this.edges[i]) continue;
        const px = box[4 * up[i]], py = box[4 * up[i] + 1];
        this.keep(this.edged, i, this.edges[i], below,
          y > y0 && py < y1 && Math.max(x, px) > x0 - 60 && Math.min(x, px) < x1 + 60);
      }
    }
    for (const i of this.dirty)
      if (this.shown.has(i) || this.edged.has(i)) { this.paint(i); this.dirty.delete(i); }
  }

  keep(set, i, g, layer, wanted) {
    if (wanted === set.has(i)) return;
    if (!wanted) { set.delete(i); g.remove(); return; }
    set.add(i);
    layer.append(g);
  }

  all() { this.see(-Infinity, -Infinity, Infinity, Infinity); } // for paper

  paint(i) {
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

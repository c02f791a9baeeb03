// Builds a tree by clicking: an outline of buttons and fields that writes the tree's text.
import { make } from "./dom.js";

const TOKEN = /\s*(?:(?:([\d./]+)\s*:\s*)?(?:([A-Za-z_][\w']*)\s*=\s*)?(?:([\d./]+)\s*:\s*)?(?:(max|min|chance|p[1-9]\d?)(#\w+)?\s*\(|([-+−]?[\d.][\d.eE+/-]*)(?=[\s()]|$)|\(([^()]*)\))|(\)))/y;
const MOST = 200; // nodes: larger trees are typed

// The text as nested nodes {kind, label, name, odds, value, children}; null where it cannot be read.
export function parse(text) {
  const open = [];
  let root = null, at = 0;
  while (text.slice(at).trim()) {
    TOKEN.lastIndex = at;
    const m = TOKEN.exec(text);
    if (!m) return null;
    at = TOKEN.lastIndex;
    const [, odds, name, odds2, kind, label, number, tuple, close] = m;
    if (close) { if (!open.length) return null; open.pop(); continue; }
    const node = { kind: kind || "leaf", label: label || "", name: name || "",
                   odds: odds || odds2 || "", value: number ?? (tuple !== undefined ? `(${tuple})` : ""),
                   children: [] };
    if (open.length) open.at(-1).children.push(node);
    else if (root) return null;
    else root = node;
    if (kind) open.push(node);
  }
  return open.length ? null : root;
}

export function write(node) {
  const head = (node.odds ? `${node.odds}:` : "") + (node.name ? `${node.name}=` : "");
  if (node.kind === "leaf") return head + (node.value || "0");
  return `${head}${node.kind}${node.label}(${node.children.map(write).join(" ")})`;
}

const count = (node) => 1 + node.children.reduce((sum, c) => sum + count(c), 0);
const leaf = (like) => ({ kind: "leaf", label: "", name: "", odds: "", value: like, children: [] });

export class Editor {
  constructor(host, changed) {
    Object.assign(this, { host, changed, root: null });
  }

  read(text) {
    this.root = text.length < 20000 ? parse(text) : null;
    this.draw();
  }

  draw() {
    if (!this.root) {
      const begin = make("button", { type: "button", textContent: "Start over" });
      begin.addEventListener("click", () => {
        this.root = { ...leaf("0"), kind: "max", children: [leaf("3"), leaf("5")] };
        this.tell();
      });
      return this.host.replaceChildren("The text above is not a complete tree. ", begin);
    }
    if (count(this.root) > MOST)
      return this.host.replaceChildren(`Trees with more than ${MOST} nodes can only be edited as text.`);
    return this.host.replaceChildren(make("ul", { className: "outline" }, this.item(this.root, null)));
  }

  tell() {
    const focus = document.activeElement?.dataset?.key;
    this.draw();
    if (focus) this.host.querySelector(`[data-key="${focus}"]`)?.focus();
    this.changed(write(this.root));
  }

  item(node, parent, key = "0") {
    const row = make("span", { className: "node" });
    if (parent?.kind === "chance") row.append(this.field(node, "odds", "probability", key, "1/2"));
    row.append(this.kind(node, key));
    if (node.kind === "leaf") row.append(this.field(node, "value", "value", key, "0"));
    else if (node.kind !== "chance") row.append(this.field(node, "label", "information set", key, "#"));
    const button = (text, label, how) => {
      const made = make("button", { type: "button", textContent: text, title: label });
      made.setAttribute("aria-label", label);
      made.dataset.key = `${key}${text}`;
      made.addEventListener("click", how);
      row.append(made);
    };
    button("+", "add a child", () => this.grow(node));
    if (parent && parent.children.length > 1) button("×", "delete", () => {
      parent.children.splice(parent.children.indexOf(node), 1);
      this.tell();
    });
    const below = node.children.map((c, i) => this.item(c, node, `${key}-${i}`));
    return make("li", {}, row, ...(below.length ? [make("ul", {}, ...below)] : []));
  }

  grow(node) {
    const like = this.firstLeaf(this.root) || "0";
    if (node.kind === "leaf") {
      const value = node.value;
      Object.assign(node, { kind: this.turned(node), value: "", children: [leaf(value)] });
    } else {
      node.children.push(leaf(like.startsWith("(") ? like : "0"));
      for (const c of node.children) if (node.kind === "chance") c.odds = "";
    }
    this.tell();
  }

  turned(node) { // a new node below MAX is MIN's, and the other way round
    const above = this.parentOf(this.root, node);
    return above?.kind === "max" ? "min" : above?.kind === "min" ? "max" : above?.kind || "max";
  }

  parentOf(at, node) {
    if (at.children.includes(node)) return at;
    for (const c of at.children) { const found = this.parentOf(c, node); if (found) return found; }
    return null;
  }

  firstLeaf(node) { return node.kind === "leaf" ? node.value : this.firstLeaf(node.children[0]); }

  kind(node, key) {
    const kinds = ["max", "min", "chance", "p1", "p2", "p3", "leaf"];
    if (!kinds.includes(node.kind)) kinds.push(node.kind);
    const select = make("select", {}, ...kinds.map((k) => make("option", { value: k, textContent: k })));
    select.value = node.kind;
    select.setAttribute("aria-label", "kind of node");
    select.dataset.key = `${key}kind`;
    select.addEventListener("change", () => {
      const like = this.firstLeaf(this.root);
      if (select.value === "leaf") Object.assign(node, { children: [], value: like });
      else if (node.kind === "leaf") node.children = [leaf(node.value)];
      node.kind = select.value;
      this.tell();
    });
    return select;
  }

  field(node, name, label, key, hint) {
    const input = make("input", { value: node[name], size: 5, maxLength: 60, placeholder: hint });
    input.setAttribute("aria-label", label);
    input.dataset.key = `${key}${name}`;
    if (name === "label") input.title = "Nodes with the same label belong to one information set";
    input.addEventListener("change", () => {
      const text = input.value.trim();
      node[name] = name !== "label" ? text : text.replace(/\W/g, "").replace(/^(?=.)/, "#");
      this.tell();
    });
    return input;
  }
}

// A board: the game's own picture, its squares clicked or dragged between, values drawn on it.
import { make, picture, themed } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const CSS = `
:host{display:block}
svg{width:100%;height:auto;max-height:inherit;display:block;touch-action:manipulation;
 user-select:none;-webkit-user-select:none}
.place{fill:transparent;cursor:default}
.place.can{cursor:pointer}
.place.can:hover{fill:#1d6fb833}
.place.last{fill:#e8c53155}
.place.sel{fill:#1d6fb866;stroke:#1d6fb8;stroke-width:3}
.place.to{fill:#1d6fb833;stroke:#1d6fb8;stroke-width:2;stroke-dasharray:4 3}
.worth{pointer-events:none}
.worth text{font:700 12px system-ui,sans-serif;text-anchor:middle;fill:#fff;dominant-baseline:central}
.worth.good rect,.worth .good{fill:#14568f;stroke:#14568f}
.worth.even rect,.worth .even{fill:#55606e;stroke:#55606e}
.worth.bad rect,.worth .bad{fill:#a34a00;stroke:#a34a00}
.worth.best rect{stroke:#fff;stroke-width:2}
.worth line{opacity:.6;stroke-linecap:round}
.worth.worth rect.heat{fill:#ffb000;stroke:none}
.worth circle{stroke:#fff;stroke-opacity:.5}
.worth circle.top{fill:#14568f}.worth circle.near{fill:#2f6f3e}.worth circle.far{fill:#8a4b00}
.worth.best circle{stroke:#fff;stroke-opacity:1;stroke-width:2.5}
.worth .rate{font-size:10px}.worth .count{font-size:7.5px;font-weight:600}
.owners{pointer-events:none}.owners rect{stroke-width:.7;stroke-opacity:.55}`;

const element = (name, attributes) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

export class Board {
  // choose(index) hears of a move; which(indices) when a click may mean several; illegal(square)
  // when a click on one square would be a move in this game, but is none here
  constructor(host, choose, which, illegal) {
    Object.assign(this, { host, choose, which, illegal, moves: [], path: [], marks: [] });
    this.root = host.attachShadow({ mode: "open" });
    this.sheet = new CSSStyleSheet();
    this.own = new CSSStyleSheet();
    this.own.replaceSync(CSS);
    this.root.adoptedStyleSheets = [this.sheet, this.own];
    this.root.addEventListener("pointerdown", (e) => this.down(e));
    this.root.addEventListener("pointerup", (e) => this.up(e));
    document.addEventListener("themechange", () => this.style());
  }

  show(view, mine = true) {
    const { svg, css } = picture(view.svg);
    this.css = css;
    this.style();
    this.moves = mine ? view.moves.flatMap(waysOf) : [];
    this.path = [];
    this.last = view.last || [];
    this.root.replaceChildren(svg || make("pre", { textContent: view.board }));
    this.svg = svg;
    if (!svg) return;
    const box = svg.viewBox.baseVal;
    this.host.parentElement.style.setProperty("--ratio", box.height ? box.width / box.height : 1);
    svg.setAttribute("aria-label", `board: ${view.board}`.slice(0, 900));
    this.paint();
  }

  clear() {
    Object.assign(this, { moves: [], path: [], last: [], svg: null });
    this.root.replaceChildren();
  }

  style() { this.sheet.replaceSync(themed(this.css || "")); }

  place(name) { return this.svg.querySelector(`[data-square="${CSS_escape(name)}"]`); }

  paint() {
    if (!this.svg) return;
    const at = this.path.length, next = new Set(), can = new Set();
    for (const { places, parts } of this.moves) {
      if (places.length) can.add(places[0]);
      if (at && this.path.every((p, i) => places[i] === p)) {
        next.add(places[at]);
        if (!parts) next.add(places[places.length - 1]);
      }
    }
    const drawn = this.svg.querySelector(".last:not(.place)"); // the game marks the last move itself
    for (const rect of this.svg.querySelectorAll("[data-square]")) {
      const name = rect.dataset.square, names = rect.classList;
      names.add("place");
      names.toggle("can", can.has(name) || next.has(name));
      names.toggle("sel", this.path.includes(name));
      names.toggle("to", at > 0 && next.has(name));
      const column = +rect.getAttribute("height") > 1.5 * +rect.getAttribute("width");
      names.toggle("last", this.last.includes(name) && !column && !drawn);
    }
  }

  down(e) {
    const name = e.target.dataset && e.target.dataset.square;
    this.pressed = name;
    if (name !== undefined) this.click(name);
  }

  up(e) { // let go on another square: a drag
    const under = this.root.elementFromPoint(e.clientX, e.clientY);
    const name = under && under.dataset ? under.dataset.square : undefined;
    if (name !== undefined && this.pressed !== undefined && name !== this.pressed && this.path.length)
      this.click(name);
    this.pressed = undefined;
  }

  click(name) {
    const way = [...this.path, name], once = (list) => [...new Set(list.map((m) => m.move))];
    const ends = (m) => !m.parts && this.path.length === 1 && m.places[0] === way[0] && m.places.at(-1) === name;
    const starts = this.moves.filter((m) => way.every((p, i) => m.places[i] === p));
    const whole = starts.filter((m) => m.places.length === way.length);
    const direct = this.moves.filter((m) => m.places.length > way.length && ends(m));
    const meant = once([...whole, ...direct]);
    if (meant.length === 1 && (starts.length === whole.length || direct.length))
      return this.finish(meant[0]);
    if (meant.length > 1) { this.path = []; this.paint(); return this.which(meant); }
    if (starts.length) this.path = way;
    else if (this.isPlacing()) this.illegal(name);
    else this.path = this.moves.some((m) => m.places[0] === name) && !this.path.includes(name) ? [name] : [];
    this.paint();
  }

  // Whether a move is a click on one square, as in Go; not where the only move is a roll of dice.
  isPlacing() {
    const on = this.moves.filter((m) => m.places.length && this.place(m.places[0]));
    return on.length > 0 && on.every((m) => m.places.length === 1);
  }

  finish(move) {
    this.path = [];
    this.paint();
    this.choose(move);
  }

  // -- values on the board: marks are {places, text, score (the mover's), best, heat}; heat is the
  // share of a search's visits, from 0 to 1 for the most visited
  mark(marks) {
    if (!this.svg) return;
    this.svg.querySelectorAll("g.worth").forEach((g) => g.remove());
    if (!marks.length) return;
    const seen = new Set(), below = element("g", { class: "worth" }); // lines lie under all values
    this.svg.append(below);
    for (const m of marks) {
      const places = m.places.filter((p) => this.place(p));
      if (!places.length || m.places.includes("")) continue; // several men: a table tells them
      const key = places.at(-1);
      const css = m.score === null ? "even" : m.score > 0.6 ? "good" : m.score < 0.4 ? "bad" : "even";
      const g = element("g", { class: `worth ${css}${m.best ? " best" : ""}` });
      const to = this.middle(places.at(-1));
      if (places.length > 1) {
        if (seen.size >= 4 && !m.best) continue; // more arrows than one can read
        const from = this.middle(places[0]), wide = m.heat === undefined ? 5 : 2 + 7 * m.heat;
        below.append(element("line", { class: css, x1: from.x, y1: from.y, x2: to.x, y2: to.y,
                                       "stroke-width": wide }));
      } else if (m.heat !== undefined && !m.disc) {
        const { x, y, width, height } = this.place(key).getBBox();
        g.append(element("rect", { class: "heat", x, y, width, height, "fill-opacity": 0.75 * m.heat }));
      }
      if (!seen.has(key)) {
        if (m.disc && places.length === 1 && !this.isColumn(key)) this.disc(g, to, m.disc);
        else this.label(g, to, m.text);
      }
      seen.add(key);
      this.svg.append(g);
    }
  }

  // A candidate of a search: win rate in percent, and visits below it.
  disc(g, { x, y, size }, { rate, count, rank }) {
    const scale = size / 30;
    const inner = element("g", { transform: `translate(${x} ${y}) scale(${scale})` });
    inner.append(element("circle", { class: rank, r: 14 }));
    for (const [text, css, at] of [[rate, "rate", count ? -3 : 0.5], [count, "count", 6.5]]) {
      const t = element("text", { class: css, x: 0, y: at });
      t.textContent = text;
      if (text) inner.append(t);
    }
    g.append(inner);
  }

  // -- who is expected to own the squares: from 1, the first player, to -1, the second
  showOwners(owners, [first, second]) {
    this.svg?.querySelectorAll("g.owners").forEach((g) => g.remove());
    if (!this.svg) return;
    const group = element("g", { class: "owners" });
    for (const [name, x] of Object.entries(owners)) {
      const place = this.place(name), size = Math.abs(x);
      if (!place) continue;
      const middle = this.middle(name), wide = 0.5 * middle.size * size;
      const mark = element("rect", { x: middle.x - wide / 2, y: middle.y - wide / 2, width: wide,
        height: wide, fill: x > 0 ? first : second, stroke: x > 0 ? second : first });
      mark.dataset.owner = name;
      group.append(mark);
    }
    this.svg.insertBefore(group, this.svg.querySelector("g.worth"));
  }

  label(g, { x, y, size }, text) {
    const shown = text.length > 7 ? text.slice(0, 6) + "…" : text;
    const wide = Math.max(18, 7.2 * shown.length + 8), scale = Math.min(1, (size * 0.96) / wide);
    const t = element("text", { x: 0, y: 0.5 });
    t.textContent = shown;
    const inner = element("g", { transform: `translate(${x} ${y}) scale(${scale})` });
    inner.append(element("rect", { x: -wide / 2, y: -10, width: wide, height: 20, rx: 6 }), t);
    g.append(inner);
  }

  isColumn(name) {
    const { width, height } = this.place(name).getBBox();
    return height > 1.5 * width;
  }

  middle(name) {
    const { x, y, width, height } = this.place(name).getBBox();
    const down = this.isColumn(name) ? width / 2 : height / 2; // a column: where a stone goes in
    return { x: x + width / 2, y: y + down, size: Math.max(width, 22) };
  }
}

// A move's squares in every order in which its parts may be played.
function waysOf({ places }, move) {
  const parts = places.join("\n").split("\n\n").map((p) => p.split("\n"));
  if (parts.length < 2) return [{ places, move }];
  const orders = (list) => list.length < 2 ? [list] : list.flatMap((part, i) =>
    orders(list.filter((_, k) => k !== i)).map((rest) => [part, ...rest]));
  const ways = new Map(orders(parts).map((order) => [order.flat().join("\n"), order.flat()]));
  return [...ways.values()].map((way) => ({ places: way, move, parts: true }));
}

function CSS_escape(name) { return String(name).replace(/["\\]/g, "\\$&"); }

// Trees: typed, built or taken from a game. The server searches once; the page steps through it.
import { get, post, postForFile, sentence } from "./api.js";
import { download, fill, make, parts, picture } from "./dom.js";
import { Editor } from "./editor.js";
import { catalog, fillGames, fillOption, putSpec } from "./setup.js";
import { mount } from "./steps.js";

const EXAMPLES = [
  ["max(min(3 12 8) min(2 4 6) min(14 5 2))", "two plies"],
  ["max(a=min(c=max(3 5) d=max(6 9)) b=min(e=max(1 2) f=max(0 -1)))", "three plies, named"],
  ["min(max(min(5 6) min(7 4 5)) max(min(3)) max(min(6) min(6 9)) max(min(7) min(5) min(9 8) min(6)))",
   "a deep cutoff"],
  ["max(chance(1/2:8 1/3:24 1/6:-12) chance(min(2 4) min(7 4)))", "chance nodes"],
  ["chance(H=max#H(bet=min#b(call=2 fold=1) pass=0) T=max#T(bet=min#b(call=-2 fold=1) pass=0))",
   "information sets"],
  ["p1(p2(p3((1,2,6) (4,2,3)) p3((6,1,2) (7,4,1))) p2(p3((5,1,1) (1,5,2)) p3((7,7,1) (5,4,5))))",
   "three players"],
];
const OPTIONS = ["cut", "fail"]; // of the algorithm; the server lists their choices
const WAIT = 450; // after the last key
const MORE = 24; // children that one click opens

export class Trees {
  constructor(root) {
    this.root = root;
    this.part = parts(root);
    this.mounted = [];
    this.sheets = new Map();
    this.from = null; // a game's position, when the tree is not typed
    this.part("text").addEventListener("input", () => { this.from = null; this.later(); });
    this.part("text").addEventListener("scroll", () => this.underline());
    this.part("example").addEventListener("change", () => this.show_example());
    for (const name of ["first", "second", ...OPTIONS, "nodes"])
      this.part(name).addEventListener("change", () => this.search());
    this.part("take").addEventListener("click", () => this.take());
    this.part("share").addEventListener("click", () => this.share());
    for (const kind of ["svg", "html", "txt"])
      this.part(kind).addEventListener("click", () => this.save(kind));
    this.part("png").addEventListener("click", () => this.png());
    this.editor = new Editor(this.part("edit"), (text) => this.put(text, true));
    this.part("editor").addEventListener("toggle", () => this.edit());
  }

  async start(query) {
    const { tracing } = await catalog();
    fill(this.part("example"), [["", "choose …"], ...EXAMPLES], "");
    fill(this.part("first"), [["auto", "auto"], ...tracing.map((n) => [n, n])], "auto");
    fill(this.part("second"), [["", "none"], ...tracing.map((n) => [n, n])], "");
    for (const name of OPTIONS) await fillOption(this.part(name), name);
    const { games } = await get("/api/tree/games"); // a hidden game has no single tree
    await fillGames(this.part("game"), null, games);
    this.read(query || new URLSearchParams());
  }

  read(query) {
    for (const [name, key] of [["first", "a"], ["second", "b"], ...OPTIONS.map((n) => [n, n])])
      if (query.get(key)) this.choose(this.part(name), query.get(key));
    if (query.get("game")) {
      putSpec(query.get("game"), this.part("game"));
      this.part("position").value = query.get("position") || "";
      this.part("depth").value = query.get("depth") || 2;
      return this.take();
    }
    return this.put(query.get("text") || EXAMPLES[0][0]);
  }

  choose(select, value) { // a link may be old, or mistyped
    if ([...select.options].some((o) => o.value === value)) select.value = value;
    else this.report(`Unknown option ${value} in the link, using ${select.value || "none"}.`);
  }

  // An example shows what its tree is for: the algorithm follows the tree.
  show_example() {
    this.part("first").value = "auto";
    return this.put(this.part("example").value);
  }

  address() {
    const query = new URLSearchParams(this.from ? { ...this.from } : { text: this.text() });
    for (const [name, key] of [["first", "a"], ["second", "b"]])
      if (this.part(name).value) query.set(key, this.part(name).value);
    for (const name of OPTIONS)
      if (this.part(name).value !== this.part(name).dataset.default)
        query.set(name, this.part(name).value);
    return query.toString();
  }

  text() { return this.part("text").value; }

  put(text, fromEditor = false) {
    if (!text) return null;
    this.from = null;
    this.part("text").value = text;
    if (!fromEditor) this.edit();
    return this.search();
  }

  edit() { if (this.part("editor").open) this.editor.read(this.text()); }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.edit(); this.search(); }, WAIT);
  }

  take() {
    this.from = { game: this.part("game").value, position: this.part("position").value,
                  depth: +this.part("depth").value || 2 };
    return this.search();
  }

  request(algorithm) {
    const tree = this.from || { text: this.text() };
    const options = Object.fromEntries(OPTIONS.map((name) => [name, this.part(name).value]));
    return { ...tree, algorithm, ...options, nodes: +this.part("nodes").value };
  }

  async search() {
    this.asking?.abort();
    const asking = this.asking = new AbortController();
    this.note("");
    try {
      const first = await this.searched("first", "auto", asking.signal);
      const second = await this.searched("second", "", asking.signal, first.fits);
      this.wrong(null);
      this.offer(first.fits, [first, second].some((one) => one?.options.includes("cut")));
      this.show([first, second].filter(Boolean));
      this.onAddress?.();
    } catch (e) {
      if (e.name !== "AbortError") this.wrong(e);
    }
  }

  // What the algorithm chosen in this field finds. One that does not support the tree is replaced.
  async searched(field, instead, signal, fits = null) {
    const name = this.part(field).value;
    const ask = (how) => how ? post("/api/tree", this.request(how), signal) : null;
    try { return await ask(name); } catch (e) {
      if (e.name === "AbortError" || e.body?.position !== undefined || name === instead) throw e;
      const found = await ask(instead); // fails as well where the tree itself is wrong
      if ((fits || found.fits).includes(name)) throw e; // it fits: something else went wrong
      this.part(field).value = instead;
      this.note(`${name} does not support this tree.` + (found ? ` Using ${found.algorithm}.` : ""));
      return found;
    }
  }

  // Algorithms that do not support the tree cannot be chosen.
  offer(fits, cuts) {
    for (const field of OPTIONS) this.part(field).disabled = !cuts;
    for (const field of ["first", "second"])
      for (const option of this.part(field).options)
        option.disabled = !["", "auto", ...fits].includes(option.value);
  }

  note(text) { this.part("note").textContent = text; }

  wrong(error) {
    this.error = error;
    const [message = ""] = error ? error.message.split("\n") : [];
    this.part("error").textContent = error ? sentence({ message, hint: error.hint }) : "";
    this.part("text").setAttribute("aria-invalid", Boolean(error));
    this.underline();
  }

  underline() { // the same text behind the field, with the offending place marked
    const back = this.part("back"), at = this.error?.body?.position, text = this.text();
    if (at === undefined || this.from) return back.replaceChildren();
    const end = at + Math.max(1, (/^[^\s(),]+/.exec(text.slice(at)) || [""])[0].length);
    back.replaceChildren(text.slice(0, at), make("mark", { textContent: text.slice(at, end) || " " }),
      text.slice(end));
    back.scrollTop = this.part("text").scrollTop;
    return null;
  }

  show(found) {
    for (const { stepper } of this.mounted) stepper.destroy();
    this.mounted = [];
    const hosts = found.map((data) => this.host(data));
    this.part("steppers").replaceChildren(...hosts.map((h) => h.box));
    this.part("steppers").classList.toggle("two", found.length > 1);
    for (const { root, svg, data } of hosts) {
      const one = { svg, data, opened: new Map(), closed: new Set() };
      one.stepper = mount(root, data, { svg, keys: found.length > 1 ? root : this.root,
                                        onFold: (what) => this.fold(one, what) });
      if (this.from) one.stepper.go(data.steps.length); // before, nothing of a game's tree is known
      this.mounted.push(one);
    }
  }

  // A folded box is opened, or a node closed over what hangs below it.
  async fold(one, { node, open, count }) {
    const opened = new Map(one.opened), closed = new Set(one.closed);
    if (!open) closed.add(node);
    else if (!closed.delete(node)) opened.set(node, count + MORE);
    const wishes = { nodes: +this.part("nodes").value, opened: [...opened], closed: [...closed] };
    this.report("");
    try {
      const data = await this.folded(one, wishes);
      Object.assign(one, { opened, closed });
      one.stepper.replace(data, this.drawn(data), node);
    } catch (e) { this.report(sentence(e)); }
  }

  async folded(one, wishes) {
    try { return await post("/api/tree/fold", { key: one.data.key, ...wishes }); } catch (e) {
      if (e.status !== 410) throw e; // else the server has put it away
      return post("/api/tree", { ...this.request(one.data.algorithm), ...wishes });
    }
  }

  drawn(data) {
    const { svg, css } = picture(data.svg);
    this.style(css);
    svg.classList.remove("auto");
    svg.classList.add(document.documentElement.dataset.theme);
    return svg;
  }

  host(data) {
    const svg = this.drawn(data);
    const { visited, saved, known, cut } = data.leaves;
    const leaves = known ? `${visited} of ${visited + saved} leaves` : `${visited} leaves`;
    const value = data.values.length > 2 ? `(${data.values.join(",")})` : data.value;
    const root = make("div");
    const box = make("article", {},
      make("h2", {}, data.algorithm, make("span", { className: "badge" }, `value ${value}`),
        make("span", { className: "badge" }, leaves),
        make("span", { className: "badge" }, cut === 1 ? "1 cutoff" : `${cut} cutoffs`)),
      root,
      make("details", {}, make("summary", { textContent: "Leaf order and explanation" }),
        make("p", { className: "order", textContent: data.order.join("  ") }),
        make("p", { className: "words", textContent: `${data.notes}\n${data.explain}` })));
    return { box, root, svg, data };
  }

  style(css) { // one sheet for each text of style, however many trees are drawn
    if (this.sheets.has(css)) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    this.sheets.set(css, sheet);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }

  // -- taking it elsewhere
  report(text) { this.part("report").textContent = text; }

  async share() {
    const link = `${location.origin}/#trees?${this.address()}`;
    try {
      await navigator.clipboard.writeText(link);
      this.report("Link copied.");
    } catch { this.report(link); }
  }

  async file(format) {
    const [{ opened, closed, stepper }] = this.mounted; // as it is seen: opened, and at its step
    const request = { ...this.request(this.part("first").value), opened: [...opened], closed: [...closed] };
    const step = stepper.events();
    if (format === "svg" && step !== null) request.step = step;
    return postForFile("/api/tree/export", { ...request, format });
  }

  async save(kind) {
    try { download(await this.file(kind === "txt" ? "text" : kind), `tree.${kind}`); } catch (e) {
      this.report(sentence(e));
    }
  }

  async png() {
    try {
      const svg = await (await this.file("svg")).text(), image = new Image();
      image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
      await image.decode();
      const canvas = make("canvas", { width: 2 * image.width, height: 2 * image.height });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
      if (!blob) throw new Error("the tree is too large for a PNG file");
      download(blob, "tree.png");
    } catch (e) { this.report(sentence(e)); }
  }

  hide() {}
  show_again() { for (const { stepper } of this.mounted) stepper.fit(); }
}

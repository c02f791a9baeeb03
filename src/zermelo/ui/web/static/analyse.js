// Analyse: a position in the game's notation, several lines, more time, and an explanation.
import { capital, Connection, post, sentence } from "./api.js";
import { Board } from "./board.js";
import { Estimate } from "./estimate.js";
import { askWhich, fill, make, parts } from "./dom.js";
import { headline, marksOf, needsTable, passOf, showCandidates, showMoves, showScore, showTable } from "./lines.js";
import { Record } from "./record.js";
import { about, catalog, fillGames, putSpec, specOf } from "./setup.js";

const NO_LINE = { moves: [], texts: [] };

export class Analyse {
  constructor(root) {
    this.root = root;
    this.part = parts(root);
    this.moves = [];
    this.line = NO_LINE; // the moves of the list: those played, and those taken back
    this.view = this.analysis = null;
    this.requests = 0; // positions requested, so that only the newest answer counts
    this.board = new Board(this.part("board"), (i) => this.move(i), (list) => this.which(list),
      (square) => this.illegal(square));
    this.estimate = new Estimate(this.part, this.board, () => this.place());
    this.record = new Record(this.part, {
      adopt: (record, line) => this.adopt(record, line),
      place: () => ({ ...this.place(), moves: this.line.moves }),
      fail: (e) => this.state(sentence(e)),
    });
    this.connection = new Connection((m) => this.receive(m));
    this.part("setup").addEventListener("submit", (e) => { e.preventDefault(); this.show_position(); });
    this.part("ask").addEventListener("submit", (e) => { e.preventDefault(); this.ask(); });
    this.part("deeper").addEventListener("click", () => this.deeper());
    this.part("stop").addEventListener("click", () => { this.connection.stop(); this.state("Stopped."); });
    this.part("undo").addEventListener("click", () => this.jump(this.moves.length - 1));
    this.part("forward").addEventListener("click", () => this.jump(this.moves.length + 1));
    this.part("pass").addEventListener("click", () => this.move(passOf(this.view.moves)));
    this.part("history").addEventListener("click", (e) => {
      const row = e.target.closest("li");
      if (row) this.jump([...row.parentElement.children].indexOf(row) + 1);
    });
    this.part("history").addEventListener("keydown", (e) => {
      const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[e.key];
      const to = { Home: 0, End: this.line.moves.length }[e.key] ?? (step && this.moves.length + step);
      if (to === undefined) return;
      e.preventDefault();
      this.jump(to);
    });
    this.part("roll").addEventListener("click", () => this.look(this.moves, true));
    for (const name of ["game", "options"])
      this.part(name).addEventListener("change", () => {
        if (name === "game") this.part("position").value = "";
        this.show_position();
      });
  }

  async start(query) {
    await fillGames(this.part("game"), this.part("options"));
    this.most = (await catalog()).limits.time;
    this.part("time").max = this.most;
    if (query?.get("game")) putSpec(query.get("game"), this.part("game"), this.part("options"));
    if (query?.get("position")) this.part("position").value = query.get("position");
    await this.show_position();
  }

  address() {
    const query = new URLSearchParams({ game: this.spec() });
    if (this.part("position").value) query.set("position", this.part("position").value);
    return query.toString();
  }

  place() { return { game: this.spec(), position: this.part("position").value, moves: this.moves }; }
  spec() { return specOf(this.part("game"), this.part("options")); }
  state(text) { this.part("status").textContent = text; }

  // -- the position
  async show_position() {
    const spec = this.spec();
    try {
      const facts = await about(spec);
      if (spec !== this.spec()) return;
      this.record.offer(facts.record);
      const auto = facts.auto ? [["auto", `auto (${facts.auto})`]] : [];
      fill(this.part("algorithm"), [...auto, ...facts.algorithms.map((a) => [a.name, a.name])],
        this.part("algorithm").value);
    } catch (e) {
      if (spec === this.spec()) this.fail(e);
      return;
    }
    this.line = NO_LINE;
    this.record.forget();
    await this.look([]);
    this.onAddress?.();
  }

  // A line of a game record.
  async adopt({ game, position }, line) {
    putSpec(game, this.part("game"), this.part("options"));
    this.part("position").value = position;
    this.record.offer((await about(this.spec())).record);
    this.line = line;
    await this.look(line.moves);
    this.onAddress?.();
  }

  // After this many moves of the list.
  jump(count) {
    if (count >= 0 && count <= this.line.moves.length) this.look(this.line.moves.slice(0, count));
  }

  async look(moves, roll = false) {
    this.connection.stop();
    const number = ++this.requests;
    const request = { ...this.place(), moves, roll };
    try {
      const view = await post("/api/position", request);
      if (number === this.requests) this.take(view);
    } catch (e) { if (number === this.requests) this.fail(e); }
  }

  take(view) {
    this.view = view;
    this.analysis = null;
    this.moves = view.played;
    if (!this.moves.every((move, i) => this.line.moves[i] === move))
      this.line = { moves: this.moves, texts: view.history };
    this.list();
    this.part("which").hidden = true;
    this.part("words").textContent = "";
    this.board.show(view);
    const { chance } = view;
    this.part("chance").hidden = !chance;
    this.part("moves-title").textContent = chance ? "Outcomes" : "Legal moves";
    if (chance) this.part("roll").textContent = chance.action;
    for (const button of this.part("ask").querySelectorAll("[type=submit], [data-part=deeper], [data-part=stop]"))
      button.disabled = view.player < 0;
    const ending = view.end ? `${view.outcome} (${view.end})` : view.outcome;
    this.state(view.over ? capital(ending) : chance ? `${chance.action} first.` :
      capital(`${view.sides[view.player]} to move.`));
    showScore(this.part("meter"), view.final, view);
    this.shown();
    this.estimate.show(view);
  }

  // The moves of the list, the last one played marked.
  list() {
    const at = this.moves.length;
    this.part("history").replaceChildren(...this.line.texts.map((textContent, i) =>
      make("li", { textContent, className: i + 1 === at ? "now" : i < at ? "" : "later" })));
    this.part("history").querySelector(".now")?.scrollIntoView({ block: "nearest" });
    this.part("undo").disabled = !at;
    this.part("forward").disabled = at === this.line.moves.length;
  }

  // No position can be shown: the old one must not stay beside the new game's name.
  fail(error) {
    this.requests++;
    this.connection.stop();
    this.view = this.analysis = null;
    this.moves = [];
    this.line = NO_LINE;
    this.list();
    this.estimate.show(null);
    this.board.clear();
    for (const name of ["moves", "lines", "words"]) this.part(name).replaceChildren();
    for (const name of ["which", "chance"]) this.part(name).hidden = true;
    for (const button of this.part("ask").querySelectorAll("button")) button.disabled = true;
    this.part("meter").hidden = true;
    this.state(sentence(error));
  }

  shown() {
    const choose = (i) => this.move(i), { view, analysis } = this;
    const outcomes = view.chance?.outcomes.map(({ text, odds }) => ({ text: `${text} (${odds})` }));
    if (analysis && needsTable(view.moves))
      showTable(this.part("moves"), view.moves, analysis, choose, view.sides[0]);
    else showMoves(this.part("moves"), outcomes || view.moves, analysis, choose, true);
    const pass = this.part("pass");
    pass.hidden = passOf(view.moves) < 0;
    showCandidates(this.part("lines"), analysis, Math.min(12, +this.part("lines-count").value), view);
    this.board.mark(marksOf(view, analysis, true).slice(0, +this.part("lines-count").value));
    this.part("meter").hidden = view.sides.length !== 2 || Boolean(analysis && analysis.score === null);
    if (analysis && analysis.score !== null) showScore(this.part("meter"), analysis.score, view);
  }

  move(i) { return this.look([...this.moves, i]); }

  async illegal(square) {
    const { view } = this;
    try {
      const { text } = await post("/api/illegal", { ...this.place(), square });
      if (view === this.view && text) this.state(`${text}.`);
    } catch (e) { if (view === this.view) this.state(sentence(e)); }
  }

  which(list) {
    const texts = list.map((i) => this.view.moves[i].text);
    askWhich(this.part("which"), texts, (k) => this.move(list[k]));
  }

  // -- the search
  ask() {
    if (!this.view) return;
    const time = Math.min(this.most, Math.max(0.05, +this.part("time").value || 1));
    this.state("Searching …");
    this.connection.ask({ do: "analyse", game: this.spec(), position: this.part("position").value,
                    moves: this.moves, algorithm: this.part("algorithm").value, time,
                    lines: +this.part("lines-count").value });
  }

  deeper() {
    const time = Math.min(this.most, 2 * (+this.part("time").value || 1));
    this.part("time").value = time;
    this.ask();
  }

  receive(message) {
    if (message.kind === "lost") return this.state("The server does not answer. Reconnecting …");
    if (message.kind === "again") return this.state("Connected again.");
    if (message.kind === "busy" || message.kind === "error") return this.state(sentence(message));
    if (!this.view || (message.kind !== "depth" && message.kind !== "done")) return null;
    this.analysis = message;
    this.shown();
    if (message.kind === "depth") return this.state(`Searching … depth ${message.depth}.`);
    this.part("words").textContent = message.explain;
    return this.state(headline(this.view, message));
  }

  hide() { this.connection.stop(); }
  show() {}
}

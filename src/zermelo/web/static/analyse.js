// Analyse: a position in its game's notation, several lines, deeper, and in words.
import { Line, post, sentence } from "./api.js";
import { Board } from "./board.js";
import { askWhich, fill, parts } from "./dom.js";
import { marksOf, needsTable, showLines, showMoves, showScore, showTable } from "./lines.js";
import { about, catalog, fillGames, putSpec, specOf } from "./setup.js";

export class Analyse {
  constructor(root) {
    this.root = root;
    this.part = parts(root);
    this.moves = [];
    this.board = new Board(this.part("board"), (i) => this.move(i), (list) => this.which(list));
    this.line = new Line((m) => this.hear(m));
    this.part("setup").addEventListener("submit", (e) => { e.preventDefault(); this.show_position(); });
    this.part("ask").addEventListener("submit", (e) => { e.preventDefault(); this.ask(); });
    this.part("deeper").addEventListener("click", () => this.deeper());
    this.part("stop").addEventListener("click", () => { this.line.stop(); this.state("Stopped."); });
    this.part("undo").addEventListener("click", () => this.back());
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

  spec() { return specOf(this.part("game"), this.part("options")); }
  state(text) { this.part("status").textContent = text; }

  async show_position() {
    this.moves = [];
    try {
      const facts = await about(this.spec());
      const auto = facts.auto ? [["auto", `auto (${facts.auto})`]] : [];
      fill(this.part("algorithm"), [...auto, ...facts.algorithms.map((a) => [a.name, a.name])],
        this.part("algorithm").value);
      await this.look();
      this.onAddress?.();
    } catch (e) { this.state(sentence(e)); }
  }

  async look() {
    this.line.stop();
    const asked = { game: this.spec(), position: this.part("position").value, moves: this.moves };
    try { this.take(await post("/api/position", asked)); } catch (e) {
      this.state(sentence(e));
      throw e;
    }
  }

  take(view) {
    this.view = view;
    this.told = null;
    this.part("which").hidden = true;
    this.part("words").textContent = "";
    this.part("undo").disabled = !this.moves.length;
    this.board.show(view);
    this.state(view.over ? "The game is over." : view.player < 0 ? "Chance moves here." :
      `${view.sides[view.player]} to move.`);
    this.shown();
  }

  shown() {
    const choose = (i) => this.move(i), { view, told } = this;
    if (told && needsTable(view.moves))
      showTable(this.part("moves"), view.moves, told, choose, view.sides[0]);
    else showMoves(this.part("moves"), view.moves, told, choose, true);
    showLines(this.part("lines"), this.told, 12);
    this.board.mark(marksOf(this.view, this.told).slice(0, +this.part("lines-count").value));
    if (this.told || this.view.sides.length !== 2)
      showScore(this.part("meter"), this.told ? this.told.score : null, this.view.sides);
  }

  async move(i) {
    this.moves.push(i);
    try { await this.look(); } catch { this.moves.pop(); }
  }

  async back() {
    this.moves.pop();
    await this.look();
  }

  which(list) {
    const texts = list.map((i) => this.view.moves[i].text);
    askWhich(this.part("which"), texts, (k) => this.move(list[k]));
  }

  ask() {
    const time = Math.min(this.most, Math.max(0.05, +this.part("time").value || 1));
    this.state("Searching …");
    this.line.ask({ do: "analyse", game: this.spec(), position: this.part("position").value,
                    moves: this.moves, algorithm: this.part("algorithm").value, time,
                    lines: +this.part("lines-count").value });
  }

  deeper() {
    const time = Math.min(this.most, 2 * (+this.part("time").value || 1));
    this.part("time").value = time;
    this.ask();
  }

  hear(message) {
    if (message.kind === "lost") return this.state("The server does not answer; trying again …");
    if (message.kind === "busy" || message.kind === "error") return this.state(sentence(message));
    if (message.kind !== "depth" && message.kind !== "done") return null;
    this.told = message;
    this.shown();
    if (message.kind === "depth") return this.state(`Searching … depth ${message.depth}.`);
    this.part("words").textContent = message.explain;
    const sure = message.sure === "exact" ? "for certain" : `looked ${message.depth} moves ahead`;
    return this.state(`${message.line[0] ?? ""}: ${message.value} for ${this.view.sides[0]}, ${sure}.`);
  }

  hide() { this.line.stop(); }
  show() {}
}

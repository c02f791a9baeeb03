// Play: any game against any algorithm that fits it, on a board that the server keeps.
import { get, Line, post, sentence } from "./api.js";
import { Board } from "./board.js";
import { askWhich, fill, make, parts } from "./dom.js";
import { marksOf, needsTable, showLines, showMoves, showScore, showTable } from "./lines.js";
import { about, fillGames, putSpec, specOf } from "./setup.js";

const STRENGTHS = [
  ["level=1", "level 1 (weak)"], ["level=3", "level 3"], ["level=5", "level 5"],
  ["level=7", "level 7"], ["level=10", "level 10"],
  ["time=0.2", "0.2 s a move"], ["time=1", "1 s a move"], ["time=5", "5 s a move"],
  ["time=20", "20 s a move"], ["depth=1", "1 move ahead"], ["depth=2", "2 moves ahead"],
  ["depth=4", "4 moves ahead"], ["depth=8", "8 moves ahead"],
];
const KEPT = "zermelo.play";

export class Play {
  constructor(root) {
    this.root = root;
    this.part = parts(root);
    this.view = this.told = null;
    this.board = new Board(this.part("board"), (i) => this.move(i), (list) => this.which(list));
    this.line = new Line((m) => this.hear(m));
    this.part("setup").addEventListener("submit", (e) => { e.preventDefault(); this.begin(); });
    this.part("game").addEventListener("change", () => this.offer());
    this.part("options").addEventListener("change", () => this.offer());
    this.part("undo").addEventListener("click", () => this.change("undo", {}));
    this.part("flip").addEventListener("click", () => this.flip());
    this.part("values").addEventListener("change", () => this.analyse());
    for (const name of ["opponent", "strength"])
      this.part(name).addEventListener("change", () => this.reseat());
    root.addEventListener("keydown", (e) => {
      if (e.key === "u" && !e.ctrlKey && !e.metaKey && !e.target.closest("input, select"))
        this.change("undo", {});
    });
  }

  async start(key) {
    await fillGames(this.part("game"), this.part("options"));
    fill(this.part("strength"), STRENGTHS, "time=1");
    await this.offer();
    const kept = key || this.kept();
    let lost = "";
    if (kept) {
      try { return await this.adopt(await get(`/api/plays/${encodeURIComponent(kept)}`)); } catch (e) {
        if (key) lost = e.message;
      }
    }
    await this.begin();
    if (lost && this.view) this.say(`${lost}, so this is a new game. ${this.part("status").textContent}`);
  }

  kept() {
    try { return sessionStorage.getItem(KEPT); } catch { return null; }
  }

  // -- the choices above the board
  async offer() {
    try {
      const facts = await about(specOf(this.part("game"), this.part("options")));
      this.facts = facts;
      const rows = [...facts.sides.map((name, i) => [String(i), name]), ["-1", "all sides"]];
      fill(this.part("side"), rows, this.part("side").value);
      const auto = facts.auto ? [["auto", `auto (${facts.auto})`]] : [];
      const names = facts.algorithms.map((a) => [a.name, a.name]);
      fill(this.part("opponent"), [...auto, ...names, ["person", "a person here"]],
        this.part("opponent").value);
    } catch (e) { this.say(sentence(e)); }
  }

  strength() {
    const [name, value] = this.part("strength").value.split("=");
    return { [name]: +value };
  }

  async begin() {
    const opponent = this.part("opponent").value;
    try {
      const asked = { game: specOf(this.part("game"), this.part("options")), opponent,
                      side: +this.part("side").value, ...this.strength() };
      await this.adopt(await post("/api/plays", asked));
    } catch (e) { this.say(sentence(e)); }
  }

  async adopt(view) {
    putSpec(view.game, this.part("game"), this.part("options"));
    await this.offer();
    this.part("side").value = String(view.side);
    this.part("opponent").value = view.opponent;
    const strength = view.level ? `level=${view.level}` : view.depth ? `depth=${view.depth}` :
      `time=${view.time}`;
    if (STRENGTHS.some(([value]) => value === strength)) this.part("strength").value = strength;
    try { sessionStorage.setItem(KEPT, view.id); } catch { /* private windows may forbid it */ }
    this.line.say({ do: "watch", play: view.id });
    this.take(view);
    this.onAddress?.();
  }

  address() { return this.view ? `id=${this.view.id}` : ""; }

  // -- what happens on the board
  take(view, again = false) {
    if (this.view && view.id === this.view.id && view.version < this.view.version) return;
    const same = this.view && view.id === this.view.id && view.version === this.view.version;
    if (same && !again) return; // the answer and the news of one change
    this.view = view;
    this.root.dataset.play = view.id;
    this.told = null;
    this.part("which").hidden = true;
    this.board.show(view, view.turn === "you");
    this.part("undo").disabled = !view.history.length;
    this.part("flip").disabled = view.side < 0 || view.sides.length < 2;
    const rows = view.history.map((m) => make("li", { textContent: m.text,
      className: m.player < 0 ? "chance" : `p${m.player}` }));
    this.part("history").replaceChildren(...rows);
    this.part("history").scrollTop = 1e6;
    this.status();
    this.shown();
    if (view.turn === "engine") this.go();
    else this.analyse();
  }

  status() {
    const { turn, sides, player, outcome, end, opponent } = this.view;
    if (turn === "over") this.say(end ? `${outcome} (${end})` : outcome);
    else if (turn === "engine") this.say(`${opponent} (${sides[player]}) is thinking …`);
    else if (this.view.side < 0) this.say(`${sides[player]} to move.`);
    else {
      const { heard } = this.view; // by who plays a game that hides something
      this.say(`Your move: you are ${sides[player]}.` + (heard ? ` You hear: ${heard}.` : ""));
    }
  }

  say(text) { this.part("status").textContent = text; }

  shown() {
    const { view, told } = this, mine = view.turn === "you";
    const values = this.part("values").checked;
    const shown = mine && values ? told : null, choose = (i) => this.move(i);
    if (shown && needsTable(view.moves))
      showTable(this.part("moves"), view.moves, shown, choose, view.sides[0]);
    else showMoves(this.part("moves"), view.moves, shown, choose, mine);
    showLines(this.part("lines"), told, values && !needsTable(view.moves) ? 8 : 3);
    this.part("meter").classList.toggle("turned", view.side === 1); // as the board is
    this.board.mark(mine && values ? marksOf(view, told) : []);
    const over = view.turn === "over" && view.utilities.length === 2;
    const sure = over ? (view.utilities[0] > view.utilities[1] ? 1 :
      view.utilities[0] < view.utilities[1] ? 0 : 0.5) : null;
    const score = told ? told.score : sure;
    const blind = this.facts.hidden; // a value would tell what is hidden
    this.part("values").disabled = blind;
    if (score !== null || view.sides.length !== 2 || blind)
      showScore(this.part("meter"), blind ? null : score, view.sides);
  }

  async move(move) {
    if (!this.view || this.view.turn !== "you") return;
    this.line.stop();
    await this.change("move", { move });
  }

  async change(what, body) {
    const { id, version } = this.view;
    this.line.stop();
    try {
      this.take(await post(`/api/plays/${id}/${what}`, { ...body, version }));
    } catch (e) {
      if (e.status === 409) {
        this.take(e.told, true);
        this.say("This game went on in another window; here it is.");
      } else {
        this.say(sentence(e));
        this.board.show(this.view, this.view.turn === "you");
      }
    }
  }

  flip() {
    const side = (this.view.side + 1) % this.view.sides.length;
    this.change("opponent", { side, opponent: this.view.opponent, ...this.strength() });
    this.part("side").value = String(side);
  }

  reseat() { // another opponent or strength, in the middle of the game
    if (!this.view || specOf(this.part("game"), this.part("options")) !== this.view.game) return;
    const opponent = this.part("opponent").value;
    const side = opponent === "person" ? -1 : Math.max(0, +this.part("side").value);
    this.change("opponent", { side, opponent, ...this.strength() });
    this.part("side").value = String(side);
  }

  which(list) {
    const texts = list.map((i) => this.view.moves[i].text);
    askWhich(this.part("which"), texts, (k) => this.move(list[k]));
  }

  // -- the engine
  go() { this.line.ask({ do: "go", play: this.view.id }); }

  analyse() {
    const { view } = this;
    if (!view || view.turn !== "you") return;
    if (!this.part("values").checked || this.facts.hidden) { this.line.stop(); this.shown(); return; }
    const algorithm = view.opponent === "mcts" ? "mcts" : this.facts.auto || "auto";
    this.line.ask({ do: "analyse", play: view.id, algorithm, time: 3, lines: 1000 });
  }

  hear(message) {
    if (message.kind === "play") return message.play.id === this.view?.id ? this.take(message.play) : null;
    if (message.kind === "lost") return this.say("The server does not answer; trying again …");
    if (message.kind === "again") return this.again();
    if (message.kind === "busy") return this.busy(message);
    if (message.kind === "error") return this.say(sentence(message));
    if (message.kind === "free" && this.view?.turn === "engine") return this.later(600);
    if (message.kind !== "depth" && message.kind !== "done") return null;
    this.told = message;
    return this.shown();
  }

  async again() {
    try { this.take(await get(`/api/plays/${this.view.id}`), true); } catch (e) { this.say(sentence(e)); }
  }

  busy(message) {
    this.say(sentence(message));
    if (this.view.turn === "engine") this.later(3000);
  }

  later(pause) { // unless the reply has come by then
    const { id, version } = this.view;
    setTimeout(() => {
      if (this.view.id === id && this.view.version === version && this.view.turn === "engine")
        this.go();
    }, pause);
  }

  hide() { this.line.stop(); }
  show() { if (this.view) this.again(); }
}

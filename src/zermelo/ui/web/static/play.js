// Play: a game against any algorithm that supports it. The server keeps the game.
import { capital, get, Connection, post, sentence } from "./api.js";
import { Board } from "./board.js";
import { Estimate } from "./estimate.js";
import { askWhich, fill, make, parts } from "./dom.js";
import { marksOf, passOf, needsTable, showLines, showMoves, showScore, showTable } from "./lines.js";
import { about, fillGames, putSpec, specOf } from "./setup.js";

const STRENGTHS = [
  ["level=1", "level 1 (weak)"], ["level=3", "level 3"], ["level=5", "level 5"],
  ["level=7", "level 7"], ["level=10", "level 10"],
  ["time=0.2", "0.2 s per move"], ["time=1", "1 s per move"], ["time=5", "5 s per move"],
  ["time=20", "20 s per move"], ["depth=1", "depth 1"], ["depth=2", "depth 2"],
  ["depth=4", "depth 4"], ["depth=8", "depth 8"],
];
const KEPT = "zermelo.play";

export class Play {
  constructor(root) {
    this.root = root;
    this.part = parts(root);
    this.view = this.analysis = null;
    this.board = new Board(this.part("board"), (i) => this.move(i), (list) => this.which(list),
      (square) => this.illegal(square));
    this.estimate = new Estimate(this.part, this.board, () => ({ play: this.view.id }));
    this.connection = new Connection((m) => this.receive(m));
    this.part("setup").addEventListener("submit", (e) => { e.preventDefault(); this.begin(); });
    for (const name of ["game", "options"])
      this.part(name).addEventListener("change", () => this.chosen());
    this.part("side").addEventListener("change", () => this.pending());
    this.part("cover").querySelector("button").addEventListener("click", () => this.uncover());
    this.part("undo").addEventListener("click", () => this.undo());
    this.part("pass").addEventListener("click", () => this.move(passOf(this.view.moves)));
    this.part("resign").addEventListener("click", () => this.change("resign", {}));
    this.part("flip").addEventListener("click", () => this.flip());
    this.part("values").addEventListener("change", () => this.analyse());
    for (const name of ["opponent", "strength"])
      this.part(name).addEventListener("change", () => this.reseat());
    root.addEventListener("keydown", (e) => {
      if (e.key === "u" && !e.ctrlKey && !e.metaKey && !e.target.closest("input, select"))
        this.undo();
    });
  }

  async start(key) {
    await fillGames(this.part("game"), this.part("options"));
    fill(this.part("strength"), STRENGTHS, "time=1");
    try { await this.offer(); } catch (e) { this.fail(e); }
    const kept = key || this.kept();
    let lost = "";
    if (kept) {
      try { return await this.adopt(await get(`/api/plays/${encodeURIComponent(kept)}`)); } catch (e) {
        if (key) lost = e.message;
      }
    }
    await this.begin();
    if (lost && this.view) this.say(`${capital(lost)}, so this is a new game. ${this.part("status").textContent}`);
    return null;
  }

  kept() {
    try { return sessionStorage.getItem(KEPT); } catch { return null; }
  }

  // -- the choices above the board
  spec() { return specOf(this.part("game"), this.part("options")); }

  async offer() {
    const spec = this.spec(), facts = await about(spec);
    if (spec !== this.spec()) return; // another game was chosen meanwhile
    const rows = [...facts.sides.map((name, i) => [String(i), name]), ["-1", "all sides"]];
    fill(this.part("side"), rows, this.part("side").value);
    const auto = facts.auto ? [["auto", `auto (${facts.auto})`]] : [];
    const names = facts.algorithms.map((a) => [a.name, a.name]);
    fill(this.part("opponent"), [...auto, ...names, ["person", "a person, same screen"]],
      this.part("opponent").value);
  }

  async chosen() {
    try { await this.offer(); } catch (e) { return this.fail(e); }
    if (!this.view && this.left?.game === this.spec()) return this.resume();
    if (!this.view) this.say("");
    return this.pending();
  }

  // What is chosen above but not yet on the board.
  pending() {
    const { view } = this, game = this.part("game").value;
    const note = this.spec() !== view?.game ? `Press New game to play ${game}.` :
      +this.part("side").value !== view.side ? "Press New game to play this side." : "";
    this.part("pending").textContent = note;
  }

  async resume() { // the game on the board before one that could not be played was chosen
    try { await this.adopt(await get(`/api/plays/${this.left.id}`)); } catch (e) { this.fail(e); }
  }

  // The chosen game cannot be played: no board of another game stays on the page.
  fail(error) {
    this.connection.stop();
    this.connection.say({ do: "watch" });
    this.left = this.view || this.left;
    this.view = this.analysis = null;
    delete this.root.dataset.play;
    this.board.clear();
    for (const name of ["moves", "lines", "history"]) this.part(name).replaceChildren();
    for (const name of ["undo", "flip", "values", "pass", "resign"]) this.part(name).disabled = true;
    this.estimate.show(null);
    for (const name of ["which", "cover"]) this.part(name).hidden = true;
    this.part("meter").hidden = true;
    this.part("pending").textContent = "";
    this.say(sentence(error));
  }

  strength() {
    const [name, value] = this.part("strength").value.split("=");
    return { [name]: +value };
  }

  async begin() {
    try {
      const request = { game: this.spec(), opponent: this.part("opponent").value,
                      side: +this.part("side").value, ...this.strength() };
      await this.adopt(await post("/api/plays", request));
    } catch (e) { this.fail(e); }
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
    this.connection.say({ do: "watch", play: view.id });
    this.take(view);
    this.onAddress?.();
  }

  address() { return this.view ? `id=${this.view.id}` : ""; }

  // -- what happens on the board
  take(view, again = false) {
    if (this.view && view.id === this.view.id && view.version < this.view.version) return;
    const same = this.view && view.id === this.view.id && view.version === this.view.version;
    if (same && !again) return; // the answer and the news of one change
    if (this.view?.id !== view.id) showScore(this.part("meter"), null, view);
    this.view = view;
    this.root.dataset.play = view.id;
    this.analysis = null;
    this.part("which").hidden = true;
    this.cover();
    const own = view.history.some((m) => m.player >= 0 && [-1, m.player].includes(view.side));
    this.part("undo").disabled = !view.resigned && (view.hidden || !own);
    this.part("resign").hidden = !view.resigns;
    this.part("resign").disabled = view.turn === "over";
    this.part("flip").disabled = false;
    this.part("flip").hidden = view.hidden || view.side < 0 || view.sides.length < 2;
    this.pending();
    const rows = view.history.map((m) => make("li", { textContent: m.text,
      className: m.player < 0 ? "chance" : `p${m.player}` }));
    this.part("history").replaceChildren(...rows);
    this.part("history").scrollTop = 1e6;
    this.status();
    this.shown();
    this.estimate.show(view);
    if (view.turn === "engine") this.go();
    else this.analyse();
  }

  status() {
    const { turn, sides, player, outcome, end, opponent } = this.view;
    if (turn === "over") this.say(capital(end ? `${outcome} (${end})` : outcome));
    else if (turn === "engine") this.say(`${opponent} (${sides[player]}) is thinking …`);
    else if (this.view.side < 0) this.say(capital(`${sides[player]} to move.`));
    else {
      const { announced } = this.view; // what an umpire announces in a game with hidden information
      const who = sides.length > 1 ? `Your move: you are ${sides[player]}.` : "Your move.";
      this.say(who + (announced ? ` Announced: ${announced}.` : ""));
    }
  }

  // Persons at one screen, with hidden information: the next one's view waits until they sit there.
  seat() { return `${this.view.id} ${this.view.player}`; }

  cover() {
    const { view } = this, shared = view.hidden && view.side < 0 && view.turn === "you";
    const covered = this.covered = shared && this.uncovered !== this.seat();
    this.part("cover").hidden = !covered;
    this.part("board").hidden = covered;
    if (covered)
      this.part("cover").querySelector("p").textContent = `Pass the screen to ${view.sides[view.player]}.`;
    if (covered) this.board.clear();
    else this.board.show(view, view.turn === "you");
  }

  uncover() {
    this.uncovered = this.seat();
    this.cover();
    this.shown();
  }

  undo() { if (!this.part("undo").disabled) this.change("undo", {}); }

  say(text) { this.part("status").textContent = text; }

  shown() {
    const { view, analysis } = this, mine = view.turn === "you" && !this.covered;
    const values = this.part("values").checked;
    const moves = this.covered ? [] : view.moves;
    const shown = mine && values ? analysis : null, choose = (i) => this.move(i);
    if (shown && needsTable(view.moves))
      showTable(this.part("moves"), moves, shown, choose, view.sides[0]);
    else showMoves(this.part("moves"), moves, shown, choose, mine);
    showLines(this.part("lines"), analysis, values && !needsTable(view.moves) ? 8 : 3);
    this.part("meter").classList.toggle("turned", view.side === 1); // as the board is
    this.board.mark(mine && values ? marksOf(view, analysis) : []);
    const pass = passOf(moves);
    this.part("pass").hidden = pass < 0;
    this.part("pass").disabled = !mine;
    const score = analysis ? analysis.score : view.final;
    const barless = view.hidden || view.sides.length !== 2; // a value would tell what is hidden
    this.part("values").disabled = view.hidden;
    this.part("meter").hidden = barless || Boolean(analysis && analysis.score === null);
    if (score !== null && !barless) showScore(this.part("meter"), score, view);
  }

  async move(move) {
    if (!this.view || this.view.turn !== "you") return;
    this.connection.stop();
    await this.change("move", { move });
  }

  async illegal(square) {
    const { view } = this;
    if (view.hidden) return;
    try {
      const { text } = await post("/api/illegal", { play: view.id, square });
      if (view === this.view && text) this.say(`${text}.`);
    } catch (e) { if (view === this.view) this.say(sentence(e)); }
  }

  async change(what, body) {
    if (!this.view) return;
    const { id, version } = this.view;
    this.connection.stop();
    try {
      this.take(await post(`/api/plays/${id}/${what}`, { ...body, version }));
    } catch (e) {
      if (e.status === 409) {
        this.take(e.body, true);
        this.say("This game was continued in another window. This is its current position.");
      } else {
        this.say(sentence(e));
        this.board.show(this.view, this.view.turn === "you");
        if (this.view.side >= 0) this.part("opponent").value = this.view.opponent;
      }
    }
  }

  flip() {
    const side = (this.view.side + 1) % this.view.sides.length;
    this.change("opponent", { side, opponent: this.view.opponent, ...this.strength() });
    this.part("side").value = String(side);
  }

  reseat() { // another opponent or strength, in the middle of the game
    const { view } = this;
    if (!view || this.spec() !== view.game) return;
    const opponent = this.part("opponent").value;
    const side = opponent === "person" ? -1 : view.side < 0 ? Math.max(0, +this.part("side").value) : view.side;
    if (view.hidden && side !== view.side) {
      this.part("pending").textContent = "Press New game to play this opponent.";
      return;
    }
    this.change("opponent", { side, opponent, ...this.strength() });
    this.part("side").value = String(side);
  }

  which(list) {
    const texts = list.map((i) => this.view.moves[i].text);
    askWhich(this.part("which"), texts, (k) => this.move(list[k]));
  }

  // -- the engine
  go() { this.connection.ask({ do: "go", play: this.view.id }); }

  analyse() {
    const { view } = this;
    if (!view || view.turn !== "you") return;
    if (!this.part("values").checked || view.hidden) { this.connection.stop(); this.shown(); return; }
    this.connection.ask({ do: "analyse", play: view.id, algorithm: view.analysis, time: 3, lines: 1000 });
  }

  receive(message) {
    if (message.kind === "play") return message.play.id === this.view?.id ? this.take(message.play) : null;
    if (message.kind === "lost") return this.say("The server does not answer. Reconnecting …");
    if (message.kind === "again") return this.again();
    if (message.kind === "busy") return this.busy(message);
    if (message.kind === "error") return this.say(sentence(message));
    if (message.kind === "free" && this.view?.turn === "engine") return this.later(600);
    if (!this.view || (message.kind !== "depth" && message.kind !== "done")) return null;
    this.analysis = message;
    return this.shown();
  }

  async again() {
    if (!this.view) return;
    try { this.take(await get(`/api/plays/${this.view.id}`), true); } catch (e) { this.say(sentence(e)); }
  }

  busy(message) {
    this.say(sentence(message));
    if (this.view?.turn === "engine") this.later(3000);
  }

  later(pause) { // unless the reply has come by then
    const { id, version } = this.view;
    setTimeout(() => {
      if (this.view?.id === id && this.view.version === version && this.view.turn === "engine")
        this.go();
    }, pause);
  }

  hide() { this.connection.stop(); }
  show() { if (this.view) this.again(); }
}

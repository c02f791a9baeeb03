// Plays recorded games of Pac-Man. A frame is [x, y, facing, score, steps, then x, y, scared of each
// ghost]; places are doubled, so that half a cell is a whole number.
(() => {
"use strict";
const $ = (id) => document.getElementById(id);
const { boards, games } = JSON.parse($("data").textContent);
const NS = "http://www.w3.org/2000/svg", PAUSE = 150;
const TURN = [0, -90, 0, 90, 180];
let game = null, chosen = -1, at = 0, dots = [], pac = null, ghosts = [];

function make(name, attributes, into) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  into.append(element);
  return element;
}

// -- the picture ------------------------------------------------------------------------------
function draw(board, count) {
  const height = board.rows.length, width = board.rows[0].length;
  $("board").replaceChildren();
  const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" }, $("board"));
  make("rect", { class: "floor", width, height }, svg);
  board.rows.forEach((row, y) => {
    for (const run of row.matchAll(/%+/g))
      make("rect", { class: "wall", x: run.index, y, width: run[0].length, height: 1.01 }, svg);
  });
  dots = board.things.map(([x, y, capsule]) => make("circle", {
    class: capsule ? "cap" : "dot", cx: x + 0.5, cy: y + 0.5, r: capsule ? 0.28 : 0.11 }, svg));
  const mover = () => make("g", {}, svg);
  pac = { place: mover() };
  pac.face = make("g", {}, pac.place);
  make("path", { class: "pac", d: "M0 0L.36 -.22A.42 .42 0 1 0 .36 .22Z" }, pac.face);
  ghosts = Array.from({ length: count }, (_, i) => {
    const place = mover();
    const body = make("path", { class: "g" + i,
      d: "M-.38 .42V-.04a.38 .38 0 0 1 .76 0V.42l-.19 -.16 -.19 .16 -.19 -.16Z" }, place);
    for (const x of [-0.15, 0.15]) {
      make("circle", { class: "eye", cx: x, cy: -0.08, r: 0.11 }, place);
      make("circle", { class: "pupil", cx: x, cy: -0.08, r: 0.05 }, place);
    }
    return { place, body };
  });
}

const put = (element, x, y) => {
  element.style.transform = `translate(${x / 2 + 0.5}px, ${y / 2 + 0.5}px)`;
};

// -- going somewhere --------------------------------------------------------------------------
function choose(number, move = 0) {
  number = Math.max(0, Math.min(games.length - 1, number | 0));
  if (number !== chosen) {
    chosen = number;
    game = games[number];
    draw(boards[game.board], (game.frames[0].length - 5) / 3);
    $("slider").max = game.frames.length - 1;
    for (const row of $("games").children) {
      const mine = +row.dataset.game === number;
      if (mine) row.setAttribute("aria-current", "true"); else row.removeAttribute("aria-current");
      if (mine) row.scrollIntoView({ block: "nearest" });
    }
  }
  go(move);
  // who was just drawn is there at once; from then on everybody glides
  setTimeout(() => {
    for (const { place } of [pac, ...ghosts]) place.setAttribute("class", "mover");
  }, 50);
}

function go(move) {
  const last = game.frames.length - 1;
  at = Math.max(0, Math.min(last, move | 0));
  const frame = game.frames[at], [x, y, facing, score, steps] = frame;
  put(pac.place, x, y);
  pac.face.setAttribute("transform", `rotate(${TURN[facing]})`);
  ghosts.forEach((ghost, i) => {
    const [gx, gy, scared] = frame.slice(5 + 3 * i, 8 + 3 * i);
    put(ghost.place, gx + 0.2 * (i - (ghosts.length - 1) / 2), gy); // none hides another
    ghost.body.setAttribute("class", scared ? "afraid" : "g" + i);
  });
  dots.forEach((dot, k) => {
    dot.style.display = game.gone[k] >= 0 && game.gone[k] <= at ? "none" : "";
  });
  $("board").classList.toggle("caught", at === last && game.end === "caught");
  tell(last, score, steps);
}

function tell(last, score, steps) {
  $("count").textContent = "move " + at + " of " + last;
  $("words").textContent = at ? game.words[at] : "Press play, next or → to begin.";
  $("score").textContent = score;
  $("steps").textContent = steps;
  const values = at ? game.thoughts[at - 1] : [];
  const action = at ? (/: (\w+)/.exec(game.words[at]) || [])[1] : "";
  $("thought").replaceChildren(...values.map(([name, value]) => {
    const row = document.createElement("tr");
    row.className = name === action ? "chosen" : "";
    for (const text of [name, value]) row.insertCell().textContent = text;
    return row;
  }));
  $("slider").value = at;
  $("slider").setAttribute("aria-valuetext", "move " + at + " of " + last);
  $("first").disabled = $("back").disabled = at === 0;
  $("last").disabled = $("next").disabled = at === last;
  if (at === last) stop();
  try {
    history.replaceState(null, "", `#game=${chosen + 1}&move=${at}`);
  } catch (e) { /* some viewers forbid it */ }
}

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
  if (at === game.frames.length - 1) go(0);
  $("play").textContent = "❚❚ pause";
  $("play").setAttribute("aria-label", "pause");
  tick();
}
function theme() {
  const themes = ["auto", "light", "dark"], root = document.documentElement;
  root.dataset.theme = themes[(themes.indexOf(root.dataset.theme) + 1) % 3];
  $("theme").textContent = "theme: " + root.dataset.theme;
}

const byHand = (run) => () => { stop(); run(); };
const actions = {
  first: byHand(() => go(0)), back: byHand(() => go(at - 1)), next: byHand(() => go(at + 1)),
  last: byHand(() => go(game.frames.length)), play, theme,
  earlier: byHand(() => choose(chosen - 1)), later: byHand(() => choose(chosen + 1)),
};
for (const id of Object.keys(actions)) if ($(id)) $(id).addEventListener("click", actions[id]);
$("slider").addEventListener("input", () => { stop(); go(+$("slider").value); });
const keys = { ArrowLeft: "back", ArrowRight: "next", ArrowUp: "earlier", ArrowDown: "later",
               Home: "first", End: "last", " ": "play" };
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || !(e.key in keys)) return;
  if (e.target.closest("select, input")) return;
  if (e.key === " " && e.target.closest("button")) return; // the button takes it
  e.preventDefault();
  actions[keys[e.key]]();
});
games.forEach((one, i) => {
  const row = document.createElement("button");
  row.className = "row";
  row.dataset.game = i;
  row.textContent = one.name;
  row.addEventListener("click", byHand(() => choose(i)));
  $("games").append(row);
});

function fromAddress() {
  const read = (name) => +(new RegExp("[#&]" + name + "=(\\d+)").exec(location.hash) || [0, 0])[1];
  choose((read("game") || 1) - 1, read("move"));
}
window.addEventListener("hashchange", fromAddress);
fromAddress();
})();

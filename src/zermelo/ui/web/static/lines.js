// The output of a search: its lines, the values of the moves, the bar of the expected score.
import { capital } from "./api.js";
import { make } from "./dom.js";

const SPEEDS = [[1e9, "G"], [1e6, "M"], [1e3, "k"]];
export function amount(n) {
  for (const [unit, sign] of SPEEDS) if (n >= unit) return `${(n / unit).toFixed(1)} ${sign}`;
  return `${Math.round(n)}`;
}

export function showLines(host, analysis, most = 8) {
  if (!analysis) return host.replaceChildren();
  const facts = [analysis.algorithm, analysis.depth ? `depth ${analysis.depth}` : "",
    analysis.nodes === 1 ? "1 node" : `${amount(analysis.nodes)} nodes`,
    analysis.nps >= 1 ? `${amount(analysis.nps)} nodes/s` : "", `${analysis.elapsed.toFixed(1)} s`];
  const head = make("p", { className: "depth" }, facts.filter(Boolean).join(" · "));
  const rows = analysis.moves.slice(0, most).map((m) => make("tr", {},
    make("td", { className: "num", textContent: m.value, title: `value for the first player (${m.kind})` }),
    make("td", { textContent: (m.line.length ? m.line : [m.text]).join(" ") })));
  const body = make("table", {}, make("tbody", {}, ...rows));
  host.replaceChildren(head, body);
}

// The candidate moves of the player to move, best first: win rate, visits or value, and line.
export function showCandidates(host, analysis, most, { sides, player }) {
  if (!analysis || sides.length !== 2 || analysis.score === null || player < 0)
    return showLines(host, analysis, most);
  showLines(host, analysis, 0);
  const { simulates } = analysis;
  const heads = ["Move", simulates ? "Win rate" : "Score", simulates ? "Visits" : "Value", "Line"];
  const titles = ["", `expected score of ${sides[player]}`, simulates ? "simulations of the move" :
    `value for ${sides[0]}`, "what the search expects to be played"];
  const rows = analysis.moves.slice(0, most).map((m) => make("tr",
    { className: m.move === analysis.best ? "best" : "" },
    make("td", { textContent: m.text }),
    make("td", { className: "num", textContent: rateOf(m, player) ?? "–" }),
    make("td", { className: "num", textContent: simulates ? amount(m.visits) : m.value, title: m.kind }),
    make("td", { className: "rest", textContent: (m.line.length ? m.line : [m.text]).join(" ") })));
  const head = heads.map((textContent, i) => make("th", { textContent, title: titles[i] }));
  host.querySelector("table").replaceWith(make("table", { className: "candidates" },
    make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows)));
  return null;
}

const own = (score, player) => player === 0 ? score : 1 - score;
function rateOf(m, player) {
  return m.score === null ? null : `${Math.round(100 * own(m.score, player))}%`;
}

// The expected score of the first player, as the height of the bar; null: not known yet.
export function showScore(meter, score, { sides: names, colours }) {
  for (const [i, colour] of colours.entries())
    meter.style.setProperty(["--first", "--second"][i], colour);
  meter.classList.toggle("unknown", score === null);
  if (score === null) {
    meter.removeAttribute("aria-valuenow");
    meter.setAttribute("aria-valuetext", "not analysed");
    meter.title = "Expected score: not analysed";
    meter.style.removeProperty("--score");
    meter.querySelector("b").textContent = "";
    return;
  }
  const percent = Math.round(100 * score);
  meter.setAttribute("aria-valuenow", percent);
  meter.setAttribute("aria-valuetext", `${names[0]} ${percent} %`);
  meter.title = `Expected score: ${names[0]} ${percent} %, ${names[1]} ${100 - percent} %`;
  meter.style.setProperty("--score", `${percent}%`);
  meter.querySelector("b").textContent = `${percent}%`;
}

// Every legal move as a button, with its value where one is known.
export function showMoves(host, moves, analysis, choose, mine) {
  const known = new Map((analysis ? analysis.moves : []).map((m) => [m.move, m]));
  const focused = host.contains(document.activeElement) ? document.activeElement.dataset.move : null;
  host.replaceChildren(...moves.map((m, i) => {
    const value = known.get(i), button = make("button", { type: "button", disabled: !mine });
    button.dataset.move = i;
    button.append(m.text);
    if (value) button.append(make("span", { className: "num", textContent: value.value }));
    if (analysis && analysis.best === i) button.classList.add("best");
    button.addEventListener("click", () => choose(i));
    return button;
  }));
  if (!moves.length) host.append(make("span", { className: "soft", textContent: "none" }));
  if (focused !== null) host.querySelector(`[data-move="${focused}"]`)?.focus();
}

// Every legal move with its value, the mover's best first: where a board cannot show them.
export function showTable(host, moves, analysis, choose, whose) {
  const rows = analysis.moves.filter((m) => moves[m.move]), best = rows.length ? rows[0].worth : 0;
  const head = ["", "Move", `Value for ${whose}`, "Loss"].map((textContent) => make("th", { textContent }));
  const made = rows.map((m, i) => {
    const button = make("button", { type: "button", textContent: m.text });
    button.dataset.move = m.move;
    if (m.move === analysis.best) button.classList.add("best");
    button.addEventListener("click", () => choose(m.move));
    const lost = m.worth === null || best === null ? "" : i ? Math.abs(best - m.worth).toFixed(3) : "";
    return make("tr", {}, make("td", { className: "num", textContent: i + 1 }), make("td", {}, button),
      make("td", { className: "num", textContent: m.value }),
      make("td", { className: "num soft", textContent: lost }));
  });
  const focused = host.contains(document.activeElement) ? document.activeElement.dataset.move : null;
  host.replaceChildren(make("table", { className: "equity" }, make("thead", {}, make("tr", {}, ...head)),
    make("tbody", {}, ...made)));
  if (focused !== null) host.querySelector(`[data-move="${focused}"]`)?.focus();
}

// The move that passes, by its index; -1: there is none.
export const passOf = (moves) => moves.findIndex((m) => m.text.toLowerCase() === "pass");

// A move of several pieces cannot be shown by a mark on one square.
export const needsTable = (moves) => moves.some((m) => m.places.includes(""));

// `discs`: candidates with win rate and visits, in place of values or a heat map.
export function marksOf(view, analysis, discs = false) {
  if (!analysis) return [];
  const known = analysis.moves.filter((m) => m.move >= 0 && view.moves[m.move]);
  const all = analysis.moves.reduce((sum, m) => sum + (m.visits || 0), 0);
  const most = Math.max(1, ...known.map((m) => m.visits || 0));
  const least = !analysis.simulates ? 0 : discs ? most : known.length > FEW ? all : 0;
  const drawn = known.filter((m) => (m.visits || 0) >= LEAST_VISITS * least);
  return drawn.map((m) => {
    const mark = { places: view.moves[m.move].places, best: m.move === analysis.best,
                   text: m.value.replace(/\d+\.\d{3,}/, (n) => (+n).toFixed(2)),
                   score: m.score === null ? null : view.player === 0 ? m.score : 1 - m.score };
    if (discs && mark.score !== null && (analysis.simulates ? m.visits : m.kind === "estimate"))
      mark.disc = discOf(analysis, m, view.player);
    if (!analysis.simulates || !all) return mark;
    const share = Math.round(100 * m.visits / all); // where visits say more than values
    return { ...mark, heat: m.visits / most, text: share ? `${share}%` : "<1%" };
  });
}

const FEW = 20; // moves that are all marked, whatever their visits
const LEAST_VISITS = 0.01; // of the most visited move, or of all visits: fewer say nothing
const NEAR = 0.05; // expected score that a good move may lose
const short = (n) => amount(n).replace(/(\d\d)\.\d/, "$1").replace(" ", ""); // "12k", "1.2k"
function discOf(analysis, m, player) {
  const best = analysis.moves.find((other) => other.move === analysis.best);
  const lost = best && best.score !== null ? own(best.score, player) - own(m.score, player) : 0;
  const rank = m.move === analysis.best ? "top" : lost <= NEAR ? "near" : "far";
  return { rank, rate: rateOf(m, player), count: analysis.simulates ? short(m.visits) : "" };
}

// The result in one sentence: "Red wins with 3 (proved)."
export function headline({ sides, player }, { line, value, sure, winner, depth }) {
  const move = line[0] ?? "", other = sides[1 - player];
  const certain = sure === "exact" ? "proved" : depth ? `estimate, depth ${depth}` : "estimate";
  const how = / in \d/.test(value) ? `${value.replace("-", "")}, proved` : "proved";
  if (winner === -1) return `Draw with ${move} (proved).`;
  if (winner === player) return capital(`${sides[player]} wins with ${move} (${how}).`);
  if (winner !== null) return capital(`${other} wins against any move (${how}). Best try: ${move}.`);
  const whose = sides.length === 2 ? `Value for ${sides[0]}` : sides.length > 2 ? "Values" : "Value";
  return `Best move: ${move}. ${whose}: ${value} (${certain}).`;
}

// What a search says: its lines, and the bar of the expected score.
import { make } from "./dom.js";

const SPEEDS = [[1e9, "G"], [1e6, "M"], [1e3, "k"]];
export function amount(n) {
  for (const [unit, sign] of SPEEDS) if (n >= unit) return `${(n / unit).toFixed(1)} ${sign}`;
  return `${Math.round(n)}`;
}

export function showLines(host, told, most = 8) {
  if (!told) return host.replaceChildren();
  const head = make("p", { className: "depth" },
    `${told.algorithm}: depth ${told.depth}, ${amount(told.nodes)} nodes, ` +
    `${amount(told.nps)} nodes/s, ${told.elapsed.toFixed(1)} s`);
  const rows = told.moves.slice(0, most).map((m) => make("tr", {},
    make("td", { className: "num", textContent: m.value, title: `for player 0, ${m.kind}` }),
    make("td", { textContent: (m.line.length ? m.line : [m.text]).join(" ") })));
  const body = make("table", {}, make("tbody", {}, ...rows));
  host.replaceChildren(head, body);
}

// The expected score of the first player, as the height of the bar.
export function showScore(meter, score, names = ["first", "second"]) {
  meter.hidden = score === null || score === undefined;
  if (meter.hidden) return;
  const percent = Math.round(100 * score);
  meter.setAttribute("aria-valuenow", percent);
  meter.setAttribute("aria-valuetext", `${names[0]} ${percent} %`);
  meter.title = `expected score: ${names[0]} ${percent} %, ${names[1]} ${100 - percent} %`;
  meter.querySelector("i").style.height = meter.querySelector("i").style.width = "";
  meter.style.setProperty("--score", `${percent}%`);
  meter.querySelector("b").textContent = `${percent}%`;
}

// Every legal move as a button, with its value where one is known.
export function showMoves(host, moves, told, choose, mine) {
  const known = new Map((told ? told.moves : []).map((m) => [m.move, m]));
  const focused = host.contains(document.activeElement) ? document.activeElement.dataset.move : null;
  host.replaceChildren(...moves.map((m, i) => {
    const value = known.get(i), button = make("button", { type: "button", disabled: !mine });
    button.dataset.move = i;
    button.append(m.text);
    if (value) button.append(make("span", { className: "num", textContent: value.value }));
    if (told && told.best === i) button.classList.add("best");
    button.addEventListener("click", () => choose(i));
    return button;
  }));
  if (!moves.length) host.append(make("span", { className: "soft", textContent: "none" }));
  if (focused !== null) host.querySelector(`[data-move="${focused}"]`)?.focus();
}

// Every legal move with its value, the mover's best first: where a board cannot show them.
export function showTable(host, moves, told, choose, whose) {
  const rows = told.moves.filter((m) => moves[m.move]), best = rows.length ? rows[0].worth : 0;
  const head = ["", "move", `value for ${whose}`, "loses"].map((textContent) => make("th", { textContent }));
  const made = rows.map((m, i) => {
    const button = make("button", { type: "button", textContent: m.text });
    button.dataset.move = m.move;
    if (m.move === told.best) button.classList.add("best");
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

// Moves that are several men's cannot be told by a mark on a square.
export const needsTable = (moves) => moves.some((m) => m.places.includes(""));

export function marksOf(view, told) {
  if (!told) return [];
  const known = told.moves.filter((m) => m.move >= 0 && view.moves[m.move]);
  const all = told.moves.reduce((sum, m) => sum + (m.visits || 0), 0);
  const most = Math.max(1, ...known.map((m) => m.visits || 0));
  return known.map((m) => {
    const mark = { places: view.moves[m.move].places, best: m.move === told.best,
                   text: m.value.replace(/\d+\.\d{3,}/, (n) => (+n).toFixed(2)),
                   score: m.score === null ? null : view.player === 0 ? m.score : 1 - m.score };
    if (told.algorithm !== "mcts" || !all) return mark;
    const share = Math.round(100 * m.visits / all); // where visits say more than values
    return { ...mark, heat: m.visits / most, text: share ? `${share}%` : "<1%" };
  });
}

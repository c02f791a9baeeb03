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

export function marksOf(view, told) {
  if (!told) return [];
  return told.moves.filter((m) => m.move >= 0 && view.moves[m.move]).map((m) => ({
    places: view.moves[m.move].places, text: m.value.replace(/(\.\d\d)\d+/, "$1"), best: m.move === told.best,
    score: m.score === null ? null : view.player === 0 ? m.score : 1 - m.score,
  }));
}

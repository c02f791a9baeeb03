// The choice of a game, shared by the panels: names and options, and what is known of each.
import { get } from "./api.js";
import { fill, make } from "./dom.js";

let games = null;
export async function catalog() {
  games ||= get("/api/games");
  return games;
}

const known = new Map();
export async function about(spec) {
  if (!known.has(spec)) {
    const asked = get(`/api/about?game=${encodeURIComponent(spec)}`);
    known.set(spec, asked);
    asked.catch(() => known.delete(spec));
  }
  return known.get(spec);
}

// Offer the games; `only`: the names that this panel supports.
export async function fillGames(select, options, only = null) {
  const { games: all, first } = await catalog();
  const rows = only ? all.filter((g) => only.includes(g.game)) : all;
  const built = first.split(":")[0];
  const names = rows.map((g) => g.game);
  const start = [first, built].find((name) => names.includes(name)) || names[0];
  fill(select, rows.map((g) => [g.game, g.game]), start);
  const hint = () => {
    const row = rows.find((g) => g.game === select.value);
    select.title = row ? row.summary : "";
    if (!options) return;
    options.placeholder = (row && row.options) || "none";
    options.size = Math.min(54, Math.max(8, Math.ceil(1.12 * options.placeholder.length))); // all is seen
    options.disabled = !(row && row.options);
    options.title = `Defaults: ${options.placeholder}`;
  };
  if (options && start !== first) options.value = first.slice(built.length + 1);
  select.addEventListener("change", () => { if (options) options.value = ""; hint(); });
  hint();
}

export function specOf(select, options) {
  const extra = options && !options.disabled ? options.value.trim() : "";
  return extra ? `${select.value}:${extra}` : select.value;
}

// A game's name with options, back in the two fields.
export function putSpec(spec, select, options) {
  const whole = [...select.options].some((o) => o.value === spec);
  const [name, ...rest] = whole ? [spec] : spec.split(":");
  if (![...select.options].some((o) => o.value === name))
    select.append(make("option", { value: name, textContent: name })); // the server says what is wrong
  select.value = name;
  select.dispatchEvent(new Event("change"));
  if (options) options.value = rest.join(":");
}

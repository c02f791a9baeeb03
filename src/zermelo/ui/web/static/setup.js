// The choice of a game, shared by the panels: names and options, and what is known of each.
import { get } from "./api.js";
import { fill, make } from "./dom.js";

let games = null;
export async function catalog() {
  games ||= get("/api/games");
  return games;
}

// The choices of an algorithm's option in `select`, from the server's option table.
export async function fillOption(select, name) {
  const { tree_options: options } = await catalog();
  const option = options.find((o) => o.name === name);
  select.title = option.doc;
  select.dataset.default = option.default;
  fill(select, option.choices, option.default);
}

const known = new Map();
export async function about(spec) {
  if (!known.has(spec)) {
    const answer = get(`/api/about?game=${encodeURIComponent(spec)}`);
    known.set(spec, answer);
    answer.catch(() => known.delete(spec));
  }
  return known.get(spec);
}

// The games in `select`; the fields of the chosen game's options in `options`.
// `only`: the names that this panel supports.
export async function fillGames(select, options, only = null) {
  const { games: all, first } = await catalog();
  const rows = only ? all.filter((g) => only.includes(g.game)) : all;
  const built = first.split(":")[0];
  const names = rows.map((g) => g.game);
  const start = [first, built].find((name) => names.includes(name)) || names[0];
  fill(select, rows.map((g) => [g.game, g.game]), start);
  const show = () => {
    const row = rows.find((g) => g.game === select.value);
    select.title = row ? row.summary : "";
    options?.replaceChildren(...((row && row.fields) || []).map(field));
  };
  select.addEventListener("change", show, { capture: true }); // before the panel reads the fields
  show();
  if (options && start !== first) putOptions(first.slice(built.length + 1), options);
}

// One option as a form field: a choice, a checkbox, a number or a text.
function field(option) {
  const { name, kind, choices, doc } = option;
  const title = option.min === undefined ? doc : `${doc} (${option.min} to ${option.max})`;
  let input;
  if (kind === "flag") {
    input = make("input", { type: "checkbox", checked: option.default === "yes" });
  } else if (kind === "choice" || kind === "file") {
    input = make("select");
    fill(input, choices.map((c) => [c, c]), option.default);
  } else if ((kind === "whole" || kind === "number") && !choices) {
    input = make("input", { type: "number", step: kind === "whole" ? "1" : "any" });
    if (option.min !== undefined) Object.assign(input, { min: option.min, max: option.max });
    input.value = option.default;
  } else {
    input = make("input", { type: "text", maxLength: 100, size: 10, autocomplete: "off" });
    input.value = option.default;
  }
  Object.assign(input.dataset, { option: name, default: option.default });
  return make("label", { title, className: kind === "flag" ? "check" : "" },
    ...(kind === "flag" ? [input, name] : [`${name} `, input]));
}

const valueOf = (input) =>
  input.type === "checkbox" ? (input.checked ? "yes" : "no") : input.value.trim();

export function specOf(select, options) {
  const inputs = options ? [...options.querySelectorAll("[data-option]")] : [];
  const given = inputs.filter((i) => valueOf(i) && valueOf(i) !== i.dataset.default)
    .map((i) => `${i.dataset.option}=${valueOf(i)}`).join(",");
  return given ? `${select.value}:${given}` : select.value;
}

// Options as they are written in a game's name, into the fields. A part without "=" continues a list.
function putOptions(text, options) {
  const given = new Map();
  let last = "";
  for (const part of text ? text.split(",") : []) {
    const at = part.indexOf("=");
    if (at >= 0) given.set((last = part.slice(0, at).trim()), part.slice(at + 1).trim());
    else given.set(last, `${given.get(last)},${part.trim()}`);
  }
  for (const input of options.querySelectorAll("[data-option]")) {
    const value = given.get(input.dataset.option) ?? input.dataset.default;
    if (input.type === "checkbox") input.checked = value === "yes";
    else input.value = value;
  }
}

// A game's name with options, back in the form.
export function putSpec(spec, select, options) {
  const whole = [...select.options].some((o) => o.value === spec);
  const [name, ...rest] = whole ? [spec] : spec.split(":");
  if (![...select.options].some((o) => o.value === name))
    select.append(make("option", { value: name, textContent: name })); // the server reports the error
  select.value = name;
  select.dispatchEvent(new Event("change"));
  if (options) putOptions(rest.join(":"), options);
}

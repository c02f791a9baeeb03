// The page: panels as tabs, the address that says which, light and dark.
import { Analyse } from "./analyse.js";
import { sentence } from "./api.js";
import { make } from "./dom.js";
import { Play } from "./play.js";
import { catalog } from "./setup.js";
import { nextTheme, setTheme } from "./steps.js";
import { Trees } from "./trees.js";

const $ = (id) => document.getElementById(id);
const PANELS = { play: Play, trees: Trees, analyse: Analyse };
const open = {}; // the panels that were looked at, by name
let shown = "";

function address() {
  const [name, query] = location.hash.slice(1).split(/\?(.*)/s);
  return { name: name in PANELS || name === "practise" ? name : "play",
           query: new URLSearchParams(query || "") };
}

function note(name) {
  if (name !== shown) return;
  const query = open[name]?.address?.() || "";
  const hash = `#${name}${query ? "?" + query : ""}`;
  if (hash.length < 30000) history.replaceState(null, "", hash);
}

async function show(name, query) {
  if (open[shown]?.hide && shown !== name) open[shown].hide();
  shown = name;
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const mine = tab.getAttribute("aria-controls") === name;
    tab.setAttribute("aria-selected", mine);
    tab.tabIndex = mine ? 0 : -1;
    $(tab.getAttribute("aria-controls")).hidden = !mine;
  }
  document.title = `${$(`tab-${name}`).textContent} · zermelo studio`;
  if (open[name]) {
    note(name);
    return open[name].show_again ? open[name].show_again() : open[name].show?.();
  }
  if (name === "practise") return practise();
  const panel = open[name] = new PANELS[name]($(name));
  panel.onAddress = () => note(name);
  await panel.start(name === "play" ? query?.get("id") : query);
  return note(name);
}

async function practise() {
  const { mount } = await import("./practise.js");
  open.practise = await mount($("practise")) || {};
  note("practise");
}

for (const tab of document.querySelectorAll("[role=tab]"))
  tab.addEventListener("click", () => show(tab.getAttribute("aria-controls")));
$("tabs").addEventListener("keydown", (e) => {
  const tabs = [...document.querySelectorAll("[role=tab]:not([hidden])")];
  const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
  if (!step) return;
  const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
  next.focus();
  next.click();
});

function theme(name) {
  $("theme").textContent = `Theme: ${name}`;
  document.dispatchEvent(new Event("themechange"));
  try { localStorage.setItem("zermelo.theme", name); } catch { /* private windows may forbid it */ }
}
$("theme").addEventListener("click", () => theme(nextTheme()));
try {
  const kept = localStorage.getItem("zermelo.theme");
  if (kept) { setTheme(kept); theme(document.documentElement.dataset.theme); }
} catch { /* as above */ }

window.addEventListener("hashchange", () => {
  const { name, query } = address();
  if (name === "trees" && open.trees && query.get("text")) open.trees.read(query);
  if (name !== shown) show(name, query);
});

try {
  await catalog();
  const { name, query } = address();
  await show(name, query);
} catch (e) {
  document.querySelector("main").prepend(make("p", { className: "error", textContent: sentence(e) }));
}
document.documentElement.dataset.ready = "yes";

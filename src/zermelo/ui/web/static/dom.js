// Small helpers: elements, and pictures whose style the page's policy would not let through.

export function make(tag, props = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name in element && name !== "list") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...inside);
  return element;
}

export const parts = (root) => (name) => root.querySelector(`[data-part="${name}"]`);

export function fill(select, rows, chosen) {
  select.replaceChildren(...rows.map(([value, text]) => make("option", { value, textContent: text })));
  if (rows.some(([value]) => value === chosen)) select.value = chosen;
}

const STYLE = /<style\b[^>]*>([^]*?)<\/style>/gi;
const DARK = /\(\s*prefers-color-scheme\s*:\s*dark\s*\)/g;

// An SVG text as an element and a style sheet. Inline styles are forbidden on the page, so they are
// set through the object model; scripts never run, and what could hold them is dropped.
export function picture(text) {
  let css = "";
  const bare = text.replace(STYLE, (_, inside) => { css += inside; return ""; })
    .replace(/\sstyle=/g, " data-style=");
  const found = new DOMParser().parseFromString(bare, "image/svg+xml").documentElement;
  if (found.nodeName !== "svg") return { svg: null, css: "" };
  for (const bad of found.querySelectorAll("script, foreignObject, iframe, style")) bad.remove();
  const svg = document.importNode(found, true);
  for (const element of svg.querySelectorAll("[data-style]"))
    element.style.cssText = element.dataset.style;
  return { svg, css };
}

// The same style under the page's theme, whatever the system's is.
export function themed(css) {
  const theme = document.documentElement.dataset.theme;
  return theme === "auto" ? css : css.replace(DARK, theme === "dark" ? " all" : " not all");
}

export function download(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Several moves are meant: a button for each, in `box`.
export function askWhich(box, texts, choose) {
  box.replaceChildren("Which one? ", ...texts.map((text, i) => {
    const button = make("button", { type: "button", textContent: text });
    button.addEventListener("click", () => choose(i));
    return button;
  }));
  box.hidden = false;
  box.querySelector("button").focus();
}

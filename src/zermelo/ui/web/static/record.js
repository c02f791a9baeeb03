// Game records: a file or a text becomes the moves of the analysis, and the moves become a file.
import { post, postForFile } from "./api.js";
import { download, fill } from "./dom.js";

const LONGEST = 60; // characters of a variation in the list

export class Record {
  // adopt(record, line): shows a record that was read; place(): the moves to write;
  // fail(error): reports an error
  constructor(part, { adopt, place, fail }) {
    Object.assign(this, { part, adopt, place, fail, format: "" });
    part("read").addEventListener("click", () => this.read(part("text").value));
    part("open").addEventListener("click", () => part("file").click());
    part("file").addEventListener("change", () => this.file());
    part("download").addEventListener("click", () => this.write());
    this.choice = part("variations").querySelector("select");
    this.choice.addEventListener("change", () =>
      this.adopt(this.record, this.record.lines[+this.choice.value]));
  }

  // `format`: of the chosen game; "" if it has no records
  offer(format) {
    this.format = format;
    this.part("record").hidden = !format;
    this.part("record").querySelector("summary").textContent = `Open or save as ${format}`;
    this.part("text").placeholder = `Paste ${format} here`;
    this.part("file").accept = `.${format.toLowerCase()}`;
    this.part("download").textContent = `Download ${format}`;
  }

  forget() {
    this.record = null;
    this.part("title").textContent = "";
    this.part("variations").hidden = true;
  }

  async file() {
    const [file] = this.part("file").files;
    this.part("file").value = ""; // so that the same file can be opened again
    if (!file) return;
    const text = await file.text();
    this.part("text").value = text;
    await this.read(text);
  }

  async read(text) {
    try {
      const record = await post("/api/record/read", { game: this.place().game, text });
      await this.adopt(record, record.lines[0]);
      this.record = record;
      this.part("title").textContent = record.title;
      this.part("variations").hidden = record.lines.length < 2;
      fill(this.choice, record.lines.map((line, i) => [String(i), named(record.lines[0], line, i)]), "0");
    } catch (e) { this.fail(e); }
  }

  async write() {
    try {
      const blob = await postForFile("/api/record/write", this.place());
      download(blob, `game.${this.format.toLowerCase()}`);
    } catch (e) { this.fail(e); }
  }
}

// A variation by the moves in which it differs: "12: C3 D4".
function named(main, line, i) {
  if (!i) return "main line";
  let at = 0;
  while (at < main.texts.length && main.texts[at] === line.texts[at]) at++;
  const text = `${at + 1}: ${line.texts.slice(at).join(" ")}`;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

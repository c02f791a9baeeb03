// The score estimate: the squares marked by their expected owner, and the margin in words.
import { post, sentence } from "./api.js";

export class Estimate {
  // request(): the position, as /api/estimate takes it
  constructor(part, board, request) {
    Object.assign(this, { part, board, request, view: null, number: 0 });
    this.box = part("estimate");
    this.box.addEventListener("change", () => this.show(this.view));
  }

  async show(view) {
    const number = ++this.number; // only the newest answer counts
    this.view = view;
    this.box.closest("label").hidden = !view?.estimates || Boolean(view.hidden);
    if (!view?.estimates || view.hidden || !this.box.checked) return this.clear();
    try {
      const { owners, text } = await post("/api/estimate", this.request());
      if (number !== this.number) return null;
      this.board.showOwners(owners, view.colours);
      this.part("margin").textContent = text;
    } catch (e) {
      if (number === this.number) this.clear(sentence(e));
    }
    return null;
  }

  clear(text = "") {
    this.board.showOwners({}, []);
    this.part("margin").textContent = text;
  }
}

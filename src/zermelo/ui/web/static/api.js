// Requests to the server, and one websocket per panel for streamed results.

export class Refused extends Error {
  constructor(body, status) {
    super(body.message || "the server does not answer");
    Object.assign(this, { body, status, hint: body.hint || "" });
  }
}

async function read(response) {
  let body = {};
  try { body = await response.json(); } catch { body = { message: "the server sent an unreadable answer" }; }
  if (!response.ok) throw new Refused(body, response.status);
  return body;
}

async function send(path, init) {
  try { return await fetch(path, init); } catch (e) {
    if (e.name === "AbortError") throw e;
    throw new Refused({ message: "the server does not answer", hint: "is zermelo serve running?" }, 0);
  }
}

export async function get(path) {
  return read(await send(path));
}

const json = (body, signal) => ({
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal,
});

export async function post(path, body, signal) {
  return read(await send(path, json(body, signal)));
}

export async function postForFile(path, body) {
  const response = await send(path, json(body));
  if (!response.ok) await read(response);
  return response.blob();
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export function sentence(error) {
  return capital(error.hint ? `${error.message} (${error.hint})` : error.message);
}

// A websocket that reconnects. Requests carry a number; only answers to the newest are passed on.
export class Connection {
  constructor(onMessage) {
    this.onMessage = onMessage;
    this.id = 0;
    this.waiting = [];
    this.tries = 0;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}/ws`);
    this.socket.onopen = () => {
      this.tries = 0;
      if (this.watching) this.socket.send(this.watching);
      for (const text of this.waiting.splice(0)) this.socket.send(text);
      if (this.opened) this.onMessage({ kind: "again" });
      this.opened = true;
    };
    this.socket.onmessage = (e) => {
      const message = JSON.parse(e.data);
      if (message.id === undefined || message.id === this.id) this.onMessage(message);
    };
    this.socket.onclose = () => {
      this.onMessage({ kind: "lost" });
      setTimeout(() => this.open(), Math.min(8000, 500 * 2 ** this.tries++));
    };
  }

  say(message) {
    const text = JSON.stringify(message);
    if (message.do === "watch") this.watching = text;
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    else if (message.do !== "watch") this.waiting = [text];
  }

  ask(message) { this.say({ ...message, id: ++this.id }); }
  stop() { this.id++; this.say({ do: "stop" }); }
}

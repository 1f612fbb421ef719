// What the Node producers share: a loopback server for the capture command, with ids that are the same each time.
import { AsyncLocalStorage } from "node:async_hooks";
import crypto from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { syncBuiltinESMExports } from "node:module";

// Each request draws from a sequence of its own, which starts from what it says: requests at once do not move each other's
// ids, and two runs do not share any.
const requests = new AsyncLocalStorage();
const hash = (data) => crypto.createHash("sha256").update(data).digest();
const newSequence = (seed) => ({
  key: hash(seed).toString("hex"),
  blocks: 0,
  state: (hash(seed).readUInt32BE() % 2147483646) + 1,
  now: Date.UTC(2000, 0, 1),
});
const startup = newSequence("");
const sequence = () => requests.getStore() ?? startup;

function fill(array) {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  for (let i = 0; i < bytes.length; i += 32) {
    const s = sequence();
    const block = hash(`${s.key} ${s.blocks++}`);
    bytes.set(block.subarray(0, bytes.length - i), i);
  }
  return array;
}

function randomUUID() {
  const b = fill(Buffer.alloc(16));
  b[6] = (b[6] & 0x0f) | 0x40;
  b[8] = (b[8] & 0x3f) | 0x80;
  return b.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

// fixIds makes random ids a fixed sequence. Call it before the producer is imported: a module may keep what it imports.
export function fixIds() {
  Object.assign(crypto, { randomUUID, randomBytes: (n) => fill(Buffer.alloc(n)), randomFillSync: fill });
  Object.assign(crypto.webcrypto, { randomUUID, getRandomValues: fill });
  syncBuiltinESMExports();
  Math.random = () => {
    const s = sequence();
    s.state = (s.state * 48271) % 2147483647;
    return s.state / 2147483647;
  };
}

// fixClock makes the clock of each request start in 2000 and count up by 20 ms whenever it is read.
export function fixClock() {
  const now = Date.now;
  globalThis.Date = class extends Date {
    constructor(...given) {
      super(...(given.length ? given : [globalThis.Date.now()]));
    }
    static now() {
      const s = requests.getStore();
      return s ? (s.now += 20) : now();
    }
  };
}

// serve hands requests to a node:http listener on a free loopback port, prints the URL, and stops when standard input closes.
// The listener is also given the start of the body, which is still there to be read.
export function serve(listener, path = "/") {
  const server = createServer(async (request, response) => {
    await once(request, "readable");
    const start = request.read();
    request.unshift(start);
    await requests.run(newSequence(start), listener, request, response, start);
  });
  server.listen(0, "127.0.0.1", () => {
    process.stdout.write(`http://127.0.0.1:${server.address().port}${path}\n`);
  });
  process.stdin.resume().on("end", () => process.exit(0));
}

// body reads a request's JSON.
export async function body(request) {
  let text = "";
  request.setEncoding("utf8");
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

// caseOf is the text of the last user message, which names the case to play.
export function caseOf(messages) {
  return messages.findLast((m) => m.role === "user").content;
}

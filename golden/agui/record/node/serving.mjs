// What the Node producers share: a loopback server for the capture command, with a clock and ids that are the same each time.
import crypto from "node:crypto";
import { createServer } from "node:http";
import { syncBuiltinESMExports } from "node:module";

// fixIds makes crypto's random bytes a fixed sequence; the returned function starts it again, for each request.
// Call it before the producer is imported, since a module may keep what it imports from node:crypto.
export function fixIds() {
  let counter = 0;
  const fill = (array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i += 32) {
      const block = crypto.createHash("sha256").update(String(counter++)).digest();
      bytes.set(block.subarray(0, bytes.length - i), i);
    }
    return array;
  };
  const uuid = () => {
    const b = fill(Buffer.alloc(16));
    b[6] = (b[6] & 0x0f) | 0x40;
    b[8] = (b[8] & 0x3f) | 0x80;
    return b.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  };
  crypto.randomUUID = uuid;
  crypto.randomBytes = (n) => fill(Buffer.alloc(n));
  crypto.randomFillSync = fill;
  crypto.webcrypto.randomUUID = uuid;
  crypto.webcrypto.getRandomValues = fill;
  syncBuiltinESMExports();
  let seed = 0;
  Math.random = () => (seed = (seed * 16807 + 7) % 2147483647) / 2147483647;
  return () => {
    counter = 0;
    seed = 1;
  };
}

// fixClock makes Date.now count up by 20 ms a call, from 2000 on; the returned function sets it back.
export function fixClock() {
  const start = Date.UTC(2000, 0, 1);
  let now = start;
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...a) {
      super(...(a.length ? a : [globalThis.Date.now()]));
    }
    static now() {
      return (now += 20);
    }
  };
  return () => {
    now = start;
  };
}

// serve hands requests to a node:http listener on a free loopback port, prints the URL, and stops when standard input closes.
export function serve(listener, path = "/") {
  const server = createServer(listener);
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

// Puts @ag-ui/core and @ag-ui/encoder under test: see docs/scripted-agent.md and README.md.
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { arrayBuffer } from "node:stream/consumers";
import { RunAgentInputSchema } from "@ag-ui/core/schemas";
import { EventEncoder } from "@ag-ui/encoder";
import { Agent } from "./agent.js";
import { Gates } from "./gates.js";
import { CONTRACT_VERSION, readScript } from "./script.js";

const manifest = import.meta.resolve("@ag-ui/core/package.json");
const description = {
  version: CONTRACT_VERSION,
  subject: "typescript",
  sdk: "@ag-ui/core, @ag-ui/encoder",
  sdkVersion: JSON.parse(readFileSync(new URL(manifest), "utf8")).version,
  driver: "adapter",
  // All that protocol 1.0 has; README.md says what else there is no such thing for.
  features: [
    "role", "name", "chunks", "nested", "reopen", "ids", "parent", "tool-result", "parts", "reasoning", "span", "encrypted",
    "step", "parallel", "subagent", "unannounced", "state", "state-delta", "messages-snapshot", "activity", "custom", "raw",
    "emit", "interrupt", "cancel", "result", "usage", "pending", "metadata", "replay", "echo", "gate", "version", "code",
    "early-fail", "http", "protobuf",
  ],
};

const gates = new Gates();

function reply(response: ServerResponse, status: number, conformance: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify({ conformance }));
}

function refuse(response: ServerResponse, status: number, why: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" }).end(why);
}

/** What the SDK's schema makes of a request's body. */
async function readInput(request: IncomingMessage) {
  const body = await arrayBuffer(request);
  try {
    const json = new TextDecoder("utf-8", { fatal: true }).decode(body);
    return { input: RunAgentInputSchema.parse(JSON.parse(json)) };
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

/** Answers a RunAgentInput with the run that its script describes. */
async function run(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const media = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (media !== "application/json") return refuse(response, 415, "the input is application/json");
  const { input, refused } = await readInput(request);
  if (!input) return refuse(response, 400, refused);
  const look = readScript(input.forwardedProps);
  if ("malformed" in look) return refuse(response, 400, look.malformed);
  if ("unsupported" in look) return reply(response, 501, look);

  const encoder = new EventEncoder({ accept: request.headers.accept });
  response.writeHead(200, { "Content-Type": encoder.getContentType(), "Cache-Control": "no-cache" });
  const agent = new Agent(input, encoder, (bytes) => response.write(bytes), gates);
  response.on("close", () => agent.leave());
  await agent.run(look.script);
  response.end();
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gate = new URL(request.url ?? "/", "http://localhost").searchParams.get("gate");
  if (request.method === "GET") reply(response, 200, description);
  else if (request.method !== "POST") refuse(response, 405, "GET or POST");
  else if (gate === null) await run(request, response);
  else response.writeHead(gates.open(gate) ? 204 : 404).end();
}

const server = createServer((request, response) => {
  serve(request, response).catch((error: unknown) => {
    if (!response.destroyed) console.error(error); // else the client is gone, and with it the run
    response.destroy();
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address && typeof address === "object") console.log(`http://127.0.0.1:${address.port}/`);
});
process.stdin.resume().on("end", () => process.exit(0));
process.on("SIGTERM", () => process.exit(0));

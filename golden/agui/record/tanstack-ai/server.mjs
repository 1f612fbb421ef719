// Serves TanStack AI's chat with its adapter for Anthropic.
//
// The packages' own: the check of the input, the loop over tools, the adapter and Anthropic's client under it, the events,
// and the body with its headers. Ours: the HTTP server around the response; what the API answers (anthropic.mjs); the tools;
// the random numbers under the ids; and the clock.
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { body, fixClock, fixIds, serve } from "../node/serving.mjs";
import { add } from "../node/model.mjs";
import { fetch } from "./anthropic.mjs";

fixIds();
fixClock();
const { chat, chatParamsFromRequestBody, mergeAgentTools, toServerSentEventsResponse, toolDefinition } = await import(
  "@tanstack/ai"
);
const { createAnthropicChat } = await import("@tanstack/ai-anthropic");
const { z } = await import("zod");

// This API sends one block after the other.
add("parallel-tools", ({ text, call, calls, stop }) => [
  calls(call("call-1", "weather", ['{"city":"Zürich"}']), call("call-2", "weather", ['{"city":"Genève"}'])),
  stop(text("0", ["Both", " are warm."])),
]);
add("progress", ({ text, call, calls, stop }) => [calls(call("call-1", "slow", ["{}"])), stop(text("0", ["Done."]))]);

const tool = (name, description, input, execute, more = {}) =>
  toolDefinition({ name, description, inputSchema: z.object(input), ...more }).server(execute);

const tools = [
  tool("weather", "The temperature in a city", { city: z.string() }, async () => ({ celsius: 21 })),
  tool("broken", "A tool that fails", {}, async () => {
    throw new Error("the tool is broken");
  }),
  tool("delete_file", "Deletes a file", { file: z.string() }, async () => ({ deleted: true }), { needsApproval: true }),
  tool("slow", "A tool that tells how far it is", {}, async (_, context) => {
    context.emitCustomEvent("progress", { done: 0.5 });
    return { done: true };
  }),
];

const adapter = createAnthropicChat("claude-sonnet-4-5", "no-key", { fetch, maxRetries: 0 });

serve(async (request, response) => {
  const abortController = new AbortController();
  response.on("close", () => abortController.abort());
  const { messages, threadId, runId, parentRunId, state, resume, tools: advertised } = await chatParamsFromRequestBody(
    await body(request),
  );
  const input = { messages, threadId, runId, parentRunId, state, resume };
  const stream = chat({ adapter, ...input, tools: mergeAgentTools(tools, advertised), abortController });
  const answer = toServerSentEventsResponse(stream, { abortController });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  await pipeline(Readable.fromWeb(answer.body), response).catch(() => {}); // the client may have hung up
});

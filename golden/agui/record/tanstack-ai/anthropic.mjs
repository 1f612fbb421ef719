// The model's script, told over HTTP as the Anthropic API does it: the double stands in for fetch.
import { answer } from "../node/model.mjs";

// fetch answers a request to the messages endpoint.
export async function fetch(_, { body, signal }) {
  const request = JSON.parse(body);
  const parts = answer(request.messages.map(toPrompt))[Symbol.asyncIterator]();
  await parts.next();
  try {
    const first = await parts.next();
    const headers = { "content-type": "text/event-stream", "request-id": "request-1" };
    return new Response(ReadableStream.from(events(request.model, first.value, parts, signal)), { headers });
  } catch (error) {
    return Response.json(failure(error), { status: 529 });
  }
}

function toPrompt({ role, content }) {
  if (typeof content === "string") return { role, content: [{ text: content }] };
  return { role: content.some((block) => block.type === "tool_result") ? "tool" : role, content };
}

const failure = (error) => ({ type: "error", error: { type: "overloaded_error", message: error.message } });

async function* events(model, first, rest, signal) {
  const encode = (event) => new TextEncoder().encode(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  const usage = { input_tokens: 12, output_tokens: 1 };
  const message = { id: "msg-1", type: "message", role: "assistant", model, content: [], stop_reason: null, usage };
  yield encode({ type: "message_start", message });
  let index = -1;
  const start = (content_block) => ({ type: "content_block_start", index: ++index, content_block });
  const delta = (delta) => ({ type: "content_block_delta", index, delta });
  const stop = () => ({ type: "content_block_stop", index });
  const translate = {
    "text-start": () => [start({ type: "text", text: "" })],
    "text-delta": (p) => [delta({ type: "text_delta", text: p.delta })],
    "text-end": () => [stop()],
    "reasoning-start": () => [start({ type: "thinking", thinking: "", signature: "" })],
    "reasoning-delta": (p) => [delta({ type: "thinking_delta", thinking: p.delta })],
    "reasoning-end": () => [delta({ type: "signature_delta", signature: "c2VhbGVk" }), stop()],
    "tool-input-start": (p) => [start({ type: "tool_use", id: p.id, name: p.toolName, input: {} })],
    "tool-input-delta": (p) => [delta({ type: "input_json_delta", partial_json: p.delta })],
    "tool-input-end": () => [stop()],
    "tool-call": () => [],
    finish: (p) => {
      const stop_reason = p.finishReason.unified === "stop" ? "end_turn" : "tool_use";
      return [{ type: "message_delta", delta: { stop_reason }, usage: { input_tokens: 12, output_tokens: 7 } }, { type: "message_stop" }];
    },
  };
  try {
    for (let part = first; part && !signal?.aborted; part = (await rest.next()).value) {
      for (const event of translate[part.type](part)) yield encode(event);
    }
  } catch (error) {
    yield encode(failure(error));
  }
}

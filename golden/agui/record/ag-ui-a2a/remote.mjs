// The agent behind A2A, told in its JSON-RPC: the double stands in for fetch. The text of the message names the case.
const url = "http://agent.invalid/";
const card = { name: "agent", url, version: "1", capabilities: { streaming: true }, skills: [] };

const text = (text) => ({ kind: "text", text });
const data = (data) => ({ kind: "data", data });
const message = (messageId, ...parts) => ({ kind: "message", messageId, role: "agent", parts });
const ids = { taskId: "task-1", contextId: "thread-1" };
const task = { kind: "task", id: "task-1", contextId: "thread-1", status: { state: "submitted" } };
const status = (state, message) => ({
  kind: "status-update",
  ...ids,
  final: state === "completed",
  status: { state, message },
});
// An agent repeats what it has said so far in each status.
const working = (n, said) => status("working", message(`status-${n}`, text(said)));
const call = (id) => data({ type: "tool-call", id, name: "weather", arguments: { city: "Zürich" } });
const result = (toolCallId) => data({ type: "tool-result", toolCallId, payload: { celsius: 21 } });
const report = { kind: "artifact-update", ...ids, artifact: { artifactId: "artifact-1", parts: [text("# Report")] } };
const surface = { surfaceId: "surface-1" };

class Failure extends Error {}

const streams = {
  text: [
    task,
    working(1, "Grüezi"),
    working(2, "Grüezi from Zürich"),
    status("completed", message("status-3", text("Grüezi from Zürich ☀️ 🏔"))),
  ],
  message: [message("message-1", text("It is 21 °C."))],
  "changed-text": [working(1, "It is raining."), working(2, "It is sunny."), status("completed")],
  "empty-answer": [task, status("completed")],
  tool: [
    message("message-1", text("I will look."), call("call-1")),
    message("message-2", result("call-1")),
    message("message-3", text("It is 21 °C.")),
  ],
  "tool-in-one-message": [message("message-1", call("call-1"), result("call-1"), text("It is 21 °C."))],
  artifact: [task, report, status("completed")],
  activity: [
    message("message-1", data({ beginRendering: { ...surface, root: "root" } })),
    message("message-2", data({ surfaceUpdate: { ...surface, components: [] } })),
    message("message-3", data({ dataModelUpdate: { ...surface, contents: [] } }), text("Done.")),
  ],
  "input-required": [task, status("input-required", message("status-1", text("Which city?")))],
  "error-before": [new Failure("the agent is away")],
  "error-after": [working(1, "It is"), new Failure("the agent hung up")],
  unicode: [message("message-1", text("👩\u200d👩\u200d👧 🇨🇭 e\u0301 a\u2028b\u2029c\u0085d שלום \u202eabc\u202c"))],
};

export async function fetch(address, { body } = {}) {
  if (String(address).endsWith("agent.json")) return Response.json(card);
  const { id, method, params } = JSON.parse(body);
  const events = streams[params.message.parts[0].text];
  if (method === "message/send") return Response.json(reply(id, events.at(-1)));
  const frames = events.map((event) => `data: ${JSON.stringify(reply(id, event))}\n\n`);
  return new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } });
}

function reply(id, event) {
  if (event instanceof Failure) return { jsonrpc: "2.0", id, error: { code: -32603, message: event.message } };
  return { jsonrpc: "2.0", id, result: event };
}

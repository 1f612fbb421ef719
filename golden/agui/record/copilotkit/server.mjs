// Serves CopilotKit's runtime with its built-in agent.
//
// The runtime's own: the HTTP endpoints, the agent with its tool loop, the runner that keeps threads, events and framing.
// Ours: the model's script, which the AI SDK's mock carries out, the tools, and the random numbers under the ids.
import { fixIds, serve } from "../node/serving.mjs";
import { add, answer } from "../node/model.mjs";

fixIds();
const { BuiltInAgent, CopilotRuntime, InMemoryAgentRunner, defineTool } = await import("@copilotkit/runtime/v2");
const { createCopilotNodeListener } = await import("@copilotkit/runtime/v2/node");
const { MockLanguageModelV3 } = await import("ai/test");
const { z } = await import("zod");

add("shared-state", ({ text, call, calls, stop }) => [
  calls(call("call-1", "AGUISendStateSnapshot", ['{"snapshot":', '{"title":"Rösti","steps":[]}}'])),
  calls(call("call-2", "AGUISendStateDelta", ['{"delta":[{"op":"add","path":"/steps/-","value":"Grate."}]}'])),
  stop(text("0", ["Done."])),
]);

// Somebody stops the run while the model speaks, as the runtime's stop endpoint does; the model's request fails then.
add("stopped", ({ text }) => [
  [
    ...text("0", ["I will", " count", " to"]).slice(0, 4),
    async () => {
      await runtime.runner.stop({ threadId: "thread-stopped" });
      return new DOMException("This operation was aborted", "AbortError");
    },
  ],
]);

const tools = [
  defineTool({
    name: "weather",
    description: "The temperature in a city",
    parameters: z.object({ city: z.string() }),
    execute: async () => ({ celsius: 21 }),
  }),
  defineTool({
    name: "broken",
    description: "A tool that fails",
    parameters: z.object({}),
    execute: async () => {
      throw new Error("the tool is broken");
    },
  }),
  defineTool({
    name: "delete_file",
    description: "Deletes a file when a person agrees",
    parameters: z.object({ file: z.string() }),
    interrupt: true,
    interruptMessage: "Delete the file?",
  }),
];

const model = new MockLanguageModelV3({ doStream: async ({ prompt }) => ({ stream: answer(prompt) }) });
const runtime = new CopilotRuntime({
  agents: { default: new BuiltInAgent({ model, tools, maxSteps: 5, maxRetries: 0 }) },
  runner: new InMemoryAgentRunner(),
});
const listener = createCopilotNodeListener({ runtime, basePath: "/" });

// The capture command knows one address. A run called "replay" goes to the endpoint that gives a thread's history.
serve((request, response, start) => {
  if (start.includes('"runId": "replay"')) request.url = request.url.replace("/run", "/connect");
  return listener(request, response);
}, "/agent/default/run");

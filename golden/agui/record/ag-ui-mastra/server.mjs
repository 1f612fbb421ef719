// Serves a Mastra agent through @ag-ui/mastra.
//
// The packages' own: the agent with its tool loop and memory (@mastra/core, @mastra/memory), the events (@ag-ui/mastra) and
// their JSON and frames (@ag-ui/encoder). Ours: the HTTP server, which the adapter leaves to others, and so the RUN_ERROR for
// what the adapter throws; the model's script, which the AI SDK's mock carries out; and the random numbers under the ids.
import { body, fixIds, serve } from "../node/serving.mjs";
import { add, answer } from "../node/model.mjs";

fixIds();
const { EventEncoder } = await import("@ag-ui/encoder");
const { MastraAgent } = await import("@ag-ui/mastra");
const { Mastra } = await import("@mastra/core");
const { Agent } = await import("@mastra/core/agent");
const { InMemoryStore } = await import("@mastra/core/storage");
const { createTool } = await import("@mastra/core/tools");
const { Memory } = await import("@mastra/memory");
const { MockLanguageModelV3 } = await import("ai/test");
const { z } = await import("zod");

add("shared-state", ({ text, call, calls, stop }) => [
  calls(call("call-1", "updateWorkingMemory", ['{"memory":{"title":"Rösti",', '"steps":["Grate."]}}'])),
  calls(call("call-2", "updateWorkingMemory", ['{"memory":{"title":"Rösti",', '"steps":["Grate.","Fry."]}}'])),
  stop(text("0", ["Done."])),
]);

const tools = {
  weather: createTool({
    id: "weather",
    description: "The temperature in a city",
    inputSchema: z.object({ city: z.string() }),
    execute: async () => ({ celsius: 21 }),
  }),
  broken: createTool({
    id: "broken",
    description: "A tool that fails",
    inputSchema: z.object({}),
    execute: async () => {
      throw new Error("the tool is broken");
    },
  }),
  delete_file: createTool({
    id: "delete_file",
    description: "Deletes a file when a person agrees",
    inputSchema: z.object({ file: z.string() }),
    suspendSchema: z.object({ question: z.string() }),
    resumeSchema: z.object({ approved: z.boolean() }),
    execute: async (input, { agent }) => {
      if (!agent.resumeData) return agent.suspend({ question: "Delete the file?" });
      return { deleted: agent.resumeData.approved };
    },
  }),
};

const storage = new InMemoryStore();
const schema = z.object({ title: z.string(), steps: z.array(z.string()) });
const common = {
  instructions: "Help.",
  model: new MockLanguageModelV3({ doStream: async ({ prompt }) => ({ stream: answer(prompt) }) }),
  maxRetries: 0,
  tools,
};
const mastra = new Mastra({
  logger: false,
  storage,
  agents: {
    plain: new Agent({ id: "plain", name: "plain", ...common }),
    stateful: new Agent({
      id: "stateful",
      name: "stateful",
      ...common,
      memory: new Memory({ storage, options: { workingMemory: { enabled: true, schema } } }),
    }),
  },
});

serve(async (request, response, start) => {
  const input = await body(request);
  const agent = mastra.getAgent(start.includes("shared-state") ? "stateful" : "plain");
  const encoder = new EventEncoder({ accept: request.headers.accept });
  response.writeHead(200, { "Content-Type": encoder.getContentType() });
  new MastraAgent({ agent, resourceId: "user" }).run(input).subscribe({
    next: (event) => response.write(encoder.encode(event)),
    error: (error) => response.end(encoder.encode({ type: "RUN_ERROR", message: error.message })),
    complete: () => response.end(),
  });
});

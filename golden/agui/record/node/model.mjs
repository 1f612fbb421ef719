// The script of the model double, in the parts of the AI SDK's LanguageModelV3; what carries it out is the framework's.
// The prompt's last user message names the case; the answers since then say how far the case is.

const usage = {
  inputTokens: { total: 12, noCache: 12, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 7, text: 7, reasoning: undefined },
};

// Content blocks are numbered from 0 in each answer, which is how the Anthropic provider of the AI SDK names them.
const text = (id, deltas) => [
  { type: "text-start", id },
  ...deltas.map((delta) => ({ type: "text-delta", id, delta })),
  { type: "text-end", id },
];
const thought = (id, deltas) => [
  { type: "reasoning-start", id },
  ...deltas.map((delta) => ({ type: "reasoning-delta", id, delta })),
  { type: "reasoning-end", id },
];
const input = (id, toolName, pieces) => [
  { type: "tool-input-start", id, toolName },
  ...pieces.map((delta) => ({ type: "tool-input-delta", id, delta })),
  { type: "tool-input-end", id },
];
const call = (toolCallId, toolName, pieces) => [
  ...input(toolCallId, toolName, pieces),
  { type: "tool-call", toolCallId, toolName, input: pieces.join("") },
];
const finish = (unified) => ({ type: "finish", finishReason: { unified, raw: unified }, usage });
const stop = (...parts) => [...parts.flat(), finish("stop")];
const calls = (...parts) => [...parts.flat(), finish("tool-calls")];
const weather = (id, city) => call(id, "weather", ['{"city":', `"${city}"}`]);

const words = (n) => Array.from({ length: n }, (_, i) => ` word-${i}`);

const unicode = [
  ...["👩", "\u200d", "👩", "\u200d", "👧"],
  ...[" ", "🇨", "🇭", " ", "e", "\u0301", " "],
  ...["a\u2028b\u2029c\u0085d", "\r\n", "\0\u001b", " שלום \u202eabc\u202c", "\ufeff"],
];

class ModelFailure extends Error {}

// A case is a list of answers. An error among the parts is thrown where it stands; a function is called and waited for.
const script = {
  text: [stop(text("0", ["Grüezi", " from", " Zürich", ": 21 °C", " & sunny ☀️ 🏔"]))],
  "long-text": [stop(text("0", words(200)))],
  "empty-answer": [stop()],
  tool: [
    calls(text("0", ["I will", " look."]), weather("call-1", "Zürich")),
    stop(text("0", ["It is 21 °C", " in Zürich."])),
  ],
  "parallel-tools": [
    calls(
      { type: "tool-input-start", id: "call-1", toolName: "weather" },
      { type: "tool-input-start", id: "call-2", toolName: "weather" },
      { type: "tool-input-delta", id: "call-1", delta: '{"city":"Zürich"}' },
      { type: "tool-input-delta", id: "call-2", delta: '{"city":"Genève"}' },
      { type: "tool-input-end", id: "call-1" },
      { type: "tool-input-end", id: "call-2" },
      { type: "tool-call", toolCallId: "call-1", toolName: "weather", input: '{"city":"Zürich"}' },
      { type: "tool-call", toolCallId: "call-2", toolName: "weather", input: '{"city":"Genève"}' },
    ),
    stop(text("0", ["Both", " are warm."])),
  ],
  "failing-tool": [
    calls(text("0", ["I will look."]), call("call-1", "broken", ["{}"])),
    stop(text("0", ["The tool", " is broken."])),
  ],
  "unknown-tool": [calls(call("call-1", "nowhere", ["{}"])), stop(text("0", ["There is no such tool."]))],
  "text-tool-text": [
    calls(text("0", ["First."]), weather("call-1", "Zürich")),
    calls(text("0", ["Second."]), weather("call-2", "Genève")),
    stop(text("0", ["Third."])),
  ],
  reasoning: [stop(thought("0", ["The user asks", " for the weather."]), text("1", ["It is", " sunny."]))],
  "reasoning-tool": [
    calls(thought("0", ["I must look."]), text("1", ["I will look."]), weather("call-1", "Zürich")),
    stop(thought("0", ["That is warm."]), text("1", ["It is warm."])),
  ],
  "frontend-tool": [
    calls(text("0", ["I will ask", " the page."]), call("call-1", "paint", ['{"color":', '"red"}'])),
    stop(text("0", ["It is", " red."])),
  ],
  interrupt: [
    calls(text("0", ["May I", " delete it?"]), call("call-1", "delete_file", ['{"file":"notes"}'])),
    stop(text("0", ["It is", " deleted."])),
  ],
  "error-before": [[new ModelFailure("the model is away")]],
  "error-after": [[...text("0", ["It is"]).slice(0, 2), new ModelFailure("the model hung up")]],
  cancelled: [stop(text("0", words(200)))],
  unicode: [stop(text("0", unicode))],
};

// add gives a server's own cases a script.
export function add(name, build) {
  script[name] = build({ text, call, calls, stop });
}

// answer is what the model says next. A case "name-1" without a script of its own plays "text".
export function answer(prompt) {
  const asked = prompt.findLastIndex((m) => m.role === "user");
  const name = prompt[asked].content.map((part) => part.text).join("");
  const turn = prompt.slice(asked + 1).filter((m) => m.role === "assistant").length;
  const turns = script[name] ?? script.text;
  const parts = turns[Math.min(turn, turns.length - 1)];
  let next = 0;
  return new ReadableStream({
    async pull(controller) {
      const part = next === 0 ? { type: "stream-start", warnings: [] } : parts[next - 1];
      next++;
      if (typeof part === "function") await part().then((error) => controller.error(error));
      else if (part instanceof Error) controller.error(part);
      else if (part) controller.enqueue(part);
      else controller.close();
    },
  });
}

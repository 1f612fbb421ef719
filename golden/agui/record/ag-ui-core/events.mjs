// The events of each case. They are ours: core has types and schemas and builds no stream by itself.

// What an agent's model throws. A type of its own, so that a mistake in this script is no recorded RUN_ERROR.
export class ModelFailure extends Error {}

function* message(messageId, deltas, more = {}) {
  yield { type: "TEXT_MESSAGE_START", messageId, role: "assistant", ...more };
  for (const delta of deltas) yield { type: "TEXT_MESSAGE_CONTENT", messageId, delta, ...more };
  yield { type: "TEXT_MESSAGE_END", messageId, ...more };
}

function* call(toolCallId, toolCallName, pieces, more = {}) {
  yield { type: "TOOL_CALL_START", toolCallId, toolCallName, ...more };
  for (const delta of pieces) yield { type: "TOOL_CALL_ARGS", toolCallId, delta };
  yield { type: "TOOL_CALL_END", toolCallId };
}

function result(messageId, toolCallId, content) {
  return { type: "TOOL_CALL_RESULT", messageId, toolCallId, role: "tool", content };
}

export const cases = {
  *text() {
    yield* message("message-1", ["Grüezi", " from", " Zürich", ": 21 °C", " & sunny ☀️ 🏔"]);
  },

  *tool() {
    yield* message("message-1", ["I will", " look."]);
    yield* call("call-1", "weather", ['{"city":', '"Zürich"}'], { parentMessageId: "message-1" });
    yield result("message-2", "call-1", '{"celsius":21}');
    yield* message("message-3", ["It is 21 °C", " in Zürich."]);
  },

  // Three calls whose arguments interleave, and whose results come in another order.
  *"parallel-tools"() {
    const cities = ["Zürich", "Genève", "Lugano"];
    const ids = cities.map((_, i) => `call-${i + 1}`);
    for (const toolCallId of ids) {
      yield { type: "TOOL_CALL_START", toolCallId, toolCallName: "weather", parentMessageId: "message-1" };
    }
    for (const toolCallId of ids) yield { type: "TOOL_CALL_ARGS", toolCallId, delta: '{"city":' };
    for (const [i, toolCallId] of ids.entries()) {
      yield { type: "TOOL_CALL_ARGS", toolCallId, delta: `"${cities[i]}"}` };
      yield { type: "TOOL_CALL_END", toolCallId };
    }
    for (const [i, toolCallId] of [...ids.entries()].reverse()) {
      yield result(`message-${i + 2}`, toolCallId, `{"celsius":${21 + i}}`);
    }
    yield* message("message-5", ["All warm."]);
  },

  *reasoning() {
    yield { type: "REASONING_START", messageId: "reasoning-1" };
    yield { type: "REASONING_MESSAGE_START", messageId: "thought-1", role: "reasoning" };
    for (const delta of ["The user asks", " for the weather."]) {
      yield { type: "REASONING_MESSAGE_CONTENT", messageId: "thought-1", delta };
    }
    yield { type: "REASONING_MESSAGE_END", messageId: "thought-1" };
    const encryptedValue = "c2VhbGVkIHRob3VnaHQ=";
    yield { type: "REASONING_ENCRYPTED_VALUE", subtype: "message", entityId: "thought-1", encryptedValue };
    yield { type: "REASONING_END", messageId: "reasoning-1" };
    yield* message("message-1", ["It is", " sunny."]);
  },

  // 0.0.x called reasoning so; these events have no ids.
  *thinking() {
    yield { type: "THINKING_START", title: "Weather" };
    yield { type: "THINKING_TEXT_MESSAGE_START" };
    for (const delta of ["The user asks", " for the weather."]) yield { type: "THINKING_TEXT_MESSAGE_CONTENT", delta };
    yield { type: "THINKING_TEXT_MESSAGE_END" };
    yield { type: "THINKING_END" };
    yield* message("message-1", ["It is", " sunny."]);
  },

  *"shared-state"() {
    yield { type: "STATE_SNAPSHOT", snapshot: { recipe: { title: "Rösti", steps: [] }, "a/b~c": null } };
    yield* message("message-1", ["I am adding", " the steps."]);
    for (const delta of [
      [{ op: "add", path: "/recipe/steps/-", value: "Grate the potatoes." }],
      [
        { op: "test", path: "/a~1b~0c", value: null },
        { op: "replace", path: "/a~1b~0c", value: 1 },
        { op: "add", path: "/recipe/steps/0", value: "Boil them." },
      ],
      [
        { op: "copy", from: "/recipe/title", path: "/title" },
        { op: "move", from: "/recipe/steps/1", path: "/recipe/last" },
        { op: "remove", path: "/a~1b~0c" },
      ],
    ]) {
      yield { type: "STATE_DELTA", delta };
    }
    yield { type: "STATE_SNAPSHOT", snapshot: null };
  },

  *interrupt() {
    yield* message("message-1", ["May I", " delete it?"]);
    yield* call("call-1", "delete", ['{"file":"notes"}'], { parentMessageId: "message-1" });
    return {
      type: "interrupt",
      interrupts: [
        {
          id: "interrupt-1",
          reason: "tool_call",
          message: "Delete notes?",
          toolCallId: "call-1",
          responseSchema: { type: "object", properties: { approved: { type: "boolean" } } },
        },
      ],
    };
  },

  *"error-after"() {
    const messageId = "message-1";
    yield { type: "TEXT_MESSAGE_START", messageId, role: "assistant" };
    yield { type: "TEXT_MESSAGE_CONTENT", messageId, delta: "It is" };
    throw new ModelFailure("the model hung up");
  },

  // Characters that deltas cut apart between code points, line ends that JSON and SSE see differently, and both directions.
  *unicode() {
    const family = ["👩", "\u200d", "👩", "\u200d", "👧"];
    const flag = ["🇨", "🇭"];
    const letter = ["e", "\u0301"];
    const ends = ["a\u2028b\u2029c\u0085d", "\r\n", "\0\u001b"];
    yield* message("message-1", [...family, " ", ...flag, " ", ...letter, " ", ...ends, " שלום \u202eabc\u202c", "\ufeff"]);
  },

  // Two subagents at once, one of them in the other's care; events of all owners interleave.
  *subagents() {
    const tag = (subagentRunId) => ({ subagentRunId });
    yield { type: "SUBAGENT_STARTED", subagentRunId: "sub-1", name: "research", description: "looks it up" };
    yield { type: "STEP_STARTED", stepName: "search", ...tag("sub-1") };
    yield { type: "SUBAGENT_STARTED", subagentRunId: "sub-2", name: "fetch", parentSubagentRunId: "sub-1" };
    yield { type: "TEXT_MESSAGE_START", messageId: "message-1", role: "assistant", ...tag("sub-1") };
    yield* message("message-2", ["fetched"], tag("sub-2"));
    yield { type: "TEXT_MESSAGE_CONTENT", messageId: "message-1", delta: "found", ...tag("sub-1") };
    yield { type: "SUBAGENT_ERROR", subagentRunId: "sub-2", message: "the page is gone", code: "gone" };
    yield { type: "TEXT_MESSAGE_END", messageId: "message-1", ...tag("sub-1") };
    yield { type: "STEP_FINISHED", stepName: "search", ...tag("sub-1") };
    yield { type: "SUBAGENT_FINISHED", subagentRunId: "sub-1", result: { pages: 1 }, outcome: { type: "success" } };
    yield* message("message-3", ["One page", " was found."]);
  },

  // The chunk form: a client makes starts and ends of it.
  *chunks() {
    yield { type: "TEXT_MESSAGE_CHUNK", messageId: "message-1", role: "assistant", delta: "I will" };
    yield { type: "TEXT_MESSAGE_CHUNK", messageId: "message-1", delta: " look" };
    yield { type: "RAW", event: { provider: "none" }, source: "model" };
    yield { type: "TEXT_MESSAGE_CHUNK", delta: "." };
    yield {
      type: "TOOL_CALL_CHUNK",
      toolCallId: "call-1",
      toolCallName: "weather",
      parentMessageId: "message-1",
      delta: '{"city":',
    };
    yield { type: "TOOL_CALL_CHUNK", toolCallId: "call-1", delta: '"Zürich"}' };
    yield result("message-2", "call-1", '{"celsius":21}');
    yield { type: "REASONING_MESSAGE_CHUNK", messageId: "thought-1", delta: "Warm." };
    yield { type: "TEXT_MESSAGE_CHUNK", messageId: "message-3", delta: "It is 21 °C." };
  },
};

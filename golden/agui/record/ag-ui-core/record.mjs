// The events are ours, since core builds none by itself; each one passes core's schema, and the bytes are EventEncoder's.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { EventType, PROTOCOL_VERSION } from "@ag-ui/core";
import { EventSchemas } from "@ag-ui/core/schemas";
import { EventEncoder } from "@ag-ui/encoder";

const { version } = createRequire(import.meta.url)("@ag-ui/core/package.json");
const run = { threadId: "thread-1", runId: "run-1" };

// What an agent's model throws. A type of its own, so that a mistake in this script is no recorded RUN_ERROR.
class ModelFailure extends Error {}

function* message(messageId, ...deltas) {
  yield { type: EventType.TEXT_MESSAGE_START, messageId, role: "assistant" };
  for (const delta of deltas) yield { type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta };
  yield { type: EventType.TEXT_MESSAGE_END, messageId };
}

const agents = {
  *text() {
    yield* message("message-1", "Grüezi", " from", " Zürich", ": 21 °C", " & sunny ☀️ 🏔");
  },

  *tool() {
    yield* message("message-1", "I will", " look.");
    const toolCallId = "call-1";
    yield { type: EventType.TOOL_CALL_START, toolCallId, toolCallName: "weather", parentMessageId: "message-1" };
    for (const delta of ['{"city":', '"Zürich"}']) yield { type: EventType.TOOL_CALL_ARGS, toolCallId, delta };
    yield { type: EventType.TOOL_CALL_END, toolCallId };
    yield {
      type: EventType.TOOL_CALL_RESULT,
      messageId: "message-2",
      toolCallId,
      role: "tool",
      content: '{"celsius":21}',
    };
    yield* message("message-3", "It is 21 °C", " in Zürich.");
  },

  *error() {
    const messageId = "message-1";
    yield { type: EventType.TEXT_MESSAGE_START, messageId, role: "assistant" };
    yield { type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta: "It is" };
    throw new ModelFailure("the model hung up");
  },
};

function* events(agent) {
  yield { type: EventType.RUN_STARTED, ...run, protocolVersion: PROTOCOL_VERSION };
  try {
    yield* agent();
    yield { type: EventType.RUN_FINISHED, ...run, outcome: { type: "success" } };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    yield { type: EventType.RUN_ERROR, message: error.message, code: "model_failure" };
  }
}

for (const [name, agent] of Object.entries(agents)) {
  const encoder = new EventEncoder({ accept: "text/event-stream" });
  const frames = Array.from(events(agent), (event) => encoder.encode(EventSchemas.parse(event)));
  writeFileSync(new URL(`../../real/ag-ui-core-${version}-${name}.sse`, import.meta.url), frames.join(""));
}

// The script of docs/scripted-agent.md, as schemas. What exists on the wire has the SDK's types, and is left to the SDK's own
// schemas to judge.
import type { ContentPart, Interrupt, JsonPatch, Message, Metadata, TextMessageRole, TokenUsage } from "@ag-ui/core";
import { z } from "zod/v4";

export const CONTRACT_VERSION = 1;

const wire = <T>() => z.custom<T>((value) => value !== undefined);
const id = z.string();
const form = z.enum(["events", "chunks"]).optional();
const metadata = wire<Metadata>().optional();
const encryptedValue = z.string().optional();
const usage = wire<TokenUsage[]>().optional();
const Failure = z.strictObject({ message: z.string(), code: z.string().optional() });

const Text = z.strictObject({
  id,
  get stream() {
    return z.array(Piece);
  },
  role: wire<TextMessageRole>().optional(),
  name: z.string().optional(),
  form,
  metadata,
  encryptedValue,
});
const ToolCall = z.strictObject({
  id,
  name: z.string(),
  get stream() {
    return z.array(Piece);
  },
  parent: id.optional(),
  form,
  metadata,
  encryptedValue,
});
const ToolResult = z.strictObject({ id, call: id, content: wire<string | ContentPart[]>(), metadata });
const ReasoningMessage = z.strictObject({
  id,
  get stream() {
    return z.array(Piece);
  },
  metadata,
  encryptedValue,
});
const Reasoning = z.strictObject({ messages: z.array(ReasoningMessage), span: id.optional(), form });
const Step = z.strictObject({
  name: z.string(),
  get do() {
    return z.array(Action);
  },
});
const Parallel = z.strictObject({
  get branches() {
    return z.array(z.array(Action));
  },
});
const SubagentEnd = z.strictObject({
  success: z.strictObject({ result: wire<unknown>().optional() }).optional(),
  suspended: z.strictObject({ interrupts: z.array(id) }).optional(),
  error: Failure.optional(),
});
const Subagent = z.strictObject({
  id,
  name: z.string(),
  get do() {
    return z.array(Action);
  },
  description: z.string().optional(),
  parentToolCall: id.optional(),
  parentMessage: id.optional(),
  announce: z.boolean().default(true),
  end: SubagentEnd.default({ success: {} }),
});
const StateSnapshot = z.strictObject({ snapshot: wire<unknown>() });
const StateDelta = z.strictObject({ patch: wire<JsonPatch>() });
const MessagesSnapshot = z.strictObject({ messages: wire<Message[]>() });
const Activity = z.strictObject({
  id,
  type: z.string(),
  content: wire<Record<string, unknown>>(),
  replace: z.boolean().optional(),
  metadata,
});
const ActivityDelta = z.strictObject({ id, type: z.string(), patch: wire<JsonPatch>() });
const Custom = z.strictObject({ name: z.string(), value: wire<unknown>() });
const Raw = z.strictObject({ event: wire<unknown>(), source: z.string().optional() });
const Emit = z.strictObject({ event: z.record(z.string(), z.unknown()) });
const Echo = z.strictObject({ pointer: z.string() });
const Gate = z.strictObject({ name: z.string() });
const Replay = z.strictObject({
  run: z.string(),
  get do() {
    return z.array(Action);
  },
  error: Failure.optional(),
});
const Finish = z.strictObject({ result: wire<unknown>().optional(), pending: z.array(id).optional(), usage });
const Interrupted = z.strictObject({ interrupts: wire<Interrupt[]>(), usage });
const Cancel = z.strictObject({ usage });
const Fail = Failure.extend({ usage, early: z.boolean().default(false) });

const Action = z
  .strictObject({
    text: Text.optional(),
    toolCall: ToolCall.optional(),
    toolResult: ToolResult.optional(),
    reasoning: Reasoning.optional(),
    step: Step.optional(),
    parallel: Parallel.optional(),
    subagent: Subagent.optional(),
    stateSnapshot: StateSnapshot.optional(),
    stateDelta: StateDelta.optional(),
    messagesSnapshot: MessagesSnapshot.optional(),
    activity: Activity.optional(),
    activityDelta: ActivityDelta.optional(),
    custom: Custom.optional(),
    raw: Raw.optional(),
    emit: Emit.optional(),
    echo: Echo.optional(),
    gate: Gate.optional(),
    replay: Replay.optional(),
    finish: Finish.optional(),
    interrupt: Interrupted.optional(),
    cancel: Cancel.optional(),
    fail: Fail.optional(),
  })
  .refine((action) => Object.keys(action).length === 1, "an action has exactly one member");
const Piece = z.union([z.string(), Action]);
const Script = z.array(Action);
const Envelope = z.object({ version: z.literal(CONTRACT_VERSION), script: Script });
const ForwardedProps = z.looseObject({ conformance: Envelope.default({ version: CONTRACT_VERSION, script: [] }) });

export type Action = z.infer<typeof Action>;
export type Piece = z.infer<typeof Piece>;
export type Text = z.infer<typeof Text>;
export type ToolCall = z.infer<typeof ToolCall>;
export type Reasoning = z.infer<typeof Reasoning>;
export type Subagent = z.infer<typeof Subagent>;
export type Replay = z.infer<typeof Replay>;
export type Fail = z.infer<typeof Fail>;

/** What comes of looking through a script: its actions, or the answer to one that is malformed or beyond the SDK. */
export type Look = { script: Action[] } | { malformed: string } | { unsupported: string[] };

/** Looks through the whole script in an input's forwardedProps; without one it is empty. */
export function readScript(forwardedProps: unknown): Look {
  const look = ForwardedProps.safeParse(forwardedProps ?? {});
  if (look.success) return { script: look.data.conformance.script };
  const issues = look.error.issues.flatMap(single);
  const unknown = issues.filter((issue) => issue.code === "unrecognized_keys");
  if (unknown.length < issues.length) return { malformed: z.prettifyError(look.error) };
  return { unsupported: [...new Set(unknown.flatMap((issue) => issue.keys.map((key) => named([...issue.path, key]))))] };
}

type Issue = z.core.$ZodIssue;

/** The issues of an element of a stream that is no string are those that it has as an action. */
function single(issue: Issue): Issue[] {
  if (issue.code !== "invalid_union") return [issue];
  const asAction = issue.errors.at(-1) ?? [];
  return asAction.flatMap((inner) => single({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** Names a member by its action: "text.name". */
function named(path: PropertyKey[]): string {
  const names = path.filter((step) => typeof step === "string");
  const around = names.findLastIndex((name) => ["script", "do", "branches", "stream"].includes(name));
  return names.slice(around + 1).join(".");
}

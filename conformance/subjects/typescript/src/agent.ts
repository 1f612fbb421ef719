// An agent that does what a script says. @ag-ui/core has the types of events and their schemas, and no driver: the sequence of
// events is made here, each passes the schema and is written by the SDK's encoder. Labels are ids, as the SDK makes none.
import {
  type BaseEvent, type Event, EventType, PROTOCOL_VERSION, type ReasoningEncryptedValueSubtype, type RunAgentInput,
  type RunFinishedOutcome, type TokenUsage,
} from "@ag-ui/core";
import { EventSchemas } from "@ag-ui/core/schemas";
import type { EventEncoder } from "@ag-ui/encoder";
import type { Gates } from "./gates.js";
import { lookUp } from "./pointer.js";
import type { Action, Fail, Piece, Reasoning, Replay, Subagent, Text, ToolCall } from "./script.js";

/** Whose an action's events are: the innermost subagent's; and the innermost one that was announced. */
type Scope = { owner?: string; announced?: string };

/** The error by which the agent reports a failure. */
class AgentFailure extends Error {
  constructor(readonly fail: Fail) {
    super(fail.message);
  }
}

/** The error of a call that the SDK refused. */
class Refused extends Error {}

export class Agent {
  private readonly over = new AbortController();

  constructor(
    private readonly input: RunAgentInput,
    private readonly encoder: EventEncoder,
    private readonly write: (bytes: Uint8Array) => void,
    private readonly gates: Gates,
  ) {}

  /** Plays a script, and ends the run. */
  async run(script: Action[]): Promise<void> {
    try {
      await this.play(script).catch((error: unknown) => {
        if (!(error instanceof AgentFailure)) throw error;
        const { message, code, usage } = error.fail;
        this.send({ type: EventType.RUN_ERROR, message, code, usage });
      });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.send({ type: EventType.RUN_ERROR, message: error.message, code: "conformance-sdk-refused" });
    }
  }

  /** Ends the run because the client is gone. */
  leave(): void {
    this.over.abort(new Error("the client is gone"));
  }

  /** Ends everything there and then. */
  private stop(reason: Error): never {
    this.over.abort(reason);
    throw reason;
  }

  /** Says an event, unless the run is over. */
  private say(event: Event): void {
    this.over.signal.throwIfAborted();
    this.send(event);
  }

  private send(event: Event): void {
    this.encode(() => EventSchemas.parse(event));
  }

  private encode(make: () => BaseEvent): void {
    let bytes: Uint8Array;
    try {
      bytes = this.encoder.encodeBinary(make());
    } catch (error) {
      this.stop(new Refused(error instanceof Error ? error.message : String(error)));
    }
    this.write(bytes);
  }

  private async play(script: Action[]): Promise<void> {
    const replays = script.filter((action) => action.replay);
    for (const { replay } of replays) if (replay) await this.replay(replay);
    const [first, last] = [script[replays.length], script.at(-1)];
    if (first?.fail?.early) this.stop(new AgentFailure(first.fail));
    this.start(this.input.runId);
    await this.do(script.slice(replays.length), {});
    if (!(last?.finish || last?.interrupt || last?.cancel)) this.finish({ type: "success" }, {});
  }

  private start(runId: string): void {
    const { threadId } = this.input;
    this.say({ type: EventType.RUN_STARTED, threadId, runId, protocolVersion: PROTOCOL_VERSION });
  }

  private finish(outcome: RunFinishedOutcome, { usage, result }: { usage?: TokenUsage[]; result?: unknown }): void {
    const { threadId, runId } = this.input;
    this.say({ type: EventType.RUN_FINISHED, threadId, runId, outcome, result, usage });
  }

  private async do(actions: Action[], scope: Scope): Promise<void> {
    for (const action of actions) await this.act(action, scope);
  }

  private async act(x: Action, scope: Scope): Promise<void> {
    const subagentRunId = scope.owner;
    if (x.text) await this.text(x.text, scope);
    if (x.toolCall) await this.toolCall(x.toolCall, scope);
    if (x.toolResult) {
      const { id: messageId, call: toolCallId, content, metadata } = x.toolResult;
      this.say({ type: EventType.TOOL_CALL_RESULT, messageId, toolCallId, content, metadata, subagentRunId });
    }
    if (x.reasoning) await this.reasoning(x.reasoning, scope);
    if (x.step) {
      const { name: stepName, do: actions } = x.step;
      this.say({ type: EventType.STEP_STARTED, stepName, subagentRunId });
      await this.do(actions, scope);
      this.say({ type: EventType.STEP_FINISHED, stepName, subagentRunId });
    }
    if (x.parallel) await this.parallel(x.parallel.branches, scope);
    if (x.subagent) await this.subagent(x.subagent, scope);
    if (x.stateSnapshot) {
      this.say({ type: EventType.STATE_SNAPSHOT, snapshot: x.stateSnapshot.snapshot, subagentRunId });
    }
    if (x.stateDelta) this.say({ type: EventType.STATE_DELTA, delta: x.stateDelta.patch, subagentRunId });
    if (x.messagesSnapshot) this.say({ type: EventType.MESSAGES_SNAPSHOT, messages: x.messagesSnapshot.messages });
    if (x.activity) {
      const { id: messageId, type: activityType, content, replace, metadata } = x.activity;
      this.say({ type: EventType.ACTIVITY_SNAPSHOT, messageId, activityType, content, replace, metadata, subagentRunId });
    }
    if (x.activityDelta) {
      const { id: messageId, type: activityType, patch } = x.activityDelta;
      this.say({ type: EventType.ACTIVITY_DELTA, messageId, activityType, patch, subagentRunId });
    }
    if (x.custom) this.say({ type: EventType.CUSTOM, name: x.custom.name, value: x.custom.value, subagentRunId });
    if (x.raw) this.say({ type: EventType.RAW, event: x.raw.event, source: x.raw.source, subagentRunId });
    if (x.emit) this.emit(x.emit.event);
    if (x.echo) {
      const value = lookUp(this.input, x.echo.pointer);
      this.say({ type: EventType.CUSTOM, name: "conformance.echo", value, subagentRunId });
    }
    if (x.gate) await this.gates.wait(`${this.input.runId}/${x.gate.name}`, this.over.signal);
    if (x.finish) this.finish({ type: "success", pendingToolCallIds: x.finish.pending }, x.finish);
    if (x.interrupt) this.finish({ type: "interrupt", interrupts: x.interrupt.interrupts }, x.interrupt);
    if (x.cancel) this.finish({ type: "cancelled" }, x.cancel);
    if (x.fail) this.stop(new AgentFailure(x.fail));
  }

  /** Says each delta, and does the actions in between. */
  private async stream(pieces: Piece[], scope: Scope, delta: (delta: string) => void): Promise<void> {
    for (const piece of pieces) {
      if (typeof piece === "string") delta(piece);
      else await this.act(piece, scope);
    }
  }

  private async text(t: Text, scope: Scope): Promise<void> {
    const item = { messageId: t.id, subagentRunId: scope.owner };
    let { role, name, metadata }: Partial<Text> = t;
    if (t.form === "chunks") {
      await this.stream(t.stream, scope, (delta) => {
        this.say({ type: EventType.TEXT_MESSAGE_CHUNK, ...item, role, name, metadata, delta });
        role = name = metadata = undefined; // the first chunk describes the message
      });
    } else {
      this.say({ type: EventType.TEXT_MESSAGE_START, ...item, role, name, metadata });
      await this.stream(t.stream, scope, (delta) => this.say({ type: EventType.TEXT_MESSAGE_CONTENT, ...item, delta }));
      this.say({ type: EventType.TEXT_MESSAGE_END, ...item });
    }
    this.encrypted("message", t, scope);
  }

  private async toolCall(c: ToolCall, scope: Scope): Promise<void> {
    const item = { toolCallId: c.id, subagentRunId: scope.owner };
    let { name: toolCallName, parent: parentMessageId, metadata }: Partial<ToolCall> = c;
    if (c.form === "chunks") {
      await this.stream(c.stream, scope, (delta) => {
        this.say({ type: EventType.TOOL_CALL_CHUNK, ...item, toolCallName, parentMessageId, metadata, delta });
        toolCallName = parentMessageId = metadata = undefined; // the first chunk describes the call
      });
    } else {
      this.say({ type: EventType.TOOL_CALL_START, ...item, toolCallName: c.name, parentMessageId, metadata });
      await this.stream(c.stream, scope, (delta) => this.say({ type: EventType.TOOL_CALL_ARGS, ...item, delta }));
      this.say({ type: EventType.TOOL_CALL_END, ...item });
    }
    this.encrypted("tool-call", c, scope);
  }

  private async reasoning({ span, messages, form }: Reasoning, scope: Scope): Promise<void> {
    const subagentRunId = scope.owner;
    if (span !== undefined) this.say({ type: EventType.REASONING_START, messageId: span, subagentRunId });
    for (const m of messages) {
      const item = { messageId: m.id, subagentRunId };
      let metadata = m.metadata;
      if (form === "chunks") {
        await this.stream(m.stream, scope, (delta) => {
          this.say({ type: EventType.REASONING_MESSAGE_CHUNK, ...item, metadata, delta });
          metadata = undefined;
        });
      } else {
        this.say({ type: EventType.REASONING_MESSAGE_START, ...item, role: "reasoning", metadata });
        await this.stream(m.stream, scope, (delta) => this.say({ type: EventType.REASONING_MESSAGE_CONTENT, ...item, delta }));
        this.say({ type: EventType.REASONING_MESSAGE_END, ...item });
      }
      this.encrypted("message", m, scope);
    }
    if (span !== undefined) this.say({ type: EventType.REASONING_END, messageId: span, subagentRunId });
  }

  /** Says the encrypted value of a message or call that has one. */
  private encrypted(
    subtype: ReasoningEncryptedValueSubtype, of: { id: string; encryptedValue?: string }, { owner }: Scope,
  ): void {
    const { id: entityId, encryptedValue } = of;
    if (encryptedValue === undefined) return;
    this.say({ type: EventType.REASONING_ENCRYPTED_VALUE, subtype, entityId, encryptedValue, subagentRunId: owner });
  }

  private async parallel(branches: Action[][], scope: Scope): Promise<void> {
    const ended = await Promise.allSettled(branches.map((branch) => this.do(branch, scope)));
    for (const branch of ended) if (branch.status === "rejected") throw branch.reason;
  }

  private async subagent(s: Subagent, scope: Scope): Promise<void> {
    const { id: subagentRunId, name, description, parentToolCall, parentMessage, end } = s;
    if (!s.announce) return this.do(s.do, { ...scope, owner: subagentRunId });
    this.say({
      type: EventType.SUBAGENT_STARTED, subagentRunId, name, description,
      parentSubagentRunId: scope.announced, parentToolCallId: parentToolCall, parentMessageId: parentMessage,
    });
    await this.do(s.do, { owner: subagentRunId, announced: subagentRunId });
    if (end.error) {
      this.say({ type: EventType.SUBAGENT_ERROR, subagentRunId, ...end.error });
    } else if (end.suspended) {
      const outcome = { type: "suspended" as const, interruptIds: end.suspended.interrupts };
      this.say({ type: EventType.SUBAGENT_FINISHED, subagentRunId, outcome });
    } else {
      this.say({ type: EventType.SUBAGENT_FINISHED, subagentRunId, result: end.success?.result, outcome: { type: "success" } });
    }
  }

  /** Writes an event past the types and schemas; the encoder has no guard. */
  private emit(event: Record<string, unknown>): void {
    this.over.signal.throwIfAborted();
    this.encode(() => event as BaseEvent);
  }

  /** Says an earlier run of the thread, with its own boundary events. */
  private async replay({ run: runId, do: actions, error }: Replay): Promise<void> {
    this.start(runId);
    await this.do(actions, {});
    if (error) this.say({ type: EventType.RUN_ERROR, ...error });
    else this.say({ type: EventType.RUN_FINISHED, threadId: this.input.threadId, runId });
  }
}

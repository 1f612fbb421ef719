"""Puts AG-UI's own Python package in the position of the scripted agent (docs/scripted-agent.md).

The package has the events as types, and an encoder. It has no agent and no run: which events come, RUN_STARTED and the terminal
event among them, is up to the program that uses it, so that here the script says it.
"""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

import anyio
from ag_ui import core as ag
from ag_ui.encoder import EventEncoder
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

import script
import serving

# All but panic (nobody catches exceptions but this program), guard (nobody checks), and protobuf (the encoder has none).
FEATURES = (
    'role name chunks nested reopen ids parent tool-result parts version reasoning span encrypted step parallel subagent '
    'unannounced state state-delta messages-snapshot activity custom raw emit interrupt cancel result usage pending metadata '
    'replay echo gate early-fail http'
).split()
ENDS = {'finish', 'interrupt', 'cancel', 'fail'}

gates = serving.Gates()


class Failure(Exception):
    """The agent reports an error: the argument is its RUN_ERROR."""


@dataclass(frozen=True)
class Agent:
    """Does what a script says. An action's method has its name."""

    input: ag.RunAgentInput
    send: Callable[[ag.BaseEvent], Awaitable[None]]
    owner: str | None = None  # the subagent whose work this is
    parent: str | None = None  # the innermost one around that was announced

    async def run(self, actions):
        try:
            await self.play(actions)
        except Failure as failure:
            await self.send(failure.args[0])
        except (ValidationError, PydanticSerializationError) as refusal:
            await self.send(ag.RunErrorEvent(message=str(refusal), code='conformance-sdk-refused'))

    async def play(self, actions):
        replays = list(itertools.takewhile(lambda action: action.kind == 'replay', actions))
        await self.do(replays)
        actions = actions[len(replays):]
        if not (actions and actions[0].kind == 'fail' and actions[0].body.early):
            await self.started(self.input.run_id)
        await self.do(actions)
        if not (actions and actions[-1].kind in ENDS):
            await self.finished(outcome=ag.RunFinishedSuccessOutcome())

    async def do(self, actions):
        for action in actions:
            await getattr(self, action.kind)(action.body)

    async def say(self, event, /, **members):
        """Sends an event of the kind that belongs to somebody. A member that is None is absent, for the package too."""
        await self.send(event(subagent_run_id=self.owner, **members))

    # Runs

    async def started(self, run):
        await self.send(ag.RunStartedEvent(thread_id=self.input.thread_id, run_id=run, protocol_version=ag.PROTOCOL_VERSION))

    async def finished(self, **members):
        await self.send(ag.RunFinishedEvent(thread_id=self.input.thread_id, run_id=self.input.run_id, **members))

    async def replay(self, x):
        await self.started(x.run)
        await self.do(x.do)
        if x.error:
            await self.send(ag.RunErrorEvent(message=x.error.message, code=x.error.code))
        else:
            await self.send(ag.RunFinishedEvent(thread_id=self.input.thread_id, run_id=x.run))

    async def finish(self, x):
        outcome = ag.RunFinishedSuccessOutcome(pending_tool_call_ids=x.pending)
        await self.finished(result=x.result, outcome=outcome, usage=x.usage)

    async def interrupt(self, x):
        await self.finished(outcome=ag.RunFinishedInterruptOutcome(interrupts=x.interrupts), usage=x.usage)

    async def cancel(self, x):
        await self.finished(outcome=ag.RunFinishedCancelledOutcome(), usage=x.usage)

    async def fail(self, x):
        raise Failure(ag.RunErrorEvent(message=x.message, code=x.code, usage=x.usage))

    # Messages and calls

    async def text(self, x):
        opener = {'role': x.role, 'name': x.name, 'metadata': x.metadata}
        if x.form == 'chunks':
            await self.chunks(x.stream, ag.TextMessageChunkEvent, {'message_id': x.id}, opener)
        else:
            await self.say(ag.TextMessageStartEvent, message_id=x.id, **opener)
            await self.stream(x.stream, ag.TextMessageContentEvent, {'message_id': x.id})
            await self.say(ag.TextMessageEndEvent, message_id=x.id)
        await self.encrypted('message', x)

    async def tool_call(self, x):
        opener = {'tool_call_name': x.name, 'parent_message_id': x.parent, 'metadata': x.metadata}
        if x.form == 'chunks':
            await self.chunks(x.stream, ag.ToolCallChunkEvent, {'tool_call_id': x.id}, opener)
        else:
            await self.say(ag.ToolCallStartEvent, tool_call_id=x.id, **opener)
            await self.stream(x.stream, ag.ToolCallArgsEvent, {'tool_call_id': x.id})
            await self.say(ag.ToolCallEndEvent, tool_call_id=x.id)
        await self.encrypted('tool-call', x)

    async def tool_result(self, x):
        members = {'message_id': x.id, 'tool_call_id': x.call, 'content': x.content, 'metadata': x.metadata}
        await self.say(ag.ToolCallResultEvent, **members)

    async def reasoning(self, x):
        if x.span is not None:
            await self.say(ag.ReasoningStartEvent, message_id=x.span)
        for message in x.messages:
            await self.thought(message, x.form)
        if x.span is not None:
            await self.say(ag.ReasoningEndEvent, message_id=x.span)

    async def thought(self, x, form):
        if form == 'chunks':
            await self.chunks(x.stream, ag.ReasoningMessageChunkEvent, {'message_id': x.id}, {'metadata': x.metadata})
        else:
            await self.say(ag.ReasoningMessageStartEvent, message_id=x.id, metadata=x.metadata)
            await self.stream(x.stream, ag.ReasoningMessageContentEvent, {'message_id': x.id})
            await self.say(ag.ReasoningMessageEndEvent, message_id=x.id)
        await self.encrypted('message', x)

    async def stream(self, pieces, event, id):
        for piece in pieces:
            if isinstance(piece, str):
                await self.say(event, delta=piece, **id)
            else:
                await self.do([piece])

    async def chunks(self, deltas, event, id, opener):
        for delta in deltas:
            await self.say(event, delta=delta, **id, **opener)
            opener = {}

    async def encrypted(self, subtype, x):
        if x.encrypted_value is not None:
            members = {'subtype': subtype, 'entity_id': x.id, 'encrypted_value': x.encrypted_value}
            await self.say(ag.ReasoningEncryptedValueEvent, **members)

    # What is around actions

    async def step(self, x):
        await self.say(ag.StepStartedEvent, step_name=x.name)
        await self.do(x.do)
        await self.say(ag.StepFinishedEvent, step_name=x.name)

    async def parallel(self, x):
        try:
            async with asyncio.TaskGroup() as group:
                for branch in x.branches:
                    group.create_task(self.do(branch))
        except ExceptionGroup as failed:
            raise failed.exceptions[0]

    async def subagent(self, x):
        if not x.announce:
            return await replace(self, owner=x.id).do(x.do)
        await self.send(ag.SubagentStartedEvent(
            subagent_run_id=x.id, name=x.name, description=x.description, parent_subagent_run_id=self.parent,
            parent_tool_call_id=x.parent_tool_call, parent_message_id=x.parent_message,
        ))
        await replace(self, owner=x.id, parent=x.id).do(x.do)
        await self.send(subagent_end(x.id, x.end))

    # State, activities, and the rest

    async def state_snapshot(self, x):
        await self.say(ag.StateSnapshotEvent, snapshot=x.snapshot)

    async def state_delta(self, x):
        await self.say(ag.StateDeltaEvent, delta=x.patch)

    async def messages_snapshot(self, x):
        await self.send(ag.MessagesSnapshotEvent(messages=x.messages))

    async def activity(self, x):
        members = {'message_id': x.id, 'activity_type': x.type, 'content': x.content, 'metadata': x.metadata}
        await self.say(ag.ActivitySnapshotEvent, replace=x.replace, **members)

    async def activity_delta(self, x):
        await self.say(ag.ActivityDeltaEvent, message_id=x.id, activity_type=x.type, patch=x.patch)

    async def custom(self, x):
        await self.say(ag.CustomEvent, name=x.name, value=x.value)

    async def raw(self, x):
        await self.say(ag.RawEvent, event=x.event, source=x.source)

    async def emit(self, x):
        """The base of all events has a type, and keeps every other member as it is."""
        await self.send(ag.BaseEvent.model_validate(x.event))

    async def echo(self, x):
        value = script.echo(self.input.model_dump(mode='json', by_alias=True), x.pointer)
        await self.say(ag.CustomEvent, name='conformance.echo', value=value)

    async def gate(self, x):
        await gates.wait(f'{self.input.run_id}/{x.name}')


def subagent_end(id, end):
    match end.kind:
        case 'error':
            return ag.SubagentErrorEvent(subagent_run_id=id, message=end.error.message, code=end.error.code)
        case 'suspended':
            outcome = ag.SubagentFinishedSuspendedOutcome(interrupt_ids=end.suspended.interrupts)
            return ag.SubagentFinishedEvent(subagent_run_id=id, outcome=outcome)
        case _:
            outcome = ag.SubagentFinishedSuccessOutcome()
            return ag.SubagentFinishedEvent(subagent_run_id=id, result=end.success.result, outcome=outcome)


async def frames(input, actions, encoder):
    """Runs the agent, and gives what it says as soon as it is said. A client that goes away stops the agent."""
    sender, receiver = anyio.create_memory_object_stream[str]()

    async def send(event):
        await sender.send(encoder.encode(event))

    async def run():
        async with sender:
            await Agent(input, send).run(actions)

    agent = asyncio.create_task(run())
    try:
        async for frame in receiver:
            yield frame
        await agent
    finally:
        agent.cancel()


app = FastAPI()


@app.get('/')
async def describe():
    return serving.description('python', 'ag-ui-protocol', 'adapter', FEATURES)


@app.post('/')
async def answer(input: ag.RunAgentInput, request: Request):
    try:
        actions = script.read(input.forwarded_props)
    except ValidationError as wrong:
        return JSONResponse({'error': str(wrong)}, status_code=400)
    cannot = script.unknown(actions) + ['panic' for action in script.actions(actions) if action.kind == 'panic']
    if cannot:
        return serving.unsupported(cannot)
    encoder = EventEncoder(accept=request.headers.get('accept'))
    return StreamingResponse(frames(input, actions, encoder), media_type=encoder.get_content_type())


serving.serve(gates.before(app))

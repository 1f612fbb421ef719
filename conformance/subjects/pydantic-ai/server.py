"""Puts Pydantic AI in the position of the scripted agent (docs/scripted-agent.md).

An agent of Pydantic AI gives a stream of the framework's own events, and its AG-UI adapter makes a run of them: RUN_STARTED,
messages, calls and their ids, the terminal event, the HTTP response. Here the agent is scripted, and all else is the framework's.
What the framework has no event for, an agent sends as an event of AG-UI's own: state, activities, steps and the like.
"""

from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass

from ag_ui import core as ag
from pydantic import ValidationError
from pydantic.alias_generators import to_camel
from pydantic_ai import Agent, AgentRunResult, AgentRunResultEvent, CustomEvent, DeferredToolRequests, RunCancelled
from pydantic_ai.agent import WrapperAgent
from pydantic_ai.exceptions import AgentRunError
from pydantic_ai.messages import (
    FunctionToolCallEvent,
    FunctionToolResultEvent,
    PartDeltaEvent,
    PartEndEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
    ToolReturnPart,
)
from pydantic_ai.ui import StateDeps
from pydantic_ai.ui.ag_ui import AGUIAdapter
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

import script
import serving

FEATURES = (
    'tool-result version reasoning step state state-delta messages-snapshot activity custom raw emit cancel pending echo '
    'gate panic http'
).split()

# The members that there is an API for.
CAN_SAY = {
    'text': 'id stream form',
    'tool_call': 'id name stream form',
    'tool_result': 'id call content',
    'reasoning': 'messages span form',
    'step': 'name do',
    'state_snapshot': 'snapshot',
    'state_delta': 'patch',
    'messages_snapshot': 'messages',
    'activity': 'id type content replace metadata',
    'activity_delta': 'id type patch',
    'custom': 'name value',
    'raw': 'event source',
    'emit': 'event',
    'echo': 'pointer',
    'gate': 'name',
    'finish': 'pending',
    'cancel': '',
    'fail': 'message',
    'panic': 'message',
}

gates = serving.Gates()


@dataclass(kw_only=True)
class AGUIEvent(CustomEvent):
    """The framework sends an AG-UI event as it is where an agent emits it as a custom event's payload."""

    event: ag.BaseEvent

    def to_payload(self):
        return self.event


class ScriptedAgent(WrapperAgent):
    """Gives the events of an agent whose model and tools do what a script says. An action's method has its name."""

    def __init__(self, input, actions):
        super().__init__(Agent(name='scripted'))
        self.input = input
        self.actions = actions
        self.calls = {}
        self.output = ''

    @asynccontextmanager
    async def run_stream_events(self, **options):
        async with aclosing(self.run_events()) as events:
            yield events

    async def run_events(self):
        async for event in self.do(self.actions):
            yield event
        yield AgentRunResultEvent(AgentRunResult(self.output))

    async def do(self, actions):
        for action in actions:
            x = action.body
            match action.kind:
                case 'text' | 'tool_call' | 'tool_result' | 'reasoning' | 'step':
                    async for event in getattr(self, action.kind)(x):
                        yield event
                case 'gate':
                    await gates.wait(f'{self.input.run_id}/{x.name}')
                case 'finish':
                    self.output = DeferredToolRequests(calls=[self.calls[label] for label in x.pending]) if x.pending else ''
                case 'cancel':
                    raise RunCancelled('cancelled')
                case 'fail':
                    raise AgentRunError(x.message)
                case 'panic':
                    raise RuntimeError(x.message)
                case _:
                    yield AGUIEvent(event=getattr(self, action.kind)(x))

    # What a model says: each part is a response of its own, since the framework joins texts that follow each other in one.

    async def part(self, part, deltas):
        yield PartStartEvent(index=0, part=part)
        for delta in deltas:
            yield PartDeltaEvent(index=0, delta=delta)
            part = delta.apply(part)
        yield PartEndEvent(index=0, part=part)

    def text(self, x):
        return self.part(TextPart(''), [TextPartDelta(delta) for delta in x.stream])

    def tool_call(self, x):
        self.calls[x.id] = call = ToolCallPart(x.name, tool_call_id=x.id)
        return self.part(call, [ToolCallPartDelta(args_delta=delta, tool_call_id=x.id) for delta in x.stream])

    async def reasoning(self, x):
        for message in x.messages:
            async for event in self.part(ThinkingPart(''), [ThinkingPartDelta(content_delta=delta) for delta in message.stream]):
                yield event

    # What tools do

    async def tool_result(self, x):
        # The tool's name is nowhere on the wire, and not known of a call of another run.
        call = self.calls.get(x.call) or ToolCallPart('', tool_call_id=x.call)
        yield FunctionToolCallEvent(call, args_valid=True)
        yield FunctionToolResultEvent(ToolReturnPart(call.tool_name, x.content, tool_call_id=x.call))

    # What are AG-UI's own events

    async def step(self, x):
        yield AGUIEvent(event=ag.StepStartedEvent(step_name=x.name))
        async for event in self.do(x.do):
            yield event
        yield AGUIEvent(event=ag.StepFinishedEvent(step_name=x.name))

    def state_snapshot(self, x):
        return ag.StateSnapshotEvent(snapshot=x.snapshot)

    def state_delta(self, x):
        return ag.StateDeltaEvent(delta=x.patch)

    def messages_snapshot(self, x):
        return ag.MessagesSnapshotEvent(messages=x.messages)

    def activity(self, x):
        members = {'content': x.content, 'replace': x.replace, 'metadata': x.metadata}
        return ag.ActivitySnapshotEvent(message_id=x.id, activity_type=x.type, **members)

    def activity_delta(self, x):
        return ag.ActivityDeltaEvent(message_id=x.id, activity_type=x.type, patch=x.patch)

    def custom(self, x):
        return ag.CustomEvent(name=x.name, value=x.value)

    def raw(self, x):
        return ag.RawEvent(event=x.event, source=x.source)

    def emit(self, x):
        """The base of all events has a type, and keeps every other member as it is."""
        return ag.BaseEvent.model_validate(x.event)

    def echo(self, x):
        value = script.echo(self.input.model_dump(mode='json', by_alias=True), x.pointer)
        return ag.CustomEvent(name='conformance.echo', value=value)


def unsupported(action):
    """Names what there is no API for."""
    name, body = to_camel(action.kind), action.body
    if action.kind not in CAN_SAY:
        return [name]
    messages = body.messages if action.kind == 'reasoning' else []
    names = [f'{name}.{to_camel(member)}' for member in body.model_fields_set - {*CAN_SAY[action.kind].split()}]
    names += [f'{name}.{to_camel(member)}' for message in messages for member in message.model_fields_set - {'id', 'stream'}]
    # A thinking part is a span with one message.
    if action.kind == 'reasoning' and body.span is not None and len(messages) != 1:
        names.append('reasoning.span')
    # A part ends before the next one begins.
    if any(isinstance(piece, script.Action) for said in [body, *messages] for piece in getattr(said, 'stream', [])):
        names.append('nested')
    if getattr(body, 'form', None) == 'chunks':
        names.append('chunks')
    if action.kind == 'tool_result' and not isinstance(body.content, str):
        names.append('parts')
    return names


async def describe(request):
    return serving.description('pydantic-ai', 'pydantic-ai-slim', 'sdk', FEATURES)


async def answer(request):
    try:
        input = AGUIAdapter.build_run_input(await request.body())
    except ValidationError:
        return await AGUIAdapter.dispatch_request(request, agent=Agent())  # says so itself
    try:
        actions = script.read(input.forwarded_props)
    except ValidationError as wrong:
        return JSONResponse({'error': str(wrong)}, status_code=400)
    cannot = script.unknown(actions) + [name for action in script.actions(actions) for name in unsupported(action)]
    if cannot:
        return serving.unsupported(cannot)
    return await AGUIAdapter.dispatch_request(request, agent=ScriptedAgent(input, actions), deps=StateDeps({}))


app = Starlette(routes=[Route('/', describe, methods=['GET']), Route('/', answer, methods=['POST'])])
serving.serve(gates.before(app))

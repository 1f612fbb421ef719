"""Serves a Pydantic AI agent over AG-UI to the capture command.

The agent, its tool loop, the AG-UI adapter and the HTTP response are the framework's, with default settings. The model is a
double (the framework's own FunctionModel), and the clock and the random bytes of uuid4 are ours.
"""

import asyncio
import contextvars
import itertools

from ag_ui.core import EventType, StateDeltaEvent, StateSnapshotEvent
from pydantic_ai import Agent, DeferredToolRequests, ModelRetry, RunContext, ToolReturn
from pydantic_ai.messages import ModelResponse, UserPromptPart
from pydantic_ai.models.function import DeltaThinkingPart, DeltaToolCall, FunctionModel
from pydantic_ai.ui import StateDeps
from pydantic_ai.ui.ag_ui import AGUIAdapter, AGUIEventStream
from starlette.applications import Starlette
from starlette.routing import Route

import scripts
import serving

# Cases that only this framework has.
SCRIPTS = scripts.SCRIPTS | {
    'retried-tool': [
        [scripts.call('call-1', 'weather', '{"city":"Atlantis"}')],
        [scripts.call('call-2', 'weather', '{"city":"Zürich"}')],
        ['It is', ' 21 °C.'],
    ],
    'stopped': [['I will', ' stop.', scripts.call('call-1', 'stop', '{}')]],
}
SCRIPTS['usage'] = SCRIPTS['tool']

CLOCK = contextvars.ContextVar('milliseconds of the request')


async def model(messages, info):
    case, number = place(messages)
    for i, piece in enumerate(scripts.turn(SCRIPTS[case], number)):
        # A pause, so that runs at the same time do overlap.
        await asyncio.sleep(0.002)
        async for delta in deltas(i, piece):
            yield delta


def place(messages):
    """Gives the case, and how many turns of it the model has had.

    The framework asks again with a user prompt of its own, so that the last one need not name the case.
    """
    prompts = ((i, p.content) for i, m in enumerate(messages) for p in m.parts if isinstance(p, UserPromptPart))
    asked, case = [(i, content) for i, content in prompts if content in SCRIPTS][-1]
    return case, sum(isinstance(m, ModelResponse) for m in messages[asked:])


async def deltas(index, piece):
    match piece:
        case scripts.Failure():
            raise RuntimeError(piece.message)
        case scripts.Thought():
            yield {0: DeltaThinkingPart(content=piece.text, signature=piece.signature)}
        case scripts.Call():
            yield {index: DeltaToolCall(name=piece.name, tool_call_id=piece.id)}
            for args in piece.pieces:
                yield {index: DeltaToolCall(json_args=args)}
        case _:
            yield piece


agent = Agent(
    FunctionModel(stream_function=model), deps_type=StateDeps[dict], output_type=[str, DeferredToolRequests], name='agent'
)


@agent.tool_plain
async def weather(city: str) -> dict[str, int]:
    if city == 'Atlantis':
        raise ModelRetry('There is no weather in Atlantis.')
    if city == 'Zürich':
        # The results of parallel calls come in the other order.
        await asyncio.sleep(0.1)
    return {'celsius': 21 if city == 'Zürich' else 18}


@agent.tool_plain
async def broken() -> str:
    raise RuntimeError('the tool broke')


@agent.tool_plain
async def make_plan() -> ToolReturn:
    plan = {'steps': [{'name': 'look', 'done': False}, {'name': 'tell', 'done': False}]}
    return ToolReturn('planned', metadata=[StateSnapshotEvent(type=EventType.STATE_SNAPSHOT, snapshot=plan)])


@agent.tool_plain
async def finish_step(index: int) -> ToolReturn:
    patch = [{'op': 'replace', 'path': f'/steps/{index}/done', 'value': True}]
    return ToolReturn('finished', metadata=[StateDeltaEvent(type=EventType.STATE_DELTA, delta=patch)])


@agent.tool_plain(requires_approval=True)
async def delete_file(path: str) -> str:
    return f'{path} is deleted'


@agent.tool
async def stop(ctx: RunContext) -> str:
    ctx.cancel()
    return 'stopping'


async def answer(request):
    input = await request.json()
    serving.fix_ids(input['runId'])
    CLOCK.set(itertools.count(946_684_800_000, 20))
    case = input['messages'][-1]['content']
    return await AGUIAdapter.dispatch_request(request, agent=agent, deps=StateDeps({}), include_usage=case == 'usage')


AGUIEventStream._get_timestamp = staticmethod(lambda: next(CLOCK.get()))
serving.serve(Starlette(routes=[Route('/', answer, methods=['POST'])]))

"""Serves a LangGraph agent through the AG-UI integration for LangGraph to the capture command.

The agents' loops, the checkpoints, the adapter, the endpoint and the encoder are the frameworks'. The model is LangChain's fake
chat model, made to stream our scripts (its own streaming has no tool calls and no reasoning). Ours are the tools, what sends
the client's tools to the client, the random bytes under uuid4, and the clock of the checkpoints' ids.

Given the argument `defaults`, the adapter has its default settings; else those that show all it has of AG-UI 1.0, without the
raw events, which are several times as long as the rest.
"""

import asyncio
import contextvars
import itertools
import logging
import random
import sys
import uuid
from types import SimpleNamespace
from typing import Annotated, NamedTuple

import langchain_core.callbacks.manager
import langchain_core.tracers.event_stream
import langgraph.checkpoint.base.id
from ag_ui_langgraph import LangGraphAgent, StateItem, StateStreamingMiddleware, add_langgraph_fastapi_endpoint
from fastapi import Depends, FastAPI, Request
from langchain.agents import AgentState, create_agent
from langchain.agents.middleware import after_model
from langchain_core.callbacks import adispatch_custom_event
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.tools import InjectedToolCallId, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.prebuilt import InjectedState
from langgraph.types import Command, interrupt

import scripts
import serving
from scripts import call


class Whole(NamedTuple):
    """A tool call that comes in one piece, as from Google's models."""

    id: str
    name: str
    args: str


# Cases that only this framework has; the last ones are what its subagents say.
SCRIPTS = scripts.SCRIPTS | {
    'predict-state': [
        ['I will', ' write.', call('call-1', 'write_document', '{"document":"Once', ' upon', ' a time"}')],
        ['It is', ' written.'],
    ],
    'tool-in-one-piece': [['I will', ' look.', Whole('call-1', 'weather', '{"city":"Zürich"}')], ['It is 21 °C', ' in Zürich.']],
    'manual-events': [[call('call-1', 'announce', '{}')], ['That', ' was it.']],
    'subagents': [
        ['I will', ' ask.', call('call-1', 'task', '{"subagent_type":"researcher",', '"description":"research Zürich"}')],
        ['It is', ' 21 °C.'],
    ],
    'subagent-fails': [
        ['I will', ' ask.', call('call-1', 'task', '{"subagent_type":"researcher","description":"fail"}')],
    ],
    'subagent-interrupt': [
        ['I will', ' ask.', call('call-1', 'task', '{"subagent_type":"researcher","description":"delete"}')],
        ['It is', ' gone.'],
    ],
    'research Zürich': [['I look', ' it up.', call('call-8', 'weather', '{"city":', '"Zürich"}')], ['Zürich:', ' 21 °C']],
    'fail': [['I', scripts.HUNG_UP]],
    'delete': [[call('call-8', 'delete_file', '{"path":"a.txt"}')], ['Deleted.']],
}

CLOCK = contextvars.ContextVar('nanoseconds of the request')


class ScriptedModel(GenericFakeChatModel):
    async def _astream(self, messages, stop=None, run_manager=None, **kwargs):
        script, number = place(messages)
        turn = scripts.turn(script, number)
        thinks = any(isinstance(piece, scripts.Thought) for piece in turn)
        for i, piece in enumerate(turn):
            await asyncio.sleep(0.002)  # so that runs at the same time do overlap
            for chunk in chunks(i, piece, thinks):
                yield ChatGenerationChunk(message=chunk)

    def bind_tools(self, tools, **kwargs):
        return self


def place(messages):
    """Gives the script of the case, and how many turns of it the model has had."""
    asked = max(i for i, m in enumerate(messages) if isinstance(m, HumanMessage))
    return SCRIPTS[messages[asked].text], sum(isinstance(m, AIMessage) for m in messages[asked:])


def chunks(index, piece, thinks):
    """Gives a piece as LangChain's providers do; where the model thinks, as Anthropic's does, also text is in blocks."""
    match piece:
        case scripts.Failure():
            raise RuntimeError(piece.message)
        case scripts.Thought():
            thought = {'type': 'thinking', 'thinking': piece.text, 'index': 0}
            yield AIMessageChunk([thought | ({'signature': piece.signature} if piece.signature else {})])
        case scripts.Call():
            # As OpenAI and Anthropic do it: the name first.
            yield AIMessageChunk('', tool_call_chunks=[part(index, '', id=piece.id, name=piece.name)])
            for args in piece.pieces:
                yield AIMessageChunk('', tool_call_chunks=[part(index, args)])
        case Whole():
            yield AIMessageChunk('', tool_call_chunks=[part(index, piece.args, id=piece.id, name=piece.name)])
        case str() if thinks:
            yield AIMessageChunk([{'type': 'text', 'text': piece, 'index': 1}])
        case _:
            yield AIMessageChunk(piece)


def part(index, args, id=None, name=None):
    return {'id': id, 'name': name, 'args': args, 'index': index}


model = ScriptedModel(messages=iter(()))

CallId = Annotated[str, InjectedToolCallId]


@tool
async def weather(city: str) -> dict:
    """The weather in a city."""
    if city == 'Zürich':
        # The results of parallel calls come in the other order.
        await asyncio.sleep(0.3)
    return {'celsius': 21 if city == 'Zürich' else 18}


@tool
async def broken() -> str:
    """Fails."""
    raise RuntimeError('the tool broke')


@tool
async def delete_file(path: str) -> str:
    """Deletes a file if the user agrees."""
    answer = interrupt({'reason': 'approval', 'message': f'Delete {path}?'})
    return f'{path} is deleted' if answer['approved'] else f'{path} is kept'


def state_update(state, call_id, result):
    return Command(update=state | {'messages': [ToolMessage(result, tool_call_id=call_id)]})


@tool
async def make_plan(call_id: CallId) -> Command:
    """Makes a plan."""
    steps = [{'name': 'look', 'done': False}, {'name': 'tell', 'done': False}]
    return state_update({'plan': steps}, call_id, 'planned')


@tool
async def finish_step(index: int, plan: Annotated[list, InjectedState('plan')], call_id: CallId) -> Command:
    """Marks a step as done."""
    plan = [step | {'done': True} if i == index else step for i, step in enumerate(plan)]
    return state_update({'plan': plan}, call_id, 'finished')


@tool
async def write_document(document: str, call_id: CallId) -> Command:
    """Writes the document."""
    return state_update({'document': document}, call_id, 'written')


@tool
async def announce() -> str:
    """Sends the events that the adapter lets a graph send by hand."""
    await adispatch_custom_event('manually_emit_message', {'message_id': 'manual-1', 'message': 'Listen.'})
    await adispatch_custom_event('manually_emit_tool_call', {'id': 'manual-2', 'name': 'ring', 'args': {'times': 3}})
    await adispatch_custom_event('manually_emit_state', {'document': 'rung'})
    await adispatch_custom_event('bell', {'rung': True})
    return 'announced'


researcher = create_agent(model, [weather, delete_file], name='researcher')


@tool
async def task(description: str, subagent_type: str, call_id: CallId) -> Command:
    """Hands a task to a subagent, with the name and arguments of the deepagents tool, which the adapter looks for."""
    draw_from(description)
    answer = await researcher.ainvoke({'messages': [HumanMessage(description)]})
    return state_update({}, call_id, answer['messages'][-1].text)


TOOLS = [weather, broken, delete_file, make_plan, finish_step, write_document, announce, task]


class State(AgentState):
    tools: list
    plan: list
    document: str


@after_model(can_jump_to=['end'])
async def client_tools(state, runtime):
    """Tools that the client brought along are the client's to execute."""
    calls = {call['name'] for call in state['messages'][-1].tool_calls}
    return {'jump_to': 'end'} if calls - {t.name for t in TOOLS} else None


def graph():
    predicted = StateStreamingMiddleware(StateItem('document', 'write_document', 'document'))
    return create_agent(
        model, TOOLS, middleware=[predicted, client_tools], state_schema=State, checkpointer=InMemorySaver()
    )


async def begin(request: Request):
    """What a run draws depends on its runId alone; the ids of two runs on a thread must differ, and tell their order."""
    run = (await request.json())['runId']
    serving.fix_ids()
    draw_from(run)
    CLOCK.set(itertools.count((946_684_800 + 3600 * int(run.removeprefix('run-'))) * 10**9, 20_000_000))


def draw_from(name):
    """Subagents at the same time draw apart, too."""
    serving.SOURCE.set(random.Random(name))


def fix_clock():
    """Ids of LangChain are uuid7 and those of checkpoints uuid6, which both tell the time."""
    langchain_core.callbacks.manager.uuid7 = langchain_core.tracers.event_stream.uuid7 = uuid.uuid4
    checkpoints = langgraph.checkpoint.base.id
    checkpoints.time = SimpleNamespace(time_ns=nanoseconds)
    checkpoints.random = SimpleNamespace(getrandbits=lambda k: serving.SOURCE.get().getrandbits(k))


def nanoseconds():
    # An id comes after the last one of all requests; forget that one, since each has a clock of its own.
    langgraph.checkpoint.base.id._last_v6_timestamp = None
    return next(CLOCK.get())


def settings():
    if sys.argv[1:] == ['defaults']:
        return {}
    return {'emit_raw_events': False, 'emit_interrupt_outcome': True, 'subagent_visibility': 'attributed'}


# The failures are what the cases are about.
logging.disable(logging.CRITICAL)
app = FastAPI()
agent = LangGraphAgent(name='agent', graph=graph(), **settings())
add_langgraph_fastapi_endpoint(app, agent, '/', dependencies=[Depends(begin)])
fix_clock()
serving.serve(app)

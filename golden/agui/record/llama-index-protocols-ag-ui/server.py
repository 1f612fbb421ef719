"""Serves LlamaIndex's AG-UI chat workflow to the capture command.

The workflow with its tool loop, the router's request handler and the encoder are the framework's. The model is its
MockFunctionCallingLLM, made to stream our scripts. Ours are the tools, the path of the route (the framework's is /run), the
random bytes under uuid4, and the clock, which counts seconds.
"""

import asyncio
import contextvars
import datetime
import itertools
import json
import logging
import re
from types import SimpleNamespace

import llama_index.protocols.ag_ui.utils
from fastapi import Depends, FastAPI
from llama_index.core.base.llms.types import ToolCallBlock
from llama_index.core.llms import ChatMessage, ChatResponse, TextBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.workflow import Context
from llama_index.protocols.ag_ui.events import StateDeltaWorkflowEvent
from llama_index.protocols.ag_ui.router import AGUIWorkflowRouter, get_default_workflow_factory

import scripts
import serving

CLOCK = contextvars.ContextVar('seconds of the request')


class ScriptedModel(MockFunctionCallingLLM):
    async def astream_chat(self, messages, **kwargs):
        return responses(scripts.turn(*place(messages)))


def place(messages):
    """Gives the script of the case, and how many turns of it the model has had.

    The workflow writes the state into the user's message, and sends tool results as user messages, too.
    """
    asked = max(i for i, m in enumerate(messages) if m.role == 'user' and 'tool_call_id' not in m.additional_kwargs)
    case = re.sub('<state>.*</state>', '', messages[asked].content, flags=re.DOTALL).strip()
    return scripts.SCRIPTS[case], sum(m.role == 'assistant' for m in messages[asked:])


async def responses(turn):
    """Each response holds all that came so far, and what is new as delta."""
    text, calls = '', []
    for piece in turn:
        # A pause, so that runs at the same time do overlap.
        await asyncio.sleep(0.002)
        match piece:
            case scripts.Failure():
                raise RuntimeError(piece.message)
            case scripts.Call():
                calls.append(
                    ToolCallBlock(tool_call_id=piece.id, tool_name=piece.name, tool_kwargs=json.loads(''.join(piece.pieces)))
                )
                delta = ''
            case _:
                delta = piece
        text += delta
        yield ChatResponse(message=ChatMessage(role='assistant', blocks=[TextBlock(text=text), *calls]), delta=delta)


async def weather(city: str) -> str:
    """The weather in a city."""
    if city == 'Zürich':
        # The results of parallel calls come in the other order.
        await asyncio.sleep(0.1)
    return '21 °C' if city == 'Zürich' else '18 °C'


async def broken() -> str:
    """Fails."""
    raise RuntimeError('the tool broke')


async def make_plan(ctx: Context) -> str:
    """Makes a plan; the workflow sends the state after each tool."""
    await ctx.store.set('state', {'steps': [{'name': 'look', 'done': False}, {'name': 'tell', 'done': False}]})
    return 'planned'


async def finish_step(ctx: Context, index: int) -> str:
    """Marks a step as done, and sends the change by itself."""
    patch = [{'op': 'replace', 'path': f'/steps/{index}/done', 'value': True}]
    ctx.write_event_to_stream(StateDeltaWorkflowEvent(delta=patch))
    state = await ctx.store.get('state')
    state['steps'][index]['done'] = True
    await ctx.store.set('state', state)
    return 'finished'


async def begin():
    serving.fix_ids()
    CLOCK.set(itertools.count(946_684_800))


def now():
    return datetime.datetime.fromtimestamp(next(CLOCK.get()), datetime.UTC)


# The failures are what the cases are about.
logging.disable(logging.CRITICAL)
llama_index.protocols.ag_ui.utils.datetime = SimpleNamespace(datetime=SimpleNamespace(now=now))
workflows = get_default_workflow_factory(ScriptedModel(), backend_tools=[weather, broken, make_plan, finish_step])
app = FastAPI()
app.post('/', dependencies=[Depends(begin)])(AGUIWorkflowRouter(workflows).run)
serving.serve(app)

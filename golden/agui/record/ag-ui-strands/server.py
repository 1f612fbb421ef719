"""Serves Strands agents through the AG-UI integration for Strands to the capture command.

The agents' loop, the graph of agents, the adapter, the endpoint and the encoder are the frameworks'. Ours are the model, which
plays our scripts in Strands' own stream events, the tools, the choice of the agent by case, and the random bytes under uuid4.
"""

import asyncio
import logging
import random

from ag_ui_strands import PredictStateMapping, StrandsAgent, StrandsAgentConfig, ToolBehavior, add_strands_fastapi_endpoint
from fastapi import Depends, FastAPI, Request
from strands import Agent, tool
from strands.models import Model
from strands.multiagent import GraphBuilder

import scripts
import serving
from scripts import call

# Cases that only this framework has, and what the agents of its graph say.
SCRIPTS = scripts.SCRIPTS | {
    'predict-state': [
        ['I will', ' write.', call('call-1', 'write_document', '{"document":"Once', ' upon', ' a time"}')],
        ['It is', ' written.'],
    ],
    'You research.': [['Zürich', ' has', ' 21 °C.']],
    'You write.': [['A fine', ' day.']],
}


class ScriptedModel(Model):
    def update_config(self, **config):
        pass

    def get_config(self):
        return {'model_id': 'scripted'}

    async def structured_output(self, *args, **kwargs):
        raise NotImplementedError
        yield

    async def stream(self, messages, tool_specs=None, system_prompt=None, **kwargs):
        turn = scripts.turn(*place(messages, system_prompt))
        yield {'messageStart': {'role': 'assistant'}}
        block = None
        for piece in turn:
            # A pause, so that runs at the same time do overlap.
            await asyncio.sleep(0.002)
            if block is not None and (type(piece) is not block or block is scripts.Call):
                yield {'contentBlockStop': {}}
                block = None
            for event in events(piece, opens=block is None):
                yield event
            block = type(piece)
        if block is not None:
            yield {'contentBlockStop': {}}
        calls = any(isinstance(piece, scripts.Call) for piece in turn)
        yield {'messageStop': {'stopReason': 'tool_use' if calls else 'end_turn'}}
        usage = {'inputTokens': 10, 'outputTokens': len(turn), 'totalTokens': 10 + len(turn)}
        yield {'metadata': {'usage': usage, 'metrics': {'latencyMs': 1}}}


def place(messages, system_prompt):
    """Gives the script of the agent or of the case, and how many turns of it the model has had."""
    if system_prompt in SCRIPTS:
        return SCRIPTS[system_prompt], 0
    asked = max(i for i, m in enumerate(messages) if m['role'] == 'user' and text(m) in SCRIPTS)
    return SCRIPTS[text(messages[asked])], sum(m['role'] == 'assistant' for m in messages[asked:])


def text(message):
    return message['content'][0].get('text')


def events(piece, opens):
    """Gives a piece as Strands' providers do."""
    if opens:
        yield {'contentBlockStart': {'start': start(piece)}}
    match piece:
        case scripts.Failure():
            raise RuntimeError(piece.message)
        case scripts.Thought():
            yield delta({'reasoningContent': {'text': piece.text}})
            if piece.signature:
                yield delta({'reasoningContent': {'signature': piece.signature}})
        case scripts.Call():
            for args in piece.pieces:
                yield delta({'toolUse': {'input': args}})
        case _:
            yield delta({'text': piece})


def start(piece):
    return {'toolUse': {'toolUseId': piece.id, 'name': piece.name}} if isinstance(piece, scripts.Call) else {}


def delta(content):
    return {'contentBlockDelta': {'delta': content}}


@tool
async def weather(city: str) -> str:
    """The weather in a city."""
    if city == 'Zürich':
        # The results of parallel calls come in the other order.
        await asyncio.sleep(0.3)
    return '21 °C' if city == 'Zürich' else '18 °C'


@tool
async def broken() -> str:
    """Fails."""
    raise RuntimeError('the tool broke')


@tool
async def delete_file(path: str) -> str:
    """Deletes a file."""
    return f'{path} is deleted'


@tool
async def make_plan() -> str:
    """Makes a plan."""
    return 'planned'


@tool
async def finish_step(index: int) -> str:
    """Marks a step as done."""
    return 'finished'


@tool
async def write_document(document: str) -> str:
    """Writes the document."""
    return 'written'


def plan(done):
    """The adapter sends the state that it is given for a tool's result."""
    return lambda context: {'steps': [{'name': 'look', 'done': done}, {'name': 'tell', 'done': False}]}


def agents():
    behaviors = {
        'delete_file': ToolBehavior(interrupt_on_call=True),
        'make_plan': ToolBehavior(state_from_result=plan(False)),
        'finish_step': ToolBehavior(state_from_result=plan(True)),
        'write_document': ToolBehavior(
            predict_state=[PredictStateMapping('document', 'write_document', 'document')],
            state_from_args=lambda context: {'document': context.tool_input['document']},
        ),
    }
    tools = [weather, broken, delete_file, make_plan, finish_step, write_document]
    agent = Agent(ScriptedModel(), tools=tools, callback_handler=None)
    return {
        'single': StrandsAgent(agent, 'agent', config=StrandsAgentConfig(tool_behaviors=behaviors)),
        'multi-agent': StrandsAgent(graph, 'graph'),
    }


def graph():
    builder = GraphBuilder()
    for name, prompt in ('researcher', 'You research.'), ('writer', 'You write.'):
        builder.add_node(Agent(ScriptedModel(), name=name, system_prompt=prompt, callback_handler=None), name)
    builder.add_edge('researcher', 'writer')
    builder.set_entry_point('researcher')
    builder.set_max_node_executions(2)
    return builder.build()


class ByCase:
    def __init__(self):
        self.agents = agents()

    def run(self, run_input, **kwargs):
        return self.agents.get(run_input.messages[-1].content, self.agents['single']).run(run_input, **kwargs)


async def begin(request: Request):
    """What a run draws depends on its runId alone; the ids of two runs on a thread must differ."""
    serving.fix_ids()
    serving.SOURCE.set(random.Random((await request.json())['runId']))


# The failures are what the cases are about.
logging.disable(logging.CRITICAL)
app = FastAPI()
add_strands_fastapi_endpoint(app, ByCase(), '/', dependencies=[Depends(begin)])
serving.serve(app)

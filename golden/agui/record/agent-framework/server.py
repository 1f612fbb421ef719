"""Serves a Microsoft Agent Framework agent, and a workflow of two, over AG-UI to the capture command.

Agent, tool loop, workflow, approval, the AG-UI endpoint and the HTTP response are the framework's, with default settings. The chat
client is ours, built on the framework's base as its documentation shows, and so are the random bytes of uuid4.
"""

import asyncio
import logging

from agent_framework import Agent, BaseChatClient, ChatResponseUpdate, Content, FunctionInvocationLayer, ResponseStream
from agent_framework import ChatResponse, WorkflowBuilder, tool
from agent_framework_ag_ui import AgentFrameworkAgent, add_agent_framework_fastapi_endpoint, state_update
from fastapi import FastAPI

import scripts
import serving

SCRIPTS = scripts.SCRIPTS | {
    'predicted-state': [
        ['A plan.', scripts.call('call-1', 'write_plan', '{"plan":', '"look, ', 'then tell"}')],
        ['It is', ' written.'],
    ],
    'agent-as-tool': [['I will', ' ask.', scripts.call('call-1', 'reporter', '{"task":', '"Look outside."}')], ['It is', ' 21 °C.']],
}
REPORTER = [['I will', ' look.', scripts.call('call-2', 'weather', '{"city":', '"Zürich"}')], ['Sunny,', ' 21 °C.']]
EDITOR = [['The reporter', ' says so.']]


class Double(FunctionInvocationLayer, BaseChatClient):
    """Says what its script says."""

    def __init__(self, script):
        super().__init__()
        self.script = script

    def _inner_get_response(self, *, messages, stream, options, **kwargs):
        assert stream
        asked = max(i for i, m in enumerate(messages) if m.role == 'user')
        number = sum(m.role == 'assistant' for m in messages[asked:])
        return ResponseStream(self.say(scripts.turn(self.script, number)), finalizer=ChatResponse.from_updates)

    async def say(self, pieces):
        for piece in pieces:
            # A pause, so that runs at the same time do overlap.
            await asyncio.sleep(0.002)
            for content in contents(piece):
                yield ChatResponseUpdate(contents=[content], role='assistant')


def contents(piece):
    match piece:
        case scripts.Failure():
            raise RuntimeError(piece.message)
        case scripts.Thought():
            return [Content.from_text_reasoning(text=piece.text, protected_data=piece.signature)]
        case scripts.Call():
            first = Content.from_function_call(piece.id, piece.name, arguments=piece.pieces[0])
            # As OpenAI's client does it: what continues a call has no name.
            return [first] + [Content.from_function_call(piece.id, '', arguments=args) for args in piece.pieces[1:]]
        case _:
            return [Content.from_text(piece)]


@tool
async def weather(city: str) -> dict:
    """Tells the weather of a city."""
    if city == 'Zürich':
        # The results of parallel calls come in the other order, if the framework lets them.
        await asyncio.sleep(0.1)
    return {'celsius': 21 if city == 'Zürich' else 18}


@tool
async def broken() -> str:
    """Breaks."""
    raise RuntimeError('the tool broke')


@tool
async def make_plan():
    """Makes a plan."""
    steps = [{'name': 'look', 'done': False}, {'name': 'tell', 'done': False}]
    return state_update('planned', state={'steps': steps})


@tool
async def finish_step(index: int):
    """Finishes a step of the plan."""
    steps = [{'name': 'look', 'done': index == 0}, {'name': 'tell', 'done': index == 1}]
    return state_update('finished', state={'steps': steps})


@tool
async def write_plan(plan: str) -> str:
    """Writes a plan."""
    return 'written'


@tool(approval_mode='always_require')
async def delete_file(path: str) -> str:
    """Deletes a file."""
    return f'{path} is deleted'


TOOLS = [weather, broken, make_plan, finish_step, write_plan, delete_file]


def agent(name, script, tools=TOOLS):
    return Agent(client=Double(script), name=name, tools=tools)


def runner(case):
    if case == 'subagents':
        reporter = agent('reporter', REPORTER)
        editor = agent('editor', EDITOR)
        return WorkflowBuilder(name='news', start_executor=reporter).add_edge(reporter, editor).build()
    tools = TOOLS
    if case == 'agent-as-tool':
        tools = [agent('reporter', REPORTER).as_tool()]
    if case == 'predicted-state':
        return AgentFrameworkAgent(
            agent('agent', SCRIPTS[case], tools),
            state_schema={'plan': {'type': 'string'}},
            predict_state_config={'plan': {'tool': 'write_plan', 'tool_argument': 'plan'}},
            require_confirmation=False,
        )
    return agent('agent', SCRIPTS[case], tools)


def app_of(case):
    app = FastAPI()
    add_agent_framework_fastapi_endpoint(app, runner(case), '/', single_user=True)
    return app, '/'


# The cases fail on purpose.
logging.disable()
serving.serve(serving.by_case(app_of))

"""Serves an Agno agent, and a team of two, over AG-UI to the capture command.

Agent, team, tool loop, sessions, the AG-UI interface and the HTTP response are the framework's, with default settings. The model
is ours, as the framework has no double, and so are the random bytes of uuid4. The clock stands still.
"""

import asyncio
import time

# Before the framework takes them.
time.time = lambda: 946_684_800.0
time.perf_counter = lambda: 0.0

from dataclasses import dataclass  # noqa: E402

from agno.agent import Agent  # noqa: E402
from agno.db.in_memory import InMemoryDb  # noqa: E402
from agno.models.base import Model  # noqa: E402
from agno.models.response import ModelResponse  # noqa: E402
from agno.os.interfaces.agui import AGUI  # noqa: E402
from agno.run import RunContext  # noqa: E402
from agno.team import Team  # noqa: E402
from agno.tools import tool  # noqa: E402
from agno.tools.reasoning import ReasoningTools  # noqa: E402
from fastapi import FastAPI  # noqa: E402

import scripts  # noqa: E402
import serving  # noqa: E402

# What only this framework has: its reasoning is a toolkit.
SCRIPTS = scripts.SCRIPTS | {
    'reasoning-steps': [
        ['Let me', ' think.', scripts.call('call-1', 'think', '{"title":"City","thought":"Zürich is in Switzerland."}')],
        [scripts.call('call-2', 'think', '{"title":"Weather","thought":"It is warm.","action":"Answer"}')],
        ['It is', ' 21 °C.'],
    ],
}
LEADER = [
    ['I will', ' ask.', scripts.call('call-1', 'delegate_task_to_member', '{"member_id":"reporter",', '"task":"Look outside."}')],
    ['The reporter', ' says so.'],
]
MEMBER = [['I will', ' look.', scripts.call('call-2', 'weather', '{"city":', '"Zürich"}')], ['It is', ' 21 °C.']]


@dataclass
class Double(Model):
    """Says what its script says."""

    id: str = 'double'
    script: list | None = None

    async def ainvoke_stream(self, messages, **kwargs):
        asked = max(i for i, m in enumerate(messages) if m.role == 'user')
        number = sum(m.role == 'assistant' for m in messages[asked:])
        for piece in scripts.turn(self.script, number):
            # A pause, so that runs at the same time do overlap.
            await asyncio.sleep(0.002)
            yield self._parse_provider_response_delta(piece)

    def _parse_provider_response_delta(self, piece):
        match piece:
            case scripts.Failure():
                raise RuntimeError(piece.message)
            case scripts.Thought():
                return ModelResponse(reasoning_content=piece.text)
            case scripts.Call():
                function = {'name': piece.name, 'arguments': ''.join(piece.pieces)}
                return ModelResponse(tool_calls=[{'id': piece.id, 'type': 'function', 'function': function}])
            case _:
                return ModelResponse(content=piece)

    def invoke(self, *args, **kwargs):
        raise NotImplementedError

    ainvoke = invoke_stream = _parse_provider_response = invoke


async def weather(city: str) -> dict:
    """Tells the weather of a city."""
    if city == 'Zürich':
        # The results of parallel calls come in the other order, if the framework lets them.
        await asyncio.sleep(0.1)
    return {'celsius': 21 if city == 'Zürich' else 18}


async def broken() -> str:
    """Breaks."""
    raise RuntimeError('the tool broke')


async def make_plan(run_context: RunContext) -> str:
    """Makes a plan."""
    run_context.session_state['steps'] = [{'name': 'look', 'done': False}, {'name': 'tell', 'done': False}]
    return 'planned'


async def finish_step(run_context: RunContext, index: int) -> str:
    """Finishes a step of the plan."""
    run_context.session_state['steps'][index]['done'] = True
    return 'finished'


@tool(requires_confirmation=True)
async def delete_file(path: str) -> str:
    """Deletes a file."""
    return f'{path} is deleted'


TOOLS = [weather, broken, make_plan, finish_step, delete_file, ReasoningTools()]


def app_of(case):
    """Gives the app for a case, and the interface's path; each has a database of its own, which outlives the pause of a run."""
    if case == 'subagents':
        reporter = Agent(id='reporter', name='Reporter', model=Double(script=MEMBER), tools=TOOLS, telemetry=False)
        team = Team(id='team', model=Double(script=LEADER), members=[reporter], db=InMemoryDb(), telemetry=False)
        interface = AGUI(team=team)
    else:
        model = Double(script=SCRIPTS[case])
        interface = AGUI(agent=Agent(id='agent', model=model, tools=TOOLS, db=InMemoryDb(), telemetry=False))
    app = FastAPI()
    app.include_router(interface.get_router())
    return app, '/agui'


serving.serve(serving.by_case(app_of))

"""Writes golden/agui/real/pydantic-ai-*.sse: the bodies that an ASGI app serving a Pydantic AI agent answers with.

The agent, its tool loop, the AG-UI adapter and the HTTP response are the framework's. Only the model is a double
(the framework's own FunctionModel), and only the clock and the random bytes of uuid4 are ours.
"""

import asyncio
import itertools
import random
import uuid
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

from httpx2 import ASGITransport, AsyncClient
from pydantic_ai import Agent
from pydantic_ai.messages import ToolReturnPart
from pydantic_ai.models.function import DeltaToolCall, FunctionModel
from pydantic_ai.ui.ag_ui import AGUIAdapter, AGUIEventStream
from starlette.applications import Starlette
from starlette.routing import Route

REAL = Path(__file__).parents[2] / 'real'

# The prompt names the case that the model plays. The client declares 1.0, as a current one does.
REQUEST = {
    'protocolVersion': '1.0',
    'threadId': 'thread-1',
    'runId': 'run-1',
    'state': {},
    'tools': [],
    'context': [],
    'forwardedProps': {},
}


async def model(messages, info):
    case = messages[0].parts[-1].content
    if case == 'text':
        for delta in ('Grüezi', ' from', ' Zürich', ': 21 °C', ' & sunny ☀️ 🏔'):
            yield delta
    elif case == 'error':
        yield 'It is'
        raise RuntimeError('the model hung up')
    elif any(isinstance(part, ToolReturnPart) for part in messages[-1].parts):
        yield 'It is 21 °C'
        yield ' in Zürich.'
    else:
        yield 'I will'
        yield ' look.'
        yield {1: DeltaToolCall(name='weather', json_args='{"city":')}
        yield {1: DeltaToolCall(json_args='"Zürich"}')}


agent = Agent(FunctionModel(stream_function=model))


@agent.tool_plain
async def weather(city: str) -> dict[str, int]:
    return {'celsius': 21}


async def serve(request):
    return await AGUIAdapter.dispatch_request(request, agent=agent)


def fix_clock_and_ids():
    # The uuid module gets an os of its own, so that nobody else's draws (uuid7's depend on the clock) move the ids.
    uuid.os = SimpleNamespace(urandom=random.Random(0).randbytes)
    clock = itertools.count(946_684_800_000, 20)
    AGUIEventStream._get_timestamp = staticmethod(lambda: next(clock))


async def record(case):
    fix_clock_and_ids()
    transport = ASGITransport(Starlette(routes=[Route('/', serve, methods=['POST'])]))
    async with AsyncClient(transport=transport, base_url='http://agent') as client:
        message = {'id': 'user-1', 'role': 'user', 'content': case}
        response = await client.post('/', json=REQUEST | {'messages': [message]})
    response.raise_for_status()
    name = f'pydantic-ai-{version("pydantic-ai-slim")}-{case}.sse'
    (REAL / name).write_bytes(response.content)


for case in ('text', 'tool', 'error'):
    asyncio.run(record(case))

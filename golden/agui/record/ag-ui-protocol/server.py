"""Serves AG-UI's own Python package to the capture command.

Types, validation, JSON and framing are the package's. It has no agent, so which events come, their ids, and how a failure is reported
are ours; there are no timestamps.
"""

from ag_ui import core as ag
from ag_ui.encoder import EventEncoder
from starlette.applications import Starlette
from starlette.responses import StreamingResponse
from starlette.routing import Route

import scripts
import serving

# From 1.0 on; older ones have no version to declare.
VERSION = {'protocol_version': ag.PROTOCOL_VERSION} if hasattr(ag, 'PROTOCOL_VERSION') else {}


class ModelFailure(Exception):
    """A type of its own, so that a mistake in this script is no recorded RUN_ERROR."""


def message(id, *deltas, **more):
    yield ag.TextMessageStartEvent(message_id=id, role='assistant', **more)
    for delta in deltas:
        yield ag.TextMessageContentEvent(message_id=id, delta=delta, **more)
    yield ag.TextMessageEndEvent(message_id=id, **more)


def call(id, name, parent, *pieces, **more):
    yield ag.ToolCallStartEvent(tool_call_id=id, tool_call_name=name, parent_message_id=parent, **more)
    for delta in pieces:
        yield ag.ToolCallArgsEvent(tool_call_id=id, delta=delta, **more)
    yield ag.ToolCallEndEvent(tool_call_id=id, **more)


def result(id, call_id, content, **more):
    yield ag.ToolCallResultEvent(message_id=id, tool_call_id=call_id, content=content, role='tool', **more)


def text():
    yield from message('message-1', *scripts.SCRIPTS['text'][0])


def tool():
    yield from message('message-1', 'I will', ' look.')
    yield from call('call-1', 'weather', 'message-1', '{"city":', '"Zürich"}')
    yield from result('message-2', 'call-1', '{"celsius":21}')
    yield from message('message-3', 'It is 21 °C', ' in Zürich.')


def parallel_tools():
    """Calls whose arguments come in turns, without a message of their own, and results in the other order."""
    for id in ('call-1', 'call-2'):
        yield ag.ToolCallStartEvent(tool_call_id=id, tool_call_name='weather')
    for id in ('call-1', 'call-2'):
        yield ag.ToolCallArgsEvent(tool_call_id=id, delta='{"city":')
    for id, city in (('call-1', 'Zürich'), ('call-2', 'Bern')):
        yield ag.ToolCallArgsEvent(tool_call_id=id, delta=f'"{city}"}}')
        yield ag.ToolCallEndEvent(tool_call_id=id)
    yield from result('message-1', 'call-2', '{"celsius":18}')
    yield from result('message-2', 'call-1', '{"celsius":21}')
    yield from message('message-3', '21 °C and', ' 18 °C.')


def reasoning():
    yield ag.ReasoningStartEvent(message_id='thought-1')
    yield ag.ReasoningMessageStartEvent(message_id='thought-1', role='reasoning')
    for delta in ('Zürich', ' is in', ' Switzerland.'):
        yield ag.ReasoningMessageContentEvent(message_id='thought-1', delta=delta)
    yield ag.ReasoningMessageEndEvent(message_id='thought-1')
    yield ag.ReasoningEncryptedValueEvent(subtype='message', entity_id='thought-1', encrypted_value='signed')
    yield ag.ReasoningEndEvent(message_id='thought-1')
    yield from message('message-1', 'It is', ' 21 °C.')


def thinking():
    """What reasoning was called before 1.0; these events have no ids."""
    yield ag.ThinkingStartEvent(title='Where')
    yield ag.ThinkingTextMessageStartEvent()
    for delta in ('Zürich', ' is in', ' Switzerland.'):
        yield ag.ThinkingTextMessageContentEvent(delta=delta)
    yield ag.ThinkingTextMessageEndEvent()
    yield ag.ThinkingEndEvent()
    yield from message('message-1', 'It is', ' 21 °C.')


def shared_state():
    """All six operations, nulls and odd keys."""
    yield ag.StateSnapshotEvent(snapshot={'steps': ['look'], 'a/b~c': None, 'city': 'Zürich'})
    yield ag.StateDeltaEvent(delta=[
        {'op': 'test', 'path': '/a~1b~0c', 'value': None},
        {'op': 'add', 'path': '/steps/-', 'value': 'tell'},
        {'op': 'copy', 'from': '/steps/0', 'path': '/first'},
    ])
    yield ag.StateDeltaEvent(delta=[
        {'op': 'replace', 'path': '/city', 'value': None},
        {'op': 'move', 'from': '/first', 'path': '/last'},
        {'op': 'remove', 'path': '/steps/0'},
    ])
    yield ag.StateDeltaEvent(delta=[])
    yield from message('message-1', 'One step', ' is done.')
    yield ag.StateSnapshotEvent(snapshot=None)


def activity():
    yield ag.ActivitySnapshotEvent(message_id='plan-1', activity_type='PLAN', content={'steps': [], 'note': None})
    patch = [{'op': 'add', 'path': '/steps/-', 'value': 'look'}]
    yield ag.ActivityDeltaEvent(message_id='plan-1', activity_type='PLAN', patch=patch)
    yield ag.ActivitySnapshotEvent(message_id='plan-1', activity_type='PLAN', content={}, replace=False)
    yield from message('message-1', 'A plan.')


def chunks():
    yield ag.TextMessageChunkEvent(message_id='message-1', role='assistant', delta='I will')
    yield ag.TextMessageChunkEvent(delta=' look.')
    yield ag.ToolCallChunkEvent(tool_call_id='call-1', tool_call_name='weather', parent_message_id='message-1', delta='{"city":')
    yield ag.ToolCallChunkEvent(tool_call_id='call-1', delta='"Zürich"}')
    yield from result('message-2', 'call-1', '{"celsius":21}')
    yield ag.ReasoningMessageChunkEvent(message_id='thought-1', delta='So it')
    yield ag.ReasoningMessageChunkEvent(message_id='thought-1', delta=' is.')
    yield ag.TextMessageChunkEvent(message_id='message-3', delta='It is 21 °C.')


def snapshot():
    """Restates what it streamed."""
    yield from tool()
    call = ag.ToolCall(id='call-1', function=ag.FunctionCall(name='weather', arguments='{"city":"Zürich"}'))
    yield ag.MessagesSnapshotEvent(messages=[
        ag.UserMessage(id='user-1', content='snapshot'),
        ag.AssistantMessage(id='message-1', content='I will look.', tool_calls=[call]),
        ag.ToolMessage(id='message-2', tool_call_id='call-1', content='{"celsius":21}'),
        ag.AssistantMessage(id='message-3', content='It is 21 °C in Zürich.'),
    ])


def interrupt():
    yield from message('message-1', 'I will', ' delete it.')
    yield from call('call-1', 'delete_file', 'message-1', '{"path":', '"a.txt"}')
    ask = ag.Interrupt(id='interrupt-1', reason='tool_call', message='Delete a.txt?', tool_call_id='call-1')
    return ag.RunFinishedInterruptOutcome(type='interrupt', interrupts=[ask])


def stopped():
    yield from message('message-1', 'I will', ' stop.')
    return ag.RunFinishedCancelledOutcome(type='cancelled')


def error_after():
    yield ag.TextMessageStartEvent(message_id='message-1', role='assistant')
    yield ag.TextMessageContentEvent(message_id='message-1', delta='It is')
    raise ModelFailure('the model hung up')


def unicode():
    yield from message('message-1', *scripts.UNICODE)


def subagents():
    """One starts another; both stream in turns, and the second fails."""
    yield from message('message-1', 'I will', ' ask.')
    yield from call('call-1', 'ask', 'message-1', '{}')
    one, two = {'subagent_run_id': 'sub-1'}, {'subagent_run_id': 'sub-2'}
    yield ag.SubagentStartedEvent(name='reporter', parent_tool_call_id='call-1', parent_message_id='message-1', **one)
    yield ag.SubagentStartedEvent(name='editor', description='Reads it', parent_subagent_run_id='sub-1', **two)
    for events in zip(message('message-2', 'I', ' look.', **one), message('message-3', 'I', ' read.', **two)):
        yield from events
    yield from call('call-2', 'weather', 'message-2', '{"city":', '"Zürich"}', **one)
    yield from result('message-4', 'call-2', '{"celsius":21}', **one)
    yield ag.SubagentErrorEvent(message='the editor left', code='LEFT', **two)
    yield ag.SubagentFinishedEvent(result={'celsius': 21}, **one)
    yield from result('message-5', 'call-1', 'It is 21 °C.')
    yield from message('message-6', 'The reporter', ' says so.')


def run(request):
    ids = {'thread_id': request.thread_id, 'run_id': request.run_id}
    case = request.messages[-1].content
    # In one case the run restates its input.
    echo = {'input': request} if case == 'input-echo' else {}
    yield ag.RunStartedEvent(**ids, **VERSION, **echo)
    events = {'input-echo': text}.get(case) or globals()[case.replace('-', '_')]
    try:
        outcome = yield from events()
        yield ag.RunFinishedEvent(**ids, outcome=outcome)
    except ModelFailure as failure:
        yield ag.RunErrorEvent(message=str(failure), code='MODEL')


async def answer(request):
    encoder = EventEncoder(accept=request.headers.get('accept'))
    events = run(ag.RunAgentInput.model_validate_json(await request.body()))
    return StreamingResponse((encoder.encode(event) for event in events), media_type=encoder.get_content_type())


serving.serve(Starlette(routes=[Route('/', answer, methods=['POST'])]))

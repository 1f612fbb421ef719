"""What the model says in each case, the same in all Python producers.

A script is a list of turns; a model takes the next one each time it is asked, and stays with the last one. A turn is a list of
pieces as they leave the model: a string is a piece of text.
"""

from typing import NamedTuple


class Thought(NamedTuple):
    """A piece of reasoning; the last one may bring a signature, as providers sign it."""

    text: str
    signature: str | None = None


class Call(NamedTuple):
    """A tool call whose arguments arrive in pieces."""

    id: str
    name: str
    pieces: tuple[str, ...]


class Failure(NamedTuple):
    """The model fails here."""

    message: str


def call(id, name, *pieces):
    return Call(id, name, pieces)


ZURICH = call('call-1', 'weather', '{"city":', '"Zürich"}')
BERN = call('call-2', 'weather', '{"city":', '"Bern"}')
HUNG_UP = Failure('the model hung up')

# What cutting between code points tears apart: a family, a flag, an accent; then what a reader of lines or of JSON may trip over.
UNICODE = [
    '👨', '\u200d', '👩', '\u200d👧', ' 🇨', '🇭', ' cafe', '\u0301', ' a\u2028b\u2029c', ' \u05e9\u05dc\u05d5\u05dd ',
    '\u202eabc\u202c', ' \ufeff', '\x00\x07\x7f', ' "\\/', '\r\n\ndata: x\n\n', '</script>', ' 𝄞\U0010ffff',
]

SCRIPTS: dict[str, list[list]] = {
    'text': [['Grüezi', ' from', ' Zürich', ': 21 °C', ' & sunny ☀️ 🏔']],
    'long-text': [[f'Line {n} of 150.\n' for n in range(1, 151)]],
    'empty-answer': [['']],
    'tool': [['I will', ' look.', ZURICH], ['It is 21 °C', ' in Zürich.']],
    'parallel-tools': [['Both', ' cities.', ZURICH, BERN], ['21 °C and', ' 18 °C.']],
    'failing-tool': [['I will', ' try.', call('call-1', 'broken', '{}')], ['It did', ' not work.']],
    'reasoning': [[Thought('Zürich'), Thought(' is in'), Thought(' Switzerland.', 'signed'), 'It is', ' 21 °C.']],
    'reasoning-tool': [
        [Thought('I need'), Thought(' the weather.'), ZURICH],
        [Thought('Now'), Thought(' I know.'), 'It is', ' 21 °C.'],
    ],
    'shared-state': [
        ['A plan.', call('call-1', 'make_plan', '{}')],
        [call('call-2', 'finish_step', '{"index":', '0}')],
        ['One step', ' is done.'],
    ],
    'frontend-tool': [['Look', ' here.', call('call-1', 'show_map', '{"city":', '"Zürich"}')], ['That was', ' Zürich.']],
    'interrupt': [['I will', ' delete it.', call('call-1', 'delete_file', '{"path":', '"a.txt"}')], ['It is', ' gone.']],
    'error-before': [[HUNG_UP]],
    'error-after': [['It is', HUNG_UP]],
    'error-in-arguments': [['I will', ' look.', call('call-1', 'weather', '{"city":'), HUNG_UP]],
    'cancelled': [[f' {n}' for n in range(1, 501)]],
    'unicode': [UNICODE],
} | {f'at-once-{n}': [[f'{n}.{i} ' for i in range(1, 21)]] for n in (1, 2, 3)}


def turn(script, number):
    return script[min(number, len(script) - 1)]

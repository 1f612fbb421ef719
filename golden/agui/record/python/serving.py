"""What the Python producers share: serving an ASGI app to the capture command, with ids that are the same each time."""

import contextvars
import random
import sys
import threading
import uuid
from types import SimpleNamespace

import uvicorn
from starlette.requests import Request

SOURCE = contextvars.ContextVar('random source of the request')


def fix_ids(seed=0):
    """Makes uuid4 give the same ids from here on; call it at the start of each request.

    Runs of one thread need seeds of their own, such as their ids, or the next run repeats the ids of its history.

    The uuid module gets an os of its own, so that nobody else's draws (uuid7's depend on the clock) move the ids.
    Requests at the same time draw apart from each other; a thread without a context draws with the latest of them.
    """
    latest = random.Random(seed)
    SOURCE.set(latest)
    uuid.os = SimpleNamespace(urandom=lambda n: SOURCE.get(latest).randbytes(n))


def by_case(make):
    """Gives an app that hands each request to the app of its case, so that a thread has no history from other cases.

    make(case) makes an ASGI app and says at which path it listens. A case is named by the last user message.
    """
    apps = {}

    async def app(scope, receive, send):
        request = Request(scope, receive)
        input = await request.json()
        case = [m['content'] for m in input['messages'] if m['role'] == 'user'][-1]
        body = [{'type': 'http.request', 'body': await request.body()}]
        if case not in apps:
            # What the making draws must not come from a request at the same time.
            fix_ids()
            apps[case] = make(case)
        inner, path = apps[case]

        async def again():
            return body.pop() if body else await receive()

        fix_ids(input['runId'])
        await inner(scope | {'path': path, 'raw_path': path.encode()}, again, send)

    return app


def serve(app):
    """Serves app on a free loopback port, prints its URL, and stops when standard input closes."""
    config = uvicorn.Config(app, host='127.0.0.1', port=0, log_level='error', server_header=False, date_header=False)
    server = uvicorn.Server(config)
    started = server.startup

    async def startup(sockets=None):
        await started(sockets)
        port = server.servers[0].sockets[0].getsockname()[1]
        print(f'http://127.0.0.1:{port}/', flush=True)

    def stop():
        sys.stdin.read()
        server.should_exit = True

    server.startup = startup
    threading.Thread(target=stop, daemon=True).start()
    server.run()

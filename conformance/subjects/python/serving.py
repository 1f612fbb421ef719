"""What every Python subject needs around its SDK: a description, gates, and a server that says where it is."""

import asyncio
import socket
import sys
import threading
from collections import defaultdict, deque
from importlib.metadata import version

import uvicorn
from starlette.requests import Request
from starlette.responses import JSONResponse, Response


def description(subject, sdk, driver, features):
    said = {'version': 1, 'subject': subject, 'sdk': sdk, 'sdkVersion': version(sdk), 'driver': driver, 'features': features}
    return JSONResponse({'conformance': said})


def unsupported(names):
    return JSONResponse({'conformance': {'unsupported': names}}, status_code=501)


class Gates:
    """Where agents wait until they are let through."""

    def __init__(self):
        self.waiting = defaultdict(deque)

    async def wait(self, name):
        gate = asyncio.Event()
        self.waiting[name].append(gate)
        try:
            await gate.wait()
        finally:
            if gate in self.waiting[name]:
                self.waiting[name].remove(gate)

    def open(self, name):
        """Lets the first one through that waits there; tells whether there was one."""
        waiting = self.waiting.get(name)
        if not waiting:
            return False
        waiting.popleft().set()
        return True

    def before(self, app):
        """Gives an ASGI app that opens gates, and leaves all other requests to app."""

        async def opener(scope, receive, send):
            gate = scope['type'] == 'http' and Request(scope).query_params.get('gate')
            if not gate:
                return await app(scope, receive, send)
            return await Response(status_code=204 if self.open(gate) else 404)(scope, receive, send)

        return opener


def serve(app):
    """Serves app on a free loopback port, prints its URL, and stops when standard input closes, or on SIGTERM."""
    listener = socket.create_server(('127.0.0.1', 0))
    # An agent that waits at a gate when the server stops is not waited for.
    config = uvicorn.Config(app, log_level='error', timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)

    def stop():
        sys.stdin.read()
        server.should_exit = True

    threading.Thread(target=stop, daemon=True).start()
    print(f'http://127.0.0.1:{listener.getsockname()[1]}/', flush=True)
    server.run(sockets=[listener])

// Serves an A2A agent through @ag-ui/a2a.
//
// The packages' own: the events (@ag-ui/a2a), the A2A client under it (@a2a-js/sdk), JSON and frames (@ag-ui/encoder). Ours:
// the HTTP server, which the adapter leaves to others; what the A2A agent says (remote.mjs); the random numbers under the ids.
import { body, fixIds, serve } from "../node/serving.mjs";
import { fetch } from "./remote.mjs";

fixIds();
globalThis.fetch = fetch;
const { A2AClient } = await import("@a2a-js/sdk/client");
const { A2AAgent } = await import("@ag-ui/a2a");
const { EventEncoder } = await import("@ag-ui/encoder");

serve(async (request, response) => {
  const input = await body(request);
  const encoder = new EventEncoder({ accept: request.headers.accept });
  response.writeHead(200, { "Content-Type": encoder.getContentType() });
  new A2AAgent({ a2aClient: new A2AClient("http://agent.invalid") }).run(input).subscribe({
    next: (event) => response.write(encoder.encode(event)),
    error: () => response.end(), // the adapter has sent RUN_ERROR before
    complete: () => response.end(),
  });
});

// Serves an agent built on @ag-ui/core and @ag-ui/encoder, of the version given.
//
// The packages' own: the request's and each event's schema, content negotiation, JSON and framing. Ours: which events
// there are (events.mjs), and that a failure is reported as RUN_ERROR.
import { body, caseOf, serve } from "../node/serving.mjs";
import { cases, ModelFailure } from "./events.mjs";

const packages = {
  "1.0.0": { core: "@ag-ui/core", schemas: "@ag-ui/core/schemas", encoder: "@ag-ui/encoder" },
  "0.0.59": { core: "core-0.0", schemas: "core-0.0", encoder: "encoder-0.0" },
}[process.argv[2]];
const { PROTOCOL_VERSION } = await import(packages.core);
const { EventSchemas, RunAgentInputSchema } = await import(packages.schemas);
const { EventEncoder } = await import(packages.encoder);

function* events(play, { threadId, runId }) {
  // 0.0.x has no protocol version; encoded as JSON, the member is not there then.
  yield { type: "RUN_STARTED", threadId, runId, protocolVersion: PROTOCOL_VERSION };
  try {
    const outcome = (yield* play()) ?? { type: "success" };
    yield { type: "RUN_FINISHED", threadId, runId, outcome };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    yield { type: "RUN_ERROR", message: error.message, code: "model_failure" };
  }
}

serve(async (request, response) => {
  const input = RunAgentInputSchema.parse(await body(request));
  const encoder = new EventEncoder({ accept: request.headers.accept });
  response.writeHead(200, { "Content-Type": encoder.getContentType() });
  for (const event of events(cases[caseOf(input.messages)], input)) {
    response.write(encoder.encode(EventSchemas.parse(event)));
  }
  response.end();
});

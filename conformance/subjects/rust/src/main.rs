//! Puts the crate ag-ui in the position of the scripted agent (docs/scripted-agent.md).

mod agent;
mod gates;
mod script;

use std::sync::Arc;

use ag_ui::RunAgentInput;
use ag_ui::axum::{AgUiInput, Error, SseResponse};
use ag_ui::server::{CancellationToken, Runner};
use axum::Json;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response, Result};
use axum::routing::get;
use futures_util::{StreamExt, stream};
use serde::Deserialize;
use serde_json::{Value, json};

use agent::Scripted;
use gates::Gates;
use script::Action;

/// README.md has the reasons for what is not here.
const FEATURES: &str = "role name chunks nested reopen ids parent tool-result parts version reasoning span encrypted step parallel \
    subagent unannounced state state-delta messages-snapshot activity custom raw emit guard interrupt cancel code result usage pending \
    metadata replay echo gate early-fail http";

/// Serves on a free port until standard input closes.
fn main() {
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        std::process::exit(0);
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        println!("http://{}/", listener.local_addr().unwrap());
        let router = axum::Router::new().route("/", get(describe).post(post)).with_state(Arc::<Gates>::default());
        axum::serve(listener, router).await.unwrap();
    });
}

async fn describe() -> Json<Value> {
    let features: Vec<_> = FEATURES.split_whitespace().collect();
    Json(json!({"conformance": {
        "version": script::VERSION, "subject": "rust", "sdk": "ag-ui", "sdkVersion": sdk_version(), "driver": "sdk", "features": features,
    }}))
}

/// The version that is locked, and so the one that is compiled in.
fn sdk_version() -> &'static str {
    let locked = include_str!("../Cargo.lock").split_once("name = \"ag-ui\"\nversion = \"");
    locked.and_then(|(_, version)| version.split('"').next()).unwrap_or("unknown")
}

#[derive(Deserialize)]
struct Asked {
    gate: Option<String>,
}

async fn post(
    State(gates): State<Arc<Gates>>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
    input: Result<AgUiInput, Error>,
) -> Result<Response> {
    if let Some(gate) = asked.gate {
        return Ok(gates.open(&gate).into_response());
    }
    let accept = headers.get(header::ACCEPT).map(|value| String::from_utf8_lossy(value.as_bytes()));
    let response = SseResponse::negotiate(accept.as_deref())?;
    let AgUiInput(input) = input?;
    let script = script::read(&input.forwarded_props)?;
    Ok(play(script, input, gates, response))
}

/// Answers with the runs of a script, the requested one last, each by the crate's driver.
fn play(script: Vec<Action>, input: RunAgentInput, gates: Arc<Gates>, response: SseResponse) -> Response {
    if let [Action::Fail(fail)] = &script[..]
        && fail.early
    {
        let failed = agent::failure(fail);
        return response.stream(stream::once(async { failed }));
    }
    let cancel = CancellationToken::new();
    let response = response.cancellation(cancel.clone());
    let request = Arc::new(input);
    let runs = runs(script, &request).into_iter().map(move |(input, script)| {
        let agent = Scripted { script, request: request.clone(), gates: gates.clone() };
        Runner::new(agent).cancellation(cancel.clone()).run(input)
    });
    response.stream(stream::iter(runs).flatten())
}

/// The replayed runs of a script and the requested one, each with an input of its own.
fn runs(script: Vec<Action>, request: &RunAgentInput) -> Vec<(RunAgentInput, Vec<Action>)> {
    let mut runs = Vec::new();
    let mut requested = Vec::new();
    for action in script {
        match action {
            Action::Replay(mut replay) => {
                replay.actions.extend(replay.error.map(Action::Fail));
                runs.push((RunAgentInput { run_id: replay.run.into(), ..request.clone() }, replay.actions));
            }
            other => requested.push(other),
        }
    }
    runs.push((request.clone(), requested));
    runs
}

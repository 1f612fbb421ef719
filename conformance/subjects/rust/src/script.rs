//! The scripts of docs/scripted-agent.md as types. What exists on the wire is of the crate's types.

use std::collections::BTreeSet;

use ag_ui::{Event, Interrupt, JsonObject, JsonPatch, Message, TextMessageRole, TokenUsage, ToolContent};
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

pub const VERSION: u64 = 1;

/// An action that has a name we do not know, such as `panic`, is a variant of its own.
#[derive(Clone, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub enum Action {
    Text(Text),
    ToolCall(ToolCall),
    ToolResult(ToolResult),
    Reasoning(Reasoning),
    Step(Step),
    Parallel {
        branches: Vec<Vec<Action>>,
    },
    Subagent(Subagent),
    StateSnapshot {
        snapshot: Value,
    },
    StateDelta {
        patch: JsonPatch,
    },
    MessagesSnapshot {
        messages: Vec<Message>,
    },
    Activity(Activity),
    ActivityDelta(ActivityDelta),
    Custom {
        name: String,
        value: Value,
    },
    Raw(Raw),
    Emit(Emit),
    Echo {
        pointer: String,
    },
    Gate {
        name: String,
    },
    Replay(Replay),
    Finish(Finish),
    Interrupt(Interrupted),
    Cancel(Cancel),
    Fail(Fail),
    #[serde(skip_deserializing)]
    Unknown(String),
}

const NAMES: &str = " text toolCall toolResult reasoning step parallel subagent stateSnapshot stateDelta messagesSnapshot activity \
     activityDelta custom raw emit echo gate replay finish interrupt cancel fail ";

impl<'de> Deserialize<'de> for Action {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let object = JsonObject::deserialize(from)?;
        match object.keys().next() {
            Some(name) if object.len() == 1 && NAMES.contains(&format!(" {name} ")) => {
                Action::deserialize(Value::Object(object)).map_err(D::Error::custom)
            }
            Some(name) if object.len() == 1 => Ok(Action::Unknown(name.clone())),
            _ => Err(D::Error::custom("an action has one member")),
        }
    }
}

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Action::serialize(self, to)
    }
}

impl Action {
    /// Whether it is an `emit` or encloses one.
    pub fn emits(&self) -> bool {
        let in_stream = |stream: &[Piece]| stream.iter().any(|piece| matches!(piece, Piece::Action(action) if action.emits()));
        match self {
            Action::Emit(_) => true,
            Action::Text(x) => in_stream(&x.stream),
            Action::ToolCall(x) => in_stream(&x.stream),
            Action::Reasoning(x) => x.messages.iter().any(|message| in_stream(&message.stream)),
            Action::Step(x) => x.actions.iter().any(Action::emits),
            Action::Subagent(x) => x.actions.iter().any(Action::emits),
            Action::Parallel { branches } => branches.iter().flatten().any(Action::emits),
            _ => false,
        }
    }
}

/// One element of a stream: a delta or, between two deltas, an action.
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Piece {
    Delta(String),
    Action(Action),
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Form {
    Events,
    Chunks,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Text {
    pub id: String,
    pub stream: Vec<Piece>,
    pub role: Option<TextMessageRole>,
    pub name: Option<String>,
    pub form: Option<Form>,
    pub metadata: Option<JsonObject>,
    pub encrypted_value: Option<String>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    pub stream: Vec<Piece>,
    pub parent: Option<String>,
    pub form: Option<Form>,
    pub metadata: Option<JsonObject>,
    pub encrypted_value: Option<String>,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct ToolResult {
    pub id: String,
    pub call: String,
    pub content: ToolContent,
    pub metadata: Option<JsonObject>,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Reasoning {
    pub messages: Vec<Thought>,
    pub span: Option<String>,
    pub form: Option<Form>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Thought {
    pub id: String,
    pub stream: Vec<Piece>,
    pub metadata: Option<JsonObject>,
    pub encrypted_value: Option<String>,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Step {
    pub name: String,
    #[serde(rename = "do")]
    pub actions: Vec<Action>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subagent {
    pub id: String,
    pub name: String,
    #[serde(rename = "do")]
    pub actions: Vec<Action>,
    pub description: Option<String>,
    pub parent_tool_call: Option<String>,
    pub parent_message: Option<String>,
    #[serde(default = "yes")]
    pub announce: bool,
    #[serde(default)]
    pub end: SubagentEnd,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SubagentEnd {
    Success { result: Option<Value> },
    Suspended { interrupts: Vec<String> },
    Error { message: String, code: Option<String> },
}

impl Default for SubagentEnd {
    fn default() -> Self {
        Self::Success { result: None }
    }
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Activity {
    pub id: String,
    #[serde(rename = "type")]
    pub activity_type: String,
    pub content: JsonObject,
    #[serde(default = "yes")]
    pub replace: bool,
    pub metadata: Option<JsonObject>,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct ActivityDelta {
    pub id: String,
    #[serde(rename = "type")]
    pub activity_type: String,
    pub patch: JsonPatch,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Raw {
    pub event: Value,
    pub source: Option<String>,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Emit {
    #[serde(serialize_with = "as_sent")]
    pub event: Value,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Replay {
    pub run: String,
    #[serde(rename = "do")]
    pub actions: Vec<Action>,
    pub error: Option<Fail>,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Finish {
    pub result: Option<Value>,
    pub pending: Option<Vec<String>>,
    pub usage: Option<Vec<TokenUsage>>,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Interrupted {
    pub interrupts: Vec<Interrupt>,
    pub usage: Option<Vec<TokenUsage>>,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Cancel {
    pub usage: Option<Vec<TokenUsage>>,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Fail {
    pub message: String,
    pub code: Option<String>,
    pub usage: Option<Vec<TokenUsage>>,
    #[serde(default)]
    pub early: bool,
}

fn yes() -> bool {
    true
}

/// What the crate's type makes of an event. One that has no type is refused when it is emitted.
fn as_sent<S: Serializer>(event: &Value, to: S) -> Result<S::Ok, S::Error> {
    match Event::deserialize(event) {
        Ok(event) => event.serialize(to),
        Err(_) => event.serialize(to),
    }
}

/// Why a script is not played.
pub enum Refusal {
    Malformed(String),
    /// What of it the crate cannot say.
    Unsupported(BTreeSet<String>),
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        match self {
            Self::Malformed(why) => (StatusCode::BAD_REQUEST, why).into_response(),
            Self::Unsupported(what) => {
                (StatusCode::NOT_IMPLEMENTED, Json(json!({"conformance": {"unsupported": what}}))).into_response()
            }
        }
    }
}

/// Takes the script out of the input's forwardedProps. serde drops what a type has no field for: what is not there when the
/// types are written out again cannot be said.
pub fn read(forwarded_props: &Value) -> Result<Vec<Action>, Refusal> {
    let Some(envelope) = forwarded_props.get("conformance") else {
        return Ok(Vec::new());
    };
    if envelope["version"] != json!(VERSION) {
        return Err(Refusal::Malformed(format!("the script is not of version {VERSION}")));
    }
    let malformed = |wrong: serde_json::Error| Refusal::Malformed(wrong.to_string());
    let script = Vec::<Action>::deserialize(&envelope["script"]).map_err(malformed)?;
    let mut unsupported = BTreeSet::new();
    lost("", &envelope["script"], &serde_json::to_value(&script).map_err(malformed)?, &mut unsupported);
    if unsupported.is_empty() { Ok(script) } else { Err(Refusal::Unsupported(unsupported)) }
}

/// Adds the names of the members that `given` has and `kept` has not, such as text.colour.
fn lost(path: &str, given: &Value, kept: &Value, names: &mut BTreeSet<String>) {
    match (given, kept) {
        (Value::Array(given), Value::Array(kept)) => {
            given.iter().zip(kept).for_each(|(given, kept)| lost(path, given, kept, names));
        }
        (Value::Object(given), Value::Object(kept)) => {
            for (name, value) in given {
                let path = format!("{path}{name}");
                match kept.get(name) {
                    _ if ["do", "stream", "branches"].contains(&name.as_str()) => lost("", value, &kept[name], names),
                    Some(kept) => lost(&format!("{path}."), value, kept, names),
                    None => {
                        names.insert(path);
                    }
                }
            }
        }
        _ => {}
    }
}

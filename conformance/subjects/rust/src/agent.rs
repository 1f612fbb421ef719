//! The agent: where a script meets the crate.
//!
//! The driver, RUN_STARTED, the terminal event, the checks and the state are the crate's. What is said one thing after the other
//! is said by its handles. They borrow the run, so that no second thing can be open at the same time: for what is at once or one
//! inside the other, and for members that handles have no parameter for, the crate has `RunContext::emit` and the events.

use std::sync::{Arc, Mutex};

use ag_ui::server::{Agent, Error, Result, RunContext, SubagentHandle};
use ag_ui::{
    ActivitySnapshotEvent, Event, JsonObject, RawEvent, ReasoningEncryptedValueSubtype as Subtype, ReasoningMessageChunkEvent,
    RunAgentInput, RunErrorEvent, RunFinishedEvent, RunOutcome, SubagentErrorEvent, SubagentFinishedEvent, SubagentOutcome,
    SubagentRunId, SubagentStartedEvent, TextMessageChunkEvent, TextMessageStartEvent, ToolCallChunkEvent, ToolCallStartEvent,
};
use futures_util::future::{BoxFuture, try_join_all};
use serde_json::{Value, json};
use tokio::task::yield_now;

use crate::gates::Gates;
use crate::script::{Action, Fail, Form, Piece, Reasoning, Step, Subagent, SubagentEnd, Text, Thought, ToolCall};

type Context = RunContext<Value>;

/// Plays one run's script.
pub struct Scripted {
    pub script: Vec<Action>,
    pub request: Arc<RunAgentInput>,
    pub gates: Arc<Gates>,
}

/// Who speaks to the crate.
enum Voice<'a, 'c> {
    Alone(&'a mut Context),
    Branch(Branch<'a, 'c>),
}

/// One of several that take turns at the run. As the crate's scopes are the whole run's, it tags its events itself.
#[derive(Clone)]
struct Branch<'a, 'c> {
    run: &'a Mutex<&'c mut Context>,
    tag: Option<SubagentRunId>,
    /// The innermost subagent around it that was announced.
    parent: Option<SubagentRunId>,
}

impl Voice<'_, '_> {
    async fn say(&mut self, event: Event) -> Result<()> {
        match self {
            Voice::Branch(Branch { tag: Some(tag), .. }) if event.event_type().is_attributable() => {
                let event = event.with_subagent_run_id(tag.clone());
                self.emit(event).await
            }
            _ => self.emit(event).await,
        }
    }

    /// After each call it is the other branches' turn.
    async fn emit(&mut self, event: Event) -> Result<()> {
        match self {
            Voice::Alone(run) => run.emit(event),
            Voice::Branch(branch) => {
                branch.run.lock().expect("no call panics").emit(event)?;
                yield_now().await;
                Ok(())
            }
        }
    }
}

impl Agent for Scripted {
    type State = Value;

    async fn run(&self, run: &mut Context) -> Result<RunOutcome> {
        self.play(&mut Voice::Alone(run), &self.script).await?;
        let (outcome, result, usage) = match self.script.last().cloned() {
            Some(Action::Finish(x)) => {
                let pending = x.pending.map(RunOutcome::success_with_pending_tool_calls);
                (pending.unwrap_or(RunOutcome::Success), x.result, x.usage)
            }
            Some(Action::Interrupt(x)) => (RunOutcome::interrupt(x.interrupts), None, x.usage),
            Some(Action::Cancel(x)) => (RunOutcome::Cancelled, None, x.usage),
            _ => (RunOutcome::Success, None, None),
        };
        if result.is_some() || usage.is_some() {
            // An outcome has no room for them. The driver adds nothing to a terminal event.
            let event = RunFinishedEvent::new(run.thread_id().clone(), run.run_id().clone()).with_outcome(outcome.clone());
            run.emit(RunFinishedEvent { result, usage, ..event }.into())?;
        }
        Ok(outcome)
    }
}

/// How an agent reports a failure: by an error which the driver turns into RUN_ERROR or, as that has no code of the agent's and
/// no usage, by the event.
pub fn failure(x: &Fail) -> Result<Event> {
    if x.code.is_none() && x.usage.is_none() {
        return Err(Error::agent(x.message.as_str()));
    }
    let event = RunErrorEvent::new(x.message.as_str());
    Ok(RunErrorEvent { code: x.code.clone(), usage: x.usage.clone(), ..event }.into())
}

impl Scripted {
    async fn play(&self, to: &mut Voice<'_, '_>, actions: &[Action]) -> Result<()> {
        for action in actions {
            self.act(to, action).await?;
        }
        Ok(())
    }

    fn act<'f>(&'f self, to: &'f mut Voice<'_, '_>, action: &'f Action) -> BoxFuture<'f, Result<()>> {
        Box::pin(async move {
            match action {
                Action::Text(x) => self.text(to, x).await,
                Action::ToolCall(x) => self.tool_call(to, x).await,
                Action::ToolResult(x) => {
                    let event = Event::tool_call_result(x.id.as_str(), x.call.as_str(), x.content.clone());
                    to.say(with(&x.metadata, event)).await
                }
                Action::Reasoning(x) => self.reasoning(to, x).await,
                Action::Step(x) => self.step(to, x).await,
                Action::Parallel { branches } => self.parallel(to, branches).await,
                Action::Subagent(x) => self.subagent(to, x).await,
                Action::StateSnapshot { snapshot } => match to {
                    Voice::Alone(run) => run.set_state(snapshot),
                    Voice::Branch(_) => to.say(Event::state_snapshot(snapshot.clone())).await,
                },
                Action::StateDelta { patch } => to.say(Event::state_delta(patch.clone())).await,
                Action::MessagesSnapshot { messages } => to.say(Event::messages_snapshot(messages.clone())).await,
                Action::Activity(x) => {
                    let event = ActivitySnapshotEvent::new(x.id.as_str(), x.activity_type.as_str(), x.content.clone());
                    let event = ActivitySnapshotEvent { replace: x.replace, ..event };
                    to.say(with(&x.metadata, event)).await
                }
                Action::ActivityDelta(x) => {
                    to.say(Event::activity_delta(x.id.as_str(), x.activity_type.as_str(), x.patch.clone())).await
                }
                Action::Custom { name, value } => to.say(Event::custom(name.as_str(), value.clone())).await,
                Action::Raw(x) => {
                    let event = RawEvent { source: x.source.clone(), ..RawEvent::new(x.event.clone()) };
                    to.say(event.into()).await
                }
                Action::Emit(x) => to.emit(serde_json::from_value(x.event.clone())?).await,
                Action::Echo { pointer } => self.echo(to, pointer).await,
                Action::Gate { name } => {
                    self.gates.wait(format!("{}/{name}", self.request.run_id)).await;
                    Ok(())
                }
                Action::Fail(x) => {
                    let event = failure(x)?;
                    to.emit(event).await?;
                    Err(Error::agent(x.message.as_str())) // the run has ended; this is the way out of it
                }
                // Said by the run itself, or by 501.
                Action::Finish(_) | Action::Interrupt(_) | Action::Cancel(_) | Action::Replay(_) | Action::Unknown(_) => Ok(()),
            }
        })
    }

    async fn text(&self, to: &mut Voice<'_, '_>, x: &Text) -> Result<()> {
        let id = x.id.as_str();
        if let (Voice::Alone(run), Some(deltas), None, None) = (&mut *to, plain(&x.stream, x.form), &x.name, &x.metadata) {
            let mut message = run.message_with_id(id, x.role.unwrap_or_default())?;
            deltas.into_iter().try_for_each(|delta| message.delta(delta))?;
            message.end()?;
        } else if x.form == Some(Form::Chunks) {
            self.chunks(to, &x.stream, &x.metadata, |delta, first| {
                let chunk = TextMessageChunkEvent::new(Some(id.into()), Some(delta));
                let (role, name) = if first { (x.role, x.name.clone()) } else { (None, None) };
                TextMessageChunkEvent { role, name, ..chunk }.into()
            })
            .await?;
        } else {
            let start = TextMessageStartEvent::new(id, x.role.unwrap_or_default());
            to.say(with(&x.metadata, TextMessageStartEvent { name: x.name.clone(), ..start })).await?;
            self.stream(to, &x.stream, |delta| Event::text_message_content(id, delta)).await?;
            to.say(Event::text_message_end(id)).await?;
        }
        encrypted(to, Subtype::Message, id, &x.encrypted_value).await
    }

    async fn tool_call(&self, to: &mut Voice<'_, '_>, x: &ToolCall) -> Result<()> {
        let id = x.id.as_str();
        if let (Voice::Alone(run), Some(deltas), None, None) = (&mut *to, plain(&x.stream, x.form), &x.parent, &x.metadata) {
            let mut call = run.tool_call_with_id(id, &x.name)?;
            deltas.into_iter().try_for_each(|delta| call.args(delta))?;
            call.end()?;
        } else if x.form == Some(Form::Chunks) {
            self.chunks(to, &x.stream, &x.metadata, |delta, first| {
                let chunk = ToolCallChunkEvent::new(Some(id.into()), first.then(|| x.name.clone()), Some(delta));
                let parent = x.parent.as_deref().filter(|_| first);
                ToolCallChunkEvent { parent_message_id: parent.map(Into::into), ..chunk }.into()
            })
            .await?;
        } else {
            let start = ToolCallStartEvent::new(id, x.name.as_str());
            let parent = x.parent.as_deref().map(Into::into);
            to.say(with(&x.metadata, ToolCallStartEvent { parent_message_id: parent, ..start })).await?;
            self.stream(to, &x.stream, |delta| Event::tool_call_args(id, delta)).await?;
            to.say(Event::tool_call_end(id)).await?;
        }
        encrypted(to, Subtype::ToolCall, id, &x.encrypted_value).await
    }

    async fn reasoning(&self, to: &mut Voice<'_, '_>, x: &Reasoning) -> Result<()> {
        if let (Voice::Alone(run), Some(thoughts), None) = (&mut *to, plain_thoughts(x), &x.span) {
            for (message, deltas) in x.messages.iter().zip(thoughts) {
                let mut thought = run.reasoning_with_id(message.id.as_str())?; // in a span of its own
                deltas.into_iter().try_for_each(|delta| thought.delta(delta))?;
                message.encrypted_value.iter().try_for_each(|value| thought.encrypted_value(value))?;
                thought.end()?;
            }
            return Ok(());
        }
        if let Some(span) = &x.span {
            to.say(Event::reasoning_start(span.as_str())).await?;
        }
        for message in &x.messages {
            self.thought(to, message, x.form).await?;
        }
        match &x.span {
            Some(span) => to.say(Event::reasoning_end(span.as_str())).await,
            None => Ok(()),
        }
    }

    async fn thought(&self, to: &mut Voice<'_, '_>, x: &Thought, form: Option<Form>) -> Result<()> {
        let id = x.id.as_str();
        if form == Some(Form::Chunks) {
            self.chunks(to, &x.stream, &x.metadata, |delta, _| {
                ReasoningMessageChunkEvent::new(Some(id.into()), Some(delta)).into()
            })
            .await?;
        } else {
            to.say(with(&x.metadata, Event::reasoning_message_start(id))).await?;
            self.stream(to, &x.stream, |delta| Event::reasoning_message_content(id, delta)).await?;
            to.say(Event::reasoning_message_end(id)).await?;
        }
        encrypted(to, Subtype::Message, id, &x.encrypted_value).await
    }

    /// Says each delta as the event that `content` makes of it, and does the actions in between.
    async fn stream(&self, to: &mut Voice<'_, '_>, pieces: &[Piece], mut content: impl FnMut(String) -> Event) -> Result<()> {
        for piece in pieces {
            match piece {
                Piece::Delta(delta) => to.say(content(delta.clone())).await?,
                Piece::Action(action) => self.act(to, action).await?,
            }
        }
        Ok(())
    }

    /// The first chunk describes what it opens.
    async fn chunks(
        &self,
        to: &mut Voice<'_, '_>,
        pieces: &[Piece],
        metadata: &Option<JsonObject>,
        chunk: impl Fn(String, bool) -> Event,
    ) -> Result<()> {
        let mut opened = false;
        self.stream(to, pieces, |delta| match std::mem::replace(&mut opened, true) {
            false => with(metadata, chunk(delta, true)),
            true => chunk(delta, false),
        })
        .await
    }

    async fn step(&self, to: &mut Voice<'_, '_>, x: &Step) -> Result<()> {
        match to {
            Voice::Alone(run) => {
                let mut step = run.step(x.name.as_str())?;
                self.play(&mut Voice::Alone(&mut step), &x.actions).await?;
                step.finish()
            }
            Voice::Branch(_) => {
                to.say(Event::step_started(x.name.as_str())).await?;
                self.play(to, &x.actions).await?;
                to.say(Event::step_finished(x.name.as_str())).await
            }
        }
    }

    async fn parallel(&self, to: &mut Voice<'_, '_>, branches: &[Vec<Action>]) -> Result<()> {
        match to {
            Voice::Branch(branch) => self.branches(branch, branches).await,
            Voice::Alone(run) => {
                let parent = run.subagent_run_id().cloned();
                let shared = Mutex::new(&mut **run);
                self.branches(&Branch { run: &shared, tag: None, parent }, branches).await
            }
        }
    }

    async fn branches(&self, of: &Branch<'_, '_>, branches: &[Vec<Action>]) -> Result<()> {
        let each = branches.iter().map(|actions| -> BoxFuture<'_, _> {
            let branch = of.clone();
            Box::pin(async move { self.play(&mut Voice::Branch(branch), actions).await })
        });
        try_join_all(each.collect::<Vec<_>>()).await?;
        Ok(())
    }

    /// The crate's scope tags all that is said in it. What is not announced has none, and what is emitted as it is has no place
    /// in one.
    async fn subagent(&self, to: &mut Voice<'_, '_>, x: &Subagent) -> Result<()> {
        match to {
            Voice::Branch(branch) => self.subagent_of(&branch.clone(), x).await,
            Voice::Alone(run) if x.announce && !x.actions.iter().any(Action::emits) => {
                let mut scope = run.subagent_with(started(x))?;
                self.play(&mut Voice::Alone(&mut scope), &x.actions).await?;
                finish(scope, &x.end)
            }
            Voice::Alone(run) => {
                let parent = run.subagent_run_id().cloned();
                let shared = Mutex::new(&mut **run);
                self.subagent_of(&Branch { run: &shared, tag: None, parent }, x).await
            }
        }
    }

    async fn subagent_of(&self, around: &Branch<'_, '_>, x: &Subagent) -> Result<()> {
        let id = SubagentRunId::from(x.id.as_str());
        let mut outside = Voice::Branch(around.clone());
        if !x.announce {
            let inside = Branch { tag: Some(id), ..around.clone() };
            return self.play(&mut Voice::Branch(inside), &x.actions).await;
        }
        outside.say(SubagentStartedEvent { parent_subagent_run_id: around.parent.clone(), ..started(x) }.into()).await?;
        let inside = Branch { tag: Some(id.clone()), parent: Some(id.clone()), ..*around };
        self.play(&mut Voice::Branch(inside), &x.actions).await?;
        outside.say(finished(id, &x.end)).await
    }

    async fn echo(&self, to: &mut Voice<'_, '_>, pointer: &str) -> Result<()> {
        let value = match serde_json::to_value(&*self.request)?.pointer(pointer) {
            Some(value) => json!({"present": true, "value": value}),
            None => json!({"present": false}),
        };
        to.say(Event::custom("conformance.echo", value)).await
    }
}

/// The deltas of a stream that is nothing else, for a handle.
fn plain(pieces: &[Piece], form: Option<Form>) -> Option<Vec<&str>> {
    let deltas = pieces.iter().map(|piece| match piece {
        Piece::Delta(delta) => Some(delta.as_str()),
        Piece::Action(_) => None,
    });
    if form == Some(Form::Chunks) { None } else { deltas.collect() }
}

fn plain_thoughts(x: &Reasoning) -> Option<Vec<Vec<&str>>> {
    x.messages.iter().map(|message| plain(&message.stream, x.form).filter(|_| message.metadata.is_none())).collect()
}

fn with(metadata: &Option<JsonObject>, event: impl Into<Event>) -> Event {
    match metadata {
        Some(metadata) => event.into().with_metadata(metadata.clone()),
        None => event.into(),
    }
}

async fn encrypted(to: &mut Voice<'_, '_>, subtype: Subtype, id: &str, value: &Option<String>) -> Result<()> {
    match value {
        Some(value) => to.say(Event::reasoning_encrypted_value(subtype, id, value)).await,
        None => Ok(()),
    }
}

fn started(x: &Subagent) -> SubagentStartedEvent {
    SubagentStartedEvent {
        description: x.description.clone(),
        parent_tool_call_id: x.parent_tool_call.as_deref().map(Into::into),
        parent_message_id: x.parent_message.as_deref().map(Into::into),
        ..SubagentStartedEvent::new(x.id.as_str(), x.name.as_str())
    }
}

fn finish(scope: SubagentHandle<'_, Value>, end: &SubagentEnd) -> Result<()> {
    match end {
        SubagentEnd::Success { result: None } => scope.finish(),
        SubagentEnd::Success { result: Some(result) } => scope.finish_with(result.clone()),
        SubagentEnd::Suspended { interrupts } => scope.suspend(interrupts.clone()),
        SubagentEnd::Error { message, code: None } => scope.fail(message),
        SubagentEnd::Error { message, code: Some(code) } => scope.fail_with_code(message, code),
    }
}

/// What `finish` says, without a scope.
fn finished(id: SubagentRunId, end: &SubagentEnd) -> Event {
    match end {
        SubagentEnd::Success { result } => {
            let event = SubagentFinishedEvent::new(id).with_outcome(SubagentOutcome::Success);
            SubagentFinishedEvent { result: result.clone(), ..event }.into()
        }
        SubagentEnd::Suspended { interrupts } => Event::subagent_finished_suspended(id, interrupts.clone()),
        SubagentEnd::Error { message, code } => {
            SubagentErrorEvent { code: code.clone(), ..SubagentErrorEvent::new(id, message) }.into()
        }
    }
}

//! The agent that both versions of the crate host, and the server it runs in.
//!
//! Routing, decoding, the run's first and last event, handles, ids, ordering checks, state deltas, JSON and framing are
//! the crate's. Ours are the model's words and the order in which the agent asks for things. The crate stamps no events
//! and counts its ids, so nothing has to be fixed.

use ag_ui::axum::RouterExt;
use ag_ui::server::{Agent, Error, Result, RunContext};
use ag_ui::{
    Event, Interrupt, JsonObject, PatchOperation, ReasoningEncryptedValueSubtype, RunFinishedEvent,
    RunOutcome, SubagentStartedEvent, TextMessageRole, TokenUsage, aggregate_token_usage,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::Barrier;
use tokio::task::yield_now;

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Weather {
    city: String,
    celsius: i64,
    log: Vec<String>,
}

type Context = RunContext<Weather>;

struct Model {
    /// Where the runs that come at once wait for each other.
    meeting: Barrier,
}

/// Serves until standard input closes.
pub fn serve() {
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        std::process::exit(0);
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        println!("http://{}/", listener.local_addr().unwrap());
        let model = Model { meeting: Barrier::new(3) };
        axum::serve(listener, axum::Router::new().route_agui("/", model)).await.unwrap();
    });
}

impl Agent for Model {
    type State = Weather;

    async fn run(&self, ctx: &mut Context) -> Result<RunOutcome> {
        let case = ctx.last_user_text().unwrap_or_default();
        match case.as_str() {
            "text" => say(ctx, &["Grüezi", " from", " Zürich", ": 21 °C", " & sunny ☀️ 🏔"]).await?,
            "long-text" | "cancelled" => long_text(ctx).await?,
            "empty-answer" => say(ctx, &[]).await?,
            "unicode" => unicode(ctx).await?,
            "at-once-1" | "at-once-2" | "at-once-3" => {
                self.meeting.wait().await;
                say(ctx, &["I am", " number ", &case[8..], "."]).await?;
            }
            "tool" => tool(ctx).await?,
            "parallel-tools" => parallel_tools(ctx).await?,
            "failing-tool" => failing_tool(ctx).await?,
            "frontend-tool" => return frontend_tool(ctx).await,
            "reasoning" => reasoning(ctx).await?,
            "shared-state" => shared_state(ctx).await?,
            "activity" => activity(ctx).await?,
            "steps" => steps(ctx).await?,
            "chunks" => chunks(ctx).await?,
            "subagents" => subagents(ctx).await?,
            "failing-subagent" => failing_subagent(ctx).await?,
            "interrupt" => return interrupt(ctx).await,
            "late-result" => late_result(ctx).await?,
            "usage" => usage(ctx).await?,
            "error-before" => return Err(Error::agent("the model hung up")),
            "error-after" => return broken(ctx, Error::agent("the model hung up")).await,
            "stopped" => return broken(ctx, Error::Cancelled).await,
            "left-open" => ctx.emit(Event::text_message_start("mine", TextMessageRole::Assistant))?,
            _ => return Err(Error::agent("no case of that name")),
        }
        Ok(RunOutcome::Success)
    }
}

/// A message as a model streams it: the run gives way between deltas, so that each goes out on its own.
async fn say(ctx: &mut Context, deltas: &[&str]) -> Result<()> {
    let mut message = ctx.assistant_message()?;
    for delta in deltas {
        message.delta(*delta)?;
        yield_now().await;
    }
    message.end()
}

async fn long_text(ctx: &mut Context) -> Result<()> {
    let words: Vec<String> = (0..200).map(|i| format!("{i} ")).collect();
    say(ctx, &words.iter().map(String::as_str).collect::<Vec<_>>()).await
}

/// Cut between code points, never inside one: families, flags, combining marks, a right-to-left word, separators.
async fn unicode(ctx: &mut Context) -> Result<()> {
    say(ctx, &[
        "👩", "\u{200d}", "👧", " 🇨", "🇭", " e", "\u{301}", " שלום", "\u{2028}", "\\n \"<&>\"", "\n\t\r\n",
        "\0\u{feff}", "𝄞",
    ])
    .await
}

/// The model ends here in the middle of a message: the crate closes what is open when the error passes.
async fn broken(ctx: &mut Context, error: Error) -> Result<RunOutcome> {
    let mut message = ctx.assistant_message()?;
    message.delta("It is")?;
    yield_now().await;
    Err(error)
}

async fn tool(ctx: &mut Context) -> Result<()> {
    say(ctx, &["I will", " look."]).await?;
    let mut call = ctx.tool_call("weather")?;
    call.args(r#"{"city":"#)?;
    yield_now().await;
    call.args(r#""Zürich"}"#)?;
    call.result_json(&json!({"celsius": 21}))?;
    say(ctx, &["It is 21 °C", " in Zürich."]).await
}

/// Handles open one thing at a time, so two calls at once are events of the agent's own.
async fn parallel_tools(ctx: &mut Context) -> Result<()> {
    say(ctx, &["I will look."]).await?;
    let (first, second) = (ctx.new_tool_call_id(), ctx.new_tool_call_id());
    let (one, two) = (ctx.new_message_id(), ctx.new_message_id());
    for event in [
        Event::tool_call_start(first.clone(), "weather"),
        Event::tool_call_start(second.clone(), "weather"),
        Event::tool_call_args(first.clone(), r#"{"city":"#),
        Event::tool_call_args(second.clone(), r#"{"city":"Bern""#),
        Event::tool_call_args(first.clone(), r#""Zürich"}"#),
        Event::tool_call_args(second.clone(), "}"),
        Event::tool_call_end(second.clone()),
        Event::tool_call_end(first.clone()),
        Event::tool_call_result(two, second, r#"{"celsius":19}"#),
        Event::tool_call_result(one, first, r#"{"celsius":21}"#),
    ] {
        ctx.emit(event)?;
        yield_now().await;
    }
    say(ctx, &["Zürich 21 °C, Bern 19 °C."]).await
}

async fn failing_tool(ctx: &mut Context) -> Result<()> {
    let mut call = ctx.tool_call("weather")?;
    call.args_json(&json!({"city": "Atlantis"}))?;
    // The event has no field for an error: a failure can only be told in words.
    call.result("error: no such city")?;
    say(ctx, &["There is no such city."]).await
}

async fn frontend_tool(ctx: &mut Context) -> Result<RunOutcome> {
    say(ctx, &["Here is", " a card."]).await?;
    let name = ctx.tools()[0].name.clone();
    let mut call = ctx.tool_call(&name)?;
    let id = call.id().clone();
    call.args(r#"{"title":"#)?;
    call.args(r#""Zürich"}"#)?;
    call.end()?;
    Ok(crate::pending(id))
}

async fn reasoning(ctx: &mut Context) -> Result<()> {
    let mut thought = ctx.reasoning()?;
    thought.delta("The user asks")?;
    yield_now().await;
    thought.delta(" about the weather.")?;
    thought.encrypted_value("c2VjcmV0")?;
    thought.end()?;
    let mut call = ctx.tool_call("weather")?;
    call.args("{}")?;
    call.encrypted_value("c2VjcmV0")?;
    let id = call.id().clone();
    call.result("{}")?;
    ctx.emit(Event::reasoning_encrypted_value(ReasoningEncryptedValueSubtype::ToolCall, id, "bGF0ZXI="))?;
    say(ctx, &["It is 21 °C."]).await
}

/// The crate decides between snapshot and delta by size, and may do so while a message or a call is open.
async fn shared_state(ctx: &mut Context) -> Result<()> {
    ctx.publish_state()?;
    ctx.update_state(|state| state.celsius = 21)?;
    let mut call = ctx.tool_call("weather")?;
    call.state_mut().log.push("asked ~/about the weather".to_owned());
    call.publish_state()?;
    call.result("21")?;
    let mut message = ctx.assistant_message()?;
    message.delta("It is")?;
    message.state_mut().log.push("answered".to_owned());
    message.publish_state()?;
    message.delta(" 21 °C.")?;
    message.end()?;
    ctx.update_state(|state| state.log.clear())?;
    ctx.update_state(|_| ())?;
    ctx.set_state(&Weather::default())
}

async fn activity(ctx: &mut Context) -> Result<()> {
    let content: JsonObject = serde_json::from_value(json!({"query": "weather", "hits": []}))?;
    ctx.emit(Event::activity_snapshot("activity-1", "SEARCH", content))?;
    let hit = PatchOperation::add("/hits/-", "zurich.example");
    ctx.emit(Event::activity_delta("activity-1", "SEARCH", vec![hit]))?;
    ctx.emit(Event::activity_snapshot("activity-1", "SEARCH", JsonObject::new()))?;
    say(ctx, &["Found it."]).await
}

async fn steps(ctx: &mut Context) -> Result<()> {
    let mut outer = ctx.step("look")?;
    outer.emit(Event::raw(json!({"object": "chat.completion.chunk"})))?;
    outer.emit(Event::custom("example.com/progress", 0.5))?;
    let mut inner = outer.step("answer")?;
    say(&mut inner, &["It is 21 °C."]).await?;
    inner.finish()?;
    outer.finish()
}

async fn chunks(ctx: &mut Context) -> Result<()> {
    for event in [
        Event::text_message_chunk(Some("text-1".into()), Some("I will".to_owned())),
        Event::text_message_chunk(None, Some(" look.".to_owned())),
        Event::tool_call_chunk(Some("call-1".into()), Some("weather".to_owned()), Some(r#"{"city":"#.to_owned())),
        Event::tool_call_chunk(None, None, Some(r#""Zürich"}"#.to_owned())),
        Event::tool_call_result("result-1", "call-1", r#"{"celsius":21}"#),
        Event::reasoning_message_chunk(Some("thought-1".into()), Some("Easy.".to_owned())),
    ] {
        ctx.emit(event)?;
        yield_now().await;
    }
    say(ctx, &["It is 21 °C."]).await
}

/// A tool call that is a subagent, with one of its own that fails; then one that only reports.
async fn subagents(ctx: &mut Context) -> Result<()> {
    let mut call = ctx.tool_call("research")?;
    call.args_json(&json!({"topic": "weather"}))?;
    let (id, result) = (call.id().clone(), call.result_message_id().clone());
    call.end()?;
    let announced = SubagentStartedEvent::new("researcher-7", "researcher").with_parent_tool_call(id.clone());
    let mut researcher = ctx.subagent_with(announced)?;
    researcher.think("Where to look?")?;
    say(&mut researcher, &["Three", " sources."]).await?;
    let mut nested = researcher.subagent("reader")?;
    nested.tool_call("read")?.result("no such page")?;
    nested.fail_with_code("nothing to read", "EMPTY")?;
    let mut step = researcher.step("sum up")?;
    say(&mut step, &["Two were good."]).await?;
    step.finish()?;
    researcher.finish_with(json!({"sources": 2}))?;
    ctx.emit(Event::tool_call_result(result, id, "2 sources"))?;
    ctx.subagent("reporter")?.finish()?;
    say(ctx, &["It is 21 °C."]).await
}

/// The error passes through the subagent's scope: what the crate says of the subagent then is its own doing.
async fn failing_subagent(ctx: &mut Context) -> Result<()> {
    let mut researcher = ctx.subagent("researcher")?;
    say(&mut researcher, &["Three sources."]).await?;
    Err(Error::agent("the model hung up"))
}

/// Asks before it sends a mail, from inside a subagent, and goes on when the client resumes.
async fn interrupt(ctx: &mut Context) -> Result<RunOutcome> {
    let announced = SubagentStartedEvent::new("mailer-1", "mailer");
    if ctx.is_resume() {
        let mut mailer = ctx.subagent_with(announced)?;
        // Opened again, as the crate takes no result for a call of an earlier run (see late_result).
        mailer.tool_call_with_id("call-1", "send_mail")?.result("sent")?;
        mailer.finish()?;
        say(ctx, &["I sent it."]).await?;
        return Ok(RunOutcome::Success);
    }
    let mut mailer = ctx.subagent_with(announced)?;
    let mut call = mailer.tool_call_with_id("call-1", "send_mail")?;
    call.args_json(&json!({"to": "ann@example.com"}))?;
    call.end()?;
    mailer.suspend(["interrupt-1".to_owned()])?;
    let mut question = Interrupt::new("interrupt-1", "tool_approval").with_subagent_run_id("mailer-1");
    question.message = Some("Send the mail?".to_owned());
    question.tool_call_id = Some("call-1".into());
    Ok(RunOutcome::interrupt([question]))
}

/// Answers a call of an earlier run without opening it again. The protocol has nothing against it.
async fn late_result(ctx: &mut Context) -> Result<()> {
    let result = ctx.new_message_id();
    ctx.emit(Event::tool_call_result(result, "call-1", "sent"))?;
    say(ctx, &["I sent it."]).await
}

/// Two calls to one model, the second of which did not report a total; the crate adds them up.
async fn usage(ctx: &mut Context) -> Result<()> {
    say(ctx, &["It is 21 °C."]).await?;
    let call = |input, output, total| TokenUsage {
        provider: Some("example".to_owned()),
        model: Some("small".to_owned()),
        input_tokens: Some(input),
        output_tokens: Some(output),
        total_tokens: total,
        ..Default::default()
    };
    let usage = aggregate_token_usage(&[call(10, 2, Some(12)), call(5, 1, None)]);
    let (thread, run) = (ctx.thread_id().clone(), ctx.run_id().clone());
    ctx.emit(RunFinishedEvent::new(thread, run).with_outcome(RunOutcome::Success).with_usage(usage).into())
}

//! The call's arguments first, then the message.
use ag_ui::server::RunContext;

pub fn narrate(ctx: &mut RunContext<()>) {
    let mut call = ctx.tool_call("search").unwrap();
    call.args("{}").unwrap();
    drop(call);
    let mut message = ctx.assistant_message().unwrap();
    message.delta("looking").unwrap();
}

fn main() {}

//! No message can be opened while the arguments of a tool call are being streamed.
use ag_ui::server::RunContext;

pub fn narrate(ctx: &mut RunContext<()>) {
    let mut call = ctx.tool_call("search").unwrap();
    let mut message = ctx.assistant_message().unwrap(); //~ ERROR E0499
    message.delta("looking").unwrap();
    call.args("{}").unwrap();
}

fn main() {}

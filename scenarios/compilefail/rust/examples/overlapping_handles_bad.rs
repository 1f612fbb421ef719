//! A second message cannot be opened while the handle of the first is in use.
use ag_ui::server::RunContext;

pub fn interleave(ctx: &mut RunContext<()>) {
    let mut first = ctx.assistant_message().unwrap();
    let mut second = ctx.assistant_message().unwrap(); //~ ERROR E0499
    first.delta("a").unwrap();
    second.delta("b").unwrap();
}

fn main() {}

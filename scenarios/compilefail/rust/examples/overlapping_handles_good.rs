//! One message after the other: the first handle is dropped, which closes its message.
use ag_ui::server::RunContext;

pub fn one_after_the_other(ctx: &mut RunContext<()>) {
    let mut first = ctx.assistant_message().unwrap();
    first.delta("a").unwrap();
    drop(first);
    let mut second = ctx.assistant_message().unwrap();
    second.delta("b").unwrap();
}

fn main() {}

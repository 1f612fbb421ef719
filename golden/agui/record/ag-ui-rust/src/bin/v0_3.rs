extern crate ag_ui_0_3 as ag_ui;

#[path = "../agent.rs"]
mod agent;

/// This version cannot name the calls that a client has to answer.
fn pending(_: ag_ui::ToolCallId) -> ag_ui::RunOutcome {
    ag_ui::RunOutcome::Success
}

fn main() {
    agent::serve();
}

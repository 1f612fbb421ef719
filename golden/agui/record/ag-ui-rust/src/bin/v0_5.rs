extern crate ag_ui_0_5 as ag_ui;

#[path = "../agent.rs"]
mod agent;

fn pending(call: ag_ui::ToolCallId) -> ag_ui::RunOutcome {
    ag_ui::RunOutcome::success_with_pending_tool_calls([call])
}

fn main() {
    agent::serve();
}

//! Where runs wait for the kit.

use std::sync::Mutex;

use axum::http::StatusCode;
use tokio::sync::oneshot;

/// The runs that wait, each with the name of its gate. A run that is gone has dropped its end of the channel.
#[derive(Default)]
pub struct Gates {
    waiting: Mutex<Vec<(String, oneshot::Sender<()>)>>,
}

impl Gates {
    pub async fn wait(&self, name: String) {
        let (open, opened) = oneshot::channel();
        self.waiting.lock().expect("nothing panics here").push((name, open));
        let _ = opened.await;
    }

    /// Lets one of the runs through that wait at this gate.
    pub fn open(&self, name: &str) -> StatusCode {
        let mut waiting = self.waiting.lock().expect("nothing panics here");
        waiting.retain(|(_, run)| !run.is_closed());
        match waiting.iter().position(|(at, _)| at == name) {
            Some(index) => {
                let _ = waiting.remove(index).1.send(());
                StatusCode::NO_CONTENT
            }
            None => StatusCode::NOT_FOUND,
        }
    }
}

//! One engine for many callers, as in a server: each thread answers requests with its own cancel flag, and all share
//! workers and threads.

use std::sync::mpsc;
use std::thread;

use nearprint::records::{Document, DocumentId, Outcome};
use nearprint::{CancelFlag, Engine, Settings};

/// A request, and where its answer goes.
type Request = (Document, mpsc::Sender<String>);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::default();
    let (requests, waiting) = mpsc::channel::<Request>();
    // A thread for the requests; a server would have one for each connection, each with a clone of the engine.
    let server = thread::spawn(move || {
        let callers: Vec<_> = waiting
            .into_iter()
            .map(|(document, answer)| {
                let engine = engine.clone();
                thread::spawn(move || {
                    // Whoever hangs up sets the flag, which stops this call and no other.
                    let hung_up = CancelFlag::new();
                    let pipeline = engine.pipeline(Settings::default()).cancelled_by(&hung_up);
                    let record = pipeline.fingerprint_one(document);
                    let text = match record.outcome {
                        Outcome::Print { fingerprint, .. } => fingerprint.to_string(),
                        Outcome::Nothing { reason, .. } => reason.as_str().to_owned(),
                    };
                    // The caller may be gone.
                    let _ = answer.send(format!("{}\t{text}", record.id));
                })
            })
            .collect();
        callers.into_iter().all(|caller| caller.join().is_ok())
    });
    let (answer, answers) = mpsc::channel();
    for (id, page) in
        [("fog", "<p>Fog came in at noon."), ("rain", "It rained for a week."), ("empty", "")]
    {
        requests.send((Document::from_bytes(DocumentId::new(id)?, page), answer.clone()))?;
    }
    drop((requests, answer));
    let mut found: Vec<String> = answers.into_iter().collect();
    found.sort();
    found.iter().for_each(|line| println!("{line}"));
    assert!(server.join().is_ok_and(|all| all));
    Ok(())
}

//! Finds verified clusters of near-duplicates in a folder: `cargo run --example folder_to_clusters -- FOLDER`.

use nearprint::records::Outcome;
use nearprint::search::{Linkage, Measure};
use nearprint::{Candidates, Engine, Error, InputSettings, InputSource, Settings, Verification};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).ok_or("name a folder")?;
    let engine = Engine::default();
    // Which fingerprints propose pairs follows from what their texts must show.
    let candidates = Candidates::of(Verification::new(Measure::Jaccard));
    let mut collection = engine.collection(candidates);
    let settings = Settings::default().scheme(candidates.scheme());
    let pipeline = engine.pipeline(settings);
    let mut source = InputSource::new([folder], InputSettings::default());
    let tally = collection.read(&pipeline, &mut source, |record| {
        if let Outcome::Nothing { reason, detail, .. } = &record.outcome {
            eprintln!("{}: {reason}: {detail}", record.place);
        }
        Ok::<_, Error>(())
    })?;
    let search = collection.search(candidates.search());
    let clusters = collection.clusters(&search, Linkage::Components)?;
    for cluster in &clusters.rows {
        println!("cluster {} of {} documents", cluster.cluster, cluster.size);
        cluster.members.iter().for_each(|member| println!("  {member}"));
    }
    println!("{} documents, {} clusters", tally.documents, clusters.rows.len());
    Ok(())
}

//! Items of a test that training documents have, by both policies.

use nearprint::records::{Document, DocumentId, ErrorRecord};
use nearprint::{ContaminationPolicy, Decontaminate, Engine, Settings};

fn source(
    texts: &[(&'static str, String)],
) -> impl Iterator<Item = Result<Document, ErrorRecord>> + Send + 'static {
    let owned = texts.to_vec();
    owned.into_iter().map(|(id, text)| {
        Ok(Document::from_text(DocumentId::new(id).expect("short and plain"), text))
    })
}

fn found(
    question: &Decontaminate,
    items: &[(&'static str, String)],
    train: &[(&'static str, String)],
) -> Vec<String> {
    let engine = Engine::default();
    let pipeline = engine.pipeline(Settings::default());
    let mut all = question.resolve().unwrap().items();
    all.read(&pipeline, &mut source(items), |_| ());
    let mut rows = Vec::new();
    let found = all
        .find(
            &pipeline,
            &mut source(train),
            |_| (),
            |row| {
                let document = row.document.as_ref().map_or("-", DocumentId::as_str);
                rows.push(format!("{} {document}", row.item));
                Ok::<_, std::convert::Infallible>(())
            },
        )
        .unwrap();
    assert_eq!(found.counts.items, items.len() as u64);
    rows
}

#[test]
fn items_are_found_whole_or_by_a_run_and_short_ones_are_listed() {
    let long: Vec<String> = (0..20).map(|n| format!("long{}", "a".repeat(n))).collect();
    let items = [
        ("long", long.join(" ")),
        ("short", "Which bird stays over the harbour?".to_owned()),
        ("tiny", "What is fog?".to_owned()),
    ];
    let train = [
        ("whole", format!("Filler.\n{}\nmore", long.join("\n"))),
        ("run", format!("so {} so", long[4..17].join(" "))),
        ("cut", format!("so {} so", long[4..16].join(" "))),
        ("quiz", "1. WHICH bird -- stays over\nthe harbour? 2. What is fog?".to_owned()),
        ("other", "Which bird stays over that harbour?".to_owned()),
    ];
    let rows = found(&Decontaminate::default(), &items, &train);
    assert_eq!(rows, ["long whole", "long run", "short quiz", "tiny -"]);
}

#[test]
fn seventy_percent_of_runs_of_eight_tokens_show_an_item() {
    let item: Vec<String> = (0..27).map(|n| format!("w{}", "a".repeat(n))).collect();
    // 20 runs; of the first n + 7 tokens there are n.
    let items =
        [("item", item.join(" ")), ("tiny", "Which bird stays over the harbour?".to_owned())];
    let train = [
        ("fourteen", item[..21].join(" ")),
        ("thirteen", item[..20].join(" ")),
        ("parts", format!("{} so {}", item[14..].join(" "), item[..15].join(" "))),
    ];
    let rows = found(&Decontaminate::default().policy(ContaminationPolicy::Share8), &items, &train);
    assert_eq!(rows, ["item fourteen", "item parts", "tiny -"]);
}

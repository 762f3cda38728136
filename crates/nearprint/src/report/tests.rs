use nearprint_fingerprint::Scheme;
use nearprint_records::{
    ClusterRow, DeduplicationRow, DifferenceKind, DifferenceRow, DocumentId, PairRow,
};

use super::*;
use crate::Tally;
use crate::{Clusters, Subject};

fn summary() -> DeduplicationRow {
    let mut row = DeduplicationRow::new(String::new(), Scheme::MD1, "careful");
    (row.at, row.keep, row.least_words) = (0.7, "first".to_owned(), 5);
    (row.documents, row.kept, row.bytes) = (1234, 1000, 5_000_000);
    (row.same_bytes, row.identical, row.same_words, row.near) = (10, 20, 4, 200);
    (row.contradicts, row.too_short, row.without_fingerprint) = (6, 3, 7);
    (row.distinct_texts, row.candidates) = (1190, 400);
    (row.clusters, row.largest_cluster) = (90, 40);
    row
}

fn id(text: &str) -> DocumentId {
    DocumentId::new(text.to_owned()).unwrap()
}

fn example(text: &str) -> ExampleGroup {
    let document = |is_shown| ExampleDocument {
        id: text.to_owned(),
        number: Some(1),
        similarity: Some(0.9),
        is_shown,
        text: Some(text.to_owned()),
        link: Some(text.to_owned()),
        ..ExampleDocument::default()
    };
    ExampleGroup {
        size: 40,
        document: document(true),
        members: (0..39).map(|number| document(number == 0)).collect(),
    }
}

fn deduplication(title: &str, distributions: &Distributions, groups: Vec<ExampleGroup>) -> String {
    Report::of_deduplication(title.to_owned(), &summary(), distributions, [groups, Vec::new()])
        .html()
}

/// Every tag that is opened is closed.
fn expect_balanced(html: &str) {
    for tag in [
        "section", "figure", "svg", "article", "details", "div", "p", "ul", "li", "dl", "footer",
        "header", "a", "h3", "summary", "mark", "span",
    ] {
        let opened =
            html.matches(&format!("<{tag}>")).count() + html.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, html.matches(&format!("</{tag}>")).count(), "{tag}");
    }
}

#[test]
fn nothing_of_the_input_becomes_markup() {
    let hostile =
        "</style><script>alert('1')</script><img src=\"http://a/b\" onerror=x> \u{202e}&amp;\u{0}";
    let html = deduplication(hostile, &Distributions::default(), vec![example(hostile)]);
    for forbidden in ["<script", "<img", "</style><", "\u{202e}", "\u{0}", "alert('", " onerror=\""]
    {
        assert!(!html.contains(forbidden), "{forbidden}");
    }
    assert!(html.contains("&lt;script&gt;") && html.contains("&amp;amp;"));
    // Nothing is loaded, and a policy says so. Links are followed by the reader only.
    assert!(!html.contains(" src=\"") && !html.contains("@import"));
    assert!(html.contains("default-src 'none'") && html.contains("no-referrer"));
    expect_balanced(&html);
}

#[test]
fn the_page_has_the_counts_the_bars_and_all_members() {
    let distributions = Distributions {
        sizes: vec![(2, 70), (3, 15), (8, 4), (64, 1)],
        similarities: (0..20).map(|class| if class < 14 { 0 } else { class }).collect(),
    };
    let html = deduplication("crawl", &distributions, vec![example("Fog came in.")]);
    for wanted in [
        "1\u{202f}234",
        "<b>1\u{202f}000</b> are kept",
        "9–64",
        "4–8",
        ">0.70<",
        ">0.95<",
        "0.900",
        "40 documents",
        "All 39 other documents",
        "The words are the same.",
        "<a href=\"Fog came in.\">Fog came in.</a>",
    ] {
        assert!(html.contains(wanted), "{wanted}");
    }
    assert_eq!(html.matches("<rect").count(), 4 + 6);
    assert_eq!(html.matches("<li><span class=\"pill\">").count(), 39);
    expect_balanced(&html);
}

#[test]
fn a_page_of_nothing_is_a_page() {
    let nothing = DeduplicationRow::new(String::new(), Scheme::MD1, "careful");
    let row = Tally::default().summary(Scheme::SD1);
    for (html, said) in [
        (
            Report::of_deduplication(
                String::new(),
                &nothing,
                &Distributions::default(),
                [Vec::new(), Vec::new()],
            ),
            "No document duplicates another.",
        ),
        (
            Report::of_clusters(String::new(), &row, &[], ClusterExamples::default()),
            "There are no clusters.",
        ),
        (Report::of_pairs(String::new(), &row, PairExamples::new(false)), "There are no pairs."),
        (
            Report::of_difference(String::new(), DifferenceExamples::default()),
            "No document changed.",
        ),
    ]
    .map(|(report, said)| (report.html(), said))
    {
        assert!(html.contains(said) && html.ends_with("</html>\n"), "{html}");
        assert!(!html.contains("NaN") && !html.contains("inf\""), "{html}");
        assert!(!html.contains("0 of 0") && !html.contains("<rect"), "{html}");
        expect_balanced(&html);
    }
}

#[test]
fn pairs_that_contradict_have_a_section_of_their_own() {
    let shown = |text: &str, label: Option<&str>| ExampleDocument {
        id: text.to_owned(),
        label: label.map(str::to_owned),
        text: Some(text.to_owned()),
        is_shown: true,
        ..ExampleDocument::default()
    };
    let (one, other) =
        (shown("take 5 mg", None), shown("take 8 mg", Some("0.900, contradicts 1 number")));
    let pair = ExampleGroup { size: 2, document: one, members: vec![other] };
    let distributions = Distributions::default();
    let groups = [Vec::new(), vec![pair]];
    let html = Report::of_deduplication(String::new(), &summary(), &distributions, groups).html();
    for wanted in [
        "<h2>Kept because they contradict</h2>",
        "1 of 6, most similar first",
        "0.900, contradicts 1 number",
        "<mark>5</mark>",
        "<mark>8</mark>",
    ] {
        assert!(html.contains(wanted), "{wanted}: {html}");
    }
    expect_balanced(&html);
}

#[test]
fn pairs_near_the_threshold_and_pairs_that_hardly_differ_are_shown() {
    let mut examples = PairExamples::new(false);
    for number in 0..1000_u32 {
        // In an order that is neither ascending nor descending.
        let similarity = f64::from(number * 7919 % 1001) / 1000.0;
        let mut row = PairRow::new(id(&format!("a{similarity:.3}")), id("b"), 1, 0.5);
        (row.measure, row.similarity) = (Some("jaccard"), Some(similarity));
        examples.push(&row);
    }
    let groups = examples.into_groups();
    let similarities: Vec<f64> =
        groups.iter().map(|group| group.document.similarity.unwrap()).collect();
    assert_eq!(similarities.len(), 24);
    assert!(similarities.is_sorted(), "{similarities:?}");
    assert_eq!((similarities[0], similarities[11]), (0.0, 0.011));
    assert!(similarities[12] > 0.98 && similarities[23] < 1.0, "{similarities:?}");
}

#[test]
fn clusters_and_differences_have_their_documents() {
    let members = vec![id("a"), id("b"), id("c")];
    let mut cluster = ClusterRow::new(1, id("a"), members, vec![0, 1, 2]);
    cluster.similarities = Some(vec![1.0, 1.0, 0.8]);
    cluster.duplicates = Some(vec![true, true, false]);
    cluster.distinct = Some(vec![None, None, Some("contradicts 1 number".to_owned())]);
    (cluster.pairs, cluster.chain) = (Some(3), Some(1));
    let clusters = [cluster];
    let examples = ClusterExamples::of(&clusters);
    let shown: Vec<_> = examples.groups[0].members.iter().map(|member| member.is_shown).collect();
    assert_eq!(shown, [true, true]);
    let question = Clusters::default().resolve(Subject::Documents).unwrap();
    let row = Tally::default().cluster_summary(&question, &clusters);
    let html = Report::of_clusters("reports".to_owned(), &row, &clusters, examples).html();
    assert!(html.contains("<b>3</b> of <b>0</b> documents") && html.contains("0.800"), "{html}");

    let mut examples = DifferenceExamples::default();
    for (kind, old, similarity) in [
        (DifferenceKind::Identical, Some("same"), Some(1.0)),
        (DifferenceKind::ChangedMuch, Some("much"), Some(0.2)),
        (DifferenceKind::ChangedLittle, Some("little"), Some(0.9)),
        (DifferenceKind::New, None, None),
        (DifferenceKind::Gone, Some("gone"), None),
    ] {
        let old_id = old.map(id);
        let mut row = DifferenceRow::new(kind, old_id.clone().unwrap_or(id("new")));
        (row.old_id, row.similarity) = (old_id, similarity);
        examples.push(&row);
    }
    let changed: Vec<_> = examples.groups.iter().map(|group| group.document.id.clone()).collect();
    assert_eq!(changed, ["much", "little"]);
    let inputs = &examples.groups[0];
    assert_eq!((inputs.document.input, inputs.members[0].input), (0, 1));
    let html = Report::of_difference("old and new".to_owned(), examples).html();
    for wanted in ["<b>1</b> documents are unchanged, <b>2</b> changed", "<h2>Gone</h2>", ">new<"] {
        assert!(html.contains(wanted), "{wanted}: {html}");
    }
    expect_balanced(&html);
}

#[test]
fn documents_that_were_not_compared_are_counted_by_reason_with_the_first_of_them() {
    let document = |id: &str, label: Option<&str>| ExampleDocument {
        id: id.to_owned(),
        label: label.map(str::to_owned),
        ..ExampleDocument::default()
    };
    let group = |size, reason, ids: [&str; 2]| ExampleGroup {
        size,
        document: document(ids[0], Some(reason)),
        members: vec![document(ids[1], None)],
    };
    let groups = [group(1200, "no-tokens", ["a<b", "b"]), group(2, "too-short", ["c", "d"])];
    let distributions = Distributions::default();
    let page =
        || Report::of_deduplication(String::new(), &summary(), &distributions, Default::default());
    let html = page().with_not_compared(&groups).html();
    for wanted in [
        "<h2>Not compared</h2>",
        "<span class=\"pill\">no-tokens</span> <b>1\u{202f}200</b>: a&lt;b, b, …</li>",
        "<span class=\"pill\">too-short</span> <b>2</b>: c, d</li>",
    ] {
        assert!(html.contains(wanted), "{wanted}: {html}");
    }
    expect_balanced(&html);
    assert!(!page().with_not_compared(&[]).html().contains("<h2>Not compared"));
}

#[test]
fn what_contradicts_stands_beside_pairs_members_of_clusters_and_changes() {
    let what = "contradicts 1 <number>";
    let mut pair = PairRow::new(id("a"), id("b"), 1, 0.5);
    (pair.measure, pair.similarity) = (Some("jaccard"), Some(0.95));
    pair.verdict.distinct = Some(what.to_owned());
    let mut examples = PairExamples::new(false);
    examples.push(&pair);
    pair.verdict.distinct = Some("similarity".to_owned());
    pair.similarity = Some(0.4);
    examples.push(&pair);
    let row = Tally::default().summary(Scheme::MD1);
    let pairs = Report::of_pairs(String::new(), &row, examples).html();

    let mut cluster = ClusterRow::new(1, id("a"), vec![id("a"), id("b")], vec![0, 1]);
    cluster.similarities = Some(vec![1.0, 0.95]);
    cluster.duplicates = Some(vec![true, false]);
    cluster.distinct = Some(vec![None, Some(what.to_owned())]);
    let clusters = [cluster];
    let examples = ClusterExamples::of(&clusters);
    let clusters = Report::of_clusters(String::new(), &row, &clusters, examples).html();

    let mut change = DifferenceRow::new(DifferenceKind::ChangedLittle, id("b"));
    (change.old_id, change.similarity) = (Some(id("a")), Some(0.95));
    change.contradicts = Some("1 <number>".to_owned());
    let mut examples = DifferenceExamples::default();
    examples.push(&change);
    let difference = Report::of_difference(String::new(), examples).html();
    assert!(difference.contains(">changed-little, contradicts 1 &lt;number&gt;<"), "{difference}");
    for html in [pairs, clusters, difference] {
        assert!(html.contains(">0.950, contradicts 1 &lt;number&gt;</span>"), "{html}");
        assert!(!html.contains("0.400, "), "{html}");
        expect_balanced(&html);
    }
}

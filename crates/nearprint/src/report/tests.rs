use nearprint_fingerprint::Scheme;
use nearprint_records::Pace;

use super::*;

fn summary() -> DeduplicationRow {
    DeduplicationRow {
        scheme: Scheme::MD1,
        at: 0.7,
        keep: "first".to_owned(),
        chains: false,
        least_words: 5,
        documents: 1234,
        kept: 1000,
        identical: 30,
        same_words: 4,
        near: 200,
        too_short: 3,
        without_fingerprint: 7,
        failed: 0,
        references: 0,
        bytes: 5_000_000,
        distinct_texts: 1190,
        candidates: 400,
        clusters: 90,
        largest_cluster: 40,
        temporary_bytes: 0,
        duplicate_ids: 0,
        pace: Pace::default(),
    }
}

fn example(text: &str) -> ClusterExample {
    ClusterExample {
        size: 40,
        representative: text.to_owned(),
        document: 0,
        text: Some(text.to_owned()),
        members: vec![MemberExample {
            id: text.to_owned(),
            document: 1,
            similarity: 0.9,
            text: Some(text.to_owned()),
        }],
    }
}

#[test]
fn nothing_of_the_input_becomes_markup() {
    let hostile =
        "</style><script>alert('1')</script><img src=\"http://a/b\" onerror=x> \u{202e}&amp;\u{0}";
    let html = page(hostile, &summary(), &Distributions::default(), &[example(hostile)]);
    for forbidden in ["<script", "<img", "</style><", "\u{202e}", "\u{0}", "alert('"] {
        assert!(!html.contains(forbidden), "{forbidden}");
    }
    assert!(html.contains("&lt;script&gt;") && html.contains("&amp;amp;"));
    // Nothing is fetched: no address but in escaped text, and a policy that says so.
    assert!(!html.contains("href=") && !html.contains(" src=\"") && !html.contains("@import"));
    assert!(html.contains("default-src 'none'"));
}

#[test]
fn the_page_has_the_counts_the_bars_and_the_pairs() {
    let distributions = Distributions {
        sizes: vec![(2, 70), (3, 15), (8, 4), (64, 1)],
        similarities: (0..20).map(|class| if class < 14 { 0 } else { class }).collect(),
    };
    let html = page("crawl", &summary(), &distributions, &[example("Fog came in.")]);
    for wanted in [
        "1\u{202f}234",
        "<b>1\u{202f}000</b> are kept",
        "9–64",
        "4–8",
        ">0.70<",
        ">0.95<",
        "0.900",
        "40 documents",
    ] {
        assert!(html.contains(wanted), "{wanted}");
    }
    assert_eq!(html.matches("<rect").count(), 4 + 6);
    for tag in [
        "section", "figure", "svg", "article", "details", "div", "p", "ul", "li", "dl", "main",
        "footer", "header",
    ] {
        let (opened, closed) = (
            html.matches(&format!("<{tag}>")).count() + html.matches(&format!("<{tag} ")).count(),
            html.matches(&format!("</{tag}>")).count(),
        );
        assert_eq!(opened, closed, "{tag}");
    }
}

#[test]
fn a_page_of_nothing_is_a_page() {
    let nothing = DeduplicationRow {
        documents: 0,
        kept: 0,
        identical: 0,
        same_words: 0,
        near: 0,
        too_short: 0,
        without_fingerprint: 0,
        ..summary()
    };
    let html = page("", &nothing, &Distributions::default(), &[]);
    assert!(html.contains("No document repeats another.") && html.ends_with("</html>\n"));
    assert!(!html.contains("NaN") && !html.contains("inf"));
    assert!(!html.contains("0 of 0") && !html.contains("<rect"));
}

//! Lines of glyphs and of text in the order in which they are drawn, and what they read as.

use super::{put_right, sort_to_logical};
use crate::glyphs::TextPool;
use crate::visual::Cluster;

/// A line of glyphs an em wide, marks in parentheses without width; what it reads as, with the room of each.
fn sorted(glyphs: &str) -> String {
    let mut pool = TextPool::default();
    let mut pen = 0.0;
    let mut line: Vec<Cluster> = glyphs
        .split_whitespace()
        .map(|glyph| {
            let text = glyph.trim_matches(['(', ')']);
            let start = pen;
            pen += if glyph.starts_with('(') { 0.0 } else { 1.0 };
            Cluster { text: pool.intern(text), start, end: pen, across: 0.0, em: 1.0 }
        })
        .collect();
    sort_to_logical(&mut line, &pool);
    let mut out = String::new();
    for pair in line.windows(2) {
        assert!((pair[1].start - pair[0].end).abs() < 1e-6, "{glyphs}: {pair:?}");
    }
    line.iter().for_each(|cluster| pool.append(cluster.text, &mut out));
    out
}

#[test]
fn syllables_are_read_in_the_order_of_writing() {
    for (drawn, read) in [
        // Vowel signs left of one consonant, of joined ones, of a letter with a nukta.
        ("ि क", "कि"),
        ("अ ि ध क", "अधिक"),
        ("िं व ड ो", "विंडो"),
        ("്ര പ യ ോ ഗ ം", "പ്രയോഗം"),
        ("្រ ត វ", "ត្រវ"),
        ("ि स् थ ि त", "स्थिति"),
        ("ि प ्र य", "प्रिय"),
        ("ि क ् ल", "क्लि"),
        ("ि ड ़", "ड़ि"),
        // Signs of a cluster's right are where they should be.
        ("क ी", "की"),
        ("ে ক া", "কো"),
        ("ெ க ா", "கொ"),
        ("െ റ സ ി സ്റ്റ ൻ സ ്", "റെസിസ്റ്റൻസ്"),
        ("േ വ ാ ൾ േ ട്ട ജ ി െ ന്റ", "വോൾട്ടേജിന്റെ"),
        ("ෙ ක ා", "කො"),
        ("ေ က ာ င ်", "ကောင်"),
        ("ေ ြ က ာ", "ကြော"),
        ("ម េ ខ", "មខេ"),
        // The r above, after a consonant, a vowel sign, joined consonants, and with a sign to the left.
        ("ध म (र्)", "धर्म"),
        ("क ा य (र्)", "कार्य"),
        ("व ष ा (र्)", "वर्षा"),
        ("म ू ि त् त (र्)", "मूर्त्ति"),
        ("अ ि थ (र्) क", "अर्थिक"),
        ("ধ ম (র্)", "ধর্ম"),
        // A half r is not an r above.
        ("र् य", "र्य"),
        // Nothing to stand with.
        ("ि", "ि"),
        ("क ि", "कि"),
        ("(र्)", "र्"),
        ("a (र्) b", "aर्b"),
    ] {
        assert_eq!(normal(&sorted(drawn)), read, "{drawn}");
    }
}

/// Vowel signs of two parts as one.
fn normal(text: &str) -> String {
    text.replace("\u{9c7}\u{9be}", "\u{9cb}")
        .replace("\u{bc6}\u{bbe}", "\u{bca}")
        .replace("\u{d47}\u{d3e}", "\u{d4b}")
}

#[test]
fn what_is_drawn_behind_its_consonant_stays() {
    // The pen steps back for the sign: it is drawn in the order of writing.
    let mut pool = TextPool::default();
    let cluster =
        |text, start: f32| Cluster { text, start, end: start + 1.0, across: 0.0, em: 1.0 };
    let (ka, sign, ta) = (pool.intern("क"), pool.intern("ि"), pool.intern("त"));
    let mut line = [cluster(ka, 1.0), cluster(sign, 0.0), cluster(ta, 2.0)];
    sort_to_logical(&mut line, &pool);
    assert_eq!(line.map(|cluster| cluster.text), [ka, sign, ta]);
}

#[test]
fn what_no_text_has_is_put_right() {
    for (drawn, read) in [
        ("मदाें", "मदों"),
        ("ચાેક", "ચોક"),
        ("निर्िदष्ट", "निर्दिष्ट"),
        ("समर्िथत", "समर्थित"),
        ("पोटर्ेबल", "पोर्टेबल"),
        ("निदर्ेशिका", "निर्देशिका"),
        ("मात्स्यर्ा", "मार्त्स्या"),
        ("ସକି୍ରୟ", "ସକ୍ରିୟ"),
        ("অয্াপ", "অ্যাপ"),
        ("বৈশিষ্টেয্র", "বৈশিষ্ট্যের"),
        ("সমসয্া", "সমস্যা"),
        ("শযয্া", "শয্যা"),
        ("ឈា្មេះ", "ឈ្មោះ"),
        ("ឡេើយ", "ឡើយ"),
        ("အဖံုး", "အဖုံး"),
        // As it should be.
        ("कर्ता मार्ग निर्दिष्ट", "कर्ता मार्ग निर्दिष्ट"),
        ("শয্যা সাহায্য", "শয্যা সাহায্য"),
        ("അതു്കൊണ്ട്", "അതു്കൊണ്ട്"),
        ("र्े", "र्े"),
        ("र्", "र्"),
    ] {
        let mut text = drawn.to_owned();
        put_right(&mut text);
        assert_eq!(text, read, "{drawn}");
    }
}

#[test]
fn parts_are_looked_for_no_further_than_syllables_reach() {
    let joined = "क\u{94d}".repeat(40);
    let mut text = format!("र्ि{joined}");
    put_right(&mut text);
    assert_eq!(text.chars().position(|c| c == 'ि'), Some(2 + 16));
    let mut text = format!("क{}्र", "ि".repeat(40));
    let drawn = text.clone();
    put_right(&mut text);
    assert_eq!(text, drawn);
    let line = sorted(&format!("ि {}", "क ् ".repeat(40)));
    assert_eq!(line.chars().position(|c| c == 'ि'), Some(16));
}

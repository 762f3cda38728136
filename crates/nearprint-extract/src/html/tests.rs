//! HTML's rules, a case for each; whole pages are under `tests/cases`.

use super::*;
use crate::extraction::Hints;
use crate::limits::Limits;

#[track_caller]
fn check(cases: &[(&str, &str)], run: fn(&str, &mut Job<'_>) -> Result<String, ExtractError>) {
    let (hints, limits) = (Hints::default(), Limits::default());
    for (page, expected) in cases {
        let text = run(page, &mut Job::new(&hints, &limits)).unwrap();
        assert_eq!(text.trim_end().replace(['\n', '\t'], "|"), *expected, "{page}");
    }
}

#[test]
fn words_and_blocks() {
    check(
        &[
            ("foo<b>bar</b>baz", "foobarbaz"),
            ("<td>a</td><td>b</td>", "a|b"),
            ("<table><tr><td>a<td>b<tr><th>c</table>d", "a|b|c|d"),
            ("<p>a<p>b", "a|b"),
            ("a<br>b<hr>c", "a|b|c"),
            ("a<unknown>b</unknown>c", "a|b|c"),
            ("a<wbr>b&shy;c", "abc"),
            ("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</ruby>だ", "漢字だ"),
            ("a \n b&nbsp;&amp;&#99;", "a b\u{A0}&c"),
            ("<pre>a\n  b</pre>c", "a|  b|c"),
            ("<pre>x<b>y\nz</b></pre>", "xy|z"),
            ("日本\n語<b>の</b>本", "日本語の本"),
            ("<xmp><b>x</b></xmp>", "<b>x</b>"),
            // Characters without width are left to the code that compares texts.
            ("a\u{200B}b&#8203;c\u{200C}d&zwj;e", "a\u{200B}b\u{200B}c\u{200C}d\u{200D}e"),
            ("a<plaintext><b>x</b></plaintext>", "a|<b>x</b></plaintext>"),
            ("<math><mi>x</mi><mo>=</mo><annotation>y</annotation></math>", "x="),
            ("<li>a<li>b", "a|b"),
            ("<dl><dt>a<dd>b</dl>", "a|b"),
            ("a<!-- b -->c", "ac"),
            ("a<!-- b", "a"),
        ],
        html,
    );
}

/// Digits and signs that continue a word, as long as nothing says that they are the mark of a note.
#[test]
fn superscripts_and_subscripts() {
    check(
        &[
            ("10<sup>2</sup> is not 102", "10² is not 102"),
            ("1648<SUP>3</SUP> m<sup>-2</sup> 10<sup>&minus;3</sup>", "1648³ m⁻² 10⁻³"),
            ("H<sub>2</sub>O, x<sub>1</sub><sup>2</sup>, 2<sup>n+1</sup>", "H₂O, x₁², 2ⁿ⁺¹"),
            ("10<sup><b><i>2</i></b></sup>", "10²"),
            ("10<sup class=x>2 </sup>m", "10² m"),
            ("<a href='#x'>10<sup>2</sup></a>", "10²"),
            ("1<sup>st</sup> M<sup>lle</sup> x<sub>max</sub>", "1st Mlle xmax"),
            ("10 <sup>2</sup> 10<sup> 2</sup> end.<sup>2</sup>", "10 2 10 2 end.2"),
            ("word<sup>[1]</sup> word<sup><a href='#n'>1</a></sup>", "word[1] word1"),
            ("word<a href='#n'><sup>1</sup></a> word<sup><a id='n'/>1</sup>", "word1 word1"),
            ("word<sup id=r1>1</sup> word<sup class='footnote-ref'>1</sup>", "word1 word1"),
            ("word<sup><span class=noteref>1</span></sup>", "word1"),
            ("x<sup>2<sup>3</sup></sup>", "x23"),
            ("x<sup>2<sub>3</sub></sup><p>y<sup>2</sup>", "x23|y²"),
            ("x<sup>2<p>3</sup>", "x2|3"),
            ("x<sup>2", "x2"),
            (&format!("x<sup>{}</sup>", "2".repeat(100)), &format!("x{}", "2".repeat(100))),
            ("x<sup hidden>2</sup>3", "x3"),
            ("x<form><sup>2</form></sup>y", "x|y"),
        ],
        html,
    );
    check(&[("<html>10<sup/><sup>2</sup><p>10<sup>2</sup></html>", "102|10²")], xhtml);
}

#[test]
fn scripts_of_formulas() {
    let formula = |inside: &str| format!("<math>{inside}</math>2");
    for (inside, expected) in [
        ("<msup><mi>x</mi><mn>2</mn></msup><mn>3</mn>", "x²32"),
        ("<msub><mi>x</mi><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msub>", "xₙ₊₁2"),
        ("<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>", "x₁²2"),
        (
            "<msup><mrow><mn>3</mn><msub><mi>x</mi><mn>1</mn></msub></mrow><mn>2</mn></msup>",
            "3x₁²2",
        ),
        (
            "<msup><mi>x</mi><msup><mn>2</mn><mn>3</mn></msup></msup><msup><mi>y</mi><mn>2</mn></msup>",
            "x23y²2",
        ),
        ("<msup><mi>x</mi><mspace/><mn>2</mn></msup>", "x22"),
        ("<msup><mi>x</mi> <mn>2</mn></msup>", "x 22"),
        ("<msup/><mi>x</mi><mn>2</mn>", "x22"),
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac>", "122"),
    ] {
        check(&[(&formula(inside), expected)], html);
    }
    check(&[("<math><msup><mi>x</mi><p>2</p><b>3</b>", "x|2|3")], html);
}

/// Lines of print end where they say so, and words that they break are joined by their marks.
#[test]
fn lines_of_hocr() {
    let word = |text: &str| format!("<span class='ocrx_word'>{text}</span>\n");
    let line = |words: &[&str]| {
        let words: String = words.iter().map(|text| word(text)).collect();
        format!("<span class='ocr_line' title='bbox 1 2 3 4'>{words}</span>\n")
    };
    let page = |lines: &[String]| {
        format!(
            "<!doctype html><meta name='ocr-system' content='x'><div class='ocr_page'><p class='ocr_par'>{}</p></div>",
            lines.concat()
        )
    };
    for mark in ["&shy;", "\u{AD}", "¬"] {
        let broken = [line(&["Fog", &format!("har{mark}")]), line(&["bour", "&amp;", "sea"])];
        check(&[(&page(&broken), "Fog harbour & sea")], html);
    }
    check(&[(&page(&[line(&["one"]), line(&["two"])]), "one|two")], html);
    // Chinese lines of a paragraph go on, those of two do not.
    let chinese = [line(&["風", "起"]), line(&["雲湧"])];
    check(&[(&page(&chinese), "風起雲湧")], html);
    let paragraphs = chinese.join("</p><p class='ocr_par'>");
    check(&[(&page(&[paragraphs]), "風起||雲湧")], html);
    // Heads, feet and numbers of pages are none of the text. Tesseract has headings in lines of this class.
    let margin = |tag: &str, class: &str| format!("<{tag} class='{class}'>17</{tag}>\n");
    for margin in [
        margin("div", "ocr_header"),
        margin("div", "ocr_footer"),
        margin("span", "ocr_footer"),
        margin("span", "x ocr_pageno"),
        format!("<div class='ocr_footer'><p class='ocr_par'>{}</p></div>", line(&["17"])),
    ] {
        check(&[(&page(&[margin, line(&["one"]), line(&["two"])]), "one|two")], html);
    }
    let heading = line(&["Fog"]).replace("ocr_line", "ocr_header");
    check(&[(&page(&[heading, line(&["one"])]), "Fog|one")], html);
}

#[test]
fn what_is_not_the_document() {
    check(
        &[
            ("<title>t</title><p>x", "x"),
            ("Content-Type: text/html; charset=x\n\n<html><p>x", "x"),
            ("<head><script>a</script><style>b</style></head>x<noscript>c</noscript>", "x"),
            ("<nav>a<nav>b</nav>c</nav>x", "x"),
            ("<header>a</header>x<footer>b</footer>", "x"),
            ("<article><header>a</header>x<footer>b</footer></article>", "a|x|b"),
            ("<main><header>a</header></main><header>b</header>", "a"),
            ("<aside>a</aside>x<main><aside>b</aside></main>", "x|b"),
            ("x<aside class='footnote brackets'>1 a</aside>", "x|1 a"),
            ("<div id=header>a</div>x<div class=\"page footer\">b</div>", "x"),
            ("<div id=header><h1>a</h1>b</div>x", "a|b|x"),
            ("<div class=header><div class=title>a</div></div>x", "a|x"),
            ("<div id=header>a<form>b</form><h1>c</h1><form>d</form></div>x", "a|c|x"),
            ("<main><div id=footer>a</div></main>x<div id=footer>b</div>", "a|x"),
            ("<table><tr class=header><th>a</table>x", "a|x"),
            ("<pre><span class='linenos'>12</span>a\n<span class=lineno>13 </span>b</pre>", "a|b"),
            ("<div role='Navigation'>a</div>x<div role=contentinfo>b</div>", "x"),
            ("<div hidden>a<div>b</div>c</div>x", "x"),
            ("<p hidden>a<p>x", "x"),
            ("<ul><li hidden>a<ul><li>b</ul>c<li>x</ul>", "x"),
            ("<tr><td hidden>a<td>x", "x"),
            ("<span style='color:red; DISPLAY : none'>a<span>b</span>c</span>x", "x"),
            // A form has no end of its own there.
            ("x<span hidden>a<form>b</form></span>y", "xy"),
            ("<span aria-hidden=true>a</span>x<i aria-hidden=false>y</i>", "xy"),
            ("<form>a <input value=b><label>c</label></form>x", "x"),
            ("<form><h1>a</h1>b</form>x", "a|b|x"),
            ("x<select><option>a</select><button>b</button><textarea>c</textarea>y", "x y"),
            ("x<svg><text>a</text></svg><template>b</template><video>c</video>y", "x y"),
            ("<img alt=a>x", "x"),
            ("x<menu><li>a</menu>", "x"),
            ("<div class='x sr-only'>a</div>x", "x"),
            ("<a class=skip href='#b'>a</a>x<a class='headerlink'>Permalink</a>", "x"),
        ],
        html,
    );
    let wrapped = format!("<form>{}</form>", "word ".repeat(300));
    check(&[(&wrapped, "word ".repeat(300).trim_end())], html);
}

/// Were it markup, the comment would take the rest of the page.
#[test]
fn what_holds_raw_text_holds_no_markup() {
    for name in ["title", "style", "script", "textarea", "noscript", "iframe"] {
        let page = format!("a<{name}>b<!-- c <div hidden></{name}>d");
        check(&[(&page, "ad")], html);
    }
}

#[test]
fn hidden_parts_end_where_browsers_end_them() {
    check(
        &[
            ("<div hidden>a</span></p>b</div>x", "x"),
            ("<table><tr><td><div hidden>a</td><td>x</table>", "x"),
            ("<div hidden><table><tr><td>a</div>b</td></tr></table>c</div>x", "x"),
            ("<ul><li><p hidden>a</ul>x", "x"),
        ],
        html,
    );
}

#[test]
fn a_page_that_is_all_furniture_is_kept_only_to_be_read() {
    let limits = Limits::default();
    let page = |furniture, page: &str| {
        let hints = Hints { furniture, ..Hints::default() };
        let mut job = Job::new(&hints, &limits);
        let text = html(page, &mut job).unwrap();
        (text, job.warnings[0].code, job.page_sha256)
    };
    let only = "<div role=dialog><p>Only this.</div>";
    assert_eq!(page(true, only), ("Only this.\n".to_owned(), WarningCode::FurnitureKept, None));
    let (text, code, digest) = page(false, only);
    assert_eq!((text.as_str(), code), ("", WarningCode::FewOwnWords));
    // Of pages without words of their own, the digest tells which are identical.
    assert_eq!(page(false, only).2, digest);
    assert_ne!(page(false, &only.replace("this", "that")).2, digest);
}

#[test]
fn xhtml_closes_at_once_and_has_cdata() {
    check(
        &[
            ("<html><title/><script/><p>a<![CDATA[b]]></p></html>", "ab"),
            ("<div hidden='hidden'/>x", "x"),
        ],
        xhtml,
    );
}

#[test]
fn a_page_that_loses_nearly_all_is_read_again() {
    let (hints, limits) = (Hints::default(), Limits::default());
    let links = "<li>release notes".repeat(40);
    let prose = "<p>release notes of the year.".repeat(40);
    for (page, kept, code) in [
        (format!("<nav>{links}</nav><p>cover"), "cover", Some(WarningCode::FewOwnWords)),
        (format!("<nav>{links}</nav>{prose}"), "of the year", None),
        ("<nav><li>x</nav><p>cover".to_owned(), "cover", None),
        (format!("cover<!-- begin>{prose}<!-- end>"), "of the year", Some(WarningCode::Recovered)),
        (format!("{prose}<!-- begin>after<!-- end>"), "of the year", None),
    ] {
        let mut job = Job::new(&hints, &limits);
        let text = html(&page, &mut job).unwrap();
        assert!(text.contains(kept), "{text}");
        assert_eq!(job.warnings.first().map(|w| w.code), code, "{text}");
        assert!(!text.contains("after"), "{text}");
        assert!(code != Some(WarningCode::FewOwnWords) || !text.contains("release"), "{text}");
    }
}

//! Which part of a page is taken, a case for each rule.

use super::super::{html, part};
use crate::extraction::{Hints, MainContent};
use crate::job::Job;
use crate::limits::Limits;

const PROSE: &str =
    "<p>The keeper lit the lamp at dusk, wrote the hour into the book, and climbed down again.</p>";
const MORE: &str = "<p>At dawn the boats came home past the rocks, and somebody counted them from the gallery.</p>";

fn run(page: &str) -> (String, Option<MainContent>) {
    let hints = Hints { main_content: true, ..Hints::default() };
    let limits = Limits::default();
    let mut job = Job::new(&hints, &limits);
    let text = html(page, &mut job).unwrap();
    (text, job.main_content)
}

/// The words of `kept` are there and those of `gone` are not.
#[track_caller]
fn check(page: &str, way: MainContent, kept: &[&str], gone: &[&str]) {
    let (text, found) = run(page);
    assert_eq!(found, Some(way), "{page}\n{text}");
    for word in kept {
        assert!(text.contains(word), "{word} is not in {text:?}");
    }
    for word in gone {
        assert!(!text.contains(word), "{word} is in {text:?}");
    }
}

fn links(count: usize) -> String {
    (0..count)
        .map(|n| format!("<li><a href='/{n}'>another page of this site, number {n}</a>"))
        .collect()
}

#[test]
fn the_one_main_element() {
    let page =
        format!("<div>Log in</div><main>{PROSE}<table><td>cell</table></main><div>Imprint</div>");
    check(&page, MainContent::MainElement, &["dusk", "cell"], &["Log in", "Imprint"]);
    let page = format!("<div>Log in</div><div role='main'>{PROSE}</div>");
    check(&page, MainContent::MainElement, &["dusk"], &["Log in"]);
    // One inside the other is one.
    let page = format!("<div>Log in</div><div role=main><main>{PROSE}</main>{MORE}</div>");
    check(&page, MainContent::MainElement, &["dusk", "dawn"], &["Log in"]);
}

#[test]
fn the_one_article() {
    let page = format!(
        "<p>Log in</p><article>{PROSE}<article>A remark.</article></article><p>Imprint</p>"
    );
    check(&page, MainContent::ArticleElement, &["dusk", "remark"], &["Log in", "Imprint"]);
    // Several are a list, and the whole of it is what nearly all of the prose is in.
    let page =
        format!("<div>Log in</div><div><article>{PROSE}</article><article>{MORE}</article></div>");
    check(&page, MainContent::DensestElement, &["dusk", "dawn"], &["Log in"]);
}

#[test]
fn the_smallest_element_with_nearly_all_of_the_prose() {
    let side = links(4);
    let page = format!(
        "<div><ul>{side}</ul></div><div><h2>The lamp</h2>{PROSE}<pre>raw</pre>{MORE}</div><div>Imprint</div>"
    );
    check(
        &page,
        MainContent::DensestElement,
        &["The lamp", "dusk", "raw", "dawn"],
        &["another page", "Imprint"],
    );
    // Pages laid out by tables.
    let page = format!("<table><tr><td>{side}<td>{PROSE}{MORE}<td>Imprint</table>");
    check(&page, MainContent::DensestElement, &["dusk", "dawn"], &["another page", "Imprint"]);
    // A form that is taken out takes its elements with it.
    let form = "<form><div>Search this site for words that are in the pages of it and in no others.</div></form>";
    let page = format!("{form}<div>{PROSE}{MORE}</div>{form}<div>Imprint</div>");
    check(&page, MainContent::DensestElement, &["dusk", "dawn"], &["Search", "Imprint"]);
}

#[test]
fn the_title_comes_along() {
    let page = format!("<div>Log in<h1>The lamp</h1></div><main>{PROSE}</main>");
    check(&page, MainContent::MainElement, &["The lamp\nThe keeper"], &["Log in"]);
    // Not one of several, and not one that follows.
    let page = format!("<h1>One</h1><h1>Two</h1><main>{PROSE}</main><h1>Three</h1>");
    check(&page, MainContent::MainElement, &["dusk"], &["One", "Two", "Three"]);
}

#[test]
fn what_holds_little_of_the_page_is_not_believed() {
    let page = format!(
        "<main>A short word.</main><div>{PROSE}{MORE}{PROSE}{MORE}</div><div>Imprint</div>"
    );
    check(&page, MainContent::DensestElement, &["dusk", "dawn"], &["A short word", "Imprint"]);
    let others = [1, 2, 3, 4].map(|number| format!("<div>{number} {MORE}</div>")).concat();
    let page = format!("<main>{PROSE}</main>{others}");
    check(&page, MainContent::WholePage, &["dusk", "dawn"], &[]);
    check("<div>Short</div><div>words.</div>", MainContent::WholePage, &["Short", "words"], &[]);
    check("<nav>Only this</nav>", MainContent::WholePage, &[], &["Only this"]);
}

#[test]
fn anchors_do_not_name_blocks() {
    let page = format!(
        "<main>{PROSE}<h3 id=share-data>Share data</h3>{MORE}<section id=cookies><h2>Cookies</h2><p>One of them.</p>\
         </section><div class=section id=login-1><h2>2. Login\u{B6}</h2><p>Two of them.</p></div>\
         <section id=related><h2>More</h2><p>Three.</p></section></main>"
    );
    check(&page, MainContent::MainElement, &["Share data", "One of", "Two of"], &["Three", "More"]);
}

#[test]
fn comments_with_a_heading_are_at_the_end() {
    let comments = "<section id=comments><h2>Comments</h2><p>Nice post!</p></section>";
    for (page, is_kept) in
        [(format!("{PROSE}{MORE}{comments}"), false), (format!("{PROSE}{comments}{MORE}"), true)]
    {
        let (text, _) = run(&format!("<main>{page}</main>"));
        assert_eq!(text.contains("Nice post"), is_kept, "{text}");
    }
}

#[test]
fn comments_follow_what_they_are_said_of() {
    let said = "<p>A remark that is longer than eighty letters, as those of readers who know it well can be.</p>";
    let thread = format!("<div class=replies>{PROSE}{}</div>", said.repeat(9));
    let notice = format!("<div><h2>Block</h2>{MORE}</div>");
    for (page, is_kept) in
        [(format!("{thread}{notice}"), true), (format!("{notice}{thread}"), false)]
    {
        let (text, _) =
            run(&format!("<meta property='og:type' content=article><main>{page}</main>"));
        assert_eq!(text.contains("dusk"), is_kept, "{text}");
    }
}

#[test]
fn links_that_an_author_wrote_stay() {
    let text = format!("{PROSE}{MORE}").repeat(15);
    let list = "<li><a href='/a'>The first of the sources</a><li><a href='/b'>The second one</a>";
    for (list, stays) in [
        (format!("<ul>{list}</ul>"), true),
        (format!("<ul class='simple'>{list}</ul>"), true),
        ("<h4><a href='/c'>The first of the sources, The second one</a></h4>".to_owned(), true),
        (format!("<ul class='cards'>{list}</ul>"), false),
        (format!("<div><ul>{list}</ul></div>"), false),
    ] {
        let page = format!("<main>{text}{list}{MORE}</main>");
        let words = ["first of the sources", "second one"];
        let (kept, gone) = if stays { (&words[..], &[][..]) } else { (&[][..], &words[..]) };
        check(&page, MainContent::MainElement, kept, gone);
    }
}

#[test]
fn code_may_say_the_same_twice() {
    let line = "curl --header 'accept: text/plain' https://example.org/a/long/address/of/a/page?with=parameters";
    for (element, count) in [("pre", 2), ("p", 1)] {
        let code = format!("<{element}>{line}</{element}>");
        let (text, _) = run(&format!("<main>{PROSE}{code}{MORE}{code}</main>"));
        assert_eq!(text.matches(line).count(), count, "{text}");
    }
}

#[test]
fn what_is_not_asked_for_is_not_done() {
    let page = format!("<div>Log in</div><main>{PROSE}</main>");
    let limits = Limits::default();
    let hints = Hints::default();
    let mut job = Job::new(&hints, &limits);
    assert!(html(&page, &mut job).unwrap().contains("Log in"));
    assert_eq!(job.main_content, None);
    // Nor to pages inside other documents.
    let hints = Hints { main_content: true, ..Hints::default() };
    let mut job = Job::new(&hints, &limits);
    assert!(part(&page, &mut job).unwrap().contains("Log in"));
    assert_eq!(job.main_content, None);
}

/// Whether the lines of `part` are lines of `whole`, in their order.
fn are_lines_of(part: &str, whole: &str) -> bool {
    let mut lines = whole.lines();
    part.lines().all(|wanted| lines.any(|line| line == wanted))
}

#[test]
fn the_main_content_is_lines_of_the_page() {
    let pieces = [
        "<div>",
        "</div>",
        "<main>",
        "</main>",
        "<article>",
        "</article>",
        "<form>",
        "</form>",
        "<td>",
        "<h1>x</h1>",
        "<a href=y>",
        "</a>",
        PROSE,
        MORE,
        "<table>",
        "</table>",
        "é",
        "<div class=comments>",
        "<p class=share>",
        "<div class='post-body 1'>",
        "<aside>",
        "</aside>",
        "<figcaption>",
        "<meta property='og:type' content=article>",
        "<div itemtype='https://schema.org/DiscussionForumPosting'>",
        "<div itemtype='https://schema.org/Product'>",
    ];
    let mut state = 7_u32;
    for _ in 0..6_000 {
        let mut page = String::new();
        for _ in 0..24 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            page += pieces[(state >> 16) as usize % pieces.len()];
        }
        let hints = Hints::default();
        let limits = Limits::default();
        let whole = html(&page, &mut Job::new(&hints, &limits)).unwrap();
        let (text, found) = run(&page);
        assert!(are_lines_of(&text, &whole), "{page}\n{found:?} {text:?} of {whole:?}");
        assert_eq!(text.is_empty(), whole.is_empty(), "{page}");
        if found == Some(MainContent::WholePage) {
            assert_eq!(text, whole, "{page}");
        }
    }
}

/// Cases as data: what a page declares, a block of it, and whether the block is part of its main content.
#[test]
fn blocks_that_are_not_content() {
    let article = "<meta property='og:type' content='article'>";
    let product = "<script type='application/ld+json'>{\"@type\":\"Product\"}</script>";
    let other = "";
    let long = "told here at some length, so that it is a line of prose by its own measure, as others are. ";
    for (declared, block, is_kept) in [
        (other, "<div class='social-share'>mark</div>", false),
        (other, "<div class='newsletterForm'>mark</div>", false),
        (other, "<section id=related-pages>mark</section>", false),
        (other, "<ul class=pagination><li>mark</ul>", false),
        (other, "<div class=comment-list><p>mark</div>", false),
        (other, "<aside>mark</aside>", false),
        (other, "<aside role=doc-footnote>mark</aside>", true),
        (other, "<div class=license-box>mark</div>", false),
        (other, "<div class=authorBio>mark</div>", true),
        (article, "<div class=authorBio>mark</div>", false),
        (article, "<p class=byline>mark</p>", false),
        (article, "<time class=x>mark</time>", true),
        (article, "<div class=post-date>mark</div>", false),
        (article, "<figure><figcaption>mark</figcaption></figure>", false),
        (other, "<figure><figcaption>mark</figcaption></figure>", true),
        (article, "<ul><li><a href=a>mark</a><li><a href=b>more</a></ul>", false),
        (other, "<ul><li><a href=a>mark</a><li><a href=b>more</a></ul>", true),
        (article, "<p><a href=a>mark</a></p>", false),
        (article, "<p>mark and <a href=a>more</a></p>", true),
        (article, "<blockquote class=twitter-tweet>mark</blockquote>", true),
        (article, "<div class='social-media-embed'>mark</div>", true),
        (article, "<h2>mark</h2>", true),
        (article, "<table><tr><td>mark</table>", true),
        (product, "<div class=reviews><p>mark</div>", false),
        (article, "<div class=reviews><p>mark</div>", true),
    ] {
        let page = format!("{declared}<main><h1>The lamp</h1>{PROSE}{MORE}{block}<p>{long}</main>");
        let (text, _) = run(&page);
        assert_eq!(text.contains("mark"), is_kept, "{page}\n{text}");
        assert!(text.contains("dusk") && text.contains("dawn"), "{page}\n{text}");
        assert_eq!(text.contains("The lamp"), declared != article, "{page}\n{text}");
    }
}

/// Names say little: where the prose is, is the content.
#[test]
fn what_holds_the_prose_stays_by_whatever_name() {
    for name in ["share", "sidebar", "comments", "related-pages", "newsletter"] {
        let page = format!("<main><div class={name}>{PROSE}{MORE}</div><p>mark</main>");
        let (text, _) = run(&page);
        assert!(text.contains("dusk") && text.contains("dawn"), "{name}: {text}");
    }
}

#[test]
fn the_body_of_an_article() {
    let page = format!(
        "<div>Log in</div><article><p>lead</p><div class=entry-content>{PROSE}{MORE}</div><p>next</article>"
    );
    check(&page, MainContent::BodyElement, &["dusk", "dawn"], &["Log in", "lead", "next"]);
    // Several are a list.
    let page = format!(
        "<div>Log in</div><main><p>lead</p><div class=entry-content>{PROSE}</div>\
         <div class=entry-content>{MORE}</div></main>"
    );
    check(&page, MainContent::MainElement, &["dusk", "dawn", "lead"], &["Log in"]);
}

#[test]
fn the_messages_of_a_discussion() {
    let declared = "<div itemscope itemtype='https://schema.org/DiscussionForumPosting'>";
    let message = |prose: &str| {
        format!(
            "<div class='post n1'><div class=user>keeper, joined</div><div class=text>{prose}</div></div>"
        )
    };
    let page = format!("{declared}{}{}</div>", message(PROSE), message(MORE));
    let (text, _) = run(&page);
    assert!(text.contains("dusk") && text.contains("dawn") && !text.contains("joined"), "{text}");
    // By whatever name its messages go.
    let page =
        format!("{declared}<div class=comments>{}{}</div></div>", message(PROSE), message(MORE));
    let (text, _) = run(&page);
    assert!(text.contains("dusk") && text.contains("dawn"), "{text}");
}

/// In scripts without spaces, and where no name says anything.
#[test]
fn all_scripts_are_read_alike() {
    let prose = "<p>灯台守は夕暮れに灯りをともし、時刻を帳面に書きつけて、もう一度はしごを降りた。岩の向こうから船が帰ってきた。</p>";
    let links: String =
        (0..4).map(|n| format!("<li><a href='/{n}'>このサイトの別のページ{n}</a>")).collect();
    let page = format!(
        "<meta property='og:type' content='article'><div><ul>{links}</ul></div>\
         <div><h1>灯台</h1>{prose}<ul>{links}</ul></div>"
    );
    let (text, _) = run(&page);
    assert!(text.contains("灯台守は") && !text.contains("別のページ"), "{text}");
}

/// Blocks in blocks by the ten thousand cost what their length costs: no rule looks at a line twice for each block
/// around it.
#[test]
fn depth_and_repetition_cost_no_more_than_length() {
    let depth = 150;
    let deep = format!(
        "{}{PROSE}{}",
        "<div class='post comments share'>".repeat(depth),
        "</div>".repeat(depth)
    );
    let page = format!(
        "<div itemtype='https://schema.org/QAPage'>{}</div>",
        format!("{deep}<p class='share meta'><a href=x>mark</a>").repeat(40)
    );
    let (text, _) = run(&page);
    assert!(text.contains("dusk"), "{text}");
}

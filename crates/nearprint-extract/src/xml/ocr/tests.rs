//! ALTO and PAGE XML, a case for each rule.

use super::*;
use crate::extraction::Hints;
use crate::limits::Limits;

#[track_caller]
fn check(source: &str, expected: &str) {
    let (hints, limits) = (Hints::default(), Limits::default());
    let mut job = Job::new(&hints, &limits);
    let text = super::super::xml(source, &mut job).unwrap();
    assert_eq!(text.trim_end().replace("\n\n", "\n").replace('\n', "|"), expected, "{source}");
    assert_eq!(job.warnings, [], "{source}");
}

fn alto(body: &str) -> String {
    format!(
        "<?xml version='1.0'?><alto xmlns='http://www.loc.gov/standards/alto/ns-v4#'><Description>\
         <sourceImageInformation><fileName>x.tif</fileName></sourceImageInformation></Description>\
         <Layout><Page><TopMargin><TextBlock><TextLine><String CONTENT='17'/></TextLine></TextBlock></TopMargin>\
         <PrintSpace>{body}</PrintSpace></Page></Layout></alto>"
    )
}

#[test]
fn lines_of_alto() {
    check(
        &alto(
            "<TextBlock><TextLine><String CONTENT='Fog'/><SP/><String CONTENT='&amp; the'/></TextLine>\n\
             <TextLine><String CONTENT='sea'/></TextLine></TextBlock><TextBlock><TextLine><String CONTENT='New'/>\
             </TextLine></TextBlock>",
        ),
        "Fog & the|sea|New",
    );
    // Words without blanks between them.
    check(
        &alto("<TextLine><String CONTENT='Fog'/><String CONTENT='bank'/></TextLine>"),
        "Fog bank",
    );
    check(&alto("<TextLine><String CONTENT='海'/><String CONTENT='霧'/></TextLine>"), "海霧");
    // So with its lines, within a block.
    let line = |word: &str| format!("<TextLine><String CONTENT='{word}'/></TextLine>");
    let blocks = [["海霧在", "中午"], ["散了", "fog"]]
        .map(|lines| format!("<TextBlock>{}</TextBlock>", lines.map(line).concat()));
    check(&alto(&blocks.concat()), "海霧在中午|散了|fog");
}

#[test]
fn broken_words_of_alto_are_joined() {
    let part = |number: u8, content: &str, whole: &str| {
        format!("<String CONTENT='{content}' SUBS_TYPE='HypPart{number}' SUBS_CONTENT='{whole}'/>")
    };
    let lines = |first: &str, second: &str| {
        alto(&format!(
            "<TextBlock><TextLine><String CONTENT='a'/><SP/>{first}<HYP CONTENT='-'/></TextLine>\
             <TextLine>{second}<SP/><String CONTENT='b'/></TextLine></TextBlock>"
        ))
    };
    check(&lines(&part(1, "har", "harbour"), &part(2, "bour", "harbour")), "a harbour b");
    check(&lines("<String CONTENT='har'/>", "<String CONTENT='bour'/>"), "a harbour b");
    check(&lines(&part(1, "har", ""), &part(2, "bour", "")), "a harbour b");
    // The second part alone, at the beginning of a page.
    check(&alto(&format!("<TextLine>{}</TextLine>", part(2, "bour", "harbour"))), "bour");
}

fn page(order: &str, body: &str) -> String {
    format!(
        "<?xml version='1.0'?><PcGts xmlns='http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15'>\
         <Metadata><Creator>x</Creator></Metadata><Page><ReadingOrder><OrderedGroup id='g'>{order}</OrderedGroup>\
         </ReadingOrder>{body}</Page></PcGts>"
    )
}

fn region(id: &str, kind: &str, content: &str) -> String {
    format!("<TextRegion id='{id}' type='{kind}'>{content}</TextRegion>")
}

fn stated(name: &str, text: &str) -> String {
    format!("<{name}><TextEquiv index='0'><Unicode>{text}</Unicode></TextEquiv></{name}>")
}

#[test]
fn lines_of_page_in_reading_order() {
    let first = region(
        "a",
        "paragraph",
        &(stated("TextLine", "Fog &amp; the har¬") + &stated("TextLine", "bour")),
    );
    let second = region("b", "heading", &stated("TextLine", "Title"));
    let third = region("c", "page-number", &stated("TextLine", "17"));
    let order =
        "<RegionRefIndexed index='1' regionRef='a'/><RegionRefIndexed index='0' regionRef='b'/>";
    check(&page(order, &(first + &second + &third)), "Title|Fog & the harbour");
    let line = |text: &str| stated("TextLine", text);
    check(
        &page("", &region("a", "", &(line("海霧在") + &line("中午") + &line("fog")))),
        "海霧在中午|fog",
    );
    let word = stated("Word", "海") + &stated("Word", "霧");
    check(&page("", &region("a", "", &format!("<TextLine>{word}</TextLine>"))), "海霧");
}

#[test]
fn the_text_of_page_is_that_of_the_largest_part_within_regions() {
    let word = stated("Word", "Fog") + &stated("Word", "bank");
    let line = format!("<TextLine>{word}</TextLine>");
    check(&page("", &region("a", "", &line)), "Fog bank");
    let both =
        format!("<TextLine>{word}<TextEquiv><Unicode>Fog banks</Unicode></TextEquiv></TextLine>");
    check(&page("", &region("a", "", &both)), "Fog banks");
    let whole = format!("{both}<TextEquiv><Unicode>all of it</Unicode></TextEquiv>");
    check(&page("", &region("a", "", &whole)), "Fog banks");
    check(
        &page("", &region("a", "", "<TextEquiv><Unicode>all\nof it</Unicode></TextEquiv>")),
        "all|of it",
    );
    let two = "<TextLine><TextEquiv><Unicode>one</Unicode></TextEquiv><TextEquiv><Unicode>two</Unicode></TextEquiv></TextLine>";
    check(&page("", &region("a", "", two)), "one");
    let unordered = "<TextLine><TextEquiv index='1'><Unicode>one</Unicode></TextEquiv>\
                     <TextEquiv index='0'><Unicode>two</Unicode></TextEquiv></TextLine>";
    check(&page("", &region("a", "", unordered)), "two");
}

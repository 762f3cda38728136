//! What the text of an XLSX file is.

use super::*;

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const ROOT: (&str, &str) = (
    "_rels/.rels",
    "<Relationships><Relationship Type='x/officeDocument' Target='xl/workbook.xml'/></Relationships>",
);
const LIST: (&str, &str) = (
    "xl/_rels/workbook.xml.rels",
    "<Relationships><Relationship Id='a' Type='x/worksheet' Target='worksheets/one.xml'/>
     <Relationship Id='b' Type='x/worksheet' Target='/xl/worksheets/two.xml'/>
     <Relationship Id='s' Type='x/sharedStrings' Target='strings.xml'/>
     <Relationship Id='c' Type='x/chartsheet' Target='chart.xml'/></Relationships>",
);
const WORKBOOK: (&str, &str) = (
    "xl/workbook.xml",
    "<workbook><sheets><sheet name='Z' r:id='b'/><sheet name='H' state='hidden' r:id='h'/>\
     <sheet name='A' r:id='a'/><sheet r:id='c'/><sheet r:id='b'/></sheets></workbook>",
);
const STRINGS: (&str, &str) = (
    "xl/strings.xml",
    "<sst><si><t>Fog &amp; rain</t></si><si/><si><r><t>harb</t></r><r><t>our</t></r><rPh><t>READING</t></rPh></si></sst>",
);

#[test]
fn cells_are_read_row_by_row_in_the_order_of_the_sheets() {
    check(
        &[
            ROOT,
            LIST,
            WORKBOOK,
            STRINGS,
            (
                "xl/worksheets/one.xml",
                "<worksheet><sheetData><row><c t='s'><v>2</v></c><c t='s'><v>0</v></c></row>
                 <row><c><f>A1*2</f><v>12.5</v></c><c t='b'><v>1</v></c><c t='str'><f>x</f><v>bell&lt;s</v></c>\
                 <c t='e'><v>#N/A</v></c></row></sheetData><oddHeader><t>header</t></oddHeader></worksheet>",
            ),
            (
                "xl/worksheets/two.xml",
                "<x:worksheet><x:row><x:c t='inlineStr'><x:is><x:t>in</x:t><x:rPh><x:t>out</x:t></x:rPh><x:t>line</x:t></x:is></x:c>\
                 <x:c/><x:c t='s'><x:v>1</x:v></x:c></x:row></x:worksheet>",
            ),
            ("xl/chart.xml", "<c><v>chart</v></c>"),
        ],
        XLSX,
        "inline|harbour|Fog & rain|12.5|TRUE|bell<s|#N/A",
    );
}

#[test]
fn sheets_without_a_list_have_their_usual_names() {
    check(
        &[
            ("xl/workbook.xml", "<workbook/>"),
            ("xl/worksheets/sheet2.xml", "<row><c t='s'><v>0</v></c></row>"),
            ("xl/worksheets/sheet1.xml", "<row><c><v>1</v></c></row>"),
            ("xl/sharedStrings.xml", "<sst><si><t>two</t></si></sst>"),
        ],
        XLSX,
        "1|two",
    );
}

#[test]
fn missing_parts_are_damage_and_missing_strings_a_warning() {
    let parts = |sheet: &'static str, with: bool| {
        let mut parts = vec![ROOT, LIST, WORKBOOK, ("xl/worksheets/one.xml", sheet)];
        if with {
            parts.push(("xl/worksheets/two.xml", "<worksheet/>"));
        }
        let parts: Vec<_> = parts.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
        extract(&zip(&parts, true), &Hints::default(), &Limits::default())
    };
    let row = "<row><c t='s'><v>7</v></c><c t='s'><v>-1</v></c><c><v>5</v></c></row>";
    assert_eq!(parts(row, false).expect_err("a missing sheet").reason(), Reason::Damaged);
    let found = parts(row, true).expect("the rest");
    assert_eq!(found.text, "5\n");
    assert_eq!(found.record.warnings.len(), 1, "{:?}", found.record.warnings);
    let found = parts("<row><c><v>5</v></c", true).expect("what is there");
    assert_eq!((found.text.as_str(), found.record.warnings.len()), ("5\n", 1));
}

/// One long string that a million cells refer to: charged as it is appended.
#[test]
fn strings_are_counted_as_often_as_they_are_shown() {
    let long = format!("<sst><si><t>{}</t></si></sst>", "long ".repeat(10_000));
    let sheet = format!("<row>{}</row>", "<c t='s'><v>0</v></c>".repeat(10_000));
    let parts: Vec<(&str, &[u8])> = vec![
        ("xl/workbook.xml", b"<workbook/>"),
        ("xl/sharedStrings.xml", long.as_bytes()),
        ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
    ];
    let limits = Limits { max_text_bytes: 1_000_000, ..Limits::default() };
    let error = extract(&zip(&parts, true), &Hints::default(), &limits).expect_err("500 MB");
    assert_eq!(error.reason(), Reason::TextLimit);
}

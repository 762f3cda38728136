//! Two columns that a file writes back and forth, line by line, and what looks like them.

mod writer;

use nearprint_pdf::{Options, PdfText, Warning, extract_text};
use writer::PdfWriter;

const LEFT: &str = "The keeper of the old lighthouse wrote down every ship that passed. He did this for thirty years, and nobody \
    asked him why. On some evenings there were no ships at all. Then he wrote the weather, which was bad as a rule. His \
    daughter, who had gone to the town when she was sixteen, came back in the autumn of that year. She found the books in \
    the lamp room, under the stairs. They filled eleven shelves. She took one of them down and read until it was dark. The \
    lamp had been lit by then. It turned above her head with the sound it had always made, like someone who walks to and \
    fro in thought. What had he wanted with the names? She never found out. The last entry was of a morning in March, when \
    the sea had been calm.";
const RIGHT: &str = "Tides are raised by the moon and by the sun. The moon is nearer, so that hers are larger by more than two \
    times. When both pull along one line, at the new moon and at the full moon, the water rises highest. Sailors call \
    these the springs. Halfway between them come the neaps, which are low. In a narrow bay the water may pile up. Some \
    bays have a tide of fifteen metres, others hardly any. Harbours keep tables of them. These were worked out by hand \
    once, later by machines of brass with a wheel for each pull. Each wheel had been cut to its own period. A pen drew the \
    sum of them on paper. Today a computer does this in less than a second, and yet the tables look as they did a hundred \
    years ago.";

/// Breaks a text into lines of at most so many characters; justified, they are padded with spaces to that length.
fn broken(text: &str, length: usize, justified: bool) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is one");
        if line.is_empty() {
            line.push_str(word);
        } else if line.len() + 1 + word.len() <= length {
            *line = format!("{line} {word}");
        } else {
            lines.push(word.to_owned());
        }
    }
    let last = lines.len() - 1;
    for line in &mut lines[..last] {
        let mut words = line.split(' ').collect::<Vec<_>>();
        let first = words.remove(0).to_owned();
        let missing = if justified { length - line.len() } else { 0 };
        *line = words.iter().enumerate().fold(first, |line, (gap, word)| {
            let more = missing / words.len() + usize::from(gap < missing % words.len());
            format!("{line}{}{word}", " ".repeat(1 + more))
        });
    }
    lines
}

/// A piece of a page: where it stands and what it says.
type Piece = (u32, u32, String);

fn at(x: u32, top: u32, lines: &[String]) -> Vec<Piece> {
    lines.iter().zip(0..).map(|(line, row)| (x, top - 12 * row, line.clone())).collect()
}

fn back_and_forth(left: &[Piece], right: &[Piece]) -> Vec<Piece> {
    let pairs = (0..left.len().max(right.len())).flat_map(|row| [left.get(row), right.get(row)]);
    pairs.flatten().cloned().collect()
}

fn read(pieces: &[Piece]) -> PdfText {
    let mut pdf = PdfWriter::new();
    let content: String = pieces
        .iter()
        .map(|(x, y, line)| format!("BT /F1 10 Tf {x} {y} Td ({line}) Tj ET "))
        .collect();
    pdf.page("/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Courier >> >>", &content);
    extract_text(&pdf.finish(), &Options::default()).expect("the document is sound")
}

#[test]
fn prose_is_read_by_column() {
    for (justified, drop) in [(true, 0), (false, 0), (true, 5)] {
        let left = at(50, 700, &broken(LEFT, 36, justified));
        let right = at(300, 700 - drop, &broken(RIGHT, 36, justified));
        let one_by_one = read(&[&left[..], &right[..]].concat());
        assert!(one_by_one.text.contains("every ship that passed.") || justified);
        let mixed = read(&back_and_forth(&left, &right));
        assert_eq!(mixed.text, one_by_one.text, "{justified} {drop}");
        assert_eq!(mixed.warnings, []);
        // The right column first: it may be the one that is read first.
        let other = read(&[&right[..], &left[..]].concat());
        assert_eq!(read(&back_and_forth(&right, &left)).text, other.text);
    }
}

#[test]
fn headings_and_numbers_of_lines_stay_where_they_are() {
    let heading = |y: u32| (120, y, "A heading over both of the columns, and long".to_owned());
    let halves = |text: &str| {
        let lines = broken(text, 36, true);
        let middle = lines.len() / 2;
        (lines[..middle].to_vec(), lines[middle..].to_vec())
    };
    let ((first, third), (second, fourth)) = (halves(LEFT), halves(RIGHT));
    let numbers = |lines: &[Piece]| {
        let number = |(row, line): (usize, &Piece)| (20, line.1, format!("{}", 5 * row));
        lines.iter().enumerate().map(number).collect::<Vec<_>>()
    };
    let blocks = [(720, &first, &second), (460, &third, &fourth)];
    let (mut mixed, mut apart) = (Vec::new(), Vec::new());
    for (top, left, right) in blocks {
        let (left, right) = (at(50, top - 20, left), at(300, top - 20, right));
        mixed.push(heading(top));
        apart.push(heading(top));
        let numbered: Vec<Piece> = numbers(&left)
            .into_iter()
            .zip(left)
            .flat_map(|(number, line)| [number, line])
            .collect();
        apart.extend(numbered.iter().chain(&right).cloned());
        for (row, pair) in numbered.chunks(2).enumerate() {
            mixed.extend(pair.iter().chain(right.get(row)).cloned());
        }
        mixed.extend(right.iter().skip(numbered.len() / 2).cloned());
    }
    assert_eq!(read(&mixed).text, read(&apart).text);
}

#[test]
fn tables_are_read_by_row() {
    let names = ["Lamp", "Fog horn", "Boat house", "Signal mast", "Tide gauge", "Rain gauge"];
    let cells = |column: &str| -> Vec<String> {
        (0..24).map(|row| format!("{} {column}, seen in {}", names[row % 6], 1900 + row)).collect()
    };
    let (left, right) = (at(50, 700, &cells("of the north")), at(300, 700, &cells("of the south")));
    let table = read(&back_and_forth(&left, &right));
    assert!(table.text.starts_with("Lamp of the north, seen in 1900 Lamp of the south"));
    assert_eq!(table.warnings, []);
}

#[test]
fn what_may_be_either_is_warned_of() {
    // Sentences that continue from the left to the right: one text around something that stands in its middle.
    let lines = broken(&format!("{LEFT} {RIGHT}"), 36, false);
    let side =
        |which: usize| -> Vec<String> { lines.iter().skip(which).step_by(2).cloned().collect() };
    let (left, right) = (at(50, 700, &side(0)), at(300, 700, &side(1)));
    let read = read(&back_and_forth(&left, &right));
    assert_eq!(read.warnings, [Warning::DoubtfulOrder { pages: 1 }]);
    let start: String = read.text.split_whitespace().take(14).collect::<Vec<_>>().join(" ");
    assert!(LEFT.starts_with(&start), "{start}");
}

//! Filled-in forms through the command: answers make documents different, and equal answers do not.

use crate::harness::Sandbox;

const QUESTIONS: [&str; 4] = ["Full name", "Place of birth", "Occupation", "Reasons for applying"];
const ADA: [&str; 4] = [
    "Ada Lovelace",
    "London Marylebone",
    "Analyst of engines",
    "Keeps a notebook of marginal comments and translates memoirs from Italian",
];
const LISE: [&str; 4] = [
    "Lise Meitner",
    "Wien Leopoldstadt",
    "Physicist at an institute",
    "Walks in the snow with her nephew and explains how a nucleus divides in two",
];

/// A form of four questions and one box to check, without cross-references, which are searched for.
fn form(answers: [&str; 4], checked: bool) -> Vec<u8> {
    let mut content = String::from("BT /F1 12 Tf 50 700 Td ");
    let mut widgets = String::new();
    for (line, (question, answer)) in QUESTIONS.iter().zip(answers).enumerate() {
        content += &format!("({question}) Tj 0 -30 Td ");
        let y = 695 - 30 * line;
        let rect = format!("/Rect [200 {y} 550 {}]", y + 18);
        widgets += &format!("<< /Subtype /Widget /FT /Tx {rect} /V ({answer}) >> ");
    }
    content += "(I have read the rules of the harbour library) Tj ET";
    let state = if checked { "Yes" } else { "Off" };
    widgets += &format!("<< /Subtype /Widget /FT /Btn /Rect [30 575 45 590] /AS /{state} >>");
    format!(
        "%PDF-1.7\n1 0 obj <</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[]>>>> endobj\n\
         2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n\
         3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Annots[{widgets}]>> endobj\n\
         4 0 obj <</Length {}>> stream\n{content}\nendstream endobj\ntrailer <</Root 1 0 R>>\n",
        content.len()
    )
    .into_bytes()
}

#[test]
fn forms_with_other_answers_are_other_documents() {
    let sandbox = Sandbox::new();
    sandbox
        .file("a.pdf", form(ADA, true))
        .file("b.pdf", form(LISE, true))
        .file("c.pdf", form(ADA, true))
        .file("unchecked.pdf", form(ADA, false));
    let run = sandbox.run(["dedup", "a.pdf", "b.pdf", "c.pdf"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let decisions: Vec<(&str, &str)> =
        run.rows().iter().map(|row| (row[0], row[row.len() - 1])).collect();
    assert_eq!(decisions, [("keep", "a.pdf"), ("keep", "b.pdf"), ("drop", "c.pdf")]);
    let text = |name: &str| sandbox.run(["extract", name]).out;
    assert!(text("a.pdf").contains("Full name Ada Lovelace"));
    assert_ne!(text("a.pdf"), text("unchecked.pdf"));
}

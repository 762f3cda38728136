//! Plans as values: text and value are inverse, and nothing incomplete passes.

use proptest::prelude::*;

use super::*;

/// Every kind of plan there is a name for.
pub(crate) fn any_plan(width: u32) -> impl Strategy<Value = Plan> {
    (0u32..=8, 0u32..4, 0usize..4).prop_filter_map("suits no k", move |(k, more, kind)| {
        match kind {
            0 => Plan::draft(width, k),
            1 => Plan::blocks(width, k, k + 1 + more.min(3)),
            2 => Plan::multi_index(width, k, 1 + more.min(k)),
            _ => Plan::brute_force(width, k),
        }
        .ok()
    })
}

proptest! {
    #[test]
    fn text_and_plan_are_inverse(plan in any_plan(64)) {
        prop_assert_eq!(plan.to_string().parse::<Plan>(), Ok(plan.clone()));
        let choice = PlanChoice::Exactly(plan);
        prop_assert_eq!(choice.to_string().parse::<PlanChoice>(), Ok(choice.clone()));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[0-9/:(* )~,-]{0,40}") {
        if let Ok(plan) = text.parse::<Plan>() {
            prop_assert_eq!(plan.to_string().parse::<Plan>(), Ok(plan));
        }
    }
}

#[test]
fn choices_have_names() {
    for choice in [
        PlanChoice::Auto,
        PlanChoice::Draft,
        PlanChoice::Blocks(7),
        PlanChoice::MultiIndex(2),
        PlanChoice::BruteForce,
    ] {
        assert_eq!(choice.to_string().parse::<PlanChoice>(), Ok(choice));
    }
}

#[test]
fn evenly_cut_blocks_cover_all_bits_once() {
    for parts in 1..=64 {
        let blocks = cut_evenly(run_of_bits(0, 64), parts);
        assert_eq!(blocks.iter().fold(0, |all, block| all | block), run_of_bits(0, 64));
        assert_eq!(blocks.iter().map(|block| block.count_ones()).sum::<u32>(), 64);
        let sizes = blocks.iter().map(|block| block.count_ones());
        let (most, least) = (sizes.clone().max(), sizes.min());
        assert!(most.zip(least).is_some_and(|(most, least)| most - least <= 1));
    }
    assert_eq!(cut_evenly(0xff, 2), [0xf0, 0x0f]);
}

#[test]
fn wrong_plans_are_refused() {
    use PlanError::{BitOutOfRange, Incomplete, Overlap, Syntax, Width};
    let cases = [
        ("", Syntax { at: 0, expected: "a number of one to three digits" }),
        ("64/3", Syntax { at: 4, expected: "`:`" }),
        ("64/3:*x", Syntax { at: 6, expected: "the end" }),
        ("64/3:(9-8*)", Syntax { at: 9, expected: "a range with the lower bit first" }),
        ("48/3:*", Width(48)),
        ("64/0:(60-64*)", BitOutOfRange { bit: 64, width: 64 }),
        ("64/0:(60-200*)", BitOutOfRange { bit: 200, width: 128 }),
        ("64/0:(0-3,3-9*)", Overlap),
        // Far in both blocks may mean one bit only, if they share it.
        ("64/1:(0-3* 3-9*)", Incomplete { k: 1, part: "(0-3* 3-9*)".into() }),
        ("64/0:(0-3(2-5*))", Overlap),
        ("64/1:(0-3*)", Incomplete { k: 1, part: "(0-3*)".into() }),
        // Far in 0-3 leaves one bit for the chain below, which one block does not catch.
        ("64/2:(0-3* 4-7(8-9*) 10-12*)", Incomplete { k: 2, part: "(8-9*)".into() }),
    ];
    for (text, error) in cases {
        assert_eq!(text.parse::<Plan>(), Err(error), "{text}");
    }
    // What was spent above counts: after two far blocks nothing is left of two bits.
    assert!("64/2:(0-3* 4-7(8-9* 13-14*) 10-12(15-15*))".parse::<Plan>().is_ok());
}

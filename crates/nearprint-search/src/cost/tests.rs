//! The model chooses complete plans, and not silly ones.

use super::*;
use crate::plan::PlanChoice;

fn workload(prints: f64) -> Workload {
    Workload { prints, bit_worth: 1.0, steps: Steps::of::<u64>(SimdLevel::Avx512) }
}

#[test]
fn every_choice_is_a_complete_plan() {
    let few = [1.0, 1e5, 1e9].map(|prints| [0, 1, 3, 6].map(|k| (k, prints)));
    // Large distances have large trees; one of each width is enough.
    for (k, prints) in few.into_iter().flatten().chain([(10, 1e6), (16, 1e5)]) {
        for (width, bit_worth) in [(32, 1.0), (64, 1.0), (64, 0.5), (128, 1.0)] {
            let workload = Workload { bit_worth, ..workload(prints) };
            let (plan, cost) = cheapest(width, k, &workload).expect("a complete plan");
            assert_eq!((plan.width(), plan.k()), (width, k));
            assert!(cost.is_finite() && cost >= 0.0);
        }
    }
}

#[test]
fn the_choice_is_not_dearer_than_the_named_plans() {
    for prints in [1e6, 1e7, 1e9] {
        for k in [1, 3, 6, 8] {
            let workload = workload(prints);
            let (plan, _) = cheapest(64, k, &workload).expect("a complete plan");
            let chosen = workload.plan(&plan);
            for choice in [
                PlanChoice::Draft,
                PlanChoice::BruteForce,
                PlanChoice::Blocks(k + 1),
                PlanChoice::Blocks(k + 2),
            ] {
                let named = choice.plan(64, k).ok().flatten().expect("a named plan");
                // The model's own rounding of widths is worth some percent.
                let named = workload.plan(&named);
                assert!(
                    chosen <= named * 1.1,
                    "{choice} at {prints} within {k}: {named}, {plan}: {chosen}"
                );
            }
        }
    }
}

#[test]
fn few_prints_are_compared_and_many_are_scattered() {
    assert!(matches!(cheapest(64, 3, &workload(50.0)), Ok((plan, _)) if plan.tables() == 1));
    assert!(matches!(cheapest(64, 3, &workload(1e7)), Ok((plan, _)) if plan.tables() > 3));
}

#[test]
fn skew_lowers_the_worth_of_a_bit() {
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state ^ (state >> 29)
    };
    let mut random: Vec<u64> =
        (0..20_000).map(|_| next().wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let mut template: Vec<u64> = random.iter().map(|print| print & 0x1111_1111_1111_1111).collect();
    random.sort_unstable();
    template.sort_unstable();
    assert!(bit_worth(&random) > 0.95, "{}", bit_worth(&random));
    assert!(bit_worth(&template) < 0.4, "{}", bit_worth(&template));
}

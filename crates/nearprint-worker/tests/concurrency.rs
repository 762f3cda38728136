//! Any documents, deadly or not, from any number of threads to any number of workers: each gets its own answer.
#![cfg(unix)]

mod workers;

use proptest::prelude::*;
use workers::{ask, document, failure, here, hostile, order, pool};

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_document_gets_its_own_answer(
        documents in prop::collection::vec((0..8_usize, any::<bool>()), 1..40),
        threads in 1..6_usize,
        workers in 1..4_usize,
    ) {
        let pool = pool(&hostile(), workers);
        let deaths = documents.iter().filter(|(kind, deadly)| *deadly && kind % 2 == 0).count();
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let (pool, documents) = (&pool, &documents);
                scope.spawn(move || {
                    for (index, (kind, deadly)) in
                        documents.iter().enumerate().skip(thread).step_by(threads)
                    {
                        if *deadly && kind % 2 == 0 {
                            failure(ask(pool, &order("abort")));
                        } else {
                            let document = document(8 * index + kind);
                            assert_eq!(ask(pool, &document), here(&document));
                        }
                    }
                });
            }
        });
        let counts = pool.counts();
        prop_assert_eq!(counts.died, deaths as u64);
        prop_assert!(counts.started <= (workers + deaths) as u64);
    }
}

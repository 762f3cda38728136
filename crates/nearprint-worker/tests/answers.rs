//! A worker's answer is the answer of this process, for every kind of document, outcome and size.

mod workers;

use std::num::NonZeroUsize;

use nearprint_extract::{Hints, Limits, Reason, extract};
use nearprint_worker::{Extractor, Isolation, Pool, PoolOptions};
use workers::{ask, document, here, pool, shipped};

#[test]
fn documents_of_every_kind() {
    let pool = pool(&shipped(), 1);
    let mut texts = 0;
    for index in 0..64 {
        let document = document(index);
        let expected = here(&document);
        texts += usize::from(expected.is_ok());
        assert_eq!(ask(&pool, &document), expected, "document {index}");
    }
    assert!(texts >= 40, "only {texts} of the documents have a text");
    let counts = pool.counts();
    assert_eq!((counts.started, counts.died, counts.retired), (1, 0, 0));
}

#[test]
fn sizes_around_every_buffer() {
    let pool = pool(&shipped(), 1);
    for power in [0, 12, 13, 16, 18, 22, 25] {
        for length in [(1 << power) - 1, 1 << power, (1 << power) + 1] {
            let document: Vec<u8> =
                b"words of a long text ".iter().copied().cycle().take(length).collect();
            // Compared without printing: they are long.
            assert!(ask(&pool, &document) == here(&document), "{length} bytes");
        }
    }
}

#[test]
fn hints_and_limits_travel() {
    let pool = pool(&shipped(), 1);
    let latin = b"caf\xe9 \xe0 la carte";
    for hints in [
        Hints { charset: Some("iso-8859-7".to_owned()), ..Hints::default() },
        Hints { media_type: Some("text/html".to_owned()), ..Hints::default() },
        Hints { media_type: Some("image/png".to_owned()), ..Hints::default() },
        Hints { password: Some("\u{1F511}\0\"".to_owned()), ..Hints::default() },
    ] {
        let outcome = pool.extract(latin, &hints, &Limits::default()).unwrap();
        assert_eq!(outcome, extract(latin, &hints, &Limits::default()), "{hints:?}");
    }
    for (limits, reason) in [
        (Limits { max_input_bytes: 14, ..Limits::default() }, Reason::TooLarge),
        (Limits { max_text_bytes: 3, ..Limits::default() }, Reason::TextLimit),
    ] {
        let outcome = pool.extract(latin, &Hints::default(), &limits).unwrap();
        assert_eq!(outcome, extract(latin, &Hints::default(), &limits));
        assert_eq!(outcome.unwrap_err().reason(), reason);
    }
    let hints = Hints { charset: Some("x".repeat(17 << 20)), ..Hints::default() };
    let error = pool.extract(latin, &hints, &Limits::default()).unwrap().unwrap_err();
    assert_eq!(error.reason(), Reason::TooLarge);
    assert_eq!(pool.counts().died, 0);
}

#[test]
fn the_extractor_asks_workers_for_what_is_heavy() {
    for (isolation, started) in
        [(Isolation::Never, 0), (Isolation::Heavy, 1), (Isolation::Everything, 1)]
    {
        let options = PoolOptions { workers: NonZeroUsize::MIN, ..PoolOptions::new(shipped()) };
        let extractor = Extractor::new(isolation, options);
        for index in 0..8 {
            let document = document(index);
            let outcome = extractor.extract(&document, &Hints::default(), &Limits::default());
            assert_eq!(outcome.unwrap(), here(&document), "{isolation:?} {index}");
            if index == 2 {
                // Nothing heavy so far.
                let expected = u64::from(isolation == Isolation::Everything);
                assert_eq!(extractor.counts().started, expected, "{isolation:?}");
            }
        }
        assert_eq!(extractor.counts().started, started, "{isolation:?}");
    }
}

#[test]
fn workers_retire_after_their_documents() {
    let pool = Pool::new(PoolOptions {
        workers: NonZeroUsize::MIN,
        retire_after_documents: 4,
        ..PoolOptions::new(shipped())
    })
    .unwrap();
    for index in 0..10 {
        assert_eq!(ask(&pool, &document(index)), here(&document(index)));
    }
    let counts = pool.counts();
    assert_eq!((counts.started, counts.retired, counts.died), (3, 2, 0));
}

#[cfg(target_os = "linux")]
#[test]
fn workers_retire_when_they_have_grown() {
    let pool = Pool::new(PoolOptions {
        workers: NonZeroUsize::MIN,
        retire_after_growth: 0,
        ..PoolOptions::new(shipped())
    })
    .unwrap();
    // The first document of a worker always touches pages that its start did not.
    for index in 0..3 {
        assert_eq!(ask(&pool, &document(index)), here(&document(index)));
    }
    let counts = pool.counts();
    assert_eq!((counts.started, counts.retired, counts.died), (3, 3, 0));
}

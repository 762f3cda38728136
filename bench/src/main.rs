//! One measurement a run: `nearprint-bench VERB key=value ...`, one JSON object a repetition on stdout.
//!
//! Verbs: `pairs`, `between`, `clusters`, `billion`, `sort`, `explain`, `queries`, `agreement`,
//! `text`, `markup`, and two that write files: `write` (prints of a set) and `prints` (prints of passages). Keys: `n`,
//! `k`, `bits` (32, 64 or 128; `pairs` only), `kind` (uniform, skewed or weak), `file` (prints, instead of a made set:
//! little-endian words in a file `.bin`, else decimal lines), `seed`, `threads`, `plan`, `simd`, `memory` (bytes),
//! `queries`, `repeat`, `out`, `passages`, `scheme`, `list` (files, one a line), `engine`, `media`.

mod agreement;
mod cpu;
mod joins;
mod markup;
mod options;
mod queries;
mod row;
mod sets;
mod spill;
mod text;

use options::Options;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let verb = arguments.next().expect("a verb");
    let options = Options::of(arguments);
    let threads = options.get("threads", 1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    pool.install(|| match (verb.as_str(), options.get("bits", 64)) {
        ("pairs", 32) => joins::pairs::<u32>(&options),
        ("pairs", 64) => joins::pairs::<u64>(&options),
        ("pairs", 128) => joins::pairs::<u128>(&options),
        ("between", _) => joins::between(&options),
        ("clusters", _) => joins::clusters(&options),
        ("billion", _) => joins::billion(&options),
        ("sort", _) => joins::sort(&options),
        ("explain", _) => joins::explain(&options),
        ("queries", _) => queries::queries(&options),
        ("agreement", _) => agreement::agreement(&options),
        ("text", _) => text::speed(&options),
        ("markup", _) => markup::speed(&options),
        ("write", _) => agreement::write(&options),
        ("prints", _) => text::prints(&options),
        (verb, bits) => panic!("unknown verb {verb}, or width {bits}"),
    });
}

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| nearprint_fuzz::targets::ris(data));

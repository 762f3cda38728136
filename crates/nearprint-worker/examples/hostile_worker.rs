//! A worker whose documents tell it how to die. The tests hold the pool to its promises with it; it is also how a
//! host with extractors of its own builds its worker: an allocator, and one call of `serve`.
//!
//! A document `die: <way>` is an order; any other is extracted as always.

use std::fs::File;
use std::hint::black_box;
use std::io::Write;

use nearprint_extract::{ExtractError, Extraction, Hints, Limits, extract};

#[global_allocator]
static ALLOCATOR: nearprint_worker::ExitingAllocator = nearprint_worker::ExitingAllocator;

fn main() {
    // Names are what tests can choose: a copy of this file that is called `future` is of another protocol.
    let name = std::env::current_exe().ok();
    let name = name.as_deref().and_then(|path| path.file_stem()?.to_str()).unwrap_or("");
    match name {
        "future" => say(b"npworker\x02\0\0\0and whatever version 2 says"),
        "older" => say(b"npworker\x01\0\0\0\x05\0\0\x000.0.0"),
        "chatty" => say(b"Hello, I am a program."),
        "silent" => {}
        "mute" => loop {
            std::thread::park();
        },
        _ => nearprint_worker::serve(extract_or_die),
    }
}

fn extract_or_die(
    bytes: &[u8],
    hints: &Hints,
    limits: &Limits,
) -> Result<Extraction, ExtractError> {
    match bytes.strip_prefix(b"die: ") {
        None => extract(bytes, hints, limits),
        Some(way) => die(str::from_utf8(way).unwrap_or_default()),
    }
}

fn die(way: &str) -> ! {
    match way {
        "abort" => std::process::abort(),
        "panic" => panic!("a parser's mistake"),
        "stack" => {
            println!("{}", overflow(0));
        }
        "memory" => {
            let mut eaten = Vec::new();
            loop {
                eaten.push(black_box(vec![1_u8; 1 << 20]));
            }
        }
        // A parser that survives a failed allocation and continues with less.
        "memory, quietly" => {
            let mut eaten: Vec<u8> = Vec::new();
            let _ = black_box(eaten.try_reserve_exact(usize::MAX >> 2));
        }
        "cpu" => loop {
            black_box(());
        },
        "clock" => loop {
            std::thread::park();
        },
        "exit" => std::process::exit(0),
        // The name of a thread tells whoever looks that the document has been taken.
        "hang stopped" => {
            #[cfg(unix)]
            {
                use rustix::process::{Signal, getpid, kill_process};
                name_thread();
                kill_process(getpid(), Signal::STOP).expect("one may stop oneself");
            }
            loop {
                std::thread::park();
            }
        }
        "hang" => {
            name_thread();
            loop {
                std::thread::park();
            }
        }
        "files" => {
            // Not a death: whether a file can be opened is detected from one.
            if File::open("/dev/null").is_ok() || std::net::UdpSocket::bind("127.0.0.1:0").is_ok() {
                panic!("there are files to open");
            }
            panic!("no files");
        }
        // What is printed must not reach the host, whose stream it would spoil; and nobody reads what is
        // complained of, which must stop nobody.
        "print" | "complain" => {
            for _ in 0..100_000 {
                let _ = if way == "print" {
                    writeln!(std::io::stdout(), "a library that prints")
                } else {
                    writeln!(std::io::stderr(), "a library that complains")
                };
            }
            panic!("{way}ed");
        }
        way => raw(way),
    }
    unreachable!("{way} is no way to die")
}

/// Deaths in the middle of an answer.
#[cfg(unix)]
fn raw(way: &str) {
    let front = |text: u64, head: &str, status: u32| {
        let mut frame = Vec::new();
        // The tests send these orders to a worker as its first document.
        frame.extend(1_u64.to_le_bytes());
        frame.extend(0_u64.to_le_bytes());
        frame.extend(text.to_le_bytes());
        frame.extend((head.len() as u32).to_le_bytes());
        frame.extend(status.to_le_bytes());
        frame.extend(head.as_bytes());
        frame
    };
    let answer = match way {
        "garbage" => b"Segmentation fault, or so, in forty bytes".to_vec(),
        "slow" | "half" => front(100, RECORD, 0),
        "huge text" => front(1 << 60, RECORD, 0),
        "huge head" => {
            let mut frame = front(0, "", 0);
            frame[24..28].fill(0xff);
            frame
        }
        "not utf-8" => [front(2, RECORD, 0), b"\xff\xff".to_vec()].concat(),
        "not json" => front(0, "oops", 1),
        "no such status" => front(0, "", 7),
        "another's answer" => {
            let mut frame = front(0, "", 0);
            frame[0] = 3;
            frame
        }
        _ => return,
    };
    // The input is the same socket as the output, which `serve` keeps out of everybody's reach.
    let _ = rustix::io::write(std::io::stdin(), &answer);
    if way == "half" {
        std::process::exit(0);
    }
    loop {
        std::thread::park();
    }
}

#[cfg(not(unix))]
fn raw(_: &str) {}

#[cfg(unix)]
const RECORD: &str = r#"{"media_type":"text/plain","wrappers":[],"charset":null,"charset_source":null,"extractor":"plain","extractor_version":1,"pages":null,"characters":0,"warnings":[]}"#;

/// Leaves a thread after that does nothing but have its name, and has it when this returns.
fn name_thread() {
    let (named, wait) = std::sync::mpsc::channel();
    std::thread::Builder::new()
        .name("in-document".to_owned())
        .spawn(move || {
            let _ = named.send(());
            loop {
                std::thread::park();
            }
        })
        .expect("a thread");
    wait.recv().expect("the thread has begun");
}

#[inline(never)]
fn overflow(depth: u64) -> u64 {
    let room = black_box([depth; 64]);
    if black_box(true) { overflow(depth + 1) + room[7] } else { depth }
}

fn say(bytes: &[u8]) {
    let _ = std::io::stdout().write_all(bytes);
    let _ = std::io::stdout().flush();
}

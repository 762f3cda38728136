//! A worker whose documents tell it how to die. The tests hold the pool to its promises with it; it is also how a
//! host with extractors of its own builds its worker: an allocator, and one call of `serve`.
//!
//! A document `die: <way>` is an order; any other is extracted as always. A copy of this file that is called `liar`
//! speaks the protocol by itself, and answers with what a document that took it over might say.

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
        "future" => say(b"npworker\x03\0\0\0and whatever version 3 says"),
        "older" => say(b"npworker\x02\0\0\0\x05\0\0\x000.0.0"),
        "chatty" => say(b"Hello, I am a program."),
        "silent" => {}
        "mute" => loop {
            std::thread::park();
        },
        #[cfg(unix)]
        "liar" => lie(),
        _ => {
            wait_for_hang();
            #[cfg(target_os = "linux")]
            if let Some(host) = rustix::process::getppid() {
                let _ = HOST.set(host);
            }
            nearprint_worker::serve(extract_or_die)
        }
    }
}

fn extract_or_die(
    bytes: &[u8],
    hints: &Hints,
    limits: &Limits,
) -> Result<Extraction, ExtractError> {
    match bytes.strip_prefix(b"die: ") {
        None => match bytes.strip_prefix(b"need 300 MiB, ") {
            Some(rest) => {
                let needed = black_box(vec![1_u8; 300 << 20]);
                let outcome = extract_or_die(rest, hints, limits);
                drop(black_box(needed));
                outcome
            }
            None => extract(bytes, hints, limits),
        },
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
        "overrun" => panic!("no sanitizer saw the byte {} behind an allocation", overrun()),
        // The end of a thread tells whoever looks that the document has been taken.
        "hang" => {
            HANGS.get().expect("`main` has set it").notify();
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
        "environment" => {
            let names: Vec<_> = std::env::vars_os().map(|(name, _)| name).collect();
            panic!("variables: {names:?}");
        }
        #[cfg(target_os = "linux")]
        way if way.starts_with("try ") => forbidden(&way[4..]),
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
        _ => {}
    }
    unreachable!("{way} is no way to die")
}

/// Reads documents as a worker does, each of which names the lie that is the answer to it.
#[cfg(unix)]
fn lie() {
    use std::io::Read;
    let mut input = std::io::stdin();
    let release = env!("CARGO_PKG_VERSION");
    let length = (release.len() as u32).to_le_bytes();
    say(&[b"npworker\x02\0\0\0", &length[..], release.as_bytes()].concat());
    input.read_exact(&mut [0; 12]).expect("the settings");
    say(&[0; 12]);
    let mut request = [0; 20];
    while input.read_exact(&mut request).is_ok() {
        let number = |at: usize| u64::from_le_bytes(*request[at..].first_chunk().expect("8 bytes"));
        let head = u32::from_le_bytes(*request[16..].first_chunk().expect("4 bytes"));
        let mut rest = vec![0; head as usize + number(8) as usize];
        input.read_exact(&mut rest).expect("a head and a document");
        let way = String::from_utf8_lossy(&rest[head as usize..]).into_owned();
        answer(&way, number(0));
    }
}

/// The lie of this name, as the answer to the request `serial`.
#[cfg(unix)]
fn answer(way: &str, serial: u64) {
    let frame = |serial: u64, text: u64, head: &str, status: u32| {
        let mut frame = Vec::new();
        frame.extend(serial.to_le_bytes());
        frame.extend(0_u64.to_le_bytes());
        frame.extend(text.to_le_bytes());
        frame.extend((head.len() as u32).to_le_bytes());
        frame.extend(status.to_le_bytes());
        frame.extend(0_u32.to_le_bytes());
        frame.extend(head.as_bytes());
        frame
    };
    let front = |text: u64, head: &str, status: u32| frame(serial, text, head, status);
    let text = |record: &str| [front(5, record, 0), b"truth".to_vec()].concat();
    let detail =
        |detail: &str| front(0, &format!(r#"{{"reason":"damaged","detail":"{detail}"}}"#), 1);
    let answer = match way {
        "garbage" => b"Segmentation fault, or so, in forty bytes".to_vec(),
        "slow" | "half" => front(100, RECORD, 0),
        "huge text" => front(1 << 60, RECORD, 0),
        "text beyond its growth" => front(200 << 20, RECORD, 0),
        "huge head" => {
            let mut frame = front(0, "", 0);
            frame[24..28].fill(0xff);
            frame
        }
        "not utf-8" => [front(2, RECORD, 0), b"\xff\xff".to_vec()].concat(),
        "not json" => front(0, "oops", 1),
        "no such status" => front(0, "", 7),
        "another's answer" => frame(serial.wrapping_add(1), 0, "", 0),
        "the first answer" => frame(1, 0, "", 0),
        "media type" => text(&RECORD.replace("text/plain", "text/\\u001b[31m")),
        "charset" => text(&RECORD.replace(r#""charset":null"#, r#""charset":"utf-9""#)),
        "source" => text(&RECORD.replace(r#""charset_source":null"#, r#""charset_source":"it""#)),
        "extractor" => text(&RECORD.replace(r#""plain""#, r#""plane""#)),
        "version" => text(&RECORD.replace(r#""extractor_version":2"#, r#""extractor_version":9"#)),
        "wrapper" => text(&RECORD.replace("[],\"charset\"", "[\"rar\"],\"charset\"")),
        "characters" => text(&RECORD.replace(r#""characters":5"#, r#""characters":6"#)),
        "warning" => {
            text(&RECORD.replace(
                r#""warnings":[]"#,
                r#""warnings":[{"code":"recovered","detail":"a\nb"}]"#,
            ))
        }
        "two lines" => detail(r"one\nfake: line"),
        "escape" => detail(r"one \u001b[31m"),
        "backwards" => detail("one \u{202e} two"),
        "long detail" => detail(&"x".repeat(1025)),
        "one line" => detail(&"x".repeat(1024)),
        "truth" => text(RECORD),
        _ => std::process::exit(3),
    };
    say(&answer);
    if way == "half" {
        std::process::exit(0);
    }
}

#[cfg(unix)]
const RECORD: &str = r#"{"media_type":"text/plain","wrappers":[],"charset":null,"charset_source":null,"extractor":"plain","extractor_version":2,"pages":null,"characters":5,"warnings":[]}"#;

/// Says that a document is being hung in.
struct Hang {
    order: std::sync::mpsc::SyncSender<()>,
}

impl Hang {
    fn notify(&self) {
        self.order.send(()).expect("the thread waits");
    }
}

static HANGS: std::sync::OnceLock<Hang> = std::sync::OnceLock::new();

/// Starts the thread `before-hang`, which ends when a document is hung in, and then `hostile`, which stays: a worker
/// can start none any more, nor name one.
fn wait_for_hang() {
    let (order, ordered) = std::sync::mpsc::sync_channel(0);
    start_thread("before-hang", move || ordered.recv().unwrap_or_default());
    start_thread("hostile", || {
        loop {
            std::thread::park();
        }
    });
    let _ = HANGS.set(Hang { order });
}

/// Returns once the thread has its name.
fn start_thread(name: &str, body: impl FnOnce() + Send + 'static) {
    let (started, wait) = std::sync::mpsc::channel();
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || {
            let _ = started.send(());
            body();
        })
        .expect("a thread");
    wait.recv().expect("the thread has begun");
}

/// The process that started this one.
#[cfg(target_os = "linux")]
static HOST: std::sync::OnceLock<rustix::process::Pid> = std::sync::OnceLock::new();

/// What code that has taken over a parser would try. Where it is refused and not killed for it, the panic says so, and
/// where it is allowed as well.
#[cfg(target_os = "linux")]
fn forbidden(what: &str) -> ! {
    use rustix::process::{Signal, kill_process};
    // Asked for before: it is one of the calls that are forbidden.
    let host = *HOST.get().expect("`main` has set it");
    let number = host.as_raw_nonzero().get();
    let result = match what {
        "open" => File::open("/etc/passwd").map(drop),
        "write" => File::create("/tmp/nearprint-hostile-worker").map(drop),
        "connect" => std::net::TcpStream::connect("127.0.0.1:1").map(drop),
        "bind" => std::net::UdpSocket::bind("127.0.0.1:0").map(drop),
        "unix socket" => std::os::unix::net::UnixDatagram::unbound().map(drop),
        "program" => std::process::Command::new("/bin/true").spawn().map(drop),
        "thread" => std::thread::Builder::new().spawn(|| ()).map(drop),
        "signal" => kill_process(host, Signal::CONT).map_err(Into::into),
        way => system_call(way, number),
    };
    match result {
        Ok(()) => panic!("{what} is allowed"),
        Err(error) => panic!("{what} is refused: {error}"),
    }
}

/// Reads behind an allocation, which nothing but AddressSanitizer notices (scripts/sanitized_command.py).
#[allow(unsafe_code, reason = "what safe code cannot do")]
fn overrun() -> u8 {
    let bytes = black_box(vec![7_u8; 24]);
    // SAFETY: none. What is read there is not used, and the process ends.
    unsafe { black_box(bytes.as_ptr()).add(bytes.len()).read_volatile() }
}

/// Calls that no safe library makes.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "no safe library makes these calls")]
fn system_call(what: &str, host: i32) -> std::io::Result<()> {
    const PAGE: usize = 4096;
    let mut secret = [0_u8; 1];
    let local = libc::iovec { iov_base: secret.as_mut_ptr().cast(), iov_len: 1 };
    let remote = libc::iovec { iov_base: system_call as *mut _, iov_len: 1 };
    // SAFETY: each call gets numbers and pointers to values that live as long as the call. None may succeed, and none
    // that does changes memory that is used afterwards.
    let result = unsafe {
        match what {
            "trace" => libc::ptrace(libc::PTRACE_SEIZE, host, 0_usize, 0_usize),
            "read memory" => {
                libc::process_vm_readv(host, &raw const local, 1, &raw const remote, 1, 0) as _
            }
            "limits of others" => {
                libc::syscall(libc::SYS_prlimit64, host, libc::RLIMIT_CPU, 0_usize, 0_usize)
            }
            "more files" => {
                let more = libc::rlimit { rlim_cur: 9, rlim_max: 9 };
                libc::setrlimit(libc::RLIMIT_NOFILE, &raw const more).into()
            }
            "more time" => {
                let more =
                    libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
                let none = std::ptr::null_mut::<libc::rlimit>();
                libc::syscall(libc::SYS_prlimit64, 0, libc::RLIMIT_CPU, &raw const more, none)
            }
            "code" => {
                let protection = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
                let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
                let page = libc::mmap(std::ptr::null_mut(), PAGE, protection, kind, -1, 0);
                if page == libc::MAP_FAILED { -1 } else { 0 }
            }
            "abort of others" => libc::syscall(libc::SYS_tgkill, host, host, libc::SIGABRT),
            "terminal" => libc::ioctl(0, libc::TIOCSTI, c"x".as_ptr()).into(),
            "memory file" => libc::memfd_create(c"x".as_ptr(), 0).into(),
            _ => panic!("{what} is nothing to try"),
        }
    };
    if result < 0 { Err(std::io::Error::last_os_error()) } else { Ok(()) }
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
